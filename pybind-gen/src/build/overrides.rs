//! `pybind-gen.toml`, beside `Cargo.toml`: what a module publishes otherwise than its sources say.
//!
//! ```toml
//! exclude = ["scratch", "math.half"]   # exported in Rust, and not in Python
//!
//! [docs]                               # docstrings of submodules; the module's own stands in `python_module!`
//! math = "Elementary functions."
//! ```
//!
//! The build script reads it for the stub, and hands it to the module ([`Overrides::to_variable`]), so that both say the same.

use super::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The file's name.
const FILE: &str = "pybind-gen.toml";

/// What the file says; nothing where there is none.
#[derive(Debug, Default)]
pub struct Overrides {
    /// Where it is read from, whether it is there or not.
    pub file: PathBuf,
    /// What is not published: `scratch`, `math.half`.
    pub exclude: BTreeSet<String>,
    /// Docstrings of submodules.
    pub docs: BTreeMap<String, String>,
}

impl Overrides {
    /// Reads the file of the crate in this folder.
    ///
    /// # Errors
    /// A file that cannot be read, or says what is not understood.
    pub fn of_crate(folder: &Path) -> Result<Self, Error> {
        let file = folder.join(FILE);
        if !file.exists() {
            return Ok(Self { file, ..Self::default() });
        }
        let text = fs::read_to_string(&file).map_err(|e| Error::new(format!("cannot read {}: {e}", file.display())))?;
        let read = Self::parse(&text).map_err(|e| Error::new(format!("{}: {e}", file.display())))?;
        Ok(Self { file, ..read })
    }

    /// Reads the file's text.
    fn parse(text: &str) -> Result<Self, String> {
        let mut overrides = Self::default();
        for (key, value) in text.parse::<Table>().map_err(|e| e.to_string())? {
            match (key.as_str(), value) {
                ("exclude", Value::Array(names)) => {
                    for name in names {
                        overrides.exclude.insert(string("exclude", name)?);
                    }
                }
                ("docs", Value::Table(docs)) => {
                    for (module, text) in docs {
                        let text = string(&format!("docs.{module}"), text)?;
                        overrides.docs.insert(module, text);
                    }
                }
                ("exclude", _) => return Err("`exclude` is a list of names; write `exclude = [\"scratch\", \"math.half\"]`".to_owned()),
                ("docs", _) => return Err("`docs` is a table of texts; write `[docs]` and `math = \"..\"` below it".to_owned()),
                (other, _) => return Err(format!("there is no key `{other}`; there are `exclude`, `docs`")),
            }
        }
        Ok(overrides)
    }

    /// For the environment variable by which the module gets it.
    pub fn to_variable(&self) -> String {
        crate::overrides::write(&self.exclude, &self.docs)
    }
}

fn string(key: &str, value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(format!("`{key}` holds texts, and here is one of type {}", other.type_str())),
    }
}

#[cfg(test)]
mod tests {
    use super::Overrides;

    #[test]
    fn files() {
        let read = Overrides::parse("exclude = [\"a\", \"math.b\"]\n[docs]\nmath = \"\"\"\nOne.\n\nTwo.\"\"\"\n").unwrap();
        assert_eq!(read.exclude.iter().collect::<Vec<_>>(), ["a", "math.b"]);
        assert_eq!(read.docs["math"], "One.\n\nTwo.");
        assert_eq!(crate::overrides::read(&read.to_variable()), (read.exclude.clone(), read.docs.clone()));
        assert_eq!(Overrides::parse("exclud = []").unwrap_err(), "there is no key `exclud`; there are `exclude`, `docs`");
        assert_eq!(Overrides::parse("exclude = [1]").unwrap_err(), "`exclude` holds texts, and here is one of type integer");
        assert!(Overrides::parse("docs = 1").unwrap_err().starts_with("`docs` is a table"));
    }
}
