//! The operations of the kernel language over single values: what the plain function, the reference, is made of.
//! [`lane`](crate::lane) holds the same names over lanes.

mod math;
mod methods;

pub use math::*;
pub use methods::*;

use crate::cx::{Cx, FaultCell};
use crate::dtype::{Dtype, Float, Int, Logic, Num, Signed};
use crate::isa::scalar::Scalar;
use crate::isa::LogicLanes;

/// Runs `f` in a context of one lane. A fault is a panic, as in Rust.
#[inline(always)]
fn with_cx<R>(f: impl FnOnce(Cx<'_, Scalar>) -> R) -> R {
    let fault = FaultCell::default();
    let r = f(Cx::new(Scalar, &fault));
    if let Some(fault) = fault.get() {
        fault_panic(fault.kind);
    }
    r
}

#[cold]
#[track_caller]
fn fault_panic(kind: crate::FaultKind) -> ! {
    panic!("{kind}")
}

/// An integer literal.
#[inline(always)]
pub fn int_literal<T: Num>(x: i128) -> T {
    T::from_int_literal(x)
}

/// A float literal.
#[inline(always)]
pub fn float_literal<T: Float>(single: f32, double: f64) -> T {
    T::from_float_literal(single, double)
}

/// `x as U`
#[inline(always)]
pub fn cast<T: Dtype, U: Dtype>(x: T) -> U {
    U::cast_from::<T, Scalar>(Scalar, x)
}

/// `a + b`; integers wrap.
#[inline(always)]
pub fn add<T: Num>(a: T, b: T) -> T {
    T::add(Scalar, a, b)
}

/// `a - b`; integers wrap.
#[inline(always)]
pub fn sub<T: Num>(a: T, b: T) -> T {
    T::sub(Scalar, a, b)
}

/// `a * b`; integers wrap.
#[inline(always)]
pub fn mul<T: Num>(a: T, b: T) -> T {
    T::mul(Scalar, a, b)
}

/// `a / b`; an integer division by zero is a fault.
#[inline(always)]
pub fn div<T: Num>(a: T, b: T) -> T {
    with_cx(|cx| T::div(cx, a, b))
}

/// `a % b`, with the sign of `a`; an integer remainder by zero is a fault.
#[inline(always)]
pub fn rem<T: Num>(a: T, b: T) -> T {
    with_cx(|cx| T::rem(cx, a, b))
}

/// `a.min(b)`: a NaN loses; of -0 and +0, `b`.
#[inline(always)]
pub fn min<T: Num>(a: T, b: T) -> T {
    T::min(Scalar, a, b)
}

/// `a.max(b)`: a NaN loses; of -0 and +0, `b`.
#[inline(always)]
pub fn max<T: Num>(a: T, b: T) -> T {
    T::max(Scalar, a, b)
}

/// `a == b`
#[inline(always)]
pub fn eq<T: Dtype>(a: T, b: T) -> bool {
    T::equal(Scalar, a, b)
}

/// `a != b`
#[inline(always)]
pub fn ne<T: Dtype>(a: T, b: T) -> bool {
    <bool as LogicLanes>::not(Scalar, T::equal(Scalar, a, b))
}

/// `a < b`
#[inline(always)]
pub fn lt<T: Dtype>(a: T, b: T) -> bool {
    T::less(Scalar, a, b)
}

/// `a <= b`
#[inline(always)]
pub fn le<T: Dtype>(a: T, b: T) -> bool {
    T::less_equal(Scalar, a, b)
}

/// `a > b`
#[inline(always)]
pub fn gt<T: Dtype>(a: T, b: T) -> bool {
    T::less(Scalar, b, a)
}

/// `a >= b`
#[inline(always)]
pub fn ge<T: Dtype>(a: T, b: T) -> bool {
    T::less_equal(Scalar, b, a)
}

/// `-a`; an integer's `MIN` wraps.
#[inline(always)]
pub fn neg<T: Signed>(a: T) -> T {
    T::neg(Scalar, a)
}

/// `a.abs()`; an integer's `MIN` wraps.
#[inline(always)]
pub fn abs<T: Signed>(a: T) -> T {
    T::abs(Scalar, a)
}

/// `a & b`, and `a && b` of lanes.
#[inline(always)]
pub fn and<T: Logic>(a: T, b: T) -> T {
    T::and(Scalar, a, b)
}

/// `a | b`, and `a || b` of lanes.
#[inline(always)]
pub fn or<T: Logic>(a: T, b: T) -> T {
    T::or(Scalar, a, b)
}

/// `a ^ b`
#[inline(always)]
pub fn xor<T: Logic>(a: T, b: T) -> T {
    T::xor(Scalar, a, b)
}

/// `!a`
#[inline(always)]
pub fn not<T: Logic>(a: T) -> T {
    T::not(Scalar, a)
}

/// The square root, correctly rounded; NaN below zero.
#[inline(always)]
pub fn sqrt<T: Float>(a: T) -> T {
    T::sqrt(Scalar, a)
}

/// The largest integer not above `a`.
#[inline(always)]
pub fn floor<T: Float>(a: T) -> T {
    T::floor(Scalar, a)
}

/// The smallest integer not below `a`.
#[inline(always)]
pub fn ceil<T: Float>(a: T) -> T {
    T::ceil(Scalar, a)
}

/// The integer part.
#[inline(always)]
pub fn trunc<T: Float>(a: T) -> T {
    T::trunc(Scalar, a)
}

/// The nearest integer, ties to even.
#[inline(always)]
pub fn round_ties_even<T: Float>(a: T) -> T {
    T::round_ties_even(Scalar, a)
}

/// The magnitude of `a` with the sign of `b`.
#[inline(always)]
pub fn copysign<T: Float>(a: T, b: T) -> T {
    T::copysign(Scalar, a, b)
}

/// `a * b + c` with one rounding.
#[inline(always)]
pub fn mul_add<T: Float>(a: T, b: T, c: T) -> T {
    T::fma(Scalar, a, b, c)
}

/// Whether `a` is a NaN.
#[inline(always)]
pub fn is_nan<T: Float>(a: T) -> bool {
    <bool as LogicLanes>::not(Scalar, T::equal(Scalar, a, a))
}

/// `a << b`, the amount taken modulo the number of bits (Rust's `wrapping_shl`).
#[inline(always)]
pub fn shl<T: Int, U: Int>(a: T, b: U) -> T {
    T::shl(Scalar, a, amount::<T, U>(b))
}

/// `a >> b`, the amount taken modulo the number of bits (Rust's `wrapping_shr`).
#[inline(always)]
pub fn shr<T: Int, U: Int>(a: T, b: U) -> T {
    T::shr(Scalar, a, amount::<T, U>(b))
}

/// The low bits of a shift amount, which no cast between integers changes.
#[inline(always)]
fn amount<T: Int, U: Int>(b: U) -> T {
    and(cast::<U, T>(b), int_literal(T::BITS as i128 - 1))
}

/// The bits of `a`.
#[inline(always)]
pub fn to_bits<T: Float>(a: T) -> T::Bits {
    T::to_bits(Scalar, a)
}

/// The float whose bits are `a`.
#[inline(always)]
pub fn from_bits<T: Float>(a: T::Bits) -> T {
    T::from_bits(Scalar, a)
}

/// `a.max(lo).min(hi)`
#[inline(always)]
pub fn clamp<T: Num>(a: T, lo: T, hi: T) -> T {
    min(max(a, lo), hi)
}
