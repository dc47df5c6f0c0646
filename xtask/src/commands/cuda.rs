//! `cargo xtask cuda-check`: the CUDA text of kernels, without a GPU. The work is done by `tests/cuda`: NVIDIA's compilers take every text, and
//! the host's C++ compiler takes the same text, whose results are compared with the CPU's, bit for bit. `tests/cuda_launch` runs kernels with a
//! stand-in for the driver.

use super::output_folder;
use crate::process::{Count, run, run_tests};
use crate::python::{self, CUDA_KERNELS, Packages, Venv};
use crate::workspace::Workspace;
use anyhow::Result;
use lexopt::prelude::*;
use std::path::PathBuf;
use xshell::cmd;

/// Runs all checks, or those that are named.
pub fn run_command(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    let (mut with_host, mut with_nvrtc, mut with_launch) = (false, false, false);
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("host") => with_host = true,
            Long("nvrtc") => with_nvrtc = true,
            Long("launch") => with_launch = true,
            _ => return Err(argument.unexpected().into()),
        }
    }
    let all = !with_host && !with_nvrtc && !with_launch;
    let mut count = Count::default();
    if all || with_host {
        count += host(workspace)?;
    }
    if all || with_nvrtc {
        count += nvrtc(workspace)?;
    }
    if all || with_launch {
        count += launch(workspace)?;
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

/// Calls of kernels with a stand-in for the driver.
pub fn launch(workspace: &Workspace) -> Result<Count> {
    let mut count = run_tests(cmd!(workspace.shell, "cargo test --package lanecraft-backends --features cuda --lib cuda -- --quiet"))?;
    count += run_tests(cmd!(workspace.shell, "cargo test --package lanecraft-cuda-launch --no-fail-fast -- --quiet"))?;
    Ok(count)
}

/// Python calls with a stand-in for the driver.
pub fn python(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    venv.install(Packages::Tools)?;
    let wheel = venv.install_wheel(CUDA_KERNELS)?;
    run(cmd!(workspace.shell, "cargo build --quiet --package lanecraft-fake-cuda"))?;
    let driver = workspace.target.join("debug/liblanecraft_fake_cuda.so");
    let (python, cache) = (venv.python(), output_folder(workspace, "cuda-python")?);
    let tests = cmd!(workspace.shell, "{python} -m pytest -q -p no:cacheprovider tests/cuda_launch/python");
    // Its NVRTC is the stand-in's too.
    let tests = tests.env("LANECRAFT_FAKE_CUDA", &driver).env("LANECRAFT_NVRTC", &driver).env("LANECRAFT_CUDA_WHEEL", wheel);
    run_tests(tests.env("LANECRAFT_CACHE", &cache).env("FAKE_CUDA_FOLDER", &cache))
}

fn program(workspace: &Workspace) -> Result<PathBuf> {
    run(cmd!(workspace.shell, "cargo build --quiet --package lanecraft-cuda-check"))?;
    Ok(workspace.target.join("debug").join(format!("lanecraft-cuda-check{}", std::env::consts::EXE_SUFFIX)))
}
