//! The typing rules of arrays, structs and `Option`s.

use super::infer::{Kind, Ty};
use super::late::INDEX;
use super::rules::Checker;
use crate::dtype::{Class, Dtype};
use crate::error::Source;
use crate::tree::{Expr, ExprKind, Member, OptionOp, Shape, StructLiteral};

impl Checker<'_> {
    /// `a.0`, `a.x`, and what an `Option` holds.
    pub(super) fn member(&mut self, ty: &Ty, member: &Member, source: Source) -> Ty {
        match (member, self.table.resolve(ty)) {
            (Member::Element(k), Ty::Array(..)) => {
                let name = self.table.show(ty);
                self.errors.push(source.error(format!("`{name}` has no element `.{k}`; index it (`a[{k}]`), because it is an array")));
                self.table.fresh(Kind::Open)
            }
            (Member::Element(k), _) => self.field(ty, *k, source),
            (Member::Payload, _) => {
                let item = self.table.fresh(Kind::Free);
                let want = Ty::Option(Box::new(item.clone()));
                self.is_option(&want, ty, source);
                item
            }
            (Member::Named(_), Ty::Var(v)) if self.table.kind(v) == Kind::Open => self.table.fresh(Kind::Open),
            (Member::Named(name), _) => {
                let ty = self.table.show(ty);
                self.errors
                    .push(source.error(format!("field `{name}` cannot be taken of `{ty}`; use the value itself, because it is no struct")));
                self.table.fresh(Kind::Open)
            }
        }
    }

    fn is_option(&mut self, want: &Ty, ty: &Ty, source: Source) {
        if self.table.unify(want, ty).is_err() {
            let name = self.table.show(ty);
            self.errors.push(
                source.error(format!("`{name}` cannot be taken apart as an `Option`; use the value itself, because it is always there")),
            );
        }
    }

    /// `[a, b]`
    pub(super) fn array(&mut self, items: &[Expr]) -> Ty {
        let item = self.table.fresh(Kind::Free);
        for e in items {
            let ty = self.expr(e);
            self.unify(&item, &ty, e.source, "an array");
        }
        Ty::Array(Box::new(item), u64::try_from(items.len()).ok())
    }

    /// `a[i]`
    pub(super) fn index(&mut self, ty: &Ty, i: &Expr, source: Source) -> Ty {
        let index = self.expr(i);
        self.want(&index, Class::Int, i.source, INDEX);
        match self.table.resolve(ty) {
            Ty::Array(item, len) => {
                if let (ExprKind::Int(k, _), Some(len)) = (&i.kind, len)
                    && (*k < 0 || *k >= i128::from(len))
                {
                    let message = format!("index {k} cannot be taken; count from 0 (`a[0]`), because the array has {len} elements");
                    self.errors.push(i.source.error(message));
                }
                *item
            }
            Ty::Var(v) if self.table.kind(v) == Kind::Open => self.table.fresh(Kind::Open),
            _ => {
                let name = self.table.show(ty);
                self.errors.push(source.error(format!(
                    "`{name}` cannot be indexed; only arrays can, because an operand of a map kernel is one element of its array"
                )));
                self.table.fresh(Kind::Open)
            }
        }
    }

    /// `a.len()`
    pub(super) fn len(&mut self, a: &Expr, source: Source) -> Ty {
        let ty = self.expr(a);
        match self.table.resolve(&ty) {
            Ty::Array(..) => {}
            Ty::Var(v) if self.table.kind(v) == Kind::Open => {}
            _ => {
                let name = self.table.show(&ty);
                self.errors.push(
                    source.error(format!("`{name}` cannot be asked for a length; use the value itself, because only arrays have one")),
                );
            }
        }
        Ty::Dtype(Dtype::U64)
    }

    /// Of a struct only rustc knows the fields.
    pub(super) fn struct_literal(&mut self, literal: &StructLiteral) -> Ty {
        for e in literal.fields.iter().map(|(_, e)| e).chain(&literal.base) {
            let ty = self.expr(e);
            self.open(&ty);
        }
        self.table.fresh(Kind::Open)
    }

    /// `Some(a)`, `None` and the methods.
    pub(super) fn option(&mut self, op: OptionOp, args: &[Expr], source: Source) -> Ty {
        let item = self.table.fresh(Kind::Free);
        let option = Ty::Option(Box::new(item.clone()));
        for (k, arg) in args.iter().enumerate() {
            let ty = self.expr(arg);
            if k == 0 && op != OptionOp::Some {
                self.is_option(&option, &ty, arg.source);
            } else {
                self.unify(&item, &ty, source, &format!("`{}`", op.name()));
            }
        }
        match op {
            OptionOp::Some | OptionOp::None => option,
            OptionOp::IsSome | OptionOp::IsNone => Ty::BOOL,
            OptionOp::UnwrapOr => item,
        }
    }

    /// What a pattern asks of a value's form.
    pub(super) fn shape(&mut self, shape: &Shape, value: &Expr, source: Source) {
        let ty = self.expr(value);
        let before = self.errors.count();
        self.shape_of(shape, &ty, source);
        if let (true, ExprKind::Var(id)) = (self.errors.count() > before, &value.kind) {
            // Reported; what is read from it is not reported too.
            let any = self.table.fresh(Kind::Open);
            self.set_var(*id, any);
        }
    }

    fn shape_of(&mut self, shape: &Shape, ty: &Ty, source: Source) {
        match shape {
            Shape::Iterated => {
                let known = self.table.resolve(ty);
                if !matches!(known, Ty::Array(..)) && !matches!(known, Ty::Var(v) if self.table.kind(v) == Kind::Open) {
                    let name = self.table.show(ty);
                    self.errors.push(source.error(format!(
                        "a `for` cannot run over `{name}`; write a range (`for i in 0..n`), or give it an array (`for x in [a, b]`), because there is nothing to count"
                    )));
                }
            }
            Shape::Array(len) => {
                let item = self.table.fresh(Kind::Free);
                let want = Ty::Array(Box::new(item), u64::try_from(*len).ok());
                if self.table.unify(&want, ty).is_err() {
                    let name = self.table.show(ty);
                    let s = if *len == 1 { "" } else { "s" };
                    let message = format!(
                        "a pattern of an array of {len} element{s} cannot bind `{name}`; name as many elements as it has (`[a, b]`), because each has to go somewhere"
                    );
                    self.errors.push(source.error(message));
                }
            }
            Shape::Struct { .. } => {
                let any = self.table.fresh(Kind::Open);
                let known = self.table.resolve(ty);
                if !matches!(known, Ty::Var(_)) {
                    let name = self.table.show(ty);
                    self.errors.push(source.error(format!(
                        "a pattern of a struct cannot bind `{name}`; bind it as it stands (`let y = ..`), because it has no fields"
                    )));
                } else {
                    let _ = self.table.unify(&any, ty);
                }
            }
        }
    }
}
