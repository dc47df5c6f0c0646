//! Two wheels that were built with different versions of Lanecraft, in one process.

use crate::commands::output_folder;
use crate::process::{Count, read, run, run_tests};
use crate::python::Venv;
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use std::path::Path;
use xshell::cmd;

/// The tests, which need both.
pub const TESTS: &str = "tests/python/versions";
/// What a version to come says otherwise: file, what stands there now, what will.
const CHANGES: [(&str, &str, &str); 3] = [
    ("Cargo.toml", "version = \"0.1.0\"", "version = \"0.2.0\""),
    ("Cargo.toml", "version = \"=0.1.0\"", "version = \"=0.2.0\""),
    ("pybind-gen/src/runtime/registry.rs", "const PROTOCOL: u32 = 2;", "const PROTOCOL: u32 = 3;"),
];

/// Copies the checkout as that version, builds the crate of `lanecraft new` with it, and runs the tests beside the wheels of this version.
pub fn check(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    let (folder, sh) = (output_folder(workspace, "versions")?, &workspace.shell);
    let (copy, attic) = (&folder.join("lanecraft"), &folder.join("attic"));
    for old in [copy, attic] {
        if old.exists() {
            std::fs::remove_dir_all(old)?;
        }
    }
    for file in read(cmd!(sh, "git ls-files --cached --others --exclude-standard"))?.lines() {
        let (from, to) = (workspace.root.join(file), copy.join(file));
        // One that is deleted is listed until that is committed.
        if from.exists() {
            std::fs::create_dir_all(to.parent().context("a file in a folder")?)?;
            std::fs::copy(&from, &to).with_context(|| format!("{}", from.display()))?;
        }
    }
    for (file, now, then) in CHANGES {
        change(&copy.join(file), now, then)?;
    }
    let python = venv.python();
    let new = cmd!(sh, "{python} -m lanecraft new attic --folder {attic} --lanecraft {copy}");
    run(new.env("PYTHONPATH", workspace.root.join("python")))?;
    // The dependencies are those of this checkout.
    std::fs::copy(workspace.root.join("Cargo.lock"), attic.join("Cargo.lock"))?;
    let wheel = venv.build_at(attic, &folder)?;
    let site = venv.site_at(&folder.join("site"), &[wheel])?;
    run_tests(cmd!(sh, "{python} -m pytest -q -p no:cacheprovider {TESTS}").env("PYTHONPATH", site))
}

fn change(file: &Path, now: &str, then: &str) -> Result<()> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    ensure!(text.contains(now), "{} has no `{now}`", file.display());
    Ok(std::fs::write(file, text.replace(now, then))?)
}
