//! The typing rules of operators, methods and constants.

use super::infer::{Kind, Ty};
use super::rules::{Checker, written};
use crate::builtin::{Builtin, Gives, Takes};
use crate::dtype::{Class, Dtype};
use crate::error::Source;
use crate::tree::{BinaryOp, Expr, Type};

impl Checker<'_> {
    pub(super) fn binary(&mut self, op: BinaryOp, a: &Ty, b: &Ty, source: Source) -> Ty {
        use BinaryOp::{Add, And, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Rem, Shl, Shr, Sub, Xor};
        let what = format!("`{}`", op.symbol());
        match op {
            Shl | Shr => {
                self.want(a, Class::Int, source, what.clone());
                self.want(b, Class::Int, source, what);
                a.clone()
            }
            Add | Sub | Mul | Div | Rem => {
                let ty = self.unify(a, b, source, &what);
                self.want(&ty, Class::Num, source, what);
                ty
            }
            And | Or | Xor => {
                let ty = self.unify(a, b, source, &what);
                self.want(&ty, Class::Logic, source, what);
                ty
            }
            Eq | Ne | Lt | Le | Gt | Ge => {
                let ty = self.unify(a, b, source, &what);
                self.want(&ty, Class::Dtype, source, what);
                Ty::BOOL
            }
        }
    }

    pub(super) fn builtin(&mut self, builtin: &Builtin, args: &[Expr], of: Option<&Type>, source: Source) -> Ty {
        let what = format!("`{}`", builtin.name);
        let receiver = written(&mut self.table, of.unwrap_or(&Type::Infer));
        for (k, arg) in args.iter().enumerate() {
            let ty = self.expr(arg);
            // The receiver itself comes first.
            let want = match k.checked_sub(1).and_then(|k| builtin.takes.get(k)) {
                Some(Takes::Always(dtype)) => Ty::Dtype(*dtype),
                Some(Takes::Same) | None => receiver.clone(),
            };
            self.unify(&want, &ty, source, &what);
        }
        self.want(&receiver, builtin.class, source, what);
        match builtin.gives {
            Gives::Same => receiver,
            Gives::Always(dtype) => Ty::Dtype(dtype),
            Gives::Bits => self.bits_of(&receiver),
            Gives::Unsigned => self.unsigned(&receiver),
            Gives::Overflowing => Ty::Tuple(vec![receiver, Ty::BOOL]),
            Gives::Checked => Ty::Option(Box::new(receiver)),
            Gives::Pair => Ty::Tuple(vec![receiver.clone(), receiver]),
        }
    }

    /// The unsigned type of the same size, where it is known.
    pub(super) fn unsigned(&mut self, int: &Ty) -> Ty {
        match self.table.resolve(int) {
            Ty::Dtype(d) => Ty::Dtype(d.unsigned()),
            _ => self.table.fresh(Kind::Open),
        }
    }

    pub(super) fn bits_of(&mut self, float: &Ty) -> Ty {
        match self.table.resolve(float) {
            Ty::Dtype(Dtype::F16 | Dtype::Bf16) => Ty::Dtype(Dtype::U16),
            Ty::Dtype(Dtype::F32) => Ty::Dtype(Dtype::U32),
            Ty::Dtype(Dtype::F64) => Ty::Dtype(Dtype::U64),
            _ => self.table.fresh(Kind::Open),
        }
    }

    /// `T::EPSILON` is a `T`, `f32::MAX` an `f32`; of other constants nothing is known here.
    pub(super) fn constant(&mut self, path: &syn::Path) -> Ty {
        if let Some(c) = path.get_ident().and_then(|name| self.function.consts.iter().find(|c| c.name == *name)) {
            return Ty::Dtype(c.dtype);
        }
        let segments: Vec<_> = path.segments.iter().collect();
        if let [ty, name] = segments.as_slice()
            && name.ident != "BITS"
        {
            if let Some(k) = self.function.generics.iter().position(|g| g.name == ty.ident) {
                return Ty::Param(k);
            }
            if let Some(d) = Dtype::parse(&ty.ident.to_string()) {
                return Ty::Dtype(d);
            }
        }
        self.table.fresh(Kind::Open)
    }
}
