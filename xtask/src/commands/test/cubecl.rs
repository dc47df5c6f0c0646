//! The CubeCL program of the book's comparison, held to its word: it is compiled. It has a workspace of its own, since no crate of Lanecraft's needs CubeCL.

use super::readme::{blocks, section};
use crate::process::{Count, run};
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use xshell::cmd;

const MANIFEST: &str = r#"[package]
name = "beside"
version = "0.1.0"
edition = "2024"

[dependencies]
# Without a runtime: those for CPUs and GPUs bring compilers of their own.
cubecl = { version = "=0.11.3", default-features = false, features = ["std"] }

[workspace]
"#;

/// Compiles what `docs/comparison.md` shows.
pub fn check(workspace: &Workspace) -> Result<Count> {
    let page = std::fs::read_to_string(workspace.root.join("docs/comparison.md"))?;
    let shown = blocks(section(&page, "## CubeCL").context("docs/comparison.md has no section CubeCL")?);
    let program = shown.into_iter().find(|block| block.language.starts_with("rust")).context("the section CubeCL has no Rust")?;
    let folder = super::super::output_folder(workspace, "cubecl")?;
    std::fs::create_dir_all(folder.join("src"))?;
    std::fs::write(folder.join("Cargo.toml"), MANIFEST)?;
    std::fs::write(folder.join("src/lib.rs"), program.text)?;
    let (manifest, target) = (folder.join("Cargo.toml"), folder.join("target"));
    run(cmd!(workspace.shell, "cargo check --quiet --manifest-path {manifest}").env("CARGO_TARGET_DIR", target))
}
