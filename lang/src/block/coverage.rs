//! Whether a kernel writes every element of its outputs.
//!
//! A fresh output in Python is memory as it was found. Where it cannot be shown here that a kernel writes all of it, it is filled with zeros
//! first.

use super::BlockKernel;
use crate::dtype::Dtype;
use crate::tree::{Block, Element, Expr, ExprKind, Loop, LoopKind, Pat, Stmt, Type, VarId};
use crate::walk::{self, Node};
use std::collections::{BTreeMap, BTreeSet};

/// For each output, whether every element is shown to be written: by a store under no condition, in loops over all indices of its axes.
pub fn covered(kernel: &BlockKernel) -> Vec<bool> {
    let signature = &kernel.signature;
    let inputs = kernel.inputs.iter().zip(&signature.inputs);
    let all = inputs.chain(kernel.outputs.iter().zip(&signature.outputs));
    let dims = all.filter_map(|(operand, dims)| Some((operand.var?, dims.as_slice()))).collect();
    let mut assigned = BTreeSet::new();
    walk::block(&kernel.function.body, &mut |node| {
        if let Node::Stmt(Stmt::Assign { place, .. }) = node {
            assigned.insert(place.var);
        }
    });
    let mut search = Search { dims, assigned, lets: BTreeMap::new(), around: Vec::new(), written: BTreeSet::new() };
    let returns = any(&kernel.function.body, |e| matches!(e, ExprKind::Return(_)));
    if !returns {
        search.block(&kernel.function.body);
    }
    kernel.outputs.iter().map(|o| o.var.is_none_or(|var| search.written.contains(&var))).collect()
}

struct Search<'a> {
    /// The dimensions of each operand.
    dims: BTreeMap<VarId, &'a [usize]>,
    /// The variables that are something else later.
    assigned: BTreeSet<VarId>,
    /// What variables were bound to, of those that it was a tuple's part at most.
    lets: BTreeMap<VarId, &'a Expr>,
    /// The variables of the loops around, and the dimensions that they run through.
    around: Vec<(VarId, usize)>,
    /// The operands that are written as a whole.
    written: BTreeSet<VarId>,
}

impl<'a> Search<'a> {
    fn block(&mut self, block: &'a Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { pat, init, .. } => self.bind(pat, init),
                Stmt::Store { element, op: None, .. } if self.covers(element) => drop(self.written.insert(element.view)),
                Stmt::Expr { expr, .. } => self.expr(expr),
                _ => {}
            }
        }
        if let Some(value) = &block.value {
            self.expr(value);
        }
    }

    fn bind(&mut self, pat: &Pat, init: &'a Expr) {
        match (pat, &init.kind) {
            (Pat::Var(id), _) => drop(self.lets.insert(*id, init)),
            (Pat::Tuple(pats, _), ExprKind::Tuple(items)) => pats.iter().zip(items).for_each(|(pat, item)| self.bind(pat, item)),
            _ => {}
        }
    }

    fn expr(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::Block(block) => self.block(block),
            ExprKind::Loop(l) => self.run(l),
            _ => {}
        }
    }

    /// A loop that runs through whole dimensions, all of it.
    fn run(&mut self, l: &'a Loop) {
        let ranges = match &l.kind {
            LoopKind::For(range) => std::slice::from_ref(&**range),
            LoopKind::Lanes(ranges) => ranges.as_slice(),
            LoopKind::Forever | LoopKind::While(_) => return,
        };
        let through = ranges.iter().map(|r| {
            let whole = matches!(r.start.kind, ExprKind::Int(0, _)) && !r.inclusive && r.step.is_none();
            Some((r.var.filter(|var| whole && !self.assigned.contains(var))?, self.dim(&r.end)?))
        });
        let Some(through) = through.collect::<Option<Vec<_>>>() else { return };
        if any(&l.body, |e| matches!(e, ExprKind::Break(..) | ExprKind::Continue(_))) {
            return;
        }
        let known = self.around.len();
        self.around.extend(through);
        self.block(&l.body);
        self.around.truncate(known);
    }

    /// Whether a store reaches each index of every axis: on each axis stands the variable of a loop of its own, and no other loop around may
    /// have no iterations.
    fn covers(&self, element: &Element) -> bool {
        let Some(dims) = self.dims.get(&element.view).filter(|dims| dims.len() == element.index.len()) else { return false };
        if self.around.iter().any(|(_, dim)| !dims.contains(dim)) {
            return false;
        }
        let mut used = BTreeSet::new();
        element.index.iter().zip(*dims).all(|(index, dim)| match &plain(index).kind {
            ExprKind::Var(id) => self.around.contains(&(*id, *dim)) && used.insert(*id),
            _ => false,
        })
    }

    /// The dimension whose size a value is.
    fn dim(&self, e: &Expr) -> Option<usize> {
        match &plain(e).kind {
            ExprKind::Length(view, axis) => self.dims.get(view)?.get(*axis).copied(),
            ExprKind::Var(id) if !self.assigned.contains(id) => self.dim(self.lets.get(id)?),
            _ => None,
        }
    }
}

/// An index without the conversion to its own type.
fn plain(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(inner, Type::Dtype(Dtype::U64)) => inner,
        _ => e,
    }
}

/// Whether an expression of some kind is in a block.
fn any(block: &Block, is: impl Fn(&ExprKind) -> bool) -> bool {
    let mut found = false;
    walk::block(block, &mut |node| found |= matches!(node, Node::Expr(e) if is(&e.kind)));
    found
}
