//! Arrays, structs and `Option`s.
//!
//! An array is a Rust array of lanes, a struct one of the lanes of its fields. An index that is the same for all lanes stays a Rust index;
//! one that differs reads by blending, and assigns to each element in turn in the lanes whose index it is.

use super::Mode;
use super::body::{Lower, local, located, name};
use crate::dtype::Dtype;
use crate::paths;
use crate::tree::{BinaryOp, Expr, ExprKind, Member, Place, Shape, Step, StructLiteral, Type};
use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// A member, behind the dot.
pub(super) fn member(m: &Member) -> TokenStream {
    match m {
        Member::Element(k) => Literal::usize_unsuffixed(*k).to_token_stream(),
        Member::Named(name) => name.to_token_stream(),
        Member::Payload => name("value").to_token_stream(),
    }
}

impl Lower<'_> {
    /// The value of an index, and whether it is a single one for all lanes.
    fn index_value(&mut self, i: &Expr) -> (TokenStream, bool) {
        // `i as usize`: a negative index is out of range as the huge one is that it becomes.
        let i = match &i.kind {
            ExprKind::Cast(inner, Type::Dtype(Dtype::U64))
                if matches!(self.function.types.of(inner.id), Type::Dtype(d) if d.is_int())
                    && !matches!(inner.kind, ExprKind::Const(_)) =>
            {
                &**inner
            }
            _ => i,
        };
        let uniform = self.mode == Mode::Lane && self.uniform.expr(i);
        (if uniform { self.to_plain().expr(i) } else { self.expr(i) }, uniform)
    }

    /// `a[i]`
    pub(super) fn index(&mut self, a: &Expr, i: &Expr, span: Span) -> TokenStream {
        // A constant stays in memory.
        let (a, f) = match &a.kind {
            ExprKind::Const(path) => (path.to_token_stream(), "look_up"),
            _ => (self.expr(a), "index"),
        };
        let (i, uniform) = self.index_value(i);
        let f = if uniform { format!("{f}_uniform") } else { f.to_owned() };
        self.op(&f, &[], &[quote!(&#a), i], span)
    }

    /// `a[i].x = value`, `a[i] += value`: the value first, then the indexes, as in Rust.
    pub(super) fn assign_element(&mut self, place: &Place, op: Option<BinaryOp>, value: &Expr, masked: bool, span: Span) -> TokenStream {
        let (held, var) = (local("value"), self.var_at(place.var, place.source.start));
        let value = self.expr(value);
        let mut tokens = quote!(let #held = #value;);
        let mut steps = Vec::new();
        for (k, step) in place.steps.iter().enumerate() {
            steps.push(match step {
                Step::Member(m) => Target::Member(member(m)),
                Step::Index(i) => {
                    let (name, (i, uniform)) = (local(&format!("i{k}")), self.index_value(i));
                    tokens.extend(quote!(let #name = #i;));
                    Target::Index(name.to_token_stream(), uniform)
                }
            });
        }
        if let Some(op) = op {
            let read = steps.iter().fold(var.clone(), |at, step| match step {
                Target::Member(m) => quote!(#at.#m),
                Target::Index(i, uniform) => {
                    self.op(if *uniform { "index_uniform" } else { "index" }, &[], &[quote!(&#at), i.clone()], span)
                }
            });
            let new = self.op(op.function(), &[], &[read, held.to_token_stream()], span);
            tokens.extend(quote!(let #held = #new;));
        }
        let write = self.write(&var, &steps, 0, masked, span);
        quote!({ #tokens #write })
    }

    /// Assigns to what `steps` lead to from `at`.
    fn write(&self, at: &TokenStream, steps: &[Target], depth: usize, masked: bool, span: Span) -> TokenStream {
        let Some((step, rest)) = steps.split_first() else {
            let held = local("value").to_token_stream();
            let value = if masked { self.op("assign", &[], &[held, at.clone()], span) } else { held };
            return quote!(#at = #value;);
        };
        let k = local(&format!("k{depth}"));
        match step {
            Target::Member(m) => self.write(&quote!(#at.#m), rest, depth, masked, span),
            Target::Index(i, uniform) if *uniform || self.mode == Mode::Plain => {
                let f = if *uniform { "place_uniform" } else { "place" };
                let place = self.op(f, &[], &[quote!(&#at), i.clone()], span);
                let write = self.write(&quote!(#at[#k]), rest, depth + 1, masked, span);
                quote!(if let ::core::option::Option::Some(#k) = #place { #write })
            }
            Target::Index(i, _) => {
                let (places, cx) = (local(&format!("places{depth}")), paths::cx());
                let all = self.op("places", &[], &[quote!(&#at), i.clone()], span);
                let write = self.write(&quote!(#at[#k]), rest, depth + 1, true, span);
                let (reach, at_method) = (name("reach"), name("at"));
                quote! {
                    let #places = #all;
                    let mut #k = 0usize;
                    while #k < #places.#reach() {
                        { let #cx = #places.#at_method(#cx, #k); #write }
                        #k += 1;
                    }
                }
            }
        }
    }

    /// `P { x: a, ..b }`: the fields first; then Rust checks the literal on the user's own struct, in a closure that is never called; then
    /// the lanes' struct is filled. How a fault comes to be told once: `lanecraft_core::lane::structure`.
    pub(super) fn struct_literal(&mut self, literal: &StructLiteral, span: Span) -> TokenStream {
        let path = &literal.path;
        let (mut tokens, mut fields, mut agree, mut fill) = <(TokenStream, Vec<_>, TokenStream, TokenStream)>::default();
        // At the literal, where errors about its type belong.
        let mut value = local("fields");
        value.set_span(span.resolved_at(value.span()));
        for (k, (m, e)) in literal.fields.iter().enumerate() {
            let (mut held, at) = (local(&format!("field{k}")), e.source.start);
            // `P(a)` is `P { 0: a }`: rustc says what is wrong with a call of `P` by another word for each field.
            let m = if matches!(m, Member::Element(_)) { located(member(m), at) } else { member(m) };
            let (written, given) = (local(&format!("written{k}")), local(&format!("given{k}")));
            held.set_span(at.resolved_at(held.span()));
            let e = self.expr(e);
            let field = self.op("field", &[], &[], at);
            tokens.extend(quote!(let #held = #e; let #written = #field; let #given = #field;));
            let of_struct = self.op("value_of", &[], &[quote!(&#written)], at);
            let of_lanes = self.op("witness", &[], &[quote!(&#held)], at);
            fields.push(quote!(#m: #of_struct));
            let both = self.op("agree", &[], &[quote!(&#given), quote!([#of_struct, #of_lanes])], at);
            agree.extend(quote!(#both;));
            fill.extend(quote!((&mut #value, &#written, &#given).0.#m = #held;));
        }
        let base = literal.base.as_ref().map(|e| {
            let (mut held, written, at, e) = (local("base"), local("written"), e.source.start, self.expr(e));
            held.set_span(at.resolved_at(held.span()));
            let field = self.op("field", &[], &[], span);
            tokens.extend(quote!(let #held = #e; let #written = #field;));
            let of_struct = self.op("value_of", &[], &[quote!(&#written)], span);
            let based = self.op("based", &[], &[value.to_token_stream(), held.to_token_stream()], span);
            fill = quote!(#value = #based; #fill);
            quote!(..#of_struct)
        });
        let (literal, checked) = (quote_spanned!(span=> #path { #(#fields,)* #base }), local("checked"));
        let start = self.op("fields_of", &[], &[quote_spanned!(span=> || { let #checked = #literal; #agree #checked })], span);
        quote_spanned!(span=> { #tokens let mut #value = #start; #fill #value })
    }

    /// The form of a value that a pattern takes it to have.
    pub(super) fn shape(&mut self, shape: &Shape, value: &Expr, span: Span) -> TokenStream {
        let value = self.expr(value);
        match shape {
            Shape::Array(len) => {
                let len = Literal::usize_unsuffixed(*len);
                quote_spanned!(span=> let _: &[_; #len] = &#value;)
            }
            Shape::Iterated => TokenStream::new(),
            Shape::Struct { path, members, rest, is_tuple } => {
                let rest = rest.then(|| quote!(..));
                let (mut declare, mut see, mut again, mut names) = <(TokenStream, TokenStream, TokenStream, Vec<_>)>::default();
                for k in 0..members.len() {
                    let (mut part, written, field) =
                        (local(&format!("part{k}")), local(&format!("written{k}")), self.op("field", &[], &[], span));
                    part.set_span(span.resolved_at(part.span()));
                    declare.extend(quote!(let #written = #field;));
                    let is = self.op("is", &[], &[quote!(&#written), part.to_token_stream()], span);
                    see.extend(quote!(#is;));
                    again.extend(quote!(&#written,));
                    names.push(part);
                }
                let pattern = if *is_tuple {
                    quote_spanned!(span=> #path(#(#names,)* #rest))
                } else {
                    let members = members.iter().map(member);
                    quote_spanned!(span=> #path { #(#members: #names,)* #rest })
                };
                // In two calls, of which the first tells a struct without `#[kernel]`. At the pattern, where errors about its type belong.
                let mut held = local("shaped");
                held.set_span(span.resolved_at(held.span()));
                let of_pattern = self.op("shape_of", &[], &[quote_spanned!(span=> |#pattern| { #see })], span);
                let check = self.op("shaped", &[], &[of_pattern, held.to_token_stream()], span);
                // The variable is declared anew: of a type that rustc says nothing more about where it finds fault with the pattern.
                quote!(#declare { let #held = &#value; #check; } let #value = (#value, #again).0;)
            }
        }
    }
}

/// A step from a variable to what is assigned, its index computed.
enum Target {
    Member(TokenStream),
    Index(TokenStream, bool),
}
