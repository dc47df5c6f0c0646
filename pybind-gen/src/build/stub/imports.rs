//! The imports of a stub: what its text names, sorted as ruff sorts.

use super::Home;
use super::text::WIDTH;

/// What is taken from Python's own modules.
const MODULES: [(&str, &[&str]); 2] = [
    ("collections.abc", &["Mapping", "Sequence"]),
    (
        "typing",
        &[
            "Any",
            "Final",
            "Literal",
            "Protocol",
            "SupportsFloat",
            "SupportsIndex",
            "TypeAlias",
            "TypedDict",
            "final",
            "overload",
            "type_check_only",
        ],
    ),
];

/// The imports of a stub with this text.
pub(super) fn of(text: &str, submodules: &[String], home: &Home<'_>) -> String {
    let standard: String = MODULES.iter().map(|(module, names)| import(module, names, text)).collect();
    let mut others = String::new();
    if text.contains("np.") {
        others += "import numpy as np\n";
    }
    others += &import("numpy.typing", &["NDArray"], text);
    others += &import("typing_extensions", &["TypeVar", "Unpack"], text);
    let mut local: String = submodules.iter().map(|name| format!("from . import {name} as {name}\n")).collect();
    local += &classes(text, home);
    [standard, others, local].into_iter().filter(|group| !group.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Classes of other modules of the package.
fn classes(text: &str, home: &Home<'_>) -> String {
    let elsewhere = home.classes.iter().filter(|(name, module)| module.as_deref() != home.name && has_word(text, name));
    let mut lines: Vec<String> = elsewhere
        .map(|(name, module)| match module {
            None => format!("from . import {name}\n"),
            Some(module) => format!("from .{module} import {name}\n"),
        })
        .collect();
    lines.sort();
    lines.concat()
}

/// `from module import ..`, of those of `names` that the text has.
fn import(module: &str, names: &[&str], text: &str) -> String {
    let used: Vec<&str> = names.iter().copied().filter(|name| has_word(text, name)).collect();
    if used.is_empty() {
        return String::new();
    }
    let line = format!("from {module} import {}\n", used.join(", "));
    if line.len() <= WIDTH {
        return line;
    }
    let names: String = used.iter().map(|name| format!("    {name},\n")).collect();
    format!("from {module} import (\n{names})\n")
}

/// Whether a name stands in a text as a word of its own.
fn has_word(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}
