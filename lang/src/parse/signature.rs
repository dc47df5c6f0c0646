//! Signatures: qualifiers, type parameters and bounds, arguments, the result.

use super::pat::reject_reserved;
use super::scope::Scope;
use super::{parameter, ty};
use crate::dtype::Class;
use crate::error::{Errors, Source, did_you_mean, list};
use crate::model::{ConstGeneric, Generic, Parameter};
use crate::tree::{Type, VarId};
use quote::ToTokens;

/// Rejects what a function of the kernel language cannot be.
pub fn reject_qualifiers(sig: &syn::Signature, errors: &mut Errors) {
    let name = &sig.ident;
    let mut reject = |tokens: Source, what: &str, next: &str| {
        errors.push(tokens.error(format!("a kernel function cannot be {what}; {next}")));
    };
    if let Some(t) = &sig.asyncness {
        reject(Source::of(t), "`async`", "remove `async`, because a kernel runs to its end at once");
    }
    if let Some(t) = &sig.constness {
        reject(Source::of(t), "`const`", "remove `const`, because lane code cannot run at compile time");
    }
    if let Some(t) = &sig.unsafety {
        reject(Source::of(t), "`unsafe`", "remove `unsafe`, because a kernel works on values and has no use for it");
    }
    if let Some(t) = &sig.abi {
        reject(Source::of(t), "`extern`", "remove the ABI, because nothing calls lanes but Rust");
    }
    if let Some(t) = &sig.variadic {
        reject(Source::of(t), "variadic", "name its arguments");
    }
    if let Err(e) = reject_reserved(name) {
        errors.push(e);
    }
}

/// The type parameters and their bounds, those of the where-clause included.
pub fn generics(sig: &syn::Signature, errors: &mut Errors) -> Vec<Generic> {
    let mut generics = Vec::new();
    for param in &sig.generics.params {
        match param {
            syn::GenericParam::Type(t) => {
                if let Err(e) = reject_reserved(&t.ident) {
                    errors.push(e);
                }
                let mut g = Generic { name: t.ident.clone(), classes: Vec::new(), dtypes: None, source: Source::of(&t.ident) };
                add_bounds(&mut g, &t.bounds, errors);
                generics.push(g);
            }
            syn::GenericParam::Lifetime(l) => {
                errors.push(Source::of(l).error("a lifetime cannot be used in a map kernel; remove it, because its operands are values"));
            }
            // Read by `consts`.
            syn::GenericParam::Const(_) => {}
        }
    }
    for predicate in sig.generics.where_clause.iter().flat_map(|w| &w.predicates) {
        let named = match predicate {
            syn::WherePredicate::Type(p) => match &p.bounded_ty {
                syn::Type::Path(t) if t.qself.is_none() => t.path.get_ident().map(|name| (name, &p.bounds)),
                _ => None,
            },
            _ => None,
        };
        let target = named.and_then(|(name, bounds)| generics.iter_mut().find(|g| g.name == *name).map(|g| (g, bounds)));
        match target {
            Some((g, bounds)) => add_bounds(g, bounds, errors),
            None => errors.push(
                Source::of(predicate).error("this where-clause cannot be used in a kernel; bound the type parameters alone (`T: Float`), because lanes know no other types"),
            ),
        }
    }
    for g in &generics {
        if g.classes.is_empty() {
            let name = &g.name;
            let message = format!(
                "type parameter `{name}` needs a bound; write one (`{name}: Float`), because it says what the body may do; the bounds are {}",
                list(Class::ALL.iter().map(|c| c.name()))
            );
            errors.push(g.source.error(message));
        }
    }
    generics
}

fn add_bounds(g: &mut Generic, bounds: &syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>, errors: &mut Errors) {
    for bound in bounds {
        let name = match bound {
            syn::TypeParamBound::Trait(t) => t.path.segments.last().map(|s| s.ident.to_string()),
            _ => None,
        };
        let known = || Class::ALL.iter().map(|c| c.name());
        match name.as_deref().and_then(|n| Class::ALL.iter().find(|c| c.name() == n)) {
            Some(class) => g.classes.push(*class),
            None => {
                let hint = name.map_or_else(String::new, |n| did_you_mean(&n, known()));
                let message = format!(
                    "this bound cannot be used in a kernel; use one of Lanecraft's (`T: Float`), because lanes have the operations of {} alone{hint}",
                    list(known())
                );
                errors.push(Source::of(bound).error(message));
                // Reported; do not report the parameter as unbounded too.
                g.classes.push(Class::Dtype);
            }
        }
    }
}

/// The const generics. Those of a kernel have their values in `#[parameter(..)]`, which is taken off.
pub fn consts(sig: &mut syn::Signature, is_kernel: bool, scope: &mut Scope, errors: &mut Errors) -> (Vec<ConstGeneric>, Vec<Parameter>) {
    let (mut consts, mut parameters) = (Vec::new(), Vec::new());
    for param in &mut sig.generics.params {
        let syn::GenericParam::Const(c) = param else { continue };
        errors.ok(reject_reserved(&c.ident));
        let Some(attr) = errors.ok(parameter::take(&mut c.attrs)) else { continue };
        let Some(dtype) = errors.ok(parameter::const_dtype(c)) else { continue };
        consts.push(ConstGeneric { name: c.ident.clone(), dtype });
        match attr {
            Some(attr) if !is_kernel => errors.push(
                Source::of(&attr)
                    .error("`parameter` cannot stand on a helper; remove it, because a helper is built into each kernel that calls it"),
            ),
            Some(attr) => parameters.extend(errors.ok(parameter::parse_const(&attr, c, dtype, scope))),
            None if is_kernel => {
                let name = &c.ident;
                errors.push(Source::of(&c.ident).error(format!(
                    "const generic `{name}` of a kernel cannot be without values; list them (`#[parameter(2, 4)] const {name}: {dtype_name}`), because a variant is built for each",
                    dtype_name = c.ty.to_token_stream(),
                )));
            }
            None => {}
        }
    }
    (consts, parameters)
}

/// What is said of methods.
pub const METHOD: &str = "a kernel function cannot be a method; make it a free function that takes the value (`fn f(p: P)`), because a kernel has a name of its own";

/// An argument: its variable and type, and its values where it is a parameter.
pub type Arg = ((VarId, Type), Option<Parameter>);

/// The arguments, declared and shown; their attributes are taken off. `None` after an error.
pub fn args(sig: &mut syn::Signature, is_kernel: bool, scope: &mut Scope, errors: &mut Errors) -> Option<Vec<Arg>> {
    let parsed: Vec<_> = sig.inputs.iter_mut().map(|arg| errors.ok(self::arg(arg, is_kernel, scope))).collect();
    parsed.into_iter().collect()
}

fn arg(arg: &mut syn::FnArg, is_kernel: bool, scope: &mut Scope) -> syn::Result<Arg> {
    let syn::FnArg::Typed(arg) = arg else {
        return Err(Source::of(arg).error(METHOD));
    };
    let attr = parameter::take(&mut arg.attrs)?;
    let syn::Pat::Ident(syn::PatIdent { by_ref: None, subpat: None, ident, mutability, .. }) = &*arg.pat else {
        return Err(
            Source::of(&arg.pat).error("an argument of a kernel cannot be a pattern; name it (`x: T`) and take it apart in the body, because messages and Python call it by its name")
        );
    };
    reject_reserved(ident)?;
    let id = scope.declare(ident.clone(), *mutability);
    let Some(attr) = attr else {
        if let Some(view) = crate::block::parse::operand(&arg.ty, scope) {
            let view = view?;
            scope.is_view(id, view.clone());
            scope.show([id]);
            return Ok(((id, Type::View(Box::new(view))), None));
        }
        if !scope.is_block() {
            ty::reject_sizes(&arg.ty, "an argument of a kernel function")?;
        }
        let ty = ty::parse(&arg.ty, scope)?;
        scope.show([id]);
        return Ok(((id, ty), None));
    };
    if !is_kernel {
        return Err(Source::of(&attr)
            .error("`parameter` cannot stand on a helper; remove it, because a helper is built into each kernel that calls it"));
    }
    if mutability.is_some() {
        return Err(Source::of(&arg.pat).error(format!(
            "parameter `{ident}` cannot be `mut`, because its value is fixed at compile time; copy it (`let mut k = {ident};`)"
        )));
    }
    let (parameter, ty) = parameter::parse(&attr, ident, &arg.ty, id, scope)?;
    scope.show([id]);
    Ok(((id, ty), Some(parameter)))
}

/// The type of the result; `()` where none is written.
pub fn output(sig: &syn::Signature, scope: &Scope, errors: &mut Errors) -> Option<Type> {
    match &sig.output {
        syn::ReturnType::Default => Some(Type::Tuple(Vec::new())),
        syn::ReturnType::Type(_, t) => errors.ok(ty::reject_sizes(t, "the result of a kernel function").and_then(|()| ty::parse(t, scope))),
    }
}
