//! Closures: `let f = |a, b| a * b;`, called by name. Each call is written out in place, in the scope of the closure.

use super::scope::Scope;
use super::{block, pat, ty};
use crate::error::Source;
use crate::tree::{Block, Expr, ExprKind, Stmt};

/// `let name = |args| body;`: brings the closure into sight, and checks its body even if it is never called.
pub fn define(pattern: &syn::Pat, closure: &syn::ExprClosure, scope: &mut Scope) -> syn::Result<()> {
    let reject = |tokens: Source, why: &str| Err(tokens.error(why));
    let syn::Pat::Ident(syn::PatIdent { by_ref: None, subpat: None, ident, .. }) = pattern else {
        return reject(
            Source::of(pattern),
            "a closure of a kernel cannot be bound by a pattern; name it (`let f = |x| ..;`), because it is called by its name",
        );
    };
    if let Some(t) = &closure.capture {
        return reject(
            Source::of(t),
            "`move` cannot be used on a closure of a kernel; remove it, because the closure is written out where it is called",
        );
    }
    if let Some(t) = &closure.asyncness {
        return reject(Source::of(t), "`async` cannot be used in a kernel, because a kernel runs to its end at once");
    }
    if let Some(t) = closure.lifetimes.as_ref().map(Source::of).or_else(|| closure.constness.as_ref().map(Source::of)) {
        return reject(t, "this cannot stand on a closure of a kernel; remove it, because a closure is written out where it is called");
    }
    pat::reject_reserved(ident)?;
    scope.nested(|scope| {
        let lets = closure.inputs.iter().map(|input| argument(input, scope)).collect::<syn::Result<Vec<_>>>()?;
        lets.into_iter().for_each(|(_, _, vars)| scope.show(vars));
        scope.in_closure(|scope| body(closure, scope)).map(drop)
    })?;
    scope.show_closure(ident, closure);
    Ok(())
}

/// `f(a, b)`, written out: the arguments, then the body.
pub fn call(call: &syn::ExprCall, args: Vec<Expr>, closure: &super::scope::Closure, scope: &mut Scope) -> syn::Result<ExprKind> {
    let source = Source::of(call);
    let (takes, came) = (closure.closure.inputs.len(), args.len());
    if takes != came {
        let name = quote::ToTokens::to_token_stream(&call.func);
        return Err(source.error(super::expr::takes("", name, takes, came)));
    }
    scope.seen_from(closure, |scope| {
        let mut stmts = Vec::new();
        let mut shown = Vec::new();
        for (input, init) in closure.closure.inputs.iter().zip(args) {
            let (pat, ty, vars) = argument(input, scope)?;
            shown.extend(vars);
            stmts.push(Stmt::Let { pat, ty, init });
        }
        scope.show(shown);
        let inner = scope.in_closure(|scope| body(&closure.closure, scope))?;
        let value = Some(Box::new(scope.make(ExprKind::Block(inner), source)));
        Ok(ExprKind::Block(Block { stmts, value, source }))
    })
}

/// `|a, b| body` of a `reduce`: what it takes, and its body.
pub fn combination(closure: &syn::ExprClosure, scope: &mut Scope) -> syn::Result<([crate::tree::Pat; 2], Block)> {
    let wrong =
        || Source::of(closure).error("the operation of `reduce` cannot be this; write it as `|a, b| ..`, because it combines two values");
    let inputs: Vec<_> = closure.inputs.iter().collect();
    let [a, b] = inputs[..] else { return Err(wrong()) };
    if closure.capture.is_some() || closure.asyncness.is_some() || closure.lifetimes.is_some() || closure.constness.is_some() {
        return Err(wrong());
    }
    scope.nested(|scope| {
        let (a, _, a_vars) = argument(a, scope)?;
        let (b, _, b_vars) = argument(b, scope)?;
        scope.show(a_vars.into_iter().chain(b_vars));
        let inner = scope.in_closure(|scope| body(closure, scope))?;
        Ok(([a, b], inner))
    })
}

type Argument = (crate::tree::Pat, Option<crate::tree::Type>, Vec<crate::tree::VarId>);

fn argument(input: &syn::Pat, scope: &mut Scope) -> syn::Result<Argument> {
    let (pattern, ty) = match input {
        syn::Pat::Type(t) => (&*t.pat, Some(ty::parse(&t.ty, scope)?)),
        other => (other, None),
    };
    let mut vars = Vec::new();
    let pat = pat::parse(pattern, scope, &mut vars)?;
    Ok((pat, ty, vars))
}

fn body(closure: &syn::ExprClosure, scope: &mut Scope) -> syn::Result<Block> {
    let inner = block::arm(&closure.body, scope)?;
    let syn::ReturnType::Type(_, written) = &closure.output else { return Ok(inner) };
    // `|x| -> f32 { .. }`: the type stands on a variable of its own.
    let ty = ty::parse(written, scope)?;
    let source = inner.source;
    let var = scope.declare(proc_macro2::Ident::new("__lanecraft_value", proc_macro2::Span::mixed_site()), None);
    let init = scope.make(ExprKind::Block(inner), source);
    let stmts = vec![Stmt::Let { pat: crate::tree::Pat::Var(var), ty: Some(ty), init }];
    let value = Some(Box::new(scope.make(ExprKind::Var(var), source)));
    Ok(Block { stmts, value, source })
}
