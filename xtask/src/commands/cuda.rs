//! `cargo xtask cuda-check`: the CUDA text of kernels, without a GPU. The work is done by `tests/cuda`: NVIDIA's compilers take every text, and
//! the host's C++ compiler takes the same text, whose results are compared with the CPU's, bit for bit.

use super::output_folder;
use crate::process::{Count, run, run_tests};
use crate::python;
use crate::workspace::Workspace;
use anyhow::Result;
use lexopt::prelude::*;
use std::path::PathBuf;
use xshell::cmd;

/// Runs both checks, or the one that is named.
pub fn run_command(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    let (mut with_host, mut with_nvrtc) = (false, false);
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("host") => with_host = true,
            Long("nvrtc") => with_nvrtc = true,
            _ => return Err(argument.unexpected().into()),
        }
    }
    let both = !with_host && !with_nvrtc;
    let mut count = Count::default();
    if both || with_host {
        count += host(workspace)?;
    }
    if both || with_nvrtc {
        count += nvrtc(workspace)?;
    }
    println!("{} passed, {} failed", count.passed, count.failed);
    Ok(count.failed == 0)
}

/// Each variant under the host's C++ compiler against the CPU.
pub fn host(workspace: &Workspace) -> Result<Count> {
    let (program, folder) = (program(workspace)?, output_folder(workspace, "cuda-host")?);
    run_tests(cmd!(workspace.shell, "{program} host {folder}"))
}

/// Each variant through NVRTC and ptxas: a table of registers, stack and spills, and a failure where something spills.
pub fn nvrtc(workspace: &Workspace) -> Result<Count> {
    let packages = python::cuda_tools(workspace)?;
    let (program, folder) = (program(workspace)?, output_folder(workspace, "cuda-ptx")?);
    run_tests(cmd!(workspace.shell, "{program} nvrtc {folder} {packages}"))
}

fn program(workspace: &Workspace) -> Result<PathBuf> {
    run(cmd!(workspace.shell, "cargo build --quiet --package lanecraft-cuda-check"))?;
    Ok(workspace.target.join("debug").join(format!("lanecraft-cuda-check{}", std::env::consts::EXE_SUFFIX)))
}
