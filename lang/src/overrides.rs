//! What `pybind-gen.toml` makes of the names of exports, and how it travels from the build script to the macros: one line, which is what Cargo
//! takes as an environment variable of the compiler.
//!
//! The macros name things by it, so that all that is made of an export has its name in Python: messages of PyO3's too.

use std::collections::{BTreeMap, BTreeSet};

/// The environment variable.
pub const VARIABLE: &str = "LANECRAFT_OVERRIDES";

/// Between entries, and between the parts of one: ASCII's own separators.
const ENTRY: char = '\u{1d}';
const PART: char = '\u{1e}';

/// What a module publishes otherwise than its sources say. A path is a name, or a submodule and a name: `gelu`, `math.sin`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Paths in the sources that are not published.
    pub exclude: BTreeSet<String>,
    /// Paths by paths in the sources; submodules by submodules.
    pub names: BTreeMap<String, String>,
}

/// Where an export is in Python.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Published {
    /// The submodule; empty for the module itself.
    pub(crate) module: String,
    pub(crate) name: String,
    /// Whether it is there at all.
    pub(crate) is_listed: bool,
}

impl Published {
    /// Of an export of the crate that is compiled.
    pub(crate) fn of(module: Option<&str>, name: &str) -> Self {
        let path = module.map_or_else(|| name.to_owned(), |module| format!("{module}.{name}"));
        let published = Overrides::of_line(&std::env::var(VARIABLE).unwrap_or_default()).published(&path);
        let is_listed = published.is_some();
        let path = published.unwrap_or(path);
        let (module, name) = parts(&path);
        Self { module: module.to_owned(), name: name.to_owned(), is_listed }
    }
}

impl Overrides {
    /// The path that an export has, if it is published.
    pub fn published(&self, path: &str) -> Option<String> {
        if self.exclude.contains(path) {
            return None;
        }
        if let Some(own) = self.names.get(path) {
            return Some(own.clone());
        }
        let renamed = path.split_once('.').and_then(|(module, name)| Some(format!("{}.{name}", self.names.get(module)?)));
        Some(renamed.unwrap_or_else(|| path.to_owned()))
    }

    /// The line.
    pub fn to_line(&self) -> String {
        let excluded = self.exclude.iter().map(|path| path.to_owned());
        let named = self.names.iter().map(|(from, to)| format!("{from}{PART}{to}"));
        excluded.chain(named).collect::<Vec<_>>().join(&ENTRY.to_string())
    }

    /// What a line says.
    fn of_line(line: &str) -> Self {
        let mut overrides = Self::default();
        for entry in line.split(ENTRY) {
            match entry.split_once(PART) {
                Some((from, to)) => drop(overrides.names.insert(from.to_owned(), to.to_owned())),
                // An empty line has one empty entry.
                None if entry.is_empty() => {}
                None => drop(overrides.exclude.insert(entry.to_owned())),
            }
        }
        overrides
    }
}

/// A path's submodule, which may be empty, and its name.
pub fn parts(path: &str) -> (&str, &str) {
    path.split_once('.').unwrap_or(("", path))
}

#[cfg(test)]
mod tests {
    use super::{Overrides, Published};

    #[test]
    fn paths() {
        let mut overrides = Overrides::default();
        overrides.exclude.insert("math.half".to_owned());
        for (from, to) in [("gelu", "nn.gelu"), ("math", "elementary"), ("math.sin", "sine")] {
            overrides.names.insert(from.to_owned(), to.to_owned());
        }
        let published = |path| overrides.published(path);
        assert_eq!(published("math.half"), None);
        assert_eq!(published("gelu").as_deref(), Some("nn.gelu"));
        assert_eq!(published("math.cos").as_deref(), Some("elementary.cos"));
        assert_eq!(published("math.sin").as_deref(), Some("sine"));
        assert_eq!(published("sin").as_deref(), Some("sin"));
        assert_eq!(Overrides::of_line(&overrides.to_line()), overrides);
        assert_eq!(Overrides::of_line(""), Overrides::default());
    }

    #[test]
    fn without_a_build_script_names_are_those_of_the_sources() {
        let plain = Published { module: "math".to_owned(), name: "sin".to_owned(), is_listed: true };
        assert_eq!(Published::of(Some("math"), "sin"), plain);
    }
}
