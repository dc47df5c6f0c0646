//! `cargo xtask counts`: instructions that kernels run, against a table. Counts hardly depend on the machine, so that a change of 3 % is the code's.
//!
//! By callgrind, which needs no runner of a version of its own as `iai-callgrind` does; of the levels it knows `sse2` and `avx2`.

use crate::process::{Count, read, run};
use crate::steps::Report;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use xshell::cmd;

/// The levels that valgrind can run.
const LEVELS: [&str; 2] = ["sse2", "avx2"];
/// How far a count may be from the table's.
const BAND: f64 = 0.03;
const TABLE: &str = "tests/counts/table.txt";

/// The compiler, and the count of each kernel on each level.
#[derive(Debug, Default, PartialEq, Eq)]
struct Table {
    rustc: String,
    counts: BTreeMap<(String, String), u64>,
}

impl Table {
    fn parse(text: &str) -> Result<Self> {
        let mut table = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["rustc", version] => version.clone_into(&mut table.rustc),
                [kernel, level, count] => {
                    table.counts.insert((kernel.to_owned(), level.to_owned()), count.parse()?);
                }
                _ => bail!("`{line}` is no row `KERNEL LEVEL COUNT`"),
            }
        }
        Ok(table)
    }

    fn print(&self) -> String {
        let mut text = String::from("# Instructions of one call, by callgrind. Written by `cargo xtask counts --bless`.\n");
        let _ = writeln!(text, "rustc {}", self.rustc);
        for ((kernel, level), count) in &self.counts {
            let _ = writeln!(text, "{kernel:15} {level:5} {count:9}");
        }
        text
    }
}

/// `--bless` writes the table anew.
pub fn run_command(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    let mut bless = false;
    while let Some(argument) = arguments.next()? {
        match argument {
            lexopt::Arg::Long("bless") => bless = true,
            other => return Err(other.unexpected().into()),
        }
    }
    if bless {
        std::fs::write(workspace.root.join(TABLE), measure(workspace)?.print())?;
        println!("{TABLE} is written");
        return Ok(true);
    }
    match check(workspace)? {
        Report::Ran(count) => Ok(count.failed == 0),
        Report::Impossible(why) => bail!(why),
    }
}

/// Counts anew, and compares. Another compiler's counts are its own, so they are not judged.
pub fn check(workspace: &Workspace) -> Result<Report> {
    if cmd!(workspace.shell, "valgrind --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
        return Ok(Report::Impossible("valgrind is not installed".to_owned()));
    }
    let expected = Table::parse(&std::fs::read_to_string(workspace.root.join(TABLE)).context(TABLE)?)?;
    let rustc = rustc(workspace)?;
    if rustc != expected.rustc {
        return Ok(Report::Impossible(format!("{TABLE} is of Rust {}, and this is {rustc}", expected.rustc)));
    }
    let found = measure(workspace)?;
    if !found.counts.keys().eq(expected.counts.keys()) {
        bail!("{TABLE} has other rows than there are kernels; `cargo xtask counts --bless` writes it anew");
    }
    let mut count = Count::default();
    for ((kernel, level), instructions) in &found.counts {
        let was = expected.counts[&(kernel.clone(), level.clone())];
        let change = *instructions as f64 / was as f64 - 1.0;
        let holds = change.abs() <= BAND;
        count += if holds { Count::ONE } else { Count { passed: 0, failed: 1 } };
        println!("{kernel:15} {level:5} {instructions:9} {:+6.2} %{}", 100.0 * change, if holds { "" } else { "  outside of the band" });
    }
    if count.failed > 0 {
        println!("if that is meant to be, `cargo xtask counts --bless` writes {TABLE} anew");
    }
    Ok(count.into())
}

fn measure(workspace: &Workspace) -> Result<Table> {
    run(cmd!(workspace.shell, "cargo build --quiet --release --package lanecraft-counts"))?;
    let program = workspace.target.join("release").join("counts");
    let mut table = Table { rustc: rustc(workspace)?, counts: BTreeMap::new() };
    for kernel in read(cmd!(workspace.shell, "{program} --list"))?.lines() {
        for level in LEVELS {
            table.counts.insert((kernel.to_owned(), level.to_owned()), instructions(workspace, &program, kernel, level)?);
        }
    }
    Ok(table)
}

/// What callgrind counts in the program's function `measured`.
fn instructions(workspace: &Workspace, program: &PathBuf, kernel: &str, level: &str) -> Result<u64> {
    let options = ["--tool=callgrind", "--toggle-collect=*measured*", "--callgrind-out-file=/dev/null"];
    let command =
        cmd!(workspace.shell, "valgrind {options...} {program} {kernel}").env("LANECRAFT_ISA", level).env("LANECRAFT_THREADS", "1");
    let text = command.quiet().read_stderr().with_context(|| format!("callgrind on {kernel}, {level}"))?;
    collected(&text).with_context(|| format!("callgrind collected nothing of {kernel}, {level}:\n{text}"))
}

/// `==123== Collected : 456`, if it is not 0.
fn collected(text: &str) -> Option<u64> {
    let count = text.lines().find_map(|line| line.split_once("Collected : "))?.1.trim().parse().ok()?;
    (count > 0).then_some(count)
}

/// `1.95.0`.
fn rustc(workspace: &Workspace) -> Result<String> {
    let version = read(cmd!(workspace.shell, "rustc --version"))?;
    version.split(' ').nth(1).map(str::to_owned).context("rustc tells no version")
}

#[cfg(test)]
mod tests {
    use super::{Table, collected};

    #[test]
    fn a_printed_table_is_read() {
        let counts = [(("add".to_owned(), "avx2".to_owned()), 12), (("add".to_owned(), "sse2".to_owned()), 34)].into();
        let table = Table { rustc: "1.95.0".to_owned(), counts };
        assert_eq!(Table::parse(&table.print()).unwrap(), table);
        assert!(Table::parse("add avx2").is_err());
    }

    #[test]
    fn the_count_is_found() {
        assert_eq!(collected("==7== Events    : Ir\n==7== Collected : 4242\n"), Some(4242));
        assert_eq!(collected("==7== Collected : 0\n"), None);
        assert_eq!(collected("no such program"), None);
    }
}
