//! Loops that count bytes: some CPUs have a way that is quicker than an update for each.

use super::analyze::LaneLoop;
use super::lower::{first, updates_of};
use super::places::Evenly;
use super::steps::LaneFrame;
use crate::dtype::Dtype;
use crate::lower::body::{Lower, local, name};
use crate::paths;
use crate::tree::{Expr, ExprKind, Loop, Range, Stmt, Type};
use proc_macro2::TokenStream;
use quote::quote;

impl Lower<'_> {
    /// `atomic_add(&mut y[x[i] as usize], 1)` as all that a loop does: the iterations that the run time can count are taken out of its
    /// span. Whether `x` has bytes, and `y` integers, is known there.
    pub(super) fn counting(&mut self, l: &Loop, ranges: &[Range], info: &LaneLoop) -> Option<TokenStream> {
        let [Stmt::Update { element, by: "Sum", value, .. }] = l.body.stmts.as_slice() else { return None };
        let [Expr { kind: ExprKind::Cast(index, Type::Dtype(Dtype::U64)), .. }] = element.index.as_slice() else { return None };
        let ExprKind::Element(x) = &index.kind else { return None };
        let same = match &value.kind {
            ExprKind::Int(..) => true,
            ExprKind::Var(id) => !info.inside.contains(id),
            _ => false,
        };
        let known = x.edge.is_none() && self.function.types.rank(x.view) == 0 && self.guarded(x, info).is_some();
        if !same || !known {
            return None;
        }
        let frame = LaneFrame::new(l, ranges);
        let Evenly { at, stride: Some(stride), .. } = self.place_of(x, info, &frame)? else { return None };
        let (updates, count, span, first) = (updates_of(element.view), name("count"), local("span"), first());
        let (cx, x, value) = (paths::cx(), self.var(x.view), self.expr(value));
        Some(quote!(let #span = #updates.#count(#cx, #span, #x, #[inline(always)] |#first| #at, #stride, #value);))
    }
}
