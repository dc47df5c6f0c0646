//! `cargo xtask fuzz`: random kernels against the same programs in plain Rust. The programs and their check are in
//! `tests/differential`; here they are built and run in batches, and one that fails is made small.

use crate::process::Count;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use lexopt::prelude::*;
use std::process::{Command, Stdio};

/// Programs that are compiled together.
const BATCH: u64 = 40;
/// Of so many batches the first is built for all levels, the others without SSE2, which takes longer to compile than all others
/// together and shares their code.
const WITH_SSE2: u64 = 25;
/// Smaller programs that are tried together.
const SMALLER: u64 = 24;
/// Programs that are made small, at most.
const SHRUNK: usize = 3;

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    seed: u64,
    first: u64,
    count: u64,
    /// With optimisation.
    release: bool,
    /// Every batch on all levels.
    all_levels: bool,
    /// The CUDA text too, under the host's C++ compiler, and one level alone.
    cuda_host: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 1, first: 0, count: 200, release: false, all_levels: false, cuda_host: false }
    }
}

/// Reads the options and runs.
pub fn run_command(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    let mut options = Options::default();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("seed") => options.seed = arguments.value()?.parse()?,
            Long("first") => options.first = arguments.value()?.parse()?,
            Long("count") => options.count = arguments.value()?.parse()?,
            Long("release") => options.release = true,
            Long("all-levels") => options.all_levels = true,
            Long("cuda-host") => options.cuda_host = true,
            _ => return Err(argument.unexpected().into()),
        }
    }
    Ok(run(workspace, &options)?.failed == 0)
}

/// Builds and runs the programs. One check each.
pub fn run(workspace: &Workspace, options: &Options) -> Result<Count> {
    let (mut failures, mut without_text) = (Vec::new(), 0);
    let end = options.first + options.count;
    for (k, first) in (options.first..end).step_by(BATCH as usize).enumerate() {
        let build = Build {
            all_levels: options.all_levels || (k as u64).is_multiple_of(WITH_SSE2),
            shrink: None,
            first,
            count: BATCH.min(end - first),
        };
        let outcome = build.run(workspace, options).with_context(|| format!("programs from {first} of seed {}", options.seed))?;
        for failure in outcome.failures {
            println!("program {} of seed {}: {}", failure.program, options.seed, failure.message);
            failures.push(failure);
        }
        for (program, why) in &outcome.without_text {
            println!("program {program} of seed {}: {why}", options.seed);
        }
        without_text += outcome.without_text.len();
        eprintln!("{} of {} programs, {} mismatches so far", first + outcome.programs - options.first, options.count, failures.len());
    }
    for failure in failures.iter().take(SHRUNK) {
        let (small, steps) = shrink(workspace, options, failure)?;
        println!("\nprogram {} of seed {}, {steps} steps smaller: {}", failure.program, options.seed, small.message);
        println!("{}", formatted(&small.text));
        let release = if options.release { " --release" } else { "" };
        let levels = if options.cuda_host { "--cuda-host" } else { "--all-levels" };
        println!("again: cargo xtask fuzz --seed {} --first {} --count 1 {levels}{release}", options.seed, failure.program);
    }
    let without_text = if options.cuda_host { format!(", {without_text} without a CUDA text") } else { String::new() };
    println!("{} programs, {} mismatches{without_text}", options.count, failures.len());
    Ok(Count { passed: options.count as usize - failures.len(), failed: failures.len() })
}

/// A program whose forms disagree.
#[derive(Clone, Debug, Default)]
struct Failure {
    program: u64,
    message: String,
    text: String,
}

/// What a build of programs gave.
struct Outcome {
    programs: u64,
    /// How many smaller programs there are, of which these are the first.
    steps: u64,
    failures: Vec<Failure>,
    /// The programs that have no CUDA text, and why.
    without_text: Vec<(u64, String)>,
}

/// Programs that are built and run together.
struct Build {
    all_levels: bool,
    /// `7:3,0`: smaller ones of program 7.
    shrink: Option<String>,
    first: u64,
    count: u64,
}

impl Build {
    fn run(&self, workspace: &Workspace, options: &Options) -> Result<Outcome> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.current_dir(&workspace.root).args(["run", "--quiet", "--package", "lanecraft-differential"]);
        if options.release {
            command.arg("--release");
        }
        if options.cuda_host {
            command.args(["--no-default-features", "--features", "portable,cuda"]);
        } else if !self.all_levels {
            command.args(["--no-default-features", "--features", "portable,avx2,avx512,neon"]);
        }
        // Nothing is compiled twice.
        command
            .env("CARGO_INCREMENTAL", "0")
            .env("LANECRAFT_FUZZ_SEED", options.seed.to_string())
            .env("LANECRAFT_FUZZ_SHRINK", self.shrink.as_deref().unwrap_or_default())
            .env("LANECRAFT_FUZZ_FIRST", self.first.to_string())
            .env("LANECRAFT_FUZZ_COUNT", self.count.to_string());
        let out = command.stderr(Stdio::inherit()).output().context("cargo cannot be started")?;
        let text = String::from_utf8_lossy(&out.stdout);
        match parse(&text) {
            Some(outcome) if out.status.success() => Ok(outcome),
            _ => bail!("the programs do not build, or do not run to their end"),
        }
    }
}

/// Reads what the program of `tests/differential` prints.
fn parse(text: &str) -> Option<Outcome> {
    let (mut failures, mut without_text) = (Vec::<Failure>::new(), Vec::new());
    for line in text.lines() {
        let (word, rest) = line.split_once('\t')?;
        match word {
            "mismatch" => {
                let (program, message) = rest.split_once('\t')?;
                failures.push(Failure { program: program.parse().ok()?, message: message.to_owned(), text: String::new() });
            }
            "text" => {
                let text = &mut failures.last_mut()?.text;
                text.push_str(rest);
                text.push('\n');
            }
            "without" => {
                let (program, why) = rest.split_once('\t')?;
                without_text.push((program.parse().ok()?, why.to_owned()));
            }
            "done" => {
                let (programs, steps) = rest.split_once('\t')?;
                return Some(Outcome { programs: programs.parse().ok()?, steps: steps.parse().ok()?, failures, without_text });
            }
            _ => return None,
        }
    }
    None
}

/// Takes steps to smaller programs as long as one of them still fails. The last that does, and the number of steps.
fn shrink(workspace: &Workspace, options: &Options, failure: &Failure) -> Result<(Failure, usize)> {
    // What fails on another level fails without SSE2, and is built sooner.
    let all_levels = failure.message.starts_with("sse2");
    let (mut small, mut path) = (failure.clone(), Vec::<String>::new());
    loop {
        let (mut first, mut found) = (0, None);
        loop {
            let shrink = Some(format!("{}:{}", failure.program, path.join(",")));
            let outcome = Build { all_levels, shrink, first, count: SMALLER }.run(workspace, options)?;
            first += SMALLER;
            found = found.or_else(|| outcome.failures.into_iter().next());
            if found.is_some() || first >= outcome.steps {
                break;
            }
        }
        let Some(next) = found else { return Ok((small, path.len())) };
        path.push(next.program.to_string());
        eprintln!("step {}: {} characters", path.len(), next.text.len());
        small = next;
    }
}

/// As rustfmt does it, where there is one.
fn formatted(text: &str) -> String {
    let run = || -> Result<String> {
        use std::io::Write as _;
        let mut child = Command::new("rustfmt")
            .args(["--edition", "2024"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        child.stdin.take().context("a pipe")?.write_all(text.as_bytes())?;
        let out = child.wait_with_output()?;
        if out.status.success() { Ok(String::from_utf8(out.stdout)?) } else { bail!("rustfmt did not take the text") }
    };
    run().unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn what_the_programs_print_is_read() {
        let text = "mismatch\t7\tavx2: differs\ntext\tfn k()\ntext\t{}\nwithout\t9\tno text\ndone\t40\t12\n";
        let outcome = parse(text).unwrap();
        assert_eq!((outcome.programs, outcome.steps, outcome.failures.len()), (40, 12, 1));
        assert_eq!((outcome.failures[0].program, outcome.failures[0].text.as_str()), (7, "fn k()\n{}\n"));
        assert_eq!(outcome.failures[0].message, "avx2: differs");
        assert_eq!(outcome.without_text, [(9, "no text".to_owned())]);
        // A crash before the end is no success.
        assert!(parse("mismatch\t7\tavx2: differs\n").is_none());
        assert!(parse("").is_none());
    }
}
