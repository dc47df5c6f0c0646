//! Where things are: the checkout, Cargo's target folder, and a shell that stands in the checkout.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

/// A checkout.
pub struct Workspace {
    /// Its folder.
    pub root: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
    /// Commands made with it start in [`root`](Self::root).
    pub shell: Shell,
}

impl Workspace {
    /// The checkout that this program was built from.
    pub fn find() -> Result<Self> {
        // Cargo says it anew at each run: the value at build time would be another checkout's when a target folder is shared.
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&manifest).parent().context("xtask lies in the root of the file system")?.to_owned();
        let shell = Shell::new()?;
        shell.change_dir(&root);
        let metadata = cmd!(shell, "cargo metadata --no-deps --format-version 1").quiet().read().context("cargo metadata")?;
        let target = string_of(&metadata, "target_directory").context("cargo metadata does not tell the target folder")?;
        Ok(Self { root, target: target.into(), shell })
    }
}

/// The string at `key`, where JSON text has that key once.
pub fn string_of(json: &str, key: &str) -> Option<String> {
    let (_, rest) = json.split_once(&format!("\"{key}\":\""))?;
    let mut value = String::new();
    let mut chars = rest.chars();
    loop {
        match chars.next()? {
            '"' => return Some(value),
            '\\' => value.push(chars.next()?),
            c => value.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::string_of;

    #[test]
    fn a_string_is_found_in_json() {
        let json = r#"{"packages":[],"target_directory":"/a \"b\"/c\\d","version":1}"#;
        assert_eq!(string_of(json, "target_directory").as_deref(), Some(r#"/a "b"/c\d"#));
        assert_eq!(string_of(json, "root"), None);
        assert_eq!(string_of(r#"{"root":"/unended"#, "root"), None);
    }
}
