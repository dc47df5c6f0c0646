//! The levels whose registers come from `fearless_simd`: SSE2, AVX2, AVX-512 and NEON.
//!
//! 16 lanes of 32 bits or less are one of its fixed 16-lane types; of 64 bits, two halves of 8. The mask of every dtype
//! is the one of 32-bit lanes: one type for `bool`, so that masks of different dtypes combine. `fearless_simd` widens and
//! narrows it for the others (on AVX-512 that costs nothing).

use super::{BitsOps, DtypeOps, FloatOps, LogicOps, MemoryOps, NumOps, Registers, ShiftOps, SignedOps};
use crate::dtype::Dtype;
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{f32x16, f64x8, i8x16, i16x16, i32x16, i64x8, mask8x16, mask16x16, mask32x16, mask64x8, u8x16, u16x16, u32x16, u64x8};

/// A level of `fearless_simd`. With `EXACT`, `fma` rounds once even where the CPU has no such instruction.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<S, const EXACT: bool>(pub S);

/// 16 lanes of 64 bits: lanes 0..8 and 8..16.
#[derive(Clone, Copy)]
pub struct Halves<V>(V, V);

impl<S: Simd, const EXACT: bool> Registers for Lanes<S, EXACT> {
    const LANES: usize = 16;
    type V<T: Dtype> = T::Fearless<S>;
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

// Conversions between register sets of 16 lanes, from which every `as` is composed.
#[inline(always)]
fn i8_to_i16<S: Simd>(a: i8x16<S>) -> i16x16<S> {
    let (x, y) = a.widen();
    x.combine(y)
}
#[inline(always)]
fn i16_to_i32<S: Simd>(a: i16x16<S>) -> i32x16<S> {
    let (x, y) = a.widen();
    x.combine(y)
}
#[inline(always)]
fn i32_to_i64<S: Simd>(a: i32x16<S>) -> Halves<i64x8<S>> {
    let (x, y) = a.widen();
    Halves(x, y)
}
#[inline(always)]
fn u8_to_u16<S: Simd>(a: u8x16<S>) -> u16x16<S> {
    let (x, y) = a.widen();
    x.combine(y)
}
#[inline(always)]
fn u16_to_u32<S: Simd>(a: u16x16<S>) -> u32x16<S> {
    let (x, y) = a.widen();
    x.combine(y)
}
#[inline(always)]
fn u32_to_u64<S: Simd>(a: u32x16<S>) -> Halves<u64x8<S>> {
    let (x, y) = a.widen();
    Halves(x, y)
}
#[inline(always)]
fn u16_to_u8<S: Simd>(a: u16x16<S>) -> u8x16<S> {
    let (x, y) = a.split();
    x.narrow(y)
}
#[inline(always)]
fn u32_to_u16<S: Simd>(a: u32x16<S>) -> u16x16<S> {
    let (x, y) = a.split();
    x.narrow(y)
}
#[inline(always)]
fn u64_to_u32<S: Simd>(a: Halves<u64x8<S>>) -> u32x16<S> {
    a.0.narrow(a.1)
}
#[inline(always)]
fn f32_to_f64<S: Simd>(a: f32x16<S>) -> Halves<f64x8<S>> {
    let (x, y) = a.widen();
    Halves(x, y)
}
#[inline(always)]
fn i64_to_u64<S: Simd>(a: Halves<i64x8<S>>) -> Halves<u64x8<S>> {
    Halves(a.0.bitcast(), a.1.bitcast())
}
#[inline(always)]
fn u64_to_i64<S: Simd>(a: Halves<u64x8<S>>) -> Halves<i64x8<S>> {
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

/// `DtypeOps`: `$p` names a vector's one or two registers.
macro_rules! dtype_ops {
    ($t:ty, $v:ident, $mask:ty, one, $n:literal; $($cast:tt)*) => {
        impl<S: Simd, const EXACT: bool> MemoryOps<$t> for Lanes<S, EXACT> {
            #[inline(always)]
            unsafe fn load(self, p: *const $t) -> $v<S> {
                // SAFETY: the caller's promise; an array of elements has no alignment beyond theirs, and the read is unaligned.
                $v::simd_from(self.0, unsafe { p.cast::<[$t; $n]>().read_unaligned() })
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut $t, a: $v<S>) {
                // SAFETY: the caller's promise.
                unsafe { p.cast::<[$t; $n]>().write_unaligned(a.into()) }
            }
        }
        impl<S: Simd, const EXACT: bool> DtypeOps<$t> for Lanes<S, EXACT> {
            #[inline(always)]
            fn splat(self, x: $t) -> $v<S> { $v::splat(self.0, x) }
            #[inline(always)]
            fn select(self, m: mask32x16<S>, a: $v<S>, b: $v<S>) -> $v<S> { <$mask>::from_mask(m).select(a, b) }
            #[inline(always)]
            fn equal(self, a: $v<S>, b: $v<S>) -> mask32x16<S> { a.simd_eq(b).to_mask() }
            #[inline(always)]
            fn less(self, a: $v<S>, b: $v<S>) -> mask32x16<S> { a.simd_lt(b).to_mask() }
            #[inline(always)]
            fn less_equal(self, a: $v<S>, b: $v<S>) -> mask32x16<S> { a.simd_le(b).to_mask() }
            dtype_ops!(@to_bool $t, $v<S>);
            dtype_ops!(@cast $v<S>; $($cast)*);
        }
    };
    ($t:ty, $v:ident, $mask:ty, two, $n:literal; $($cast:tt)*) => {
        impl<S: Simd, const EXACT: bool> MemoryOps<$t> for Lanes<S, EXACT> {
            #[inline(always)]
            unsafe fn load(self, p: *const $t) -> Halves<$v<S>> {
                // SAFETY: the caller's promise.
                unsafe {
                    Halves($v::simd_from(self.0, p.cast::<[$t; 8]>().read_unaligned()), $v::simd_from(self.0, p.add(8).cast::<[$t; 8]>().read_unaligned()))
                }
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut $t, a: Halves<$v<S>>) {
                // SAFETY: the caller's promise.
                unsafe {
                    p.cast::<[$t; 8]>().write_unaligned(a.0.into());
                    p.add(8).cast::<[$t; 8]>().write_unaligned(a.1.into());
                }
            }
        }
        impl<S: Simd, const EXACT: bool> DtypeOps<$t> for Lanes<S, EXACT> {
            #[inline(always)]
            fn splat(self, x: $t) -> Halves<$v<S>> { let v = $v::splat(self.0, x); Halves(v, v) }
            #[inline(always)]
            fn select(self, m: mask32x16<S>, a: Halves<$v<S>>, b: Halves<$v<S>>) -> Halves<$v<S>> {
                let m = Halves::from_mask(m);
                Halves(m.0.select(a.0, b.0), m.1.select(a.1, b.1))
            }
            #[inline(always)]
            fn equal(self, a: Halves<$v<S>>, b: Halves<$v<S>>) -> mask32x16<S> { Halves(a.0.simd_eq(b.0), a.1.simd_eq(b.1)).to_mask() }
            #[inline(always)]
            fn less(self, a: Halves<$v<S>>, b: Halves<$v<S>>) -> mask32x16<S> { Halves(a.0.simd_lt(b.0), a.1.simd_lt(b.1)).to_mask() }
            #[inline(always)]
            fn less_equal(self, a: Halves<$v<S>>, b: Halves<$v<S>>) -> mask32x16<S> { Halves(a.0.simd_le(b.0), a.1.simd_le(b.1)).to_mask() }
            dtype_ops!(@to_bool $t, Halves<$v<S>>);
            dtype_ops!(@cast Halves<$v<S>>; $($cast)*);
        }
    };
    (@to_bool $t:ty, $v:ty) => {
        #[inline(always)]
        fn to_bool(self, a: $v) -> mask32x16<S> {
            let zero = <Self as DtypeOps<$t>>::equal(self, a, <Self as DtypeOps<$t>>::splat(self, <$t>::default()));
            !zero
        }
    };
    // The casts, each by the function of the level for another dtype or by a conversion of this module.
    (@cast $v:ty; $($f:ident -> $to:ty = |$isa:ident, $a:ident| $e:expr;)*) => {$(
        #[inline(always)]
        fn $f(self, $a: $v) -> $to { let $isa = self; $e }
    )*};
}

/// Calls `to_x` for dtype `$t`.
macro_rules! cast {
    ($isa:ident, $t:ty, $f:ident, $a:expr) => {
        <Self as DtypeOps<$t>>::$f($isa, $a)
    };
}

dtype_ops!(i8, i8x16, mask8x16<S>, one, 16;
    to_i8 -> i8x16<S> = |_isa, a| a;
    to_i16 -> i16x16<S> = |_isa, a| i8_to_i16(a);
    to_i32 -> i32x16<S> = |_isa, a| i16_to_i32(i8_to_i16(a));
    to_i64 -> Halves<i64x8<S>> = |_isa, a| i32_to_i64(i16_to_i32(i8_to_i16(a)));
    to_u8 -> u8x16<S> = |_isa, a| a.bitcast();
    to_u16 -> u16x16<S> = |_isa, a| i8_to_i16(a).bitcast();
    to_u32 -> u32x16<S> = |_isa, a| i16_to_i32(i8_to_i16(a)).bitcast();
    to_u64 -> Halves<u64x8<S>> = |_isa, a| i64_to_u64(i32_to_i64(i16_to_i32(i8_to_i16(a))));
    to_f32 -> f32x16<S> = |_isa, a| i16_to_i32(i8_to_i16(a)).to_float();
    to_f64 -> Halves<f64x8<S>> = |_isa, a| f32_to_f64(i16_to_i32(i8_to_i16(a)).to_float());
);
dtype_ops!(u8, u8x16, mask8x16<S>, one, 16;
    to_i8 -> i8x16<S> = |_isa, a| a.bitcast();
    to_i16 -> i16x16<S> = |_isa, a| u8_to_u16(a).bitcast();
    to_i32 -> i32x16<S> = |_isa, a| u16_to_u32(u8_to_u16(a)).bitcast();
    to_i64 -> Halves<i64x8<S>> = |_isa, a| u64_to_i64(u32_to_u64(u16_to_u32(u8_to_u16(a))));
    to_u8 -> u8x16<S> = |_isa, a| a;
    to_u16 -> u16x16<S> = |_isa, a| u8_to_u16(a);
    to_u32 -> u32x16<S> = |_isa, a| u16_to_u32(u8_to_u16(a));
    to_u64 -> Halves<u64x8<S>> = |_isa, a| u32_to_u64(u16_to_u32(u8_to_u16(a)));
    to_f32 -> f32x16<S> = |isa, a| cast!(isa, u8, to_i32, a).to_float();
    to_f64 -> Halves<f64x8<S>> = |isa, a| f32_to_f64(cast!(isa, u8, to_f32, a));
);
dtype_ops!(i16, i16x16, mask16x16<S>, one, 16;
    to_i8 -> i8x16<S> = |_isa, a| u16_to_u8(a.bitcast()).bitcast();
    to_i16 -> i16x16<S> = |_isa, a| a;
    to_i32 -> i32x16<S> = |_isa, a| i16_to_i32(a);
    to_i64 -> Halves<i64x8<S>> = |_isa, a| i32_to_i64(i16_to_i32(a));
    to_u8 -> u8x16<S> = |_isa, a| u16_to_u8(a.bitcast());
    to_u16 -> u16x16<S> = |_isa, a| a.bitcast();
    to_u32 -> u32x16<S> = |_isa, a| i16_to_i32(a).bitcast();
    to_u64 -> Halves<u64x8<S>> = |_isa, a| i64_to_u64(i32_to_i64(i16_to_i32(a)));
    to_f32 -> f32x16<S> = |_isa, a| i16_to_i32(a).to_float();
    to_f64 -> Halves<f64x8<S>> = |_isa, a| f32_to_f64(i16_to_i32(a).to_float());
);
dtype_ops!(u16, u16x16, mask16x16<S>, one, 16;
    to_i8 -> i8x16<S> = |_isa, a| u16_to_u8(a).bitcast();
    to_i16 -> i16x16<S> = |_isa, a| a.bitcast();
    to_i32 -> i32x16<S> = |_isa, a| u16_to_u32(a).bitcast();
    to_i64 -> Halves<i64x8<S>> = |_isa, a| u64_to_i64(u32_to_u64(u16_to_u32(a)));
    to_u8 -> u8x16<S> = |_isa, a| u16_to_u8(a);
    to_u16 -> u16x16<S> = |_isa, a| a;
    to_u32 -> u32x16<S> = |_isa, a| u16_to_u32(a);
    to_u64 -> Halves<u64x8<S>> = |_isa, a| u32_to_u64(u16_to_u32(a));
    to_f32 -> f32x16<S> = |isa, a| cast!(isa, u16, to_i32, a).to_float();
    to_f64 -> Halves<f64x8<S>> = |isa, a| f32_to_f64(cast!(isa, u16, to_f32, a));
);
dtype_ops!(i32, i32x16, mask32x16<S>, one, 16;
    to_i8 -> i8x16<S> = |isa, a| cast!(isa, u32, to_i8, a.bitcast());
    to_i16 -> i16x16<S> = |isa, a| cast!(isa, u32, to_i16, a.bitcast());
    to_i32 -> i32x16<S> = |_isa, a| a;
    to_i64 -> Halves<i64x8<S>> = |_isa, a| i32_to_i64(a);
    to_u8 -> u8x16<S> = |isa, a| cast!(isa, u32, to_u8, a.bitcast());
    to_u16 -> u16x16<S> = |isa, a| cast!(isa, u32, to_u16, a.bitcast());
    to_u32 -> u32x16<S> = |_isa, a| a.bitcast();
    to_u64 -> Halves<u64x8<S>> = |_isa, a| i64_to_u64(i32_to_i64(a));
    to_f32 -> f32x16<S> = |_isa, a| a.to_float();
    to_f64 -> Halves<f64x8<S>> = |isa, a| cast!(isa, i64, to_f64, i32_to_i64(a));
);
dtype_ops!(u32, u32x16, mask32x16<S>, one, 16;
    to_i8 -> i8x16<S> = |_isa, a| u16_to_u8(u32_to_u16(a)).bitcast();
    to_i16 -> i16x16<S> = |_isa, a| u32_to_u16(a).bitcast();
    to_i32 -> i32x16<S> = |_isa, a| a.bitcast();
    to_i64 -> Halves<i64x8<S>> = |_isa, a| u64_to_i64(u32_to_u64(a));
    to_u8 -> u8x16<S> = |_isa, a| u16_to_u8(u32_to_u16(a));
    to_u16 -> u16x16<S> = |_isa, a| u32_to_u16(a);
    to_u32 -> u32x16<S> = |_isa, a| a;
    to_u64 -> Halves<u64x8<S>> = |_isa, a| u32_to_u64(a);
    to_f32 -> f32x16<S> = |_isa, a| a.to_float();
    to_f64 -> Halves<f64x8<S>> = |isa, a| cast!(isa, u64, to_f64, u32_to_u64(a));
);
dtype_ops!(i64, i64x8, Halves<mask64x8<S>>, two, 16;
    to_i8 -> i8x16<S> = |isa, a| cast!(isa, u64, to_i8, i64_to_u64(a));
    to_i16 -> i16x16<S> = |isa, a| cast!(isa, u64, to_i16, i64_to_u64(a));
    to_i32 -> i32x16<S> = |isa, a| cast!(isa, u64, to_i32, i64_to_u64(a));
    to_i64 -> Halves<i64x8<S>> = |_isa, a| a;
    to_u8 -> u8x16<S> = |isa, a| cast!(isa, u64, to_u8, i64_to_u64(a));
    to_u16 -> u16x16<S> = |isa, a| cast!(isa, u64, to_u16, i64_to_u64(a));
    to_u32 -> u32x16<S> = |isa, a| cast!(isa, u64, to_u32, i64_to_u64(a));
    to_u64 -> Halves<u64x8<S>> = |_isa, a| i64_to_u64(a);
    to_f32 -> f32x16<S> = |isa, a| wide_int_to_f32!(isa, a, i64);
    to_f64 -> Halves<f64x8<S>> = |_isa, a| Halves(a.0.to_float(), a.1.to_float());
);
dtype_ops!(u64, u64x8, Halves<mask64x8<S>>, two, 16;
    to_i8 -> i8x16<S> = |_isa, a| u16_to_u8(u32_to_u16(u64_to_u32(a))).bitcast();
    to_i16 -> i16x16<S> = |_isa, a| u32_to_u16(u64_to_u32(a)).bitcast();
    to_i32 -> i32x16<S> = |_isa, a| u64_to_u32(a).bitcast();
    to_i64 -> Halves<i64x8<S>> = |_isa, a| u64_to_i64(a);
    to_u8 -> u8x16<S> = |_isa, a| u16_to_u8(u32_to_u16(u64_to_u32(a)));
    to_u16 -> u16x16<S> = |_isa, a| u32_to_u16(u64_to_u32(a));
    to_u32 -> u32x16<S> = |_isa, a| u64_to_u32(a);
    to_u64 -> Halves<u64x8<S>> = |_isa, a| a;
    to_f32 -> f32x16<S> = |isa, a| wide_int_to_f32!(isa, a, u64);
    to_f64 -> Halves<f64x8<S>> = |_isa, a| Halves(a.0.to_float(), a.1.to_float());
);

// Float to integer saturates, and NaN gives 0: `to_int_precise` does so at 32 and 64 bits; a narrower type is clamped first.
macro_rules! clamp_then {
    ($isa:ident, $a:ident, $t:ty, $wide:ty, $to_wide:ident, $lo:expr, $hi:expr, $f:ident) => {{
        let x = cast!($isa, $t, $to_wide, $a);
        let lo = <Self as DtypeOps<$wide>>::splat($isa, $lo as $wide);
        let hi = <Self as DtypeOps<$wide>>::splat($isa, $hi as $wide);
        let x = <Self as NumOps<$wide>>::min($isa, <Self as NumOps<$wide>>::max($isa, x, lo), hi);
        <Self as DtypeOps<$wide>>::$f($isa, x)
    }};
}
dtype_ops!(f32, f32x16, mask32x16<S>, one, 16;
    to_i8 -> i8x16<S> = |isa, a| clamp_then!(isa, a, f32, i32, to_i32, i8::MIN, i8::MAX, to_i8);
    to_i16 -> i16x16<S> = |isa, a| clamp_then!(isa, a, f32, i32, to_i32, i16::MIN, i16::MAX, to_i16);
    to_i32 -> i32x16<S> = |_isa, a| a.to_int_precise();
    to_i64 -> Halves<i64x8<S>> = |isa, a| cast!(isa, f64, to_i64, f32_to_f64(a));
    to_u8 -> u8x16<S> = |isa, a| clamp_then!(isa, a, f32, i32, to_i32, 0, u8::MAX, to_u8);
    to_u16 -> u16x16<S> = |isa, a| clamp_then!(isa, a, f32, i32, to_i32, 0, u16::MAX, to_u16);
    to_u32 -> u32x16<S> = |_isa, a| a.to_int_precise();
    to_u64 -> Halves<u64x8<S>> = |isa, a| cast!(isa, f64, to_u64, f32_to_f64(a));
    to_f32 -> f32x16<S> = |_isa, a| a;
    to_f64 -> Halves<f64x8<S>> = |_isa, a| f32_to_f64(a);
);
dtype_ops!(f64, f64x8, Halves<mask64x8<S>>, two, 16;
    to_i8 -> i8x16<S> = |isa, a| clamp_then!(isa, a, f64, i64, to_i64, i8::MIN, i8::MAX, to_i8);
    to_i16 -> i16x16<S> = |isa, a| clamp_then!(isa, a, f64, i64, to_i64, i16::MIN, i16::MAX, to_i16);
    to_i32 -> i32x16<S> = |isa, a| clamp_then!(isa, a, f64, i64, to_i64, i32::MIN, i32::MAX, to_i32);
    to_i64 -> Halves<i64x8<S>> = |_isa, a| Halves(a.0.to_int_precise(), a.1.to_int_precise());
    to_u8 -> u8x16<S> = |isa, a| clamp_then!(isa, a, f64, i64, to_i64, 0, u8::MAX, to_u8);
    to_u16 -> u16x16<S> = |isa, a| clamp_then!(isa, a, f64, i64, to_i64, 0, u16::MAX, to_u16);
    to_u32 -> u32x16<S> = |isa, a| clamp_then!(isa, a, f64, i64, to_i64, 0, u32::MAX, to_u32);
    to_u64 -> Halves<u64x8<S>> = |_isa, a| Halves(a.0.to_int_precise(), a.1.to_int_precise());
    to_f32 -> f32x16<S> = |_isa, a| a.0.narrow(a.1);
    to_f64 -> Halves<f64x8<S>> = |_isa, a| a;
);

impl<S: Simd, const EXACT: bool> MemoryOps<bool> for Lanes<S, EXACT> {
    #[inline(always)]
    unsafe fn load(self, p: *const bool) -> mask32x16<S> {
        // Any byte but 0 is true, so no `bool` is read.
        // SAFETY: the caller's promise; `u8` has the size of `bool`.
        let a = unsafe { <Self as MemoryOps<u8>>::load(self, p.cast()) };
        <Self as DtypeOps<u8>>::to_bool(self, a)
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut bool, a: mask32x16<S>) {
        // SAFETY: the caller's promise; the bytes are 0 and 1.
        unsafe { <Self as MemoryOps<u8>>::store(self, p.cast(), <Self as DtypeOps<bool>>::to_u8(self, a)) }
    }
}
macro_rules! bool_to {
    ($($f:ident $t:ident $one:expr, $zero:expr, $v:ty;)*) => {$(
        #[inline(always)]
        fn $f(self, a: mask32x16<S>) -> $v {
            <Self as DtypeOps<$t>>::select(self, a, <Self as DtypeOps<$t>>::splat(self, $one), <Self as DtypeOps<$t>>::splat(self, $zero))
        }
    )*};
}
impl<S: Simd, const EXACT: bool> DtypeOps<bool> for Lanes<S, EXACT> {
    #[inline(always)]
    fn splat(self, x: bool) -> mask32x16<S> {
        mask32x16::splat(self.0, x)
    }
    #[inline(always)]
    fn select(self, m: mask32x16<S>, a: mask32x16<S>, b: mask32x16<S>) -> mask32x16<S> {
        m.select(a, b)
    }
    #[inline(always)]
    fn equal(self, a: mask32x16<S>, b: mask32x16<S>) -> mask32x16<S> {
        !(a ^ b)
    }
    #[inline(always)]
    fn less(self, a: mask32x16<S>, b: mask32x16<S>) -> mask32x16<S> {
        !a & b
    }
    #[inline(always)]
    fn less_equal(self, a: mask32x16<S>, b: mask32x16<S>) -> mask32x16<S> {
        !a | b
    }
    #[inline(always)]
    fn to_bool(self, a: mask32x16<S>) -> mask32x16<S> {
        a
    }
    bool_to! {
        to_i8 i8 1, 0, i8x16<S>; to_i16 i16 1, 0, i16x16<S>; to_i32 i32 1, 0, i32x16<S>; to_i64 i64 1, 0, Halves<i64x8<S>>;
        to_u8 u8 1, 0, u8x16<S>; to_u16 u16 1, 0, u16x16<S>; to_u32 u32 1, 0, u32x16<S>; to_u64 u64 1, 0, Halves<u64x8<S>>;
        to_f32 f32 1.0, 0.0, f32x16<S>; to_f64 f64 1.0, 0.0, Halves<f64x8<S>>;
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
            each_register! { $n $v; add(a, b) = a + b; sub(a, b) = a - b; mul(a, b) = a * b; min(a, b) = a.min(b); max(a, b) = a.max(b); }
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

macro_rules! float_ops {
    ($t:ty, $v:ident, $n:ident) => {
        impl<S: Simd, const EXACT: bool> NumOps<$t> for Lanes<S, EXACT> {
            each_register! { $n $v;
                add(a, b) = a + b;
                sub(a, b) = a - b;
                mul(a, b) = a * b;
                min(a, b) = b.is_nan().select(a, smaller!(a, b));
                max(a, b) = b.is_nan().select(a, larger!(a, b));
            }
        }
        impl<S: Simd, const EXACT: bool> FloatOps<$t> for Lanes<S, EXACT> {
            each_register! { $n $v;
                div_float(a, b) = a / b;
                fma(a, b, c) = if EXACT { a.mul_add_precise(b, c) } else { a.mul_add(b, c) };
                sqrt(a) = a.sqrt();
                floor(a) = a.floor();
                ceil(a) = a.ceil();
                trunc(a) = a.trunc();
                round_ties_even(a) = a.round_ties_even();
                copysign(a, b) = a.copysign(b);
            }
        }
    };
}
float_ops!(f32, f32x16, one);
float_ops!(f64, f64x8, two);

impl<S: Simd, const EXACT: bool> LogicOps<bool> for Lanes<S, EXACT> {
    each_register! { one mask32x16; and(a, b) = a & b; or(a, b) = a | b; xor(a, b) = a ^ b; not(a) = !a; }
}

impl<S: Simd, const EXACT: bool> BitsOps for Lanes<S, EXACT> {
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
}
