//! The operations of the kernel language. Each takes the context first, whose level says over how many lanes: the plain
//! function is made of the same operations over one, [`Scalar`](crate::isa::scalar::Scalar).

mod array;
mod checked;
mod float;
mod int;
mod math;
mod structure;

pub use array::*;
pub use checked::*;
pub use float::*;
pub use int::*;
pub use math::*;
pub use structure::*;

use crate::cx::Cx;
use crate::debug::arithmetic::Operation;
use crate::dtype::{Dtype, Float, Int, Logic, Num, Signed};
use crate::isa::{Isa, LogicLanes, Registers, Varying};
use crate::value::{Blend, Enter, Leave};

/// The same value in every lane: a constant, or what the caller computed outside the kernel.
#[inline(always)]
pub fn splat<T: Dtype, I: Isa>(cx: Cx<'_, I>, x: T) -> Varying<T, I> {
    Varying(T::splat(cx.isa, x.widen()))
}

/// The same value in every lane: a constant of any type that a kernel can hold.
#[inline(always)]
pub fn constant<C: Enter, I: Isa>(cx: Cx<'_, I>, x: C) -> C::Lanes<I> {
    x.enter(cx)
}

/// The same value in every lane: what is computed once for all of them.
#[inline(always)]
pub fn spread<V: Leave, I: Isa>(cx: Cx<'_, I>, x: V) -> V::At<I> {
    x.spread(cx)
}

/// A condition over one lane, or one that is the same for all lanes, as a condition of Rust's.
#[inline(always)]
pub fn holds<I: Isa>(cx: Cx<'_, I>, c: Varying<bool, I>) -> bool {
    cx.isa.bitmask(c.0) & 1 != 0
}

/// An integer literal.
#[inline(always)]
pub fn int_literal<T: Num, I: Isa>(cx: Cx<'_, I>, x: i128) -> Varying<T, I> {
    Varying(T::splat(cx.isa, T::from_int_literal(x)))
}

/// A float literal.
#[inline(always)]
pub fn float_literal<T: Float, I: Isa>(cx: Cx<'_, I>, single: f32, double: f64) -> Varying<T, I> {
    Varying(T::splat(cx.isa, T::from_float_literal(single, double)))
}

/// `dbg!(x)`, in the plain function: the value, which debug mode prints.
#[inline(always)]
pub fn print<T: Dtype, I: Isa>(cx: Cx<'_, I>, text: &str, x: Varying<T, I>) -> Varying<T, I> {
    if <I as Registers>::CHECKED {
        cx.print(text, x);
    }
    x
}

/// `x as U`
#[inline(always)]
pub fn cast<T: Dtype, U: Dtype, I: Isa>(cx: Cx<'_, I>, x: Varying<T, I>) -> Varying<U, I> {
    Varying(U::cast_from::<T, I>(cx.isa, x.0))
}

/// `if c { a } else { b }` of values already computed on both sides.
#[inline(always)]
pub fn select<B: Blend<I>, I: Isa>(cx: Cx<'_, I>, c: Varying<bool, I>, a: B, b: B) -> B {
    B::blend(cx, c, a, b)
}

/// `a + b`; integers wrap.
#[inline(always)]
pub fn add<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    let y = Varying(T::add(cx.isa, a.0, b.0));
    if <I as Registers>::CHECKED {
        cx.check(Operation::Add, a, b, y);
    }
    y
}

/// `a - b`; integers wrap.
#[inline(always)]
pub fn sub<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    let y = Varying(T::sub(cx.isa, a.0, b.0));
    if <I as Registers>::CHECKED {
        cx.check(Operation::Sub, a, b, y);
    }
    y
}

/// `a * b`; integers wrap.
#[inline(always)]
pub fn mul<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    let y = Varying(T::mul(cx.isa, a.0, b.0));
    if <I as Registers>::CHECKED {
        cx.check(Operation::Mul, a, b, y);
    }
    y
}

/// `a * b + c`, rounded once or twice, whichever is quick.
#[inline(always)]
pub fn contract<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>, c: Varying<T, I>) -> Varying<T, I> {
    Varying(T::contract(cx.isa, a.0, b.0, c.0))
}

/// `a * b - c`, as [`contract`].
#[inline(always)]
pub fn contract_less<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>, c: Varying<T, I>) -> Varying<T, I> {
    Varying(T::contract_less(cx.isa, a.0, b.0, c.0))
}

/// `c - a * b`, as [`contract`].
#[inline(always)]
pub fn contract_taken<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>, c: Varying<T, I>) -> Varying<T, I> {
    Varying(T::contract_taken(cx.isa, a.0, b.0, c.0))
}

/// `a / b`; an integer division by zero is a fault.
#[inline(always)]
pub fn div<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    let y = Varying(T::div(cx, a.0, b.0));
    if <I as Registers>::CHECKED {
        cx.check(Operation::Div, a, b, y);
    }
    y
}

/// `a % b`, with the sign of `a`; an integer remainder by zero is a fault.
#[inline(always)]
pub fn rem<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    let y = Varying(T::rem(cx, a.0, b.0));
    if <I as Registers>::CHECKED {
        cx.check(Operation::Rem, a, b, y);
    }
    y
}

/// `a.min(b)`: a NaN loses; of -0 and +0, `b`.
#[inline(always)]
pub fn min<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    Varying(T::min(cx.isa, a.0, b.0))
}

/// `a.max(b)`: a NaN loses; of -0 and +0, `b`.
#[inline(always)]
pub fn max<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    Varying(T::max(cx.isa, a.0, b.0))
}

/// `if a < b { a } else { b }`
#[inline(always)]
pub fn lesser<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    Varying(T::lesser(cx.isa, a.0, b.0))
}

/// `if a > b { a } else { b }`
#[inline(always)]
pub fn greater<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    Varying(T::greater(cx.isa, a.0, b.0))
}

/// `a == b`
#[inline(always)]
pub fn eq<T: Dtype, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<bool, I> {
    Varying(T::equal(cx.isa, a.0, b.0))
}

/// `a != b`
#[inline(always)]
pub fn ne<T: Dtype, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<bool, I> {
    Varying(<bool as LogicLanes>::not(cx.isa, T::equal(cx.isa, a.0, b.0)))
}

/// `a < b`
#[inline(always)]
pub fn lt<T: Dtype, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<bool, I> {
    Varying(T::less(cx.isa, a.0, b.0))
}

/// `a <= b`
#[inline(always)]
pub fn le<T: Dtype, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<bool, I> {
    Varying(T::less_equal(cx.isa, a.0, b.0))
}

/// `a > b`
#[inline(always)]
pub fn gt<T: Dtype, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<bool, I> {
    Varying(T::less(cx.isa, b.0, a.0))
}

/// `a >= b`
#[inline(always)]
pub fn ge<T: Dtype, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<bool, I> {
    Varying(T::less_equal(cx.isa, b.0, a.0))
}

/// `-a`; an integer's `MIN` wraps.
#[inline(always)]
pub fn neg<T: Signed, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    let y = Varying(T::neg(cx.isa, a.0));
    if <I as Registers>::CHECKED {
        cx.check(Operation::Neg, a, a, y);
    }
    y
}

/// `a.abs()`; an integer's `MIN` wraps.
#[inline(always)]
pub fn abs<T: Signed, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    let y = Varying(T::abs(cx.isa, a.0));
    if <I as Registers>::CHECKED {
        cx.check(Operation::Abs, a, a, y);
    }
    y
}

/// `a & b`, and `a && b` of lanes.
#[inline(always)]
pub fn and<T: Logic, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    Varying(T::and(cx.isa, a.0, b.0))
}

/// `a | b`, and `a || b` of lanes.
#[inline(always)]
pub fn or<T: Logic, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    Varying(T::or(cx.isa, a.0, b.0))
}

/// `a ^ b`
#[inline(always)]
pub fn xor<T: Logic, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    Varying(T::xor(cx.isa, a.0, b.0))
}

/// `!a`
#[inline(always)]
pub fn not<T: Logic, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    Varying(T::not(cx.isa, a.0))
}

/// The square root, correctly rounded; NaN below zero.
#[inline(always)]
pub fn sqrt<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    let y = Varying(T::sqrt(cx.isa, a.0));
    if <I as Registers>::CHECKED {
        cx.check_method("sqrt", [a], y);
    }
    y
}

/// The largest integer not above `a`.
#[inline(always)]
pub fn floor<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    Varying(T::floor(cx.isa, a.0))
}

/// The smallest integer not below `a`.
#[inline(always)]
pub fn ceil<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    Varying(T::ceil(cx.isa, a.0))
}

/// The integer part.
#[inline(always)]
pub fn trunc<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    Varying(T::trunc(cx.isa, a.0))
}

/// The nearest integer, ties to even.
#[inline(always)]
pub fn round_ties_even<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    Varying(T::round_ties_even(cx.isa, a.0))
}

/// The magnitude of `a` with the sign of `b`.
#[inline(always)]
pub fn copysign<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    Varying(T::copysign(cx.isa, a.0, b.0))
}

/// `a * b + c` with one rounding.
#[inline(always)]
pub fn mul_add<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>, c: Varying<T, I>) -> Varying<T, I> {
    let y = Varying(T::fma(cx.isa, a.0, b.0, c.0));
    if <I as Registers>::CHECKED {
        cx.check_method("mul_add", [a, b, c], y);
    }
    y
}

/// `a * b + c` with one rounding, on SSE2 outside its exact mode too.
#[inline(always)]
pub fn fma_once<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>, c: Varying<T, I>) -> Varying<T, I> {
    Varying(T::fma_once(cx.isa, a.0, b.0, c.0))
}

/// `1 / a.sqrt()`, each rounded: within 1.5 ULP.
#[inline(always)]
pub fn rsqrt<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    recip(cx, sqrt(cx, a))
}

/// The sine and the cosine.
#[inline(always)]
pub fn sin_cos<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> (Varying<T, I>, Varying<T, I>) {
    (sin(cx, a), cos(cx, a))
}

/// Whether `a` is a NaN.
#[inline(always)]
pub fn is_nan<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<bool, I> {
    Varying(<bool as LogicLanes>::not(cx.isa, T::equal(cx.isa, a.0, a.0)))
}

/// `a << b`, the amount taken modulo the number of bits (Rust's `wrapping_shl`).
#[inline(always)]
pub fn shl<T: Int, U: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<U, I>) -> Varying<T, I> {
    let y = Varying(T::shl(cx.isa, a.0, amount::<T, U, I>(cx, b).0));
    if <I as Registers>::CHECKED {
        cx.check(Operation::Shl, a, b, y);
    }
    y
}

/// `a >> b`, the amount taken modulo the number of bits (Rust's `wrapping_shr`).
#[inline(always)]
pub fn shr<T: Int, U: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<U, I>) -> Varying<T, I> {
    let y = Varying(T::shr(cx.isa, a.0, amount::<T, U, I>(cx, b).0));
    if <I as Registers>::CHECKED {
        cx.check(Operation::Shr, a, b, y);
    }
    y
}

/// The low bits of a shift amount, which no cast between integers changes.
#[inline(always)]
fn amount<T: Int, U: Int, I: Isa>(cx: Cx<'_, I>, b: Varying<U, I>) -> Varying<T, I> {
    and(cx, cast::<U, T, I>(cx, b), int_literal(cx, T::BITS as i128 - 1))
}

/// The bits of `a`.
#[inline(always)]
pub fn to_bits<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T::Bits, I> {
    Varying(T::to_bits(cx.isa, a.0))
}

/// The float whose bits are `a`.
#[inline(always)]
pub fn from_bits<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T::Bits, I>) -> Varying<T, I> {
    Varying(T::from_bits(cx.isa, a.0))
}

/// `a.max(lo).min(hi)`
#[inline(always)]
pub fn clamp<T: Num, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, lo: Varying<T, I>, hi: Varying<T, I>) -> Varying<T, I> {
    min(cx, max(cx, a, lo), hi)
}

/// `a` in the active lanes, `old` in the others: an assignment that other lanes do not see.
#[inline(always)]
pub fn assign<B: Blend<I>, I: Isa>(cx: Cx<'_, I>, a: B, old: B) -> B {
    B::blend(cx, cx.active(), a, old)
}

/// A value for lanes that have none yet.
#[inline(always)]
pub fn zero<B: Blend<I>, I: Isa>(cx: Cx<'_, I>) -> B {
    B::zero(cx)
}

/// Whether a loop goes on: the mask of the lanes in it holds in any lane without a fault. A value that stands in for the
/// result of a fault might never end the loop.
#[inline(always)]
pub fn any<I: Isa>(cx: Cx<'_, I>, c: Varying<bool, I>) -> bool {
    cx.isa.bitmask(c.0) & !cx.faulty() != 0
}
