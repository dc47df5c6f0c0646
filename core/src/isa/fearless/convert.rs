//! Conversions between register sets of 16 lanes, from which every `as` is composed.

use super::Halves;
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{f32x16, f64x8, i8x16, i16x16, i32x16, i64x8, u8x16, u16x16, u32x16, u64x8};

#[inline(always)]
pub(super) fn i8_to_i16<S: Simd>(a: i8x16<S>) -> i16x16<S> {
    let (x, y) = a.widen();
    x.combine(y)
}
#[inline(always)]
pub(super) fn i16_to_i32<S: Simd>(a: i16x16<S>) -> i32x16<S> {
    let (x, y) = a.widen();
    x.combine(y)
}
#[inline(always)]
pub(super) fn i32_to_i64<S: Simd>(a: i32x16<S>) -> Halves<i64x8<S>> {
    let (x, y) = a.widen();
    Halves(x, y)
}
#[inline(always)]
pub(super) fn u8_to_u16<S: Simd>(a: u8x16<S>) -> u16x16<S> {
    let (x, y) = a.widen();
    x.combine(y)
}
#[inline(always)]
pub(super) fn u16_to_u32<S: Simd>(a: u16x16<S>) -> u32x16<S> {
    let (x, y) = a.widen();
    x.combine(y)
}
#[inline(always)]
pub(super) fn u32_to_u64<S: Simd>(a: u32x16<S>) -> Halves<u64x8<S>> {
    let (x, y) = a.widen();
    Halves(x, y)
}
#[inline(always)]
pub(super) fn u16_to_u8<S: Simd>(a: u16x16<S>) -> u8x16<S> {
    let (x, y) = a.split();
    x.narrow(y)
}
#[inline(always)]
pub(super) fn u32_to_u16<S: Simd>(a: u32x16<S>) -> u16x16<S> {
    let (x, y) = a.split();
    x.narrow(y)
}
/// The low byte of each: one instruction with AVX-512, which `fearless_simd` takes four for.
#[inline(always)]
pub(super) fn u32_to_u8<S: Simd>(a: u32x16<S>) -> u8x16<S> {
    #[cfg(target_arch = "x86_64")]
    if let fearless_simd::Level::Avx512(_) = a.token().level() {
        use core::arch::x86_64::{_mm_storeu_epi8, _mm512_cvtepi32_epi8, _mm512_loadu_epi32};
        let (from, mut to): ([u32; 16], _) = (a.into(), [0_u8; 16]);
        // SAFETY: the level is proof of the instructions; both arrays hold a register.
        unsafe { _mm_storeu_epi8(to.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(_mm512_loadu_epi32(from.as_ptr().cast()))) };
        return u8x16::simd_from(a.token(), to);
    }
    u16_to_u8(u32_to_u16(a))
}
#[inline(always)]
pub(super) fn u64_to_u32<S: Simd>(a: Halves<u64x8<S>>) -> u32x16<S> {
    a.0.narrow(a.1)
}
#[inline(always)]
pub(super) fn f32_to_f64<S: Simd>(a: f32x16<S>) -> Halves<f64x8<S>> {
    let (x, y) = a.widen();
    Halves(x, y)
}
#[inline(always)]
pub(super) fn i64_to_u64<S: Simd>(a: Halves<i64x8<S>>) -> Halves<u64x8<S>> {
    Halves(a.0.bitcast(), a.1.bitcast())
}
#[inline(always)]
pub(super) fn u64_to_i64<S: Simd>(a: Halves<u64x8<S>>) -> Halves<i64x8<S>> {
    Halves(a.0.bitcast(), a.1.bitcast())
}

/// `a as f32` of 64-bit integers, element by element: going through f64 would round twice. LLVM makes vector code of it
/// where the level has the instruction.
macro_rules! wide_int_to_f32 {
    ($isa:ident, $a:ident, $t:ty) => {{
        let (x, y): ([$t; 8], [$t; 8]) = ($a.0.into(), $a.1.into());
        let mut r = [0.0f32; 16];
        let mut k = 0;
        while k < 8 {
            r[k] = x[k] as f32;
            r[k + 8] = y[k] as f32;
            k += 1;
        }
        f32x16::simd_from($isa.0, r)
    }};
}

/// `a as f64` of 32-bit integers, for which `fearless_simd` has no conversion.
macro_rules! to_f64_from_32_bits {
    ($isa:ident, $a:ident, $t:ty) => {{
        let a: [$t; 16] = $a.into();
        let (mut x, mut y) = ([0.0; 8], [0.0; 8]);
        let mut k = 0;
        while k < 8 {
            x[k] = a[k] as f64;
            y[k] = a[k + 8] as f64;
            k += 1;
        }
        Halves(f64x8::simd_from($isa.0, x), f64x8::simd_from($isa.0, y))
    }};
}

/// `a` within `lo..=hi`, and 0 for NaN: then every level's bare conversion gives what Rust's saturating one does.
#[inline(always)]
pub(super) fn held<S: Simd>(a: f64x8<S>, lo: f64, hi: f64) -> [f64; 8] {
    let s = a.token();
    let a = a.simd_eq(a).select(a, f64x8::splat(s, 0.0));
    a.max(f64x8::splat(s, lo)).min(f64x8::splat(s, hi)).into()
}
/// `a as i32` or `as u32`, or a narrower type with that type's limits. By way of i64, which `fearless_simd` has the
/// conversion for, it took two to four times as many instructions.
macro_rules! f64_to_32_bits {
    ($isa:ident, $a:ident, $t:ty, $v:ident, $lo:expr, $hi:expr) => {{
        let (x, y) = (held($a.0, $lo as f64, $hi as f64), held($a.1, $lo as f64, $hi as f64));
        let mut r: [$t; 16] = [0; 16];
        let mut k = 0;
        while k < 8 {
            // SAFETY: no NaN, and within the type's limits.
            unsafe {
                r[k] = x[k].to_int_unchecked();
                r[k + 8] = y[k].to_int_unchecked();
            }
            k += 1;
        }
        $v::simd_from($isa.0, r)
    }};
}

/// `a as i32`, with the limits of a narrower type: the lower bits are `a` as that type. Held within them as floats, which takes two instructions where a saturating
/// conversion takes six. A NaN stays one, since it is the second operand of both (of which x86 gives that, and ARM always the NaN), and becomes 0 on
/// ARM, and on x86 `i32::MIN`, whose lower bits are 0.
macro_rules! f32_to_32_bits {
    ($a:ident, $lo:expr, $hi:expr) => {{
        let limit = |x: f32| f32x16::splat($a.token(), x);
        limit($hi as f32).min(limit($lo as f32).max($a)).to_int::<i32x16<S>>()
    }};
}

pub(super) use {f32_to_32_bits, f64_to_32_bits, to_f64_from_32_bits, wide_int_to_f32};
