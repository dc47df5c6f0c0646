//! Ordinary functions.
//!
//! What comes is as wide as what is accepted (`SupportsFloat`, `Sequence[str]`), what goes is exact.

use super::text::{WIDTH, docstring};
use super::types::scalar;
use lanecraft_lang::export::ExportedFunction;
use lanecraft_lang::export::function::Kind;
use lanecraft_lang::export::ty::Type;
use std::fmt::Write;

/// `def name(..) -> ..:`
pub(super) fn definition(f: &ExportedFunction) -> String {
    let mut parameters = Vec::new();
    for (k, argument) in f.arguments.iter().enumerate() {
        let kind_at = |k: Option<usize>| k.and_then(|k| f.arguments.get(k)).map(|argument| argument.kind);
        if argument.kind == Kind::Keyword && kind_at(k.checked_sub(1)) != Some(Kind::Keyword) {
            parameters.push("*".to_owned());
        }
        let default = argument.default.as_ref().map_or(String::new(), |default| format!(" = {}", default.python()));
        parameters.push(format!("{}: {}{default}", unraw(&argument.name), incoming(&argument.ty)));
        if argument.kind == Kind::Positional && kind_at(Some(k + 1)) != Some(Kind::Positional) {
            parameters.push("/".to_owned());
        }
    }
    def(&unraw(&f.name), &parameters, &outgoing(&f.output), &f.docs, 0)
}

/// A definition, in one line if it fits.
pub(super) fn def(name: &str, parameters: &[String], result: &str, docs: &str, indent: usize) -> String {
    let blank = " ".repeat(indent);
    let line = format!("{blank}def {name}({}) -> {result}:", parameters.join(", "));
    let body = if docs.trim().is_empty() { " ...\n".to_owned() } else { format!("\n{}", docstring(docs, indent + 4)) };
    // A body of dots stands in the same line.
    let dots = if body.starts_with(' ') { 4 } else { 0 };
    if line.chars().count() + dots <= WIDTH {
        return line + &body;
    }
    let mut out = format!("{blank}def {name}(\n");
    for parameter in parameters {
        let _ = writeln!(out, "{blank}    {parameter},");
    }
    let last = format!("{blank}) -> {result}:");
    out += &if last.chars().count() + dots <= WIDTH { last } else { broken(&blank, result) };
    out + &body
}

/// A result that does not fit a line: a tuple, an item a line.
fn broken(blank: &str, result: &str) -> String {
    let items = result.strip_prefix("tuple[").and_then(|rest| rest.strip_suffix(']')).unwrap_or(result);
    let mut out = format!("{blank}) -> tuple[\n");
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in items.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                let _ = writeln!(out, "{blank}    {},", items[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let _ = write!(out, "{blank}    {},\n{blank}]:", items[start..].trim());
    out
}

/// The names of arrays by rank, of those ranks that the text has.
pub(super) fn aliases(text: &str) -> String {
    let mut out = String::new();
    for rank in 1..=6 {
        if text.contains(&format!("_Array{rank}[")) {
            let shape = vec!["int"; rank].join(", ");
            let _ = writeln!(out, "_Array{rank}: TypeAlias = np.ndarray[tuple[{shape}], np.dtype[_Scalar]]");
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// What an argument takes.
pub(super) fn incoming(ty: &Type) -> String {
    match ty {
        Type::Bool => "bool | np.bool_".to_owned(),
        Type::Int(_) => "SupportsIndex".to_owned(),
        Type::Float(_) => "SupportsFloat".to_owned(),
        Type::Bytes => "bytes | _Array1[np.uint8]".to_owned(),
        Type::OwnedBytes => "bytes | bytearray".to_owned(),
        Type::List(item) => format!("Sequence[{}]", incoming(item)),
        Type::Optional(inner) => format!("{} | None", incoming(inner)),
        Type::Tuple(items) => format!("tuple[{}]", items.iter().map(incoming).collect::<Vec<_>>().join(", ")),
        // Its keys are no variant of theirs: a mapping of wider keys is another type.
        Type::Dict(key, value) => format!("Mapping[{}, {}]", outgoing(key), incoming(value)),
        Type::Text | Type::String | Type::Array(_) | Type::Struct(..) => outgoing(ty),
    }
}

/// What a function gives.
pub(super) fn outgoing(ty: &Type) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Int(_) => "int".to_owned(),
        Type::Float(_) => "float".to_owned(),
        Type::Text | Type::String => "str".to_owned(),
        Type::Bytes | Type::OwnedBytes => "bytes".to_owned(),
        Type::List(item) => format!("list[{}]", outgoing(item)),
        Type::Optional(inner) => format!("{} | None", outgoing(inner)),
        Type::Tuple(items) if items.is_empty() => "None".to_owned(),
        Type::Tuple(items) => format!("tuple[{}]", items.iter().map(outgoing).collect::<Vec<_>>().join(", ")),
        Type::Dict(key, value) => format!("dict[{}, {}]", outgoing(key), outgoing(value)),
        Type::Array(array) => format!("_Array{}[{}]", array.rank, scalar(array.element)),
        Type::Struct(name, _) => unraw(name),
    }
}

/// The name without `r#`.
pub(super) fn unraw(name: &proc_macro2::Ident) -> String {
    let text = name.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}
