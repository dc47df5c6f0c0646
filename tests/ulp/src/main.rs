//! Errors of Lanecraft's math functions in units in the last place (ULP), on every CPU level that the machine has, and
//! whether all levels give the same bits.
//!
//! f16 and bf16: every bit pattern; f32: every one, or each K-th; the reference is CORE-MATH's f64 function. f64: samples, against a
//! double-double evaluation that is itself checked against CORE-MATH ([`oracle`]). What runs is the kernels themselves, at a
//! forced level, through the call that a NumPy loop makes.

mod double_double;
mod error;
mod functions;
mod hashes;
mod inputs;
mod measure;
mod oracle;
mod report;

use functions::Function;
use lanecraft::Level;
use std::process::ExitCode;

const HELP: &str = "\
usage: ulp [--fn F]... [--dtype D]... [--stride K] [--samples N] [--page FILE] [--bless]
  --fn F         a function, by its method's name (`exp`, `sin`, `powf`), or `erfc_fast`; all if none is given
  --dtype D      f16, bf16, f32 or f64; all if none is given
  --stride K     f32: measure each K-th bit pattern (default 997; 1 is all of them)
  --samples N    f64, and pairs of f16 or bf16: how many samples (default 1000000)
  --page FILE    write what was measured as a page: docs/accuracy.md
  --bless        write the hashes of what was measured to tests/ulp/hashes.txt, instead of comparing with those there
  --levels       print the levels that this machine has, and nothing else
";

const DTYPES: [&str; 4] = ["f16", "bf16", "f32", "f64"];

/// What to measure.
#[derive(Debug)]
struct Options {
    functions: Vec<&'static Function>,
    dtypes: Vec<&'static str>,
    stride: u32,
    samples: u64,
    page: Option<std::path::PathBuf>,
    bless: bool,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, lexopt::Error> {
    let Some(options) = parse(&mut lexopt::Parser::from_env())? else { return Ok(true) };
    let levels = Level::available();
    let mut hashes = hashes::Hashes::read()?;
    println!("{}", report::HEAD);
    let mut holds = true;
    let mut rows = Vec::new();
    for function in options.functions {
        for dtype in &options.dtypes {
            let measured = match *dtype {
                "f16" => measure::f16(function, &levels, options.samples),
                "bf16" => measure::bf16(function, &levels, options.samples),
                "f32" => measure::f32(function, &levels, options.stride),
                _ => measure::f64(function, &levels, options.samples),
            };
            holds &= report::print(function, dtype, &measured);
            if options.bless {
                hashes.bless(function, dtype, &measured);
            } else {
                holds &= hashes.check(function, dtype, &measured);
            }
            rows.push((function, *dtype, measured));
        }
    }
    if options.bless {
        hashes.write()?;
    }
    if let Some(page) = options.page {
        std::fs::write(&page, report::page(&rows)).map_err(|error| format!("{}: {error}", page.display()))?;
    }
    Ok(holds)
}

/// `None`: there is nothing to measure.
fn parse(arguments: &mut lexopt::Parser) -> Result<Option<Options>, lexopt::Error> {
    use lexopt::prelude::*;
    let mut options = Options { functions: Vec::new(), dtypes: Vec::new(), stride: 997, samples: 1_000_000, page: None, bless: false };
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("fn") => {
                let name = arguments.value()?.string()?;
                let known = functions::all().find(|function| function.info.name == name);
                options.functions.push(known.ok_or_else(|| {
                    let names: Vec<_> = functions::all().map(|function| function.info.name).collect();
                    format!("`--fn {name}`: no such function; there are {}", names.join(", "))
                })?);
            }
            Long("dtype") => {
                let name = arguments.value()?.string()?;
                let known = DTYPES.iter().find(|dtype| **dtype == name);
                options.dtypes.push(known.ok_or_else(|| format!("`--dtype {name}`: a dtype is {}", DTYPES.join(", ")))?);
            }
            Long("stride") => options.stride = arguments.value()?.parse()?,
            Long("bless") => options.bless = true,
            Long("page") => options.page = Some(arguments.value()?.into()),
            Long("samples") => options.samples = arguments.value()?.parse()?,
            Long("levels") => {
                Level::available().iter().for_each(|level| println!("{level}"));
                return Ok(None);
            }
            Long("help") | Short('h') => {
                print!("{HELP}");
                return Ok(None);
            }
            _ => return Err(argument.unexpected()),
        }
    }
    if options.stride == 0 || options.samples == 0 {
        return Err("`--stride` and `--samples` are at least 1".into());
    }
    if options.functions.is_empty() {
        options.functions = functions::all().collect();
    }
    if options.dtypes.is_empty() {
        options.dtypes = DTYPES.to_vec();
    }
    Ok(Some(options))
}
