//! The README, held to its word: the tutorial is run as written, and the program shown is the one in `examples/`.

use crate::process::{Count, read, run};
use crate::python::Venv;
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use std::path::Path;
use xshell::cmd;

/// The tutorial's section.
const TUTORIAL: &str = "## Tutorial: a wheel";

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block<'a> {
    pub(super) language: &'a str,
    /// The file that the fence names after the language; empty if it names none.
    file: &'a str,
    pub(super) text: String,
}

/// Checks programs shown, and runs the tutorial in `target/readme`, where the checkout is linked to as `lanecraft`.
pub fn tutorial(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    let readme = std::fs::read_to_string(workspace.root.join("README.md"))?;
    let mut count = Count::default();
    for block in blocks(&readme).iter().filter(|block| block.file.starts_with("examples/")) {
        let shown = std::fs::read_to_string(workspace.root.join(block.file)).with_context(|| block.file.to_owned())?;
        ensure!(block.text == shown, "README.md shows another {} than the file", block.file);
        println!("README.md shows {} as it is", block.file);
        count += Count::ONE;
    }

    let folder = super::super::output_folder(workspace, "readme")?;
    let work = folder.join("work");
    if work.exists() {
        std::fs::remove_dir_all(&work)?;
    }
    std::fs::create_dir_all(&work)?;
    link(&workspace.root, &work.join("lanecraft"))?;
    let blocks = blocks(section(&readme, TUTORIAL).context("README.md has no tutorial")?);
    ensure!(blocks.len() >= 7, "the tutorial has lost some of its blocks: {} are left", blocks.len());

    // The commands share one shell, so that an activated environment stays so; `python3` is one that is new enough.
    let mut script = String::from("set -e\n");
    let mut expected = None;
    for block in &blocks {
        match (block.language, block.file) {
            ("sh", "") => script.push_str(&block.text),
            ("text", "") => expected = Some(block.text.as_str()),
            (_, "") => {}
            (_, file) => write(&work.join(file), &block.text)?,
        }
    }
    let bin = venv.python().parent().map(Path::to_owned).unwrap_or_default();
    let mut path = vec![bin];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let shell = &workspace.shell;
    println!("{script}");
    let command = cmd!(shell, "sh -c {script}")
        .env("PATH", std::env::join_paths(path)?)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
        .env_remove("PYO3_PYTHON");
    let _in_work = shell.push_dir(&work);
    let printed = read(command)?;
    println!("{printed}");
    let expected = expected.context("the tutorial does not say what its example prints")?;
    ensure!(printed.ends_with(expected.trim_end()), "the tutorial's example printed something else than the README says:\n{expected}");
    count += Count::ONE;

    // What the tutorial promises beyond its output: a stub that type checkers follow.
    let installed = read(cmd!(shell, "env/bin/python -c 'import hello, pathlib; print(pathlib.Path(hello.__file__).parent)'"))?;
    for file in ["__init__.pyi", "py.typed"] {
        ensure!(Path::new(&installed).join(file).exists(), "the tutorial's package was installed without {file}");
        count += Count::ONE;
    }
    let mypy = venv.program("mypy");
    count += run(cmd!(shell, "{mypy} --strict --cache-dir {folder}/mypy --python-executable env/bin/python hello/example.py"))?;
    Ok(count)
}

fn write(file: &Path, text: &str) -> Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, text).with_context(|| format!("{}", file.display()))
}

#[cfg(unix)]
fn link(folder: &Path, at: &Path) -> Result<()> {
    std::os::unix::fs::symlink(folder, at).with_context(|| format!("{}", at.display()))
}

#[cfg(windows)]
fn link(folder: &Path, at: &Path) -> Result<()> {
    std::os::windows::fs::symlink_dir(folder, at).with_context(|| format!("{}", at.display()))
}

/// The text from a heading to the next of its rank.
pub(super) fn section<'a>(markdown: &'a str, heading: &str) -> Option<&'a str> {
    let (_, rest) = markdown.split_once(&format!("\n{heading}\n"))?;
    Some(rest.split_once("\n## ").map_or(rest, |(section, _)| section))
}

pub(super) fn blocks(markdown: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for line in markdown.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(fence), None) => {
                let (language, file) = fence.split_once(' ').unwrap_or((fence, ""));
                open = Some(Block { language, file, text: String::new() });
            }
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::{Block, blocks, section};

    const README: &str = "# A\n\n## B\nb\n```sh\nls\n```\n\n## C\n```rust src/lib.rs\nfn f() {}\n\nfn g() {}\n```\n";

    #[test]
    fn sections_end_at_the_next_heading() {
        assert_eq!(section(README, "## B"), Some("b\n```sh\nls\n```\n"));
        assert!(section(README, "## C").is_some_and(|c| c.ends_with("```\n")));
        assert_eq!(section(README, "## D"), None);
    }

    #[test]
    fn fenced_blocks_are_read() {
        let sh = Block { language: "sh", file: "", text: "ls\n".into() };
        let rust = Block { language: "rust", file: "src/lib.rs", text: "fn f() {}\n\nfn g() {}\n".into() };
        assert_eq!(blocks(README), [sh, rust]);
    }
}
