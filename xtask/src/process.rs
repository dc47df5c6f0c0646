//! Running programs: each is shown as it would be typed, and its tests are counted.

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use xshell::Cmd;

/// How many checks passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub passed: usize,
    pub failed: usize,
}

impl Count {
    /// One check that passed.
    pub const ONE: Self = Self { passed: 1, failed: 0 };
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// Runs a program that is one check: it must succeed.
pub fn run(command: Cmd<'_>) -> Result<Count> {
    println!("$ {command}");
    let program = program_of(&command);
    let status = Command::from(command).status().with_context(|| not_started(&program))?;
    if !status.success() {
        bail!("`{program}` did not succeed ({status}): its output is above");
    }
    Ok(Count::ONE)
}

/// Runs a program that runs tests, and counts them. `Err` if it failed with no test failed.
pub fn run_tests(command: Cmd<'_>) -> Result<Count> {
    println!("$ {command}");
    let program = program_of(&command);
    let mut child = Command::from(command).stdout(Stdio::piped()).spawn().with_context(|| not_started(&program))?;
    let mut count = Count::default();
    if let Some(stdout) = child.stdout.take() {
        let mut out = std::io::stdout().lock();
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line?;
            out.write_all(&line)?;
            out.write_all(b"\n")?;
            out.flush()?;
            if let Some(more) = counted(&String::from_utf8_lossy(&line)) {
                count += more;
            }
        }
    }
    let status = child.wait()?;
    if !status.success() && count.failed == 0 {
        bail!("`{program}` did not succeed ({status}): its output is above");
    }
    if count == Count::default() {
        bail!("`{program}` ran no test");
    }
    Ok(count)
}

/// What a program prints, without a trailing line break.
pub fn read(command: Cmd<'_>) -> Result<String> {
    let shown = command.to_string();
    command.quiet().read().with_context(|| format!("`{shown}`"))
}

fn program_of(command: &Cmd<'_>) -> String {
    command.to_string().split_whitespace().next().unwrap_or_default().to_owned()
}

fn not_started(program: &str) -> String {
    format!("`{program}` cannot be started: is it installed, and its folder in PATH?")
}

/// The tests that a line of output sums up, in the words of libtest or of pytest.
fn counted(line: &str) -> Option<Count> {
    let line = line.trim().trim_matches('=').trim();
    let is_libtest = line.starts_with("test result: ");
    // pytest: `3 failed, 97 passed, 1 skipped in 12.34s`, with or without a frame and the time in minutes.
    let is_pytest = line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(" in ") && (line.ends_with('s') || line.ends_with(')'));
    if !is_libtest && !is_pytest {
        return None;
    }
    let number_of = |word: &str| -> usize {
        let words: Vec<&str> = line.split([' ', ',', ';']).filter(|w| !w.is_empty()).collect();
        words.windows(2).filter(|pair| pair[1] == word).filter_map(|pair| pair[0].parse::<usize>().ok()).sum()
    };
    let count = Count { passed: number_of("passed"), failed: number_of("failed") + number_of("errors") + number_of("error") };
    (is_libtest || count != Count::default()).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::{Count, counted};

    #[test]
    fn summaries_are_counted() {
        let of = |passed, failed| Some(Count { passed, failed });
        assert_eq!(counted("test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 1 filtered out; finished in 0.01s"), of(12, 0));
        assert_eq!(counted("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s"), of(1, 2));
        assert_eq!(counted("===== 3 failed, 97 passed, 1 skipped in 12.34s ====="), of(97, 3));
        assert_eq!(counted("105 passed in 75.00s (0:01:15)"), of(105, 0));
        assert_eq!(counted("1 error in 0.10s"), of(0, 1));
        assert_eq!(counted("running 12 tests"), None);
        assert_eq!(counted("2 files in 3 folders passed"), None);
    }
}
