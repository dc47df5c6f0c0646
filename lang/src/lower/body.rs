//! Bodies.

use super::Mode;
use super::aggregate::member;
use super::literals::float_literals;
use crate::builtin::is_method_of_floats;
use crate::flow::Uniform;
use crate::model::{Function, Parameter};
use crate::paths::{self, RESERVED};
use crate::tree::{Block, Expr, ExprKind, Loop, LoopId, LoopKind, Pat, Place, Step, Stmt, Type, UnaryOp, VarId};
use crate::walk::{self, Node};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::rc::Rc;
use syn::spanned::Spanned;

/// Lowers the body of one function.
pub struct Lower<'a> {
    pub(crate) function: &'a Function,
    pub(crate) mode: Mode,
    /// Over single values: whether the code stands inside lane code.
    pub(crate) inside: bool,
    /// Whether this is an index that may be beyond an edge: its sums may be, too.
    pub(crate) wraps: bool,
    pub(crate) uniform: Rc<Uniform>,
    /// How many constructs around the place that is lowered hold part of the lanes only. An assignment to a variable of
    /// fewer is masked.
    pub(crate) depth: usize,
    /// The depth at which each variable is declared.
    pub(crate) declared: Vec<usize>,
    /// The loops around, innermost last.
    pub(crate) loops: Vec<LoopFrame>,
    /// Of a block kernel: the loop over lanes around.
    pub(crate) lanes: Option<crate::block::LaneFrame>,
}

impl<'a> Lower<'a> {
    /// A lowering of `function`, in which `parameters` are single values.
    pub fn new(function: &'a Function, mode: Mode, parameters: &[Parameter]) -> Self {
        let uniform = Rc::new(match &function.lanes {
            Some(loops) => Uniform::of_block(function, loops),
            None => Uniform::of(&function.body, &function.vars, parameters),
        });
        Self {
            function,
            mode,
            inside: false,
            wraps: false,
            uniform,
            depth: 0,
            declared: vec![0; function.vars.len()],
            loops: Vec::new(),
            lanes: None,
        }
    }

    /// A lowering of a block kernel to lane code: what stands outside of its loops over lanes is computed once.
    pub fn block_kernel(function: &'a Function) -> Self {
        Self { inside: true, ..Self::new(function, Mode::Plain, &[]) }
    }

    /// Over single values: whether the code stands inside lane code.
    pub(crate) fn is_inside(&self) -> bool {
        self.inside
    }

    /// A lowering to single values, inside this one: for what is the same in all lanes.
    pub(crate) fn to_plain(&self) -> Self {
        let uniform = Rc::clone(&self.uniform);
        let inside = self.inside || self.mode == Mode::Lane;
        let lanes = self.lanes.clone();
        Self {
            function: self.function,
            mode: Mode::Plain,
            inside,
            wraps: self.wraps,
            uniform,
            depth: 0,
            declared: self.declared.clone(),
            loops: Vec::new(),
            lanes,
        }
    }

    /// The body, without its braces.
    pub fn body(mut self) -> TokenStream {
        match self.mode {
            Mode::Plain => self.block_inner(&self.function.body),
            Mode::Lane => self.lane_body(),
        }
    }

    /// A call of the operation `f`, its tokens at `span` so that rustc's errors show there.
    pub(crate) fn op(&self, f: &str, generics: &[TokenStream], args: &[TokenStream], span: Span) -> TokenStream {
        let cx = if CHECKED.contains(&f) || is_method_of_floats(f) { self.cx_at(span) } else { self.cx() };
        self.op_in(&cx, f, generics, args, span)
    }

    /// [`op`](Self::op), in a given context.
    pub(super) fn op_in(&self, cx: &TokenStream, f: &str, generics: &[TokenStream], args: &[TokenStream], span: Span) -> TokenStream {
        let module = located(self.function.root.private("lane"), span);
        let f = Ident::new(f, span.resolved_at(Span::mixed_site()));
        match generics {
            [] => quote_spanned!(span=> #module::#f(#cx #(, #args)*)),
            generics => quote_spanned!(span=> #module::#f::<#(#generics,)* _>(#cx #(, #args)*)),
        }
    }

    /// The context.
    pub(crate) fn cx(&self) -> TokenStream {
        let cx = paths::cx();
        if self.inside {
            let scalar = name("scalar");
            quote!(#cx.#scalar())
        } else {
            cx.to_token_stream()
        }
    }

    /// The context of an operation that debug mode checks: over single values it knows the line.
    pub(crate) fn cx_at(&self, span: Span) -> TokenStream {
        let cx = self.cx();
        if self.inside || self.wraps || self.mode == Mode::Lane {
            return cx;
        }
        let (at, line) = (name("at"), Literal::u32_suffixed(u32::try_from(span.start().line).unwrap_or(0)));
        quote!(#cx.#at(#line))
    }

    pub(crate) fn var(&self, id: VarId) -> TokenStream {
        self.function.vars.get(id).map_or_else(TokenStream::new, |v| v.name.to_token_stream())
    }

    /// A use of a variable, at the span of the use.
    pub(super) fn var_at(&self, id: VarId, span: Span) -> TokenStream {
        self.function.vars.get(id).map_or_else(TokenStream::new, |v| {
            let mut name = v.name.clone();
            // There, but with the hygiene of the declaration: it may be generated.
            name.set_span(span.resolved_at(name.span()));
            name.to_token_stream()
        })
    }

    pub(crate) fn block(&mut self, block: &Block) -> TokenStream {
        let inner = self.block_inner(block);
        quote!({ #inner })
    }

    /// The statements and the value of a block, without its braces.
    pub(crate) fn block_inner(&mut self, block: &Block) -> TokenStream {
        let depth = self.depth;
        let mut tokens = TokenStream::new();
        for stmt in &block.stmts {
            tokens.extend(self.stmt(stmt));
            if self.mode == Mode::Lane {
                tokens.extend(self.after(stmt));
            }
        }
        tokens.extend(block.value.as_ref().map(|e| self.expr(e)));
        self.depth = depth;
        tokens
    }

    fn stmt(&mut self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let { pat, ty, init } => {
                // What is the same in all lanes stays a single value.
                let uniform = self.mode == Mode::Lane && matches!(pat, Pat::Var(id) if self.uniform.var(*id));
                let ty = ty.as_ref().map(|ty| {
                    let ty = if uniform { self.to_plain().ty(ty) } else { self.ty(ty) };
                    quote!(: #ty)
                });
                let init = if uniform { self.to_plain().expr(init) } else { self.expr(init) };
                let pat = self.pat(pat);
                quote!(let #pat #ty = #init;)
            }
            Stmt::Store { element, op, value, source } => self.store(element, *op, value, source.start),
            Stmt::Update { element, by, value, .. } => self.update(element, by, value),
            Stmt::Reduce(reduce) => self.fold(reduce),
            Stmt::Assign { place, op, value, source } => {
                if let Some(tokens) = self.reduce(place, *op, value, source.start) {
                    return tokens;
                }
                let masked = self.mode == Mode::Lane && self.declared.get(place.var).is_some_and(|d| *d < self.depth);
                if place.steps.iter().any(|s| matches!(s, Step::Index(_))) {
                    return self.assign_element(place, *op, value, masked, source.start);
                }
                let target = self.place(place);
                let fast = op.and_then(|op| self.fast_assign(op, &target, value, source.start));
                // The value first, as in Rust: it may assign to the variable.
                let (first, mut value) = match (fast, op) {
                    (Some(fast), _) => (None, fast),
                    (None, None) => (None, self.expr(value)),
                    (None, Some(op)) => {
                        let (held, value) = (local("value"), self.expr(value));
                        let new = self.op(op.function(), &[], &[target.clone(), held.to_token_stream()], source.start);
                        (Some(quote!(let #held = #value;)), new)
                    }
                };
                if masked {
                    value = self.op("assign", &[], &[value, target.clone()], source.start);
                }
                match first {
                    Some(first) => quote!({ #first #target = #value; }),
                    None => quote!(#target = #value;),
                }
            }
            Stmt::Shape { shape, value, source } => self.shape(shape, value, source.start),
            Stmt::Struct(item) => super::structure::items(item, &self.function.root),
            // In lane code an `if` for its effects is a value as any other.
            Stmt::Expr { expr, semi } => {
                let expr = self.expr(expr);
                if *semi || self.mode == Mode::Lane { quote!(#expr;) } else { expr }
            }
            Stmt::Const(c) => c.to_token_stream(),
        }
    }

    pub(crate) fn pat(&mut self, pat: &Pat) -> TokenStream {
        match pat {
            Pat::Var(id) => self.declare(*id),
            Pat::Wild(_) => quote!(_),
            Pat::Tuple(pats, _) => {
                let pats: Vec<_> = pats.iter().map(|p| self.pat(p)).collect();
                quote!((#(#pats,)*))
            }
        }
    }

    /// The declaration of a variable, in a pattern.
    pub(crate) fn declare(&mut self, id: VarId) -> TokenStream {
        if let Some(depth) = self.declared.get_mut(id) {
            *depth = self.depth;
        }
        let mutable = self.function.vars.get(id).and_then(|v| v.mutable);
        let name = self.var(id);
        quote!(#mutable #name)
    }

    fn place(&self, place: &Place) -> TokenStream {
        let mut tokens = self.var_at(place.var, place.source.start);
        for step in &place.steps {
            if let Step::Member(m) = step {
                let m = member(m);
                tokens.extend(quote!(.#m));
            }
        }
        tokens
    }

    pub(crate) fn expr(&mut self, e: &Expr) -> TokenStream {
        let span = e.source.start;
        let atom = matches!(e.kind, ExprKind::Int(..) | ExprKind::Float(..) | ExprKind::Bool(_) | ExprKind::Const(_));
        if self.mode == Mode::Lane && !atom && self.uniform.expr(e) {
            let value = self.to_plain().expr(e);
            return self.op("spread", &[], &[value], span);
        }
        match &e.kind {
            ExprKind::Int(value, suffix) => {
                let ty = match (self.function.types.of(e.id), suffix) {
                    (Type::Infer, Some(d)) => self.function.root.dtype(*d),
                    (ty, _) => self.dtype(ty),
                };
                self.op("int_literal", &[ty], &[Literal::i128_suffixed(*value).into_token_stream()], span)
            }
            ExprKind::Float(digits, _) => {
                let ty = self.dtype(self.function.types.of(e.id));
                self.op("float_literal", &[ty], &float_literals(digits), span)
            }
            ExprKind::Bool(b) => self.op("splat", &[], &[b.to_token_stream()], span),
            ExprKind::Var(id) => self.var_at(*id, span),
            ExprKind::Const(path) => match self.mathematical(path) {
                Some((ty, digits)) => self.op("float_literal", &[ty], &float_literals(digits), span),
                None => self.op("constant", &[], &[path.to_token_stream()], span),
            },
            ExprKind::Unary(op, a) => {
                let f = match op {
                    UnaryOp::Neg => "neg",
                    UnaryOp::Not => "not",
                };
                let a = self.expr(a);
                self.op(f, &[], &[a], span)
            }
            ExprKind::Binary(op, a, b) => {
                if let Some(fast) = self.fast(e, span) {
                    return fast;
                }
                let args = [self.expr(a), self.expr(b)];
                self.op(op.function(), &[], &args, span)
            }
            ExprKind::ShortCircuit { or, left, right } => self.short_circuit(e, (*or, left, right), span),
            // Of a constant only rustc knows the type, which may be one that lanes do not have (`const N: usize`).
            ExprKind::Cast(a, ty) => match (&a.kind, ty, self.dtype(ty)) {
                (ExprKind::Const(path), Type::Dtype(d), ty) if d.is_storage() && !self.is_of_lanes(path) => {
                    let wide = self.op("splat", &[], &[quote_spanned!(span=> #path as f64)], span);
                    self.op("cast", &[quote_spanned!(span=> _), ty], &[wide], span)
                }
                (ExprKind::Const(path), Type::Dtype(_), ty) if !self.is_of_lanes(path) => {
                    self.op("splat", &[], &[quote_spanned!(span=> #path as #ty)], span)
                }
                (_, _, ty) => {
                    let a = self.expr(a);
                    self.op("cast", &[quote_spanned!(span=> _), ty], &[a], span)
                }
            },
            ExprKind::If { cond, then, otherwise } => self.if_(cond, then, otherwise.as_ref(), span),
            ExprKind::Block(block) => self.block(block),
            ExprKind::Tuple(items) => {
                let items: Vec<_> = items.iter().map(|e| self.expr(e)).collect();
                quote_spanned!(span=> (#(#items,)*))
            }
            ExprKind::Field(a, m) => {
                let parens = matches!(a.kind, ExprKind::If { .. } | ExprKind::Block(_) | ExprKind::Loop(_) | ExprKind::Struct(_));
                let (a, m) = (self.expr(a), member(m));
                if parens { quote!((#a).#m) } else { quote!(#a.#m) }
            }
            ExprKind::Array(items) => {
                let items: Vec<_> = items.iter().map(|e| self.expr(e)).collect();
                quote_spanned!(span=> [#(#items),*])
            }
            ExprKind::Repeat(item, len) => {
                let (item, len) = (self.expr(item), &len.0);
                quote_spanned!(span=> [#item; #len])
            }
            ExprKind::Index(a, i) => self.index(a, i, span),
            ExprKind::Len(a) => {
                let a = self.expr(a);
                self.op("len", &[], &[quote!(&#a)], span)
            }
            ExprKind::Struct(literal) => self.struct_literal(literal, span),
            ExprKind::Option(op, args) => {
                let args: Vec<TokenStream> = args.iter().map(|e| self.expr(e)).collect();
                self.op(op.function(), &[], &args, span)
            }
            ExprKind::Dbg(a, _) if self.mode == Mode::Lane || self.inside => {
                let a = self.expr(a);
                quote_spanned!(span=> (#a))
            }
            ExprKind::Dbg(a, text) => {
                let a = self.expr(a);
                self.op("print", &[], &[text.to_token_stream(), a], span)
            }
            ExprKind::Builtin(builtin, args, of) => {
                let args: Vec<TokenStream> = args.iter().map(|e| self.expr(e)).collect();
                let generics: Vec<TokenStream> = of.iter().map(|ty| self.dtype(ty)).collect();
                let quick = self.quick(builtin.name);
                self.op(quick.as_deref().unwrap_or(builtin.name), &generics, &args, span)
            }
            ExprKind::FromBits(ty, bits) => {
                let bits = self.expr(bits);
                self.op("from_bits", &[self.dtype(ty)], &[bits], span)
            }
            ExprKind::Call(path, args) => self.call(path, args),
            ExprKind::Element(element) => self.element(element),
            ExprKind::Scan(var, value) => self.scan(*var, value, span),
            ExprKind::Length(view, axis) => {
                let length = self.length(*view, *axis);
                if self.mode == Mode::Lane { self.op("spread", &[], &[length], span) } else { length }
            }
            ExprKind::Loop(l) => self.loop_(l, span),
            ExprKind::Break(id, value) => self.break_(*id, value.as_deref(), span),
            ExprKind::Continue(id) => self.continue_(*id, span),
            ExprKind::Return(value) => self.return_(value, span),
        }
    }

    /// A helper: the function `plain` or `lanes` of the item of the same name in the type namespace.
    fn call(&mut self, path: &syn::Path, args: &[Expr]) -> TokenStream {
        let args: Vec<_> = args.iter().map(|e| self.expr(e)).collect();
        let mut path = path.clone();
        let mut turbofish = None;
        if let Some(last) = path.segments.last_mut()
            && let syn::PathArguments::AngleBracketed(mut generics) = core::mem::take(&mut last.arguments)
        {
            generics.args.push(syn::parse_quote!(_));
            generics.colon2_token.get_or_insert_with(Default::default);
            turbofish = Some(generics);
        }
        let cx = self.cx();
        let form = match self.mode {
            Mode::Plain => "plain",
            Mode::Lane => "lanes",
        };
        let form = Ident::new(form, path.span().resolved_at(Span::mixed_site()));
        quote_spanned!(path.span()=> <#path>::#form #turbofish (#cx #(, #args)*))
    }

    fn short_circuit(&mut self, e: &Expr, (or, left, right): (bool, &Expr, &Expr), span: Span) -> TokenStream {
        match self.mode {
            Mode::Plain => {
                let condition = self.condition(e);
                self.op("splat", &[], &[condition], span)
            }
            Mode::Lane => self.lane_short_circuit(or, left, right, span),
        }
    }

    fn if_(&mut self, cond: &Expr, then: &Block, otherwise: Option<&Block>, span: Span) -> TokenStream {
        match self.mode {
            Mode::Plain => self.plain_if(cond, then, otherwise, span),
            Mode::Lane => self.lane_if(cond, then, otherwise, span),
        }
    }

    fn loop_(&mut self, l: &Loop, span: Span) -> TokenStream {
        if matches!(l.kind, LoopKind::Lanes(_)) {
            return self.lanes_loop(l);
        }
        match self.mode {
            Mode::Plain => self.plain_loop(l, span),
            Mode::Lane => self.lane_loop(l, span),
        }
    }

    fn break_(&mut self, id: LoopId, value: Option<&Expr>, span: Span) -> TokenStream {
        match self.mode {
            Mode::Plain => self.plain_break(id, value, span),
            Mode::Lane => self.lane_break(id, value, span),
        }
    }

    fn continue_(&mut self, id: LoopId, span: Span) -> TokenStream {
        match self.mode {
            Mode::Plain => self.plain_continue(id, span),
            Mode::Lane => self.lane_continue(id),
        }
    }

    fn return_(&mut self, value: &Expr, span: Span) -> TokenStream {
        match self.mode {
            Mode::Plain => {
                let value = self.expr(value);
                quote_spanned!(span=> return #value)
            }
            Mode::Lane => self.lane_return(value, span),
        }
    }
}

/// What debug mode checks, beside the methods of floats.
const CHECKED: &[&str] = &["abs", "add", "div", "index", "look_up", "mul", "neg", "place", "pow", "print", "rem", "shl", "shr", "sub"];

/// A loop around the place that is lowered.
#[derive(Clone)]
pub(crate) struct LoopFrame {
    pub(crate) id: LoopId,
    pub(crate) label: Option<syn::Lifetime>,
    /// Over lanes: whether a `continue` names it.
    pub(crate) has_continue: bool,
    /// Whether it is a loop over lanes.
    pub(crate) lanes: bool,
}

/// A local of generated code. The prefix, since a constant of the user's would turn `let name` into a pattern to match:
/// hygiene hides variables, not constants.
pub(crate) fn local(text: &str) -> Ident {
    Ident::new(&format!("{RESERVED}_{text}"), Span::mixed_site())
}

/// Tokens of a path, seen at `span` but resolved where they were: an error about what begins with them shows there.
pub(super) fn located(path: TokenStream, span: Span) -> TokenStream {
    let at = |mut token: TokenTree| {
        token.set_span(span.resolved_at(token.span()));
        token
    };
    path.into_iter().map(at).collect()
}

/// A name that resolves where the macro stands: a dtype, a method of the context.
pub(crate) fn name(text: &str) -> Ident {
    Ident::new(text, Span::mixed_site())
}

/// The functions that a body calls.
pub fn calls(block: &Block) -> Vec<syn::Path> {
    let mut paths = Vec::new();
    walk::block(block, &mut |node| {
        if let Node::Expr(Expr { kind: ExprKind::Call(path, _), .. }) = node {
            paths.push(path.clone());
        }
    });
    paths
}
