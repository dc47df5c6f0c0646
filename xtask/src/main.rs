//! `cargo xtask COMMAND`: every check, demonstration and measurement of the project, from any folder of a checkout.
//!
//! Nothing outside the checkout is written: Python packages go to `.venv/`, everything else to Cargo's target folder. The
//! network is used for crates.io and PyPI alone (`neon` also for Debian's packages).

mod commands;
mod levels;
mod process;
mod python;
mod steps;
mod workspace;

use std::process::ExitCode;
use workspace::Workspace;

const HELP: &str = "\
usage: cargo xtask COMMAND [OPTIONS]

  test [--full] [--only STEP]...     every check; --full adds the long ones; --only runs the steps named (--list shows them)
  demo                               build the fastops wheel and run it on real input, with a table and a plot
  bench [--peers [--write]] [--row NAME]
                                     speed against NumPy and Rust loops, one pinned thread; --peers: and torch, JAX, Numba and their like; --write:
                                     into docs/performance.md; --row build: what kernels cost to compile; --cookbook: the recipes against others
  ulp [--fn F] [--dtype D] [--stride K] [--samples N]
                                     errors of the math functions, and whether all levels give the same bits
  fuzz [--seed S] [--first F] [--count N] [--all-levels] [--release] [--cuda-host]
                                     random kernels against the same programs in plain Rust; a failure is made small
  asm-gate                           object code of the example kernels: vector code of the level's width, no stray calls
  counts [--bless]                   instructions that kernels run, by valgrind, against a table; --bless writes it
  cuda-check [--host] [--nvrtc] [--launch]
                                     CUDA without a GPU: kernels' text through NVRTC and ptxas, its bits under the host's C++ compiler, and calls
                                     with a stand-in for the driver
  gpu-kit [--no-ptx]                 a folder that runs fastops on another machine's GPU: bits against the CPU's, and speed
  gpu [OPTIONS]                      the same on this machine's GPU; its table goes to docs/gpu.md
  neon                               the Rust tests for 64-bit ARM, under qemu (Debian and its kin)
";

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command that the arguments name. `false`: it ran, and what it checks does not hold.
fn run() -> anyhow::Result<bool> {
    let mut arguments = lexopt::Parser::from_env();
    let command = match arguments.next()? {
        Some(lexopt::Arg::Value(command)) => command.to_string_lossy().into_owned(),
        None | Some(lexopt::Arg::Short('h') | lexopt::Arg::Long("help")) => {
            print!("{HELP}");
            return Ok(true);
        }
        Some(other) => return Err(other.unexpected().into()),
    };
    let workspace = Workspace::find()?;
    match command.as_str() {
        "test" => commands::test::run(&workspace, &mut arguments),
        "demo" => commands::demo::run(&workspace, &mut arguments),
        "bench" => commands::bench::run(&workspace, &mut arguments),
        "ulp" => commands::ulp::run_command(&workspace, &mut arguments),
        "fuzz" => commands::fuzz::run_command(&workspace, &mut arguments),
        "asm-gate" => commands::asm_gate::run_command(&workspace, &mut arguments),
        "counts" => commands::counts::run_command(&workspace, &mut arguments),
        "cuda-check" => commands::cuda::run_command(&workspace, &mut arguments),
        "gpu-kit" => commands::gpu::run_kit(&workspace, &mut arguments),
        "gpu" => commands::gpu::run(&workspace, &mut arguments),
        "neon" => commands::neon::run(&workspace, &mut arguments),
        other => anyhow::bail!("there is no command `{other}`\n\n{HELP}"),
    }
}
