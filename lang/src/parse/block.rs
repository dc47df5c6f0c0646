//! Blocks and statements.

use super::scope::Scope;
use super::{closure, expr, flow, matching, pat, structure, ty};
use crate::error::{Errors, Source};
use crate::tree::{BinaryOp, Block, Expr, ExprKind, Place, Step, Stmt};

/// A function's body. A `return` at its end is its value.
pub fn body(block: &syn::Block, scope: &mut Scope) -> syn::Result<Block> {
    let mut block = parse(block, scope)?;
    if let Some(Stmt::Expr { expr: Expr { kind: ExprKind::Return(value), .. }, .. }) = block.stmts.last()
        && block.value.is_none()
    {
        block.value = Some(value.clone());
        block.stmts.pop();
    }
    Ok(block)
}

/// The body of an arm, as a block.
pub fn arm(e: &syn::Expr, scope: &mut Scope) -> syn::Result<Block> {
    match e {
        syn::Expr::Block(syn::ExprBlock { label: None, block, .. }) => parse(block, scope),
        e => {
            let mut out = Block { stmts: Vec::new(), value: None, source: Source::of(e) };
            match statement(e, false, scope)? {
                Stmt::Expr { expr, semi: false } => out.value = Some(Box::new(expr)),
                other => out.stmts.push(other),
            }
            Ok(out)
        }
    }
}

/// `{ .. }`. Errors of all its statements are reported together.
pub fn parse(block: &syn::Block, scope: &mut Scope) -> syn::Result<Block> {
    scope.nested(|scope| {
        // Constants are in sight in the whole block, also above their line.
        for stmt in &block.stmts {
            if let syn::Stmt::Item(syn::Item::Const(c)) = stmt {
                scope.show_const(&c.ident);
            }
        }
        let mut errors = Errors::default();
        let mut out = Block { stmts: Vec::new(), value: None, source: Source::of(block) };
        let last = block.stmts.len().saturating_sub(1);
        for (k, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                syn::Stmt::Expr(e, None) if k == last => {
                    if let Some(stmt) = errors.ok(statement(e, false, scope)) {
                        match stmt {
                            Stmt::Expr { expr, semi: false } => out.value = Some(Box::new(expr)),
                            other => out.stmts.push(other),
                        }
                    }
                }
                syn::Stmt::Expr(e, semi) => out.stmts.extend(errors.ok(statement(e, semi.is_some(), scope))),
                syn::Stmt::Local(local) => out.stmts.extend(errors.ok(local_(local, scope)).into_iter().flatten()),
                syn::Stmt::Item(item) => out.stmts.extend(errors.ok(self::item(item))),
                syn::Stmt::Macro(m) => {
                    let source = Source::of(&m.mac);
                    let parsed = expr::macro_(&m.mac, scope).map(|kind| scope.make(kind, source));
                    let Some(value) = errors.ok(parsed) else { continue };
                    if k == last && m.semi_token.is_none() {
                        out.value = Some(Box::new(value));
                    } else {
                        out.stmts.push(Stmt::Expr { expr: value, semi: true });
                    }
                }
            }
        }
        errors.finish(out)
    })
}

/// `let pat: ty = init;`, `let pat = init else { .. };`
fn local_(local: &syn::Local, scope: &mut Scope) -> syn::Result<Vec<Stmt>> {
    let (pattern, ty) = match &local.pat {
        syn::Pat::Type(t) => (&*t.pat, Some(ty::parse(&t.ty, scope)?)),
        other => (other, None),
    };
    let Some(init) = &local.init else {
        return Err(Source::of(local).error(
            "a variable of a kernel cannot be declared without a value; give it one (`let y = if c { a } else { b };`), because lanes have a value on every path",
        ));
    };
    if let Some((_, diverge)) = &init.diverge {
        return matching::let_else(pattern, ty, &init.expr, diverge, Source::of(local), scope);
    }
    if let syn::Expr::Closure(c) = &*init.expr {
        return closure::define(pattern, c, scope).map(|()| Vec::new());
    }
    if pat::has_shape(pattern) {
        return matching::let_(pattern, ty, &init.expr, Source::of(local), scope);
    }
    // The value does not see the names that the pattern declares.
    let init = expr::parse(&init.expr, scope)?;
    let mut vars = Vec::new();
    let pat = pat::parse(pattern, scope, &mut vars)?;
    scope.show(vars);
    Ok(vec![Stmt::Let { pat, ty, init }])
}

fn item(item: &syn::Item) -> syn::Result<Stmt> {
    match item {
        syn::Item::Const(c) => Ok(Stmt::Const(Box::new(c.clone()))),
        syn::Item::Struct(s) => structure::check(s).map(|()| Stmt::Struct(Box::new(s.clone()))),
        other => {
            Err(Source::of(other)
                .error("an item cannot stand inside a kernel; move it out of the function (a `const` or a `struct` may stay), because lanes see functions from outside alone"))
        }
    }
}

/// An expression as a statement: assignments are statements, whatever Rust's grammar says.
fn statement(e: &syn::Expr, semi: bool, scope: &mut Scope) -> syn::Result<Stmt> {
    if let syn::Expr::Call(call) = e
        && let Some(update) = crate::block::parse::update(call, scope)
    {
        return update;
    }
    let leave = |kind: ExprKind, scope: &mut Scope| Stmt::Expr { expr: scope.make(kind, Source::of(e)), semi: true };
    match e {
        syn::Expr::Break(b) => flow::break_(b, scope).map(|kind| leave(kind, scope)),
        syn::Expr::Continue(c) => flow::continue_(c, scope).map(|kind| leave(kind, scope)),
        syn::Expr::Return(r) => flow::return_(r, scope).map(|kind| leave(kind, scope)),
        syn::Expr::Assign(a) if crate::block::parse::is_element(&a.left, scope) => {
            let element = crate::block::parse::written(&a.left, scope)?;
            Ok(Stmt::Store { element, op: None, value: expr::parse(&a.right, scope)?, source: Source::of(e) })
        }
        syn::Expr::Binary(b) if compound(&b.op).is_some() && crate::block::parse::is_element(&b.left, scope) => {
            let element = crate::block::parse::written(&b.left, scope)?;
            Ok(Stmt::Store { element, op: compound(&b.op), value: expr::parse(&b.right, scope)?, source: Source::of(e) })
        }
        syn::Expr::Assign(a) if crate::block::parse::is_reduce(&a.right, scope) => crate::block::parse::reduce(a, scope),
        syn::Expr::Assign(a) => {
            let place = place(&a.left, scope)?;
            Ok(Stmt::Assign { place, op: None, value: expr::parse(&a.right, scope)?, source: Source::of(e) })
        }
        syn::Expr::Binary(b) => match compound(&b.op) {
            Some(op) => {
                let place = place(&b.left, scope)?;
                Ok(Stmt::Assign { place, op: Some(op), value: expr::parse(&b.right, scope)?, source: Source::of(e) })
            }
            None => expr::parse(e, scope).map(|expr| Stmt::Expr { expr, semi }),
        },
        _ => expr::parse(e, scope).map(|expr| Stmt::Expr { expr, semi }),
    }
}

/// What stands on the left of an assignment.
fn place(e: &syn::Expr, scope: &mut Scope) -> syn::Result<Place> {
    let target = expr::parse(e, scope)?;
    let source = target.source;
    let mut steps = Vec::new();
    let mut at: Expr = target;
    loop {
        match at.kind {
            ExprKind::Var(var) => {
                steps.reverse();
                return Ok(Place { var, steps, source });
            }
            ExprKind::Field(inner, member) => {
                steps.push(Step::Member(member));
                at = *inner;
            }
            ExprKind::Index(inner, i) => {
                steps.push(Step::Index(*i));
                at = *inner;
            }
            ExprKind::Const(_) => {
                return Err(source.error(
                    "this name cannot be assigned; declare it with `let mut` in the kernel, because constants and statics do not change",
                ));
            }
            _ => {
                return Err(source.error(
                    "this cannot be assigned; assign a variable (`x = ..`) or a part of one (`t.0 = ..`, `a[i] = ..`, `p.x = ..`), because nothing else holds a value",
                ));
            }
        }
    }
}

/// The operation of `+=` and its kin.
pub fn compound(op: &syn::BinOp) -> Option<BinaryOp> {
    Some(match op {
        syn::BinOp::AddAssign(_) => BinaryOp::Add,
        syn::BinOp::SubAssign(_) => BinaryOp::Sub,
        syn::BinOp::MulAssign(_) => BinaryOp::Mul,
        syn::BinOp::DivAssign(_) => BinaryOp::Div,
        syn::BinOp::RemAssign(_) => BinaryOp::Rem,
        syn::BinOp::BitXorAssign(_) => BinaryOp::Xor,
        syn::BinOp::BitAndAssign(_) => BinaryOp::And,
        syn::BinOp::BitOrAssign(_) => BinaryOp::Or,
        syn::BinOp::ShlAssign(_) => BinaryOp::Shl,
        syn::BinOp::ShrAssign(_) => BinaryOp::Shr,
        _ => return None,
    })
}
