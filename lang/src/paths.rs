//! Every path into the run-time crates, and the reserved names.

use crate::dtype::Dtype;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// Prefix of the names that generated code adds.
pub const RESERVED: &str = "__lanecraft";

/// The crate through which generated code reaches the run time: `::lanecraft` unless `crate = path` says otherwise.
#[derive(Clone, Debug)]
pub struct Root(syn::Path);

impl Default for Root {
    fn default() -> Self {
        Self(syn::parse_quote!(::lanecraft))
    }
}

impl Root {
    /// A root given by the user.
    pub fn new(path: syn::Path) -> Self {
        Self(path)
    }

    /// The path of `name` among the items that only generated code uses.
    pub fn private(&self, name: &str) -> TokenStream {
        let root = &self.0;
        let name = Ident::new(name, Span::mixed_site());
        quote!(#root::__private::#name)
    }

    /// A dtype, wherever its name leads.
    pub fn dtype(&self, dtype: Dtype) -> TokenStream {
        if dtype.is_storage() { self.private(dtype.name()) } else { Ident::new(dtype.name(), Span::mixed_site()).into_token_stream() }
    }

    /// The path of a macro at the root.
    pub fn macro_(&self, name: &str) -> TokenStream {
        let root = &self.0;
        let name = Ident::new(name, Span::mixed_site());
        quote!(#root::#name)
    }
}

/// The type parameter of the level in generated functions.
pub fn isa_param() -> Ident {
    Ident::new("__LanecraftIsa", Span::mixed_site())
}

/// The context of lane code.
pub fn cx() -> Ident {
    Ident::new("__lanecraft_cx", Span::mixed_site())
}
