//! The methods of integers, made of the operations that every level has. They mean what Rust's methods of the same names
//! mean.

use super::{add, and, cast, div, eq, gt, int_literal, lt, mul, ne, not, or, rem, select, shl, shr, splat, sub, xor};
use crate::cx::Cx;
use crate::debug::arithmetic::Operation;
use crate::dtype::{Int, Num};
use crate::isa::{Isa, Registers, Varying};

/// The lanes of the unsigned type of the same size.
type Unsigned<T, I> = Varying<<T as Int>::Unsigned, I>;

#[inline(always)]
fn zero<T: Num, I: Isa>(cx: Cx<'_, I>) -> Varying<T, I> {
    splat(cx, T::ZERO)
}

/// The same bits, unsigned.
#[inline(always)]
fn bits<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Unsigned<T, I> {
    cast::<T, T::Unsigned, I>(cx, a)
}

/// The integer of these bits.
#[inline(always)]
fn of_bits<T: Int, I: Isa>(cx: Cx<'_, I>, a: Unsigned<T, I>) -> Varying<T, I> {
    cast::<T::Unsigned, T, I>(cx, a)
}

/// `a << n` and `a >> n` for the same `n` in every lane.
#[inline(always)]
fn left<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, n: u32) -> Varying<T, I> {
    shl(cx, a, splat(cx, n))
}
#[inline(always)]
fn right<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, n: u32) -> Varying<T, I> {
    shr(cx, a, splat(cx, n))
}

/// `a + b`, wrapping.
#[inline(always)]
pub fn wrapping_add<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    add(cx, a, b)
}

/// `a - b`, wrapping.
#[inline(always)]
pub fn wrapping_sub<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    sub(cx, a, b)
}

/// `a * b`, wrapping.
#[inline(always)]
pub fn wrapping_mul<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    mul(cx, a, b)
}

/// `a / b`; `MIN / -1` wraps; a division by zero is a fault.
#[inline(always)]
pub fn wrapping_div<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    div(cx, a, b)
}

/// `a % b`; a remainder by zero is a fault.
#[inline(always)]
pub fn wrapping_rem<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    rem(cx, a, b)
}

/// `0 - a`, wrapping.
#[inline(always)]
pub fn wrapping_neg<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    sub(cx, zero(cx), a)
}

/// The absolute value; `MIN` is its own.
#[inline(always)]
pub fn wrapping_abs<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    if T::SIGNED { select(cx, is_negative(cx, a), wrapping_neg(cx, a), a) } else { a }
}

/// The absolute value, in the unsigned type, which holds that of `MIN` too.
#[inline(always)]
pub fn unsigned_abs<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Unsigned<T, I> {
    bits(cx, wrapping_abs(cx, a))
}

/// `a << n`, the amount taken modulo the number of bits.
#[inline(always)]
pub fn wrapping_shl<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, n: Varying<u32, I>) -> Varying<T, I> {
    shl(cx, a, n)
}

/// `a >> n`, the amount taken modulo the number of bits.
#[inline(always)]
pub fn wrapping_shr<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, n: Varying<u32, I>) -> Varying<T, I> {
    shr(cx, a, n)
}

/// `a + b`, wrapped, and whether it wrapped.
#[inline(always)]
pub fn overflowing_add<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> (Varying<T, I>, Varying<bool, I>) {
    let y = add(cx, a, b);
    let wrapped = if T::SIGNED { is_negative(cx, and(cx, xor(cx, a, y), xor(cx, b, y))) } else { lt(cx, y, a) };
    (y, wrapped)
}

/// `a - b`, wrapped, and whether it wrapped.
#[inline(always)]
pub fn overflowing_sub<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> (Varying<T, I>, Varying<bool, I>) {
    let y = sub(cx, a, b);
    let wrapped = if T::SIGNED { is_negative(cx, and(cx, xor(cx, a, b), xor(cx, a, y))) } else { lt(cx, a, b) };
    (y, wrapped)
}

/// `a * b`, wrapped, and whether it wrapped.
#[inline(always)]
pub fn overflowing_mul<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> (Varying<T, I>, Varying<bool, I>) {
    let y = mul(cx, a, b);
    let wrapped = match (T::BITS, T::SIGNED) {
        (64, false) => wraps_64(cx, cast(cx, a), cast(cx, b)),
        (64, true) => {
            // With a product of the absolute values of 64 bits or less, the sign shows what was lost: 2^63 and more has the other.
            let lost = wraps_64(cx, cast(cx, wrapping_abs(cx, a)), cast(cx, wrapping_abs(cx, b)));
            let wrong_sign = xor(cx, is_negative(cx, y), is_negative(cx, xor(cx, a, b)));
            or(cx, lost, and(cx, ne(cx, y, zero(cx)), wrong_sign))
        }
        (_, true) => {
            let wide = mul(cx, cast::<T, i64, I>(cx, a), cast::<T, i64, I>(cx, b));
            ne(cx, wide, cast::<T, i64, I>(cx, y))
        }
        (_, false) => {
            let wide = mul(cx, cast::<T, u64, I>(cx, a), cast::<T, u64, I>(cx, b));
            ne(cx, wide, cast::<T, u64, I>(cx, y))
        }
    };
    (y, wrapped)
}

/// Whether `a * b` has more than 64 bits. By halves of 32 bits: at most one of the two inner products is not 0, if it does not.
#[inline(always)]
fn wraps_64<I: Isa>(cx: Cx<'_, I>, a: Varying<u64, I>, b: Varying<u64, I>) -> Varying<bool, I> {
    let low = splat(cx, u32::MAX as u64);
    let (a1, a0) = (right(cx, a, 32), and(cx, a, low));
    let (b1, b0) = (right(cx, b, 32), and(cx, b, low));
    let both = and(cx, ne(cx, a1, zero(cx)), ne(cx, b1, zero(cx)));
    let inner = add(cx, mul(cx, a1, b0), mul(cx, a0, b1));
    let (_, carry) = overflowing_add(cx, left(cx, inner, 32), mul(cx, a0, b0));
    or(cx, both, or(cx, gt(cx, inner, low), carry))
}

/// `MIN` or `MAX`: the end of the type on the side where a result that does not fit lies.
#[inline(always)]
fn end<T: Int, I: Isa>(cx: Cx<'_, I>, below: Varying<bool, I>) -> Varying<T, I> {
    select(cx, below, splat(cx, T::MIN), splat(cx, T::MAX))
}

/// `a + b`, or the nearest value that the type has.
#[inline(always)]
pub fn saturating_add<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    let (y, wrapped) = overflowing_add(cx, a, b);
    select(cx, wrapped, end(cx, is_negative(cx, a)), y)
}

/// `a - b`, or the nearest value that the type has.
#[inline(always)]
pub fn saturating_sub<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    let (y, wrapped) = overflowing_sub(cx, a, b);
    select(cx, wrapped, if T::SIGNED { end(cx, is_negative(cx, a)) } else { zero(cx) }, y)
}

/// `a * b`, or the nearest value that the type has.
#[inline(always)]
pub fn saturating_mul<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Varying<T, I> {
    let (y, wrapped) = overflowing_mul(cx, a, b);
    select(cx, wrapped, end(cx, is_negative(cx, xor(cx, a, b))), y)
}

/// The distance of `a` and `b`, in the unsigned type, which holds all of them.
#[inline(always)]
pub fn abs_diff<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>) -> Unsigned<T, I> {
    bits(cx, select(cx, lt(cx, a, b), sub(cx, b, a), sub(cx, a, b)))
}

/// `a > 0`
#[inline(always)]
pub fn is_positive<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<bool, I> {
    gt(cx, a, zero(cx))
}

/// `a < 0`
#[inline(always)]
pub fn is_negative<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<bool, I> {
    lt(cx, a, zero(cx))
}

/// Whether `a` is 2 to some power.
#[inline(always)]
pub fn is_power_of_two<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<bool, I> {
    let without_lowest = and(cx, a, sub(cx, a, int_literal(cx, 1)));
    and(cx, is_positive(cx, a), eq(cx, without_lowest, zero(cx)))
}

/// `a` to the power of `n`, wrapping.
#[inline(always)]
pub fn pow<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, n: Varying<u32, I>) -> Varying<T, I> {
    let y = super::float::power(cx.within(), a, n);
    if <I as Registers>::CHECKED {
        cx.check(Operation::Pow, a, n, y);
    }
    y
}

/// `a` to the power of `n`, wrapping.
#[inline(always)]
pub fn wrapping_pow<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, n: Varying<u32, I>) -> Varying<T, I> {
    super::float::power(cx, a, n)
}

/// The bits moved up by `n` places, those that leave at the top coming in at the bottom.
#[inline(always)]
pub fn rotate_left<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, n: Varying<u32, I>) -> Varying<T, I> {
    let a = bits(cx, a);
    // Shifts take their amount modulo the number of bits, so that 0 - n is what is left to a full turn.
    of_bits(cx, or(cx, shl(cx, a, n), shr(cx, a, sub(cx, zero(cx), n))))
}

/// The bits moved down by `n` places, those that leave at the bottom coming in at the top.
#[inline(always)]
pub fn rotate_right<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, n: Varying<u32, I>) -> Varying<T, I> {
    rotate_left(cx, a, sub(cx, zero(cx), n))
}

/// An unsigned constant made of a byte, or of two, over and over.
#[inline(always)]
fn pattern<T: Int, I: Isa>(cx: Cx<'_, I>, word: u64) -> Varying<T, I> {
    int_literal(cx, word as i128)
}

/// How many bits are 1.
#[inline(always)]
pub fn count_ones<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<u32, I> {
    // Sums of 2, 4 and 8 bits side by side (Warren, Hacker's Delight, 5-1), then the bytes'.
    let a = bits(cx, a);
    let a = sub(cx, a, and(cx, right(cx, a, 1), pattern(cx, 0x5555_5555_5555_5555)));
    let two = pattern(cx, 0x3333_3333_3333_3333);
    let a = add(cx, and(cx, a, two), and(cx, right(cx, a, 2), two));
    let mut a = and(cx, add(cx, a, right(cx, a, 4)), pattern(cx, 0x0f0f_0f0f_0f0f_0f0f));
    if T::BITS > 8 {
        a = add(cx, a, right(cx, a, 8));
    }
    if T::BITS > 16 {
        a = add(cx, a, right(cx, a, 16));
    }
    if T::BITS > 32 {
        a = add(cx, a, right(cx, a, 32));
    }
    cast(cx, and(cx, a, int_literal(cx, 0x7f)))
}

/// How many bits are 0.
#[inline(always)]
pub fn count_zeros<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<u32, I> {
    count_ones(cx, not(cx, a))
}

/// How many bits at the top are 0.
#[inline(always)]
pub fn leading_zeros<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<u32, I> {
    // The highest 1 and all bits below it.
    let mut a = bits(cx, a);
    a = or(cx, a, right(cx, a, 1));
    a = or(cx, a, right(cx, a, 2));
    a = or(cx, a, right(cx, a, 4));
    if T::BITS > 8 {
        a = or(cx, a, right(cx, a, 8));
    }
    if T::BITS > 16 {
        a = or(cx, a, right(cx, a, 16));
    }
    if T::BITS > 32 {
        a = or(cx, a, right(cx, a, 32));
    }
    count_zeros(cx, a)
}

/// How many bits at the bottom are 0.
#[inline(always)]
pub fn trailing_zeros<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<u32, I> {
    count_ones(cx, and(cx, not(cx, a), sub(cx, a, int_literal(cx, 1))))
}

/// How many bits at the top are 1.
#[inline(always)]
pub fn leading_ones<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<u32, I> {
    leading_zeros(cx, not(cx, a))
}

/// How many bits at the bottom are 1.
#[inline(always)]
pub fn trailing_ones<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<u32, I> {
    trailing_zeros(cx, not(cx, a))
}

/// Groups of `n` bits change places with their neighbours; `low` holds every other group.
#[inline(always)]
fn swap<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, n: u32, low: u64) -> Varying<T, I> {
    let low = pattern(cx, low);
    or(cx, left(cx, and(cx, a, low), n), and(cx, right(cx, a, n), low))
}

#[inline(always)]
fn swap_unsigned_bytes<T: Int, I: Isa>(cx: Cx<'_, I>, mut a: Varying<T, I>) -> Varying<T, I> {
    if T::BITS > 8 {
        a = swap(cx, a, 8, 0x00ff_00ff_00ff_00ff);
    }
    if T::BITS > 16 {
        a = swap(cx, a, 16, 0x0000_ffff_0000_ffff);
    }
    if T::BITS > 32 {
        a = swap(cx, a, 32, 0x0000_0000_ffff_ffff);
    }
    a
}

/// The bytes in the opposite order.
#[inline(always)]
pub fn swap_bytes<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    of_bits(cx, swap_unsigned_bytes(cx, bits(cx, a)))
}

/// The bits in the opposite order.
#[inline(always)]
pub fn reverse_bits<T: Int, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>) -> Varying<T, I> {
    let a = swap(cx, bits(cx, a), 1, 0x5555_5555_5555_5555);
    let a = swap(cx, a, 2, 0x3333_3333_3333_3333);
    let a = swap(cx, a, 4, 0x0f0f_0f0f_0f0f_0f0f);
    of_bits(cx, swap_unsigned_bytes(cx, a))
}
