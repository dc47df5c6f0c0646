//! `cargo run -p lanecraft-differential -- --seed S --count N`: builds and runs random programs, in batches.

use std::error::Error;
use std::process::{Command, ExitCode, Stdio};

/// Programs that are compiled together.
const BATCH: u64 = 40;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let (mut seed, mut count, mut built) = (1, 200, false);
    let mut args = lexopt::Parser::from_env();
    while let Some(arg) = args.next()? {
        use lexopt::prelude::{Long, ValueExt as _};
        match arg {
            Long("seed") => seed = args.value()?.parse()?,
            Long("count") => count = args.value()?.parse()?,
            // What a batch is run with: no building, a line for each mismatch.
            Long("built") => built = true,
            _ => return Err(arg.unexpected().into()),
        }
    }
    if built {
        std::panic::set_hook(Box::new(|_| {}));
        let (_, mismatches) = lanecraft_differential::run();
        for m in mismatches {
            println!("program {}: {}", m.program, m.message);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mismatches = batches(seed, count)?;
    println!("{count} programs, {mismatches} mismatches");
    Ok(if mismatches == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn batches(seed: u64, count: u64) -> Result<usize, Box<dyn Error>> {
    let mut mismatches = 0;
    for first in (0..count).step_by(BATCH as usize) {
        let n = BATCH.min(count - first);
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let out = Command::new(cargo)
            .args(["run", "--quiet", "--package", "lanecraft-differential", "--", "--built"])
            .env("LANECRAFT_FUZZ_SEED", seed.to_string())
            .env("LANECRAFT_FUZZ_FIRST", first.to_string())
            .env("LANECRAFT_FUZZ_COUNT", n.to_string())
            .stderr(Stdio::inherit())
            .output()?;
        if !out.status.success() {
            return Err(format!("programs {first}..{} of seed {seed} do not build or run", first + n).into());
        }
        let text = String::from_utf8_lossy(&out.stdout);
        mismatches += text.lines().count();
        print!("{text}");
        eprintln!("{} of {count} programs, {mismatches} mismatches so far", first + n);
    }
    Ok(mismatches)
}
