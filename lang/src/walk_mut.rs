//! Changes all over the tree: every expression and statement, its parts first.

use crate::tree::{Block, Distance, Edge, Expr, ExprKind, LoopKind, Step, Stmt};

/// What changes are made to.
pub enum NodeMut<'a> {
    /// A statement.
    Stmt(&'a mut Stmt),
    /// An expression.
    Expr(&'a mut Expr),
}

/// Changes a block.
pub fn block(block: &mut Block, f: &mut dyn FnMut(NodeMut<'_>)) {
    block.stmts.iter_mut().for_each(|s| stmt(s, f));
    block.value.iter_mut().for_each(|e| expr(e, f));
}

fn stmt(stmt: &mut Stmt, f: &mut dyn FnMut(NodeMut<'_>)) {
    match stmt {
        Stmt::Let { init, .. } => expr(init, f),
        Stmt::Assign { place, value, .. } => {
            expr(value, f);
            place.steps.iter_mut().for_each(|step| match step {
                Step::Member(_) => {}
                Step::Index(i) => expr(i, f),
            });
        }
        Stmt::Store { element, value, .. } | Stmt::Update { element, value, .. } => {
            element.index.iter_mut().for_each(|e| expr(e, f));
            expr(value, f);
        }
        Stmt::Reduce(reduce) => {
            expr(&mut reduce.value, f);
            block(&mut reduce.body, f);
        }
        Stmt::Expr { expr: e, .. } => expr(e, f),
        Stmt::Shape { value, .. } => expr(value, f),
        Stmt::Const(_) | Stmt::Struct(_) => {}
    }
    f(NodeMut::Stmt(stmt));
}

fn expr(e: &mut Expr, f: &mut dyn FnMut(NodeMut<'_>)) {
    match &mut e.kind {
        ExprKind::Int(..)
        | ExprKind::Float(..)
        | ExprKind::Bool(_)
        | ExprKind::Var(_)
        | ExprKind::Const(_)
        | ExprKind::Continue(_)
        | ExprKind::Length(..) => {}
        ExprKind::Element(element) => {
            element.index.iter_mut().for_each(|e| expr(e, f));
            if let Some(Edge::Or(e)) = &mut element.edge {
                expr(e, f);
            }
        }
        ExprKind::Unary(_, a)
        | ExprKind::Scan(_, a)
        | ExprKind::Cast(a, ..)
        | ExprKind::Field(a, _)
        | ExprKind::FromBits(_, a)
        | ExprKind::Dbg(a, _)
        | ExprKind::Return(a)
        | ExprKind::Repeat(a, _)
        | ExprKind::Len(a) => expr(a, f),
        ExprKind::Struct(literal) => {
            literal.fields.iter_mut().for_each(|(_, e)| expr(e, f));
            literal.base.iter_mut().for_each(|e| expr(e, f));
        }
        ExprKind::Binary(_, a, b) | ExprKind::ShortCircuit { left: a, right: b, .. } | ExprKind::Index(a, b) => {
            expr(a, f);
            expr(b, f);
        }
        ExprKind::If { cond, then, otherwise } => {
            expr(cond, f);
            block(then, f);
            otherwise.iter_mut().for_each(|b| block(b, f));
        }
        ExprKind::Block(b) => block(b, f),
        ExprKind::Break(_, value) => value.iter_mut().for_each(|e| expr(e, f)),
        ExprKind::Loop(l) => {
            match &mut l.kind {
                LoopKind::Forever => {}
                LoopKind::While(cond) => expr(cond, f),
                LoopKind::For(range) => {
                    expr(&mut range.start, f);
                    expr(&mut range.end, f);
                }
                LoopKind::Lanes(ranges) => ranges.iter_mut().for_each(|range| {
                    expr(&mut range.start, f);
                    expr(&mut range.end, f);
                    if let Some(Distance::Named(step)) = &mut range.step {
                        expr(step, f);
                    }
                }),
            }
            block(&mut l.body, f);
        }
        ExprKind::Tuple(items)
        | ExprKind::Array(items)
        | ExprKind::Option(_, items)
        | ExprKind::Builtin(_, items, _)
        | ExprKind::Call(_, items) => items.iter_mut().for_each(|e| expr(e, f)),
    }
    f(NodeMut::Expr(e));
}
