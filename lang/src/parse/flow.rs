//! Loops and what leaves them: `loop`, `while`, `for`, `break`, `continue`, `return`.

use super::scope::{LoopScope, Scope};
use super::{block, expr, matching};
use crate::error::Source;
use crate::tree::{Block, Distance, ExprKind, Loop, LoopKind, Range, Shape, Stmt};
use proc_macro2::{Ident, Span};

/// `loop { .. }`
pub fn loop_(e: &syn::ExprLoop, scope: &mut Scope) -> syn::Result<ExprKind> {
    in_loop(e.label.as_ref(), true, scope, |_, scope| Ok((LoopKind::Forever, block::parse(&e.body, scope)?)))
}

/// `while cond { .. }`, `while let pat = value { .. }`
pub fn while_(e: &syn::ExprWhile, scope: &mut Scope) -> syn::Result<ExprKind> {
    if let syn::Expr::Let(e_let) = &*e.cond {
        return in_loop(e.label.as_ref(), false, scope, |id, scope| {
            let body = matching::while_let(e_let, &e.body, ExprKind::Break(id, None), scope)?;
            Ok((LoopKind::Forever, body))
        });
    }
    in_loop(e.label.as_ref(), false, scope, |_, scope| {
        let cond = expr::parse(&e.cond, scope)?;
        Ok((LoopKind::While(cond), block::parse(&e.body, scope)?))
    })
}

/// `for i in start..end { .. }`
pub fn for_(e: &syn::ExprForLoop, scope: &mut Scope) -> syn::Result<ExprKind> {
    if let Some(ranges) = crate::block::parse::lanes(&e.expr) {
        return crate::block::parse::for_lanes(e, ranges, scope);
    }
    if !is_range(&e.expr) {
        return for_array(e, scope);
    }
    let mut range = range(&e.expr, scope)?;
    if range.named_step().is_some() {
        return Err(Source::of(&e.expr).error(STEP));
    }
    in_loop(e.label.as_ref(), false, scope, |_, scope| {
        range.var = match &*e.pat {
            syn::Pat::Ident(syn::PatIdent { by_ref: None, subpat: None, ident, mutability, .. }) => {
                super::pat::reject_reserved(ident)?;
                Some(scope.declare(ident.clone(), *mutability))
            }
            syn::Pat::Wild(_) => None,
            other => {
                return Err(Source::of(other)
                    .error("the variable of a `for` cannot be a pattern; name it (`for i in 0..n`), because a range gives numbers"));
            }
        };
        scope.show(range.var);
        let body = block::parse(&e.body, scope)?;
        Ok((LoopKind::For(Box::new(range)), body))
    })
}

/// Whether an expression is a range, by its form.
fn is_range(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Range(_) => true,
        syn::Expr::Paren(inner) => is_range(&inner.expr),
        syn::Expr::Group(inner) => is_range(&inner.expr),
        syn::Expr::MethodCall(call) => (call.method == "rev" || call.method == "step_by") && is_range(&call.receiver),
        _ => false,
    }
}

/// `for x in array`, `for x in array.iter()`: a loop over its indexes, `{ let a = array; for i in 0..a.len() { let x = a[i]; .. } }`.
fn for_array(e: &syn::ExprForLoop, scope: &mut Scope) -> syn::Result<ExprKind> {
    let mut array = &*e.expr;
    let mut numbered = false;
    while let syn::Expr::MethodCall(call) = array {
        let name = call.method.to_string();
        if !call.args.is_empty()
            || !matches!(name.as_str(), "iter" | "into_iter" | "copied" | "enumerate")
            || numbered && name == "enumerate"
        {
            return Err(Source::of(&e.expr).error(
                "a `for` of a kernel cannot run over this; write `for i in 0..n` (with `.rev()` or `.step_by(2)` if need be) or `for x in a`, because lanes have ranges and arrays, and no iterators",
            ));
        }
        numbered |= name == "enumerate";
        array = &call.receiver;
    }
    let source = Source::of(&e.expr);
    let init = expr::parse(array, scope)?;
    let held = scope.declare(Ident::new("__lanecraft_array", Span::mixed_site()), None);
    let at = scope.declare(Ident::new("__lanecraft_position", Span::mixed_site()), None);
    let loop_ = in_loop(e.label.as_ref(), false, scope, |_, scope| {
        let var = |id, scope: &mut Scope| Box::new(scope.make(ExprKind::Var(id), source));
        let read = ExprKind::Index(var(held, scope), var(at, scope));
        let read = scope.make(read, source);
        let mut bound = Vec::new();
        let (pattern, item) = match (&*e.pat, numbered) {
            (pattern, false) => (pattern, read),
            (syn::Pat::Tuple(pair), true) if pair.elems.len() == 2 => {
                let (Some(number), Some(pattern)) = (pair.elems.first(), pair.elems.last()) else { return Err(source.error("a pair")) };
                let init = *var(at, scope);
                bound.push(Stmt::Let { pat: super::pat::parse(number, scope, &mut Vec::new())?, ty: None, init });
                (pattern, read)
            }
            (other, true) => {
                return Err(
                    Source::of(other).error("an element of `enumerate` cannot be bound so; name both parts (`for (i, x) in a.iter().enumerate()`), because it is a pair")
                );
            }
        };
        let mut vars = Vec::new();
        let pat = super::pat::parse(pattern, scope, &mut vars)?;
        bound.push(Stmt::Let { pat, ty: None, init: item });
        for stmt in &bound {
            if let Stmt::Let { pat: crate::tree::Pat::Var(id), .. } = stmt {
                scope.show([*id]);
            }
        }
        scope.show(vars);
        let mut body = block::parse(&e.body, scope)?;
        body.stmts.splice(0..0, bound);
        let start = scope.make(ExprKind::Int(0, None), source);
        let end = ExprKind::Len(var(held, scope));
        let end = scope.make(end, source);
        let range = Range { var: Some(at), start, end, inclusive: false, rev: false, step: None, id: scope.expr_id() };
        Ok((LoopKind::For(Box::new(range)), body))
    })?;
    let value = scope.make(ExprKind::Var(held), source);
    let shape = Stmt::Shape { shape: Shape::Iterated, value, source };
    let stmts = vec![Stmt::Let { pat: crate::tree::Pat::Var(held), ty: None, init }, shape];
    let value = Some(Box::new(scope.make(loop_, source)));
    Ok(ExprKind::Block(Block { stmts, value, source }))
}

const STEP: &str = "`step_by` of a kernel cannot take this; give it one positive integer literal (`step_by(2)`), in `lanes` also a constant or a parameter, because a step of 0 has no end";

/// `a..b`, `(a..=b).rev()`, `(a..b).step_by(2)`, `(a..b).rev().step_by(2)`
pub fn range(e: &syn::Expr, scope: &mut Scope) -> syn::Result<Range> {
    let source = Source::of(e);
    match e {
        syn::Expr::Paren(inner) => range(&inner.expr, scope),
        syn::Expr::Group(inner) => range(&inner.expr, scope),
        syn::Expr::Range(syn::ExprRange { start: Some(start), end: Some(end), limits, .. }) => {
            let (start, end) = (expr::parse(start, scope)?, expr::parse(end, scope)?);
            let inclusive = matches!(limits, syn::RangeLimits::Closed(_));
            Ok(Range { var: None, start, end, inclusive, rev: false, step: None, id: scope.expr_id() })
        }
        syn::Expr::Range(_) => Err(source.error("the range of a `for` cannot be open; give it both ends (`0..n`), because lanes would not end")),
        syn::Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
            let inner = range(&call.receiver, scope)?;
            if inner.step.is_some() {
                return Err(source.error(
                    "`.step_by(n).rev()` cannot be used in a kernel; write `.rev().step_by(n)`, because its first value is plain to see",
                ));
            }
            Ok(Range { rev: !inner.rev, ..inner })
        }
        syn::Expr::MethodCall(call) if call.method == "step_by" && call.args.len() == 1 => {
            let inner = range(&call.receiver, scope)?;
            let step = match call.args.first() {
                Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. })) => {
                    Some(Distance::Literal(n.base10_parse()?)).filter(|_| n.base10_digits().bytes().any(|digit| digit != b'0'))
                }
                Some(name @ syn::Expr::Path(_)) => Some(Distance::Named(Box::new(expr::parse(name, scope)?))),
                _ => None,
            };
            if step.is_none() || inner.step.is_some() {
                return Err(source.error(STEP));
            }
            Ok(Range { step, ..inner })
        }
        _ => Err(source.error("a `for` of a kernel cannot run over this; write `for i in 0..n`, with `.rev()` or `.step_by(2)` if need be, because lanes have ranges and no iterators")),
    }
}

/// Parses a loop, whose label and number are known inside.
pub fn in_loop(
    label: Option<&syn::Label>,
    has_value: bool,
    scope: &mut Scope,
    f: impl FnOnce(usize, &mut Scope) -> syn::Result<(LoopKind, Block)>,
) -> syn::Result<ExprKind> {
    let label = label.map(|l| l.name.clone());
    scope.nested(|scope| {
        let id = scope.enter_loop(label.clone(), has_value);
        let parsed = f(id, scope);
        scope.leave_loop();
        let (kind, body) = parsed?;
        Ok(ExprKind::Loop(Box::new(Loop { id, label, kind, body })))
    })
}

/// `break`, `break 'label value`
pub fn break_(e: &syn::ExprBreak, scope: &mut Scope) -> syn::Result<ExprKind> {
    let target = target("break", e.label.as_ref(), Source::of(e), scope)?;
    let value = e.expr.as_ref().map(|v| expr::parse(v, scope).map(Box::new)).transpose()?;
    if value.is_some() && !target.has_value {
        return Err(Source::of(e).error("`break` cannot give a value to a `while` or `for`; assign a variable before it, or use `loop`, because such a loop may end without `break`"));
    }
    Ok(ExprKind::Break(target.id, value))
}

/// `continue`, `continue 'label`
pub fn continue_(e: &syn::ExprContinue, scope: &Scope) -> syn::Result<ExprKind> {
    target("continue", e.label.as_ref(), Source::of(e), scope).map(|l| ExprKind::Continue(l.id))
}

fn target(what: &str, label: Option<&syn::Lifetime>, source: Source, scope: &Scope) -> syn::Result<LoopScope> {
    scope.find_loop(label).cloned().ok_or_else(|| match label {
        Some(label) => source
            .error(format!("label `{label}` cannot be named here; write one of a loop around this `{what}`, because it is not in sight")),
        None => source.error(format!("`{what}` cannot stand outside a loop; use `return`, or `if`, because there is nothing to leave")),
    })
}

/// `return value`
pub fn return_(e: &syn::ExprReturn, scope: &mut Scope) -> syn::Result<ExprKind> {
    if scope.is_in_closure() {
        return Err(Source::of(e)
            .error("`return` cannot stand in a closure of a kernel; make the value its last expression (`if c { a } else { b }`), because a closure is written out where it is called"));
    }
    match &e.expr {
        Some(value) => expr::parse(value, scope).map(|v| ExprKind::Return(Box::new(v))),
        None => Err(Source::of(e)
            .error("`return` of a kernel cannot be without a value; give one (`return x;`), because every lane needs a result")),
    }
}
