//! The wheels on every Python that they are for, as a user has them: an environment without Cargo, and nothing built in it.

use crate::process::{Count, run, run_tests};
use crate::python::{FASTOPS, FUNCTIONS, KERNEL_SHAPES, Venv, other_pythons};
use crate::steps::Report;
use crate::workspace::Workspace;
use anyhow::{Result, ensure};
use std::path::PathBuf;
use xshell::cmd;

/// The tests in which versions of Python and NumPy may differ: calls, objects, errors, arrays of others, processes.
const FILES: [&str; 12] = [
    "test_objects.py",
    "test_errors.py",
    "test_arrays.py",
    "test_parameters.py",
    "test_foreign.py",
    "test_foreign_lies.py",
    "test_reductions.py",
    "test_functions.py",
    "test_function_arrays.py",
    "test_structs.py",
    "test_memory.py",
    "test_reports.py",
];
/// What those need.
const NEEDED: [&str; 5] = ["numpy", "ml_dtypes", "pytest", "hypothesis", "mmh3"];

/// Installs and tests the wheels that were built last.
pub fn tests(workspace: &Workspace, venv: &Venv<'_>) -> Result<Report> {
    let (shell, pythons) = (&workspace.shell, other_pythons(workspace, venv)?);
    if pythons.is_empty() {
        return Ok(Report::Impossible("no Python beside that of the other steps is in PATH".to_owned()));
    }
    let wheels: &Vec<PathBuf> = &[FASTOPS, FUNCTIONS, KERNEL_SHAPES].into_iter().map(|wheel| venv.built(wheel)).collect::<Result<_>>()?;
    let mut count = Count::default();
    for (base, (major, minor)) in pythons {
        let folder = super::super::output_folder(workspace, "pythons")?.join(format!("{major}.{minor}"));
        let python = folder.join("bin/python");
        run(cmd!(shell, "{base} -m venv --clear {folder}"))?;
        // Of all folders of programs but the environment's own none.
        let path = folder.join("bin").display().to_string();
        let options = ["--quiet", "--disable-pip-version-check"];
        run(cmd!(shell, "{python} -m pip install {options...} {NEEDED...} {wheels...}").env("PATH", &path))?;
        let cargo = cmd!(shell, "{python} -c 'import shutil; print(shutil.which(\"cargo\"))'").env("PATH", &path).read()?;
        ensure!(cargo == "None", "the environment was to be without Cargo");
        let files = FILES.iter().map(|file| format!("tests/python/{file}"));
        count += run_tests(cmd!(shell, "{python} -m pytest -q -p no:cacheprovider {files...}").env("PATH", path))?;
    }
    Ok(count.into())
}
