//! Structs: a class each.

use super::function::{def, incoming, outgoing, unraw};
use super::text::docstring;
use lanecraft_lang::export::ExportedStruct;
use lanecraft_lang::export::structure::Field;

/// `class Name:`
pub(super) fn class(s: &ExportedStruct) -> String {
    let docs = if s.docs.trim().is_empty() { String::new() } else { docstring(&s.docs, 4) };
    let properties: String = s.fields.iter().filter(|field| !field.is_array()).map(property).collect();
    let arrays: Vec<&Field> = s.fields.iter().filter(|field| field.is_array()).collect();
    let buffers: Vec<&Field> = arrays.iter().copied().filter(|field| field.is_buffer()).collect();
    let mut methods = if s.is_open { constructor(s) } else { String::new() };
    methods += &by_field(&arrays, "as_tensor", &["/", "*", "writable: bool = False"]);
    methods += &by_field(&buffers, "take", &["/"]);
    let parts: Vec<String> = [docs, properties, methods].into_iter().filter(|part| !part.is_empty()).collect();
    let body = if parts.is_empty() { "    ...\n".to_owned() } else { parts.join("\n") };
    format!("@final\nclass {}:\n{body}", unraw(&s.name))
}

/// `__new__`, which takes all fields.
fn constructor(s: &ExportedStruct) -> String {
    let fields = s.fields.iter().map(|field| format!("{}: {}", unraw(&field.name), incoming(&field.ty)));
    let parameters: Vec<String> = std::iter::once("cls".to_owned()).chain(fields).collect();
    def("__new__", &parameters, &unraw(&s.name), "", 4)
}

/// A property, with its documentation behind it.
fn property(field: &Field) -> String {
    let docs = if field.docs.trim().is_empty() { String::new() } else { docstring(&field.docs, 4) };
    format!("    {}: {}\n{docs}", unraw(&field.name), outgoing(&field.ty))
}

/// A method of array fields: an overload for each.
fn by_field(fields: &[&Field], method: &str, rest: &[&str]) -> String {
    let overload = |field: &&Field| {
        let name = format!("field: Literal[\"{}\"]", unraw(&field.name));
        let parameters: Vec<String> = ["self".to_owned(), name].into_iter().chain(rest.iter().map(|p| (*p).to_owned())).collect();
        let mark = if fields.len() > 1 { "    @overload\n" } else { "" };
        format!("{mark}{}", def(method, &parameters, &outgoing(&field.ty), "", 4))
    };
    fields.iter().map(overload).collect()
}
