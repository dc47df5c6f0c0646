//! The CUDA text of kernels: written to files, or compiled by the host's C++ compiler and compared with the CPU, bit for bit.
//!
//! ```text
//! lanecraft-cuda-check emit FOLDER      one file of CUDA C++ for each kernel, and a list of them
//! lanecraft-cuda-check host FOLDER      compiles, runs and compares; FOLDER holds what is built
//! lanecraft-cuda-check nvrtc FOLDER SITE-PACKAGES     NVRTC and ptxas, from NVIDIA's Python packages there: a table of registers and spills
//! ```

mod blocks;
mod compare;
mod fastops;
mod kernels;
mod nvrtc;
mod values;

use anyhow::{Context, Result, bail};
use lanecraft::cuda::{PRELUDE, Program, Source};
use lanecraft_cuda_check::host;
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
    let (mut command, mut folder, mut packages, mut only) = (None, None, None, None);
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("only") => only = Some(arguments.value()?.string()?),
            Value(value) if command.is_none() => command = Some(value.string()?),
            Value(value) if folder.is_none() => folder = Some(PathBuf::from(value)),
            Value(value) if packages.is_none() => packages = Some(PathBuf::from(value)),
            other => return Err(other.unexpected().into()),
        }
    }
    let folder = folder.context("which folder? (`lanecraft-cuda-check host FOLDER`)")?;
    std::fs::create_dir_all(&folder)?;
    match command.as_deref() {
        Some("emit") => emit(&folder).map(|()| true),
        Some("host") => host(&folder, only.as_deref()),
        Some("nvrtc") => nvidia(&folder, &packages.context("which site-packages?")?, only.as_deref()),
        _ => bail!("`emit FOLDER`, `host FOLDER` or `nvrtc FOLDER SITE-PACKAGES`"),
    }
}

/// One file for each kernel.
fn emit(folder: &Path) -> Result<()> {
    let mut list = String::new();
    for (group, kernels, _) in kernels::groups() {
        for kernel in *kernels {
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
    let (mut passed, mut failed, mut without) = (0, 0, 0);
    for (group, kernels, blocks) in kernels::groups() {
        let kernels: Vec<_> = kernels.iter().filter(|k| only.is_none_or(|only| k.info.name == only)).collect();
        let blocks: Vec<_> = blocks.iter().filter(|k| only.is_none_or(|only| k.info.name == only)).collect();
        if kernels.is_empty() && blocks.is_empty() {
            continue;
        }
        let mut program = Program::new();
        for kernel in &kernels {
            if let Err(missing) = program.kernel(kernel) {
                println!("{group}: {missing}");
                without += 1;
            }
        }
        for kernel in &blocks {
            if let Err(missing) = program.block_kernel(kernel) {
                println!("{group}: {missing}");
                without += 1;
            }
        }
        let source = program.finish();
        let library = match host::Library::build(&source, &folder.join(group)) {
            Ok(library) => library,
            Err(error) => {
                println!("{group}: {error:#}");
                failed += 1;
                continue;
            }
        };
        for entry in &source.entries {
            let Some(kernel) = kernels.iter().find(|k| k.info.name == entry.kernel) else { continue };
            match compare::variant(kernel, entry, &library, kernels::range(group)) {
                Ok(()) => passed += 1,
                Err(error) => {
                    println!("{group}: {}: {error:#}", entry.name);
                    failed += 1;
                }
            }
        }
        for entry in &source.blocks {
            let Some(kernel) = blocks.iter().find(|k| k.info.name == entry.kernel) else { continue };
            match blocks::variant(kernel, entry, &library, kernels::range(group)) {
                Ok(()) => passed += 1,
                Err(error) => {
                    println!("{group}: {}: {error:#}", entry.name);
                    failed += 1;
                }
            }
        }
    }
    println!("{without} kernels have no CUDA text");
    println!("test result: {}. {passed} passed; {failed} failed", if failed == 0 { "ok" } else { "FAILED" });
    Ok(failed == 0)
}

/// The architectures that texts are compiled for.
const ARCHITECTURES: &[u32] = &[80, 90];

/// NVIDIA's compilers on each kernel. A map kernel that spills fails.
fn nvidia(folder: &Path, packages: &Path, only: Option<&str>) -> Result<bool> {
    let tools = nvrtc::Tools::open(packages)?;
    let mut table = Table { tools, folder, passed: 0, failed: 0 };
    println!("{:44} {:>6} {:>9} {:>6} {:>6}", "entry", "arch", "registers", "stack", "spills");
    let wanted = |name: &str| only.is_none_or(|only| name == only);
    for (group, kernels, blocks) in kernels::groups() {
        for kernel in kernels.iter().filter(|k| wanted(k.info.name)) {
            let mut program = Program::new();
            program.kernel(kernel)?;
            table.rows(&format!("{group}.{}", kernel.info.name), &program.finish())?;
        }
        for kernel in blocks.iter().filter(|k| wanted(k.info.name)) {
            let mut program = Program::new();
            // What has no text yet is listed by `host`.
            if program.block_kernel(kernel).is_ok() {
                table.rows(&format!("{group}.{}", kernel.info.name), &program.finish())?;
            }
        }
    }
    println!("test result: {}. {} passed; {} failed", if table.failed == 0 { "ok" } else { "FAILED" }, table.passed, table.failed);
    Ok(table.failed == 0)
}

/// What the compilers say, entry by entry.
struct Table<'a> {
    tools: nvrtc::Tools,
    folder: &'a Path,
    passed: usize,
    failed: usize,
}

impl Table<'_> {
    fn rows(&mut self, name: &str, source: &Source) -> Result<()> {
        for arch in ARCHITECTURES {
            let path = self.folder.join(format!("{name}.sm_{arch}.ptx"));
            let ptx = self.tools.ptx(name, source, *arch)?;
            // Rounded as written, and subnormal numbers kept. (CUDA's fmod is exact, by way of approximations.)
            let remainders = source.text[PRELUDE.len()..].contains("lc::rem(");
            for other in [".approx", ".ftz"].iter().filter(|_| !remainders) {
                anyhow::ensure!(!ptx.contains(*other), "the PTX of `{name}` has `{other}` in it");
            }
            std::fs::write(&path, ptx)?;
            let usages = self.tools.assemble(&path, *arch).with_context(|| format!("kernel `{name}`"))?;
            let entries = 2 * source.entries.len() + source.blocks.len();
            anyhow::ensure!(usages.len() == entries, "`{name}` has {} entries, not {entries}", usages.len());
            for nvrtc::Usage { name, registers, stack, spills } in usages {
                let bad = spills > 0 && source.blocks.is_empty();
                println!("{name:44} {:>6} {registers:9} {stack:6} {spills:6}{}", format!("sm_{arch}"), if bad { "  SPILLS" } else { "" });
                if bad { self.failed += 1 } else { self.passed += 1 }
            }
        }
        Ok(())
    }
}
