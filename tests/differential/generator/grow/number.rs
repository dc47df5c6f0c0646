//! Arithmetic, casts and methods.

use super::Grow;
use super::expr::{binary, own, value, var};
use crate::generator::tree::{BOOL, Block, Expr, FLOATS, INTS, Kind, Stmt, Ty, U32};

fn method(ty: Ty, name: &'static str, args: Vec<Expr>) -> Expr {
    Expr { ty, kind: Kind::Method(name, args) }
}

impl Grow<'_> {
    pub fn cast(&mut self, ty: Ty, d: usize) -> Expr {
        if ty.is_int() && ty.is_concrete() && self.rng.one_in(5) {
            return Expr { ty, kind: Kind::Cast(Box::new(self.expr(BOOL, d))) };
        }
        let from = self.number();
        Expr { ty, kind: Kind::Cast(Box::new(own(self.expr(from, d)))) }
    }

    /// What every number has.
    pub fn any_number(&mut self, ty: Ty, d: usize) -> Expr {
        match self.rng.below(6) {
            0 => {
                let name = *self.rng.pick(&["min", "max", "clamp"]);
                let mut args = vec![own(self.expr(ty, d))];
                args.extend((0..1 + usize::from(name == "clamp")).map(|_| self.expr(ty, d)));
                method(ty, name, args)
            }
            1 => Expr {
                ty,
                kind: Kind::Const(self.rng.pick::<&str>(if ty.is_concrete() { &["MIN", "MAX"] } else { &["ZERO", "ONE", "MIN", "MAX"] })),
            },
            2 => {
                let op = self.rng.pick::<&str>(&["/", "%"]);
                self.guarded(ty, d, |_, a, b| binary(op, a, b))
            }
            _ => {
                let op = *self.rng.pick(&["+", "-", "*"]);
                let (a, b) = self.anchored(ty, d);
                binary(op, own(a), b)
            }
        }
    }

    pub fn float(&mut self, ty: Ty, d: usize) -> Expr {
        match self.rng.below(12) {
            0 => Expr { ty, kind: Kind::Neg(Box::new(own(self.expr(ty, d)))) },
            1 => {
                let names = ["floor", "ceil", "trunc", "round", "round_ties_even", "sqrt", "abs", "fract", "recip", "signum"];
                let name = *self.rng.pick(&names);
                method(ty, name, vec![own(self.expr(ty, d))])
            }
            2 => self.any_number(ty, d),
            3 if self.rng.one_in(2) => {
                *self.fused = true;
                method(ty, "mul_add", vec![own(self.expr(ty, d)), self.expr(ty, d), self.expr(ty, d)])
            }
            3 if self.rng.one_in(4) => {
                *self.fused = true;
                let name = *self.rng.pick(&["exp", "ln", "tanh", "sin", "atan", "cbrt", "exp2", "log2"]);
                method(ty, name, vec![own(self.expr(ty, d))])
            }
            4 => {
                let sign = self.not_nan(ty, d);
                method(ty, "copysign", vec![own(self.expr(ty, d)), sign])
            }
            5 => {
                let name = *self.rng.pick(&["div_euclid", "rem_euclid"]);
                method(ty, name, vec![own(self.expr(ty, d)), self.expr(ty, d)])
            }
            6 => {
                let names: &[&str] = if ty.is_concrete() {
                    &["MIN", "MAX", "EPSILON", "INFINITY", "NEG_INFINITY", "NAN", "MIN_POSITIVE"]
                } else {
                    &["ZERO", "ONE", "MIN", "MAX", "EPSILON", "INFINITY", "NEG_INFINITY", "NAN", "MIN_POSITIVE"]
                };
                Expr { ty, kind: Kind::Const(self.rng.pick::<&str>(names)) }
            }
            7 if ty.is_concrete() && self.rng.one_in(2) => {
                let bits = INTS[4 + ty.bits().ilog2() as usize - 3];
                Expr { ty, kind: Kind::FromBits(Box::new(own(self.expr(bits, d)))) }
            }
            _ => {
                let op = *self.rng.pick(&["+", "-", "*", "/", "+", "-", "*", "%"]);
                let (a, b) = self.anchored(ty, d);
                binary(op, a, b)
            }
        }
    }

    /// `{ let s = e; if s.is_nan() { 1.0 } else { s } }`: the sign and the bits of a NaN are nobody's promise.
    fn not_nan(&mut self, ty: Ty, d: usize) -> Expr {
        let name = self.fresh("s");
        let bind = Stmt::Let { name: name.clone(), mutable: false, written: true, value: own(self.expr(ty, d)) };
        let is_nan = method(BOOL, "is_nan", vec![var(name.clone(), ty)]);
        let one = self.literal(ty, true);
        let e = Expr { ty, kind: Kind::If(Box::new(is_nan), value(one), value(var(name, ty))) };
        Expr { ty, kind: Kind::Block(Block { stmts: vec![bind], value: Some(Box::new(e)) }) }
    }

    /// `x.is_nan()` and the like; of integers `is_power_of_two`.
    pub fn classified(&mut self, d: usize) -> Expr {
        let ty = if self.generic == Some(super::Class::Float) && self.rng.one_in(2) {
            Ty::T(super::Class::Float)
        } else {
            *self.rng.pick(&FLOATS)
        };
        if self.rng.one_in(3) {
            let name = *self.rng.pick(&["is_sign_negative", "is_sign_positive"]);
            let of = self.not_nan(ty, d);
            return method(BOOL, name, vec![of]);
        }
        if self.rng.one_in(5) {
            let (ty, name) = *self.rng.pick(&[
                (INTS[0], "is_negative"),
                (INTS[3], "is_positive"),
                (INTS[5], "is_power_of_two"),
                (U32, "is_power_of_two"),
            ]);
            return method(BOOL, name, vec![own(self.expr(ty, d))]);
        }
        if self.rng.one_in(6) {
            return self.overflowing(BOOL, d);
        }
        if self.rng.one_in(6) {
            return self.is_some(d);
        }
        let name = *self.rng.pick(&["is_nan", "is_finite", "is_infinite", "is_normal", "is_subnormal"]);
        method(BOOL, name, vec![own(self.expr(ty, d))])
    }

    /// `a.overflowing_add(b).0`, or with `BOOL` whether it wrapped.
    fn overflowing(&mut self, ty: Ty, d: usize) -> Expr {
        let of = if ty == BOOL { *self.rng.pick(&INTS) } else { ty };
        let name = *self.rng.pick(&["overflowing_add", "overflowing_sub", "overflowing_mul"]);
        let args = vec![own(self.expr(of, d)), self.expr(of, d)];
        Expr { ty, kind: Kind::Overflowing(name, args, usize::from(ty == BOOL)) }
    }

    pub fn int(&mut self, ty: Ty, d: usize) -> Expr {
        match self.rng.below(13) {
            12 => self.checked(ty, d),
            0 if ty.is_signed() => Expr { ty, kind: Kind::Neg(Box::new(own(self.expr(ty, d)))) },
            0 => Expr { ty, kind: Kind::Not(Box::new(own(self.expr(ty, d)))) },
            1 => {
                let amount = *self.rng.pick(&INTS);
                let op = *self.rng.pick(&["<<", ">>"]);
                binary(op, own(self.expr(ty, d)), own(self.expr(amount, d)))
            }
            2 => {
                // No divisor is zero.
                let op = self.rng.pick::<&str>(&["/", "%"]);
                let one = Expr { ty, kind: Kind::Lit { digits: "1".to_owned(), suffix: false } };
                let b = binary("|", own(self.expr(ty, d)), one);
                binary(op, own(self.expr(ty, d)), b)
            }
            3 => {
                let names = ["div_euclid", "rem_euclid", "wrapping_div", "wrapping_rem"];
                let name = *self.rng.pick(&names);
                self.guarded(ty, d, |_, a, b| method(ty, name, vec![a, b]))
            }
            4 => self.any_number(ty, d),
            5 => {
                let names: &[&str] = if ty.is_signed() {
                    &["abs", "signum", "wrapping_abs", "wrapping_neg", "reverse_bits", "swap_bytes"]
                } else {
                    &["wrapping_neg", "reverse_bits", "swap_bytes"]
                };
                let name = *self.rng.pick(names);
                method(ty, name, vec![own(self.expr(ty, d))])
            }
            6 => {
                let names = ["wrapping_add", "wrapping_sub", "wrapping_mul", "saturating_add", "saturating_sub", "saturating_mul"];
                let name = *self.rng.pick(&names);
                method(ty, name, vec![own(self.expr(ty, d)), self.expr(ty, d)])
            }
            7 => {
                let names = ["rotate_left", "rotate_right", "wrapping_shl", "wrapping_shr", "pow", "wrapping_pow"];
                let name = *self.rng.pick(&names);
                method(ty, name, vec![own(self.expr(ty, d)), self.expr(U32, d)])
            }
            8 if ty == U32 => {
                let of = *self.rng.pick(&INTS);
                let names = ["count_ones", "count_zeros", "leading_zeros", "leading_ones", "trailing_zeros", "trailing_ones"];
                let name = *self.rng.pick(&names);
                method(ty, name, vec![own(self.expr(of, d))])
            }
            8 if ty.is_concrete() && !ty.is_signed() => self.unsigned_of(ty, d),
            9 => self.overflowing(ty, d),
            _ => {
                let op = *self.rng.pick(&["+", "-", "*", "&", "|", "^"]);
                let (a, b) = self.anchored(ty, d);
                binary(op, own(a), b)
            }
        }
    }

    /// `abs_diff`, `unsigned_abs`, `to_bits`.
    fn unsigned_of(&mut self, ty: Ty, d: usize) -> Expr {
        let signed = INTS[ty.bits().ilog2() as usize - 3];
        match self.rng.below(3) {
            0 => method(ty, "unsigned_abs", vec![own(self.expr(signed, d))]),
            1 => {
                let of = if self.rng.one_in(2) { ty } else { signed };
                method(ty, "abs_diff", vec![own(self.expr(of, d)), self.expr(of, d)])
            }
            _ => {
                let floats: Vec<Ty> = FLOATS.into_iter().filter(|f| f.bits() == ty.bits()).collect();
                if floats.is_empty() {
                    return self.leaf(ty);
                }
                let of = *self.rng.pick(&floats);
                let of = self.not_nan(of, d);
                method(ty, "to_bits", vec![of])
            }
        }
    }
}
