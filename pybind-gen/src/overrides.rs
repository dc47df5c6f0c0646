//! How overrides travel from the build script to the module: one line, which is what Cargo takes as an environment variable.

use std::collections::{BTreeMap, BTreeSet};

/// The environment variable of the compiler by which the module gets it.
#[cfg(feature = "build")]
pub(crate) const VARIABLE: &str = "LANECRAFT_OVERRIDES";

/// Between entries, between the parts of one, and for a line's end in a text: ASCII's own separators.
const ENTRY: char = '\u{1d}';
const PART: char = '\u{1e}';
const LINE: char = '\u{1f}';

/// Names that are not published, and docstrings by module.
#[cfg(any(feature = "runtime", test))]
type Read = (BTreeSet<String>, BTreeMap<String, String>);

/// The line.
#[cfg(feature = "build")]
pub(crate) fn write(exclude: &BTreeSet<String>, docs: &BTreeMap<String, String>) -> String {
    let excluded = exclude.iter().cloned();
    let documented = docs.iter().map(|(module, text)| format!("{module}{PART}{}", text.replace('\n', &LINE.to_string())));
    excluded.chain(documented).collect::<Vec<_>>().join(&ENTRY.to_string())
}

/// What a line says.
#[cfg(any(feature = "runtime", test))]
pub(crate) fn read(line: &str) -> Read {
    let (mut exclude, mut docs) = Read::default();
    for entry in line.split(ENTRY).filter(|entry| !entry.is_empty()) {
        match entry.split_once(PART) {
            None => drop(exclude.insert(entry.to_owned())),
            Some((module, text)) => drop(docs.insert(module.to_owned(), text.replace(LINE, "\n"))),
        }
    }
    (exclude, docs)
}
