//! `lanecraft new`, held to its word: the crate that it writes is built by pip in a new environment, and passes its test.

use crate::process::{Count, read, run, run_tests};
use crate::python::Venv;
use crate::workspace::Workspace;
use anyhow::{Result, ensure};
use xshell::cmd;

/// Writes the crate to `target/template`, with this checkout in place of the released version.
pub fn written(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    let folder = super::super::output_folder(workspace, "template")?;
    let (crate_, shell, root) = (folder.join("growth"), &workspace.shell, &workspace.root);
    if crate_.exists() {
        std::fs::remove_dir_all(&crate_)?;
    }
    let python = venv.python();
    let new = cmd!(shell, "{python} -m lanecraft new growth --folder {crate_} --lanecraft {root}");
    run(new.env("PYTHONPATH", root.join("python")))?;
    run(cmd!(shell, "{python} -m venv --clear {folder}/env"))?;
    let (own, target) = (folder.join("env/bin/python"), folder.join("target"));
    let _in_crate = shell.push_dir(&crate_);
    run(cmd!(shell, "{own} -m pip install --quiet --disable-pip-version-check .[test]").env("CARGO_TARGET_DIR", target))?;
    let mut count = run_tests(cmd!(shell, "{own} -m pytest -q -p no:cacheprovider tests"))?;
    let stub = read(cmd!(
        shell,
        "{own} -c 'import growth, pathlib; print(pathlib.Path(growth.__file__).with_name(\"__init__.pyi\").read_text())'"
    ))?;
    ensure!(stub.contains("logistic: Final[_Logistic]"), "the crate was installed without the stub of its kernel:\n{stub}");
    count += Count::ONE;
    Ok(count)
}
