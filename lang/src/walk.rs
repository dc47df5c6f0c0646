//! Walks over the tree: every statement, pattern and expression, in the order of evaluation.

use crate::tree::{Block, Distance, Edge, Expr, ExprKind, LoopKind, Pat, Step, Stmt};

/// What a walk meets; its parts come after it.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    /// A statement.
    Stmt(&'a Stmt),
    /// A pattern.
    Pat(&'a Pat),
    /// An expression.
    Expr(&'a Expr),
}

/// Walks over a block.
pub fn block<'a>(block: &'a Block, f: &mut dyn FnMut(Node<'a>)) {
    block.stmts.iter().for_each(|s| stmt(s, f));
    block.value.iter().for_each(|e| expr(e, f));
}

/// Walks over a statement.
pub fn stmt<'a>(stmt: &'a Stmt, f: &mut dyn FnMut(Node<'a>)) {
    f(Node::Stmt(stmt));
    match stmt {
        Stmt::Let { pat, init, .. } => {
            expr(init, f);
            self::pat(pat, f);
        }
        Stmt::Assign { place, value, .. } => {
            expr(value, f);
            place.steps.iter().for_each(|step| match step {
                Step::Member(_) => {}
                Step::Index(i) => expr(i, f),
            });
        }
        Stmt::Store { element, value, .. } | Stmt::Update { element, value, .. } => {
            element.index.iter().for_each(|e| expr(e, f));
            expr(value, f);
        }
        Stmt::Reduce(reduce) => {
            expr(&reduce.value, f);
            reduce.args.iter().for_each(|p| pat(p, f));
            block(&reduce.body, f);
        }
        Stmt::Expr { expr: e, .. } => expr(e, f),
        Stmt::Shape { value, .. } => expr(value, f),
        Stmt::Const(_) | Stmt::Struct(_) => {}
    }
}

/// Walks over a pattern.
pub fn pat<'a>(pat: &'a Pat, f: &mut dyn FnMut(Node<'a>)) {
    f(Node::Pat(pat));
    match pat {
        Pat::Var(_) | Pat::Wild(_) => {}
        Pat::Tuple(pats, _) => pats.iter().for_each(|p| self::pat(p, f)),
    }
}

/// Walks over an expression.
pub fn expr<'a>(e: &'a Expr, f: &mut dyn FnMut(Node<'a>)) {
    f(Node::Expr(e));
    match &e.kind {
        ExprKind::Int(..)
        | ExprKind::Float(..)
        | ExprKind::Bool(_)
        | ExprKind::Var(_)
        | ExprKind::Const(_)
        | ExprKind::Continue(_)
        | ExprKind::Length(..) => {}
        ExprKind::Element(element) => {
            element.index.iter().for_each(|e| expr(e, f));
            if let Some(Edge::Or(e)) = &element.edge {
                expr(e, f);
            }
        }
        ExprKind::Unary(_, a)
        | ExprKind::Scan(_, a)
        | ExprKind::Cast(a, ..)
        | ExprKind::Field(a, _)
        | ExprKind::FromBits(_, a)
        | ExprKind::Dbg(a, _)
        | ExprKind::Return(a) => expr(a, f),
        ExprKind::Repeat(a, _) | ExprKind::Len(a) => expr(a, f),
        ExprKind::Struct(literal) => {
            literal.fields.iter().for_each(|(_, e)| expr(e, f));
            literal.base.iter().for_each(|e| expr(e, f));
        }
        ExprKind::Binary(_, a, b) | ExprKind::ShortCircuit { left: a, right: b, .. } | ExprKind::Index(a, b) => {
            expr(a, f);
            expr(b, f);
        }
        ExprKind::If { cond, then, otherwise } => {
            expr(cond, f);
            block(then, f);
            otherwise.iter().for_each(|b| block(b, f));
        }
        ExprKind::Block(b) => block(b, f),
        ExprKind::Break(_, value) => value.iter().for_each(|e| expr(e, f)),
        ExprKind::Loop(l) => {
            match &l.kind {
                LoopKind::Forever => {}
                LoopKind::While(cond) => expr(cond, f),
                LoopKind::For(range) => {
                    expr(&range.start, f);
                    expr(&range.end, f);
                }
                LoopKind::Lanes(ranges) => ranges.iter().for_each(|range| {
                    expr(&range.start, f);
                    expr(&range.end, f);
                    if let Some(Distance::Named(step)) = &range.step {
                        expr(step, f);
                    }
                }),
            }
            block(&l.body, f);
        }
        ExprKind::Tuple(items)
        | ExprKind::Array(items)
        | ExprKind::Option(_, items)
        | ExprKind::Builtin(_, items, _)
        | ExprKind::Call(_, items) => items.iter().for_each(|e| expr(e, f)),
    }
}
