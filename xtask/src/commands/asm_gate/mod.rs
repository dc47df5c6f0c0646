//! `cargo xtask asm-gate`: looks at the machine code of the wheels.
//!
//! Lane code is fast only if every operation is inlined into the function that carries the level's instructions. If one is not,
//! the compiler builds it at the crate's baseline, where each intrinsic becomes a call: right results, ten times slower,
//! and no warning. So: no such call may be reachable from a kernel's entry, and each entry must compute on vectors of its
//! level's width.

mod gate;
mod parse;

use crate::process::{Count, run};
use crate::python::{FASTOPS, KERNEL_SHAPES, Venv, Wheel};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use xshell::cmd;

/// Builds the wheels anew, so that their assembly is there, and judges it.
pub fn run_command(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    super::no_options(arguments)?;
    let venv = Venv::open(workspace)?;
    for wheel in [FASTOPS, KERNEL_SHAPES] {
        forget(workspace, wheel)?;
        venv.install_wheel(wheel)?;
    }
    let mut count = check(workspace, FASTOPS)?;
    count += check_unrolled(workspace, KERNEL_SHAPES)?;
    println!("{} passed, {} failed", count.passed, count.failed);
    Ok(count.failed == 0)
}

/// Makes the next build of a wheel write its assembly, all of it: a build that has nothing to do writes none, and files of
/// earlier builds would be taken for its own.
pub fn forget(workspace: &Workspace, wheel: Wheel) -> Result<()> {
    for file in assembly(workspace, wheel)? {
        std::fs::remove_file(&file).with_context(|| format!("{}", file.display()))?;
    }
    let package = wheel.name;
    run(cmd!(workspace.shell, "cargo clean --quiet --release --package {package}"))?;
    Ok(())
}

/// Judges the assembly that the last build of a wheel left. One check per kernel, choice of dtypes and level.
pub fn check(workspace: &Workspace, wheel: Wheel) -> Result<Count> {
    let (functions, entries) = read(workspace, wheel)?;
    let mut count = Count::default();
    let mut problems = Vec::new();
    println!("{}:", wheel.name);
    println!("{:14} {:10} {:11} {:>12} {:>7} {:>7} {:>6}", "kernel", "dtypes", "level", "instructions", "vector", "scalar", "calls");
    for entry in &entries {
        let gate::Entry { kernel, dtypes, level, .. } = entry;
        let verdict = gate::judge(entry, &functions);
        let gate::Verdict { instructions, vector, scalar, calls, .. } = verdict;
        println!("{kernel:14} {dtypes:10} {level:11} {instructions:12} {vector:7} {scalar:7} {calls:6}");
        if verdict.problems.is_empty() {
            count.passed += 1;
        } else {
            count.failed += 1;
            problems.extend(verdict.problems.into_iter().map(|problem| format!("{kernel} ({dtypes}) on {level} {problem}")));
        }
    }
    println!("Levels of a kernel that are not listed have the machine code of one that is: the compiler keeps one copy.");
    problems.iter().for_each(|problem| println!("FAILED: {problem}"));
    Ok(count)
}

/// Judges whether loops over parameters unroll, in the wheel that has such a kernel.
pub fn check_unrolled(workspace: &Workspace, wheel: Wheel) -> Result<Count> {
    let (functions, entries) = read(workspace, wheel)?;
    let results = gate::unrolled(&entries, &functions);
    if results.is_empty() {
        bail!("there is no kernel with a loop over a parameter in the assembly of {}", wheel.name);
    }
    println!("{}: loops over a parameter", wheel.name);
    let mut count = Count::default();
    for (gate::Entry { kernel, dtypes, level, .. }, result) in results {
        match result {
            Ok(loops) => {
                count.passed += 1;
                println!("{kernel:14} {dtypes:10} {level:11} {loops} loops");
            }
            Err(problem) => {
                count.failed += 1;
                println!("FAILED: {kernel} ({dtypes}) on {level} {problem}");
            }
        }
    }
    Ok(count)
}

/// The functions in the assembly that the last build of a wheel left, and the entries among them.
fn read(workspace: &Workspace, wheel: Wheel) -> Result<(parse::Functions, Vec<gate::Entry>)> {
    let mut functions = parse::Functions::new();
    for file in assembly(workspace, wheel)? {
        parse::add(&mut functions, &std::fs::read_to_string(&file).with_context(|| format!("{}", file.display()))?);
    }
    let entries = gate::entries(&functions);
    if entries.is_empty() {
        bail!("there is no kernel in the assembly of {} (of {} functions): did its build pass `--emit asm`?", wheel.name, functions.len());
    }
    Ok((functions, entries))
}

/// The assembly files of a wheel's crate, those of earlier builds included.
fn assembly(workspace: &Workspace, wheel: Wheel) -> Result<Vec<PathBuf>> {
    let folder = workspace.target.join("release/deps");
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let is_ours = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".s") && name.strip_prefix(wheel.name).is_some_and(|rest| rest.starts_with(['-', '.']))
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| format!("{}", folder.display()))? {
        files.push(entry?.path());
    }
    files.retain(|path| is_ours(path));
    files.sort();
    Ok(files)
}
