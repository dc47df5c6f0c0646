//! Structs: literals, types, and the text of a struct itself.

use super::body::Emit;
use super::code::Code;
use super::{Missing, Need};
use crate::tree::{StructLiteral, Type};

impl Emit<'_> {
    pub(super) fn struct_literal(&mut self, _literal: &StructLiteral, _id: usize) -> Result<Code, Missing> {
        Err(Missing::new("a struct"))
    }

    /// Whether a type has a type parameter or a const generic of the function inside.
    pub(super) fn names_a_generic(&self, ty: &syn::Type) -> bool {
        let names: Vec<_> = self.function.generics.iter().map(|g| &g.name).chain(self.function.consts.iter().map(|c| &c.name)).collect();
        contains(quote::ToTokens::to_token_stream(ty), &names)
    }

    pub(super) fn generic_struct(&mut self, _ty: &syn::Type) -> Result<String, Missing> {
        let _ = Need::Struct;
        Err(Missing::new("a generic struct"))
    }

    /// A type as the parser reads it.
    pub(super) fn parse_ty(&self, ty: &syn::Type) -> Result<Type, Missing> {
        let f = self.function;
        let scope = crate::parse::scope::Scope::new(&f.item.sig.ident, &f.generics);
        crate::parse::ty::parse(ty, &scope).map_err(|_| Missing::new("a type of this form"))
    }
}

fn contains(tokens: proc_macro2::TokenStream, names: &[&proc_macro2::Ident]) -> bool {
    tokens.into_iter().any(|t| match t {
        proc_macro2::TokenTree::Ident(t) => names.iter().any(|n| **n == t),
        proc_macro2::TokenTree::Group(g) => contains(g.stream(), names),
        _ => false,
    })
}
