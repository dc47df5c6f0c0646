//! The levels whose registers come from `fearless_simd`: SSE2, AVX2, AVX-512 and NEON.
//!
//! 16 lanes of 32 bits or less are one of its fixed 16-lane types; of 64 bits, two halves of 8. The mask of every dtype
//! is the one of 32-bit lanes: one type for `bool`, so that masks of different dtypes combine. `fearless_simd` widens and
//! narrows it for the others (on AVX-512 that costs nothing).

mod convert;
mod dtypes;

use super::shims::Shims;
use super::{BitsOps, FloatOps, LogicOps, NumOps, Registers, ShiftOps, SignedOps};
#[cfg(target_arch = "x86_64")]
use super::{count, first};
use crate::dtype::Dtype;
#[cfg(target_arch = "x86_64")]
use crate::stream;
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{f32x16, f64x8, i8x16, i16x16, i32x16, i64x8, mask8x16, mask16x16, mask32x16, mask64x8, u8x16, u16x16, u32x16, u64x8};

/// A level of `fearless_simd`. With `EXACT`, `fma` rounds once even where the CPU has no such instruction.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<S, const EXACT: bool>(pub S);

/// 16 lanes of 64 bits: lanes 0..8 and 8..16.
#[derive(Clone, Copy)]
pub struct Halves<V>(V, V);

/// The level is the one in use on x86 that has as many lanes of 32 bits in a register: 4 SSE2, 8 AVX2, 16 AVX-512. Constants, so that rustc leaves out what is
/// for another level.
impl<S: Simd, const EXACT: bool> Lanes<S, EXACT> {
    const SSE2: bool = cfg!(any(target_arch = "x86", target_arch = "x86_64")) && <S::f32s as SimdBase<S>>::LEN == 4;
    #[cfg(target_arch = "x86_64")]
    const AVX2: bool = <S::f32s as SimdBase<S>>::LEN == 8;
    #[cfg(target_arch = "x86_64")]
    const AVX512: bool = <S::f32s as SimdBase<S>>::LEN == 16;
}

impl<S: Simd, const EXACT: bool> Registers for Lanes<S, EXACT> {
    const LANES: usize = 16;
    type V<T: Dtype> = T::Fearless<S>;

    const BASELINE: bool = Self::SSE2;

    #[inline(always)]
    fn apart<R>(self, operation: impl FnOnce() -> R) -> R {
        self.0.vectorize(operation)
    }
    #[inline(always)]
    fn enter<R>(self, kernel: impl FnOnce() -> R) -> R {
        // The caller is compiled with the baseline's instructions anyhow, and LLVM would put this function into it, and begin anew.
        if Self::BASELINE && cfg!(target_feature = "sse2") { kernel() } else { self.0.vectorize(kernel) }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn stream_line(self, from: *const u64, to: *mut u64) {
        use core::arch::x86_64::*;
        // SAFETY: the caller's promise; the level is proof of the instructions.
        unsafe {
            if Self::AVX512 {
                _mm512_stream_si512(to.cast(), _mm512_loadu_si512(from.cast()));
            } else if Self::AVX2 {
                _mm256_stream_si256(to.cast(), _mm256_loadu_si256(from.cast()));
                _mm256_stream_si256(to.add(4).cast(), _mm256_loadu_si256(from.add(4).cast()));
            } else {
                stream::words(from, to, stream::LINE / 8);
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn load_first(self, from: *const u8, to: *mut u8, count: usize, size: usize) {
        // SAFETY: the caller's promise; the level is proof of the instructions.
        unsafe {
            if Self::AVX512 {
                first::avx512::load(from, to, count, size);
            } else if Self::AVX2 && size >= 4 {
                first::avx2::load(from, to, count, size);
            } else {
                first::copy_few(from, to, count * size);
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn load_apart(self, from: *const u8, step: isize, to: *mut u8, count: usize, size: usize) -> bool {
        if Self::AVX512 && size == 1 && (2..=4).contains(&step) {
            // SAFETY: the caller's promise; the level is proof of the instructions.
            unsafe { first::avx512::load_bytes_apart(from, step as usize, to, count) };
            return true;
        }
        false
    }

    #[cfg(target_arch = "x86_64")]
    const COUNTS_BYTES: bool = Self::AVX512;

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn count_bytes(self, from: *const u8, len: usize, counts: &mut [u64; 256]) -> usize {
        if !Self::AVX512 {
            return 0;
        }
        let tiles = len / count::TILE;
        // SAFETY: the caller's promise; the level is proof of the instructions.
        unsafe { count::add(from, tiles, counts) };
        tiles * count::TILE
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn store_first(self, from: *const u8, to: *mut u8, count: usize, size: usize) {
        // SAFETY: the caller's promise; the level is proof of the instructions.
        unsafe {
            if Self::AVX512 {
                first::avx512::store(from, to, count, size);
            } else if Self::AVX2 && size >= 4 {
                first::avx2::store(from, to, count, size);
            } else {
                first::copy_few(from, to, count * size);
            }
        }
    }
}

/// The mask of lanes of another size, from and to the mask of 32-bit lanes.
trait MaskOf<S: Simd>: Sized {
    fn to_mask(self) -> mask32x16<S>;
    fn from_mask(m: mask32x16<S>) -> Self;
}
impl<S: Simd> MaskOf<S> for mask32x16<S> {
    #[inline(always)]
    fn to_mask(self) -> mask32x16<S> {
        self
    }
    #[inline(always)]
    fn from_mask(m: mask32x16<S>) -> Self {
        m
    }
}
impl<S: Simd> MaskOf<S> for mask16x16<S> {
    #[inline(always)]
    fn to_mask(self) -> mask32x16<S> {
        let (a, b) = self.widen();
        a.token().combine_mask32x8(a, b)
    }
    #[inline(always)]
    fn from_mask(m: mask32x16<S>) -> Self {
        let (a, b) = m.token().split_mask32x16(m);
        a.narrow(b)
    }
}
impl<S: Simd> MaskOf<S> for mask8x16<S> {
    #[inline(always)]
    fn to_mask(self) -> mask32x16<S> {
        let (a, b) = self.widen();
        a.token().combine_mask16x8(a, b).to_mask()
    }
    #[inline(always)]
    fn from_mask(m: mask32x16<S>) -> Self {
        let m = mask16x16::from_mask(m);
        let (a, b) = m.token().split_mask16x16(m);
        a.narrow(b)
    }
}
impl<S: Simd> MaskOf<S> for Halves<mask64x8<S>> {
    #[inline(always)]
    fn to_mask(self) -> mask32x16<S> {
        self.0.narrow(self.1)
    }
    #[inline(always)]
    fn from_mask(m: mask32x16<S>) -> Self {
        let (a, b) = m.widen();
        Self(a, b)
    }
}

/// Operations that act on each register by itself: the same expression for one register and for both halves.
macro_rules! each_register {
    (one $v:ident; $($f:ident($($a:ident),*) = $e:expr;)*) => {$(
        #[inline(always)]
        fn $f(self, $($a: $v<S>),*) -> $v<S> { $e }
    )*};
    (two $v:ident; $($f:ident($($a:ident),*) = $e:expr;)*) => {$(
        #[inline(always)]
        fn $f(self, $($a: Halves<$v<S>>),*) -> Halves<$v<S>> {
            Halves({ $(let $a = $a.0;)* $e }, { $(let $a = $a.1;)* $e })
        }
    )*};
}

macro_rules! int_ops {
    ($t:ty, $v:ident, $n:ident) => {
        impl<S: Simd, const EXACT: bool> NumOps<$t> for Lanes<S, EXACT> {
            each_register! { $n $v;
            add(a, b) = a + b; sub(a, b) = a - b; mul(a, b) = a * b; min(a, b) = a.min(b); max(a, b) = a.max(b);
            lesser(a, b) = a.min(b); greater(a, b) = a.max(b); }
        }
        impl<S: Simd, const EXACT: bool> LogicOps<$t> for Lanes<S, EXACT> {
            each_register! { $n $v; and(a, b) = a & b; or(a, b) = a | b; xor(a, b) = a ^ b; not(a) = !a; }
        }
        impl<S: Simd, const EXACT: bool> ShiftOps<$t> for Lanes<S, EXACT> {
            each_register! { $n $v; shl(a, b) = a << b; shr(a, b) = a >> b; }
        }
    };
}
int_ops!(i8, i8x16, one);
int_ops!(i16, i16x16, one);
int_ops!(i32, i32x16, one);
int_ops!(i64, i64x8, two);
int_ops!(u8, u8x16, one);
int_ops!(u16, u16x16, one);
int_ops!(u32, u32x16, one);
int_ops!(u64, u64x8, two);

macro_rules! signed_ops {
    ($($t:ty, $v:ident, $n:ident;)*) => {$(
        impl<S: Simd, const EXACT: bool> SignedOps<$t> for Lanes<S, EXACT> {
            each_register! { $n $v; neg(a) = -a; abs(a) = a.abs(); }
        }
    )*};
}
signed_ops!(i8, i8x16, one; i16, i16x16, one; i32, i32x16, one; i64, i64x8, two; f32, f32x16, one; f64, f64x8, two;);

// `if a < b { a } else { b }`: what x86's instruction does; NEON's differs in NaN and -0.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! smaller {
    ($a:ident, $b:ident) => {
        $a.min($b)
    };
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! larger {
    ($a:ident, $b:ident) => {
        $a.max($b)
    };
}
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
macro_rules! smaller {
    ($a:ident, $b:ident) => {
        $a.simd_lt($b).select($a, $b)
    };
}
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
macro_rules! larger {
    ($a:ident, $b:ident) => {
        $a.simd_gt($b).select($a, $b)
    };
}

/// To the nearest integer, ties to even, by the rounding of an addition: from `1 / EPSILON` on, every number is an
/// integer. The sign is kept, that of a zero too.
macro_rules! nearest {
    ($t:ident, $v:ident, $a:ident) => {{
        let limit = $v::splat($a.token(), 1.0 / $t::EPSILON);
        let shift = limit.copysign($a);
        $a.abs().simd_lt(limit).select(($a + shift - shift).copysign($a), $a)
    }};
}
/// 1 where the mask holds, else 0.
macro_rules! one_where {
    ($v:ident, $m:expr, $a:ident) => {
        $m.select($v::splat($a.token(), 1.0), $v::splat($a.token(), 0.0))
    };
}
macro_rules! by_hand {
    (floor $t:ident $v:ident $a:ident) => {{
        let r = nearest!($t, $v, $a);
        r - one_where!($v, r.simd_gt($a), $a)
    }};
    (ceil $t:ident $v:ident $a:ident) => {{
        let r = nearest!($t, $v, $a);
        (r + one_where!($v, r.simd_lt($a), $a)).copysign($a)
    }};
    (trunc $t:ident $v:ident $a:ident) => {{
        let b = $a.abs();
        let r = nearest!($t, $v, b);
        (r - one_where!($v, r.simd_gt(b), b)).copysign($a)
    }};
    (round_ties_even $t:ident $v:ident $a:ident) => {
        nearest!($t, $v, $a)
    };
}

macro_rules! float_ops {
    ($t:ident, $v:ident, $n:ident, $fma_exact:ident) => {
        /// `a * b + c` rounded once, in software: hundreds of instructions, so kernels share one copy. For level SSE2 alone: a
        /// function that is not inlined has the instructions of the baseline, and no more.
        #[inline(never)]
        fn $fma_exact<S: Simd>(a: $v<S>, b: $v<S>, c: $v<S>) -> $v<S> {
            a.mul_add_precise(b, c)
        }
        impl<S: Simd, const EXACT: bool> NumOps<$t> for Lanes<S, EXACT> {
            each_register! { $n $v;
                add(a, b) = a + b;
                sub(a, b) = a - b;
                mul(a, b) = a * b;
                min(a, b) = b.is_nan().select(a, smaller!(a, b));
                max(a, b) = b.is_nan().select(a, larger!(a, b));
                lesser(a, b) = smaller!(a, b);
                greater(a, b) = larger!(a, b);
            }
        }
        impl<S: Simd, const EXACT: bool> FloatOps<$t> for Lanes<S, EXACT> {
            each_register! { $n $v;
                div_float(a, b) = a / b;
                fma(a, b, c) = if EXACT { $fma_exact(a, b, c) } else { a.mul_add(b, c) };
                // SSE2 has no fused multiply-add, nor an instruction that rounds to an integer: `fearless_simd` calls libm for each lane there.
                fma_once(a, b, c) = if EXACT || Self::SSE2 { $fma_exact(a, b, c) } else { a.mul_add(b, c) };
                sqrt(a) = a.sqrt();
                floor(a) = if Self::SSE2 { by_hand!(floor $t $v a) } else { a.floor() };
                ceil(a) = if Self::SSE2 { by_hand!(ceil $t $v a) } else { a.ceil() };
                trunc(a) = if Self::SSE2 { by_hand!(trunc $t $v a) } else { a.trunc() };
                round_ties_even(a) = if Self::SSE2 { by_hand!(round_ties_even $t $v a) } else { a.round_ties_even() };
                copysign(a, b) = a.copysign(b);
            }
        }
    };
}
float_ops!(f32, f32x16, one, fma_exact_f32);
float_ops!(f64, f64x8, two, fma_exact_f64);

impl<S: Simd, const EXACT: bool> LogicOps<bool> for Lanes<S, EXACT> {
    each_register! { one mask32x16; and(a, b) = a & b; or(a, b) = a | b; xor(a, b) = a ^ b; not(a) = !a; }
}

impl<S: Shims, const EXACT: bool> BitsOps for Lanes<S, EXACT> {
    #[inline(always)]
    fn bitmask(self, m: mask32x16<S>) -> u64 {
        m.to_bitmask()
    }
    #[inline(always)]
    fn f32_to_bits(self, a: f32x16<S>) -> u32x16<S> {
        a.bitcast()
    }
    #[inline(always)]
    fn f32_from_bits(self, a: u32x16<S>) -> f32x16<S> {
        a.bitcast()
    }
    #[inline(always)]
    fn f64_to_bits(self, a: Halves<f64x8<S>>) -> Halves<u64x8<S>> {
        Halves(a.0.bitcast(), a.1.bitcast())
    }
    #[inline(always)]
    fn f64_from_bits(self, a: Halves<u64x8<S>>) -> Halves<f64x8<S>> {
        Halves(a.0.bitcast(), a.1.bitcast())
    }
    #[inline(always)]
    fn u32_shl(self, a: u32x16<S>, n: u32) -> u32x16<S> {
        a << n
    }
    #[inline(always)]
    fn u32_shr(self, a: u32x16<S>, n: u32) -> u32x16<S> {
        a >> n
    }
    #[inline(always)]
    fn f32_scale(self, a: f32x16<S>, t: f32x16<S>) -> f32x16<S> {
        S::scale_f32(a, t)
    }
    #[inline(always)]
    fn f64_scale(self, a: Halves<f64x8<S>>, t: Halves<f64x8<S>>) -> Halves<f64x8<S>> {
        Halves(S::scale_f64(a.0, t.0), S::scale_f64(a.1, t.1))
    }
    #[inline(always)]
    fn f32_look_up(self, table: &[f32; 16], at: u32x16<S>) -> f32x16<S> {
        S::look_up(self, table, at)
    }
}
