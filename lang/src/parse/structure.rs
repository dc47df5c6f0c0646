//! Structs: `#[kernel]` on one, one inside a kernel, and their literals.

use super::expr;
use super::scope::Scope;
use super::ty::{is_upper, reject_field};
use crate::error::{Errors, Source};
use crate::tree::{ExprKind, Member, StructLiteral};

/// Rejects structs that a kernel cannot hold.
///
/// # Errors
/// At what has to change.
pub fn check(item: &syn::ItemStruct) -> syn::Result<()> {
    let mut errors = Errors::default();
    if item.fields.is_empty() {
        let name = &item.ident;
        errors.push(
            Source::of(name)
                .error(format!("struct `{name}` of a kernel cannot be without fields; give it one, because lanes would hold nothing")),
        );
    }
    for param in &item.generics.params {
        if let syn::GenericParam::Lifetime(l) = param {
            errors.push(
                Source::of(l).error(
                    "a struct of a kernel cannot have a lifetime; hold values instead of references, because lanes have values only",
                ),
            );
        }
    }
    for field in &item.fields {
        if let syn::Type::Reference(t) = &field.ty {
            errors
                .push(Source::of(t).error("a struct of a kernel cannot hold a reference; hold the value, because lanes have values only"));
        } else {
            errors.ok(reject_field(&field.ty));
        }
    }
    errors.finish(())
}

/// A member as the tree has it.
pub fn member(m: &syn::Member) -> Member {
    match m {
        syn::Member::Named(name) => Member::Named(name.clone()),
        syn::Member::Unnamed(index) => Member::Element(index.index as usize),
    }
}

/// `P { x: a, y, ..base }`
pub fn literal(s: &syn::ExprStruct, scope: &mut Scope) -> syn::Result<ExprKind> {
    if s.qself.is_some() {
        return Err(Source::of(s)
            .error("a qualified path cannot be built in a kernel; name the struct (`P { .. }`), because a macro cannot look types up"));
    }
    let fields = s.fields.iter().map(|f| Ok((member(&f.member), expr::parse(&f.expr, scope)?))).collect::<syn::Result<_>>()?;
    let base = s.rest.as_ref().map(|e| expr::parse(e, scope)).transpose()?;
    Ok(ExprKind::Struct(Box::new(StructLiteral { path: s.path.clone(), fields, base })))
}

/// `P(a, b)`
pub fn tuple_literal(path: &syn::Path, args: Vec<crate::tree::Expr>) -> ExprKind {
    let fields = args.into_iter().enumerate().map(|(k, e)| (Member::Element(k), e)).collect();
    ExprKind::Struct(Box::new(StructLiteral { path: path.clone(), fields, base: None }))
}

/// By the naming convention, the constructor of a tuple struct: the macro cannot look the name up.
pub fn is_constructor(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|s| is_upper(&s.ident))
}
