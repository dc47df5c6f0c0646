//! `fast_math`: over lanes, a product and a sum become one operation, and long sums are taken in pairs.
//!
//! The plain function stays as it is written: it is what the result is to be near to.

use super::Mode;
use super::body::Lower;
use crate::tree::{BinaryOp, Expr, ExprKind};
use proc_macro2::{Span, TokenStream};

/// The math methods that have a quick variant in the run time: `erfc_fast` for `erfc`.
const QUICK: &[&str] = &["acosh", "asinh", "erfc", "sigmoid"];

/// Sums of so many terms and more are taken in halves, which do not wait for each other.
const LONG_SUM: usize = 4;

impl Lower<'_> {
    /// `a + b` and `a - b` where something can be made of it.
    pub(super) fn fast(&mut self, e: &Expr, span: Span) -> Option<TokenStream> {
        if !self.is_fast() || !is_pure(e) {
            return None;
        }
        match &e.kind {
            ExprKind::Binary(BinaryOp::Add, ..) => {
                let mut terms = Vec::new();
                self.terms(e, &mut terms);
                Some(self.sum_of(&terms, span))
            }
            ExprKind::Binary(BinaryOp::Sub, a, b) => match (self.product(a), self.product(b)) {
                (_, Some((x, y))) => {
                    let args = [self.expr(x), self.expr(y), self.expr(a)];
                    Some(self.op("contract_taken", &[], &args, span))
                }
                (Some((x, y)), None) => {
                    let args = [self.expr(x), self.expr(y), self.expr(b)];
                    Some(self.op("contract_less", &[], &args, span))
                }
                (None, None) => None,
            },
            _ => None,
        }
    }

    /// `target += value` and `target -= value` where `value` is a product.
    pub(super) fn fast_assign(&mut self, op: BinaryOp, target: &TokenStream, value: &Expr, span: Span) -> Option<TokenStream> {
        let f = match op {
            BinaryOp::Add => "contract",
            BinaryOp::Sub => "contract_taken",
            _ => return None,
        };
        if !self.is_fast() || !is_pure(value) {
            return None;
        }
        let (x, y) = self.product(value)?;
        let args = [self.expr(x), self.expr(y), target.clone()];
        Some(self.op(f, &[], &args, span))
    }

    /// The quick variant of a built-in method.
    pub(super) fn quick(&self, builtin: &str) -> Option<String> {
        (self.is_fast() && QUICK.contains(&builtin)).then(|| format!("{builtin}_fast"))
    }

    fn is_fast(&self) -> bool {
        self.function.fast_math && self.mode == Mode::Lane
    }

    /// The factors of a product that differs between lanes.
    fn product<'e>(&self, e: &'e Expr) -> Option<(&'e Expr, &'e Expr)> {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Mul, a, b) if !self.uniform.expr(e) => Some((a, b)),
            _ => None,
        }
    }

    /// What a sum adds up, sums in it taken apart.
    fn terms<'e>(&self, e: &'e Expr, terms: &mut Vec<&'e Expr>) {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Add, a, b) if !self.uniform.expr(e) => {
                self.terms(a, terms);
                self.terms(b, terms);
            }
            _ => terms.push(e),
        }
    }

    fn sum_of(&mut self, terms: &[&Expr], span: Span) -> TokenStream {
        if let [one] = terms {
            return self.expr(one);
        }
        let at = if terms.len() < LONG_SUM { terms.len() - 1 } else { terms.len() / 2 };
        let (left, right) = terms.split_at(at);
        let product = match (left, right) {
            (rest, [one]) if self.product(one).is_some() => self.product(one).map(|factors| (factors, rest)),
            ([one], rest) => self.product(one).map(|factors| (factors, rest)),
            _ => None,
        };
        match product {
            Some(((x, y), rest)) => {
                let args = [self.expr(x), self.expr(y), self.sum_of(rest, span)];
                self.op("contract", &[], &args, span)
            }
            None => {
                let args = [self.sum_of(left, span), self.sum_of(right, span)];
                self.op("add", &[], &args, span)
            }
        }
    }
}

/// Whether the order in which its parts are computed cannot be seen.
fn is_pure(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(..) | ExprKind::Float(..) | ExprKind::Bool(_) | ExprKind::Var(_) | ExprKind::Const(_) => true,
        ExprKind::Unary(_, a) | ExprKind::Cast(a, _) | ExprKind::FromBits(_, a) => is_pure(a),
        ExprKind::Binary(_, a, b) => is_pure(a) && is_pure(b),
        ExprKind::Builtin(_, args, _) | ExprKind::Call(_, args) => args.iter().all(is_pure),
        _ => false,
    }
}
