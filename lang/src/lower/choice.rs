//! The choices of parameter values that a kernel is built for.

use super::forms::number;
use super::item::{hygienic, unraw};
use crate::dtype::Dtype;
use crate::model::{Function, Parameter, ParameterValue};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};

/// The tuple that names a variant: its dtypes, and with parameters the choice of their values.
pub(crate) fn variant_args(f: &Function, dtypes: &[TokenStream], choice: usize) -> TokenStream {
    if f.parameters.is_empty() {
        return quote!((#(#dtypes,)*));
    }
    let (marker, k) = (f.root.private("Choice"), Literal::usize_unsuffixed(choice));
    quote!((#(#dtypes,)* #marker<#k>))
}

/// A parameter's value, as an expression and as a pattern.
pub(super) fn parameter_value(value: &ParameterValue) -> TokenStream {
    match value {
        ParameterValue::Int(v) => {
            let (sign, digits) = ((*v < 0).then(|| quote!(-)), Literal::u128_unsuffixed(v.unsigned_abs()));
            quote!(#sign #digits)
        }
        ParameterValue::Bool(b) => b.to_token_stream(),
        ParameterValue::Path(path) => path.to_token_stream(),
    }
}

/// The value of a parameter in a variant that is built for it; of an enum, its number.
pub(crate) fn chosen(f: &Function, parameter: usize, value: usize) -> TokenStream {
    match f.parameters.get(parameter) {
        Some(p) if p.dtype.is_none() => number(value),
        Some(p) => p.values.get(value).map_or_else(TokenStream::new, parameter_value),
        None => TokenStream::new(),
    }
}

/// What stands between `::<` and `>` of a form of the body: the dtypes, and the values of const generics.
pub(crate) fn generics(f: &Function, dtypes: &[TokenStream], choice: &[Option<usize>]) -> Vec<TokenStream> {
    let mut types = dtypes.iter();
    let generics = f.item.sig.generics.params.iter().filter_map(|param| match param {
        syn::GenericParam::Const(c) => {
            let at = f.parameters.iter().position(|p| p.var.is_none() && p.name == c.ident)?;
            let value = chosen(f, at, choice.get(at).copied().flatten()?);
            Some(quote!({ #value }))
        }
        _ => types.next().cloned(),
    });
    generics.collect()
}

/// Finds the choice that the parameters' values make, and does there what `call` says; a value without a variant is an error.
pub(crate) fn dispatch(f: &Function, choices: &[Vec<Option<usize>>], call: impl Fn(usize, &[Option<usize>]) -> TokenStream) -> TokenStream {
    if f.parameters.is_empty() {
        return call(0, &[]);
    }
    let error = f.root.private("Error");
    let values: Vec<Ident> = f.parameters.iter().map(value_of).collect();
    let arms = choices.iter().enumerate().map(|(k, choice)| {
        let patterns = f.parameters.iter().zip(choice).map(|(p, value)| match value.and_then(|v| p.values.get(v)) {
            Some(value) => parameter_value(value),
            None => quote!(_),
        });
        let call = call(k, choice);
        quote!((#(#patterns,)*) => #call,)
    });
    let text = unraw(&f.item.sig.ident);
    // Which parameter is at fault: the first whose value is in no choice.
    let checks = f.parameters.iter().filter(|p| !p.run_time).map(|p| {
        let (value, parameter) = (value_of(p), unraw(&p.name));
        let patterns = p.values.iter().map(parameter_value);
        let accepted = p.values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        // An enum need not be printable.
        let came = if p.dtype.is_some() {
            quote!(::std::string::ToString::to_string(&#value))
        } else {
            quote!(::std::string::ToString::to_string("another"))
        };
        quote! {
            if !::core::matches!(#value, #(#patterns)|*) {
                return ::core::result::Result::Err(#error::Parameter {
                    kernel: #text, parameter: #parameter, came: #came, accepted: ::std::string::ToString::to_string(#accepted),
                });
            }
        }
    });
    quote! {
        #(#checks)*
        #[allow(unreachable_patterns)]
        match (#(#values,)*) {
            #(#arms)*
            _ => ::core::unreachable!(),
        }
    }
}

/// What holds a parameter's value: an argument, or the const generic.
fn value_of(p: &Parameter) -> Ident {
    if p.var.is_some() { hygienic(&p.name) } else { p.name.clone() }
}

/// The parameters as data.
pub(crate) fn parameters(f: &Function) -> TokenStream {
    let private = |item: &str| f.root.private(item);
    let (parameter, value, dtype_id) = (private("Parameter"), private("ParameterValue"), private("DtypeId"));
    let parameters = f.parameters.iter().map(|p| {
        let text = unraw(&p.name);
        let values = p.values.iter().map(|v| match v {
            ParameterValue::Int(v) => {
                let v = Literal::i128_suffixed(*v);
                quote!(#value::Int(#v))
            }
            ParameterValue::Bool(b) => quote!(#value::Bool(#b)),
            ParameterValue::Path(_) => {
                let v = v.to_string();
                quote!(#value::Name(#v))
            }
        });
        let run_time = match p.dtype.filter(|_| p.run_time) {
            Some(d) => {
                let id = Ident::new(&d.name().to_uppercase(), Span::mixed_site());
                let id = if d == Dtype::Bool { Ident::new("Bool", Span::mixed_site()) } else { id };
                quote!(::core::option::Option::Some(#dtype_id::#id))
            }
            None => quote!(::core::option::Option::None),
        };
        quote!(#parameter { name: #text, values: &[#(#values),*], run_time: #run_time })
    });
    quote!(#(#parameters),*)
}

/// `.choosing(..)`: notes the choice that a variant is built for.
pub(crate) fn choosing(choice: &[Option<usize>]) -> Option<TokenStream> {
    (!choice.is_empty()).then(|| {
        let choice = choice.iter().map(|c| match c {
            Some(v) => {
                let v = Literal::usize_unsuffixed(*v);
                quote!(::core::option::Option::Some(#v))
            }
            None => quote!(::core::option::Option::None),
        });
        quote!(.choosing(&[#(#choice),*]))
    })
}
