//! The forms of a function's body: the function as the user calls it, and what the enum of its name carries.

use super::Mode;
use super::body::{self, Lower};
use super::choice::parameter_value;
use super::item::hygienic;
use crate::layout;
use crate::model::{Function, Parameter};
use crate::parse::attr;
use crate::paths;
use crate::tree::{Type, View};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

/// The function as the user calls it: it hands its arguments to the body over single values.
pub(crate) fn outside(f: &Function) -> TokenStream {
    outside_with(f, TokenStream::new())
}

/// The same, with something in front.
pub(crate) fn outside_with(f: &Function, first: TokenStream) -> TokenStream {
    let (attrs, vis, name, cx) = (&f.item.attrs, &f.item.vis, &f.item.sig.ident, paths::cx());
    let (entry, lane) = (f.root.private("plain"), f.root.private("lane"));
    let mut sig = f.item.sig.clone();
    let mut args = Vec::new();
    for (arg, (_, ty)) in sig.inputs.iter_mut().zip(&f.args) {
        // What rustc says of an argument it says of the body's.
        if let syn::FnArg::Typed(arg) = arg
            && let syn::Pat::Ident(pat) = &mut *arg.pat
        {
            pat.mutability = None;
            pat.ident = hygienic(&pat.ident);
            let name = &pat.ident;
            let value = match ty {
                Type::View(view) => array(f, view, name),
                _ => {
                    let value = crate::block::item::wide(&arg.ty, name.to_token_stream());
                    quote!(#lane::constant(#cx, #value))
                }
            };
            args.push(value);
        }
    }
    let numbers = f.parameters.iter().filter(|p| p.dtype.is_none()).map(number_of);
    let turbofish = turbofish_of_form(f);
    let call = quote!(#entry::call(|#cx| <#name>::plain #turbofish (#cx #(, #args)*)));
    let call = crate::block::item::narrow(&f.item.sig.output, call);
    let body = quote!(#first #(#numbers)* #call);
    // In the user's braces: rustc takes a function with braces of a macro for the macro's, and does not warn when it is never
    // used.
    let mut body = Group::new(Delimiter::Brace, body);
    body.set_span(f.body.source.start);
    let attrs = attrs.iter().filter(|a| !is_of_body(a));
    quote!(#(#attrs)* #vis #sig #body)
}

/// The function as the user wrote it, but for its attributes.
pub(crate) fn source(f: &Function) -> String {
    let (vis, sig, block) = (&f.item.vis, &f.item.sig, &f.item.block);
    // Of the braces and what is in them rustc has the text, comments included.
    let body = block.brace_token.span.join().source_text().unwrap_or_else(|| block.to_token_stream().to_string());
    format!("{} {body}", layout::text(quote!(#vis #sig)))
}

/// An array as the body takes it.
fn array(f: &Function, view: &View, value: &Ident) -> TokenStream {
    let module = f.root.private("block");
    match (view.slice, view.mutable) {
        (true, false) => quote!(#module::slice(#value)),
        (true, true) => quote!(#module::slice_mut(#value)),
        (false, _) => quote!(#value.__raw()),
    }
}

/// In the body, an enum parameter is the number of its value.
fn number_of(p: &Parameter) -> TokenStream {
    let name = hygienic(&p.name);
    let arms = p.values.iter().enumerate().map(|(k, value)| {
        let (value, k) = (parameter_value(value), number(k));
        quote!(#value => #k,)
    });
    let message = format!("parameter `{}` has a value that is not among the kernel's", p.name);
    quote! {
        #[allow(unreachable_patterns)]
        let #name = match #name { #(#arms)* _ => ::core::panic!(#message) };
    }
}

/// The number of an enum parameter's value.
pub(crate) fn number(value: usize) -> TokenStream {
    Literal::i32_suffixed(i32::try_from(value).unwrap_or(i32::MAX)).to_token_stream()
}

/// The body over single values. Its variables are the user's, and so are rustc's warnings about them: it bears no `allow` of
/// rustc's lints (clippy's speak of operators and literals, which are not there any more) and stands apart from what is `automatically_derived`.
pub(crate) fn plain(f: &Function, may_be_unused: bool) -> TokenStream {
    let lower = Lower::new(f, Mode::Plain, &[]);
    let (vis, name, cx) = (&f.item.vis, &f.item.sig.ident, paths::cx());
    let (cx_ty, isa, isa_trait) = (f.root.private("Cx"), paths::isa_param(), f.root.private(if f.is_block() { "Single" } else { "Isa" }));
    let (generics, where_) = (&f.item.sig.generics.params, &f.item.sig.generics.where_clause);
    let comma = (!generics.is_empty() && !generics.trailing_punct()).then(|| quote!(,));
    let in_file = body::name("in_file");
    let (args, output) = (args(f, &lower, &[]), lower.ty(&f.output));
    let levels = ["allow", "warn", "deny", "forbid"];
    let lints = f.item.attrs.iter().filter(|a| is_of_body(a) || levels.iter().any(|l| a.path().is_ident(l)));
    let cfgs = attr::cfgs(&f.item.attrs);
    // Who calls this form uses the function, and rustc is to see it.
    let used = may_be_unused.then(|| {
        let (used, turbofish) = (Ident::new("__lanecraft_used", Span::mixed_site()), turbofish(f));
        quote! {
            fn #used<#generics>() #where_ { let _ = #name #turbofish; }
            let _ = #used #turbofish;
        }
    });
    let body = lower.body();
    quote! {
        #(#cfgs)*
        impl #name {
            #[doc(hidden)]
            #[inline]
            #[allow(clippy::all, clippy::pedantic)]
            #(#lints)*
            #vis fn plain<#generics #comma #isa: #isa_trait>(#cx: #cx_ty<'_, #isa>, #(#args),*) -> #output #where_ {
                #used
                let #cx = #cx.#in_file(::core::file!());
                #body
            }
        }
    }
}

/// Whether an attribute expects a warning that the body draws: on the function that the user calls it would be disappointed.
fn is_of_body(attr: &syn::Attribute) -> bool {
    const LINTS: &[&str] = &[
        "unused",
        "unused_assignments",
        "unused_labels",
        "unused_must_use",
        "unused_mut",
        "unused_parens",
        "unused_variables",
        "unreachable_code",
    ];
    let metas = || attr.parse_args_with(syn::punctuated::Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated);
    attr.path().is_ident("expect") && metas().is_ok_and(|metas| metas.iter().any(|m| LINTS.iter().any(|l| m.path().is_ident(l))))
}

/// `::<T, N>`, where there are any.
fn turbofish(f: &Function) -> TokenStream {
    let generics = f.item.sig.generics.split_for_impl().1;
    generics.as_turbofish().to_token_stream()
}

/// The same for a form of the body, whose level comes last.
fn turbofish_of_form(f: &Function) -> TokenStream {
    let names = f.item.sig.generics.params.iter().filter_map(|p| match p {
        syn::GenericParam::Type(t) => Some(&t.ident),
        syn::GenericParam::Const(c) => Some(&c.ident),
        syn::GenericParam::Lifetime(_) => None,
    });
    quote!(::<#(#names,)* _>)
}

/// The arguments of a form of the body. `parameters` are single values.
fn args(f: &Function, lower: &Lower<'_>, parameters: &[Parameter]) -> Vec<TokenStream> {
    let args = f.args.iter().filter_map(|(id, ty)| {
        let var = f.vars.get(*id)?;
        let is_parameter = parameters.iter().any(|p| p.var == Some(*id));
        let ty = if is_parameter { lower.to_plain().ty(ty) } else { lower.ty(ty) };
        let (mutable, name) = (var.mutable, &var.name);
        Some(quote!(#mutable #name: #ty))
    });
    args.collect()
}

/// A constant that names those of the functions that are called: with functions that call each other in a circle, rustc
/// reports it. Lane code computes both sides of each `if`, so recursion would never end.
pub(crate) fn calls(f: &Function) -> TokenStream {
    let vis = &f.item.vis;
    let constant = Ident::new("__LANECRAFT_CALLS", Span::mixed_site());
    let calls = body::calls(&f.body).into_iter().map(|mut path| {
        if let Some(last) = path.segments.last_mut() {
            last.arguments = syn::PathArguments::None;
        }
        let span = path.span();
        let constant = Ident::new("__LANECRAFT_CALLS", span.resolved_at(Span::mixed_site()));
        quote_spanned!(span=> <#path>::#constant)
    });
    quote! {
        #[doc(hidden)]
        #[allow(unused, clippy::all, clippy::pedantic)]
        #vis const #constant: () = { #(#calls;)* };
    }
}

/// The body over lanes, for kernels that call this function: a parameter is an argument as any other there.
pub(crate) fn lanes(f: &Function) -> TokenStream {
    over_lanes(f, "lanes", &[])
}

/// The body over lanes for the variants of a kernel: a parameter is a single value, which a variant fixes.
pub(super) fn variant_lanes(f: &Function) -> TokenStream {
    if f.parameters.iter().all(|p| p.var.is_none()) { TokenStream::new() } else { over_lanes(f, variant_form(f), &f.parameters) }
}

/// The form that a kernel's variants call.
pub(super) fn variant_form(f: &Function) -> &'static str {
    if f.parameters.iter().all(|p| p.var.is_none()) { "lanes" } else { "__lanecraft_variant" }
}

/// The body over lanes, where `parameters` are single values.
fn over_lanes(f: &Function, name: &str, parameters: &[Parameter]) -> TokenStream {
    let lower = Lower::new(f, Mode::Lane, parameters);
    let (vis, isa, cx) = (&f.item.vis, paths::isa_param(), paths::cx());
    let (isa_trait, cx_ty) = (f.root.private("Isa"), f.root.private("Cx"));
    let generics = &f.item.sig.generics.params;
    let comma = (!generics.is_empty() && !generics.trailing_punct()).then(|| quote!(,));
    let where_ = &f.item.sig.generics.where_clause;
    let (args, output) = (args(f, &lower, parameters), lower.ty(&f.output));
    let body = lower.body();
    let name = Ident::new(name, Span::mixed_site());
    quote! {
        #[doc(hidden)]
        #[inline(always)]
        #[allow(unused, nonstandard_style, clippy::all, clippy::pedantic)]
        #vis fn #name<#generics #comma #isa: #isa_trait>(#cx: #cx_ty<'_, #isa>, #(#args),*) -> #output #where_ { #body }
    }
}

/// The body of a block kernel over lanes: what it takes and gives are single values and arrays.
pub(crate) fn block_lanes(f: &Function) -> TokenStream {
    let lower = Lower::block_kernel(f);
    let (vis, isa, cx) = (&f.item.vis, paths::isa_param(), paths::cx());
    let (isa_trait, cx_ty) = (f.root.private("Isa"), f.root.private("Cx"));
    let generics = &f.item.sig.generics.params;
    let comma = (!generics.is_empty() && !generics.trailing_punct()).then(|| quote!(,));
    let where_ = &f.item.sig.generics.where_clause;
    let (args, output) = (args(f, &lower, &[]), lower.ty(&f.output));
    let body = lower.body();
    quote! {
        #[doc(hidden)]
        #[inline(always)]
        #[allow(unused, nonstandard_style, clippy::all, clippy::pedantic)]
        #vis fn lanes<#generics #comma #isa: #isa_trait>(#cx: #cx_ty<'_, #isa>, #(#args),*) -> #output #where_ { #body }
    }
}
