//! `#[python_export]` on ordinary functions and on structs.
//!
//! The same way as for kernels, on a small scale: attributes and types are read into a model, the wrapper for Python is made of the
//! model, and so is the stub, by the user's build script.

pub mod attr;
pub mod function;
mod lower;
pub mod structure;
pub mod ty;

pub use function::ExportedFunction;
pub use structure::ExportedStruct;

use proc_macro2::TokenStream;
use quote::quote;

/// Expands `#[python_export(attr)] item`, where no `#[kernel]` has read the attribute.
pub fn expand(attr: TokenStream, item: TokenStream, crate_name: &str) -> TokenStream {
    let wrapper = match syn::parse2::<syn::Item>(item.clone()) {
        Ok(syn::Item::Fn(function)) => ExportedFunction::parse(attr, &function).map(|f| lower::function(&f)),
        Ok(syn::Item::Struct(structure)) => ExportedStruct::parse(attr, &structure).map(|s| lower::structure(&s, crate_name)),
        // Half typed: what is missing is the news.
        Err(e) if is_one(&item) => Err(e),
        _ => Err(misplaced(&item)),
    };
    let wrapper = wrapper.unwrap_or_else(|e| e.into_compile_error());
    quote!(#item #wrapper)
}

/// Whether it is to be a function or a struct.
fn is_one(item: &TokenStream) -> bool {
    item.clone().into_iter().any(|t| matches!(t, proc_macro2::TokenTree::Ident(t) if t == "fn" || t == "struct"))
}

/// The error on what is neither a free function nor a struct. A method is an `fn` with `self`, which [`function`] rejects.
fn misplaced(item: &TokenStream) -> syn::Error {
    crate::error::Source::of(item).error(
        "this item cannot be exported to Python; put `#[python_export]` on a free function or a struct with named fields, below `#[kernel(..)]` on a kernel, because nothing else has a form in Python",
    )
}
