//! Rows of a loop over lanes as one long row, where every index is a variable of the loop as it is: `y[[i, j]] = x[[i, j]]`. That they lie side by
//! side is known when the kernel runs, in front of the loop.

use super::analyze::LaneLoop;
use super::lower::{bounds, number};
use super::places::elements;
use super::steps::step;
use crate::lower::body::{Lower, local, name};
use crate::tree::{Element, Expr, ExprKind, Loop, Range, VarId};
use crate::walk::{self, Node};
use proc_macro2::TokenStream;
use quote::quote;

/// On which axes of an operand variables of a loop stand.
type Axes = (VarId, Vec<usize>);

impl Lower<'_> {
    /// Makes one range of the lanes' and those around it, as many as can be.
    pub(super) fn flattened(&self, l: &Loop, ranges: &[Range], info: &LaneLoop) -> TokenStream {
        let last = ranges.len().saturating_sub(1);
        let (mut tokens, mut between) = (TokenStream::new(), quote!(true));
        for k in (0..last).rev() {
            let Some(views) = self.can_be_one(l, &ranges[k..], info) else { break };
            let ([at, bound], [lane, lanes_end], flat) = (bounds(k), bounds(last), local("flat"));
            let (flat_fn, [over, view, ends]) = (self.block_fn("flat"), ["over", "view", "ends"].map(name));
            let (mut all, mut longer) = (TokenStream::new(), TokenStream::new());
            for (id, axes) in &views {
                let (x, row, lane) = (self.var(*id), number(axes[0]), number(axes[axes.len() - 1]));
                all.extend(quote!(.#over(#x, #row, #lane)));
                longer.extend(quote!(let #x = #flat.#view(#x, #lane);));
            }
            tokens.extend(quote! {
                let #flat = #flat_fn(#at, #bound, #lane, #lanes_end, #between) #all;
                #longer
                let (#bound, #lanes_end) = #flat.#ends();
            });
            between = self.is_single(k, &ranges[k]);
        }
        tokens
    }

    /// Whether a loop's range `k` has a single value.
    pub(super) fn is_single(&self, k: usize, range: &Range) -> TokenStream {
        let (span, [at, bound], step, is_single) = (self.block_fn("span"), bounds(k), step(k, range), name("is_single"));
        quote!(#span(#at, #bound, #step).#is_single())
    }

    /// The operands and the axes that the variables of these ranges stand on, if they stand nowhere else, and all of them together.
    fn can_be_one(&self, l: &Loop, ranges: &[Range], info: &LaneLoop) -> Option<Vec<Axes>> {
        let vars: Vec<VarId> = ranges.iter().map(|range| range.var.filter(|_| range.step.is_none())).collect::<Option<_>>()?;
        let elements = elements(&l.body);
        if !self.is_free(info, &elements) {
            return None;
        }
        let mut views: Vec<Axes> = Vec::new();
        let mut indices = 0;
        for element in &elements {
            let Some(axes) = axes_of(element, &vars) else { continue };
            if element.edge.is_some() || self.function.types.rank(element.view) > 0 {
                return None;
            }
            indices += axes.len();
            match views.iter().find(|(view, _)| *view == element.view) {
                Some((_, known)) if *known != axes => return None,
                Some(_) => {}
                None => views.push((element.view, axes)),
            }
        }
        let is_one = |view: &VarId| views.iter().any(|(one, _)| one == view);
        let (mut uses, mut lengths) = (0, false);
        walk::block(&l.body, &mut |node| match node {
            Node::Expr(Expr { kind: ExprKind::Var(id), .. }) => uses += usize::from(vars.contains(id)),
            Node::Expr(Expr { kind: ExprKind::Length(view, _), .. }) => lengths |= is_one(view),
            _ => {}
        });
        let others = elements.iter().any(|e| is_one(&e.view) && axes_of(e, &vars).is_none());
        (uses == indices && !lengths && !others).then_some(views)
    }
}

/// On which axis of an element each variable stands alone, if all of them do.
fn axes_of(element: &Element, vars: &[VarId]) -> Option<Vec<usize>> {
    let axis = |var: &VarId| element.index.iter().position(|e| matches!(e.kind, ExprKind::Var(id) if id == *var));
    vars.iter().map(axis).collect()
}
