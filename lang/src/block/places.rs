//! Where elements lie: indices that move evenly from lane to lane, and the checks of them in front of a loop.

use super::affine::{Sum, Sums, Term};
use super::analyze::LaneLoop;
use super::lower::{fast, first, number};
use super::steps::LaneFrame;
use crate::lower::Mode;
use crate::lower::body::{Lower, name};
use crate::model::Function;
use crate::paths;
use crate::tree::{Block, Edge, Element, Expr, ExprKind, Loop, LoopKind, Stmt, VarId};
use crate::walk::{self, Node};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

/// Where an element lies whose index moves evenly from lane to lane.
pub(super) struct Evenly {
    /// Of the first lane.
    pub(super) at: TokenStream,
    /// From lane to lane, on each axis; `None` where it is the same for all lanes.
    pub(super) stride: Option<TokenStream>,
    /// Whether it needs no check.
    pub(super) fast: TokenStream,
}

/// Of the elements in loops over lanes, how many are read and written by an index of their own in each lane.
pub(super) fn gathered(function: &Function) -> (usize, usize) {
    let lower = Lower::block_kernel(function);
    let mut loops: Vec<&Loop> = Vec::new();
    walk::block(&function.body, &mut |node| {
        if let Node::Expr(Expr { kind: ExprKind::Loop(l), .. }) = node
            && matches!(l.kind, LoopKind::Lanes(_))
        {
            loops.push(l);
        }
    });
    let (mut reads, mut writes) = (0, 0);
    for l in loops {
        let Some(info) = function.lanes.as_ref().and_then(|all| all.get(&l.id)) else { continue };
        walk::block(&l.body, &mut |node| match node {
            Node::Expr(Expr { kind: ExprKind::Element(e), .. }) => reads += usize::from(lower.sums(e, info).is_none()),
            Node::Stmt(Stmt::Store { element: e, .. }) => writes += usize::from(lower.sums(e, info).is_none()),
            _ => {}
        });
    }
    (reads, writes)
}

impl Lower<'_> {
    /// Narrows the span to the iterations where guarded indices need no checks, and begins whole gangs where a written operand's are.
    pub(super) fn guards(&mut self, l: &Loop, info: &LaneLoop, start: &Ident) -> TokenStream {
        let elements = elements(&l.body);
        let lane = info.vars.last().copied();
        let aligned = self.aligned(l, info, start, &elements);
        // What is beyond an edge is no fault: `aligned`, which asks for that, stands in front of it.
        let (mut faults, mut edges, mut seen) = (TokenStream::new(), TokenStream::new(), Vec::new());
        for element in elements {
            let Some(sums) = self.guarded(element, info) else { continue };
            for (axis, sum) in sums.iter().enumerate() {
                let stride = lane.map_or(0, |v| sum.of(v));
                let (sum, inner) = self.inner_ranges(sum, info);
                let rest = self.sum(&sum, lane, None);
                let (view, axis, stride_) =
                    (self.var(element.view), number(axis), Literal::i64_unsuffixed(i64::try_from(stride).unwrap_or(0)));
                let to = if element.edge.is_some() { &mut edges } else { &mut faults };
                let guard = if stride == 0 && element.edge.as_ref().is_some_and(|e| !matches!(e, Edge::Or(_))) {
                    // What is beyond the edge stands for an element, if there are any.
                    let nonempty = name("nonempty");
                    quote!(.#nonempty(#view, #axis))
                } else if !inner.is_empty() {
                    let through = name("through");
                    quote!(.#through(#view, #axis, #rest, #stride_, [#(#inner),*]))
                } else if stride == 0 {
                    let holds = name("holds");
                    quote!(.#holds(#view, #axis, #rest))
                } else {
                    let within = name("within");
                    quote!(.#within(#view, #axis, #rest, #stride_))
                };
                let text = guard.to_string();
                if !seen.contains(&text) {
                    seen.push(text);
                    to.extend(guard);
                }
            }
        }
        quote!(#faults #aligned #edges)
    }

    /// Whether it makes no difference which iterations are a gang: nothing hangs on their order, and no index found in the loop may be out of
    /// range, of which the first one in a gang is told.
    pub(super) fn is_free(&self, info: &LaneLoop, elements: &[&Element]) -> bool {
        let in_order = !info.reductions.is_empty() || info.fold.is_some() || !info.updates.is_empty() || !info.scans.is_empty();
        !in_order && elements.iter().all(|e| e.edge.is_some() || self.guarded(e, info).is_some())
    }

    /// Begins whole gangs where those of the first operand that the loop writes side by side do not straddle cache lines, and has them go away from
    /// what the CPU takes for elements that the loop reads.
    fn aligned(&mut self, l: &Loop, info: &LaneLoop, start: &Ident, elements: &[&Element]) -> Option<TokenStream> {
        let LoopKind::Lanes(ranges) = &l.kind else { return None };
        if ranges.last().is_none_or(|range| range.step.is_some()) || !self.is_free(info, elements) {
            return None;
        }
        let lane = *info.vars.last()?;
        // An empty operand has no edge: then the first index in the order of the loop is told, if that is not known in front of it.
        let in_order = elements.iter().any(|e| self.guarded(e, info).is_none());
        let middles = if in_order { Vec::new() } else { self.middles(l, info) };
        let mut found = None;
        walk::block(&l.body, &mut |node| {
            if let Node::Stmt(Stmt::Store { element, .. }) = node
                && found.is_none()
                && let Some(sums) = self.side_by_side(element, info)
            {
                found = Some((element.view, sums));
            }
        });
        let written = found?;
        let mut index = |(view, sums): &(VarId, Vec<Sum>)| {
            let first = sums.iter().map(|sum| self.sum(sum, Some(lane), Some(start)));
            let first = quote!([#(#first),*]);
            (self.var(*view), first)
        };
        let ([aligned, away], (y, first)) = (["aligned", "away"].map(name), index(&written));
        let others: TokenStream = middles
            .iter()
            .filter(|middle| **middle != written)
            .map(|middle| {
                let (x, middle) = index(middle);
                quote!(.#away(#y, #first, #x, #middle))
            })
            .collect();
        Some(quote!(.#aligned(#y, #first) #others))
    }

    /// The operands that a loop reads side by side, each with the index in the middle of those that differ by constants alone.
    fn middles(&self, l: &Loop, info: &LaneLoop) -> Vec<(VarId, Vec<Sum>)> {
        let mut groups: Vec<(VarId, Vec<Vec<Sum>>)> = Vec::new();
        walk::block(&l.body, &mut |node| {
            if let Node::Expr(Expr { kind: ExprKind::Element(element), .. }) = node
                && let Some(sums) = self.side_by_side(element, info)
            {
                let same = |known: &[Sum]| known.iter().zip(&sums).all(|(a, b)| a.terms == b.terms);
                match groups.iter_mut().find(|(view, group)| *view == element.view && same(&group[0])) {
                    Some((_, group)) => group.push(sums),
                    None => groups.push((element.view, vec![sums])),
                }
            }
        });
        let middle = |group: Vec<Vec<Sum>>| -> Vec<Sum> {
            let constant = |axis: usize| group.iter().map(|sums| sums[axis].constant).sum::<i128>() / group.len() as i128;
            group[0].iter().enumerate().map(|(axis, sum)| Sum { constant: constant(axis), ..sum.clone() }).collect()
        };
        groups.into_iter().map(|(view, group)| (view, middle(group))).collect()
    }

    /// The sums of an element's index in an operand, if its lanes lie side by side and the rest is known in front of the loop.
    fn side_by_side(&self, element: &Element, info: &LaneLoop) -> Option<Vec<Sum>> {
        let (sums, lane) = (self.sums(element, info)?, *info.vars.last()?);
        let even = sums.iter().rev().enumerate().all(|(k, sum)| sum.of(lane) == i128::from(k == 0));
        let known = sums.iter().flat_map(Sum::vars).all(|v| !info.inside.contains(&v) || info.vars.contains(&v));
        (self.function.types.rank(element.view) == 0 && even && known).then_some(sums)
    }

    /// The sums of an element's index, if what they are made of is known before the loop, or runs through a range that is.
    pub(super) fn guarded(&self, element: &Element, info: &LaneLoop) -> Option<Vec<Sum>> {
        let sums = self.sums(element, info)?;
        let known = |v: &VarId| !info.inside.contains(v) || info.vars.contains(v);
        let ranges = |s: &Sum| s.vars().iter().all(|v| known(v) || (!s.hides(*v) && self.bounds_of(*v, info).is_some()));
        sums.iter().all(ranges).then_some(sums)
    }

    /// The first value of a plain loop's variable and the end of its values, if they are known before the loop over lanes.
    fn bounds_of(&self, var: VarId, info: &LaneLoop) -> Option<[Sum; 2]> {
        let range = info.ranges.get(&var)?;
        let sums = Sums { function: self.function, uniform: &self.uniform, lanes: info };
        let lane = info.vars.last();
        let known = |v: &VarId| Some(v) != lane && (!info.inside.contains(v) || info.vars.contains(v));
        let bounds = [sums.of(&range.start)?, sums.of(&range.end)?];
        bounds.iter().all(|s| s.vars().iter().all(known)).then_some(bounds)
    }

    /// Takes the variables of plain loops out of a sum. Gives their factors, first values and ends, and whether the end is a value.
    fn inner_ranges(&mut self, sum: &Sum, info: &LaneLoop) -> (Sum, Vec<TokenStream>) {
        let (mut rest, mut inner) = (sum.clone(), Vec::new());
        for var in sum.vars() {
            let factor = sum.of(var);
            if !info.inside.contains(&var) || info.vars.contains(&var) || factor == 0 {
                continue;
            }
            let Some([first, end]) = self.bounds_of(var, info) else { continue };
            let (first, end) = (self.sum(&first, None, None), self.sum(&end, None, None));
            let factor = Literal::i64_suffixed(i64::try_from(factor).unwrap_or(i64::MAX));
            rest = rest.without(var);
            let inclusive = info.ranges.get(&var).is_some_and(|range| range.inclusive);
            inner.push(quote!((#factor, #first, #end, #inclusive)));
        }
        (rest, inner)
    }

    /// The sums of an element's index, if it moves evenly from lane to lane.
    pub(super) fn sums(&self, element: &Element, info: &LaneLoop) -> Option<Vec<Sum>> {
        let sums = Sums { function: self.function, uniform: &self.uniform, lanes: info };
        let lane = info.vars.last();
        let even = |s: &Sum| s.vars().iter().all(|v| Some(v) == lane || self.uniform.var(*v));
        element.index.iter().map(|e| sums.of(e).filter(even)).collect()
    }

    /// A sum as a single value; `lane` stands for the variable of the lanes, which is left out if that is `None`.
    fn sum(&mut self, sum: &Sum, var: Option<VarId>, lane: Option<&Ident>) -> TokenStream {
        let (times, constant) = (self.block_fn("times"), self.block_fn("constant"));
        let start = Literal::i64_suffixed(i64::try_from(sum.constant).unwrap_or(i64::MIN));
        let mut tokens = quote!(#constant(#start));
        for (term, n) in &sum.terms {
            let value = match term {
                Term::Var(id) if Some(*id) == var => match lane {
                    Some(first) => first.to_token_stream(),
                    None => continue,
                },
                Term::Var(id) => self.var(*id),
                Term::Length(view, axis) => self.length(*view, *axis),
                Term::Opaque(text) => match sum.opaque.get(text) {
                    Some(e) if self.mode == Mode::Lane => self.to_plain().expr(e),
                    Some(e) => self.expr(e),
                    None => continue,
                },
            };
            let n = Literal::i64_suffixed(i64::try_from(*n).unwrap_or(i64::MIN));
            tokens = quote!(#times(#tokens, #value, #n));
        }
        tokens
    }

    /// Where an element lies whose index moves evenly from lane to lane.
    pub(super) fn place_of(&mut self, element: &Element, info: &LaneLoop, frame: &LaneFrame) -> Option<Evenly> {
        let sums = self.sums(element, info)?;
        let lane = info.vars.last().copied();
        let strides: Vec<i128> = sums.iter().map(|s| lane.map_or(0, |v| s.of(v))).collect();
        let first = first();
        let at: Vec<TokenStream> = sums.iter().map(|s| self.sum(s, lane, Some(&first))).collect();
        let fast = if self.guarded(element, info).is_some() { fast().to_token_stream() } else { self.known(false) };
        let stride = strides.iter().any(|s| *s != 0).then(|| {
            let side_by_side = strides.iter().rev().enumerate().all(|(k, s)| frame.moves_by_one(*s) == (k == 0) && (k == 0 || *s == 0));
            if side_by_side {
                return self.block_fn("SideBySide");
            }
            let strides = strides.iter().map(|s| self.moves(frame, *s));
            quote!([#(#strides),*])
        });
        Some(Evenly { at: quote!([#(#at),*]), stride, fast })
    }

    /// The index of each lane, where it is an element that lies evenly.
    fn index_at(&mut self, e: &Expr) -> Option<TokenStream> {
        let ExprKind::Element(element) = &e.kind else { return None };
        let frame = self.lanes.clone().filter(|_| element.edge.is_none() && self.function.types.rank(element.view) == 0)?;
        let info = self.info(frame.id);
        let Evenly { at, stride: Some(stride), fast } = self.place_of(element, &info, &frame)? else { return None };
        let (indices, cx, view) = (self.block_fn("indices_at"), paths::cx(), self.var(element.view));
        let leads = self.known(self.leads(element, &info));
        Some(quote!(#indices(#cx, #fast, #leads, #view, #at, #stride)))
    }

    /// The index of each lane, on each axis.
    pub(super) fn indices(&mut self, element: &Element) -> Vec<TokenStream> {
        let (indices, cx) = (self.block_fn("indices"), paths::cx());
        fn narrow(e: &Expr) -> &Expr {
            match &e.kind {
                ExprKind::Cast(inner, crate::tree::Type::Dtype(crate::dtype::Dtype::U64)) => inner,
                _ => e,
            }
        }
        let mut each = |e: &Expr| match self.index_at(narrow(e)) {
            Some(at) => at,
            None => {
                let e = self.expr(narrow(e));
                quote!(#indices(#cx, #e))
            }
        };
        element.index.iter().map(&mut each).collect()
    }

    /// What is known of an access, as the run time's type.
    pub(super) fn known(&self, what: bool) -> TokenStream {
        let known = self.block_fn("Known");
        quote!(#known::<#what>)
    }

    /// Whether an element is the first of its operand that the iterations of a loop come to, as far as that is known: of `x[[i - 1, j]]` and
    /// `x[[i + 1, j]]` the latter. Others need no prefetching.
    pub(super) fn leads(&self, element: &Element, info: &LaneLoop) -> bool {
        let of = |e: &Element| {
            self.sums(e, info).filter(|sums| sums.iter().flat_map(Sum::vars).all(|v| !info.inside.contains(&v) || info.vars.contains(&v)))
        };
        let Some(own) = of(element) else { return false };
        let mut leads = self.function.types.rank(element.view) == 0;
        let mut passed = false;
        let mut compare = |other: &Element| {
            if core::ptr::eq(other, element) {
                passed = true;
            } else if other.view == element.view
                && let Some(sums) = of(other)
                && sums.iter().zip(&own).all(|(a, b)| a.terms == b.terms)
            {
                let constants = |sums: &[Sum]| sums.iter().map(|s| s.constant).collect::<Vec<_>>();
                let (theirs, own) = (constants(&sums), constants(&own));
                leads &= theirs < own || (theirs == own && passed);
            }
        };
        walk::block(&self.function.body, &mut |node| {
            if let Node::Expr(Expr { kind: ExprKind::Loop(l), .. }) = node
                && matches!(l.kind, LoopKind::Lanes(_))
            {
                let elements = elements(&l.body);
                if elements.iter().any(|e| core::ptr::eq(*e, element)) {
                    elements.into_iter().for_each(&mut compare);
                }
            }
        });
        leads
    }

    /// Whether a store is all that happens to the elements of an operand, and happens once.
    pub(super) fn is_written_once(&self, stored: &Element) -> bool {
        if self.function.types.rank(stored.view) > 0 {
            return false;
        }
        let mut once = true;
        walk::block(&self.function.body, &mut |node| match node {
            Node::Stmt(Stmt::Store { element, op, .. }) if element.view == stored.view => {
                once &= core::ptr::eq(element, stored) && op.is_none();
            }
            Node::Stmt(Stmt::Update { element, .. }) | Node::Expr(Expr { kind: ExprKind::Element(element), .. }) => {
                once &= element.view != stored.view;
            }
            // A loop around comes to other elements each time if its variable is part of the index.
            Node::Expr(Expr { kind: ExprKind::Loop(l), .. }) if holds(&l.body, stored) => {
                once &= match &l.kind {
                    LoopKind::For(range) => range.var.is_some_and(|var| stored.index.iter().any(|e| names(e, var))),
                    LoopKind::Lanes(_) => true,
                    LoopKind::Forever | LoopKind::While(_) => false,
                };
            }
            _ => {}
        });
        once
    }
}

/// The elements that a loop's body reads and writes.
pub(super) fn elements(body: &Block) -> Vec<&Element> {
    let mut elements: Vec<&Element> = Vec::new();
    walk::block(body, &mut |node| match node {
        Node::Stmt(Stmt::Store { element, .. }) | Node::Expr(Expr { kind: ExprKind::Element(element), .. }) => elements.push(element),
        _ => {}
    });
    elements
}

/// Whether a store of this element is in a block.
fn holds(block: &Block, stored: &Element) -> bool {
    let mut found = false;
    walk::block(block, &mut |node| {
        found |= matches!(node, Node::Stmt(Stmt::Store { element, .. }) if core::ptr::eq(element, stored));
    });
    found
}

/// Whether a variable is in an expression.
fn names(e: &Expr, var: VarId) -> bool {
    let mut found = false;
    walk::expr(e, &mut |node| found |= matches!(node, Node::Expr(Expr { kind: ExprKind::Var(id), .. }) if *id == var));
    found
}
