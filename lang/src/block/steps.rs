//! How far apart the iterations of loops over lanes are: what `step_by` says.

use crate::error::Errors;
use crate::lower::body::{Lower, local};
use crate::model::{Function, ParameterValue};
use crate::tree::{Expr, ExprKind, Loop, LoopId, LoopKind, Range};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// The loop over lanes around the place that is lowered.
#[derive(Clone)]
pub(crate) struct LaneFrame {
    pub(super) id: LoopId,
    /// By how much its variable moves from lane to lane.
    step: Step,
}

impl LaneFrame {
    pub(super) fn new(l: &Loop, ranges: &[Range]) -> Self {
        let step = ranges.last().map_or(Step::Literal(1), |range| Step::of(ranges.len() - 1, range));
        Self { id: l.id, step }
    }

    /// Whether an index in which the loop's variable has a factor is known to move by one from lane to lane.
    pub(super) fn moves_by_one(&self, factor: i128) -> bool {
        matches!(self.step, Step::Literal(step) if factor * step == 1)
    }
}

/// How far apart the values of a loop's range are.
#[derive(Clone)]
enum Step {
    Literal(i128),
    /// What is in a variable in front of the loop.
    Named(Ident),
}

impl Step {
    /// Of range `k`.
    fn of(k: usize, range: &Range) -> Self {
        range.literal_step().map_or_else(|| Self::Named(local(&format!("step{k}"))), Self::Literal)
    }
}

/// How far apart the values of a loop's range `k` are.
pub(super) fn step(k: usize, range: &Range) -> TokenStream {
    match Step::of(k, range) {
        Step::Literal(n) => Literal::u64_suffixed(u64::try_from(n).unwrap_or(1)).to_token_stream(),
        Step::Named(step) => step.to_token_stream(),
    }
}

impl Lower<'_> {
    /// The variable of a step that has a name, of a loop's range `k`.
    pub(super) fn named_step(&mut self, k: usize, range: &Range) -> Option<TokenStream> {
        let named = range.named_step()?;
        let step = step(k, range);
        let ExprKind::Const(path) = &named.kind else {
            let (of, value) = (self.block_fn("step"), self.expr(named));
            return Some(quote!(let #step = #of(#value);));
        };
        // Said once, in the plain function. The values of a parameter are known to be none of 0.
        let check = (!self.is_inside() && values(self.function, named).is_none()).then(|| {
            quote_spanned! {named.source.start=>
                const _: usize = {
                    ::core::assert!(#path > 0, "the step of a loop over lanes cannot be 0");
                    #path
                };
            }
        });
        Some(quote!(#check let #step = #path as u64;))
    }

    /// By how much an index moves from lane to lane in which the loop's variable has a factor.
    pub(super) fn moves(&self, frame: &LaneFrame, factor: i128) -> TokenStream {
        let literal = |n: i128| Literal::i64_unsuffixed(i64::try_from(n).unwrap_or(0));
        match &frame.step {
            Step::Literal(step) => literal(factor * step).to_token_stream(),
            Step::Named(step) => {
                let (moves, factor) = (self.block_fn("moves"), literal(factor));
                quote!(#moves(#step, #factor))
            }
        }
    }
}

/// The values of the parameter that a step names.
fn values<'f>(function: &'f Function, step: &Expr) -> Option<&'f [ParameterValue]> {
    let is_it = |var: Option<usize>, name: &Ident| match &step.kind {
        ExprKind::Var(id) => var == Some(*id),
        ExprKind::Const(path) => var.is_none() && path.is_ident(name),
        _ => false,
    };
    function.parameters.iter().find(|p| is_it(p.var, &p.name)).map(|p| p.values.as_slice())
}

/// A step is known when the kernel is compiled, and not 0.
pub(super) fn check(function: &Function, l: &Loop, errors: &mut Errors) {
    let LoopKind::Lanes(ranges) = &l.kind else { return };
    for step in ranges.iter().filter_map(Range::named_step) {
        let name = match &step.kind {
            ExprKind::Var(id) => function.vars.get(*id).map_or_else(String::new, |v| v.name.to_string()),
            ExprKind::Const(path) => path.to_token_stream().to_string().replace(' ', ""),
            _ => String::new(),
        };
        let known = match (&step.kind, values(function, step)) {
            (_, Some(values)) if values.iter().any(|v| matches!(v, ParameterValue::Int(..=0))) => {
                errors.push(step.source.error(format!(
                    "parameter `{name}` cannot be the step of a loop over lanes, since one of its values is 0; take that out, because such a loop would not end"
                )));
                continue;
            }
            (_, Some(_)) => true,
            // A constant that hangs on a type parameter is none where its value is checked.
            (ExprKind::Const(path), None) => {
                !path.segments.first().is_some_and(|first| function.generics.iter().any(|g| g.name == first.ident))
            }
            _ => false,
        };
        if !known {
            errors.push(step.source.error(format!(
                "`{name}` cannot be the step of a loop over lanes; use a literal, a constant or a parameter (`#[parameter(2, 4)] k: usize`), because a step of 0 is ruled out when the kernel is compiled"
            )));
        }
    }
}
