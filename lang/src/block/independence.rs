//! That the iterations of a loop over lanes write elements of their own.

use super::affine::{Sum, Sums, Term, text};
use super::analyze::LaneLoop;
use crate::error::{Errors, Source};
use crate::flow::Uniform;
use crate::model::Function;
use crate::tree::{BinaryOp, Block, Element, Expr, ExprKind, Loop, Stmt, VarId};
use crate::walk::{self, Node};
use std::collections::BTreeMap;

/// The elements that are written by `disjoint`.
fn disjoint_stores(block: &Block) -> Vec<&Element> {
    let mut found = Vec::new();
    walk::block(block, &mut |node| match node {
        Node::Stmt(Stmt::Store { element, .. }) if element.disjoint => found.push(element),
        _ => {}
    });
    found
}

/// `disjoint` promises something of iterations: outside of loops over lanes there are none.
pub(super) fn promises_outside(function: &Function, found: &[(&Loop, Source)], errors: &mut Errors) {
    let mut promised = disjoint_stores(&function.body);
    promised.retain(|at| !found.iter().any(|(l, _)| disjoint_stores(&l.body).iter().any(|inside| core::ptr::eq(*inside, *at))));
    for element in promised {
        errors.push(
            element
                .source
                .error("`disjoint` cannot stand outside of loops over lanes; remove it, because it is a promise about their iterations"),
        );
    }
}

/// Each iteration writes elements of its own, and reads of what is written none but these.
pub(super) fn stores(function: &Function, l: &Loop, info: &LaneLoop, uniform: &Uniform, errors: &mut Errors) {
    let sums = Sums { function, uniform, lanes: info };
    let (mut written, mut read): (Vec<(&Element, Source)>, Vec<&Element>) = (Vec::new(), Vec::new());
    walk::block(&l.body, &mut |node| match node {
        Node::Stmt(Stmt::Store { element, source, .. }) => written.push((element, *source)),
        Node::Expr(Expr { kind: ExprKind::Element(element), .. }) => read.push(element),
        _ => {}
    });
    let mut updated: Vec<(&Element, &str)> = Vec::new();
    walk::block(&l.body, &mut |node| {
        if let Node::Stmt(Stmt::Update { element, by, .. }) = node {
            updated.push((element, by));
        }
    });
    let name = |var: VarId| function.vars.get(var).map_or_else(String::new, |v| v.name.to_string());
    for element in read.iter().copied().chain(updated.iter().map(|(e, _)| *e)).filter(|e| e.disjoint) {
        errors.push(element.source.error(
            "`disjoint` cannot stand here; remove it, because it promises that each iteration writes another element, and this is no such write",
        ));
    }
    let mut own: BTreeMap<VarId, Vec<(usize, Sum)>> = BTreeMap::new();
    for (element, _) in &written {
        let view = name(element.view);
        if element.disjoint {
            // The user's promise is about this element alone.
            let writes = written.iter().filter(|(e, _)| e.view == element.view).count();
            if writes > 1 || read.iter().any(|e| e.view == element.view) {
                errors.push(element.source.error(format!(
                    "`{view}` cannot be written or read elsewhere in the loop over lanes that writes it by `disjoint`; split the loop in two, because what `disjoint` promises is of this one write"
                )));
            }
            continue;
        }
        let Some(axes) = own_axes(element, info, &sums) else {
            let vars: Vec<String> = info.vars.iter().map(|v| name(*v)).collect();
            let vars = vars.join("`, `");
            let own = function.types.rank(element.view);
            if own > 0 {
                let indices: String = info.vars.iter().rev().take(own).rev().map(|v| format!("[{}]", name(*v))).collect();
                errors.push(element.source.error(format!(
                    "this write to array `{view}` cannot be shown to reach another element in each iteration; index it by the loop's variables, each on an axis of its own (`{view}{indices}`), here `{vars}`, or declare the array inside the loop, because its lanes share the array"
                )));
                continue;
            }
            let example = info.vars.last().map_or_else(String::new, |v| name(*v));
            let rank = element.index.len();
            let list = |of: &[&str]| of.iter().take(rank).copied().collect::<Vec<_>>().join(", ");
            let (plain, promised) = (list(&["k", "l", "m", "n"]), list(&["unsafe { disjoint(k) }", "l", "m", "n"]));
            let [plain, promised] = [plain, promised].map(|index| if rank == 1 { index } else { format!("[{index}]") });
            errors.push(element.source.error(format!(
                "this write to `{view}` cannot be shown to reach another element in each iteration; index it by the loop's variables, each on an axis of its own (`{view}[{example}]`, `{view}[{example} + 1]`), here `{vars}`; or write `scatter_last({view}, {plain}, e)`, where the last iteration wins; or promise it (`{view}[{promised}]`), because iterations that write one element have no order"
            )));
            continue;
        };
        match own.get(&element.view) {
            Some(known) if *known != axes => errors.push(element.source.error(format!(
                "`{view}` cannot be written at two indices in one loop over lanes; split the loop in two, because an iteration would write another one's element"
            ))),
            Some(_) => {}
            None => drop(own.insert(element.view, axes)),
        }
    }
    for (element, by) in &updated {
        let view = name(element.view);
        let other = written.iter().any(|(e, _)| e.view == element.view) || updated.iter().any(|(e, b)| e.view == element.view && b != by);
        if other {
            errors.push(element.source.error(format!(
                "`{view}` cannot be updated here and written otherwise in one loop over lanes; split the loop in two, because the iterations have no order"
            )));
        }
    }
    for element in read {
        if updated.iter().any(|(e, _)| e.view == element.view) {
            let view = name(element.view);
            errors.push(element.source.error(format!(
                "`{view}` cannot be read in the loop over lanes that updates it; read it in a second loop, because the iterations have no order"
            )));
        }
        let Some(axes) = own.get(&element.view) else { continue };
        let same = element.edge.is_none()
            && axes.iter().all(|(axis, sum)| element.index.get(*axis).and_then(|e| sums.of(e)).is_some_and(|s| s == *sum));
        if !same {
            let view = name(element.view);
            errors.push(element.source.error(format!(
                "`{view}` cannot be read here, where another iteration of the loop writes it; read it at the index that is written, or in a second loop over lanes, because the iterations have no order"
            )));
        }
    }
}

/// Whether an index is `K * var + r`, with `r` in `0..K`: blocks of a size that has a name.
fn is_block_of(sum: &Sum, var: VarId, info: &LaneLoop) -> bool {
    let mut inside = sum.vars();
    inside.retain(|v| info.inside.contains(v));
    let [a, b] = inside[..] else { return false };
    let r = if a == var { b } else { a };
    let Some(range) = info.ranges.get(&r).filter(|range| !range.inclusive && matches!(range.start.kind, ExprKind::Int(0, _))) else {
        return false;
    };
    let Some(size) = text(&range.end) else { return false };
    let is_multiple = |e: &Expr| match &e.kind {
        ExprKind::Binary(BinaryOp::Mul, a, b) => {
            [(a, b), (b, a)].into_iter().any(|(k, v)| matches!(v.kind, ExprKind::Var(id) if id == var) && text(k).as_ref() == Some(&size))
        }
        _ => false,
    };
    let blocks = sum.opaque.iter().filter(|(name, e)| is_multiple(e) && sum.terms.get(&Term::Opaque((*name).clone())) == Some(&1));
    (a == var || b == var) && sum.of(r) == 1 && !sum.hides(r) && sum.of(var) == 0 && blocks.count() == 1
}

/// For each of the loop's variables an axis on which it stands alone, with its index.
fn own_axes(element: &Element, info: &LaneLoop, sums: &Sums<'_>) -> Option<Vec<(usize, Sum)>> {
    let indices: Vec<Option<Sum>> = element.index.iter().map(|e| sums.of(e)).collect();
    let mut own = Vec::new();
    for var in &info.vars {
        // What else changes within an iteration changes by less than the variable moves: `4 * i + r` with `r` in `0..4`.
        let alone = |sum: &Sum| {
            let mut room = sum.of(*var).abs();
            for v in sum.vars().iter().filter(|v| *v != var && info.inside.contains(v)) {
                match info.widths.get(v) {
                    Some(width) if !sum.hides(*v) => room -= width * sum.of(*v).abs(),
                    _ => return false,
                }
            }
            room > 0 && !sum.hides(*var)
        };
        let (axis, sum) = indices
            .iter()
            .enumerate()
            .find_map(|(axis, sum)| sum.as_ref().filter(|s| alone(s) || is_block_of(s, *var, info)).map(|s| (axis, s.clone())))?;
        own.push((axis, sum));
    }
    Some(own)
}
