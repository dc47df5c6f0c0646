//! Bodies.

use super::Mode;
use crate::dtype::Dtype;
use crate::model::Function;
use crate::paths::{self, RESERVED};
use crate::tree::{Block, Expr, ExprKind, Pat, Place, Stmt, Type, UnaryOp, VarId};
use crate::walk::{self, Node};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

/// Lowers the body of one function.
#[derive(Clone, Copy)]
pub struct Lower<'a> {
    function: &'a Function,
    mode: Mode,
}

impl<'a> Lower<'a> {
    /// A lowering of `function`.
    pub const fn new(function: &'a Function, mode: Mode) -> Self {
        Self { function, mode }
    }

    /// The body, in the user's braces: rustc takes a function with braces of a macro for the macro's, and does not warn when
    /// it is never used.
    pub fn body(self) -> TokenStream {
        let body = &self.function.body;
        let mut group = Group::new(Delimiter::Brace, self.inside(body));
        group.set_span(body.source.start);
        group.into_token_stream()
    }

    /// A type: `f32`, or its lanes.
    pub fn ty(self, ty: &Type) -> TokenStream {
        let scalar = match ty {
            Type::Dtype(d) => name(d.name()).to_token_stream(),
            Type::Param(k) => self.function.generics.get(*k).map_or_else(|| quote!(_), |g| g.name.to_token_stream()),
            Type::Tuple(items) => {
                let items = items.iter().map(|t| self.ty(t));
                return quote!((#(#items,)*));
            }
            Type::Infer => return quote!(_),
        };
        match self.mode {
            Mode::Plain => scalar,
            Mode::Lane => {
                let (varying, isa) = (self.function.root.private("Varying"), paths::isa_param());
                quote!(#varying<#scalar, #isa>)
            }
        }
    }

    /// The same type in the other mode: what stands between `::<` and `>` of a literal or a cast.
    fn scalar_ty(self, ty: &Type) -> TokenStream {
        Self { mode: Mode::Plain, ..self }.ty(ty)
    }

    /// A call of the operation `f`, its tokens at `span` so that rustc's errors show there.
    fn op(self, f: &str, generics: &[TokenStream], args: &[TokenStream], span: Span) -> TokenStream {
        let module = self.function.root.private(match self.mode {
            Mode::Plain => "plain",
            Mode::Lane => "lane",
        });
        let f = Ident::new(f, span.resolved_at(Span::mixed_site()));
        let cx = self.cx_arg();
        match (self.mode, generics) {
            (_, []) => quote_spanned!(span=> #module::#f(#cx #(#args),*)),
            (Mode::Plain, generics) => quote_spanned!(span=> #module::#f::<#(#generics),*>(#(#args),*)),
            (Mode::Lane, generics) => quote_spanned!(span=> #module::#f::<#(#generics,)* _>(#cx #(#args),*)),
        }
    }

    /// The context as first argument, where there is one.
    fn cx_arg(self) -> TokenStream {
        match self.mode {
            Mode::Plain => TokenStream::new(),
            Mode::Lane => {
                let cx = paths::cx();
                quote!(#cx,)
            }
        }
    }

    fn var(self, id: VarId) -> TokenStream {
        self.function.vars.get(id).map_or_else(TokenStream::new, |v| v.name.to_token_stream())
    }

    /// A use of a variable, at the span of the use.
    fn var_at(self, id: VarId, span: Span) -> TokenStream {
        self.function.vars.get(id).map_or_else(TokenStream::new, |v| {
            let mut name = v.name.clone();
            name.set_span(span);
            name.to_token_stream()
        })
    }

    fn block(self, block: &Block) -> TokenStream {
        let inside = self.inside(block);
        quote!({ #inside })
    }

    fn inside(self, block: &Block) -> TokenStream {
        let stmts = block.stmts.iter().map(|s| self.stmt(s));
        let value = block.value.as_ref().map(|e| self.expr(e));
        quote!(#(#stmts)* #value)
    }

    fn stmt(self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let { pat, ty, init } => {
                let pat = self.pat(pat);
                let ty = ty.as_ref().map(|(ty, written)| {
                    let ty = match self.mode {
                        Mode::Plain => written.to_token_stream(),
                        Mode::Lane => self.ty(ty),
                    };
                    quote!(: #ty)
                });
                let init = self.expr(init);
                quote!(let #pat #ty = #init;)
            }
            Stmt::Assign { place, op, value, source } => {
                let target = self.place(place);
                let mut value = self.expr(value);
                if let Some(op) = op {
                    value = self.op(op.function(), &[], &[target.clone(), value], source.start);
                }
                quote!(#target = #value;)
            }
            // In lane code an `if` for its effects is a value as any other.
            Stmt::Expr { expr, semi } => {
                let expr = self.expr(expr);
                if *semi || self.mode == Mode::Lane { quote!(#expr;) } else { expr }
            }
            Stmt::Const(c) => c.to_token_stream(),
        }
    }

    fn pat(self, pat: &Pat) -> TokenStream {
        match pat {
            Pat::Var(id) => {
                let mutable = self.function.vars.get(*id).and_then(|v| v.mutable);
                let name = self.var(*id);
                quote!(#mutable #name)
            }
            Pat::Wild(_) => quote!(_),
            Pat::Tuple(pats, _) => {
                let pats = pats.iter().map(|p| self.pat(p));
                quote!((#(#pats,)*))
            }
        }
    }

    fn place(self, place: &Place) -> TokenStream {
        let var = self.var_at(place.var, place.source.start);
        let fields = place.fields.iter().map(|k| Literal::usize_unsuffixed(*k));
        quote!(#var #(.#fields)*)
    }

    fn expr(self, e: &Expr) -> TokenStream {
        let span = e.source.start;
        match &e.kind {
            ExprKind::Int(value, _) => {
                let ty = self.scalar_ty(self.function.types.of(e.id));
                self.op("int_literal", &[ty], &[Literal::i128_suffixed(*value).into_token_stream()], span)
            }
            ExprKind::Float(digits, _) => {
                let ty = self.scalar_ty(self.function.types.of(e.id));
                self.op("float_literal", &[ty], &float_literals(digits), span)
            }
            ExprKind::Bool(b) => self.uniform(&b.to_token_stream(), span),
            ExprKind::Var(id) => self.var_at(*id, span),
            ExprKind::Const(path) => self.uniform(&path.to_token_stream(), span),
            ExprKind::Unary(op, a) => {
                let f = match op {
                    UnaryOp::Neg => "neg",
                    UnaryOp::Not => "not",
                };
                self.op(f, &[], &[self.expr(a)], span)
            }
            ExprKind::Binary(op, a, b) => self.op(op.function(), &[], &[self.expr(a), self.expr(b)], span),
            ExprKind::ShortCircuit { or, left, right } => self.short_circuit(*or, left, right, span),
            // Of a constant only rustc knows the type, which may be one that lanes do not have (`const N: usize`).
            ExprKind::Cast(a, ty, _) => match (&a.kind, ty, self.scalar_ty(ty)) {
                (ExprKind::Const(path), Type::Dtype(_), ty) => self.uniform(&quote_spanned!(span=> #path as #ty), span),
                (_, _, ty) => self.op("cast", &[quote_spanned!(span=> _), ty], &[self.expr(a)], span),
            },
            ExprKind::If { cond, then, otherwise } => self.if_(cond, then, otherwise.as_ref(), span),
            ExprKind::Block(block) => self.block(block),
            ExprKind::Tuple(items) => {
                let items = items.iter().map(|e| self.expr(e));
                quote!((#(#items,)*))
            }
            ExprKind::Field(a, k) => {
                let (a, k) = (self.operand(a, false), Literal::usize_unsuffixed(*k));
                quote!(#a.#k)
            }
            ExprKind::Builtin(builtin, args, of) => {
                let args: Vec<TokenStream> = args.iter().map(|e| self.expr(e)).collect();
                let generics: Vec<TokenStream> = of.iter().map(|ty| self.scalar_ty(ty)).collect();
                self.op(builtin.name, &generics, &args, span)
            }
            ExprKind::FromBits(ty, _, bits) => self.op("from_bits", &[self.scalar_ty(ty)], &[self.expr(bits)], span),
            ExprKind::Call(path, args) => self.call(path, args),
        }
    }

    /// A value that is the same for all lanes.
    fn uniform(self, value: &TokenStream, span: Span) -> TokenStream {
        match self.mode {
            Mode::Plain => value.clone(),
            Mode::Lane => self.op("splat", &[], core::slice::from_ref(value), span),
        }
    }

    /// A helper: over lanes, the function `lanes` of the item of the same name in the type namespace.
    fn call(self, path: &syn::Path, args: &[Expr]) -> TokenStream {
        let args = args.iter().map(|e| self.expr(e));
        if self.mode == Mode::Plain {
            return quote_spanned!(path.span()=> #path(#(#args),*));
        }
        let mut path = path.clone();
        let mut turbofish = None;
        if let Some(last) = path.segments.last_mut()
            && let syn::PathArguments::AngleBracketed(mut generics) = core::mem::take(&mut last.arguments)
        {
            generics.args.push(syn::parse_quote!(_));
            generics.colon2_token.get_or_insert_with(Default::default);
            turbofish = Some(generics);
        }
        let cx = self.cx_arg();
        let lanes = Ident::new("lanes", path.span().resolved_at(Span::mixed_site()));
        quote_spanned!(path.span()=> <#path>::#lanes #turbofish (#cx #(#args),*))
    }

    /// Over lanes the right side is computed for all, but causes faults only where the left side does not decide.
    fn short_circuit(self, or: bool, left: &Expr, right: &Expr, span: Span) -> TokenStream {
        if self.mode == Mode::Plain {
            let (left, right) = (self.operand(left, or), self.operand(right, or));
            return if or { quote_spanned!(span=> #left || #right) } else { quote_spanned!(span=> #left && #right) };
        }
        let mut assigned = Assigned::default();
        assigned.expr(right);
        if assigned.outer().next().is_some() {
            return self.short_circuit_by_if(or, left, right, span);
        }
        let (left, right) = (self.expr(left), self.expr(right));
        let (a, b, cx) = (local("left"), local("right"), paths::cx());
        let (f, part) = if or { ("or", name("and_not")) } else { ("and", name("and")) };
        let combined = self.op(f, &[], &[quote!(#a), quote!(#b)], span);
        quote! {{
            let #a = #left;
            let #b = { let #cx = #cx.#part(#a); #right };
            #combined
        }}
    }

    /// A right side that assigns variables does so only where it is evaluated: `a && b` as `if a { b } else { false }`.
    fn short_circuit_by_if(self, or: bool, left: &Expr, right: &Expr, span: Span) -> TokenStream {
        let block = |value: Expr| Block { stmts: Vec::new(), source: value.source, value: Some(Box::new(value)) };
        // No type is asked of these two, so the number does not matter.
        let decided = block(Expr { kind: ExprKind::Bool(or), source: left.source, id: left.id });
        let right = block(right.clone());
        if or { self.if_(left, &decided, Some(&right), span) } else { self.if_(left, &right, Some(&decided), span) }
    }

    /// An operand of an operator that is written as one: in parentheses where it could be read otherwise. `or`: the operator
    /// is `||`, which binds weakest.
    fn operand(self, e: &Expr, or: bool) -> TokenStream {
        let parens = match &e.kind {
            ExprKind::If { .. } | ExprKind::Block(_) => true,
            ExprKind::ShortCircuit { or: inner, .. } => *inner && !or,
            _ => false,
        };
        let e = self.expr(e);
        if parens { quote!((#e)) } else { e }
    }

    fn if_(self, cond: &Expr, then: &Block, otherwise: Option<&Block>, span: Span) -> TokenStream {
        if self.mode == Mode::Plain {
            let cond = self.expr(cond);
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
            return quote_spanned!(span=> if #cond #then #otherwise);
        }
        // Each side works on its own copy of the variables that either side assigns; then all are blended.
        let mut assigned = Assigned::default();
        assigned.block(then);
        otherwise.into_iter().for_each(|b| assigned.block(b));
        let names: Vec<TokenStream> = assigned.outer().map(|id| self.var(id)).collect();
        let (c, cx) = (local("c"), paths::cx());
        let side = |part: &str, block: Option<&Block>| {
            let (part, value) = (name(part), local("value"));
            let block = block.map_or_else(|| quote!({}), |b| self.block(b));
            quote! {{
                let #cx = #cx.#part(#c);
                #(let mut #names = #names;)*
                let #value = #block;
                (#value, #(#names,)*)
            }}
        };
        let (then, otherwise) = (side("and", Some(then)), side("and_not", otherwise));
        let cond = self.expr(cond);
        let [a, b] = ["a", "b"].map(local);
        let numbered = |prefix: &str| (0..names.len()).map(|k| local(&format!("{prefix}{k}"))).collect::<Vec<_>>();
        let (assigned_a, assigned_b) = (numbered("a"), numbered("b"));
        let blend = |a: &Ident, b: &Ident| self.op("select", &[], &[quote!(#c), quote!(#a), quote!(#b)], span);
        let blended = assigned_a.iter().zip(&assigned_b).map(|(a, b)| blend(a, b));
        let value = blend(&a, &b);
        quote! {{
            let #c = #cond;
            let (#a, #(#assigned_a,)*) = #then;
            let (#b, #(#assigned_b,)*) = #otherwise;
            #(#names = #blended;)*
            #value
        }}
    }
}

/// A local of generated code. The prefix, since a constant of the user's would turn `let name` into a pattern to match:
/// hygiene hides variables, not constants.
fn local(text: &str) -> Ident {
    Ident::new(&format!("{RESERVED}_{text}"), Span::mixed_site())
}

/// A name that resolves where the macro stands: a dtype, a method of the context.
fn name(text: &str) -> Ident {
    Ident::new(text, Span::mixed_site())
}

/// The digits as an `f32` and as an `f64`, each rounded once; shortest forms that read back as the same value.
fn float_literals(digits: &str) -> [TokenStream; 2] {
    let single = digits.parse::<f32>().unwrap_or(f32::NAN);
    let double = digits.parse::<f64>().unwrap_or(f64::NAN);
    [
        finite(single.is_finite(), || Literal::f32_suffixed(single.abs()), single.is_sign_negative(), Dtype::F32),
        finite(double.is_finite(), || Literal::f64_suffixed(double.abs()), double.is_sign_negative(), Dtype::F64),
    ]
}

/// A float literal, or infinity where the digits are beyond the type's range (as Rust reads them).
fn finite(is_finite: bool, literal: impl Fn() -> Literal, negative: bool, dtype: Dtype) -> TokenStream {
    let sign = negative.then(|| quote!(-));
    if is_finite {
        let literal = literal();
        quote!(#sign #literal)
    } else {
        let dtype = name(dtype.name());
        quote!(#sign ::core::primitive::#dtype::INFINITY)
    }
}

/// The variables that code assigns, less those it declares itself.
#[derive(Default)]
struct Assigned {
    assigned: Vec<VarId>,
    declared: Vec<VarId>,
}

impl Assigned {
    /// In the order of first assignment.
    fn outer(&self) -> impl Iterator<Item = VarId> + '_ {
        self.assigned.iter().copied().filter(|id| !self.declared.contains(id))
    }

    fn note(&mut self, node: Node) {
        match node {
            Node::Stmt(Stmt::Assign { place, .. }) if !self.assigned.contains(&place.var) => self.assigned.push(place.var),
            Node::Pat(Pat::Var(id)) => self.declared.push(*id),
            _ => {}
        }
    }

    fn block(&mut self, block: &Block) {
        walk::block(block, &mut |node| self.note(node));
    }

    fn expr(&mut self, e: &Expr) {
        walk::expr(e, &mut |node| self.note(node));
    }
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
