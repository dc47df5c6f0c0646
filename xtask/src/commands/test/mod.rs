//! `cargo xtask test`: every check. A file per language of what is checked.

mod asan;
mod book;
mod cubecl;
mod memory;
mod python;
mod pythons;
mod readme;
mod rust;
mod template;
mod versions;

use crate::commands::{asm_gate, bench, counts, cuda, fuzz, gpu, neon, ulp};
use crate::levels::Forced;
use crate::process::Count;
use crate::python::{FASTOPS, FUNCTIONS, KERNEL_SHAPES, Venv, check_wheel};
use crate::steps::Steps;
use crate::workspace::Workspace;
use anyhow::Result;
use lexopt::prelude::*;

/// The steps of every run, in their order.
const QUICK: &[&str] = &[
    "fmt",
    "clippy",
    "features",
    "docs",
    "rust",
    "levels",
    "fuzz",
    "cuda",
    "cuda-launch",
    "cuda-python",
    "no-python",
    "msrv",
    "wheels",
    "asm-gate",
    "python",
    "pythons",
    "peers",
    "gpu-kit",
    "limits",
    "stubs",
    "scripts",
    "ulp",
    "readme",
    "cookbook",
    "book",
    "template",
];
/// Those of them that need the wheels.
const ON_WHEELS: &[&str] =
    &["asm-gate", "stubs", "python", "pythons", "peers", "gpu-kit", "limits", "book", "endurance", "versions", "memory"];
/// The steps that `--full` adds.
const LONG: &[&str] =
    &["endurance", "versions", "asan", "memory", "checked", "ulp-all", "counts", "package", "platforms", "cubecl", "deny", "neon"];

/// Runs the steps asked for.
pub fn run(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    let (mut full, mut only) = (false, Vec::new());
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("full") => full = true,
            Long("only") => only.push(arguments.value()?.string()?),
            Long("list") => {
                QUICK.iter().for_each(|step| println!("{step}"));
                LONG.iter().for_each(|step| println!("{step} (with --full, or named)"));
                return Ok(true);
            }
            _ => return Err(argument.unexpected().into()),
        }
    }
    full |= !only.is_empty();
    let mut steps = Steps::only(only, &[QUICK, LONG].concat())?;
    let venv = Venv::open(workspace)?;
    // What compiles PyO3 asks the interpreter in the environment: the same one each time, or it compiles again.
    workspace.shell.set_var("PYO3_PYTHON", venv.python());
    quick(workspace, &venv, &mut steps);
    if full {
        long(workspace, &venv, &mut steps);
    }
    Ok(steps.finish())
}

/// The checks of every change.
fn quick(workspace: &Workspace, venv: &Venv<'_>, steps: &mut Steps) {
    steps.step("fmt", "rustfmt on every crate", || rust::fmt(workspace));
    steps.step("clippy", "no warning, all targets and features", || rust::clippy(workspace));
    steps.step("features", "no warning with any one CPU level alone", || rust::features(workspace));
    steps.step("docs", "documentation without warnings", || rust::docs(workspace));
    steps.step("rust", "Rust tests: unit, integration, compile-fail, documentation", || rust::tests(workspace));
    steps.step("levels", "Rust tests on each CPU level of this machine, forced", || {
        let mut count = Count::default();
        for level in levels(workspace)? {
            count += rust::tests_on(workspace, &level)?;
        }
        Ok(count)
    });
    steps.step("fuzz", "200 random kernels against plain Rust, bit for bit", || fuzz::run(workspace, &fuzz::Options::default()));
    steps.step("cuda", "CUDA text of kernels under the host's C++ compiler against the CPU, bit for bit", || cuda::host(workspace));
    steps.step("cuda-launch", "CUDA calls with a stand-in for the driver, each of whose calls fails once", || cuda::launch(workspace));
    steps.step("cuda-python", "Python calls with CUDA arrays, with a stand-in for the driver", || cuda::python(workspace, venv));
    steps.step("no-python", "the quickstart where there is no Python", || rust::without_python(workspace));
    steps.step("msrv", "the oldest Rust that is supported", || rust::msrv(workspace));

    let inspect = steps.wants("asm-gate");
    let is_installed = steps.step_for(ON_WHEELS, "wheels", "fastops and the wheels of the tests: build, look into, install", || {
        let mut count = Count::default();
        for wheel in [FASTOPS, FUNCTIONS, KERNEL_SHAPES] {
            if inspect && wheel.name != FUNCTIONS.name {
                asm_gate::forget(workspace, wheel)?;
            }
            let file = venv.install_wheel(wheel)?;
            if wheel.name == FASTOPS.name {
                count += check_wheel(venv, &file)?;
            }
        }
        Ok(count)
    });
    if is_installed {
        steps.step("asm-gate", "machine code of the kernels in the wheels", || {
            // Of the tests' wheel loops alone: some kernels there only copy, and one is made to panic.
            let mut count = asm_gate::check(workspace, FASTOPS)?;
            count += asm_gate::check_unrolled(workspace, KERNEL_SHAPES)?;
            Ok(count)
        });
        steps.step("stubs", "type checkers and linter on the stubs, on good calls and on bad ones", || python::stubs(workspace, venv));
        steps.step("python", "Python tests on each CPU level of this machine, forced", || {
            python::tests(workspace, venv, &levels(workspace)?)
        });
        steps.step("pythons", "Python tests on the other Pythons of this machine, without Cargo", || pythons::tests(workspace, venv));
        steps.step("peers", "Python tests beside torch, JAX, Dask, Ray", || python::peers(workspace, venv));
        steps.step("gpu-kit", "the kit for a GPU, with the CPU in its place", || gpu::check(workspace, venv));
        steps.step("limits", "memory beyond the operands", || bench::limits(workspace, venv));
        steps.step("book", "the book: its blocks run, its links lead somewhere", || book::check(workspace, venv));
    } else {
        ON_WHEELS.iter().for_each(|step| steps.skip(step, "wheels"));
    }
    steps.step("scripts", "formatter, linter and type checker on the Python files", || python::scripts(workspace, venv));
    steps.step("ulp", "errors and equal bits of the math functions", || ulp::measure(workspace, &["--stride", "997"]));
    steps.step("readme", "the README's tutorial, as written", || readme::tutorial(workspace, venv));
    steps.step("cookbook", "the recipes' tests", || python::cookbook(workspace, venv));
    steps.step("template", "the crate of `lanecraft new`: built, and its test run", || template::written(workspace, venv));
}

/// The checks that take long.
fn long(workspace: &Workspace, venv: &Venv<'_>, steps: &mut Steps) {
    steps.step("endurance", "8 threads for a minute, all of NumPy's own tests, more than 2^32 elements", || {
        python::endurance(workspace, venv)
    });
    steps.step("versions", "two wheels of different versions of Lanecraft in one process", || versions::check(workspace, venv));
    steps.step("asan", "the border's tests under AddressSanitizer, on each level", || asan::check(workspace, venv));
    steps.step("memory", "the border's tests under valgrind: no access beyond a block of memory, or to a freed one", || {
        memory::check(workspace, venv)
    });
    steps.step("checked", "Rust tests, optimised, with debug assertions and overflow checks", || rust::tests_checked(workspace));
    steps.step("ulp-all", "exp on all f32, every function on 10^7 f64", || {
        let mut count = rust::ulp_tests(workspace)?;
        count += ulp::measure(workspace, &["--fn", "exp", "--dtype", "f32", "--stride", "1"])?;
        count += ulp::measure(workspace, &["--dtype", "f64", "--samples", "10000000"])?;
        Ok(count)
    });
    steps.step("counts", "instructions that kernels run, within 3 % of the table", || counts::check(workspace));
    steps.step("package", "the crates as they are published, in order, but for the upload", || rust::package(workspace));
    steps.step("platforms", "the crates compiled for Windows and macOS, but not linked", || rust::platforms(workspace));
    steps.step("cubecl", "the book's program in CubeCL: compiled", || cubecl::check(workspace));
    steps.step("deny", "advisories, licences, sources of the dependencies", || rust::deny(workspace));
    steps.step("neon", "Rust tests on 64-bit ARM, under qemu", || neon::tests(workspace));
}

/// The levels of this machine.
fn levels(workspace: &Workspace) -> Result<Vec<Forced>> {
    Ok(ulp::levels(workspace)?.iter().map(|name| Forced::new(name)).collect())
}
