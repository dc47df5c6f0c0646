//! The methods of floats, and those that integers have too. They mean what Rust's methods of the same names mean.

use super::{abs, add, and, copysign, div, eq, float_literal, ge, gt, int, int_literal, lt, mul, ne, not, rem, select, splat, sub, trunc};
use crate::cx::Cx;
use crate::dtype::{Float, Num, Signed};
use crate::isa::{Isa, Varying};

/// `a == inf || a == -inf`
#[inline(always)]
pub fn is_infinite<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<bool, I> {
    eq(cx, abs(cx, a), splat(cx, T::INFINITY))
}

/// Whether `a` is neither infinite nor a NaN.
#[inline(always)]
pub fn is_finite<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<bool, I> {
    lt(cx, abs(cx, a), splat(cx, T::INFINITY))
}

/// Whether `a` is finite and neither zero nor subnormal.
#[inline(always)]
pub fn is_normal<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<bool, I> {
    let size = abs(cx, a);
    and(cx, ge(cx, size, splat(cx, T::MIN_POSITIVE)), lt(cx, size, splat(cx, T::INFINITY)))
}

/// Whether `a` lies between zero and the smallest normal number.
#[inline(always)]
pub fn is_subnormal<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<bool, I> {
    and(cx, lt(cx, abs(cx, a), splat(cx, T::MIN_POSITIVE)), ne(cx, a, splat(cx, T::ZERO)))
}

/// Whether the sign bit is set, also of a zero or a NaN.
#[inline(always)]
pub fn is_sign_negative<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<bool, I> {
    lt(cx, copysign(cx, splat(cx, T::ONE), a), splat(cx, T::ZERO))
}

/// Whether the sign bit is clear, also of a zero or a NaN.
#[inline(always)]
pub fn is_sign_positive<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<bool, I> {
    not(cx, is_sign_negative(cx, a))
}

/// `a - a.trunc()`
#[inline(always)]
pub fn fract<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    sub(cx, a, trunc(cx, a))
}

/// `1 / a`
#[inline(always)]
pub fn recip<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    div(cx, splat(cx, T::ONE), a)
}

/// Radians to degrees: `a` times 180/pi rounded.
#[inline(always)]
pub fn to_degrees<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    mul(cx, a, float_literal(cx, 57.295_78, 180.0 / core::f64::consts::PI))
}

/// Degrees to radians: `a` times pi/180 rounded.
#[inline(always)]
pub fn to_radians<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    mul(cx, a, float_literal(cx, core::f32::consts::PI / 180.0, core::f64::consts::PI / 180.0))
}

/// 1 with the sign of `a`; of an integer 0, and of a NaN, itself.
#[inline(always)]
pub fn signum<T: Signed, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    Varying(T::signum(cx.isa, a.0))
}

/// The quotient rounded so that [`rem_euclid`] is what remains; an integer division by zero is a fault.
#[inline(always)]
pub fn div_euclid<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    let q = Varying(T::whole(cx.isa, div(cx, a, b).0));
    let (zero, one) = (splat(cx, T::ZERO), splat(cx, T::ONE));
    let next = select(cx, gt(cx, b, zero), sub(cx, q, one), add(cx, q, one));
    select(cx, lt(cx, rem(cx, a, b), zero), next, q)
}

/// `a` modulo `b`, not negative; an integer remainder by zero is a fault.
#[inline(always)]
pub fn rem_euclid<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    let (r, zero) = (rem(cx, a, b), splat(cx, T::ZERO));
    let size = select(cx, lt(cx, b, zero), sub(cx, zero, b), b);
    select(cx, lt(cx, r, zero), add(cx, r, size), r)
}

/// `a` to the power of `n`, by multiplications in the order of `power`, the result inverted for a negative `n`: the same on
/// every level, as Rust's `powi` on most machines. Each of the about 2 log2 |n| multiplications is rounded, and earlier errors are
/// multiplied: together at most about |n| ULP, and an intermediate result may overflow where the inverse would be subnormal.
#[inline(always)]
pub fn powi<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, n: Varying<i32, I>) -> Varying<T, I> {
    let y = power(cx, a, int::unsigned_abs(cx, n));
    select(cx, int::is_negative(cx, n), recip(cx, y), y)
}

/// `a` to the power of `n`: the squares of `a` that the bits of `n` name, from the lowest up, multiplied into 1.
#[inline(always)]
pub(super) fn power<T: Num, I: Isa>(cx: Cx<'_, I>, mut a: Varying<T, I>, n: Varying<u32, I>) -> Varying<T, I> {
    let (none, one) = (splat(cx, 0_u32), int_literal(cx, 1));
    // Lanes that are not active keep no loop going.
    let mut n = select(cx, cx.active(), n, none);
    let mut y = splat(cx, T::ONE);
    loop {
        y = select(cx, ne(cx, and(cx, n, one), none), mul(cx, y, a), y);
        n = super::shr(cx, n, one);
        if !super::any(cx, ne(cx, n, none)) {
            return y;
        }
        a = mul(cx, a, a);
    }
}
