//! Checks of the Python side. The wheel of fastops is installed.

use crate::levels::Forced;
use crate::process::{Count, run, run_tests};
use crate::python::{Packages, Venv};
use crate::workspace::Workspace;
use anyhow::Result;
use xshell::cmd;

/// The folders with Python files.
const SCRIPTS: [&str; 4] = ["tests/python", "examples", "benches", "core/fit"];

/// The programs among them.
const TYPED: [&str; 3] = ["examples/fastops/demo.py", "benches/run.py", "benches/build.py"];
/// The tests of the stubs, which no level changes.
const STUBS: &str = "tests/python/test_typing.py";

/// The tests but those of the stubs, once per level.
pub fn tests(workspace: &Workspace, venv: &Venv<'_>, levels: &[Forced]) -> Result<Count> {
    let python = venv.python();
    let mut count = Count::default();
    for level in levels {
        println!("-- {}", level.name);
        let command = cmd!(workspace.shell, "{python} -m pytest -q -p no:cacheprovider tests/python --ignore {STUBS}");
        count += run_tests(command.envs(level.environment.clone()))?;
    }
    Ok(count)
}

/// Type checkers and linter on the stubs in the wheels, on a file of good calls and on one of bad calls.
pub fn stubs(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    let python = venv.python();
    run_tests(cmd!(workspace.shell, "{python} -m pytest -q -p no:cacheprovider {STUBS}"))
}

/// Formatter, linter and type checker on the project's own Python.
pub fn scripts(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    venv.install(Packages::Tools)?;
    let (ruff, sh) = (venv.program("ruff"), &workspace.shell);
    let folders: &Vec<&str> = &SCRIPTS.into_iter().filter(|folder| workspace.root.join(folder).exists()).collect();
    let mut count = run(cmd!(sh, "{ruff} format --check --no-cache {folders...}"))?;
    count += run(cmd!(sh, "{ruff} check --no-cache {folders...}"))?;
    let (mypy, cache) = (venv.program("mypy"), workspace.target.join("mypy"));
    count += run(cmd!(sh, "{mypy} --cache-dir {cache} {TYPED...}"))?;
    Ok(count)
}
