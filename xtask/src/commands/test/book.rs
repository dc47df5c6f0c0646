//! The book in `docs/`, held to its word.

use crate::process::{Count, run, run_tests};
use crate::python::{COOKBOOK, FASTOPS, FUNCTIONS, KERNEL_SHAPES, Venv};
use crate::workspace::Workspace;
use anyhow::Result;
use std::path::{Path, PathBuf};
use xshell::cmd;

/// Runs the Rust of the chapters, then their Python and that of the recipes' pages, beside torch and its like; checks contents and links; and where
/// mdBook is installed, builds the book.
pub fn check(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    let sh = &workspace.shell;
    let mut count = run_tests(cmd!(sh, "cargo test --package lanecraft-book -- --quiet"))?;

    let peers = Venv::peers(workspace)?;
    let site = peers.site(&[venv.built(FASTOPS)?, venv.built(FUNCTIONS)?, venv.built(KERNEL_SHAPES)?, venv.install_wheel(COOKBOOK)?])?;
    let mut pages = pages_in(&workspace.root.join("docs"))?;
    for recipe in std::fs::read_dir(workspace.root.join(COOKBOOK.folder).join("src"))? {
        let recipe = recipe?.path();
        if recipe.is_dir() {
            pages.extend(pages_in(&recipe)?);
        }
    }
    // Wheels, and the package of tools as it is in the checkout.
    let path = std::env::join_paths([site, workspace.root.join("python")])?;
    let python = peers.python();
    // Triton's interpreter runs on the CPU.
    count += run_tests(cmd!(sh, "{python} tests/book/run.py {pages...}").env("PYTHONPATH", path).env("TRITON_INTERPRET", "1"))?;

    if cmd!(sh, "mdbook --version").quiet().ignore_stdout().ignore_stderr().run().is_ok() {
        count += run(cmd!(sh, "mdbook build docs"))?;
    } else {
        println!("mdBook is not installed, so the book's HTML is not made: `cargo install mdbook`");
    }
    Ok(count)
}

/// The Markdown files of a folder.
fn pages_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    Ok(pages)
}
