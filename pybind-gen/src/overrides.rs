//! What `pybind-gen.toml` says, and how it travels from the build script to the module: one line, which is what Cargo takes as an environment
//! variable.

use std::collections::{BTreeMap, BTreeSet};

/// The environment variable of the compiler by which the module gets it.
#[cfg(feature = "build")]
pub(crate) const VARIABLE: &str = "LANECRAFT_OVERRIDES";

/// Between entries, between the parts of one, and for a line's end in a text: ASCII's own separators.
const ENTRY: char = '\u{1d}';
const PART: char = '\u{1e}';
const LINE: char = '\u{1f}';

/// What a module publishes otherwise than its sources say. A path is a name, or a submodule and a name: `gelu`, `math.sin`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Overrides {
    /// Paths in the sources that are not published.
    pub(crate) exclude: BTreeSet<String>,
    /// Paths by paths in the sources; submodules by submodules.
    pub(crate) names: BTreeMap<String, String>,
    /// Docstrings by submodule, as it is published.
    pub(crate) docs: BTreeMap<String, String>,
}

impl Overrides {
    /// The path that an export has, if it is published.
    pub(crate) fn published(&self, path: &str) -> Option<String> {
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
    #[cfg(feature = "build")]
    pub(crate) fn to_line(&self) -> String {
        let excluded = self.exclude.iter().map(|path| format!("exclude{PART}{path}{PART}"));
        let named = self.names.iter().map(|(from, to)| format!("names{PART}{from}{PART}{to}"));
        let documented =
            self.docs.iter().map(|(module, text)| format!("docs{PART}{module}{PART}{}", text.replace('\n', &LINE.to_string())));
        excluded.chain(named).chain(documented).collect::<Vec<_>>().join(&ENTRY.to_string())
    }

    /// What a line says.
    #[cfg(any(feature = "runtime", test))]
    pub(crate) fn of_line(line: &str) -> Self {
        let mut overrides = Self::default();
        for entry in line.split(ENTRY) {
            let mut parts = entry.splitn(3, PART).map(str::to_owned);
            match (parts.next().as_deref(), parts.next(), parts.next()) {
                (Some("exclude"), Some(path), _) => drop(overrides.exclude.insert(path)),
                (Some("names"), Some(from), Some(to)) => drop(overrides.names.insert(from, to)),
                (Some("docs"), Some(module), Some(text)) => drop(overrides.docs.insert(module, text.replace(LINE, "\n"))),
                // An empty line.
                _ => {}
            }
        }
        overrides
    }
}

/// A path's submodule, which may be empty, and its name.
pub(crate) fn parts(path: &str) -> (&str, &str) {
    path.split_once('.').unwrap_or(("", path))
}

#[cfg(all(test, feature = "build"))]
mod tests {
    use super::Overrides;

    #[test]
    fn paths() {
        let mut overrides = Overrides::default();
        overrides.exclude.insert("math.half".to_owned());
        for (from, to) in [("gelu", "nn.gelu"), ("math", "elementary"), ("math.sin", "sine")] {
            overrides.names.insert(from.to_owned(), to.to_owned());
        }
        overrides.docs.insert("nn".to_owned(), "One.\n\nTwo.".to_owned());
        let published = |path| overrides.published(path);
        assert_eq!(published("math.half"), None);
        assert_eq!(published("gelu").as_deref(), Some("nn.gelu"));
        assert_eq!(published("math.cos").as_deref(), Some("elementary.cos"));
        assert_eq!(published("math.sin").as_deref(), Some("sine"));
        assert_eq!(published("sin").as_deref(), Some("sin"));
        assert_eq!(Overrides::of_line(&overrides.to_line()), overrides);
        assert_eq!(Overrides::of_line(""), Overrides::default());
    }
}
