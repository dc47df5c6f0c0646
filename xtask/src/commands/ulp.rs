//! `cargo xtask ulp`: errors of the math functions. The work is done by `tests/ulp`, built with optimisation.

use crate::process::{Count, read, run};
use crate::workspace::Workspace;
use anyhow::Result;
use std::ffi::OsString;
use std::path::PathBuf;
use xshell::cmd;

/// Passes all options on.
pub fn run_command(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    let options: Vec<OsString> = arguments.raw_args()?.collect();
    measure(workspace, &options)?;
    Ok(true)
}

/// Builds the program and runs it with some options.
pub fn measure(workspace: &Workspace, options: &[impl AsRef<std::ffi::OsStr>]) -> Result<Count> {
    let program = program(workspace)?;
    run(cmd!(workspace.shell, "{program} {options...}"))
}

/// What [`measure`] prints.
pub fn table(workspace: &Workspace, options: &[impl AsRef<std::ffi::OsStr>]) -> Result<String> {
    let program = program(workspace)?;
    read(cmd!(workspace.shell, "{program} {options...}"))
}

/// The CPU levels that this machine has, by name.
pub fn levels(workspace: &Workspace) -> Result<Vec<String>> {
    let program = program(workspace)?;
    Ok(read(cmd!(workspace.shell, "{program} --levels"))?.lines().map(str::to_owned).collect())
}

fn program(workspace: &Workspace) -> Result<PathBuf> {
    run(cmd!(workspace.shell, "cargo build --quiet --release --package lanecraft-ulp"))?;
    Ok(workspace.target.join("release").join(format!("ulp{}", std::env::consts::EXE_SUFFIX)))
}
