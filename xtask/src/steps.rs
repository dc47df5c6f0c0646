//! The steps of a command: what each one does, how long it took, and how it went.

use crate::process::Count;
use anyhow::{Result, bail};
use std::time::{Duration, Instant};

/// Steps run one after the other. One that fails does not stop the others, but those that need it are skipped.
#[derive(Default)]
pub struct Steps {
    only: Vec<String>,
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    outcome: Outcome,
    time: Duration,
    count: Count,
}

enum Outcome {
    Passed,
    Failed,
    Skipped(String),
}

/// What a step reports.
pub enum Report {
    /// It ran.
    Ran(Count),
    /// It could not be done here, for this reason.
    Impossible(String),
}

impl From<Count> for Report {
    fn from(count: Count) -> Self {
        Self::Ran(count)
    }
}

impl Steps {
    /// Runs the steps named alone; all if none is.
    pub fn only(names: Vec<String>, known: &[&str]) -> Result<Self> {
        for name in &names {
            if !known.contains(&name.as_str()) {
                bail!("there is no step `{name}`; the steps are {}", known.join(", "));
            }
        }
        Ok(Self { only: names, rows: Vec::new() })
    }

    /// Whether the step is to run.
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// Runs a step, if it is wanted.
    pub fn step<R: Into<Report>>(&mut self, name: &'static str, what: &str, run: impl FnOnce() -> Result<R>) {
        self.step_for(&[], name, what, run);
    }

    /// Runs a step, if it or a step that needs it is wanted. Whether the others can run.
    pub fn step_for<R: Into<Report>>(&mut self, others: &[&str], name: &'static str, what: &str, run: impl FnOnce() -> Result<R>) -> bool {
        if !self.wants(name) && !others.iter().any(|other| self.wants(other)) {
            return false;
        }
        println!("\n== {name}: {what}");
        let start = Instant::now();
        let (outcome, count) = match run().map(Into::into) {
            Ok(Report::Ran(count)) if count.failed == 0 => (Outcome::Passed, count),
            Ok(Report::Ran(count)) => (Outcome::Failed, count),
            Ok(Report::Impossible(why)) => (Outcome::Skipped(why), Count::default()),
            Err(error) => {
                println!("error: {error:#}");
                (Outcome::Failed, Count { passed: 0, failed: 1 })
            }
        };
        let time = start.elapsed();
        println!("   {}: {} ({:.1} s)", name, said(&outcome), time.as_secs_f64());
        let passed = matches!(outcome, Outcome::Passed);
        self.rows.push(Row { name, outcome, time, count });
        passed
    }

    /// Notes that a step cannot run, because one that it needs has failed.
    pub fn skip(&mut self, name: &'static str, needs: &str) {
        if self.wants(name) {
            let outcome = Outcome::Skipped(format!("it needs {needs}, which failed"));
            self.rows.push(Row { name, outcome, time: Duration::ZERO, count: Count::default() });
        }
    }

    /// Prints all steps and, on the last line, how many checks passed and failed. Whether none failed.
    pub fn finish(self) -> bool {
        let mut total = Count::default();
        let width = self.rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(4);
        println!("\n{:width$} {:>9} {:>7} {:>7}  result", "step", "seconds", "passed", "failed");
        for row in &self.rows {
            total += row.count;
            let seconds = row.time.as_secs_f64();
            println!("{:width$} {seconds:9.1} {:7} {:7}  {}", row.name, row.count.passed, row.count.failed, said(&row.outcome));
        }
        let time: Duration = self.rows.iter().map(|row| row.time).sum();
        println!("{:width$} {:9.1} {:7} {:7}\n", "all", time.as_secs_f64(), total.passed, total.failed);
        println!("{} passed, {} failed", total.passed, total.failed);
        total.failed == 0
    }
}

fn said(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => "passed".to_owned(),
        Outcome::Failed => "FAILED".to_owned(),
        Outcome::Skipped(why) => format!("not run: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Count, Report, Steps};

    #[test]
    fn a_failed_step_fails_the_command_and_not_the_next_step() {
        let mut steps = Steps::default();
        let mut ran = false;
        steps.step("first", "fails", || anyhow::Result::<Count>::Err(anyhow::anyhow!("no")));
        steps.step("second", "runs", || {
            ran = true;
            Ok(Count::ONE)
        });
        assert!(ran);
        assert!(!steps.finish());
    }

    #[test]
    fn what_cannot_be_done_here_does_not_fail() {
        let mut steps = Steps::default();
        steps.step("only", "cannot", || Ok(Report::Impossible("no such machine".into())));
        assert!(steps.finish());
    }

    #[test]
    fn only_named_steps_run() {
        let mut steps = Steps::only(vec!["b".into()], &["a", "b"]).unwrap();
        steps.step("a", "", || -> anyhow::Result<Count> { unreachable!() });
        steps.step("b", "", || Ok(Count::ONE));
        assert!(steps.finish());
        assert!(Steps::only(vec!["c".into()], &["a", "b"]).is_err());
    }
}
