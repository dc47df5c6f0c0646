//! The items of a block kernel: the function as the user calls it, and the enum of the same name that carries the forms of its body
//! and runs it over arrays.

use super::{BlockKernel, BlockOperand};
use crate::dtype::Dtype;
use crate::lower::choice;
use crate::lower::forms::{block_lanes, calls, outside_with, plain, source};
use crate::lower::item::{hygienic, marker, submission, unraw};
use crate::model::Ty;
use crate::parse::attr;
use crate::paths;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// The items of a block kernel.
pub fn kernel(kernel: &BlockKernel) -> TokenStream {
    let f = &kernel.function;
    let name = &kernel.name;
    let doc = format!("Kernel `{name}` over arrays: [`{name}::run`] for one item, [`{name}::run_batch`] for many.");
    let (outside, plain, marker, calls, lanes) =
        (outside_with(f, demands(kernel)), plain(f, false), marker(f, &doc), calls(f), block_lanes(f));
    let (run, run_batch, info) = (run(kernel), run_batch(kernel), info(kernel));
    let (cuda, cuda_kernel) = (crate::cuda::item::constant(f), crate::cuda::item::block_kernel(kernel));
    let cfgs = attr::cfgs(&f.item.attrs);
    let all = kernel.choices.iter().enumerate().flat_map(|(k, choice)| kernel.variants.iter().map(move |dtypes| (k, choice, dtypes)));
    let variants = all.map(|(k, choice, dtypes)| variant(kernel, dtypes, k, choice));
    let export = submission(f, name, kernel.export.as_ref(), "__submit_block_export");
    let report = crate::report::VARIABLE;
    // By the last constant Cargo knows when the report is asked for.
    quote! {
        #[allow(dead_code)]
        #outside
        #marker
        #plain
        #(#cfgs)*
        #[automatically_derived]
        impl #name { #calls #lanes #run #run_batch #cuda }
        #(#variants)*
        #info
        #cuda_kernel
        #export
        const _: ::core::option::Option<&::core::primitive::str> = ::core::option_env!(#report);
    }
}

/// What the plain function asks of its operands: a panic where a dimension is empty that is not to be.
fn demands(kernel: &BlockKernel) -> TokenStream {
    let f = &kernel.function;
    let demand = |dim: usize, name: &str| {
        let lists = kernel.signature.inputs.iter().zip(&kernel.inputs).chain(kernel.signature.outputs.iter().zip(&kernel.outputs));
        let (axis, operand) = lists.filter_map(|(list, operand)| Some((list.iter().position(|d| *d == dim)?, operand))).next()?;
        let (name_of, argument) = (operand.name.as_ref()?, f.args.iter().find(|(id, _)| Some(*id) == operand.var)?);
        let crate::tree::Type::View(view) = &argument.1 else { return None };
        let operand = hygienic(name_of);
        let length = if view.slice { quote!(#operand.len()) } else { quote!(#operand.__raw().parts().1[#axis]) };
        let message = format!("dimension {name} of `{name_of}` is empty; it has to hold an element at least");
        Some(quote!(::core::assert!(#length != 0, #message);))
    };
    kernel.signature.dims.iter().enumerate().filter(|(_, d)| d.nonempty).filter_map(|(k, d)| demand(k, &d.name)).collect()
}

/// Whether the user's type is `usize` or `isize`, of which the body has the 64-bit form.
fn is_size(ty: &syn::Type) -> Option<&'static str> {
    let syn::Type::Path(path) = ty else { return None };
    let name = path.path.get_ident()?;
    [("usize", "u64"), ("isize", "i64")].iter().find(|(size, _)| name == size).map(|(_, wide)| *wide)
}

/// A value of the user's as the body takes it.
pub(crate) fn wide(ty: &syn::Type, value: TokenStream) -> TokenStream {
    match is_size(ty) {
        Some(wide) => {
            let wide = crate::lower::body::name(wide);
            quote!(#value as #wide)
        }
        None => value,
    }
}

/// What the body gives as the user's function returns it.
pub(crate) fn narrow(output: &syn::ReturnType, value: TokenStream) -> TokenStream {
    let syn::ReturnType::Type(_, ty) = output else { return value };
    match &**ty {
        syn::Type::Tuple(tuple) if tuple.elems.iter().any(|t| is_size(t).is_some()) => {
            let names: Vec<Ident> = (0..tuple.elems.len()).map(|k| crate::lower::body::local(&format!("r{k}"))).collect();
            let values = names
                .iter()
                .zip(&tuple.elems)
                .map(|(name, ty)| if is_size(ty).is_some() { quote!(#name as #ty) } else { name.to_token_stream() });
            quote!({ let (#(#names,)*) = #value; (#(#values,)*) })
        }
        one if is_size(one).is_some() => quote!((#value) as #one),
        _ => value,
    }
}

fn ty(kernel: &BlockKernel, ty: Ty) -> TokenStream {
    match ty {
        Ty::Dtype(d) => kernel.function.root.dtype(d),
        Ty::Param(k) => kernel.type_params.get(k).map_or_else(TokenStream::new, |p| p.name.to_token_stream()),
    }
}

/// The operands that the body takes, as the run time's types, in the signature's order.
fn operand_types(kernel: &BlockKernel, resolve: &dyn Fn(Ty) -> TokenStream) -> Vec<TokenStream> {
    let module = kernel.function.root.private("block");
    let operand = |o: &BlockOperand| {
        let (element, rank) = (resolve(o.ty), Literal::usize_unsuffixed(o.rank));
        if o.rank == 0 { quote!(#module::Value<#element>) } else { quote!(#module::Array<#element, #rank>) }
    };
    kernel.inputs.iter().chain(written(kernel)).map(operand).collect()
}

fn written(kernel: &BlockKernel) -> impl Iterator<Item = &BlockOperand> {
    kernel.outputs.iter().filter(|o| o.var.is_some())
}

fn returned(kernel: &BlockKernel) -> impl Iterator<Item = &BlockOperand> {
    kernel.outputs.iter().filter(|o| o.var.is_none())
}

/// The kernel on one choice of dtypes and parameter values.
fn variant(kernel: &BlockKernel, dtypes: &[Dtype], k: usize, choice: &[Option<usize>]) -> TokenStream {
    let f = &kernel.function;
    let name = &kernel.name;
    let (module, isa_trait, cx_ty) = (f.root.private("block"), f.root.private("Isa"), f.root.private("Cx"));
    let (isa, cx, x) = (paths::isa_param(), paths::cx(), crate::lower::body::local("x"));
    let names: Vec<TokenStream> = dtypes.iter().map(|d| f.root.dtype(*d)).collect();
    let resolve = |t: Ty| t.resolve(dtypes).map_or_else(TokenStream::new, |d| f.root.dtype(d));
    let operands = operand_types(kernel, &resolve);
    let results: Vec<TokenStream> = returned(kernel).map(|o| resolve(o.ty)).collect();
    let inputs = Literal::usize_unsuffixed(kernel.inputs.len());
    let wide = crate::lower::body::name(super::wide::wide(f));
    let order: Vec<&BlockOperand> = kernel.inputs.iter().chain(written(kernel)).collect();
    let lane = f.root.private("lane");
    let values = |plain: bool| -> Vec<TokenStream> {
        let value = |(id, _): &(crate::tree::VarId, crate::tree::Type)| match f.parameters.iter().position(|p| p.var == Some(*id)) {
            None => {
                let at = order.iter().position(|o| o.var == Some(*id))?;
                let k = Literal::usize_unsuffixed(at);
                Some(if plain && order.get(at)?.rank == 0 { quote!(#lane::spread(#cx, #x.#k)) } else { quote!(#x.#k) })
            }
            Some(at) => {
                let (cx, value) = (if plain { quote!(#cx) } else { quote!(#cx.scalar()) }, choice.get(at).copied().flatten()?);
                let value = choice::chosen(f, at, value);
                Some(quote!(#lane::splat(#cx, #value)))
            }
        };
        f.args.iter().filter_map(value).collect()
    };
    let (args, generics) = (choice::variant_args(f, &names, k), choice::generics(f, &names, choice));
    let (in_lanes, plain, checked) = (values(false), values(true), f.root.private("Checked"));
    let call = quote!(<#name>::lanes::<#(#generics,)* #isa>(#cx, #(#in_lanes),*));
    let checked_call = quote!(<#name>::plain::<#(#generics,)* #checked>(#cx, #(#plain),*));
    let (call, checked_call) = match &f.output {
        crate::tree::Type::Tuple(items) if items.is_empty() => (call, checked_call),
        crate::tree::Type::Tuple(items) => {
            let slots: Vec<Ident> = (0..items.len()).map(|k| crate::lower::body::local(&format!("r{k}"))).collect();
            (call, quote!(let (#(#slots,)*) = #checked_call; (#(#module::scalar(#slots),)*)))
        }
        _ => (quote!((#call,)), quote!((#module::scalar(#checked_call),))),
    };
    let cfgs = attr::cfgs(&f.item.attrs);
    quote! {
        #(#cfgs)*
        #[automatically_derived]
        impl #module::BlockKernel<#args> for #name {
            type Operands = (#(#operands,)*);
            type Returned = (#(#results,)*);
            const INPUTS: usize = #inputs;
            const WIDE: #module::Wide = #module::Wide::#wide;
            #[inline(always)]
            fn item<#isa: #isa_trait>(#cx: #cx_ty<'_, #isa>, #x: <Self::Operands as #module::Operands>::Args)
                -> <Self::Returned as #module::Returned>::Values
            {
                #call
            }
            #[cold]
            #[inline(never)]
            fn checked(#cx: #cx_ty<'_, #checked>, #x: <Self::Operands as #module::Operands>::Args)
                -> <Self::Returned as #module::Returned>::Values
            {
                #checked_call
            }
        }
    }
}

/// What `run` and `run_batch` share.
struct Call {
    /// The type parameters of the function, and its const generics.
    generics: Vec<TokenStream>,
    /// Those of the arrays, with their bounds. None where users name the function's own: the arrays' types are nameless then.
    arrays: Vec<TokenStream>,
    /// The arguments, in the user's order, parameters among them.
    arguments: Vec<TokenStream>,
    where_: TokenStream,
    /// The dtypes that the kernel is run on.
    dtypes: Vec<TokenStream>,
}

fn shared(kernel: &BlockKernel) -> Call {
    let f = &kernel.function;
    let (module, name) = (f.root.private("block"), &kernel.name);
    let (input, output) = (f.root.private("Input"), f.root.private("Output"));
    let generics: Vec<TokenStream> = f.item.sig.generics.params.iter().map(ToTokens::to_token_stream).collect();
    let (mut arrays, mut arguments) = (Vec::new(), Vec::new());
    for ((id, _), arg) in f.args.iter().zip(&f.item.sig.inputs) {
        let (Some(var), syn::FnArg::Typed(arg)) = (f.vars.get(*id), arg) else { continue };
        let argument = hygienic(&var.name);
        let Some((k, o)) = kernel.inputs.iter().chain(written(kernel)).enumerate().find(|(_, o)| o.var == Some(*id)) else {
            let ty = &arg.ty;
            arguments.push(quote!(#argument: #ty));
            continue;
        };
        let (element, bound) = (ty(kernel, o.ty), if k < kernel.inputs.len() { &input } else { &output });
        if f.consts.is_empty() {
            let ty = format_ident!("__Lanecraft{k}");
            arrays.push(quote!(#ty: #bound<#element>));
            arguments.push(quote!(#argument: #ty));
        } else {
            arguments.push(quote!(#argument: impl #bound<#element>));
        }
    }
    let operands = operand_types(kernel, &|t| ty(kernel, t));
    let results: Vec<TokenStream> = returned(kernel).map(|o| ty(kernel, o.ty)).collect();
    let dtypes: Vec<TokenStream> = kernel.type_params.iter().map(|p| p.name.to_token_stream()).collect();
    let bounds = kernel.choices.iter().enumerate().filter(|_| !dtypes.is_empty()).map(|(k, _)| {
        let args = choice::variant_args(f, &dtypes, k);
        quote!(#name: #module::BlockKernel<#args, Operands = (#(#operands,)*), Returned = (#(#results,)*)>,)
    });
    let predicates = f.item.sig.generics.where_clause.iter().flat_map(|w| w.predicates.iter());
    let where_ = quote!(#(#predicates,)* #(#bounds)*);
    Call { generics, arrays, arguments, where_, dtypes }
}

/// What the documentation says of parameters.
fn parameter_docs(kernel: &BlockKernel) -> String {
    let each = kernel.parameters.iter().map(|p| {
        let values = p.values.iter().map(|v| format!("`{v}`")).collect::<Vec<_>>().join(", ");
        format!("Parameter `{}` is one of {values}.\n\n", p.name)
    });
    each.collect()
}

/// `[a.into_operand(), ..]` in the signature's order.
fn into_operands<'k>(kernel: &BlockKernel, which: impl Iterator<Item = &'k BlockOperand>, trait_: &str) -> TokenStream {
    let trait_ = kernel.function.root.private(trait_);
    let names = which.filter_map(|o| o.name.as_ref()).map(hygienic);
    quote!(#(#trait_::into_operand(#names)),*)
}

/// `name::run(..)`
fn run(kernel: &BlockKernel) -> TokenStream {
    let f = &kernel.function;
    let (vis, name) = (&f.item.vis, &kernel.name);
    let Call { generics, arrays, arguments, where_, dtypes } = shared(kernel);
    let (error, run, output) = (f.root.private("Error"), f.root.private("run_block"), f.root.private("OutputOperand"));
    let (inputs, outputs) = (into_operands(kernel, kernel.inputs.iter(), "Input"), into_operands(kernel, written(kernel), "Output"));
    let comma = (written(kernel).count() > 0).then(|| quote!(,));
    let slots: Vec<Ident> = (0..returned(kernel).count()).map(|k| crate::lower::body::local(&format!("r{k}"))).collect();
    let results: Vec<TokenStream> = returned(kernel).map(|o| ty(kernel, o.ty)).collect();
    let (ok, result) = match slots.as_slice() {
        [] => (quote!(()), quote!(())),
        [one] => (one.to_token_stream(), quote!(#(#results)*)),
        _ => (quote!((#(#slots),*)), quote!((#(#results),*))),
    };
    let body = choice::dispatch(f, &kernel.choices, |k, _| {
        let args = choice::variant_args(f, &dtypes, k);
        quote!(#run::<#name, #args>(&[#inputs], &[#outputs #comma #(#output::scalar(&mut #slots)),*], false))
    });
    let body = if kernel.parameters.is_empty() { body } else { quote!((|| { #body })()) };
    let doc = format!(
        "Runs the kernel on one item, of signature `{}`: arrays of these shapes.\n\n{}# Errors\nShapes that do not fit; an index out of range; an \
         integer division by zero; a CPU level asked for that is not there.",
        kernel.signature.text,
        parameter_docs(kernel)
    );
    quote! {
        #[doc = #doc]
        #[allow(dead_code, nonstandard_style, clippy::too_many_arguments, clippy::missing_errors_doc)]
        #vis fn run<#(#generics,)* #(#arrays),*>(#(#arguments),*) -> ::core::result::Result<#result, #error> where #where_ {
            #(let mut #slots = <#results as ::core::default::Default>::default();)*
            #body?;
            ::core::result::Result::Ok(#ok)
        }
    }
}

/// `name::run_batch(..)`
fn run_batch(kernel: &BlockKernel) -> TokenStream {
    let f = &kernel.function;
    let (vis, name) = (&f.item.vis, &kernel.name);
    let Call { generics, mut arrays, mut arguments, where_, dtypes } = shared(kernel);
    let (error, run, output) = (f.root.private("Error"), f.root.private("run_block"), f.root.private("Output"));
    let results: Vec<TokenStream> = returned(kernel).map(|o| ty(kernel, o.ty)).collect();
    let mut more = Vec::new();
    for (k, element) in results.iter().enumerate() {
        let (n, t) = (if results.len() == 1 { format_ident!("out") } else { format_ident!("out{k}") }, format_ident!("__LanecraftOut{k}"));
        if f.consts.is_empty() {
            arrays.push(quote!(#t: #output<#element>));
            arguments.push(quote!(#n: #t));
        } else {
            arguments.push(quote!(#n: impl #output<#element>));
        }
        more.push(n);
    }
    let (inputs, outputs) = (into_operands(kernel, kernel.inputs.iter(), "Input"), into_operands(kernel, written(kernel), "Output"));
    let comma = (written(kernel).count() > 0).then(|| quote!(,));
    let body = choice::dispatch(f, &kernel.choices, |k, _| {
        let args = choice::variant_args(f, &dtypes, k);
        quote!(#run::<#name, #args>(&[#inputs], &[#outputs #comma #(#output::into_operand(#more)),*], true))
    });
    let doc = format!(
        "Runs the kernel on many items: the last axes of each array are those of signature `{}`, the axes before them broadcast.\n\n{}# Errors\nShapes \
         that do not fit; an index out of range; an integer division by zero; a CPU level asked for that is not there.",
        kernel.signature.text,
        parameter_docs(kernel)
    );
    quote! {
        #[doc = #doc]
        #[allow(dead_code, nonstandard_style, clippy::too_many_arguments, clippy::missing_errors_doc)]
        #vis fn run_batch<#(#generics,)* #(#arrays),*>(#(#arguments),*) -> ::core::result::Result<(), #error> where #where_ {
            #body
        }
    }
}

/// The kernel as data.
fn info(kernel: &BlockKernel) -> TokenStream {
    let f = &kernel.function;
    let name = &kernel.name;
    let private = |item: &str| f.root.private(item);
    let (kernel_trait, info, variant, signature, dim) =
        (private("BlockFunction"), private("BlockInfo"), private("BlockVariant"), private("Signature"), private("Dim"));
    let (text, docs, source) = (unraw(name), &kernel.docs, source(f));
    let (reads, writes) = super::places::gathered(f);
    let arguments = kernel.inputs.iter().filter_map(|o| o.name.as_ref()).map(unraw);
    let outputs = kernel.outputs.iter().enumerate().map(|(k, o)| match &o.name {
        Some(name) => unraw(name),
        None if kernel.outputs.len() == 1 => "out".to_owned(),
        None => format!("out{k}"),
    });
    let dims = kernel.signature.dims.iter().map(|d| {
        let text = &d.name;
        let size = d.size.map_or_else(
            || quote!(::core::option::Option::None),
            |n| {
                let n = Literal::usize_unsuffixed(n);
                quote!(::core::option::Option::Some(#n))
            },
        );
        let (optional, nonempty) = (d.optional, d.nonempty);
        quote!(#dim { name: #text, size: #size, optional: #optional, nonempty: #nonempty })
    });
    let operands = kernel.signature.inputs.iter().chain(&kernel.signature.outputs).map(|dims| {
        let dims = dims.iter().map(|d| Literal::usize_unsuffixed(*d));
        quote!(&[#(#dims),*])
    });
    let covered = super::coverage::covered(kernel);
    let parameters = choice::parameters(f);
    let all = kernel.choices.iter().enumerate().flat_map(|(k, choice)| kernel.variants.iter().map(move |dtypes| (k, choice, dtypes)));
    let variants = all.map(|(k, choice, dtypes)| {
        let names: Vec<TokenStream> = dtypes.iter().map(|d| f.root.dtype(*d)).collect();
        let (args, choosing) = (choice::variant_args(f, &names, k), choice::choosing(choice));
        quote!(#variant::of::<#name, #args>() #choosing)
    });
    let signature_text = &kernel.signature.text;
    let cfgs = attr::cfgs(&f.item.attrs);
    quote! {
        #(#cfgs)*
        #[automatically_derived]
        impl #kernel_trait for #name {
            const INFO: #info = #info {
                name: #text,
                doc: #docs,
                source: #source,
                gathered: (#reads, #writes),
                arguments: &[#(#arguments),*],
                outputs: &[#(#outputs),*],
                covered: &[#(#covered),*],
                signature: #signature { text: #signature_text, dims: &[#(#dims),*], operands: &[#(#operands),*] },
                parameters: &[#parameters],
                variants: &[#(#variants),*],
            };
        }
    }
}
