//! Exits in the middle of an expression: `10 / match x { 0 => return 0, n => n }`.
//!
//! Over lanes, who leaves is taken out of the context behind the statement that it leaves by. What an expression does after an exit inside
//! it (a division that may fault, an assignment, a second `return`) has to come behind such a statement, so the part with the exit, and what
//! is evaluated before it, become variables of their own:
//!
//! ```text
//! let step0 = match x { 0 => return 0, n => n };
//! 10 / step0
//! ```

use crate::error::Source;
use crate::flow::Exits;
use crate::model::Function;
use crate::tree::{Block, Expr, ExprKind, LoopKind, Pat, Step, Stmt, Var, VarId};
use proc_macro2::{Ident, Span};

/// Rewrites the body of a function.
pub fn exits(function: &mut Function) {
    let Function { vars, body, .. } = function;
    Hoist { vars, first: None }.block(body);
}

/// The first expression that [`exits`] would make a variable of: in a block kernel, whose loops over lanes are analysed as they are
/// written, that is an error.
pub fn first(function: &Function) -> Option<Source> {
    let mut vars = function.vars.clone();
    let mut hoist = Hoist { vars: &mut vars, first: None };
    hoist.block(&mut function.body.clone());
    hoist.first
}

fn leaves(e: &Expr) -> bool {
    Exits::of_expr(e).any()
}

struct Hoist<'a> {
    vars: &'a mut Vec<Var>,
    first: Option<Source>,
}

impl Hoist<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut stmt in core::mem::take(&mut block.stmts) {
            self.stmt(&mut stmt, &mut block.stmts);
            block.stmts.push(stmt);
        }
        if let Some(value) = &mut block.value {
            self.expr(value, &mut block.stmts);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt, before: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Let { init, .. } => self.expr(init, before),
            Stmt::Assign { place, value, .. } => {
                let mut parts = vec![value];
                parts.extend(place.steps.iter_mut().filter_map(|step| match step {
                    Step::Index(index) => Some(index),
                    Step::Member(_) => None,
                }));
                self.operands(parts, before);
            }
            Stmt::Store { element, value, .. } => {
                let parts = element.index.iter_mut().chain([value]).collect();
                self.operands(parts, before);
            }
            Stmt::Expr { expr, .. } => self.expr(expr, before),
            Stmt::Reduce(reduce) => {
                self.operands(vec![&mut reduce.value], before);
                self.block(&mut reduce.body);
            }
            // Updates are those of block kernels, which are not rewritten.
            Stmt::Update { .. } | Stmt::Shape { .. } | Stmt::Const(_) | Stmt::Struct(_) => {}
        }
    }

    /// Settles what is evaluated in this order: all up to the last that leaves.
    fn operands(&mut self, parts: Vec<&mut Expr>, before: &mut Vec<Stmt>) {
        let Some(last) = parts.iter().rposition(|e| leaves(e)) else {
            // What does not leave has loops of its own, at most.
            parts.into_iter().for_each(|e| self.expr(e, before));
            return;
        };
        for (k, e) in parts.into_iter().enumerate() {
            if k <= last { self.settle(e, before) } else { self.expr(e, before) }
        }
    }

    /// Makes a variable of the expression, unless it is the same wherever it stands.
    fn settle(&mut self, e: &mut Expr, before: &mut Vec<Stmt>) {
        self.expr(e, before);
        let is_fixed = match &e.kind {
            ExprKind::Int(..) | ExprKind::Float(..) | ExprKind::Bool(_) | ExprKind::Const(_) | ExprKind::Length(..) => true,
            ExprKind::Var(id) => self.vars.get(*id).is_some_and(|var| var.mutable.is_none()),
            _ => false,
        };
        if is_fixed {
            return;
        }
        self.first.get_or_insert(e.source);
        let var = self.declare();
        let read = Expr { kind: ExprKind::Var(var), source: e.source, id: e.id };
        before.push(Stmt::Let { pat: Pat::Var(var), ty: None, init: core::mem::replace(e, read) });
    }

    fn declare(&mut self) -> VarId {
        let name = Ident::new(&format!("__lanecraft_step{}", self.vars.len()), Span::mixed_site());
        self.vars.push(Var { name, mutable: None });
        self.vars.len() - 1
    }

    /// Of an expression that is not always evaluated, or more than once: its statements stay with it.
    fn apart(&mut self, e: &mut Expr) {
        let mut stmts = Vec::new();
        self.expr(e, &mut stmts);
        if !stmts.is_empty() {
            let (source, id) = (e.source, e.id);
            let value = core::mem::replace(e, Expr { kind: ExprKind::Bool(false), source, id });
            e.kind = ExprKind::Block(Block { stmts, value: Some(Box::new(value)), source });
        }
    }

    fn expr(&mut self, e: &mut Expr, before: &mut Vec<Stmt>) {
        match &mut e.kind {
            ExprKind::Int(..)
            | ExprKind::Float(..)
            | ExprKind::Bool(_)
            | ExprKind::Var(_)
            | ExprKind::Const(_)
            | ExprKind::Continue(_)
            | ExprKind::Length(..)
            | ExprKind::Break(_, None) => {}
            ExprKind::Unary(_, a)
            | ExprKind::Cast(a, ..)
            | ExprKind::Field(a, _)
            | ExprKind::FromBits(_, a)
            | ExprKind::Dbg(a, _)
            | ExprKind::Repeat(a, _)
            | ExprKind::Scan(_, a)
            | ExprKind::Len(a) => self.expr(a, before),
            ExprKind::Return(a) | ExprKind::Break(_, Some(a)) => self.operands(vec![&mut **a], before),
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => self.operands(vec![&mut **a, &mut **b], before),
            ExprKind::ShortCircuit { left, right, .. } => {
                self.operands(vec![&mut **left], before);
                self.apart(right);
            }
            ExprKind::If { cond, then, otherwise } => {
                self.operands(vec![&mut **cond], before);
                self.block(then);
                otherwise.iter_mut().for_each(|b| self.block(b));
            }
            ExprKind::Block(b) => self.block(b),
            ExprKind::Struct(literal) => {
                let parts = literal.fields.iter_mut().map(|(_, e)| e).chain(literal.base.iter_mut()).collect();
                self.operands(parts, before);
            }
            ExprKind::Element(element) => self.operands(element.index.iter_mut().collect(), before),
            ExprKind::Loop(l) => {
                match &mut l.kind {
                    LoopKind::Forever => {}
                    LoopKind::While(cond) => self.apart(cond),
                    LoopKind::For(range) => self.operands(vec![&mut range.start, &mut range.end], before),
                    LoopKind::Lanes(_) => {}
                }
                self.block(&mut l.body);
            }
            ExprKind::Tuple(items)
            | ExprKind::Array(items)
            | ExprKind::Option(_, items)
            | ExprKind::Builtin(_, items, _)
            | ExprKind::Call(_, items) => self.operands(items.iter_mut().collect(), before),
        }
    }
}
