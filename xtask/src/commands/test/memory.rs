//! The border's tests under valgrind's memcheck: what reads or writes beyond a block of memory, or one that was freed, in our code.

use crate::levels::Forced;
use crate::process::{Count, run_tests};
use crate::python::Venv;
use crate::steps::Report;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use xshell::cmd;

/// Tests by levels that valgrind can run; it knows no AVX-512. Those that say nothing of levels run with the first.
const RUNS: [(&str, &[&str], &str); 4] = [
    // DLPack, ordinary functions, structs.
    (
        "portable",
        &["test_foreign.py", "test_foreign_lies.py", "test_function_arrays.py", "test_structs.py", "test_functions.py"],
        "not given and not integers and not texts and not floats and not halves and not meanwhile",
    ),
    // Calls that fail, outputs in memory of our own, pickles, parameters, NumPy's reductions.
    (
        "portable",
        &["test_errors.py", "test_memory.py", "test_objects.py", "test_parameters.py", "test_block_parameters.py", "test_reductions.py"],
        "not panic and not every_row",
    ),
    ("sse2", &["test_arrays.py"], "no_write_past_the_end or misaligned or records or overlapping or zero"),
    ("avx2", &["test_arrays.py", "test_blocks.py"], "no_write_past_the_end or misaligned or records or overlapping or zero or not_written"),
];
/// The modules whose frames make an error ours.
const MODULES: [&str; 3] = ["fastops", "functions", "kernel_shapes"];

/// Runs them. An error of which no frame is ours is CPython's or NumPy's business.
pub fn check(workspace: &Workspace, venv: &Venv<'_>) -> Result<Report> {
    if cmd!(workspace.shell, "valgrind --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
        return Ok(Report::Impossible("valgrind is not installed".to_owned()));
    }
    let python = venv.python();
    let mut count = Count::default();
    for (k, (level, files, which)) in RUNS.into_iter().enumerate() {
        println!("-- {level}");
        let log = workspace.target.join(format!("memcheck-{k}-{level}.log"));
        // What is not initialised is not looked for: NumPy's arrays begin so, and lanes beyond an end may be.
        let options = ["--tool=memcheck", "--undef-value-errors=no", "--error-limit=no", "--num-callers=30"];
        let files = files.iter().map(|file| format!("tests/python/{file}"));
        let command =
            cmd!(workspace.shell, "valgrind {options...} --log-file={log} {python} -m pytest -q -p no:cacheprovider {files...} -k {which}");
        // Python's own allocator would put objects side by side into blocks of its own.
        count += run_tests(command.env("PYTHONMALLOC", "malloc").envs(Forced::new(level).environment))?;
        let text = std::fs::read_to_string(&log).with_context(|| format!("{}", log.display()))?;
        if !text.contains("ERROR SUMMARY") {
            bail!("valgrind has not finished: {}", log.display());
        }
        let ours: Vec<String> = errors(&text).into_iter().filter(|error| is_ours(error)).collect();
        ours.iter().for_each(|error| println!("{error}\n"));
        count += Count { passed: usize::from(ours.is_empty()), failed: ours.len() };
    }
    Ok(count.into())
}

/// The log's paragraphs that begin with an error.
fn errors(log: &str) -> Vec<String> {
    // `==123== Invalid read of size 4`
    let lines = log.lines().map(|line| line.strip_prefix("==").and_then(|rest| rest.split_once("== ")).map_or("", |(_, text)| text));
    let lines: Vec<&str> = lines.collect();
    let is_error = |first: &&str| {
        ["Invalid ", "Mismatched ", "Jump to ", "Source and destination overlap", "Process terminating"]
            .iter()
            .any(|start| first.starts_with(start))
    };
    lines.split(|line| line.is_empty()).filter(|part| part.first().is_some_and(is_error)).map(|part| part.join("\n")).collect()
}

/// Whether a frame of the access itself is in one of our modules; below it, frames say where the block came from.
fn is_ours(error: &str) -> bool {
    let access = error.split("Address 0x").next().unwrap_or(error);
    access.lines().any(|frame| MODULES.iter().any(|module| frame.contains(&format!("{module}.abi3.so"))))
}

#[cfg(test)]
mod tests {
    use super::{errors, is_ours};

    const LOG: &str = "\
==7== Memcheck, a memory error detector
==7==
==7== Invalid read of size 4
==7==    at 0x1: ??? (in /venv/functions/functions.abi3.so)
==7==    by 0x2: _PyEval_EvalFrameDefault (ceval.c:1)
==7==  Address 0x3 is 0 bytes after a block of size 12 alloc'd
==7==    at 0x4: malloc (vg_replace_malloc.c:381)
==7==
==7== Invalid write of size 8
==7==    at 0x1: DOUBLE_add (in /venv/numpy/_core/_multiarray_umath.so)
==7==  Address 0x3 is 0 bytes after a block of size 16 alloc'd
==7==    by 0x4: ??? (in /venv/functions/functions.abi3.so)
==7==
==7== ERROR SUMMARY: 2 errors from 2 contexts (suppressed: 0 from 0)
";

    #[test]
    fn an_error_is_ours_where_the_access_is() {
        let found = errors(LOG);
        assert_eq!(found.len(), 2);
        assert_eq!(found.iter().map(|error| is_ours(error)).collect::<Vec<_>>(), [true, false]);
    }
}
