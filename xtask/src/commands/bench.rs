//! `cargo xtask bench`: speed against NumPy, plain Rust and others. What is measured is in `benches/`.

use crate::process::{Count, run as run_program};
use crate::python::{COOKBOOK, FASTOPS, Packages, Venv};
use crate::workspace::Workspace;
use anyhow::{Result, ensure};
use std::ffi::OsString;
use std::path::PathBuf;
use xshell::cmd;

/// Builds and installs the wheel, and measures it; options go to `benches/run.py`. `--peers` measures torch, JAX, Numba and their like too, and draws the
/// results; with `--write` they go into the book. `--row build` instead measures what kernels cost to compile, with `--write` into
/// the book too, and its other options go to `benches/build.py`; `--cookbook` measures the recipes, by `examples/cookbook/bench.py`.
pub fn run(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    let mut options: Vec<OsString> = arguments.raw_args()?.collect();
    let venv = Venv::open(workspace)?;
    if let [row, what, rest @ ..] = &options[..]
        && row == "--row"
        && what == "build"
    {
        return build(workspace, &venv, rest);
    }
    if taken(&mut options, "--cookbook") {
        return cookbook(workspace, &venv, &options);
    }
    if let Some(row) = options.iter_mut().find(|option| *option == "--row") {
        *row = "--only".into();
    }
    let (with_peers, write) = (taken(&mut options, "--peers"), taken(&mut options, "--write"));
    ensure_all(write, &options, "--only")?;
    let wheel = venv.install_wheel(FASTOPS)?;
    let folder = workspace.target.join("bench");
    let (record, builds) = (folder.join("speed.json"), folder.join("builds"));
    let (plain, fast_math) = libraries(workspace)?;
    let libraries = ["--plain".into(), plain.into_os_string(), "--fast-math".into(), fast_math.into_os_string()];
    if !with_peers {
        let python = venv.python();
        run_program(cmd!(workspace.shell, "{python} benches/run.py --out {record} {libraries...} {options...}"))?;
        return Ok(true);
    }
    let peers = Venv::peers(workspace)?;
    peers.install(Packages::Bench)?;
    let (python, site, inductor) = (peers.python(), peers.site(&[wheel])?, folder.join("inductor"));
    let command = cmd!(workspace.shell, "{python} benches/run.py --out {record} {libraries...} --builds {builds} {options...}");
    let measured = run_program(command.env("PYTHONPATH", site).env("TORCHINDUCTOR_CACHE_DIR", inductor));
    let images = if write { workspace.root.join("docs/images") } else { folder.clone() };
    run_program(cmd!(workspace.shell, "{python} benches/plot.py {record} {images}"))?;
    println!("plots: {}", images.display());
    if write {
        run_program(cmd!(workspace.shell, "{python} benches/page.py docs/performance.md --speed {record}"))?;
    }
    measured?;
    Ok(true)
}

/// The page has whole tables: some rows are not written there in the place of all.
fn ensure_all(write: bool, options: &[OsString], some: &str) -> Result<()> {
    let chosen = options.iter().any(|option| option.to_string_lossy().starts_with(some));
    ensure!(
        !(write && chosen),
        "`--write` came with `{some}`; accepted is one of them: docs/performance.md has tables of all that is measured"
    );
    Ok(())
}

/// Takes an option out. Whether it was there.
fn taken(options: &mut Vec<OsString>, name: &str) -> bool {
    let at = options.iter().position(|option| option == name);
    at.map(|at| options.remove(at)).is_some()
}

/// The loops in Rust, for this machine's processor, and the kernels with and without `fast_math`, for all levels as always.
fn libraries(workspace: &Workspace) -> Result<(PathBuf, PathBuf)> {
    let native = workspace.target.join("bench/native");
    let build = cmd!(workspace.shell, "cargo build --quiet --release --package lanecraft-bench-plain --target-dir {native}");
    run_program(build.env("RUSTFLAGS", "-C target-cpu=native"))?;
    run_program(cmd!(workspace.shell, "cargo build --quiet --release --package lanecraft-bench-fast-math"))?;
    let name = |of: &str| format!("{}lanecraft_bench_{of}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    Ok((native.join("release").join(name("plain")), workspace.target.join("release").join(name("fast_math"))))
}

/// CPU seconds per function that is built of each kernel of fastops.
fn build(workspace: &Workspace, venv: &Venv<'_>, options: &[OsString]) -> Result<bool> {
    let (python, folder, record) = (venv.python(), workspace.target.join("bench/one_kernel"), workspace.target.join("bench/build.json"));
    let mut options = options.to_vec();
    let write = taken(&mut options, "--write");
    ensure_all(write, &options, "--kernel")?;
    let measured = run_program(cmd!(workspace.shell, "{python} benches/build.py --folder {folder} --out {record} {options...}"));
    if write {
        run_program(cmd!(workspace.shell, "{python} benches/page.py docs/performance.md --build {record}"))?;
    }
    measured?;
    Ok(true)
}

/// The recipes against what one would write without Lanecraft.
fn cookbook(workspace: &Workspace, venv: &Venv<'_>, options: &[OsString]) -> Result<bool> {
    let peers = Venv::peers(workspace)?;
    let (python, site) = (peers.python(), peers.site(&[venv.install_wheel(COOKBOOK)?])?);
    let folder = COOKBOOK.folder;
    run_program(cmd!(workspace.shell, "{python} {folder}/bench.py {options...}").env("PYTHONPATH", site))?;
    Ok(true)
}

/// What does not depend on how busy the machine is: the memory that calls need, and the time of an import.
pub fn limits(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    let python = venv.python();
    run_program(cmd!(workspace.shell, "{python} benches/run.py --limits"))
}
