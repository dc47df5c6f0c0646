//! `Option`s, and the `checked_` methods that give them. They mean what Rust's methods of the same names mean.

use super::{and, eq, int_literal, lt, ne, not, or, overflowing_add, overflowing_mul, overflowing_sub, select, shl, shr, splat, sub};
use crate::cx::Cx;
use crate::dtype::{Int, Num};
use crate::isa::{Isa, Varying};
use crate::value::{Blend, Maybe};

/// The lanes of an `Option` of a dtype.
type Checked<T, I> = Maybe<Varying<T, I>, Varying<bool, I>>;

/// `Some(x)`
#[inline(always)]
pub fn some<B: Blend<I>, I: Isa>(cx: Cx<'_, I>, value: B) -> Maybe<B, Varying<bool, I>> {
    Maybe { is_some: splat(cx, true), value }
}

/// `None`
#[inline(always)]
pub fn none<B: Blend<I>, I: Isa>(cx: Cx<'_, I>) -> Maybe<B, Varying<bool, I>> {
    Blend::zero(cx)
}

/// `x.is_some()`
#[inline(always)]
pub fn is_some<B: Blend<I>, I: Isa>(_: Cx<'_, I>, x: Maybe<B, Varying<bool, I>>) -> Varying<bool, I> {
    x.is_some
}

/// `x.is_none()`
#[inline(always)]
pub fn is_none<B: Blend<I>, I: Isa>(cx: Cx<'_, I>, x: Maybe<B, Varying<bool, I>>) -> Varying<bool, I> {
    not(cx, x.is_some)
}

/// `x.unwrap_or(default)`
#[inline(always)]
pub fn unwrap_or<B: Blend<I>, I: Isa>(cx: Cx<'_, I>, x: Maybe<B, Varying<bool, I>>, default: B) -> B {
    B::blend(cx, x.is_some, x.value, default)
}

#[inline(always)]
fn unless<T: Int, I: Isa>(cx: Cx<'_, I>, not_there: Varying<bool, I>, value: Varying<T, I>) -> Checked<T, I> {
    Maybe { is_some: not(cx, not_there), value }
}

#[inline(always)]
fn zero<T: Num, I: Isa>(cx: Cx<'_, I>) -> Varying<T, I> {
    splat(cx, T::ZERO)
}

/// `a + b`, if it fits.
#[inline(always)]
pub fn checked_add<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Checked<T, I> {
    let (y, wrapped) = overflowing_add(cx, a, b);
    unless(cx, wrapped, y)
}

/// `a - b`, if it fits.
#[inline(always)]
pub fn checked_sub<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Checked<T, I> {
    let (y, wrapped) = overflowing_sub(cx, a, b);
    unless(cx, wrapped, y)
}

/// `a * b`, if it fits.
#[inline(always)]
pub fn checked_mul<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Checked<T, I> {
    let (y, wrapped) = overflowing_mul(cx, a, b);
    unless(cx, wrapped, y)
}

/// Where `a / b` does not exist or fit, and a divisor that is never 0.
#[inline(always)]
fn divisor<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> (Varying<bool, I>, Varying<T, I>) {
    let by_zero = eq(cx, b, zero(cx));
    let bad = if T::SIGNED {
        let minus_one = sub(cx, zero(cx), int_literal(cx, 1));
        or(cx, by_zero, and(cx, eq(cx, a, splat(cx, T::MIN)), eq(cx, b, minus_one)))
    } else {
        by_zero
    };
    (bad, select(cx, bad, int_literal(cx, 1), b))
}

/// `a / b`, unless `b` is 0 or the quotient does not fit.
#[inline(always)]
pub fn checked_div<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Checked<T, I> {
    let (bad, b) = divisor(cx, a, b);
    unless(cx, bad, super::div(cx, a, b))
}

/// `a % b`, unless `b` is 0 or the quotient does not fit.
#[inline(always)]
pub fn checked_rem<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Checked<T, I> {
    let (bad, b) = divisor(cx, a, b);
    unless(cx, bad, super::rem(cx, a, b))
}

/// `-a`, if it fits: of `MIN` it does not, of an unsigned integer only that of 0.
#[inline(always)]
pub fn checked_neg<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Checked<T, I> {
    let bad = if T::SIGNED { eq(cx, a, splat(cx, T::MIN)) } else { ne(cx, a, zero(cx)) };
    unless(cx, bad, sub(cx, zero(cx), a))
}

/// `a << n`, if `n` is below the number of bits.
#[inline(always)]
pub fn checked_shl<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, n: Varying<u32, I>) -> Checked<T, I> {
    Maybe { is_some: lt(cx, n, splat(cx, T::BITS)), value: shl(cx, a, n) }
}

/// `a >> n`, if `n` is below the number of bits.
#[inline(always)]
pub fn checked_shr<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, n: Varying<u32, I>) -> Checked<T, I> {
    Maybe { is_some: lt(cx, n, splat(cx, T::BITS)), value: shr(cx, a, n) }
}
