//! Checks of the Python side. The wheel of fastops is installed.

use super::versions::TESTS as VERSIONS;
use crate::levels::Forced;
use crate::process::{Count, run, run_tests};
use crate::python::{COOKBOOK, FASTOPS, FUNCTIONS, KERNEL_SHAPES, Packages, Venv};
use crate::workspace::Workspace;
use anyhow::Result;
use xshell::cmd;

/// The folders with Python files.
const SCRIPTS: [&str; 8] =
    ["python", "tests/python", "tests/cuda_launch", "tests/gpu_kit", "tests/book", "examples", "benches", "core/fit"];

/// The programs among them, those of one name apart.
const TYPED: [&[&str]; 2] =
    [&["python/lanecraft", "examples/fastops/demo.py", "benches/run.py", "benches/build.py", "benches/page.py"], &["benches/gpu/run.py"]];
/// The tests of the stubs, which no level changes.
const STUBS: &str = "tests/python/test_typing.py";
/// The tests that go on as long as they are let, or take as much memory.
const ENDURANCE: [&str; 3] =
    ["tests/python/test_many_threads.py", "tests/python/test_numpy_suite.py", "tests/python/test_arrays.py::test_more_than_2_31_elements"];
/// The tests that need torch, JAX, Dask, Ray and their like.
const PEERS: &str = "tests/python/peers";

/// The tests but those of the stubs, once per level.
pub fn tests(workspace: &Workspace, venv: &Venv<'_>, levels: &[Forced]) -> Result<Count> {
    let python = venv.python();
    let mut count = Count::default();
    for level in levels {
        println!("-- {}", level.name);
        let command = cmd!(
            workspace.shell,
            "{python} -m pytest -q -p no:cacheprovider tests/python --ignore {STUBS} --ignore {PEERS} --ignore {VERSIONS}"
        );
        count += run_tests(command.envs(level.environment.clone()))?;
    }
    Ok(count)
}

/// The Python tests whose length is a choice, at full length.
pub fn endurance(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    let python = venv.python();
    let command = cmd!(workspace.shell, "{python} -m pytest -q -p no:cacheprovider {ENDURANCE...}");
    run_tests(command.env("LANECRAFT_FULL", "1"))
}

/// The tests beside torch, JAX, Dask, Ray and their like, which fail where one of them is missing.
pub fn peers(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    let peers = Venv::peers(workspace)?;
    let site = peers.site(&[venv.built(FASTOPS)?, venv.built(FUNCTIONS)?, venv.built(KERNEL_SHAPES)?])?;
    let python = peers.python();
    run_tests(cmd!(workspace.shell, "{python} -m pytest -q -p no:cacheprovider {PEERS}").env("PYTHONPATH", site))
}

/// The recipes' tests, beside SciPy and pandas; and that what each is compared with in its speed row gives the same.
pub fn cookbook(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    let peers = Venv::peers(workspace)?;
    let site = peers.site(&[venv.install_wheel(COOKBOOK)?])?;
    let (python, folder) = (peers.python(), COOKBOOK.folder);
    let mut count = run_tests(cmd!(workspace.shell, "{python} -m pytest -q -p no:cacheprovider {folder}").env("PYTHONPATH", &site))?;
    count += run(cmd!(workspace.shell, "{python} {folder}/bench.py --check").env("PYTHONPATH", site))?;
    Ok(count)
}

/// Type checkers and linter on the stubs in the wheels, on a file of good calls and on one of bad calls.
pub fn stubs(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    let python = venv.python();
    let mut count = run_tests(cmd!(workspace.shell, "{python} -m pytest -q -p no:cacheprovider {STUBS}"))?;
    // And by the program that users have for it.
    let (name, wheel) = (FASTOPS.name, venv.built(FASTOPS)?);
    let program = ["run", "--quiet", "--package", "lanecraft-pybind-gen", "--features", "cli", "--"];
    count += run(cmd!(workspace.shell, "cargo {program...} check {name} --python {python} --wheel {wheel}"))?;
    Ok(count)
}

/// Formatter, linter and type checker on the project's own Python.
pub fn scripts(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    venv.install(Packages::Tools)?;
    let (ruff, sh) = (venv.program("ruff"), &workspace.shell);
    let folders: &Vec<&str> = &SCRIPTS.into_iter().filter(|folder| workspace.root.join(folder).exists()).collect();
    let mut count = run(cmd!(sh, "{ruff} format --check --no-cache {folders...}"))?;
    count += run(cmd!(sh, "{ruff} check --no-cache {folders...}"))?;
    let (mypy, cache) = (venv.program("mypy"), workspace.target.join("mypy"));
    for programs in TYPED {
        count += run(cmd!(sh, "{mypy} --cache-dir {cache} {programs...}"))?;
    }
    Ok(count)
}
