//! Patterns of `let`.

use super::scope::Scope;
use crate::error::Source;
use crate::paths::RESERVED;
use crate::tree::{Pat, VarId};
use proc_macro2::Ident;

/// A pattern that always matches. Its variables are declared, not yet shown: they are pushed to `vars`.
pub fn parse(pat: &syn::Pat, scope: &mut Scope, vars: &mut Vec<VarId>) -> syn::Result<Pat> {
    let reject = |why: &str| Err(Source::of(pat).error(why));
    match pat {
        syn::Pat::Ident(ident) => {
            if ident.by_ref.is_some() {
                return reject("`ref` cannot be used in a kernel; bind the value, because kernels hold values only");
            }
            if ident.subpat.is_some() {
                return reject(
                    "`name @ pattern` cannot be used in a `let` of a kernel; bind the name alone, because the pattern says nothing more there",
                );
            }
            reject_reserved(&ident.ident)?;
            let id = scope.declare(ident.ident.clone(), ident.mutability);
            vars.push(id);
            Ok(Pat::Var(id))
        }
        syn::Pat::Wild(_) => Ok(Pat::Wild(Source::of(pat))),
        syn::Pat::Paren(inner) => parse(&inner.pat, scope, vars),
        syn::Pat::Tuple(tuple) => {
            let elems = tuple.elems.iter().map(|p| parse(p, scope, vars)).collect::<syn::Result<_>>()?;
            Ok(Pat::Tuple(elems, Source::of(pat)))
        }
        syn::Pat::Type(_) => reject(
            "a type cannot stand inside a pattern; write it after the whole pattern (`let (a, b): (f32, f32) = ..`), because Rust has it there alone",
        ),
        syn::Pat::Rest(_) => reject(
            "`..` cannot be used in a kernel's pattern; name every element, or `_`, because a macro does not know how many there are",
        ),
        syn::Pat::Const(_) => {
            reject("a const block cannot be a pattern in a kernel; name a constant, because a pattern is compared as it stands")
        }
        syn::Pat::Lit(_) | syn::Pat::Range(_) | syn::Pat::Or(_) | syn::Pat::Path(_) => {
            reject("a pattern that may fail cannot stand in a `let` of a kernel; compare with `if`, because every lane goes on")
        }
        syn::Pat::Reference(_) => {
            reject("a reference pattern cannot be used in a kernel; bind the value, because kernels hold values only")
        }
        // `let` takes these apart before; what is left is a closure's argument.
        syn::Pat::Slice(_) | syn::Pat::Struct(_) | syn::Pat::TupleStruct(_) => reject(
            "this pattern cannot stand here in a kernel; name the argument, and take it apart in the body (`let P { x, y } = p;`), because lanes pass single values",
        ),
        syn::Pat::Macro(_) => {
            reject("a macro cannot stand for a pattern in a kernel; write the pattern, because it is expanded after the kernel")
        }
        syn::Pat::Verbatim(_) => reject("this pattern cannot be understood"),
        _ => reject("this pattern is unknown to the kernel language"),
    }
}

/// Names with the prefix that generated code uses.
pub fn reject_reserved(name: &Ident) -> syn::Result<()> {
    if name.to_string().to_lowercase().starts_with(RESERVED) {
        let message = format!(
            "name `{name}` cannot be used in a kernel; choose one that does not begin with `{RESERVED}` (`x`), because generated code has such names"
        );
        return Err(Source::of(name).error(message));
    }
    Ok(())
}

/// Whether a pattern is more than names and tuples: then it is taken apart as that of a `match`.
pub fn has_shape(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Slice(_) | syn::Pat::Struct(_) | syn::Pat::TupleStruct(_) => true,
        syn::Pat::Tuple(tuple) => tuple.elems.iter().any(has_shape),
        syn::Pat::Paren(inner) => has_shape(&inner.pat),
        _ => false,
    }
}
