//! `cargo xtask bench`: speed against NumPy and plain Rust. What is measured is in `benches/`.

use crate::process::{Count, run as run_program};
use crate::python::{FASTOPS, Venv};
use crate::workspace::Workspace;
use anyhow::Result;
use std::ffi::OsString;
use xshell::cmd;

/// Builds and installs the wheel, and measures it; options go to `benches/run.py`.
pub fn run(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    let options: Vec<OsString> = arguments.raw_args()?.collect();
    let venv = Venv::open(workspace)?;
    venv.install_wheel(FASTOPS)?;
    let record = workspace.target.join("bench/speed.json");
    run_program(cmd!(workspace.shell, "cargo build --quiet --release --package lanecraft-bench-plain"))?;
    let library = format!("{}lanecraft_bench_plain{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let (python, plain) = (venv.python(), workspace.target.join("release").join(library));
    run_program(cmd!(workspace.shell, "{python} benches/run.py --out {record} --plain {plain} {options...}"))?;
    Ok(true)
}

/// What does not depend on how busy the machine is: the memory that calls need, and the time of an import.
pub fn limits(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    let python = venv.python();
    run_program(cmd!(workspace.shell, "{python} benches/run.py --limits"))
}
