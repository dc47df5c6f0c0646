//! The CUDA text of kernels: written to files, or compiled by the host's C++ compiler and compared with the CPU, bit for bit.
//!
//! ```text
//! lanecraft-cuda-check emit FOLDER      one file of CUDA C++ for each kernel, and a list of them
//! lanecraft-cuda-check host FOLDER      compiles, runs and compares; FOLDER holds what is built
//! ```

mod compare;
mod fastops;
mod host;
mod kernels;
mod values;

use anyhow::{Context, Result, bail};
use lanecraft::cuda::Program;
use lexopt::prelude::*;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool> {
    let (mut command, mut folder, mut only) = (None, None, None);
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("only") => only = Some(arguments.value()?.string()?),
            Value(value) if command.is_none() => command = Some(value.string()?),
            Value(value) if folder.is_none() => folder = Some(PathBuf::from(value)),
            other => return Err(other.unexpected().into()),
        }
    }
    let folder = folder.context("which folder? (`lanecraft-cuda-check host FOLDER`)")?;
    std::fs::create_dir_all(&folder)?;
    match command.as_deref() {
        Some("emit") => emit(&folder).map(|()| true),
        Some("host") => host(&folder, only.as_deref()),
        _ => bail!("`emit FOLDER` or `host FOLDER`"),
    }
}

/// One file for each kernel.
fn emit(folder: &Path) -> Result<()> {
    let mut list = String::new();
    for (group, kernels) in kernels::groups() {
        for kernel in kernels {
            let mut program = Program::new();
            program.kernel(kernel)?;
            let name = format!("{group}.{}", kernel.info.name);
            let source = program.finish();
            std::fs::write(folder.join(format!("{name}.cu")), &source.text)?;
            list.push_str(&name);
            list.push('\n');
        }
    }
    std::fs::write(folder.join("list"), list)?;
    Ok(())
}

/// Compiles the kernels of each group together, and compares each variant with the CPU.
fn host(folder: &Path, only: Option<&str>) -> Result<bool> {
    kernels::all_of_fastops()?;
    let (mut passed, mut failed) = (0, 0);
    for (group, kernels) in kernels::groups() {
        let kernels: Vec<_> = kernels.iter().filter(|k| only.is_none_or(|only| k.info.name == only)).collect();
        if kernels.is_empty() {
            continue;
        }
        let mut program = Program::new();
        for kernel in &kernels {
            program.kernel(kernel)?;
        }
        let source = program.finish();
        let library = host::Library::build(&source, &folder.join(group))?;
        for entry in &source.entries {
            let Some(kernel) = kernels.iter().find(|k| k.info.name == entry.kernel) else { continue };
            match compare::variant(kernel, entry, &library) {
                Ok(()) => passed += 1,
                Err(error) => {
                    println!("{group}: {}: {error:#}", entry.name);
                    failed += 1;
                }
            }
        }
    }
    println!("test result: {}. {passed} passed; {failed} failed", if failed == 0 { "ok" } else { "FAILED" });
    Ok(failed == 0)
}
