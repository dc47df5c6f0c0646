//! The items that carry a text: constants of the enum beside the function.
//!
//! A text's gaps are between two `$`:
//!
//! | gap | what fills it |
//! |---|---|
//! | `$n$` | the item's own name |
//! | `$f3$` | the name of the item it needs as number 3: a function |
//! | `$g3$` | the same, where type arguments cannot be found by C++ alone |
//! | `$<$..$>$` | behind one of these: the template arguments, where the function is a template and they are needed |
//! | `$s0$` | the name of a struct |
//! | `$m0$` and `$<$R$=$type$,$field$=$value..$>$` | a literal of a struct: its fields by name, `..` for the base; `R` is the type that is expected |
//! | `$v0$` | the value of constant 0 |
//! | `$t0$` | the name of type 0 |
//! | `$constants$` | the declarations of the constants |

use super::{Need, Text};
use crate::block::BlockKernel;
use crate::lower::item::unraw;
use crate::model::{Function, Kernel, Parameter};
use crate::parse::attr;
use crate::paths::Root;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// Whether texts are made: the feature `cuda`.
pub const ENABLED: bool = cfg!(feature = "cuda");

/// The constant that carries a function's text, for the `impl` of the enum of its name. Nothing without the feature `cuda`.
pub fn constant(f: &Function) -> TokenStream {
    if !ENABLED {
        return TokenStream::new();
    }
    let (vis, item) = (&f.item.vis, item(f));
    let name = Ident::new("__LANECRAFT_CUDA", Span::mixed_site());
    let ty = cuda(f, "Item");
    only(
        &f.root,
        quote! {
            #[doc(hidden)]
            #[allow(unused, clippy::all, clippy::pedantic)]
            #vis const #name: &'static #ty = &#item;
        },
    )
}

/// Tokens for a `lanecraft` with the feature `cuda`. Cargo builds macros once for all crates of a build: another crate's feature may be on here.
pub(super) fn only(root: &Root, tokens: TokenStream) -> TokenStream {
    let name = root.private("cuda_only");
    quote!(#name! { #tokens })
}

fn cuda(f: &Function, name: &str) -> TokenStream {
    let (module, name) = (f.root.private("cuda"), Ident::new(name, Span::mixed_site()));
    quote!(#module::#name)
}

/// The item of a function.
fn item(f: &Function) -> TokenStream {
    let (ty, kind) = (cuda(f, "Item"), cuda(f, "Kind"));
    let (name, docs) = (unraw(&f.item.sig.ident), attr::docs(&f.item.attrs));
    let text = super::function(f);
    let empty = Text { text: String::new(), generic: false, by_result: false, needs: Vec::new(), constants: Vec::new(), types: Vec::new() };
    let (text, missing) = match text {
        Ok(text) => (text, quote!(::core::option::Option::None)),
        Err(super::Missing(what)) => (empty, quote!(::core::option::Option::Some(#what))),
    };
    let Text { text, generic, by_result, needs, constants, types } = text;
    let needs = needs.iter().map(|need| needed(f, need));
    let constants = self::constants(&constants, &f.root);
    quote! {
        #ty {
            name: #name,
            module: ::core::module_path!(),
            file: ::core::file!(),
            line: ::core::line!(),
            docs: #docs,
            kind: #kind::Function { generic: #generic, by_result: #by_result },
            text: #text,
            missing: #missing,
            needs: &[#(#needs),*],
            constants: &[#constants],
            types: &[#(#types),*],
        }
    }
}

/// Constants of a text: their names, and what writes their values.
pub(super) fn constants(constants: &[(String, TokenStream)], root: &Root) -> TokenStream {
    let (module, w) = (root.private("cuda"), Ident::new("__lanecraft_w", Span::mixed_site()));
    let (names, values): (Vec<_>, Vec<_>) = constants.iter().map(|(name, value)| (name, value)).unzip();
    quote!(#(#module::Constant { name: #names, value: |#w| #module::Value::constant(&(#values), #w) }),*)
}

fn needed(f: &Function, need: &Need) -> TokenStream {
    let name = Ident::new("__LANECRAFT_CUDA", Span::mixed_site());
    match need {
        Need::Function(path) => quote!(<#path>::#name),
        Need::Elementary(method) => {
            let (module, method) = (f.root.private("cuda"), Ident::new(method, Span::mixed_site()));
            quote!(#module::elementary::#method::#name)
        }
        Need::Struct(item) => item.clone(),
    }
}

/// `impl CudaKernel for name`: how the entries of a kernel call its function.
pub fn kernel(kernel: &Kernel) -> TokenStream {
    if !ENABLED {
        return TokenStream::new();
    }
    let f = &kernel.function;
    let name = &kernel.name;
    let private = |item: &str| f.root.private(item);
    let (kernel_trait, shape, argument) = (private("CudaKernel"), cuda(f, "Shape"), cuda(f, "Argument"));
    let parameter = |p: &dyn Fn(&Parameter) -> bool| {
        let k = Literal::usize_unsuffixed(kernel.parameters.iter().position(p).unwrap_or(0));
        quote!(#argument::Parameter(#k))
    };
    let mut operand = 0;
    let arguments = f.args.iter().map(|(id, _)| {
        if kernel.parameters.iter().any(|p| p.var == Some(*id)) {
            return parameter(&|p| p.var == Some(*id));
        }
        operand += 1;
        let k = Literal::usize_unsuffixed(operand - 1);
        quote!(#argument::Operand(#k))
    });
    let arguments: Vec<TokenStream> = arguments.collect();
    let generics = f.item.sig.generics.params.iter().filter_map(|p| match p {
        syn::GenericParam::Type(t) => {
            let index = f.generics.iter().position(|g| g.name == t.ident)?;
            let k = kernel.operands.iter().position(|o| o.ty == crate::model::Ty::Param(index))?;
            let k = Literal::usize_unsuffixed(k);
            Some(quote!(#argument::Operand(#k)))
        }
        syn::GenericParam::Const(c) => Some(parameter(&|p| p.var.is_none() && p.name == c.ident)),
        syn::GenericParam::Lifetime(_) => None,
    });
    let item = Ident::new("__LANECRAFT_CUDA", Span::mixed_site());
    let is_tuple = matches!(f.output, crate::tree::Type::Tuple(_));
    let cfgs = attr::cfgs(&f.item.attrs);
    let export = kernel.export.is_some().then(|| exported(f, name, "Map"));
    let shape_value =
        quote!(#shape { item: <#name>::#item, generics: &[#(#generics),*], arguments: &[#(#arguments),*], is_tuple: #is_tuple });
    only(
        &f.root,
        quote! {
            #(#cfgs)*
            #[automatically_derived]
            impl #kernel_trait for #name {
                const SHAPE: #shape = #shape_value;
            }
            #export
        },
    )
}

/// `impl CudaBlockKernel for name`: how the entries of a block kernel call its function. Nothing for what has no text at all: a kernel with
/// parameters.
pub fn block_kernel(kernel: &BlockKernel) -> TokenStream {
    if !ENABLED {
        return TokenStream::new();
    }
    let f = &kernel.function;
    let name = &kernel.name;
    let (kernel_trait, shape) = (f.root.private("CudaBlockKernel"), cuda(f, "BlockShape"));
    let written = kernel.outputs.iter().filter(|o| o.var.is_some());
    let operands: Vec<_> = kernel.inputs.iter().chain(written).collect();
    let number = |k: usize| Literal::usize_unsuffixed(k);
    let arguments: Vec<_> = f.args.iter().filter_map(|(id, _)| operands.iter().position(|o| o.var == Some(*id)).map(number)).collect();
    let generics: Vec<_> =
        (0..f.generics.len()).filter_map(|g| kernel.inputs.iter().position(|o| o.ty == crate::model::Ty::Param(g)).map(number)).collect();
    let returned = number(kernel.outputs.iter().filter(|o| o.var.is_none()).count());
    let is_tuple = matches!(f.output, crate::tree::Type::Tuple(_));
    let item = Ident::new("__LANECRAFT_CUDA", Span::mixed_site());
    let cfgs = attr::cfgs(&f.item.attrs);
    let export = kernel.export.is_some().then(|| exported(f, name, "Block"));
    only(
        &f.root,
        quote! {
            #(#cfgs)*
            #[automatically_derived]
            impl #kernel_trait for #name {
                const SHAPE: #shape =
                    #shape { item: <#name>::#item, generics: &[#(#generics),*], arguments: &[#(#arguments),*], returned: #returned, is_tuple: #is_tuple };
            }
            #export
        },
    )
}

/// Hands a kernel's text to the crate's Python module.
fn exported(f: &Function, name: &Ident, form: &str) -> TokenStream {
    let (submit, form) = (f.root.macro_("__submit_cuda"), Ident::new(form, Span::mixed_site()));
    let cfgs = attr::cfgs(&f.item.attrs);
    quote!(#(#cfgs)* #submit! { #form #name })
}
