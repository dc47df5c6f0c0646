//! `pybind-gen check`: the gates, on a module that is installed.

use super::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A gate, the module of Python that it is, and its options but the last, which is the module's name, or its folder.
const TYPE_CHECKERS: [(&str, &str, &[&str], Of); 3] = [
    ("the stubs agree with the module", "mypy.stubtest", &["--ignore-missing-stub"], Of::Name),
    // By its folder mypy takes all that is installed beside it for the user's own.
    ("mypy accepts the stubs", "mypy", &["--strict", "--package"], Of::Name),
    ("basedpyright accepts the stubs", "basedpyright", &[], Of::Folder),
];

/// What a type checker is told of a module.
#[derive(Clone, Copy)]
enum Of {
    Name,
    Folder,
}

/// Runs the gates. Whether all hold; those whose program is not installed are named, and hold nothing.
pub(super) fn run(module: &str, python: Option<&Path>, wheel: Option<&Path>) -> Result<bool> {
    let python = python.unwrap_or(Path::new("python3"));
    let folder = output(python, &["-c", &format!("import {module}, os; print(os.path.dirname({module}.__file__))")])?;
    let files = files(Path::new(folder.trim()))?;
    let mut holds = said("the module has its stub and py.typed", has_stub(&files));
    for (what, program, options, of) in TYPE_CHECKERS {
        let found =
            format!("import importlib.util as u, sys; sys.exit(not u.find_spec('{}'))", program.split('.').next().unwrap_or(program));
        if !Command::new(python).args(["-c", &found]).status()?.success() {
            println!("not run  {what}: {program} is not installed");
            continue;
        }
        let of = match of {
            Of::Name => module,
            Of::Folder => folder.trim(),
        };
        holds &= said(what, Command::new(python).args(["-m", program]).args(options).arg(of).status()?.success());
    }
    if let Some(wheel) = wheel {
        let list = format!("import zipfile; print(*zipfile.ZipFile({:?}).namelist(), sep='\\n')", wheel.display().to_string());
        let names: Vec<String> =
            output(python, &["-c", &list])?.lines().map(|name| name.rsplit('/').next().unwrap_or(name).to_owned()).collect();
        holds &= said("the wheel has the stub and py.typed", has_stub(&names));
        holds &=
            said("the wheel's module is of the stable ABI", names.iter().any(|name| name.contains(".abi3.") || name.ends_with(".pyd")));
    }
    Ok(holds)
}

fn said(what: &str, holds: bool) -> bool {
    println!("{}  {what}", if holds { "ok     " } else { "FAILED " });
    holds
}

fn has_stub(files: &[String]) -> bool {
    ["__init__.pyi", "py.typed"].iter().all(|wanted| files.iter().any(|file| file == wanted))
}

fn files(folder: &Path) -> Result<Vec<String>> {
    let names = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()));
    Ok(names.collect::<std::io::Result<_>>()?)
}

/// What a program prints.
fn output(program: &Path, arguments: &[&str]) -> Result<String> {
    let done = Command::new(program).args(arguments).output().map_err(|e| format!("{}: {e}", program.display()))?;
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).into());
    }
    Ok(String::from_utf8(done.stdout)?)
}
