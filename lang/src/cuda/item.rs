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
use crate::model::{Function, Kernel, Ty};
use crate::parse::attr;
use crate::paths::Root;
use crate::tree::VarId;
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
    let (kernel_trait, shape) = (f.root.private("CudaKernel"), cuda(f, "Shape"));
    let mut inputs = f.args.iter().filter(|(id, _)| !f.parameters.iter().any(|p| p.var == Some(*id))).map(|(id, _)| *id);
    let operands: Vec<(Option<VarId>, Ty)> = kernel.operands.iter().map(|o| (inputs.next(), o.ty)).collect();
    let (generics, arguments) = call_shape(f, &operands);
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

/// How an entry calls a function: its generic arguments, and its arguments. `operands` are those of the entry: their variables and types.
fn call_shape(f: &Function, operands: &[(Option<VarId>, Ty)]) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let argument = cuda(f, "Argument");
    let number = |k: usize| Literal::usize_unsuffixed(k);
    let operand = |k: usize| {
        let k = number(k);
        quote!(#argument::Operand(#k))
    };
    let parameter = |k: usize| {
        let k = number(k);
        quote!(#argument::Parameter(#k))
    };
    let generics = f.item.sig.generics.params.iter().filter_map(|p| match p {
        syn::GenericParam::Type(t) => {
            let index = f.generics.iter().position(|g| g.name == t.ident)?;
            operands.iter().position(|(_, ty)| *ty == Ty::Param(index)).map(operand)
        }
        syn::GenericParam::Const(c) => f.parameters.iter().position(|p| p.var.is_none() && p.name == c.ident).map(parameter),
        syn::GenericParam::Lifetime(_) => None,
    });
    let arguments = f.args.iter().filter_map(|(id, _)| match f.parameters.iter().position(|p| p.var == Some(*id)) {
        Some(p) => Some(parameter(p)),
        None => operands.iter().position(|(var, _)| *var == Some(*id)).map(operand),
    });
    (generics.collect(), arguments.collect())
}

/// `impl CudaBlockKernel for name`: how the entries of a block kernel call its function.
pub fn block_kernel(kernel: &BlockKernel) -> TokenStream {
    if !ENABLED {
        return TokenStream::new();
    }
    let f = &kernel.function;
    let name = &kernel.name;
    let (kernel_trait, shape) = (f.root.private("CudaBlockKernel"), cuda(f, "BlockShape"));
    let written = kernel.outputs.iter().filter(|o| o.var.is_some());
    let operands: Vec<(Option<VarId>, Ty)> = kernel.inputs.iter().chain(written).map(|o| (o.var, o.ty)).collect();
    let (generics, arguments) = call_shape(f, &operands);
    let returned = Literal::usize_unsuffixed(kernel.outputs.iter().filter(|o| o.var.is_none()).count());
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
