//! Control flow over lanes: both sides of an `if` run, each with its lanes active; a loop runs while any lane is in it.
//!
//! What runs where is in the context `cx`, which every place has its own of. After a statement that some lanes leave (by
//! `break`, `continue`, `return`) a new `cx` without them hides the old one. Assignments to variables that other lanes see
//! are masked. The masks:
//! - `live` of each loop: lanes that are in it;
//! - `next` of a loop with a `continue`: lanes that are done with this iteration;
//! - `returned` of a function with a `return`, and `result`, what they returned.

use super::body::{LoopFrame, Lower, local, name};
use super::plain_flow::Counter;
use crate::dtype::Class;
use crate::flow::{self, Exits};
use crate::paths;
use crate::tree::{BinaryOp, Block, Expr, ExprKind, Loop, LoopId, LoopKind, Stmt, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

fn live(id: LoopId) -> Ident {
    local(&format!("live{id}"))
}

fn next(id: LoopId) -> Ident {
    local(&format!("next{id}"))
}

fn out(id: LoopId) -> Ident {
    local(&format!("out{id}"))
}

/// Whether two expressions are the same variable, literal or constant.
fn same(a: &Expr, b: &Expr) -> bool {
    use ExprKind::{Const, Float, Int, Var};
    match (&a.kind, &b.kind) {
        (Var(a), Var(b)) => a == b,
        (Int(a, s), Int(b, t)) => a == b && s == t,
        (Float(a, s), Float(b, t)) => a == b && s == t,
        (Const(a), Const(b)) => a == b,
        _ => false,
    }
}

impl Lower<'_> {
    /// The whole body. With a `return` in it, its value is blended from those of the lanes that returned early.
    pub(super) fn lane_body(&mut self) -> TokenStream {
        let body = &self.function.body;
        if !Exits::of_block(body).returns {
            return self.block_inner(body);
        }
        let (cx, result, returned) = (paths::cx(), local("result"), local("returned"));
        let value = self.block(body);
        let zero = self.op("zero", &[], &[], Span::mixed_site());
        let end = if flow::block_diverges(body) {
            quote!(#value; #result)
        } else {
            let last = local("last");
            let blended = self.op("select", &[], &[quote!(#returned), quote!(#result), quote!(#last)], Span::mixed_site());
            quote!(let #last = #value; #blended)
        };
        quote! {
            let mut #result = #zero;
            let mut #returned = #cx.none();
            #end
        }
    }

    /// What stands after a statement: where lanes have left, a context without them.
    pub(super) fn after(&mut self, stmt: &Stmt) -> TokenStream {
        let exits = Exits::of_stmt(stmt);
        if !exits.any() {
            return TokenStream::new();
        }
        // Who has returned sees no variable again; who left an iteration may.
        if !exits.loops.is_empty() {
            self.depth += 1;
        }
        let cx = paths::cx();
        let and_not = name("and_not");
        match self.loops.last() {
            None => {
                let returned = local("returned");
                quote!(let #cx = #cx.#and_not(#returned);)
            }
            Some(frame) => {
                let (and, live) = (name("and"), live(frame.id));
                let without_next = frame.has_continue.then(|| {
                    let next = next(frame.id);
                    quote!(let #cx = #cx.#and_not(#next);)
                });
                quote!(let #cx = #cx.#and(#live); #without_next)
            }
        }
    }

    /// The right side is computed for all, but its effects and faults happen only where the left side does not decide.
    pub(super) fn lane_short_circuit(&mut self, or: bool, left: &Expr, right: &Expr, span: Span) -> TokenStream {
        let left = self.expr(left);
        self.depth += 1;
        let right = self.expr(right);
        self.depth -= 1;
        let (a, b, cx) = (local("left"), local("right"), paths::cx());
        let (f, part) = if or { ("or", name("and_not")) } else { ("and", name("and")) };
        let combined = self.op(f, &[], &[quote!(#a), quote!(#b)], span);
        quote! {{
            let #a = #left;
            let #b = { let #cx = #cx.#part(#a); #right };
            #combined
        }}
    }

    pub(super) fn lane_if(&mut self, cond: &Expr, then: &Block, otherwise: Option<&Block>, span: Span) -> TokenStream {
        let diverges = (flow::block_diverges(then), otherwise.is_some_and(flow::block_diverges));
        if self.uniform.expr(cond) {
            return self.uniform_if(cond, then, otherwise, diverges, span);
        }
        if let Some(chosen) = otherwise.and_then(|otherwise| self.lesser_or_greater(cond, then, otherwise, span)) {
            return chosen;
        }
        let cond = self.expr(cond);
        let (c, cx) = (local("c"), paths::cx());
        self.depth += 1;
        let mut side = |part: &str, block: Option<&Block>| {
            let (part, block) = (name(part), block.map(|b| self.block_inner(b)));
            quote!({ let #cx = #cx.#part(#c); #block })
        };
        let (then, otherwise) = (side("and", Some(then)), otherwise.map(|b| side("and_not", Some(b))));
        self.depth -= 1;
        let Some(otherwise) = otherwise else {
            return quote!({ let #c = #cond; #then });
        };
        let [a, b] = ["a", "b"].map(local);
        let value = match diverges {
            (true, true) => TokenStream::new(),
            (true, false) => quote!(#b),
            (false, true) => quote!(#a),
            (false, false) => self.op("select", &[], &[quote!(#c), quote!(#a), quote!(#b)], span),
        };
        quote! {{
            let #c = #cond;
            let #a = #then;
            let #b = #otherwise;
            #value
        }}
    }

    /// `if a < b { a } else { b }` and its like, where `a` and `b` are variables, literals or constants: one instruction on
    /// most levels. This is how limits are written that let a NaN pass.
    fn lesser_or_greater(&mut self, cond: &Expr, then: &Block, otherwise: &Block, span: Span) -> Option<TokenStream> {
        let ExprKind::Binary(op @ (BinaryOp::Lt | BinaryOp::Gt), left, right) = &cond.kind else { return None };
        let only_value = |block: &'_ Block| block.stmts.is_empty().then(|| block.value.clone()).flatten();
        let (then, otherwise) = (only_value(then)?, only_value(otherwise)?);
        // `a < b { b } else { a }` is `b > a { b } else { a }`.
        let swapped = match (same(&then, left) && same(&otherwise, right), same(&then, right) && same(&otherwise, left)) {
            (true, _) => false,
            (_, true) => true,
            _ => return None,
        };
        if !self.is_num(left) && !self.is_num(right) {
            return None;
        }
        let f = if (*op == BinaryOp::Lt) == swapped { "greater" } else { "lesser" };
        let (then, otherwise) = (self.expr(&then), self.expr(&otherwise));
        Some(self.op(f, &[], &[then, otherwise], span))
    }

    /// Whether an expression is known to have a dtype that is ordered by one instruction: any but `bool`.
    fn is_num(&self, e: &Expr) -> bool {
        match self.function.types.of(e.id) {
            Type::Dtype(dtype) => Class::Num.contains(*dtype),
            Type::Param(k) => self.function.generics.get(*k).is_some_and(|g| g.classes.iter().any(|c| c.implies(Class::Num))),
            _ => false,
        }
    }

    /// A condition that is the same for all lanes stays a branch.
    fn uniform_if(&mut self, cond: &Expr, then: &Block, otherwise: Option<&Block>, diverges: (bool, bool), span: Span) -> TokenStream {
        let cond = self.to_plain().condition(cond);
        // The side that never reaches its end gives a value of the other's type, for nobody.
        let mut side = |block: &Block, fill: bool| {
            let block = self.block_inner(block);
            let fill = fill.then(|| self.op("zero", &[], &[], span));
            quote!({ #block #fill })
        };
        let then = side(then, diverges == (true, false) && otherwise.is_some());
        let otherwise = otherwise.map(|b| side(b, diverges == (false, true)));
        let otherwise = otherwise.map(|b| quote!(else #b));
        quote_spanned!(span=> if #cond #then #otherwise)
    }

    pub(super) fn lane_loop(&mut self, l: &Loop, span: Span) -> TokenStream {
        let has_continue = flow::has_continue(&l.body, l.id);
        self.loops.push(LoopFrame { id: l.id, label: l.label.clone(), has_continue, lanes: false });
        let tokens = match &l.kind {
            LoopKind::For(range) if self.uniform.expr(&range.start) && self.uniform.expr(&range.end) => {
                self.uniform_for(l, has_continue, span)
            }
            _ => self.masked_loop(l, has_continue, span),
        };
        self.loops.pop();
        tokens
    }

    /// A `for` whose range is the same for all lanes: a loop of single values around lane code.
    fn uniform_for(&mut self, l: &Loop, has_continue: bool, span: Span) -> TokenStream {
        let LoopKind::For(range) = &l.kind else { return TokenStream::new() };
        let exits = Exits::of_block(&l.body);
        // Who has returned sees no variable again, so that for a `return` alone no assignment has to wait for a mask.
        let may_leave = usize::from(!exits.loops.is_empty());
        let mut plain = self.to_plain();
        let Counter { init, goes_on, next } = plain.counter(range, span);
        let goes_on = plain.op("holds", &[], &[goes_on], span);
        // A `mut` variable may differ between lanes later on.
        let spread = range.var.filter(|id| !self.uniform.var(*id)).map(|id| {
            let var = self.var(id);
            let value = self.op("spread", &[], core::slice::from_ref(&var), span);
            quote!(let mut #var = #value;)
        });
        self.depth += may_leave;
        range.var.into_iter().for_each(|id| drop(self.declare(id)));
        let body = self.block_inner(&l.body);
        self.depth -= may_leave;
        if !exits.any() {
            return quote!({ #init while #goes_on { #next #spread #body } });
        }
        let (live, cx) = (live(l.id), paths::cx());
        let any = self.op("any", &[], &[quote!(#live)], span);
        let none_done = has_continue.then(|| self.no_next(l.id));
        quote! {{
            let mut #live = #cx.active();
            #init
            while #goes_on {
                if !#any { break; }
                let #cx = #cx.with(#live);
                #next
                #spread
                #none_done
                #body
            }
        }}
    }

    /// The masks of a loop over lanes with a `continue`.
    pub(crate) fn lane_masks(&self, id: LoopId) -> TokenStream {
        let (live, cx, no_next) = (live(id), paths::cx(), self.no_next(id));
        quote!(let mut #live = #cx.active(); #no_next)
    }

    fn no_next(&self, id: LoopId) -> TokenStream {
        let (next, cx) = (next(id), paths::cx());
        quote!(let mut #next = #cx.none();)
    }

    /// A loop that each lane leaves by itself.
    fn masked_loop(&mut self, l: &Loop, has_continue: bool, span: Span) -> TokenStream {
        self.depth += 1;
        let (live, cx, out) = (live(l.id), paths::cx(), out(l.id));
        let (init, goes_on, next) = match &l.kind {
            LoopKind::Forever | LoopKind::Lanes(_) => (None, None, None),
            LoopKind::While(cond) => (None, Some(self.expr(cond)), None),
            LoopKind::For(range) => {
                let Counter { init, goes_on, next } = self.counter(range, span);
                (Some(init), Some(goes_on), Some(next))
            }
        };
        let stay = goes_on.map(|goes_on| {
            let on = local("on");
            let both = self.op("and", &[], &[quote!(#live), quote!(#on)], span);
            quote!(let #on = #goes_on; #live = #both;)
        });
        let any = self.op("any", &[], &[quote!(#live)], span);
        let none_done = has_continue.then(|| self.no_next(l.id));
        let body = self.block_inner(&l.body);
        self.depth -= 1;
        let has_value = matches!(l.kind, LoopKind::Forever) && flow::has_break(&l.body, l.id);
        let (value_init, value) = if has_value {
            let zero = self.op("zero", &[], &[], span);
            (quote!(let mut #out = #zero;), quote!(#out))
        } else {
            (TokenStream::new(), TokenStream::new())
        };
        quote! {{
            let mut #live = #cx.active();
            #value_init
            #init
            loop {
                let #cx = #cx.with(#live);
                #none_done
                #stay
                if !#any { break; }
                let #cx = #cx.with(#live);
                #next
                #body
            }
            #value
        }}
    }

    /// Takes the active lanes out of the loops from the innermost to `last`; out of all, where that is `None`.
    fn leave(&self, last: Option<LoopId>) -> TokenStream {
        let cx = paths::cx();
        let mut tokens = TokenStream::new();
        for frame in self.loops.iter().rev() {
            let live = live(frame.id);
            tokens.extend(quote!(#live = #cx.leave(#live);));
            if last == Some(frame.id) {
                break;
            }
        }
        tokens
    }

    pub(super) fn lane_break(&mut self, id: LoopId, value: Option<&Expr>, span: Span) -> TokenStream {
        let out = out(id);
        let unit = quote!(());
        let has_out = self.loop_has_value(id);
        let value = value.map(|e| self.expr(e));
        let give = has_out.then(|| {
            let value = self.op("assign", &[], &[value.unwrap_or(unit), quote!(#out)], span);
            quote!(#out = #value;)
        });
        let leave = self.leave(Some(id));
        quote!({ #give #leave })
    }

    /// Whether a loop is a `loop`, which takes a value from each `break`.
    fn loop_has_value(&self, id: LoopId) -> bool {
        let mut forever = false;
        crate::walk::block(&self.function.body, &mut |node| {
            if let crate::walk::Node::Expr(Expr { kind: ExprKind::Loop(l), .. }) = node {
                forever |= l.id == id && matches!(l.kind, LoopKind::Forever);
            }
        });
        forever
    }

    pub(super) fn lane_continue(&mut self, id: LoopId) -> TokenStream {
        let inner = self.loops.iter().rev().take_while(|l| l.id != id).last().map(|l| l.id);
        let leave = inner.map(|inner| self.leave(Some(inner)));
        let (next, cx) = (next(id), paths::cx());
        quote!({ #leave #next = #cx.join(#next); })
    }

    pub(super) fn lane_return(&mut self, value: &Expr, span: Span) -> TokenStream {
        let value = self.expr(value);
        let (result, returned, cx) = (local("result"), local("returned"), paths::cx());
        let value = self.op("assign", &[], &[value, quote!(#result)], span);
        let leave = self.leave(None);
        quote!({ #result = #value; #returned = #cx.join(#returned); #leave })
    }
}
