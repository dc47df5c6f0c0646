//! Rust names that Python cannot take as they are.

/// Words that Python reserves. Rust reserves some of them too.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try",
    "while", "with", "yield",
];

/// Other parameters of a ufunc's call, beside `out`, `out1`, `out2`, ...
const PARAMETERS: &[&str] = &["self", "where", "casting", "order", "dtype", "subok", "signature", "threads", "kwargs"];

/// Names that every module has beside its kernels.
const MODULE: &[&str] = &["isa", "variants"];

/// A kernel's argument as a Python parameter: `lambda` becomes `lambda_`.
pub(crate) fn parameter(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let output = name.strip_prefix("out").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
    let taken = output || KEYWORDS.contains(&name) || PARAMETERS.contains(&name);
    format!("{name}{}", if taken { "_" } else { "" })
}

/// Why a kernel (or what else `what` says it is) cannot have this name in Python, if it cannot.
pub(crate) fn refusal(what: &str, name: &str) -> Option<String> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    if KEYWORDS.contains(&name) {
        return Some(format!("{what} `{name}` cannot be exported: the name is a Python keyword; rename it, for example `{name}_`"));
    }
    if MODULE.contains(&name) {
        return Some(format!("{what} `{name}` cannot be exported: every module has a function `{name}()`; rename it"));
    }
    None
}

/// Why an argument of a function or a field of a struct (`part` of `whole`) cannot have this name in Python, if it cannot.
pub(crate) fn part_refusal(whole: &str, part: &str, name: &str) -> Option<String> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let message =
        || format!("{part} `{name}` of `{whole}` cannot be exported: the name is a Python keyword; rename it, for example `{name}_`");
    KEYWORDS.contains(&name).then(message)
}

/// Why a submodule cannot have this name in Python, if it cannot; `taken`: whether something of the module around it has it.
pub(crate) fn submodule_refusal(name: &str, taken: bool) -> Option<String> {
    if KEYWORDS.contains(&name) {
        return Some(format!("submodule `{name}` cannot be made: the name is a Python keyword; rename it, for example `{name}_`"));
    }
    if MODULE.contains(&name) {
        return Some(format!("submodule `{name}` cannot be made: every module has a function `{name}()`; rename it"));
    }
    taken.then(|| format!("submodule `{name}` cannot be made: something is exported under that name too; rename one"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters() {
        assert_eq!(parameter("x"), "x");
        assert_eq!(parameter("lambda"), "lambda_");
        assert_eq!(parameter("r#where"), "where_");
        assert_eq!(parameter("out"), "out_");
        assert_eq!(parameter("out2"), "out2_");
        assert_eq!(parameter("outer"), "outer");
    }

    #[test]
    fn refusals() {
        assert_eq!(refusal("kernel", "gelu"), None);
        assert!(refusal("kernel", "lambda").is_some_and(|text| text.contains("Python keyword")));
        assert!(refusal("function", "isa").is_some_and(|text| text.contains("`isa()`")));
        assert_eq!(part_refusal("f", "argument", "x"), None);
        assert!(part_refusal("f", "argument", "r#lambda").is_some_and(|text| text.contains("argument `lambda` of `f`")));
        assert_eq!(submodule_refusal("math", false), None);
        assert!(submodule_refusal("math", true).is_some_and(|text| text.contains("something is exported")));
        assert!(submodule_refusal("lambda", false).is_some_and(|text| text.contains("Python keyword")));
        assert!(submodule_refusal("variants", false).is_some_and(|text| text.contains("`variants()`")));
    }
}
