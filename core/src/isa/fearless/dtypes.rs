//! `DtypeOps` and `MemoryOps` of every dtype: comparisons, selection, casts, loads and stores.

use super::convert::*;
use super::{Halves, Lanes, MaskOf};
use crate::isa::{DtypeOps, MemoryOps};
use fearless_simd::{Simd, prelude::*};
use fearless_simd::{f32x16, f64x8, i8x16, i16x16, i32x16, i64x8, mask8x16, mask16x16, mask32x16, u8x16, u16x16, u32x16, u64x8};

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
    to_f64 -> Halves<f64x8<S>> = |isa, a| to_f64_from_32_bits!(isa, a, i32);
);
dtype_ops!(u32, u32x16, mask32x16<S>, one, 16;
    to_i8 -> i8x16<S> = |_isa, a| u32_to_u8(a).bitcast();
    to_i16 -> i16x16<S> = |_isa, a| u32_to_u16(a).bitcast();
    to_i32 -> i32x16<S> = |_isa, a| a.bitcast();
    to_i64 -> Halves<i64x8<S>> = |_isa, a| u64_to_i64(u32_to_u64(a));
    to_u8 -> u8x16<S> = |_isa, a| u32_to_u8(a);
    to_u16 -> u16x16<S> = |_isa, a| u32_to_u16(a);
    to_u32 -> u32x16<S> = |_isa, a| a;
    to_u64 -> Halves<u64x8<S>> = |_isa, a| u32_to_u64(a);
    to_f32 -> f32x16<S> = |_isa, a| a.to_float();
    to_f64 -> Halves<f64x8<S>> = |isa, a| to_f64_from_32_bits!(isa, a, u32);
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
    to_i8 -> i8x16<S> = |_isa, a| u32_to_u8(u64_to_u32(a)).bitcast();
    to_i16 -> i16x16<S> = |_isa, a| u32_to_u16(u64_to_u32(a)).bitcast();
    to_i32 -> i32x16<S> = |_isa, a| u64_to_u32(a).bitcast();
    to_i64 -> Halves<i64x8<S>> = |_isa, a| u64_to_i64(a);
    to_u8 -> u8x16<S> = |_isa, a| u32_to_u8(u64_to_u32(a));
    to_u16 -> u16x16<S> = |_isa, a| u32_to_u16(u64_to_u32(a));
    to_u32 -> u32x16<S> = |_isa, a| u64_to_u32(a);
    to_u64 -> Halves<u64x8<S>> = |_isa, a| a;
    to_f32 -> f32x16<S> = |isa, a| wide_int_to_f32!(isa, a, u64);
    to_f64 -> Halves<f64x8<S>> = |_isa, a| Halves(a.0.to_float(), a.1.to_float());
);

dtype_ops!(f32, f32x16, mask32x16<S>, one, 16;
    to_i8 -> i8x16<S> = |isa, a| cast!(isa, i32, to_i8, f32_to_32_bits!(a, i8::MIN, i8::MAX));
    to_i16 -> i16x16<S> = |isa, a| cast!(isa, i32, to_i16, f32_to_32_bits!(a, i16::MIN, i16::MAX));
    to_i32 -> i32x16<S> = |_isa, a| a.to_int_precise();
    to_i64 -> Halves<i64x8<S>> = |isa, a| cast!(isa, f64, to_i64, f32_to_f64(a));
    to_u8 -> u8x16<S> = |isa, a| cast!(isa, i32, to_u8, f32_to_32_bits!(a, 0, u8::MAX));
    to_u16 -> u16x16<S> = |isa, a| cast!(isa, i32, to_u16, f32_to_32_bits!(a, 0, u16::MAX));
    to_u32 -> u32x16<S> = |_isa, a| a.to_int_precise();
    to_u64 -> Halves<u64x8<S>> = |isa, a| cast!(isa, f64, to_u64, f32_to_f64(a));
    to_f32 -> f32x16<S> = |_isa, a| a;
    to_f64 -> Halves<f64x8<S>> = |_isa, a| f32_to_f64(a);
);
dtype_ops!(f64, f64x8, Halves<mask64x8<S>>, two, 16;
    to_i8 -> i8x16<S> = |isa, a| cast!(isa, i32, to_i8, f64_to_32_bits!(isa, a, i32, i32x16, i8::MIN, i8::MAX));
    to_i16 -> i16x16<S> = |isa, a| cast!(isa, i32, to_i16, f64_to_32_bits!(isa, a, i32, i32x16, i16::MIN, i16::MAX));
    to_i32 -> i32x16<S> = |isa, a| f64_to_32_bits!(isa, a, i32, i32x16, i32::MIN, i32::MAX);
    to_i64 -> Halves<i64x8<S>> = |_isa, a| Halves(a.0.to_int_precise(), a.1.to_int_precise());
    to_u8 -> u8x16<S> = |isa, a| cast!(isa, i32, to_u8, f64_to_32_bits!(isa, a, i32, i32x16, 0, u8::MAX));
    to_u16 -> u16x16<S> = |isa, a| cast!(isa, i32, to_u16, f64_to_32_bits!(isa, a, i32, i32x16, 0, u16::MAX));
    to_u32 -> u32x16<S> = |isa, a| f64_to_32_bits!(isa, a, u32, u32x16, 0, u32::MAX);
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
