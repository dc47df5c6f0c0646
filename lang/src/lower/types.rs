//! Types of generated code.

use super::body::Lower;
use crate::paths;
use crate::tree::Type;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

impl Lower<'_> {
    /// The type of a variable: of a value of a dtype, its lanes.
    pub fn ty(&self, ty: &Type) -> TokenStream {
        match ty {
            Type::Dtype(_) | Type::Param(_) => {
                let (varying, dtype, level) = (self.function.root.private("Varying"), self.dtype(ty), self.level());
                quote!(#varying<#dtype, #level>)
            }
            Type::Array(item, len) => {
                let (item, len) = (self.ty(item), &len.0);
                quote!([#item; #len])
            }
            Type::Option(item) => {
                let (maybe, varying) = (self.function.root.private("Maybe"), self.function.root.private("Varying"));
                let (item, level) = (self.ty(item), self.level());
                quote!(#maybe<#item, #varying<bool, #level>>)
            }
            Type::Named(ty) => {
                let (enter, level) = (self.function.root.private("Enter"), self.level());
                quote!(<#ty as #enter>::Lanes<#level>)
            }
            Type::Tuple(items) => {
                let items = items.iter().map(|t| self.ty(t));
                quote!((#(#items,)*))
            }
            Type::View(view) => {
                let (module, element, rank) = (self.function.root.private("block"), self.dtype(&view.element), view.rank);
                quote!(#module::Raw<#element, #rank>)
            }
            Type::Infer => quote!(_),
        }
    }

    /// The level: of what is the same for all lanes, that of single values. The body over single values is generic as that over lanes is,
    /// so that rustc words an error in both alike, and says it once.
    fn level(&self) -> TokenStream {
        if self.inside { self.function.root.private("Scalar") } else { paths::isa_param().to_token_stream() }
    }

    /// A dtype: what stands between `::<` and `>` of a literal or a cast.
    pub(super) fn dtype(&self, ty: &Type) -> TokenStream {
        match ty {
            Type::Dtype(d) => self.function.root.dtype(*d),
            Type::Param(k) => self.function.generics.get(*k).map_or_else(|| quote!(_), |g| g.name.to_token_stream()),
            Type::Tuple(_) | Type::Array(..) | Type::Option(_) | Type::Named(_) | Type::View(_) | Type::Infer => quote!(_),
        }
    }
}
