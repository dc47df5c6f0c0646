//! Names in C++: the user's, where C++ has no other use for them.

use crate::model::Function;
use proc_macro2::Ident;

/// Words that a name cannot be: C++'s keywords, what the prelude declares globally, and the names of generated code.
const TAKEN: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bf16",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "cx",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "f16",
    "f32",
    "f64",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "i16",
    "i32",
    "i64",
    "i8",
    "if",
    "inline",
    "int",
    "lc",
    "linux",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "u16",
    "u32",
    "u64",
    "u8",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
];

/// A name of the user's. Names in upper case may be macros of a header, names with `__` are the compiler's.
pub fn plain(name: &Ident) -> String {
    of_text(&name.to_string())
}

/// [`plain`] of a name's text.
pub fn of_text(text: &str) -> String {
    let text = text.strip_prefix("r#").unwrap_or(text);
    let mut out = String::new();
    for c in text.trim_start_matches("__lanecraft_").chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            out.push(c);
        } else {
            out.push_str(&format!("u{:x}", c as u32));
        }
    }
    while out.contains("__") {
        out = out.replace("__", "_");
    }
    let shouts = out.len() > 1 && !out.chars().any(|c| c.is_ascii_lowercase());
    let bad_start = !out.starts_with(|c: char| c.is_ascii_alphabetic());
    if bad_start {
        out.insert(0, 'v');
    }
    if shouts || TAKEN.contains(&out.as_str()) {
        out.push('_');
    }
    out
}

/// Names that are given out once.
#[derive(Debug, Default)]
pub struct Given(Vec<String>);

impl Given {
    /// A name like this that is not given out yet.
    pub fn new_name(&mut self, like: &str) -> String {
        let mut name = like.to_owned();
        let mut k = 2;
        while self.0.contains(&name) {
            name = format!("{}{}{k}", like.trim_end_matches('_'), if like.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" });
            if TAKEN.contains(&name.as_str()) {
                name.push('_');
            }
            k += 1;
        }
        self.0.push(name.clone());
        name
    }
}

/// A name for each variable of a function, no two alike; generics keep theirs.
pub fn variables(f: &Function, given: &mut Given) -> Vec<String> {
    for g in &f.generics {
        given.new_name(&plain(&g.name));
    }
    for c in &f.consts {
        given.new_name(&plain(&c.name));
    }
    f.vars.iter().map(|v| given.new_name(&plain(&v.name))).collect()
}
