//! `cargo xtask demo`: the fastops wheel, from nothing to results on real input.

use crate::process::run as run_program;
use crate::python::{FASTOPS, Packages, Venv};
use crate::workspace::Workspace;
use anyhow::Result;
use xshell::cmd;

/// Builds and installs the wheel, and runs `examples/fastops/demo.py`.
pub fn run(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    super::no_options(arguments)?;
    println!("== 1 of 3: Python packages, in .venv");
    let venv = Venv::open(workspace)?;
    venv.install(Packages::Tools)?;
    venv.install(Packages::Demo)?;
    println!("\n== 2 of 3: the fastops wheel (a first build takes some minutes)");
    venv.install_wheel(FASTOPS)?;
    println!("\n== 3 of 3: every kernel on every CPU level of this machine");
    let plot = workspace.target.join("demo/ratios.png");
    let python = venv.python();
    run_program(cmd!(workspace.shell, "{python} examples/fastops/demo.py --out {plot}"))?;
    Ok(true)
}
