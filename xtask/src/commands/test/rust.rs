//! Checks of the Rust side.

use super::super::output_folder;
use crate::levels::Forced;
use crate::process::{Count, read, run, run_tests};
use crate::steps::Report;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use xshell::{Cmd, cmd};

/// The packages that are tested from Rust: a program with a Python module in it would need a libpython to link to, and `ulp`
/// holds every math function on every level, which only the release profile compiles in good time (see [`ulp_tests`]); `cuda-check`, `cuda-launch` and the book would make CUDA text in all others.
#[rustfmt::skip]
const TESTED: [&str; 23] =
    ["--workspace", "--exclude", "fastops", "--exclude", "functions", "--exclude", "kernel_shapes", "--exclude", "lanecraft-ulp", "--exclude", "lanecraft-cuda-check",
    "--exclude", "cookbook", "--exclude", "lanecraft-book", "--exclude", "lanecraft-counts",
    "--exclude", "lanecraft-cuda-launch", "--exclude", "cuda_kernels",
    "--features", "lanecraft/ndarray,lanecraft-pybind-gen/cli"];
/// The Cargo features that are CPU levels.
const LEVEL_FEATURES: [&str; 5] = ["sse2", "avx2", "avx512", "neon", "portable"];

pub fn fmt(workspace: &Workspace) -> Result<Count> {
    run(cmd!(workspace.shell, "cargo fmt --all --check")).context("`cargo fmt` puts it right")
}

pub fn clippy(workspace: &Workspace) -> Result<Count> {
    run(cmd!(workspace.shell, "cargo clippy --workspace --all-targets --all-features -- -D warnings"))
}

/// A development build may do with one level, and a build script with none.
pub fn features(workspace: &Workspace) -> Result<Count> {
    let mut count = run(cmd!(workspace.shell, "cargo clippy --package lanecraft --no-default-features --features runtime -- -D warnings"))?;
    for level in LEVEL_FEATURES {
        count += run(cmd!(workspace.shell, "cargo clippy --package lanecraft --no-default-features --features {level} -- -D warnings"))?;
    }
    Ok(count)
}

pub fn docs(workspace: &Workspace) -> Result<Count> {
    run(cmd!(workspace.shell, "cargo doc --workspace --no-deps --all-features").env("RUSTDOCFLAGS", "-D warnings"))
}

pub fn tests(workspace: &Workspace) -> Result<Count> {
    run_tests(cmd!(workspace.shell, "cargo test {TESTED...} --no-fail-fast -- --quiet"))
}

pub fn tests_on(workspace: &Workspace, level: &Forced) -> Result<Count> {
    println!("-- {}", level.name);
    // All packages, since a choice of them would have other features and be compiled anew. Compile-fail tests have one result on all
    // levels.
    let command = cmd!(workspace.shell, "cargo test {TESTED...} --no-fail-fast --lib --tests -- --quiet --skip rejected");
    run_tests(command.envs(level.environment.clone()))
}

/// The tests of the error measurement itself.
pub fn ulp_tests(workspace: &Workspace) -> Result<Count> {
    run_tests(cmd!(workspace.shell, "cargo test --release --package lanecraft-ulp -- --quiet"))
}

/// The profile `checked` of the workspace: the optimiser's view of the code, with the checks of a development build.
pub fn tests_checked(workspace: &Workspace) -> Result<Count> {
    run_tests(cmd!(workspace.shell, "cargo test {TESTED...} --profile checked --no-fail-fast --lib --tests -- --quiet --skip rejected"))
}

/// Builds and runs the quickstart with a PATH that has a linker and nothing else, into a target folder of its own, where no
/// earlier build has left anything.
pub fn without_python(workspace: &Workspace) -> Result<Count> {
    let folder = output_folder(workspace, "no-python")?;
    let path = linker_folder(&folder.join("bin"))?;
    let (sh, target) = (&workspace.shell, folder.join("target"));
    let cargo = std::env::var_os("CARGO").context("xtask is run by cargo, which sets CARGO")?;
    let rustc = PathBuf::from(read(cmd!(sh, "rustc --print sysroot"))?).join("bin/rustc");
    let bare = |command: Cmd<'_>| -> Result<String> {
        let command = command.env("PATH", &path).env("RUSTC", &rustc).env("CARGO_TARGET_DIR", &target).env("PYO3_PYTHON", "/no/python");
        println!("$ PATH={} {command}", path.display());
        read(command)
    };
    for name in ["python", "python3"] {
        ensure!(!path.join(name).exists(), "{} holds {name}", path.display());
    }
    let tree = bare(cmd!(sh, "{cargo} tree --package quickstart --edges normal,build --prefix none"))?;
    if let Some(python) =
        tree.lines().find(|line| line.starts_with("pyo3") || line.starts_with("numpy") || line.starts_with("lanecraft-pybind-gen"))
    {
        bail!("a program that only uses Rust depends on {python}");
    }
    let printed = bare(cmd!(sh, "{cargo} run --quiet --package quickstart"))?;
    println!("{printed}");
    ensure!(printed.contains("same bits as the function: true"), "the quickstart did not print what it should");
    Ok(Count { passed: 2, failed: 0 })
}

/// A folder with links to what rustc links programs with.
fn linker_folder(folder: &Path) -> Result<PathBuf> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    for name in ["cc", "gcc", "clang", "ld", "ld.lld", "as", "ar"] {
        if let Some(program) = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file()) {
            link(&program, &folder.join(name))?;
        }
    }
    Ok(folder.to_owned())
}

#[cfg(unix)]
fn link(program: &Path, at: &Path) -> Result<()> {
    std::os::unix::fs::symlink(program, at).with_context(|| format!("{}", at.display()))
}

#[cfg(not(unix))]
fn link(program: &Path, at: &Path) -> Result<()> {
    std::fs::copy(program, at).map(|_| ()).with_context(|| format!("{}", at.display()))
}

/// Compiles with the Rust that `rust-version` names: this one, or another that rustup has.
pub fn msrv(workspace: &Workspace) -> Result<Report> {
    let manifest = std::fs::read_to_string(workspace.root.join("Cargo.toml"))?;
    let oldest = value_of(&manifest, "rust-version").context("Cargo.toml names no rust-version")?;
    let version = read(cmd!(workspace.shell, "rustc --version"))?;
    if version.starts_with(&format!("rustc {oldest}.")) {
        println!("this run's own compiler is the oldest supported: {version}");
        return Ok(Count::ONE.into());
    }
    let has_it = cmd!(workspace.shell, "rustup run {oldest} rustc --version").quiet().ignore_stdout().ignore_stderr().run().is_ok();
    if !has_it {
        return Ok(Report::Impossible(format!("Rust {oldest} is not installed; `rustup toolchain install {oldest}` gets it")));
    }
    let target = workspace.target.join("msrv");
    let command = cmd!(workspace.shell, "rustup run {oldest} cargo check --package lanecraft --features ndarray,build");
    run(command.env("CARGO_TARGET_DIR", target).env_remove("RUSTC").env_remove("CARGO")).map(Into::into)
}

/// The crates that are published, in the order in which that has to be done.
const PUBLISHED: [&str; 6] =
    ["lanecraft-lang", "lanecraft-macros", "lanecraft-core", "lanecraft-backends", "lanecraft-pybind-gen", "lanecraft"];

/// Publishes the crates but for the upload: packs them, compiles each from what was packed, those it depends on among them, and asks crates.io's index.
pub fn package(workspace: &Workspace) -> Result<Count> {
    forget_unpacked(workspace)?;
    let packages = PUBLISHED.iter().flat_map(|name| ["--package", name]);
    run(cmd!(workspace.shell, "cargo publish --dry-run --quiet --allow-dirty {packages...}"))
}

/// Takes our crates out of what Cargo has unpacked of the registries of dry runs, which have no host in their names: it would compile what a run before has
/// packed, since the version is the same.
fn forget_unpacked(workspace: &Workspace) -> Result<()> {
    let sh = &workspace.shell;
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let home = home.context("there is no folder for Cargo: neither CARGO_HOME nor a home")?;
    let begins = |path: &PathBuf, with: &str| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(with));
    for kind in ["registry/src", "registry/cache"] {
        for registry in sh.read_dir(home.join(kind)).unwrap_or_default().iter().filter(|path| begins(path, "-")) {
            sh.read_dir(registry)?.iter().filter(|path| begins(path, "lanecraft")).try_for_each(|path| sh.remove_path(path))?;
        }
    }
    Ok(())
}

/// What else Lanecraft is written for, and no developer's machine is.
const PLATFORMS: [&str; 3] = ["x86_64-pc-windows-msvc", "x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// The crates as the compiler sees them there; only linking needs more than rustup has. Those targets that rustup has not are left out.
pub fn platforms(workspace: &Workspace) -> Result<Report> {
    let (sh, target) = (&workspace.shell, workspace.target.join("platforms"));
    let installed = cmd!(sh, "rustup target list --installed").quiet().ignore_stderr().read().unwrap_or_default();
    let (there, missing): (Vec<&str>, Vec<&str>) =
        PLATFORMS.into_iter().partition(|platform| installed.lines().any(|line| line == *platform));
    if !missing.is_empty() {
        println!("not checked: {}; `rustup target add` gets them", missing.join(", "));
    }
    let mut count = Count::default();
    for platform in &there {
        let command = cmd!(sh, "cargo check --quiet --target {platform} --package lanecraft --features ndarray,cuda,build,python");
        count += run(command.env("CARGO_TARGET_DIR", &target).env("RUSTFLAGS", "-D warnings"))?;
    }
    Ok(if there.is_empty() { Report::Impossible("rustup has none of the targets".to_owned()) } else { count.into() })
}

/// Advisories, licences and sources of the dependencies, by `deny.toml`.
pub fn deny(workspace: &Workspace) -> Result<Report> {
    if cmd!(workspace.shell, "cargo deny --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
        return Ok(Report::Impossible("cargo-deny is not installed; `cargo install cargo-deny --locked` gets it".to_owned()));
    }
    run(cmd!(workspace.shell, "cargo deny --workspace check licenses bans sources"))?;
    // The database of advisories is a repository on GitHub, which not every machine reaches.
    if cmd!(workspace.shell, "cargo deny fetch db").quiet().ignore_stdout().ignore_stderr().run().is_err() {
        return Ok(Report::Impossible("licences and sources are in order, but the database of advisories cannot be fetched".to_owned()));
    }
    run(cmd!(workspace.shell, "cargo deny --workspace check advisories")).map(Into::into)
}

/// The first `key = "value"` of a TOML text.
fn value_of(toml: &str, key: &str) -> Option<String> {
    let value = toml.lines().find_map(|line| line.trim().strip_prefix(key)?.trim().strip_prefix('='))?;
    Some(value.trim().trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::value_of;

    #[test]
    fn a_toml_value_is_read() {
        let toml = "[workspace.package]\nversion = \"0.1.0\"\nrust-version = \"1.95\"\n";
        assert_eq!(value_of(toml, "rust-version").as_deref(), Some("1.95"));
        assert_eq!(value_of(toml, "license"), None);
    }
}
