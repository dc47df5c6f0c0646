//! `cargo xtask bench`: speed against NumPy and plain Rust. What is measured is in `benches/`.

use crate::process::{Count, run as run_program};
use crate::python::{COOKBOOK, FASTOPS, Packages, Venv};
use crate::workspace::Workspace;
use anyhow::Result;
use std::ffi::OsString;
use xshell::cmd;

/// Builds and installs the wheel, and measures it; options go to `benches/run.py`. `--peers` measures torch, JAX and Numba too, and draws the
/// results; `--row build` instead measures what kernels cost to compile, and its options go to `benches/build.py`; `--cookbook` measures the recipes, by
/// `examples/cookbook/bench.py`.
pub fn run(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    let mut options: Vec<OsString> = arguments.raw_args()?.collect();
    let venv = Venv::open(workspace)?;
    if let [row, what, rest @ ..] = &options[..]
        && row == "--row"
    {
        if what == "build" {
            return build(workspace, &venv, rest);
        }
        options[0] = "--only".into();
    }
    if let Some(at) = options.iter().position(|option| option == "--cookbook") {
        options.remove(at);
        return cookbook(workspace, &venv, &options);
    }
    let wheel = venv.install_wheel(FASTOPS)?;
    let record = workspace.target.join("bench/speed.json");
    run_program(cmd!(workspace.shell, "cargo build --quiet --release --package lanecraft-bench-plain"))?;
    let library = format!("{}lanecraft_bench_plain{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let plain = workspace.target.join("release").join(library);
    let with_peers = options.iter().any(|option| option == "--peers");
    options.retain(|option| option != "--peers");
    if !with_peers {
        let python = venv.python();
        run_program(cmd!(workspace.shell, "{python} benches/run.py --out {record} --plain {plain} {options...}"))?;
        return Ok(true);
    }
    let peers = Venv::peers(workspace)?;
    let (python, site) = (peers.python(), peers.site(&[wheel])?);
    let measured =
        run_program(cmd!(workspace.shell, "{python} benches/run.py --out {record} --plain {plain} {options...}").env("PYTHONPATH", site));
    venv.install(Packages::Demo)?;
    let (python, plot) = (venv.python(), workspace.target.join("bench/speed.png"));
    run_program(cmd!(workspace.shell, "{python} benches/plot.py {record} {plot}"))?;
    println!("plot: {}", plot.display());
    measured?;
    Ok(true)
}

/// CPU seconds per function that is built of each kernel of fastops.
fn build(workspace: &Workspace, venv: &Venv<'_>, options: &[OsString]) -> Result<bool> {
    let (python, folder, record) = (venv.python(), workspace.target.join("bench/one_kernel"), workspace.target.join("bench/build.json"));
    run_program(cmd!(workspace.shell, "{python} benches/build.py --folder {folder} --out {record} {options...}"))?;
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
