//! Several threads on one item: which kernels that suits.

use super::tiles;
use crate::model::Function;
use crate::tree::{Block, Expr, ExprKind, Loop, LoopKind, Range, Stmt, VarId};
use crate::walk::{self, Node};
use std::collections::BTreeSet;

/// Whether an operand is written.
fn writes(function: &Function, operand: VarId) -> bool {
    let mut found = false;
    walk::block(&function.body, &mut |node| {
        found |= matches!(node, Node::Stmt(Stmt::Store { element, .. } | Stmt::Update { element, .. }) if element.view == operand);
    });
    found
}

/// Whether a loop over lanes writes an array of the kernel's own. Several threads have one each, so all of them run all of the loop.
pub(super) fn fills_tile(function: &Function, body: &Block) -> bool {
    let mut found = false;
    walk::block(body, &mut |node| {
        found |= matches!(node, Node::Stmt(Stmt::Store { element, .. }) if function.types.rank(element.view) > 0)
    });
    found
}

/// How several threads can work on one item: the name of a variant of the run time's `Wide`. Each loop over lanes is shared out or run by all, and
/// operands that are written are used in such loops alone, since between two of them the threads are not at the same place.
///
/// Inside of a plain loop they meet as often as it turns: what is shared out there has to be worth it. Mostly it is in loops over several ranges
/// that do not hang on the plain one, as those of a block or a tile do.
pub fn wide(function: &Function) -> &'static str {
    let Some(loops) = &function.lanes else { return "Not" };
    let writes_operand = |stmt: &Stmt| {
        let (Stmt::Store { element, .. } | Stmt::Update { element, .. }) = stmt else { return false };
        function.types.rank(element.view) == 0
    };
    let uses = |node: &Node<'_>| match node {
        Node::Stmt(stmt) => writes_operand(stmt),
        Node::Expr(Expr { kind: ExprKind::Element(element), .. }) => {
            function.types.rank(element.view) == 0 && writes(function, element.view)
        }
        _ => false,
    };
    let can_share = |l: &Loop| {
        let Some(info) = loops.get(&l.id).filter(|info| info.scans.is_empty()) else { return false };
        let reduces = !info.reductions.is_empty() || info.fold.is_some();
        if fills_tile(function, &l.body) {
            let mut written = false;
            walk::block(&l.body, &mut |node| written |= matches!(node, Node::Stmt(stmt) if writes_operand(stmt)));
            return !reduces && !written;
        }
        let mixed = !info.updates.is_empty() && (reduces || info.updates.len() > 1);
        !mixed && (info.vars.len() == 1 || (!reduces && info.updates.is_empty()))
    };
    let (mut wide, mut in_turns, mut all, mut inside) = (true, false, 0, 0);
    walk::block(&function.body, &mut |node| {
        all += usize::from(uses(&node));
        let Node::Expr(Expr { kind: ExprKind::Loop(l), .. }) = node else { return };
        if matches!(l.kind, LoopKind::Lanes(_)) {
            wide &= can_share(l);
            walk::block(&l.body, &mut |node| inside += usize::from(uses(&node)));
            return;
        }
        let mut own = tiles::declared(&l.body);
        if let LoopKind::For(range) = &l.kind {
            own.extend(range.var);
        }
        walk::block(&l.body, &mut |node| {
            if let Node::Expr(Expr { kind: ExprKind::Loop(inner), .. }) = node
                && let LoopKind::Lanes(ranges) = &inner.kind
            {
                in_turns = true;
                wide &=
                    fills_tile(function, &inner.body) || (ranges.len() > 1 && ranges.first().is_some_and(|range| is_whole(range, &own)));
            }
        });
    });
    match (wide && all == inside, in_turns) {
        (false, _) => "Not",
        (true, false) => "Once",
        (true, true) => "InTurns",
    }
}

/// Whether a range ends at something that was there in front of the loop around, whose variables are `own`.
fn is_whole(range: &Range, own: &BTreeSet<VarId>) -> bool {
    let (mut named, mut owned) = (false, false);
    walk::expr(&range.end, &mut |node| match node {
        Node::Expr(Expr { kind: ExprKind::Var(id), .. }) => (named, owned) = (true, owned || own.contains(id)),
        Node::Expr(Expr { kind: ExprKind::Length(..), .. }) => named = true,
        _ => {}
    });
    named && !owned
}
