//! `pybind-gen.toml`, beside `Cargo.toml`: what a module publishes otherwise than its sources say.
//!
//! ```toml
//! exclude = ["scratch", "math.half"]   # exported in Rust, and not in Python
//!
//! [names]                              # names in Rust, and in Python; `linalg` is a submodule with all that is in it
//! gelu_tanh = "gelu"
//! "math.ln" = "math.log"
//! linalg = "matrices"
//!
//! [docs]                               # docstrings of submodules; the module's own stands in `python_module!`
//! math = "Elementary functions."
//! ```
//!
//! The build script reads it for the stub, and hands it to the macros and the module ([`Overrides::variables`]), so that all say the same.

use super::Error;
use super::sources::{Exported, Found};
use crate::docs::{self, Docs};
use lanecraft_lang::overrides;
use std::collections::BTreeMap;
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
    said: overrides::Overrides,
    docs: Docs,
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
        let (said, docs) = parse(&text).map_err(|e| Error::new(format!("{}: {e}", file.display())))?;
        Ok(Self { file, said, docs })
    }

    /// Names and values of the environment variables by which the macros and the module get it.
    pub fn variables(&self) -> [(&'static str, String); 2] {
        [(overrides::VARIABLE, self.said.to_line()), (docs::VARIABLE, docs::to_line(&self.docs))]
    }

    /// A submodule's docstring.
    pub(super) fn docs(&self, module: &str) -> &str {
        self.docs.get(module).map_or("", String::as_str)
    }

    /// The exports that are published, by the names that they have in Python.
    ///
    /// # Errors
    /// The file says something of what is not there: a name that was changed in the sources, or misspelt; a struct is excluded, and what is
    /// published names it.
    pub(super) fn publish(&self, exports: Vec<Found>) -> Result<Vec<Found>, Error> {
        let refused = |text: String| Err(Error::new(format!("{}: {text}", self.file.display())));
        let is_export = |path: &str| exports.iter().any(|found| found.path() == path);
        let is_module = |name: &str| exports.iter().any(|found| found.export.submodule() == Some(name));
        if let Some(path) = self.said.exclude.iter().find(|path| !is_export(path)) {
            return refused(format!("`exclude` names `{path}`, and nothing of that name is exported"));
        }
        if let Some(path) = self.said.names.keys().find(|path| !is_export(path) && !is_module(path)) {
            return refused(format!("`names` names `{path}`, and nothing of that name is exported"));
        }
        let mut published = Vec::new();
        // Names of classes by those of their structs; none where the struct is excluded.
        let mut classes = BTreeMap::new();
        for mut found in exports {
            let path = self.said.published(&found.path());
            let (module, name) = path.as_deref().map_or(("", ""), overrides::parts);
            if matches!(found.export, Exported::Struct(_)) {
                classes.insert(found.export.name().to_string(), path.is_some().then(|| name.to_owned()));
            }
            if path.is_some() {
                found.export.rename(module, name);
                published.push(found);
            }
        }
        for found in &mut published {
            let mut excluded = None;
            found.export.each_struct(&mut |named| match classes.get(&named.to_string()) {
                Some(Some(class)) => *named = proc_macro2::Ident::new(class, named.span()),
                Some(None) => excluded = Some(named.to_string()),
                // Of another crate.
                None => {}
            });
            if let Some(name) = excluded {
                let (what, by) = (found.export.what(), found.export.name());
                return refused(format!("`exclude` names `{name}`, which {what} `{by}` needs; exclude that too, or publish both"));
            }
        }
        let has = |module: &str| published.iter().any(|found| found.export.submodule() == Some(module));
        match self.docs.keys().find(|module| !has(module)) {
            Some(module) => refused(format!("`docs` names `{module}`, and there is no such submodule")),
            None => Ok(published),
        }
    }
}

/// Reads the file's text.
fn parse(text: &str) -> Result<(overrides::Overrides, Docs), String> {
    let (mut overrides, mut docs) = (overrides::Overrides::default(), Docs::new());
    for (key, value) in text.parse::<Table>().map_err(|e| e.to_string())? {
        match (key.as_str(), value) {
            ("exclude", Value::Array(names)) => {
                for name in names {
                    overrides.exclude.insert(string("exclude", name)?);
                }
            }
            ("names", Value::Table(names)) => {
                for (from, to) in names {
                    let to = string(&format!("names.{from}"), to)?;
                    // A submodule stays one.
                    let is_path = to.split('.').count() <= 2 && to.split('.').all(|part| syn::parse_str::<syn::Ident>(part).is_ok());
                    if !is_path {
                        return Err(format!(
                            "`names` calls `{from}` `{to}`, and that is no name in a module; write `\"name\"` or `\"submodule.name\"`"
                        ));
                    }
                    overrides.names.insert(from, to);
                }
            }
            ("docs", Value::Table(texts)) => {
                for (module, text) in texts {
                    let text = string(&format!("docs.{module}"), text)?;
                    docs.insert(module, text);
                }
            }
            ("exclude", _) => return Err("`exclude` is a list of names; write `exclude = [\"scratch\", \"math.half\"]`".to_owned()),
            ("names", _) => return Err("`names` is a table of names; write `[names]` and `gelu_tanh = \"gelu\"` below it".to_owned()),
            ("docs", _) => return Err("`docs` is a table of texts; write `[docs]` and `math = \"..\"` below it".to_owned()),
            (other, _) => return Err(format!("there is no key `{other}`; there are `exclude`, `names`, `docs`")),
        }
    }
    Ok((overrides, docs))
}

fn string(key: &str, value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(format!("`{key}` holds texts, and here is one of type {}", other.type_str())),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn files() {
        let text =
            "exclude = [\"a\", \"math.b\"]\n[names]\na = \"c\"\n\"math.d\" = \"math.e\"\n[docs]\nmath = \"\"\"\nOne.\n\nTwo.\"\"\"\n";
        let (read, docs) = parse(text).unwrap();
        assert_eq!(read.exclude.iter().collect::<Vec<_>>(), ["a", "math.b"]);
        assert_eq!((read.names["a"].as_str(), read.names["math.d"].as_str()), ("c", "math.e"));
        assert_eq!(docs["math"], "One.\n\nTwo.");
        assert_eq!(parse("exclud = []").unwrap_err(), "there is no key `exclud`; there are `exclude`, `names`, `docs`");
        assert_eq!(parse("exclude = [1]").unwrap_err(), "`exclude` holds texts, and here is one of type integer");
        assert!(parse("docs = 1").unwrap_err().starts_with("`docs` is a table"));
        assert!(parse("names = 1").unwrap_err().starts_with("`names` is a table"));
        for to in ["a.b.c", "2", "a b", ""] {
            let text = format!("`names` calls `f` `{to}`, and that is no name in a module; write `\"name\"` or `\"submodule.name\"`");
            assert_eq!(parse(&format!("[names]\nf = \"{to}\"")).unwrap_err(), text);
        }
    }
}
