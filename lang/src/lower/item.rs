//! Items: the plain function, and the enum of the same name that carries the other forms.
//!
//! An enum and not a module, because its functions see the names that the user's function sees, wherever it stands.

use super::Mode;
use super::body::Lower;
use crate::dtype::Dtype;
use crate::model::{Function, Helper, Kernel, Operand, Ty};
use crate::parse::attr;
use crate::paths;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// The items of a helper.
pub fn helper(helper: &Helper) -> TokenStream {
    let f = &helper.function;
    let (plain, marker, calls, lanes) = (plain(f), marker(f, ""), calls(f), lanes(f));
    let name = &f.item.sig.ident;
    let cfgs = attr::cfgs(&f.item.attrs);
    quote! {
        #plain
        #marker
        #(#cfgs)*
        #[automatically_derived]
        impl #name { #calls #lanes }
    }
}

/// The items of a kernel.
pub fn kernel(kernel: &Kernel) -> TokenStream {
    let f = &kernel.function;
    let name = &kernel.name;
    let doc = format!("Kernel `{name}` over arrays: [`{name}::map`].");
    let (plain, marker, calls, lanes) = (plain(f), marker(f, &doc), calls(f), lanes(f));
    let (map, info) = (map(kernel), info(kernel));
    let cfgs = attr::cfgs(&f.item.attrs);
    let variants = kernel.variants.iter().map(|v| variant(kernel, v));
    let export = kernel.exported.then(|| {
        let submit = f.root.macro_("__submit_export");
        let cfgs = cfgs.clone();
        quote!(#(#cfgs)* #submit! { #name })
    });
    // A kernel that runs over arrays alone is used all the same.
    quote! {
        #[allow(dead_code)]
        #plain
        #marker
        #(#cfgs)*
        #[automatically_derived]
        impl #name { #calls #lanes #map }
        #(#variants)*
        #info
        #export
    }
}

/// What stands in for a function with errors: it can be named and called, so that the errors are the only ones.
pub fn after_error(item: &syn::ItemFn, e: &syn::Error) -> TokenStream {
    let error = e.to_compile_error();
    let mut item = item.clone();
    item.attrs.clear();
    for arg in &mut item.sig.inputs {
        if let syn::FnArg::Typed(arg) = arg {
            arg.attrs.clear();
        }
    }
    // The body stays, so that an editor goes on completing in it, but rustc does not compile it.
    let (vis, sig, block) = (&item.vis, &item.sig, &item.block);
    let name = &sig.ident;
    quote! {
        #error
        #[doc(hidden)]
        #[allow(unused, nonstandard_style, clippy::all)]
        #vis enum #name {}
        #[allow(unused, nonstandard_style, missing_docs, unexpected_cfgs, clippy::all)]
        #vis #sig {
            #[cfg(rust_analyzer)]
            return #block;
            ::core::unreachable!()
        }
    }
}

/// The function as the user wrote it, its body in the kernel language's meaning.
fn plain(f: &Function) -> TokenStream {
    let (attrs, vis, sig) = (&f.item.attrs, &f.item.vis, &f.item.sig);
    let body = Lower::new(f, Mode::Plain).body();
    quote!(#(#attrs)* #vis #sig #body)
}

/// The enum beside the function.
fn marker(f: &Function, doc: &str) -> TokenStream {
    let (vis, name) = (&f.item.vis, &f.item.sig.ident);
    let docs = if doc.is_empty() { quote!(#[doc(hidden)]) } else { quote!(#[doc = #doc]) };
    let cfgs = attr::cfgs(&f.item.attrs);
    quote! {
        #(#cfgs)*
        #docs
        #[allow(nonstandard_style, dead_code, missing_debug_implementations, clippy::empty_enums)]
        #vis enum #name {}
    }
}

/// A constant that names those of the functions that are called: with functions that call each other in a circle, rustc
/// reports it. Lane code computes both sides of each `if`, so recursion would never end.
fn calls(f: &Function) -> TokenStream {
    let vis = &f.item.vis;
    let constant = Ident::new("__LANECRAFT_CALLS", Span::mixed_site());
    let calls = super::body::calls(&f.body).into_iter().map(|mut path| {
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

/// The function over lanes.
fn lanes(f: &Function) -> TokenStream {
    let lower = Lower::new(f, Mode::Lane);
    let (vis, isa, cx) = (&f.item.vis, paths::isa_param(), paths::cx());
    let (isa_trait, cx_ty) = (f.root.private("Isa"), f.root.private("Cx"));
    let generics = &f.item.sig.generics.params;
    let comma = (!generics.is_empty() && !generics.trailing_punct()).then(|| quote!(,));
    let where_ = &f.item.sig.generics.where_clause;
    let args = f.args.iter().filter_map(|(id, ty)| {
        let var = f.vars.get(*id)?;
        let (mutable, name, ty) = (var.mutable, &var.name, lower.ty(ty));
        Some(quote!(#mutable #name: #ty))
    });
    let (output, body) = (lower.ty(&f.output), lower.body());
    quote! {
        #[doc(hidden)]
        #[inline(always)]
        #[allow(unused, nonstandard_style, clippy::all, clippy::pedantic)]
        #vis fn lanes<#generics #comma #isa: #isa_trait>(#cx: #cx_ty<'_, #isa>, #(#args),*) -> #output #where_ #body
    }
}

/// `name::map(..)`
fn map(kernel: &Kernel) -> TokenStream {
    let f = &kernel.function;
    let (vis, name) = (&f.item.vis, &kernel.name);
    let private = |item: &str| f.root.private(item);
    let (kernel_trait, input, output, error, run) =
        (private("MapKernel"), private("Input"), private("Output"), private("Error"), private("map"));
    let generics: Vec<TokenStream> = f.item.sig.generics.params.iter().map(ToTokens::to_token_stream).collect();
    let type_args = kernel.type_params.iter().map(|p| &p.name);
    let type_args = quote!((#(#type_args,)*));
    let ty = |ty: &Ty| match ty {
        Ty::Dtype(d) => dtype(*d).to_token_stream(),
        Ty::Param(k) => kernel.type_params.get(*k).map_or_else(TokenStream::new, |p| p.name.to_token_stream()),
    };
    let in_tys: Vec<TokenStream> = kernel.operands.iter().map(|o| ty(&o.ty)).collect();
    let out_tys: Vec<TokenStream> = kernel.results.iter().map(ty).collect();
    let in_params: Vec<Ident> = (0..in_tys.len()).map(|k| format_ident!("__LanecraftIn{k}")).collect();
    let out_params: Vec<Ident> = (0..out_tys.len()).map(|k| format_ident!("__LanecraftOut{k}")).collect();
    let in_names: Vec<Ident> = kernel.operands.iter().map(|o| hygienic(&o.name)).collect();
    let out_names: Vec<Ident> = (0..out_tys.len()).map(|k| output_name(k, out_tys.len(), &kernel.operands)).collect();
    let where_ = f.item.sig.generics.where_clause.as_ref().map(|w| {
        let predicates = w.predicates.iter();
        quote!(#(#predicates,)*)
    });
    let bound =
        (!kernel.type_params.is_empty()).then(|| quote!(#name: #kernel_trait<#type_args, In = (#(#in_tys,)*), Out = (#(#out_tys,)*)>,));
    let arguments = kernel.operands.iter().map(|o| format!("`{}`", o.name)).collect::<Vec<_>>().join(", ");
    let doc = format!(
        "Runs the kernel on arrays: {arguments} broadcast against the shape of the outputs; a value stands for an array of equal elements, \
         `InPlace` for the first output's own elements.\n\n# Errors\nShapes that do not broadcast; an integer division by zero; a CPU level asked for that is not there."
    );
    let (n, m) = (Literal::usize_unsuffixed(in_tys.len()), Literal::usize_unsuffixed(out_tys.len()));
    quote! {
        #[doc = #doc]
        #[allow(dead_code, nonstandard_style, clippy::too_many_arguments, clippy::missing_errors_doc)]
        #vis fn map<#(#generics,)* #(#in_params: #input<#in_tys>,)* #(#out_params: #output<#out_tys>),*>(
            #(#in_names: #in_params,)* #(#out_names: #out_params),*
        ) -> ::core::result::Result<(), #error>
        where #where_ #bound
        {
            #run::<#name, #type_args, #n, #m>([#(#input::into_operand(#in_names)),*], [#(#output::into_operand(#out_names)),*])
        }
    }
}

/// The kernel on one choice of dtypes.
fn variant(kernel: &Kernel, choice: &[Dtype]) -> TokenStream {
    let f = &kernel.function;
    let name = &kernel.name;
    let private = |item: &str| f.root.private(item);
    let (kernel_trait, isa_trait, cx_ty, pack) = (private("MapKernel"), private("Isa"), private("Cx"), private("Pack"));
    let (isa, cx, x) = (paths::isa_param(), paths::cx(), Ident::new("__lanecraft_x", Span::mixed_site()));
    let args = choice.iter().map(|d| dtype(*d));
    let types = |tys: &mut dyn Iterator<Item = Ty>| -> Vec<Ident> { tys.filter_map(|t| t.resolve(choice)).map(dtype).collect() };
    let inputs = types(&mut kernel.operands.iter().map(|o| o.ty));
    let outputs = types(&mut kernel.results.iter().copied());
    let fields = (0..inputs.len()).map(Literal::usize_unsuffixed);
    let turbofish = choice.iter().map(|d| dtype(*d));
    let call = quote!(<#name>::lanes::<#(#turbofish,)* #isa>(#cx, #(#x.#fields),*));
    // A tuple is the result as it stands; a single value becomes one.
    let call = if matches!(f.output, crate::tree::Type::Tuple(_)) { call } else { quote!((#call,)) };
    let cfgs = attr::cfgs(&f.item.attrs);
    quote! {
        #(#cfgs)*
        #[automatically_derived]
        impl #kernel_trait<(#(#args,)*)> for #name {
            type In = (#(#inputs,)*);
            type Out = (#(#outputs,)*);
            #[inline(always)]
            fn gang<#isa: #isa_trait>(#cx: #cx_ty<'_, #isa>, #x: <Self::In as #pack>::Lanes<#isa>) -> <Self::Out as #pack>::Lanes<#isa> {
                #call
            }
        }
    }
}

/// The kernel as data.
fn info(kernel: &Kernel) -> TokenStream {
    let f = &kernel.function;
    let name = &kernel.name;
    let private = |item: &str| f.root.private(item);
    let (kernel_trait, info, variant) = (private("Kernel"), private("KernelInfo"), private("Variant"));
    let (text, docs) = (unraw(name), &kernel.docs);
    let arguments = kernel.operands.iter().map(|o| unraw(&o.name));
    let outputs = Literal::usize_unsuffixed(kernel.results.len());
    let variants = kernel.variants.iter().map(|choice| {
        let args = choice.iter().map(|d| dtype(*d));
        quote!(#variant::of::<#name, (#(#args,)*)>())
    });
    let cfgs = attr::cfgs(&f.item.attrs);
    quote! {
        #(#cfgs)*
        #[automatically_derived]
        impl #kernel_trait for #name {
            const INFO: #info = #info {
                name: #text,
                doc: #docs,
                arguments: &[#(#arguments),*],
                outputs: #outputs,
                variants: &[#(#variants),*],
            };
        }
    }
}

/// What output `k` of `n` is called: `out`, or with several `out0`, `out1`; longer where an operand has that name.
fn output_name(k: usize, n: usize, operands: &[Operand]) -> Ident {
    let mut name = if n == 1 { "out".to_owned() } else { format!("out{k}") };
    while operands.iter().any(|o| o.name == name) {
        name.push('_');
    }
    Ident::new(&name, Span::mixed_site())
}

/// The name without `r#`.
fn unraw(name: &Ident) -> String {
    let text = name.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}

/// The user's name for a variable of generated code.
fn hygienic(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(name.span().resolved_at(Span::mixed_site()));
    name
}

fn dtype(d: Dtype) -> Ident {
    Ident::new(d.name(), Span::mixed_site())
}
