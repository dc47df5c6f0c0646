//! The kernel language: from a Rust function to its forms.
//!
//! ```text
//! syn::ItemFn --parse--> tree (model::Kernel, model::Helper) --check--> typed tree --lower--> tokens
//! ```
//!
//! - [`parse`]: syn to our own [`tree`]. Every syn variant is matched on purpose: supported, or rejected at its span with
//!   a next step.
//! - [`check`]: names, mutability and types. What rustc alone can know (the type of a helper of another crate) stays open
//!   here and is left to rustc's inference; everything else is settled and reported once, whatever the dtypes and levels.
//! - [`hoist`]: an exit in the middle of an expression becomes a statement of its own before it.
//! - [`export`]: ordinary functions and structs for Python; [`overrides`]: names that they have there alone.
//! - [`cuda`]: the text in CUDA C++, with the feature `cuda`.
//! - [`lower`]: the plain function (the reference), the function over lanes, and the items that make a kernel callable.
//!
//! # Invariants
//! - No panic: bad input gives a [`syn::Error`].
//! - Nothing is dropped: a form is lowered as Rust means it, or rejected.
//! - Generated code names everything by absolute path below one root ([`paths::Root`]); its locals have mixed-site hygiene,
//!   its type parameters the reserved prefix [`paths::RESERVED`].

pub mod block;
pub mod builtin;
pub mod check;
pub mod cuda;
pub mod dtype;
pub mod error;
pub mod export;
pub mod flow;
pub mod hoist;
mod layout;
pub mod lower;
pub mod model;
pub mod overrides;
pub mod parse;
pub mod paths;
pub mod report;
mod surroundings;
pub mod tree;
pub mod walk;
pub mod walk_mut;

use proc_macro2::TokenStream;

/// Expands `#[kernel(attr)] item`.
pub fn expand_kernel(attr: TokenStream, item: TokenStream) -> TokenStream {
    if let Ok(item) = syn::parse2::<syn::ItemStruct>(item.clone()) {
        return expand_struct(attr, &item);
    }
    expand(item, |item| {
        let attr = parse::attr::KernelAttr::parse(attr)?;
        if attr.signature.is_some() {
            return Ok(block::item::kernel(&block::kernel(attr, item)?));
        }
        Ok(lower::item::kernel(&parse::kernel(attr, item)?))
    })
}

/// Expands `#[kernel(attr)] struct ..`.
fn expand_struct(attr: TokenStream, item: &syn::ItemStruct) -> TokenStream {
    let expanded = parse::attr::struct_(attr).and_then(|root| parse::structure::check(item).map(|()| lower::structure::items(item, &root)));
    expanded.unwrap_or_else(|e| {
        let e = e.into_compile_error();
        quote::quote!(#item #e)
    })
}

/// The lines of the [`report`] on `#[kernel(attr)] item`; `None` for what is no kernel, which [`expand_kernel`] tells the user.
pub fn report_kernel(attr: TokenStream, item: TokenStream, crate_name: &str, levels: &[report::Levels]) -> Option<String> {
    let item = syn::parse2::<syn::ItemFn>(item).ok()?;
    let attr = parse::attr::KernelAttr::parse(attr).ok()?;
    if attr.signature.is_some() {
        let kernel = block::kernel(attr, &item).ok()?;
        return Some(report::text(&(&kernel).into(), crate_name, levels));
    }
    let kernel = parse::kernel(attr, &item).ok()?;
    Some(report::text(&(&kernel).into(), crate_name, levels))
}

/// Expands `#[always_inline(attr)] item`.
pub fn expand_always_inline(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand(item, |item| {
        let helper = model::Helper::parse(attr, item)?;
        Ok(lower::item::helper(&helper))
    })
}

/// Expands a `#[python_export(attr)] item` that no `#[kernel]` has read: an ordinary function, or a struct. `crate_name`: of the crate
/// that it stands in, which is the name of the Python module.
pub fn expand_python_export(attr: TokenStream, item: TokenStream, crate_name: &str) -> TokenStream {
    export::expand(attr, item, crate_name)
}

/// Expands a `#[parameter]` that no `#[kernel]` has read.
pub fn misplaced_parameter(_attr: TokenStream, item: TokenStream) -> TokenStream {
    let message = "`parameter` cannot stand here; write it on an argument of a kernel (`#[parameter(16, 32)] tile: i32`), because variants are a kernel's";
    let error = syn::Error::new(proc_macro2::Span::call_site(), message).into_compile_error();
    quote::quote!(#error #item)
}

fn expand(item: TokenStream, f: impl FnOnce(&syn::ItemFn) -> syn::Result<TokenStream>) -> TokenStream {
    let parsed = match syn::parse2::<syn::ItemFn>(item.clone()) {
        Ok(parsed) => parsed,
        Err(mut e) => {
            let mut tokens = item.clone().into_iter();
            if !tokens.any(|t| matches!(t, proc_macro2::TokenTree::Ident(t) if t == "fn")) {
                e = syn::Error::new(
                    e.span(),
                    "this item cannot be a kernel or a helper; put the attribute on a free function (`fn`), or `kernel` on a struct, because nothing else has a form for lanes",
                );
            }
            let e = e.into_compile_error();
            return quote::quote!(#e #item);
        }
    };
    if let Some(e) = method(&parsed) {
        return lower::item::method_after_error(&parsed, &e);
    }
    match f(&parsed) {
        Ok(tokens) => tokens,
        Err(e) => lower::item::after_error(&parsed, &e),
    }
}

/// The error of a function that stands in an `impl` or a `trait`, as `self`, `Self` or its file tell.
fn method(item: &syn::ItemFn) -> Option<syn::Error> {
    fn of_impl(tokens: TokenStream) -> Option<proc_macro2::Ident> {
        tokens.into_iter().find_map(|token| match token {
            proc_macro2::TokenTree::Ident(name) if name == "Self" => Some(name),
            proc_macro2::TokenTree::Group(group) => of_impl(group.stream()),
            _ => None,
        })
    }
    if let Some(receiver) = item.sig.receiver() {
        return Some(error::Source::of(receiver).error(parse::signature::METHOD));
    }
    if let Some(name) = of_impl(quote::ToTokens::to_token_stream(&item.sig)) {
        return Some(error::Source::of(&name).error(parse::signature::METHOD));
    }
    let name = &item.sig.ident;
    surroundings::is_member(name).then(|| {
        error::Source::of(name).error(format!(
            "a kernel or a helper cannot stand in an `impl` or a `trait`; move it out (`fn {name}(..)` beside the `impl`), because a type of the same name stands beside each"
        ))
    })
}
