//! Indices as sums: `i + r * w - 1` is the variable `i`, the product `r * w` and -1. Of such a sum it is known how it moves from lane
//! to lane, and whether two iterations can have the same.

use super::analyze::LaneLoop;
use crate::dtype::Dtype;
use crate::flow::Uniform;
use crate::model::Function;
use crate::tree::{BinaryOp, Expr, ExprKind, Type, VarId};
use quote::ToTokens;
use std::collections::BTreeMap;

/// A sum of whole multiples.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    /// What is added without a variable.
    pub constant: i128,
    /// The summands and what they are multiplied by; none of them is 0.
    pub terms: BTreeMap<Term, i128>,
    /// What the opaque terms stand for.
    pub opaque: BTreeMap<String, Expr>,
}

/// A summand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// A variable.
    Var(VarId),
    /// The length of an axis of an operand.
    Length(VarId, usize),
    /// Something that is the same for all lanes, by its text.
    Opaque(String),
}

impl PartialEq for Sum {
    fn eq(&self, other: &Self) -> bool {
        self.constant == other.constant && self.terms == other.terms
    }
}

impl Sum {
    /// A number.
    pub fn of_constant(constant: i128) -> Self {
        Self { constant, ..Self::default() }
    }

    fn term(term: Term) -> Self {
        Self { terms: BTreeMap::from([(term, 1)]), ..Self::default() }
    }

    /// This and a multiple of another.
    pub fn add(mut self, other: Self, times: i128) -> Option<Self> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(times)?)?;
        for (term, n) in other.terms {
            let slot = self.terms.entry(term).or_insert(0);
            *slot = slot.checked_add(n.checked_mul(times)?)?;
        }
        self.terms.retain(|_, n| *n != 0);
        self.opaque.extend(other.opaque);
        Some(self)
    }

    /// What a variable is multiplied by.
    pub fn of(&self, var: VarId) -> i128 {
        self.terms.get(&Term::Var(var)).copied().unwrap_or(0)
    }

    /// Without a variable, which is no part of opaque terms.
    pub fn without(mut self, var: VarId) -> Self {
        self.terms.remove(&Term::Var(var));
        self
    }

    /// Whether a variable is part of an opaque term.
    pub fn hides(&self, var: VarId) -> bool {
        let mut hides = false;
        for e in self.opaque.values() {
            crate::walk::expr(e, &mut |node| {
                hides |= matches!(node, crate::walk::Node::Expr(Expr { kind: ExprKind::Var(id), .. }) if *id == var);
            });
        }
        hides
    }

    /// The variables that it is made of, those inside opaque terms included.
    pub fn vars(&self) -> Vec<VarId> {
        let mut vars = Vec::new();
        for term in self.terms.keys() {
            match term {
                Term::Var(id) => vars.push(*id),
                Term::Length(..) => {}
                Term::Opaque(text) => {
                    if let Some(e) = self.opaque.get(text) {
                        crate::walk::expr(e, &mut |node| {
                            if let crate::walk::Node::Expr(Expr { kind: ExprKind::Var(id), .. }) = node {
                                vars.push(*id);
                            }
                        });
                    }
                }
            }
        }
        vars
    }
}

/// What sums are found with.
#[derive(Clone, Copy)]
pub struct Sums<'a> {
    /// The function.
    pub function: &'a Function,
    /// What is the same for all lanes.
    pub uniform: &'a Uniform,
    /// The loop over lanes.
    pub lanes: &'a LaneLoop,
}

impl Sums<'_> {
    /// The sum that an index is, if it is one.
    pub fn of(&self, e: &Expr) -> Option<Sum> {
        match &e.kind {
            ExprKind::Int(v, _) => Some(Sum::of_constant(*v)),
            ExprKind::Length(view, axis) => Some(Sum::term(Term::Length(*view, *axis))),
            ExprKind::Var(id) => self.var(*id),
            ExprKind::Dbg(a, _) => self.of(a),
            ExprKind::Binary(BinaryOp::Add, a, b) => self.of(a)?.add(self.of(b)?, 1),
            ExprKind::Binary(BinaryOp::Sub, a, b) => self.of(a)?.add(self.of(b)?, -1),
            ExprKind::Binary(BinaryOp::Mul, a, b) => match (self.of(a), self.of(b)) {
                (Some(a), Some(b)) if a.terms.is_empty() => Sum::default().add(b, a.constant),
                (Some(a), Some(b)) if b.terms.is_empty() => Sum::default().add(a, b.constant),
                _ => self.opaque(e),
            },
            ExprKind::Cast(a, Type::Dtype(Dtype::U64)) if *self.function.types.of(a.id) == Type::Dtype(Dtype::U64) => self.of(a),
            _ => self.opaque(e),
        }
    }

    fn var(&self, id: VarId) -> Option<Sum> {
        if let Some(sum) = self.lanes.lets.get(&id).and_then(|init| self.of(init)) {
            return Some(sum);
        }
        let changes = self.lanes.inside.contains(&id) && self.function.vars.get(id).is_none_or(|v| v.mutable.is_some());
        (!changes).then(|| Sum::term(Term::Var(id)))
    }

    fn opaque(&self, e: &Expr) -> Option<Sum> {
        if !self.uniform.expr(e) {
            return None;
        }
        let text = text(e)?;
        let mut sum = Sum::term(Term::Opaque(text.clone()));
        sum.opaque.insert(text, e.clone());
        Some(sum)
    }
}

/// Equal for expressions of equal value.
pub(super) fn text(e: &Expr) -> Option<String> {
    Some(match &e.kind {
        ExprKind::Int(v, _) => v.to_string(),
        ExprKind::Var(id) => format!("v{id}"),
        ExprKind::Length(view, axis) => format!("l{view}.{axis}"),
        ExprKind::Const(path) => path.to_token_stream().to_string(),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", text(a)?, op.symbol(), text(b)?),
        ExprKind::Cast(a, ty) => format!("({} as {ty:?})", text(a)?),
        ExprKind::Builtin(builtin, args, _) => {
            format!("{}({})", builtin.name, args.iter().map(text).collect::<Option<Vec<_>>>()?.join(", "))
        }
        _ => return None,
    })
}
