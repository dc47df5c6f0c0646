//! Tiles: arrays that are declared outside of a loop over lanes and used inside.
//!
//! Inside, the lanes of an item share them, as they share an operand: `tile[i][j]` is made an element of a view of two axes. So one
//! analysis serves both.

use crate::check::Types;
use crate::dtype::Dtype;
use crate::model::Function;
use crate::tree::{Block, Element, Expr, ExprKind, LoopKind, Pat, Step, Stmt, Type, VarId};
use crate::walk::{self, Node};
use crate::walk_mut::{self, NodeMut};
use std::collections::BTreeSet;

/// Makes elements of what loops over lanes use of arrays that are declared outside of them.
pub fn rewrite(function: &mut Function) {
    let Function { body, types, .. } = function;
    walk_mut::block(body, &mut |node| {
        if let NodeMut::Expr(Expr { kind: ExprKind::Loop(l), .. }) = node
            && matches!(l.kind, LoopKind::Lanes(_))
        {
            let inside = declared(&l.body);
            let rank = |var: VarId| if inside.contains(&var) { 0 } else { types.rank(var) };
            walk_mut::block(&mut l.body, &mut |node| match node {
                NodeMut::Expr(e) => read(e, &rank, types),
                NodeMut::Stmt(stmt) => write(stmt, &rank, types),
            });
        }
    });
}

/// The variables declared in a block.
pub(super) fn declared(body: &Block) -> BTreeSet<VarId> {
    let mut inside = BTreeSet::new();
    walk::block(body, &mut |node| {
        if let Node::Pat(Pat::Var(id)) = node {
            inside.insert(*id);
        }
    });
    inside
}

fn read(e: &mut Expr, rank: &dyn Fn(VarId) -> usize, types: &Types) {
    match &e.kind {
        ExprKind::Index(..) => {
            let (mut indices, mut at) = (Vec::new(), &*e);
            while let ExprKind::Index(a, i) = &at.kind {
                indices.push(index(i, types));
                at = a;
            }
            if let ExprKind::Var(view) = at.kind
                && rank(view) == indices.len()
            {
                indices.reverse();
                e.kind = ExprKind::Element(Element { view, index: indices, edge: None, disjoint: false, source: e.source });
            }
        }
        ExprKind::Len(a) => {
            if let ExprKind::Var(view) = a.kind
                && rank(view) > 0
            {
                e.kind = ExprKind::Length(view, 0);
            }
        }
        _ => {}
    }
}

fn write(stmt: &mut Stmt, rank: &dyn Fn(VarId) -> usize, types: &Types) {
    let Stmt::Assign { place, op, value, source } = stmt else { return };
    let indices = place.steps.iter().map(|step| match step {
        Step::Index(i) => Some(index(i, types)),
        Step::Member(_) => None,
    });
    if let Some(indices) = indices.collect::<Option<Vec<_>>>()
        && !indices.is_empty()
        && rank(place.var) == indices.len()
    {
        let element = Element { view: place.var, index: indices, edge: None, disjoint: false, source: place.source };
        *stmt = Stmt::Store { element, op: *op, value: value.clone(), source: *source };
    }
}

/// An index as those of operands are: of 64 bits.
fn index(i: &Expr, types: &Types) -> Expr {
    if *types.of(i.id) == Type::Dtype(Dtype::U64) {
        return i.clone();
    }
    let kind = match i.kind {
        ExprKind::Int(v, _) => ExprKind::Int(v, Some(Dtype::U64)),
        _ => ExprKind::Cast(Box::new(i.clone()), Type::Dtype(Dtype::U64)),
    };
    // No expression has that number: its type is the one that it says.
    Expr { kind, source: i.source, id: usize::MAX }
}
