//! Loops over lanes, and elements.
//!
//! The plain function runs the iterations one by one. In lane code a loop is a call of the run time's loop, which calls the body, a
//! closure (two: for gangs whose guarded indices need no checks, and for others), gang by gang: with its context, with the variable of its first
//! lane, and with the accumulators of its reductions, which it gives back.

use super::analyze::{self, LaneLoop};
use super::places::Evenly;
use super::steps::{LaneFrame, step};
use super::wide;
use crate::flow;
use crate::lower::Mode;
use crate::lower::body::{LoopFrame, Lower, local, name};
use crate::paths;
use crate::tree::{BinaryOp, Edge, Element, Expr, ExprKind, Loop, LoopId, LoopKind, Place, Range, Reduce, VarId};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::rc::Rc;

/// The first lane's variable.
pub(super) fn first() -> Ident {
    local("first_lane")
}

/// Whether guarded indices need no checks: of another type in each of a loop's two closures.
pub(super) fn fast() -> Ident {
    local("fast")
}

pub(super) fn number(n: usize) -> TokenStream {
    Literal::usize_unsuffixed(n).to_token_stream()
}

impl Lower<'_> {
    pub(super) fn block_fn(&self, f: &str) -> TokenStream {
        let (module, f) = (self.function.root.private("block"), name(f));
        quote!(#module::#f)
    }

    /// A load or store: of an operand, or of an array of the kernel's own.
    fn access(&self, f: &str, view: VarId) -> TokenStream {
        if self.function.types.rank(view) > 0 { self.block_fn(&format!("tile_{f}")) } else { self.block_fn(f) }
    }

    pub(super) fn info(&self, id: LoopId) -> LaneLoop {
        self.function.lanes.as_ref().and_then(|loops| loops.get(&id)).cloned().unwrap_or_default()
    }

    /// A loop over lanes.
    pub(crate) fn lanes_loop(&mut self, l: &Loop) -> TokenStream {
        let LoopKind::Lanes(ranges) = &l.kind else { return TokenStream::new() };
        let bounds: TokenStream = ranges
            .iter()
            .enumerate()
            .map(|(k, range)| {
                let (start, end) = (self.expr(&range.start), self.expr(&range.end));
                let [at, bound] = bounds(k);
                let step = self.named_step(k, range);
                quote!(let #at = #start; let #bound = #end; #step)
            })
            .collect();
        // In the loop the name of an array stands for a view of it.
        let tiles: TokenStream = self
            .info(l.id)
            .tiles
            .iter()
            .map(|id| {
                let (var, mutable) = (self.var(*id), self.function.vars.get(*id).is_some_and(|v| v.mutable.is_some()));
                let f = self.block_fn(if mutable { "tile_mut" } else { "tile" });
                if mutable { quote!(let #var = #f(&mut #var);) } else { quote!(let #var = #f(&#var);) }
            })
            .collect();
        let body = if self.is_inside() { self.gangs(l, ranges) } else { self.one_by_one(l, ranges) };
        quote!({ #bounds #tiles #body })
    }

    /// `while let Some(i) = rows.next() { .. }`
    fn row_loop(&mut self, k: usize, range: &Range, shared: bool, inner: TokenStream) -> TokenStream {
        // The outermost range is what several threads share out.
        let part = (k == 0 && shared).then(|| {
            let (part, cx) = (name("part"), paths::cx());
            quote!(.#part(#cx))
        });
        let ([at, bound], rows, next) = (bounds(k), local(&format!("rows{k}")), name("next"));
        let (f, step) = (self.block_fn("rows"), step(k, range));
        let var = range.var.map(|id| self.declare(id));
        quote! {
            let mut #rows = #f(#at, #bound, #step) #part;
            while let ::core::option::Option::Some(#var) = #rows.#next() { #inner }
        }
    }

    /// The iterations one by one, reductions in the canonical order.
    fn one_by_one(&mut self, l: &Loop, ranges: &[Range]) -> TokenStream {
        let info = self.info(l.id);
        let (mut before, mut take, mut put, mut end_row, mut after) =
            <(TokenStream, TokenStream, TokenStream, TokenStream, TokenStream)>::default();
        for (k, r) in info.reductions.iter().enumerate() {
            let (var, slots) = (self.var(r.var), local(&format!("reduction{k}")));
            let (sequential, reduction, by) = (self.block_fn("sequential"), self.block_fn("reduction"), self.block_fn(r.by));
            let [take_, put_, end_row_, finish] = ["take", "put", "end_row", "finish"].map(name);
            let cx = self.cx_at(l.body.source.start);
            before.extend(quote!(let mut #slots = #sequential(#cx, #reduction(#var, #by));));
            take.extend(quote!(let mut #var = #slots.#take_();));
            put.extend(quote!(#slots.#put_(#var);));
            end_row.extend(quote!(#slots.#end_row_();));
            after.extend(quote!(#var = #slots.#finish(#var);));
        }
        if let Some(reduce) = analyze::reduce_in(&l.body) {
            let (var, slots, one) = (self.var(reduce.var), local("fold"), self.combination(reduce, None));
            let (sequential, name_of_one, cx) = (self.block_fn("sequential_fold"), one_of(), self.cx());
            let [take_, put_, end_row_, finish] = ["take", "put", "end_row", "finish"].map(name);
            before.extend(quote!(#one let mut #slots = #sequential(#var);));
            take.extend(quote!(let mut #var = #slots.#take_();));
            put.extend(quote!(#slots.#put_(#cx, #var, &#name_of_one);));
            end_row.extend(quote!(#slots.#end_row_(#cx, &#name_of_one);));
            after.extend(quote!(#var = #slots.#finish(#cx, &#name_of_one);));
        }
        let has_continue = flow::has_continue(&l.body, l.id);
        self.loops.push(LoopFrame { id: l.id, label: None, has_continue, lanes: true });
        let body = self.block(&l.body);
        self.loops.pop();
        let next = has_continue.then(|| {
            let label = next_label(l.id);
            quote!(#label:)
        });
        let mut tokens = quote!(#take #next #body #put);
        for (k, range) in ranges.iter().enumerate().rev() {
            tokens = self.row_loop(k, range, false, tokens);
            if k + 1 == ranges.len() {
                tokens = quote!(#tokens #end_row);
            }
        }
        quote!(#before #tokens #after)
    }

    /// The iterations in gangs.
    fn gangs(&mut self, l: &Loop, ranges: &[Range]) -> TokenStream {
        let Some((range, outer)) = ranges.split_last() else { return TokenStream::new() };
        let info = self.info(l.id);
        let cx = paths::cx();
        let (span, span_fn) = (local("span"), self.block_fn("span"));
        let ([at, bound], step_) = (bounds(outer.len()), step(outer.len(), range));
        for range in outer {
            range.var.into_iter().for_each(|id| drop(self.declare(id)));
        }
        let flat = self.flattened(l, ranges, &info);
        let guards = self.guards(l, &info, &at);
        let body = self.gang(l, ranges, &info);
        let (first, fast) = (first(), fast());
        let (reductions, totals) = (local("reductions"), local("totals"));
        let vars: Vec<TokenStream> = info.reductions.iter().map(|r| self.var(r.var)).collect();
        let fold = analyze::reduce_in(&l.body).map(|reduce| {
            let (one, lanes) = (self.combination(reduce, None), self.combination(reduce, Some((l, ranges))));
            (self.var(reduce.var), one, lanes)
        });
        let run = if let Some((var, ..)) = &fold {
            let (row, one, lanes) = (self.block_fn("fold_row"), one_of(), lanes_of());
            let bodies = twice(&quote!(#[inline(always)] |#cx, #fast, #first, mut #var| { #body #var }));
            quote!(#row(#cx, #span, #var, &mut #totals, &#lanes, &#one, #bodies);)
        } else if vars.is_empty() {
            let (lanes, bodies) = (self.block_fn("lanes"), twice(&quote!(#[inline(always)] |#cx, #fast, #first| { #body })));
            quote!(#lanes(#cx, #span, #bodies);)
        } else {
            let reduce = self.block_fn("reduce_row");
            let bodies = twice(&quote!(#[inline(always)] |#cx, #fast, #first, (#(mut #vars,)*)| { #body (#(#vars,)*) }));
            quote!(#reduce(#cx, #reductions, #span, &mut #totals, #bodies);)
        };
        let plain = vars.is_empty() && fold.is_none();
        let shared = !wide::fills_tile(self.function, &l.body);
        let share = match (outer, plain) {
            _ if !shared => TokenStream::new(),
            ([first, ..], true) if info.updates.is_empty() => {
                let (part, single) = (name("part_of"), self.is_single(0, first));
                quote!(.#part(#cx, #single))
            }
            ([_, ..], _) => TokenStream::new(),
            ([], true) if info.updates.is_empty() => {
                let part = name("part");
                quote!(.#part(#cx))
            }
            ([], true) => TokenStream::new(),
            ([], false) => {
                let chunks = name("chunks");
                quote!(.#chunks(#cx))
            }
        };
        let counting = self.counting(l, ranges, &info);
        let mut tokens = quote!(let #span = #span_fn(#at, #bound, #step_) #guards #share; #counting #run);
        for (k, (view, by)) in info.updates.iter().enumerate() {
            let (updates, start, by, view) = (updates_of(*view), self.block_fn("updates"), self.block_fn(by), self.var(*view));
            let [end, part] = ["end", "part"].map(name);
            // Several threads share out a loop of one operand's updates.
            if k == 0 && outer.is_empty() && plain {
                tokens = quote!(let #span = #updates.#part(#cx, #span_fn(#at, #bound, #step_) #guards); #counting #run);
            }
            let (copies, room) = (self.block_fn("copies"), local("copies"));
            tokens = quote! {
                let #room = #copies(#view);
                let #updates = #start(#view, #by, #span_fn(#at, #bound, #step_), &#room);
                #tokens
                #updates.#end(#cx);
            };
        }
        for (k, range) in outer.iter().enumerate().rev() {
            tokens = self.row_loop(k, range, shared, tokens);
        }
        for var in &info.scans {
            let (scan, start, get, sum) = (scan_of(*var), self.block_fn("scan"), name("get"), self.var(*var));
            tokens = quote!(let #scan = #start(#sum); #tokens #sum = #scan.#get(););
        }
        if let Some((var, one, lanes)) = fold {
            let (total, finish, name_of_one) = (self.block_fn("fold_total"), self.block_fn("fold_finish"), one_of());
            return quote! {
                #one
                #lanes
                let mut #totals = #total(#var);
                #tokens
                #var = #finish(#cx, #totals, #var, &#name_of_one);
            };
        }
        if vars.is_empty() {
            let meet = self.block_fn("meet");
            return quote!(#flat #tokens #meet(#cx););
        }
        let (totals_fn, finish, reduction) = (self.block_fn("totals"), self.block_fn("finish"), self.block_fn("reduction"));
        let each = info.reductions.iter().map(|r| {
            let (var, by) = (self.var(r.var), self.block_fn(r.by));
            quote!(#reduction(#var, #by))
        });
        quote! {
            let #reductions = (#(#each,)*);
            let mut #totals = #totals_fn(#cx, #reductions);
            #tokens
            (#(#vars,)*) = #finish(#cx, #reductions, &#totals, (#(#vars,)*));
        }
    }

    /// The operation of a `reduce`, as a closure over single values, or over the lanes of a loop.
    fn combination(&self, reduce: &Reduce, lanes: Option<(&Loop, &[Range])>) -> TokenStream {
        let frame = lanes.map(|(l, ranges)| LaneFrame::new(l, ranges));
        let mut lower = Lower {
            function: self.function,
            mode: if lanes.is_some() { Mode::Lane } else { Mode::Plain },
            inside: false,
            wraps: false,
            uniform: Rc::clone(&self.uniform),
            depth: 0,
            declared: self.declared.clone(),
            loops: Vec::new(),
            lanes: frame,
        };
        let [a, b] = [0, 1].map(|k| lower.pat(&reduce.args[k]));
        let body = lower.block_inner(&reduce.body);
        let (cx, var) = (paths::cx(), self.var(reduce.var));
        match lanes {
            None => {
                let (name, f) = (one_of(), self.block_fn("combine_one"));
                quote!(let #name = #f(#var, #[inline(always)] |#cx, #a, #b| { #body });)
            }
            Some(_) => {
                let (name, f) = (lanes_of(), self.block_fn("combine_lanes"));
                quote!(let #name = #f(#cx, #var, #[inline(always)] |#cx, #a, #b| { #body });)
            }
        }
    }

    /// `acc = reduce(acc, value, |a, b| ..)`
    pub(crate) fn fold(&mut self, reduce: &Reduce) -> TokenStream {
        let (value, var, span) = (self.expr(&reduce.value), self.var(reduce.var), reduce.source.start);
        match self.mode {
            Mode::Plain => {
                let (one, cx) = (one_of(), self.cx());
                quote!(#var = #one(#cx, #var, #value);)
            }
            Mode::Lane => {
                let (lanes, cx) = (lanes_of(), paths::cx());
                let combined = quote!(#lanes(#cx, #var, #value));
                let masked = self.op("assign", &[], &[combined, var.clone()], span);
                quote!(#var = #masked;)
            }
        }
    }

    /// The body of a gang, lane code.
    fn gang(&mut self, l: &Loop, ranges: &[Range], info: &LaneLoop) -> TokenStream {
        let mut lane = Lower {
            function: self.function,
            mode: Mode::Lane,
            inside: false,
            wraps: false,
            uniform: Rc::clone(&self.uniform),
            depth: 0,
            declared: self.declared.clone(),
            loops: Vec::new(),
            lanes: Some(LaneFrame::new(l, ranges)),
        };
        let has_continue = flow::has_continue(&l.body, l.id);
        lane.loops.push(LoopFrame { id: l.id, label: None, has_continue, lanes: true });
        let (cx, first, index) = (paths::cx(), first(), self.block_fn("index"));
        let step = ranges.last().map(|range| step(ranges.len() - 1, range));
        let var = info.vars.last().map(|id| lane.declare(*id));
        let masks = has_continue.then(|| lane.lane_masks(l.id));
        let body = lane.block_inner(&l.body);
        // Indices that are sums of it need no more than its first value.
        let lanes = var.filter(|var| mentions(&body, &var.to_string())).map(|var| quote!(let #var = #index(#cx, #first, #step);));
        quote!(#lanes #masks #body)
    }

    /// The length of an axis, a single value.
    pub(crate) fn length(&self, view: VarId, axis: usize) -> TokenStream {
        let (f, cx, view, axis) = (self.block_fn("len"), self.to_plain().cx(), self.var(view), number(axis));
        quote!(#f(#cx, #view, #axis))
    }

    /// An element's value.
    pub(crate) fn element(&mut self, element: &Element) -> TokenStream {
        if let Some(edge) = &element.edge {
            return self.edge(element, edge);
        }
        let (cx, view) = (paths::cx(), self.var(element.view));
        let Some(frame) = self.lanes.clone().filter(|_| self.mode == Mode::Lane) else {
            let (f, cx) = (self.access("load_one", element.view), self.cx_at(element.source.start));
            let index = self.single_index(element);
            return quote!(#f(#cx, #view, [#(#index),*]));
        };
        let info = self.info(frame.id);
        match self.place_of(element, &info, &frame) {
            Some(Evenly { at, stride: None, fast }) => {
                let load = self.access("load_same", element.view);
                self.op("spread", &[], &[quote!(#load(#cx, #fast, #view, #at))], element.source.start)
            }
            Some(Evenly { at, stride: Some(stride), fast }) => {
                let (load, leads) = (self.access("load", element.view), self.known(self.leads(element, &info)));
                quote!(#load(#cx, #fast, #leads, #view, #at, #stride))
            }
            None => {
                let gather = self.access("gather", element.view);
                let index = self.indices(element);
                quote!(#gather(#cx, #view, [#(#index),*]))
            }
        }
    }

    /// An element's index, over single values.
    fn single_index(&mut self, element: &Element) -> Vec<TokenStream> {
        let wraps = std::mem::replace(&mut self.wraps, element.edge.is_some());
        let index = element.index.iter().map(|e| self.expr(e)).collect();
        self.wraps = wraps;
        index
    }

    /// The value of an element that may be beyond the edge.
    fn edge(&mut self, element: &Element, edge: &Edge) -> TokenStream {
        let (cx, view, span) = (paths::cx(), self.var(element.view), element.source.start);
        let kind = {
            let (edge_ty, kind) = (self.block_fn("Edge"), name(edge.name()));
            quote!(#edge_ty::#kind)
        };
        let or = match edge {
            Edge::Or(or) => self.expr(or),
            _ => self.op("zero", &[], &[], span),
        };
        let Some(frame) = self.lanes.clone().filter(|_| self.mode == Mode::Lane) else {
            let (f, cx) = (self.block_fn("load_one_at"), self.cx_at(span));
            let index = self.single_index(element);
            return quote!(#f(#cx, #kind, #view, [#(#index),*], #or));
        };
        let info = self.info(frame.id);
        match self.place_of(element, &info, &frame) {
            Some(Evenly { at, stride, fast }) => {
                let (f, rank) = (self.block_fn("load_at"), number(element.index.len()));
                let (stride, fast, leads) = match stride {
                    Some(stride) => (stride, fast, self.leads(element, &info)),
                    None => (quote!([0; #rank]), self.known(false), false),
                };
                let leads = self.known(leads);
                quote!(#f(#cx, #kind, #fast, #leads, #view, #at, #stride, #or))
            }
            None => {
                let f = self.block_fn("gather_at");
                let index = self.indices(element);
                quote!(#f(#cx, #kind, #view, [#(#index),*], #or))
            }
        }
    }

    /// `view[index] = value`
    pub(crate) fn store(&mut self, element: &Element, op: Option<BinaryOp>, value: &Expr, span: Span) -> TokenStream {
        let mut value = self.expr(value);
        if let Some(op) = op {
            let old = self.element(element);
            value = self.op(op.function(), &[], &[old, value], span);
        }
        let (cx, view) = (paths::cx(), self.var(element.view));
        let Some(frame) = self.lanes.clone().filter(|_| self.mode == Mode::Lane) else {
            let (f, cx) = (self.access("store_one", element.view), self.cx_at(element.source.start));
            let index = self.single_index(element);
            return quote!(#f(#cx, #view, [#(#index),*], #value););
        };
        let info = self.info(frame.id);
        match self.place_of(element, &info, &frame) {
            Some(Evenly { at, stride: Some(stride), fast }) => {
                let store = if self.is_written_once(element) { self.block_fn("store_once") } else { self.access("store", element.view) };
                let (leads, all) = (self.known(op.is_none() && self.leads(element, &info)), self.known(self.depth == 0));
                quote!(#store(#cx, #fast, #leads, #all, #view, #at, #stride, #value);)
            }
            _ => {
                let scatter = self.access("scatter", element.view);
                let index = self.indices(element);
                quote!(#scatter(#cx, #view, [#(#index),*], #value);)
            }
        }
    }

    /// `atomic_add(&mut view[index], value)`
    pub(crate) fn update(&mut self, element: &Element, by: &str, value: &Expr) -> TokenStream {
        let (view, value) = (self.var(element.view), self.expr(value));
        match self.mode {
            Mode::Lane => {
                let (updates, update, cx, index) = (updates_of(element.view), name("update"), paths::cx(), self.indices(element));
                quote!(#updates.#update(#cx, [#(#index),*], #value);)
            }
            Mode::Plain => {
                let (f, by, cx) = (self.block_fn("update_one"), self.block_fn(by), self.cx_at(element.source.start));
                let index = self.single_index(element);
                quote!(#f(#cx, #by, #view, [#(#index),*], #value);)
            }
        }
    }

    /// `scan(&mut sum, value)`
    pub(crate) fn scan(&mut self, var: VarId, value: &Expr, span: Span) -> TokenStream {
        let (sum, value) = (self.var(var), self.expr(value));
        match self.mode {
            Mode::Plain => {
                let next = self.op("add", &[], &[sum.clone(), value], span);
                quote!({ #sum = #next; #sum })
            }
            Mode::Lane => {
                let (scan, step, cx) = (scan_of(var), name("step"), paths::cx());
                quote!(#scan.#step(#cx, #value))
            }
        }
    }

    /// An assignment to a variable that the loop around reduces to.
    pub(crate) fn reduce(&mut self, place: &Place, op: Option<BinaryOp>, value: &Expr, span: Span) -> Option<TokenStream> {
        let frame = self.lanes.as_ref().filter(|_| self.mode == Mode::Lane)?;
        if !self.info(frame.id).reductions.iter().any(|r| r.var == place.var) {
            return None;
        }
        let (_, e) = analyze::reduction(place.var, op, value)?;
        let f = match (op, &value.kind) {
            (Some(op), _) => op.function(),
            (None, ExprKind::Builtin(builtin, ..)) => builtin.name,
            _ => return None,
        };
        let (e, var) = (self.expr(e), self.var(place.var));
        let combined = self.op(f, &[], &[var.clone(), e], span);
        let masked = self.op("assign", &[], &[combined, var.clone()], span);
        Some(quote!(#var = #masked;))
    }
}

/// Whether a name is among some tokens.
fn mentions(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

/// A loop's body for gangs that need no checks, and for others. A closure cannot be generic, so there are two: the types of `fast` leave out of each what is
/// for the other alone.
fn twice(body: &TokenStream) -> TokenStream {
    quote!(#body, #body)
}

/// The bounds of a loop's range `k`.
pub(super) fn bounds(k: usize) -> [Ident; 2] {
    ["start", "end"].map(|what| local(&format!("{what}{k}")))
}

/// The running sum of a variable.
fn scan_of(var: VarId) -> Ident {
    local(&format!("scan{var}"))
}

/// The operation of a `reduce`, over single values.
fn one_of() -> Ident {
    local("combine_one")
}

/// The operation of a `reduce`, over lanes.
fn lanes_of() -> Ident {
    local("combine_lanes")
}

/// The updates of an operand.
pub(super) fn updates_of(view: VarId) -> Ident {
    local(&format!("updates{view}"))
}

/// Where a `continue` of the plain function leads: to the end of the iteration's block.
pub(crate) fn next_label(id: LoopId) -> syn::Lifetime {
    syn::Lifetime::new(&format!("'{}_next{id}", paths::RESERVED), Span::mixed_site())
}
