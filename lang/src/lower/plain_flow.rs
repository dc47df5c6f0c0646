//! Control flow over single values: Rust's own, on conditions of Rust's own.

use super::body::{LoopFrame, Lower, local};
use crate::paths;
use crate::tree::{Block, Expr, ExprKind, Loop, LoopId, LoopKind, Range};
use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

impl Lower<'_> {
    /// A condition, as a `bool` of Rust's.
    pub(super) fn condition(&mut self, e: &Expr) -> TokenStream {
        let span = e.source.start;
        if let ExprKind::ShortCircuit { or, left, right } = &e.kind {
            let mut side = |side: &Expr| {
                // `||` binds weaker than `&&`.
                let parens = !or && matches!(side.kind, ExprKind::ShortCircuit { or: true, .. });
                let side = self.condition(side);
                if parens { quote!((#side)) } else { side }
            };
            let (left, right) = (side(left), side(right));
            return if *or { quote_spanned!(span=> #left || #right) } else { quote_spanned!(span=> #left && #right) };
        }
        let e = self.expr(e);
        self.op("holds", &[], &[e], span)
    }

    pub(super) fn plain_if(&mut self, cond: &Expr, then: &Block, otherwise: Option<&Block>, span: Span) -> TokenStream {
        let cond = self.condition(cond);
        let then = self.block(then);
        let otherwise = otherwise.map(|b| match b {
            // `else if`, as the user wrote it.
            Block { stmts, value: Some(e), .. } if stmts.is_empty() && matches!(e.kind, ExprKind::If { .. }) => {
                let e = self.expr(e);
                quote!(else #e)
            }
            b => {
                let b = self.block(b);
                quote!(else #b)
            }
        });
        quote_spanned!(span=> if #cond #then #otherwise)
    }

    pub(super) fn plain_loop(&mut self, l: &Loop, span: Span) -> TokenStream {
        self.loops.push(LoopFrame { id: l.id, label: l.label.clone(), has_continue: false, lanes: false });
        let label = l.label.as_ref().map(|l| quote!(#l:));
        let tokens = match &l.kind {
            LoopKind::Forever => {
                let body = self.block_inner(&l.body);
                let stop = self.stop_when_failed();
                quote_spanned!(span=> #label loop { #stop #body })
            }
            LoopKind::While(cond) => {
                let (cond, body, stop) = (self.condition(cond), self.block_inner(&l.body), self.stop_when_failed());
                quote_spanned!(span=> #label while #cond { #stop #body })
            }
            // Lowered before it comes here.
            LoopKind::Lanes(_) => TokenStream::new(),
            LoopKind::For(range) => {
                let Counter { init, goes_on, next } = self.counter(range, span);
                let goes_on = self.op("holds", &[], &[goes_on], span);
                let body = self.block_inner(&l.body);
                quote! {{
                    #init
                    #label while #goes_on {
                        #next
                        #body
                    }
                }}
            }
        };
        self.loops.pop();
        tokens
    }

    /// In the uniform code of a block kernel: a value that stands in for that of an index out of range might never end the loop.
    fn stop_when_failed(&self) -> Option<TokenStream> {
        (self.function.is_block() && self.is_inside()).then(|| {
            let (cx, failed, zero) = (paths::cx(), super::body::name("failed"), self.op("zero", &[], &[], Span::mixed_site()));
            quote!(if #cx.#failed() { return #zero; })
        })
    }

    /// The counter of a `for`. A `while` and not Rust's own `for`, since the type may be a type parameter; the step stands
    /// before the body, so that `continue` needs no care. `more` is false once the counter has wrapped.
    pub(super) fn counter(&mut self, range: &Range, span: Span) -> Counter {
        let (start, end) = (self.expr(&range.start), self.expr(&range.end));
        let [at, bound, more] = ["at", "bound", "more"].map(local);
        let ty = self.dtype(self.function.types.of(range.id));
        let step = self.op("int_literal", &[ty], &[Literal::i128_suffixed(range.literal_step().unwrap_or(1)).into_token_stream()], span);
        let var = range.var.map(|id| {
            let var = self.declare(id);
            quote!(let #var = #at;)
        });
        // A counter may wrap behind its last value, which is nothing to report.
        let op = |f: &str, a: TokenStream, b: TokenStream| self.op_in(&self.cx(), f, &[], &[a, b], span);
        let (at_, bound_) = (quote!(#at), quote!(#bound));
        if !range.rev && !range.inclusive && range.step.is_none() {
            // at + 1 cannot wrap: it is at most the bound.
            let (goes_on, next) = (op("lt", at_.clone(), bound_), op("add", at_, step));
            return Counter { init: quote!(let mut #at = #start; let #bound = #end;), goes_on, next: quote!(#var #at = #next;) };
        }
        let (first, last, within, beyond, move_on) = match (range.rev, range.inclusive) {
            (false, inclusive) => (start, end, if inclusive { "le" } else { "lt" }, "gt", "add"),
            (true, true) => (end, start, "ge", "lt", "sub"),
            (true, false) => {
                // Down from end - 1, which wraps where the range is empty.
                let last = local("first");
                let one = self.op("int_literal", &[quote!(_)], &[quote!(1i128)], span);
                let first = op("sub", quote!(#last), one);
                let some = op("lt", bound_.clone(), quote!(#last));
                let (goes_on, next) = (op("ge", at_.clone(), bound_), op("sub", at_.clone(), step));
                let wrapped = op("lt", next.clone(), at_);
                let both = op("and", quote!(#more), goes_on);
                let init = quote!(let #bound = #start; let #last = #end; let mut #more = #some; let mut #at = #first;);
                return Counter { init, goes_on: both, next: quote!(#var #more = #wrapped; #at = #next;) };
            }
        };
        let cx = self.cx();
        let (goes_on, next) = (op(within, at_.clone(), bound_), op(move_on, at_.clone(), step));
        let on = op(beyond, next.clone(), at_);
        let both = op("and", quote!(#more), goes_on);
        let init = quote!(let mut #at = #first; let #bound = #last; let mut #more = #cx.active(););
        Counter { init, goes_on: both, next: quote!(#var #more = #on; #at = #next;) }
    }

    fn label_of(&self, id: LoopId) -> Option<syn::Lifetime> {
        let innermost = self.loops.last().is_some_and(|l| l.id == id);
        let frame = self.loops.iter().find(|l| l.id == id)?;
        // An unneeded label of the user's stays, so that rustc does not call it unused.
        if innermost && frame.label.is_none() { None } else { frame.label.clone() }
    }

    pub(super) fn plain_break(&mut self, id: LoopId, value: Option<&Expr>, span: Span) -> TokenStream {
        let label = self.label_of(id);
        let value = value.map(|e| self.expr(e));
        quote_spanned!(span=> break #label #value)
    }

    pub(super) fn plain_continue(&mut self, id: LoopId, span: Span) -> TokenStream {
        if self.loops.iter().any(|l| l.id == id && l.lanes) {
            let label = crate::block::lower::next_label(id);
            return quote_spanned!(span=> break #label);
        }
        let label = self.label_of(id);
        quote_spanned!(span=> continue #label)
    }
}

/// The parts of a counting loop.
pub(super) struct Counter {
    /// Before the loop.
    pub(super) init: TokenStream,
    /// Whether there is another value.
    pub(super) goes_on: TokenStream,
    /// At the start of the body: the variable gets its value, the counter moves on.
    pub(super) next: TokenStream,
}
