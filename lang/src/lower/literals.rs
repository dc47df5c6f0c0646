//! Float literals, and the constants of floats that are as good as literals.

use super::body::{Lower, name};
use crate::dtype::Dtype;
use crate::tree::Type;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The mathematical constants among a float's associated ones, to more digits than f64 has.
const MATHEMATICAL: &[(&str, &str)] = &[
    ("PI", "3.14159265358979323846264338327950288"),
    ("E", "2.71828182845904523536028747135266250"),
    ("LN_2", "0.693147180559945309417232121458176568"),
    ("SQRT_2", "1.41421356237309504880168872420969808"),
];

/// The digits as an `f32` and as an `f64`, each rounded once; shortest forms that read back as the same value.
pub(super) fn float_literals(digits: &str) -> [TokenStream; 2] {
    let single = digits.parse::<f32>().unwrap_or(f32::NAN);
    let double = digits.parse::<f64>().unwrap_or(f64::NAN);
    [
        finite(single.is_finite(), || Literal::f32_suffixed(single.abs()), single.is_sign_negative(), Dtype::F32),
        finite(double.is_finite(), || Literal::f64_suffixed(double.abs()), double.is_sign_negative(), Dtype::F64),
    ]
}

/// A float literal, or infinity where the digits are beyond the type's range (as Rust reads them).
fn finite(is_finite: bool, literal: impl Fn() -> Literal, negative: bool, dtype: Dtype) -> TokenStream {
    let sign = negative.then(|| quote!(-));
    if is_finite {
        let literal = literal();
        quote!(#sign #literal)
    } else {
        let dtype = name(dtype.name());
        quote!(#sign ::core::primitive::#dtype::INFINITY)
    }
}

impl Lower<'_> {
    /// Whether a constant is known to be of a type that lanes have, and Rust's own `as` has not: `T::MAX`, `f16::EPSILON`.
    pub(super) fn is_of_lanes(&self, path: &syn::Path) -> bool {
        let [of, _] = path.segments.iter().collect::<Vec<_>>()[..] else { return false };
        self.function.generics.iter().any(|g| of.ident == g.name) || Dtype::parse(&of.ident.to_string()).is_some_and(Dtype::is_storage)
    }

    /// `T::PI` and the like, as the literals that they stand for: as values of f16 and bf16 they are rounded already.
    pub(super) fn mathematical(&self, path: &syn::Path) -> Option<(TokenStream, &'static str)> {
        let [of, constant] = path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        let (of, constant) = (of.ident.to_string(), constant.ident.to_string());
        let generic = self.function.generics.iter().position(|g| g.name == of).map(Type::Param);
        let ty = generic.or_else(|| Dtype::parse(&of).filter(|d| d.is_storage()).map(Type::Dtype))?;
        let (_, digits) = MATHEMATICAL.iter().find(|(name, _)| constant == *name)?;
        Some((self.dtype(&ty), *digits))
    }
}
