//! The imports of a stub: what its text names, sorted as ruff sorts.

use super::Home;
use super::text::WIDTH;
use std::collections::BTreeMap;

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
    let mut modules: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, module) in home.classes.iter().filter(|(_, module)| module.as_deref() != home.name) {
        modules.entry(format!(".{}", module.as_deref().unwrap_or_default())).or_default().push(name);
    }
    // As ruff sorts them: names in capitals are constants to it, and come first.
    let is_constant = |name: &str| name.len() > 1 && !name.contains(char::is_lowercase);
    for names in modules.values_mut() {
        names.sort_by_key(|name| (!is_constant(name), *name));
    }
    modules.iter().map(|(module, names)| import(module, names, text)).collect()
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
