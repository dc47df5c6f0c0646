//! The program `pybind-gen`: what it prints, and how it exits.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pybind-gen")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A crate of one function, in a folder of this test's own.
fn package(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("lanecraft-cli-{name}-{}", std::process::id()));
    fs::create_dir_all(folder.join("src")).unwrap();
    source(&folder, "f64");
    folder
}

fn source(folder: &Path, ty: &str) {
    fs::write(folder.join("src/lib.rs"), format!("#[python_export] pub fn same(x: {ty}) -> {ty} {{ x }}")).unwrap();
}

#[test]
fn stubs_are_printed_and_written() {
    let folder = package("stubs");
    let at = folder.display().to_string();
    let printed = run(&["stubs", "--crate", &at]);
    assert!(printed.status.success() && text(&printed.stdout).contains("def same(x: SupportsFloat) -> float: ..."), "{printed:?}");
    let out = folder.join("out");
    assert!(run(&["stubs", "--crate", &at, "--out", &out.display().to_string()]).status.success());
    assert!(out.join("py.typed").exists());
    assert_eq!(text(&printed.stdout), format!("# __init__.pyi\n{}\n", fs::read_to_string(out.join("__init__.pyi")).unwrap()));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn differences_exit_with_1() {
    let folder = package("diff");
    let (at, out) = (folder.display().to_string(), folder.join("out").display().to_string());
    run(&["stubs", "--crate", &at, "--out", &out]);
    let same = run(&["diff", &out, "--crate", &at]);
    assert!(same.status.success() && same.stdout.is_empty(), "{same:?}");

    source(&folder, "i64");
    let changed = run(&["diff", &out, "--crate", &at]);
    let diff = text(&changed.stdout);
    assert_eq!(changed.status.code(), Some(1));
    assert!(diff.contains("-def same(x: SupportsFloat) -> float: ...\n+def same(x: SupportsIndex) -> int: ...\n"), "{diff}");

    source(&folder, "f64");
    fs::write(folder.join("out/gone.pyi"), "").unwrap();
    let left_over = run(&["diff", &out, "--crate", &at]);
    assert_eq!(left_over.status.code(), Some(1));
    assert!(text(&left_over.stdout).ends_with("gone.pyi: the sources have no such module\n"), "{left_over:?}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn mistakes_exit_with_2() {
    for (arguments, wanted) in [
        (&["stub"][..], "error: no such command"),
        (&["stubs", "--crate", "/nowhere"], "error: cannot read /nowhere/src/lib.rs: "),
        (&["stubs", "--output", "x"], "error: invalid option '--output'"),
        (&["check", "no_such_module_anywhere"], "error: "),
    ] {
        let done = run(arguments);
        assert_eq!(done.status.code(), Some(2), "{done:?}");
        assert!(text(&done.stderr).starts_with(wanted), "{done:?}");
    }
}
