//! Items: the function as the user calls it, and the enum of the same name that carries the forms of its body.
//!
//! An enum and not a module, because its functions see the names that the user's function sees, wherever it stands.

use super::choice::{self, variant_args};
use super::forms::{calls, lanes, outside, plain, source, variant_form, variant_lanes};
use crate::dtype::Dtype;
use crate::model::{Export, Function, Helper, Kernel, Parameter, Reduction, Ty};
use crate::overrides::Published;
use crate::parse::attr;
use crate::paths;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// The items of a helper.
pub fn helper(helper: &Helper) -> TokenStream {
    let f = &helper.function;
    let (outside, plain, marker, calls, lanes) = (outside(f), plain(f, true), marker(f, ""), calls(f), lanes(f));
    let cuda = crate::cuda::item::constant(f);
    let name = &f.item.sig.ident;
    let cfgs = attr::cfgs(&f.item.attrs);
    quote! {
        #outside
        #marker
        #plain
        #(#cfgs)*
        #[automatically_derived]
        impl #name { #calls #lanes #cuda }
    }
}

/// The items of a kernel.
pub fn kernel(kernel: &Kernel) -> TokenStream {
    let f = &kernel.function;
    let name = &kernel.name;
    let doc = format!("Kernel `{name}` over arrays: [`{name}::map`].");
    let (outside, plain, marker, calls, lanes) = (outside(f), plain(f, false), marker(f, &doc), calls(f), lanes(f));
    let (map, info, variant_lanes) = (map(kernel), info(kernel), variant_lanes(f));
    let (cuda, cuda_kernel) = (crate::cuda::item::constant(f), crate::cuda::item::kernel(kernel));
    let cfgs = attr::cfgs(&f.item.attrs);
    let all = kernel.choices.iter().enumerate().flat_map(|(k, choice)| kernel.variants.iter().map(move |dtypes| (k, choice, dtypes)));
    let variants = all.map(|(k, choice, dtypes)| variant(kernel, dtypes, k, choice));
    let export = submission(f, name, kernel.export.as_ref(), "__submit_export");
    let report = crate::report::VARIABLE;
    // A kernel that runs over arrays alone is used all the same. By the last constant Cargo knows when the report is asked for.
    quote! {
        #[allow(dead_code)]
        #outside
        #marker
        #plain
        #(#cfgs)*
        #[automatically_derived]
        impl #name { #calls #lanes #variant_lanes #map #cuda }
        #(#variants)*
        #info
        #cuda_kernel
        #export
        const _: ::core::option::Option<&::core::primitive::str> = ::core::option_env!(#report);
    }
}

/// Puts a kernel into the crate's Python module, if it is published there.
pub(crate) fn submission(f: &Function, name: &Ident, export: Option<&Export>, macro_: &str) -> Option<TokenStream> {
    let Published { module, name: text, is_listed } = Published::of(export?.module.as_deref(), &unraw(name));
    let (submit, cfgs) = (f.root.macro_(macro_), attr::cfgs(&f.item.attrs));
    is_listed.then(|| quote!(#(#cfgs)* #submit! { #name, #module, #text }))
}

/// What stands in for a function with errors: it can be named and called, so that the errors are the only ones.
pub fn after_error(item: &syn::ItemFn, e: &syn::Error) -> TokenStream {
    let (vis, name, function) = (&item.vis, &item.sig.ident, method_after_error(item, e));
    quote! {
        #function
        #[doc(hidden)]
        #[allow(unused, nonstandard_style, clippy::all)]
        #vis enum #name {}
    }
}

/// The same for a method, beside which no enum can stand.
pub fn method_after_error(item: &syn::ItemFn, e: &syn::Error) -> TokenStream {
    let error = e.to_compile_error();
    let mut sig = item.sig.clone();
    for arg in &mut sig.inputs {
        match arg {
            syn::FnArg::Typed(arg) => arg.attrs.clear(),
            syn::FnArg::Receiver(arg) => arg.attrs.clear(),
        }
    }
    for param in &mut sig.generics.params {
        if let syn::GenericParam::Const(c) = param {
            c.attrs.clear();
        }
    }
    // The body stays, so that an editor goes on completing in it, but rustc does not compile it.
    let (vis, block) = (&item.vis, &item.block);
    quote! {
        #error
        #[allow(unused, nonstandard_style, missing_docs, unexpected_cfgs, clippy::all)]
        #vis #sig {
            #[cfg(rust_analyzer)]
            return #block;
            ::core::unreachable!()
        }
    }
}

/// The enum beside the function.
pub(crate) fn marker(f: &Function, doc: &str) -> TokenStream {
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

/// `name::map(..)`
fn map(kernel: &Kernel) -> TokenStream {
    let f = &kernel.function;
    let (vis, name) = (&f.item.vis, &kernel.name);
    let private = |item: &str| f.root.private(item);
    let (kernel_trait, input, output, error) = (private("MapKernel"), private("Input"), private("Output"), private("Error"));
    let generics: Vec<TokenStream> = f.item.sig.generics.params.iter().map(ToTokens::to_token_stream).collect();
    let ty = |ty: &Ty| match ty {
        Ty::Dtype(d) => f.root.dtype(*d),
        Ty::Param(k) => kernel.type_params.get(*k).map_or_else(TokenStream::new, |p| p.name.to_token_stream()),
    };
    let in_tys: Vec<TokenStream> = kernel.operands.iter().map(|o| ty(&o.ty)).collect();
    let out_tys: Vec<TokenStream> = kernel.results.iter().map(ty).collect();
    let in_params: Vec<Ident> = (0..in_tys.len()).map(|k| format_ident!("__LanecraftIn{k}")).collect();
    let out_params: Vec<Ident> = (0..out_tys.len()).map(|k| format_ident!("__LanecraftOut{k}")).collect();
    let out_names: Vec<Ident> = (0..out_tys.len()).map(|k| output_name(k, out_tys.len(), kernel)).collect();
    // The arguments stand in the user's order, parameters among them.
    // With const generics users name the generics (`name::map::<f32, 4>(..)`), so that those of the arrays have to be nameless.
    let nameless = !f.consts.is_empty();
    let in_args: Vec<TokenStream> =
        in_params.iter().zip(&in_tys).map(|(p, t)| if nameless { quote!(impl #input<#t>) } else { quote!(#p) }).collect();
    let out_args: Vec<TokenStream> =
        out_params.iter().zip(&out_tys).map(|(p, t)| if nameless { quote!(impl #output<#t>) } else { quote!(#p) }).collect();
    let arrays = (!nameless).then(|| quote!(#(#in_params: #input<#in_tys>,)* #(#out_params: #output<#out_tys>),*));
    let mut operand_types = in_args.iter();
    let args = f.item.sig.inputs.iter().zip(&f.args).filter_map(|(arg, (id, _))| {
        let syn::FnArg::Typed(arg) = arg else { return None };
        let name = hygienic(&f.vars.get(*id)?.name);
        let ty = &arg.ty;
        let is_parameter = f.parameters.iter().any(|p| p.var == Some(*id));
        if is_parameter { Some(quote!(#name: #ty)) } else { operand_types.next().map(|ty| quote!(#name: #ty)) }
    });
    let args: Vec<TokenStream> = args.collect();
    let where_ = f.item.sig.generics.where_clause.as_ref().map(|w| {
        let predicates = w.predicates.iter();
        quote!(#(#predicates,)*)
    });
    let generic_args: Vec<TokenStream> = kernel.type_params.iter().map(|p| p.name.to_token_stream()).collect();
    let bounds = kernel.choices.iter().enumerate().filter(|_| !kernel.type_params.is_empty()).map(|(k, choice)| {
        let args = variant_args(f, &generic_args, k);
        let uniform = run_time_types(kernel, choice);
        quote!(#name: #kernel_trait<#args, In = (#(#in_tys,)* #(#uniform,)*), Out = (#(#out_tys,)*)>,)
    });
    let bounds: Vec<TokenStream> = bounds.collect();
    let doc = map_doc(kernel);
    let body = map_body(kernel, &generic_args, &out_names);
    quote! {
        #[doc = #doc]
        #[allow(dead_code, nonstandard_style, clippy::too_many_arguments, clippy::missing_errors_doc)]
        #vis fn map<#(#generics,)* #arrays>(#(#args,)* #(#out_names: #out_args),*) -> ::core::result::Result<(), #error>
        where #where_ #(#bounds)*
        {
            #body
        }
    }
}

fn map_doc(kernel: &Kernel) -> String {
    let arguments = kernel.operands.iter().map(|o| format!("`{}`", o.name)).collect::<Vec<_>>().join(", ");
    let mut doc = format!(
        "Runs the kernel on arrays: {arguments} broadcast against the shape of the outputs; a value stands for an array of equal elements, \
         `InPlace` for the first output's own elements.\n\n"
    );
    for p in &kernel.parameters {
        let values = p.values.iter().map(|v| format!("`{v}`")).collect::<Vec<_>>().join(", ");
        let others = if p.run_time { ", or another, which is not specialised for" } else { "" };
        doc.push_str(&format!("Parameter `{}` is one of {values}{others}.\n\n", p.name));
    }
    doc.push_str("# Errors\nShapes that do not broadcast; an element without a value (an integer division by zero, an index out of range); a CPU level asked for that is not there");
    doc.push_str(if kernel.parameters.is_empty() { "." } else { "; a parameter's value that no variant is built for." });
    doc
}

/// Finds the choice that the parameters' values make, and runs it.
fn map_body(kernel: &Kernel, generic_args: &[TokenStream], out_names: &[Ident]) -> TokenStream {
    let f = &kernel.function;
    let private = |item: &str| f.root.private(item);
    let (input, output, run) = (private("Input"), private("Output"), private("map"));
    let name = &kernel.name;
    let in_names: Vec<Ident> = kernel.operands.iter().map(|o| hygienic(&o.name)).collect();
    let m = Literal::usize_unsuffixed(out_names.len());
    let call = |k: usize, choice: &[Option<usize>]| {
        let args = variant_args(f, generic_args, k);
        let run_time: Vec<TokenStream> = run_time(kernel, choice).map(|p| run_time_value(kernel, p)).collect();
        let n = Literal::usize_unsuffixed(in_names.len() + run_time.len());
        quote!(#run::<#name, #args, #n, #m>(
            [#(#input::into_operand(#in_names),)* #(#input::into_operand(#run_time)),*], [#(#output::into_operand(#out_names)),*]
        ))
    };
    if kernel.parameters.is_empty() {
        return call(0, &[]);
    }
    choice::dispatch(f, &kernel.choices, call)
}

/// The parameters that a choice leaves to the run time.
fn run_time<'k>(kernel: &'k Kernel, choice: &'k [Option<usize>]) -> impl Iterator<Item = &'k Parameter> {
    kernel.parameters.iter().zip(choice).filter(|(_, value)| value.is_none()).map(|(p, _)| p)
}

/// The value of one of them, as an operand: of a `usize`, as a `u64`.
fn run_time_value(kernel: &Kernel, p: &Parameter) -> TokenStream {
    let name = hygienic(&p.name);
    let is_size = kernel.function.item.sig.inputs.iter().any(|arg| match arg {
        syn::FnArg::Typed(arg) => {
            let named = matches!(&*arg.pat, syn::Pat::Ident(pat) if pat.ident == p.name);
            named && matches!(&*arg.ty, syn::Type::Path(ty) if ty.path.is_ident("usize") || ty.path.is_ident("isize"))
        }
        syn::FnArg::Receiver(_) => false,
    });
    match p.dtype.filter(|_| is_size) {
        Some(dtype) => {
            let dtype = kernel.function.root.dtype(dtype);
            quote!(#name as #dtype)
        }
        None => name.into_token_stream(),
    }
}

/// Their operand types.
fn run_time_types(kernel: &Kernel, choice: &[Option<usize>]) -> Vec<TokenStream> {
    let uniform = kernel.function.root.private("Uniform");
    run_time(kernel, choice)
        .filter_map(|p| p.dtype)
        .map(|d| {
            let d = kernel.function.root.dtype(d);
            quote!(#uniform<#d>)
        })
        .collect()
}

/// The kernel on one choice of dtypes and parameter values.
fn variant(kernel: &Kernel, dtypes: &[Dtype], k: usize, choice: &[Option<usize>]) -> TokenStream {
    let f = &kernel.function;
    let name = &kernel.name;
    let private = |item: &str| f.root.private(item);
    let (kernel_trait, isa_trait, cx_ty, pack) = (private("MapKernel"), private("Isa"), private("Cx"), private("Pack"));
    let (isa, cx, x) = (paths::isa_param(), paths::cx(), Ident::new("__lanecraft_x", Span::mixed_site()));
    let (checked, lane) = (private("Checked"), private("lane"));
    let names: Vec<TokenStream> = dtypes.iter().map(|d| f.root.dtype(*d)).collect();
    let args = variant_args(f, &names, k);
    let types = |tys: &mut dyn Iterator<Item = Ty>| -> Vec<TokenStream> {
        tys.filter_map(|t| t.resolve(dtypes)).map(|d| f.root.dtype(d)).collect()
    };
    let inputs = types(&mut kernel.operands.iter().map(|o| o.ty));
    let outputs = types(&mut kernel.results.iter().copied());
    let uniform = run_time_types(kernel, choice);
    // Operands come from the pack, then the run-time values; a chosen value is a constant. The form over lanes takes parameters as single
    // values, the plain one as any other.
    let values = |plain: bool| -> Vec<TokenStream> {
        let (mut operand, mut extra) = (0, inputs.len());
        let values = f.args.iter().map(|(id, _)| match kernel.parameters.iter().position(|p| p.var == Some(*id)) {
            None => {
                operand += 1;
                let k = Literal::usize_unsuffixed(operand - 1);
                quote!(#x.#k)
            }
            Some(at) => match choice.get(at).copied().flatten() {
                Some(value) => {
                    let (cx, value) = (if plain { quote!(#cx) } else { quote!(#cx.scalar()) }, choice::chosen(f, at, value));
                    quote!(#lane::splat(#cx, #value))
                }
                None => {
                    extra += 1;
                    let k = Literal::usize_unsuffixed(extra - 1);
                    if plain { quote!(#lane::spread(#cx, #x.#k)) } else { quote!(#x.#k) }
                }
            },
        });
        values.collect()
    };
    let generics = choice::generics(f, &names, choice);
    // A tuple is the result as it stands; a single value becomes one.
    let results = |call: TokenStream| if matches!(f.output, crate::tree::Type::Tuple(_)) { call } else { quote!((#call,)) };
    let (form, in_lanes, plain) = (Ident::new(variant_form(f), Span::mixed_site()), values(false), values(true));
    let call = results(quote!(<#name>::#form::<#(#generics,)* #isa>(#cx, #(#in_lanes),*)));
    let checked_call = results(quote!(<#name>::plain::<#(#generics,)* #checked>(#cx, #(#plain),*)));
    let cfgs = attr::cfgs(&f.item.attrs);
    let gang = private(&format!("Gang{}", kernel.gang));
    quote! {
        #(#cfgs)*
        #[automatically_derived]
        impl #kernel_trait<#args> for #name {
            type In = (#(#inputs,)* #(#uniform,)*);
            type Out = (#(#outputs,)*);
            type Gang = #gang;
            #[inline(always)]
            fn gang<#isa: #isa_trait>(#cx: #cx_ty<'_, #isa>, #x: <Self::In as #pack>::Lanes<#isa>) -> <Self::Out as #pack>::Lanes<#isa> {
                #call
            }
            #[cold]
            #[inline(never)]
            fn checked(#cx: #cx_ty<'_, #checked>, #x: <Self::In as #pack>::Lanes<#checked>) -> <Self::Out as #pack>::Lanes<#checked> {
                #checked_call
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
    let (text, docs, source) = (unraw(name), &kernel.docs, source(f));
    let arguments = kernel.operands.iter().map(|o| unraw(&o.name));
    let outputs = Literal::usize_unsuffixed(kernel.results.len());
    let parameters = choice::parameters(f);
    let all = kernel.choices.iter().enumerate().flat_map(|(k, choice)| kernel.variants.iter().map(move |dtypes| (k, choice, dtypes)));
    let variants = all.map(|(k, choice, dtypes)| {
        let names: Vec<TokenStream> = dtypes.iter().map(|d| f.root.dtype(*d)).collect();
        let args = variant_args(f, &names, k);
        let choosing = choice::choosing(choice);
        quote!(#variant::of::<#name, #args>() #choosing)
    });
    let cfgs = attr::cfgs(&f.item.attrs);
    let reduction = match kernel.export.as_ref().and_then(|export| export.reduction.as_ref()) {
        None => quote!(InOrder),
        Some((_, Reduction::AnyOrder)) => quote!(AnyOrder),
        Some((_, Reduction::FromInt(value))) => quote!(FromInt(#value)),
        Some((_, Reduction::FromFloat(value))) if value.is_finite() => quote!(FromFloat(#value)),
        Some((_, Reduction::FromFloat(value))) => {
            let infinity = Ident::new(if *value > 0.0 { "INFINITY" } else { "NEG_INFINITY" }, Span::mixed_site());
            quote!(FromFloat(::core::primitive::f64::#infinity))
        }
        Some((_, Reduction::FromBool(value))) => quote!(FromBool(#value)),
    };
    let reduction_type = private("Reduction");
    quote! {
        #(#cfgs)*
        #[automatically_derived]
        impl #kernel_trait for #name {
            const INFO: #info = #info {
                name: #text,
                doc: #docs,
                source: #source,
                arguments: &[#(#arguments),*],
                outputs: #outputs,
                reduction: #reduction_type::#reduction,
                parameters: &[#parameters],
                variants: &[#(#variants),*],
            };
        }
    }
}

/// What output `k` of `n` is called: `out`, or with several `out0`, `out1`; longer where an operand or a
/// parameter has that name.
fn output_name(k: usize, n: usize, kernel: &Kernel) -> Ident {
    let mut name = if n == 1 { "out".to_owned() } else { format!("out{k}") };
    while kernel.operands.iter().any(|o| o.name == name) || kernel.parameters.iter().any(|p| p.name == name) {
        name.push('_');
    }
    Ident::new(&name, Span::mixed_site())
}

/// The name without `r#`.
pub(crate) fn unraw(name: &Ident) -> String {
    let text = name.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}

/// The user's name for a variable of generated code.
pub(crate) fn hygienic(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(name.span().resolved_at(Span::mixed_site()));
    name
}
