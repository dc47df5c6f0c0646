//! An exported struct.

use super::attr::ExportAttr;
use super::ty::{Place, Type};
use crate::error::{Errors, Source};
use crate::parse::attr::docs;
use proc_macro2::{Ident, TokenStream};

/// A struct that is a class in Python.
#[derive(Debug)]
pub struct ExportedStruct {
    /// The struct as it stands.
    pub item: syn::ItemStruct,
    /// Its name.
    pub name: Ident,
    /// Its doc comment.
    pub docs: String,
    /// The submodule that it goes into.
    pub module: Option<String>,
    /// Its public fields, in order.
    pub fields: Vec<Field>,
    /// Whether all fields are public, so that Python can make one.
    pub is_open: bool,
}

/// A field.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// Its type as it is written.
    pub written: syn::Type,
    /// Its doc comment.
    pub docs: String,
}

impl Field {
    /// Whether it is an array whose elements Python can see where they are.
    pub fn is_array(&self) -> bool {
        matches!(self.ty, Type::Array(_))
    }

    /// Whether it owns its elements elsewhere, so that they can be moved out: an `Array2<f32>`, not a `[f32; 3]`.
    pub fn is_buffer(&self) -> bool {
        matches!(&self.ty, Type::Array(array) if !array.is_slice)
    }
}

impl ExportedStruct {
    /// Parses and checks `#[python_export(attr)] item`.
    ///
    /// # Errors
    /// Whatever Python has no class for, all of it together, at its spans.
    pub fn parse(attr: TokenStream, item: &syn::ItemStruct) -> syn::Result<Self> {
        let mut errors = Errors::default();
        let attr = errors.ok(ExportAttr::of_struct(attr));
        for param in &item.generics.params {
            errors
                .push(Source::of(param).error("a struct with parameters cannot be exported, because Python has one class; name the types"));
        }
        if !is_repr_c(item) {
            errors.push(Source::of(&item.ident).error(
                "an exported struct needs `#[repr(C)]`, which keeps its fields where they are written, because Python sees arrays in place",
            ));
        }
        let mut fields = Vec::new();
        let is_public = |field: &syn::Field| matches!(field.vis, syn::Visibility::Public(_));
        match &item.fields {
            syn::Fields::Named(named) if !named.named.is_empty() => {
                fields.extend(named.named.iter().filter(|field| is_public(field)).filter_map(|field| errors.ok(Field::parse(field))));
            }
            _ => errors.push(Source::of(&item.ident).error("an exported struct cannot be without named fields; name them (`struct Batch { rows: i64 }`), because they become properties of a class")),
        }
        let (name, module) = (item.ident.clone(), attr.and_then(|attr| attr.module));
        let is_open = item.fields.iter().all(is_public);
        errors.finish(Self { item: item.clone(), name, docs: docs(&item.attrs), module, fields, is_open })
    }
}

impl Field {
    fn parse(field: &syn::Field) -> syn::Result<Self> {
        let Some(name) = field.ident.clone() else { return Err(Source::of(field).error("a field needs a name")) };
        if matches!(name.to_string().as_str(), "as_tensor" | "take") {
            return Err(Source::of(&name)
                .error(format!("a field cannot be named `{name}`; rename it, because every class with arrays has a method of that name")));
        }
        let ty = Type::parse(&field.ty, Place::Field)?;
        if holds_array(&ty) && !matches!(ty, Type::Array(_)) {
            return Err(Source::of(&field.ty).error("an array in a field cannot be part of something; give each array a field of its own, because a property hands it out without a copy"));
        }
        Ok(Self { name, ty, written: field.ty.clone(), docs: docs(&field.attrs) })
    }
}

fn holds_array(ty: &Type) -> bool {
    match ty {
        Type::Array(_) => true,
        Type::Optional(inner) | Type::List(inner) => holds_array(inner),
        Type::Tuple(items) => items.iter().any(holds_array),
        Type::Dict(key, value) => holds_array(key) || holds_array(value),
        _ => false,
    }
}

fn is_repr_c(item: &syn::ItemStruct) -> bool {
    item.attrs.iter().filter(|a| a.path().is_ident("repr")).any(|a| {
        let mut found = false;
        // What else stands there is rustc's to judge.
        let _ = a.parse_nested_meta(|meta| {
            found |= meta.path.is_ident("C");
            Ok(())
        });
        found
    })
}
