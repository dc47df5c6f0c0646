//! A struct that kernels can hold: the user's own, as it stands, and beside it the struct of its lanes, field by field.

use crate::paths::{self, RESERVED, Root};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// The struct and what makes it usable in kernels.
pub fn items(item: &syn::ItemStruct, root: &Root) -> TokenStream {
    let private = |name: &str| root.private(name);
    let (enter, blend, leave) = (private("Enter"), private("Blend"), private("Leave"));
    let (isa_trait, scalar, cx_ty, varying) = (private("Isa"), private("Scalar"), private("Cx"), private("Varying"));
    let (isa, cx, lane) = (paths::isa_param(), paths::cx(), private("lane"));
    let struct_trait = quote!(#lane::Struct);
    let (vis, name) = (&item.vis, &item.ident);
    // The lanes' struct has the user's name, which rustc's messages show; the user's own has another one beside it.
    let lanes = name;
    let user = format_ident!("{RESERVED}_{}", name, span = Span::mixed_site());

    let mut generics = item.generics.clone();
    for param in generics.type_params_mut() {
        param.default = None;
        param.bounds.push(syn::parse_quote!(#enter));
    }
    for param in &mut generics.params {
        if let syn::GenericParam::Const(c) = param {
            c.default = None;
        }
    }
    let (params, where_) = (generics.params.iter().collect::<Vec<_>>(), &generics.where_clause);
    let (_, args, _) = item.generics.split_for_impl();
    let names: Vec<TokenStream> = generics
        .params
        .iter()
        .map(|p| match p {
            syn::GenericParam::Type(t) => t.ident.to_token_stream(),
            syn::GenericParam::Const(c) => c.ident.to_token_stream(),
            syn::GenericParam::Lifetime(l) => l.lifetime.to_token_stream(),
        })
        .collect();
    let members: Vec<syn::Member> = item.fields.members().collect();
    let fields: Vec<(TokenStream, &syn::Type)> = item.fields.iter().map(|f| (f.vis.to_token_stream(), &f.ty)).collect();
    let field_types = fields.iter().map(|(vis, ty)| {
        let lanes = quote_spanned!(ty.span()=> <#ty as #enter>::Lanes<#isa>);
        (vis, lanes)
    });
    let declared: Vec<TokenStream> = field_types
        .zip(&members)
        .map(|((vis, ty), m)| match m {
            syn::Member::Named(name) => quote!(#vis #name: #ty),
            syn::Member::Unnamed(_) => quote!(#vis #ty),
        })
        .collect();
    let body = match &item.fields {
        syn::Fields::Unnamed(_) => quote!((#(#declared),*) #where_;),
        _ => quote!(#where_ { #(#declared),* }),
    };
    let types: Vec<&syn::Type> = item.fields.iter().map(|f| &f.ty).collect();
    let declared_generics = item.generics.split_for_impl().0;
    let of = |level: &TokenStream| quote!(#lanes<#(#names,)* #level>);
    let (at_isa, at_scalar) = (of(&isa.to_token_stream()), of(&scalar));
    let [a, b, c, get, k] = ["a", "b", "c", "get", "k"].map(|n| Ident::new(n, Span::mixed_site()));
    let cuda = crate::cuda::structure::items(item, root);
    quote! {
        #item
        #cuda
        #[doc(hidden)]
        #[allow(nonstandard_style, dead_code, type_alias_bounds, clippy::all, clippy::pedantic)]
        type #user #declared_generics = #name #args;
        const _: () = {
            #[doc(hidden)]
            #[allow(nonstandard_style, missing_docs, missing_debug_implementations, unreachable_pub, dead_code, clippy::all, clippy::pedantic)]
            #vis struct #lanes<#(#params,)* #isa: #isa_trait> #body

            #[automatically_derived]
            impl<#(#params,)* #isa: #isa_trait> ::core::clone::Clone for #at_isa #where_ {
                #[inline(always)]
                fn clone(&self) -> Self { *self }
            }
            #[automatically_derived]
            impl<#(#params,)* #isa: #isa_trait> ::core::marker::Copy for #at_isa #where_ {}

            #[automatically_derived]
            impl<#(#params),*> #struct_trait for #user #args #where_ {
                type Fields<#isa: #isa_trait> = #at_isa;
            }

            #[automatically_derived]
            impl<#(#params),*> #enter for #user #args #where_ {
                type Lanes<#isa: #isa_trait> = #at_isa;
                #[inline(always)]
                fn enter<#isa: #isa_trait>(self, #cx: #cx_ty<'_, #isa>) -> #at_isa {
                    #lanes { #(#members: #enter::enter(self.#members, #cx)),* }
                }
                #[inline(always)]
                fn leave(#a: #at_scalar) -> Self {
                    Self { #(#members: <#types as #enter>::leave(#a.#members)),* }
                }
                #[inline(always)]
                fn spread<#isa: #isa_trait>(#cx: #cx_ty<'_, #isa>, #a: #at_scalar) -> #at_isa {
                    #lanes { #(#members: <#types as #enter>::spread(#cx, #a.#members)),* }
                }
                #[inline(always)]
                fn collect<'__lanecraft, #isa: #isa_trait>(
                    #cx: #cx_ty<'_, #isa>,
                    #get: impl ::core::ops::Fn(usize) -> &'__lanecraft Self,
                ) -> #at_isa
                where
                    Self: '__lanecraft,
                {
                    #lanes { #(#members: <#types as #enter>::collect(#cx, #[inline(always)] |#k| &#get(#k).#members)),* }
                }
            }

            #[automatically_derived]
            impl<#(#params,)* #isa: #isa_trait> #blend<#isa> for #at_isa #where_ {
                type Memory = #user #args;
                #[inline(always)]
                fn blend(#cx: #cx_ty<'_, #isa>, #c: #varying<bool, #isa>, #a: Self, #b: Self) -> Self {
                    Self { #(#members: #blend::blend(#cx, #c, #a.#members, #b.#members)),* }
                }
                #[inline(always)]
                fn zero(#cx: #cx_ty<'_, #isa>) -> Self {
                    Self { #(#members: #blend::zero(#cx)),* }
                }
            }

            #[automatically_derived]
            impl<#(#params),*> #leave for #at_scalar #where_ {
                type Value = #user #args;
                type At<#isa: #isa_trait> = #at_isa;
                #[inline(always)]
                fn leave(self) -> #user #args {
                    <#user #args as #enter>::leave(self)
                }
                #[inline(always)]
                fn spread<#isa: #isa_trait>(self, #cx: #cx_ty<'_, #isa>) -> #at_isa {
                    <#user #args as #enter>::spread(#cx, self)
                }
            }
        };
    }
}
