//! [`Checker`], and the typing rules of expressions.

use super::Types;
use super::infer::{Kind, Table, Ty};
use super::late::Want;
use crate::dtype::{Class, Dtype};
use crate::error::{Errors, Source};
use crate::model::Function;
use crate::tree::{Expr, ExprKind, LoopId, Type, UnaryOp};

/// Checks one function.
pub struct Checker<'a> {
    pub(super) function: &'a Function,
    pub(super) table: Table<'a>,
    pub(super) output: Ty,
    pub(super) errors: Errors,
    pub(super) vars: Vec<Ty>,
    pub(super) exprs: Vec<Option<Ty>>,
    /// The types that `break` gives to the loops around, innermost last.
    pub(super) loops: Vec<(LoopId, Ty)>,
    /// What an operation asks of a type that may not be known yet: checked at the end.
    pub(super) wants: Vec<Want>,
    /// Integer literals, whose range is checked at the end.
    pub(super) ints: Vec<(i128, Ty, Source)>,
    /// Casts, checked at the end.
    pub(super) casts: Vec<(Ty, Ty, Source)>,
}

impl<'a> Checker<'a> {
    /// A checker with the arguments' types known.
    pub fn new(function: &'a Function) -> Self {
        let mut table = Table::new(&function.generics);
        let mut vars: Vec<Ty> = function.vars.iter().map(|_| table.fresh(Kind::Free)).collect();
        for (id, ty) in &function.args {
            let ty = written(&mut table, ty);
            if let Some(slot) = vars.get_mut(*id) {
                *slot = ty;
            }
        }
        let output = written(&mut table, &function.output);
        Self {
            function,
            table,
            output,
            errors: Errors::default(),
            vars,
            exprs: Vec::new(),
            loops: Vec::new(),
            wants: Vec::new(),
            ints: Vec::new(),
            casts: Vec::new(),
        }
    }

    /// Checks the body against the signature.
    pub fn body(&mut self) {
        let body = &self.function.body;
        let given = self.block(body);
        let source = body.value.as_ref().map_or(body.source, |e| e.source);
        self.returns(&given, source, body.value.is_some());
    }

    /// The types, after the checks that wait for the end.
    pub fn finish(mut self) -> syn::Result<Types> {
        for want in core::mem::take(&mut self.wants) {
            self.check_want(&want);
        }
        for (from, to, source) in core::mem::take(&mut self.casts) {
            self.check_cast(&from, &to, source);
        }
        for (value, ty, source) in core::mem::take(&mut self.ints) {
            self.check_int(value, &ty, source);
        }
        super::finish(self.errors, &self.table, &self.exprs, &self.vars)
    }

    pub(super) fn field(&mut self, ty: &Ty, k: usize, source: Source) -> Ty {
        match self.table.resolve(ty) {
            Ty::Tuple(items) => items.get(k).cloned().unwrap_or_else(|| {
                let (name, n) = (self.table.show(ty), items.len());
                self.errors
                    .push(source.error(format!("element {k} cannot be taken of `{name}`; count from 0 (`t.0`), because it has {n}")));
                self.table.fresh(Kind::Open)
            }),
            Ty::Var(v) if self.table.kind(v) == Kind::Open => self.table.fresh(Kind::Open),
            _ => {
                let name = self.table.show(ty);
                self.errors.push(source.error(format!("`{name}` has no elements; use it as it stands, because only tuples have elements")));
                self.table.fresh(Kind::Open)
            }
        }
    }

    pub(super) fn expr(&mut self, e: &Expr) -> Ty {
        let ty = self.kind(e);
        self.set_expr(e.id, &ty);
        ty
    }

    pub(super) fn set_expr(&mut self, id: usize, ty: &Ty) {
        if self.exprs.len() <= id {
            self.exprs.resize(id + 1, None);
        }
        if let Some(slot) = self.exprs.get_mut(id) {
            *slot = Some(ty.clone());
        }
    }

    pub(super) fn kind(&mut self, e: &Expr) -> Ty {
        match &e.kind {
            ExprKind::Int(value, dtype) => {
                let ty = dtype.map_or_else(|| self.table.fresh(Kind::Int { open: false }), Ty::Dtype);
                self.ints.push((*value, ty.clone(), e.source));
                ty
            }
            ExprKind::Float(_, dtype) => dtype.map_or_else(|| self.table.fresh(Kind::Float { open: false }), Ty::Dtype),
            ExprKind::Bool(_) => Ty::BOOL,
            ExprKind::Var(id) => self.vars.get(*id).cloned().unwrap_or_else(Ty::unit),
            ExprKind::Const(path) => self.constant(path),
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let ty = self.expr(a);
                self.want(&ty, Class::Signed, e.source, "`-`");
                ty
            }
            ExprKind::Unary(UnaryOp::Not, a) => {
                let ty = self.expr(a);
                self.want(&ty, Class::Logic, e.source, "`!`");
                ty
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.binary(*op, &a, &b, e.source)
            }
            ExprKind::ShortCircuit { or, left, right } => {
                let what = if *or { "`||`" } else { "`&&`" };
                for side in [left, right] {
                    let ty = self.expr(side);
                    self.boolean(&ty, side.source, what);
                }
                Ty::BOOL
            }
            ExprKind::Cast(a, ty) => {
                let from = self.expr(a);
                let to = written(&mut self.table, ty);
                // `300 as u8` and `2 as f32`: an unsuffixed literal takes the type it is cast to if it can, as in Rust.
                if matches!(a.kind, ExprKind::Int(..) | ExprKind::Float(..)) {
                    let _ = self.table.unify(&from, &to);
                }
                self.casts.push((from, to.clone(), e.source));
                to
            }
            ExprKind::If { cond, then, otherwise } => {
                let ty = self.expr(cond);
                self.boolean(&ty, cond.source, "`if`");
                let then_ty = self.block(then);
                match otherwise {
                    Some(otherwise) => {
                        let else_ty = self.block(otherwise);
                        self.branches(&then_ty, &else_ty, e.source)
                    }
                    None => {
                        if self.table.unify(&then_ty, &Ty::unit()).is_err() {
                            let name = self.table.show(&then_ty);
                            self.errors
                                .push(e.source.error(format!("an `if` without `else` cannot have a value (`{name}`); add an `else` (`else {{ 0.0 }}`), because the other lanes need one too")));
                            return self.table.fresh(Kind::Open);
                        }
                        then_ty
                    }
                }
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::Element(element) => self.element(element),
            ExprKind::Length(..) => Ty::Dtype(Dtype::U64),
            ExprKind::Scan(var, value) => {
                let given = self.expr(value);
                let sum = self.vars.get(*var).cloned().unwrap_or_else(Ty::unit);
                let ty = self.unify(&sum, &given, e.source, "`scan`");
                self.want(&ty, Class::Num, e.source, "`scan`");
                ty
            }
            ExprKind::Loop(l) => self.loop_(l, e.source),
            ExprKind::Break(id, value) => {
                self.break_(*id, value.as_deref(), e.source);
                self.table.fresh(Kind::Free)
            }
            ExprKind::Continue(_) => self.table.fresh(Kind::Free),
            ExprKind::Return(value) => {
                let given = self.expr(value);
                self.returns(&given, value.source, true);
                self.table.fresh(Kind::Free)
            }
            ExprKind::Tuple(items) => Ty::Tuple(items.iter().map(|e| self.expr(e)).collect()),
            ExprKind::Field(a, member) => {
                let ty = self.expr(a);
                self.member(&ty, member, e.source)
            }
            ExprKind::Array(items) => self.array(items),
            ExprKind::Repeat(item, len) => Ty::Array(Box::new(self.expr(item)), len.known()),
            ExprKind::Index(a, i) => {
                let ty = self.expr(a);
                self.index(&ty, i, e.source)
            }
            ExprKind::Len(a) => self.len(a, e.source),
            ExprKind::Struct(literal) => self.struct_literal(literal),
            ExprKind::Option(op, args) => self.option(*op, args, e.source),
            ExprKind::Dbg(a, _) => {
                let ty = self.expr(a);
                self.want(&ty, Class::Dtype, e.source, "`dbg!`");
                ty
            }
            ExprKind::Builtin(builtin, args, of) => self.builtin(builtin, args, of.as_ref(), e.source),
            ExprKind::FromBits(ty, bits) => {
                let float = written(&mut self.table, ty);
                self.want(&float, Class::Float, e.source, "`from_bits`");
                let given = self.expr(bits);
                let want = self.bits_of(&float);
                self.unify(&want, &given, e.source, "`from_bits`");
                float
            }
            ExprKind::Call(_, args) => {
                for arg in args {
                    let ty = self.expr(arg);
                    self.open(&ty);
                }
                self.table.fresh(Kind::Open)
            }
        }
    }

    /// A literal handed to a helper takes the type of the helper's argument, which only rustc knows.
    pub(super) fn open(&mut self, ty: &Ty) {
        match self.table.resolve(ty) {
            Ty::Var(_) => {
                let any = self.table.fresh(Kind::Open);
                let _ = self.table.unify(ty, &any);
            }
            Ty::Tuple(items) => items.iter().for_each(|t| self.open(t)),
            Ty::Array(item, _) | Ty::Option(item) => self.open(&item),
            Ty::Dtype(_) | Ty::Param(_) => {}
        }
    }
}

/// A type as written, with a variable for each `_`.
pub(super) fn written(table: &mut Table, ty: &Type) -> Ty {
    match ty {
        Type::Dtype(d) => Ty::Dtype(*d),
        Type::Param(k) => Ty::Param(*k),
        Type::Tuple(items) => Ty::Tuple(items.iter().map(|t| written(table, t)).collect()),
        Type::Array(item, len) => Ty::Array(Box::new(written(table, item)), len.known()),
        Type::Option(item) => Ty::Option(Box::new(written(table, item))),
        Type::Named(_) => table.fresh(Kind::Open),
        // What is known of an array operand is its elements' type.
        Type::View(view) => written(table, &view.element),
        Type::Infer => table.fresh(Kind::Free),
    }
}
