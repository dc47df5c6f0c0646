//! The docstrings of submodules, on their way from the build script to the module: one line, which is what Cargo takes as an environment
//! variable.

use std::collections::BTreeMap;

/// The environment variable of the compiler by which the module gets it.
#[cfg(feature = "build")]
pub(crate) const VARIABLE: &str = "LANECRAFT_DOCS";

/// Between entries, between the parts of one, and for a line's end in a text: ASCII's own separators.
const ENTRY: char = '\u{1d}';
const PART: char = '\u{1e}';
const LINE: char = '\u{1f}';

/// Docstrings by submodule, as it is published.
pub(crate) type Docs = BTreeMap<String, String>;

/// The line.
#[cfg(feature = "build")]
pub(crate) fn to_line(docs: &Docs) -> String {
    let entries = docs.iter().map(|(module, text)| format!("{module}{PART}{}", text.replace('\n', &LINE.to_string())));
    entries.collect::<Vec<_>>().join(&ENTRY.to_string())
}

/// What a line says.
#[cfg(any(feature = "runtime", test))]
pub(crate) fn of_line(line: &str) -> Docs {
    let entries = line.split(ENTRY).filter_map(|entry| entry.split_once(PART));
    entries.map(|(module, text)| (module.to_owned(), text.replace(LINE, "\n"))).collect()
}

#[cfg(all(test, feature = "build"))]
mod tests {
    use super::{Docs, of_line, to_line};

    #[test]
    fn texts_have_lines() {
        let docs: Docs = [("math", "One.\n\nTwo."), ("nn", "")].map(|(module, text)| (module.to_owned(), text.to_owned())).into();
        assert_eq!(of_line(&to_line(&docs)), docs);
        assert!(of_line("").is_empty());
    }
}
