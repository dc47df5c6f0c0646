//! The 16-bit floats on each level.

use super::{HalfOps, bf16_narrow, bf16_widen, f16_narrow, f16_widen};
use crate::isa::fearless::Lanes;
use crate::isa::scalar::Scalar;
use crate::isa::shims::Shims;
use crate::isa::{MemoryOps, V};
use fearless_simd::{f32x16, u16x16};
use half::{bf16, f16};

/// The operations of a 16-bit float on a level: f32's. The level's generics come in brackets.
#[doc(hidden)]
#[macro_export]
macro_rules! __half_ops {
    ($t:ty: [$($g:tt)*] $level:ty) => {
        $crate::__half_ops! { @ops $t, [$($g)*] $level, DtypeOps {
            splat(x: S) -> V; select(m: bool, a: V, b: V) -> V; equal(a: V, b: V) -> bool; less(a: V, b: V) -> bool;
            less_equal(a: V, b: V) -> bool; to_bool(a: V) -> bool; to_i8(a: V) -> i8; to_i16(a: V) -> i16; to_i32(a: V) -> i32;
            to_i64(a: V) -> i64; to_u8(a: V) -> u8; to_u16(a: V) -> u16; to_u32(a: V) -> u32; to_u64(a: V) -> u64;
            to_f32(a: V) -> f32; to_f64(a: V) -> f64;
        }}
        $crate::__half_ops! { @ops $t, [$($g)*] $level, NumOps {
            add(a: V, b: V) -> V; sub(a: V, b: V) -> V; mul(a: V, b: V) -> V; min(a: V, b: V) -> V; max(a: V, b: V) -> V;
            lesser(a: V, b: V) -> V; greater(a: V, b: V) -> V;
        }}
        $crate::__half_ops! { @ops $t, [$($g)*] $level, SignedOps { neg(a: V) -> V; abs(a: V) -> V; }}
        $crate::__half_ops! { @ops $t, [$($g)*] $level, FloatOps {
            div_float(a: V, b: V) -> V; fma(a: V, b: V, c: V) -> V;
            fma_once(a: V, b: V, c: V) -> V; sqrt(a: V) -> V; floor(a: V) -> V; ceil(a: V) -> V;
            trunc(a: V) -> V; round_ties_even(a: V) -> V; copysign(a: V, b: V) -> V;
        }}
    };
    (@ops $t:ty, $g:tt $level:ty, $Ops:ident { $($f:ident($($a:ident: $k:ident),*) -> $r:ident;)* }) => {
        $crate::__half_ops! { @impl $g $level, $Ops, $t { $($f($($a: [$k $t]),*) -> [$r $t];)* } }
    };
    (@impl [$($g:tt)*] $level:ty, $Ops:ident, $t:ty { $($f:ident($($a:ident: $k:tt),*) -> $r:tt;)* }) => {
        impl<$($g)*> $crate::isa::$Ops<$t> for $level {
            $(
                #[inline(always)]
                fn $f(self, $($a: $crate::__half_ops!(@kind $k)),*) -> $crate::__half_ops!(@kind $r) {
                    <Self as $crate::isa::$Ops<f32>>::$f(self, $($a),*)
                }
            )*
        }
    };
    (@kind [V $t:ty]) => { $crate::isa::V<$t, Self> };
    (@kind [S $t:ty]) => { f32 };
    (@kind [$other:ident $t:ty]) => { $crate::isa::V<$other, Self> };
}

/// A 16-bit float on a level.
macro_rules! half {
    ($t:ty: [$($g:tt)*] $level:ty; |$isa:ident, $x:ident| widen $widen:expr, narrow $narrow:expr) => {
        __half_ops! { $t: [$($g)*] $level }
        impl<$($g)*> HalfOps<$t> for $level {
            #[inline(always)]
            fn widen(self, $x: V<u16, Self>) -> V<$t, Self> { let $isa = self; $widen }
            #[inline(always)]
            fn narrow(self, $x: V<$t, Self>) -> V<u16, Self> { let $isa = self; $narrow }
            #[inline(always)]
            fn of_f32(self, a: V<f32, Self>) -> V<$t, Self> { a }
        }
    };
    (memory $t:ty: [$($g:tt)*] $level:ty) => {
        impl<$($g)*> MemoryOps<$t> for $level {
            #[inline(always)]
            unsafe fn load(self, p: *const $t) -> V<$t, Self> {
                // SAFETY: the caller's promise; the type is its 16 bits.
                <Self as HalfOps<$t>>::widen(self, unsafe { <Self as MemoryOps<u16>>::load(self, p.cast()) })
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut $t, a: V<$t, Self>) {
                // SAFETY: the caller's promise; any 16 bits are of the type.
                unsafe { <Self as MemoryOps<u16>>::store(self, p.cast(), <Self as HalfOps<$t>>::narrow(self, a)) }
            }
        }
    };
}

half!(f16: [] Scalar; |isa, x| widen f16_widen(isa, x), narrow f16_narrow(isa, x));
half!(bf16: [] Scalar; |isa, x| widen bf16_widen(isa, x), narrow bf16_narrow(isa, x));

#[cfg(feature = "portable")]
mod portable {
    use super::*;
    use crate::isa::portable::Portable;
    half!(f16: [] Portable; |isa, x| widen outlined::f16_widen(isa, x), narrow outlined::f16_narrow(isa, x));
    half!(bf16: [] Portable; |isa, x| widen bf16_widen(isa, x), narrow outlined::bf16_narrow(isa, x));
    half!(memory f16: [] Portable);
    half!(memory bf16: [] Portable);
}

half!(f16: [S: HalfSimd, const EXACT: bool] Lanes<S, EXACT>; |isa, x| widen S::f16_widen(isa, x), narrow S::f16_narrow(isa, x));
half!(bf16: [S: HalfSimd, const EXACT: bool] Lanes<S, EXACT>; |isa, x| widen bf16_widen(isa, x), narrow S::bf16_narrow(isa, x));
half!(memory f16: [S: HalfSimd, const EXACT: bool] Lanes<S, EXACT>);
half!(memory bf16: [S: HalfSimd, const EXACT: bool] Lanes<S, EXACT>);

/// The instructions that a level of `fearless_simd` has for f16: by default none.
pub trait HalfSimd: Shims {
    /// f16's bits as f32.
    #[inline(always)]
    fn f16_widen<const EXACT: bool>(lanes: Lanes<Self, EXACT>, bits: u16x16<Self>) -> f32x16<Self> {
        f16_widen(lanes, bits)
    }
    /// f16's bits of f32, rounded.
    #[inline(always)]
    fn f16_narrow<const EXACT: bool>(lanes: Lanes<Self, EXACT>, a: f32x16<Self>) -> u16x16<Self> {
        f16_narrow(lanes, a)
    }
    /// bf16's bits of f32, rounded.
    #[inline(always)]
    fn bf16_narrow<const EXACT: bool>(lanes: Lanes<Self, EXACT>, a: f32x16<Self>) -> u16x16<Self> {
        bf16_narrow(lanes, a)
    }
}

/// The integer forms, once in a program and not at each load and store: for levels with the instructions of the baseline alone, which a
/// function that is not inlined has too. There they are a hundred instructions each.
#[cfg(any(feature = "portable", target_arch = "x86", target_arch = "x86_64"))]
mod outlined {
    use crate::isa::{Isa, V};

    #[cfg(feature = "portable")]
    #[inline(never)]
    pub(super) fn f16_widen<I: Isa>(isa: I, bits: V<u16, I>) -> V<f32, I> {
        super::f16_widen(isa, bits)
    }
    #[inline(never)]
    pub(super) fn f16_narrow<I: Isa>(isa: I, a: V<f32, I>) -> V<u16, I> {
        super::f16_narrow(isa, a)
    }
    #[inline(never)]
    pub(super) fn bf16_narrow<I: Isa>(isa: I, a: V<f32, I>) -> V<u16, I> {
        super::bf16_narrow(isa, a)
    }
}

#[cfg(target_arch = "aarch64")]
impl HalfSimd for fearless_simd::Neon {}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86 {
    #[cfg(target_arch = "x86")]
    use core::arch::x86::*;
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64::*;

    use super::{HalfSimd, Lanes, outlined};
    use fearless_simd::{Avx2, Avx512, Sse2, f32x8, f32x16, prelude::*, u16x8, u16x16};

    // One copy for both modes.
    impl HalfSimd for Sse2 {
        #[inline(always)]
        fn f16_narrow<const EXACT: bool>(Lanes(token): Lanes<Self, EXACT>, a: f32x16<Self>) -> u16x16<Self> {
            outlined::f16_narrow(Lanes::<_, false>(token), a)
        }
        #[inline(always)]
        fn bf16_narrow<const EXACT: bool>(Lanes(token): Lanes<Self, EXACT>, a: f32x16<Self>) -> u16x16<Self> {
            outlined::bf16_narrow(Lanes::<_, false>(token), a)
        }
    }

    impl HalfSimd for Avx2 {
        #[inline(always)]
        fn f16_widen<const EXACT: bool>(Lanes(token): Lanes<Self, EXACT>, bits: u16x16<Self>) -> f32x16<Self> {
            let (a, b) = bits.split();
            // SAFETY: the token is proof of AVX2's level, which has F16C.
            let (a, b) = unsafe { (_mm256_cvtph_ps(a.into()), _mm256_cvtph_ps(b.into())) };
            f32x8::simd_from(token, a).combine(f32x8::simd_from(token, b))
        }
        #[inline(always)]
        fn f16_narrow<const EXACT: bool>(Lanes(token): Lanes<Self, EXACT>, a: f32x16<Self>) -> u16x16<Self> {
            const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;
            let (a, b) = a.split();
            // SAFETY: the token is proof of AVX2's level, which has F16C.
            let (a, b) = unsafe { (_mm256_cvtps_ph::<NEAREST>(a.into()), _mm256_cvtps_ph::<NEAREST>(b.into())) };
            u16x8::simd_from(token, a).combine(u16x8::simd_from(token, b))
        }
    }

    impl HalfSimd for Avx512 {
        #[inline(always)]
        fn f16_widen<const EXACT: bool>(Lanes(token): Lanes<Self, EXACT>, bits: u16x16<Self>) -> f32x16<Self> {
            // SAFETY: the token is proof of AVX-512F.
            f32x16::simd_from(token, unsafe { _mm512_cvtph_ps(bits.into()) })
        }
        #[inline(always)]
        fn f16_narrow<const EXACT: bool>(Lanes(token): Lanes<Self, EXACT>, a: f32x16<Self>) -> u16x16<Self> {
            // SAFETY: the token is proof of AVX-512F.
            u16x16::simd_from(token, unsafe { _mm512_cvtps_ph::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a.into()) })
        }
    }
}
