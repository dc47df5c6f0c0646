//! The dtypes: what each of them is on the levels, and the arithmetic that is not one operation of theirs.

use super::{Dtype, DtypeId, Float, Int, Logic, Num, Signed, sealed};
use crate::isa::fearless::Halves;
use crate::isa::half::{self as storage, HalfLanes};
#[cfg(feature = "portable")]
use crate::isa::portable as p;
use crate::isa::scalar::Scalar;
use crate::isa::{DtypeLanes, FloatLanes, Isa, MAX_LANES, MemoryLanes, NumLanes, Registers, SignedLanes, V};
use fearless_simd as f;
use half::{bf16, f16};

/// What most dtypes are in a computation: themselves.
macro_rules! same_in_computation {
    () => {
        type Scalar = Self;
        #[inline(always)]
        fn widen(self) -> Self {
            self
        }
        #[inline(always)]
        fn narrow(x: Self) -> Self {
            x
        }
    };
}

macro_rules! dtype {
    ($t:ty, $id:ident, $fearless:ty, $wide:ty, $to:ident $(, |$isa:ident, $x:ident| $odd:expr)?) => {
        impl sealed::Sealed for $t {}
        impl Dtype for $t {
            const ID: DtypeId = DtypeId::$id;
            same_in_computation!();
            type Fearless<S: fearless_simd::Simd> = $fearless;
            #[cfg(feature = "portable")]
            type Wide = $wide;
            #[inline(always)]
            fn cast_from<T: Dtype, I: Isa>(isa: I, x: V<T, I>) -> V<Self, I> {
                T::$to(isa, x)
            }
            #[inline(always)]
            fn spill<I: Isa>(isa: I, a: V<Self, I>, to: &mut [Self; 16]) {
                const { assert!(<I as Registers>::LANES <= 16) }
                // SAFETY: `to` holds a gang.
                unsafe { Self::store(isa, to.as_mut_ptr(), a) }
            }
            #[inline(always)]
            fn fill<I: Isa>(isa: I, from: &[Self; 16]) -> V<Self, I> {
                const { assert!(<I as Registers>::LANES <= 16) }
                // SAFETY: a gang of elements.
                unsafe { Self::load(isa, from.as_ptr()) }
            }
            $(
                #[inline(always)]
                fn to_f32_odd<I: Isa>($isa: I, $x: V<Self, I>) -> V<f32, I> { $odd }
            )?
        }
    };
}

dtype!(i8, I8, f::i8x16<S>, p::I8, to_i8);
dtype!(i16, I16, f::i16x16<S>, p::I16, to_i16);
dtype!(i32, I32, f::i32x16<S>, p::I32, to_i32, |isa, x| storage::f64_to_f32_odd(isa, i32::to_f64(isa, x)));
dtype!(i64, I64, Halves<f::i64x8<S>>, p::I64, to_i64, |isa, x| storage::i64_to_f32_odd(isa, x));
dtype!(u8, U8, f::u8x16<S>, p::U8, to_u8);
dtype!(u16, U16, f::u16x16<S>, p::U16, to_u16);
dtype!(u32, U32, f::u32x16<S>, p::U32, to_u32, |isa, x| storage::f64_to_f32_odd(isa, u32::to_f64(isa, x)));
dtype!(u64, U64, Halves<f::u64x8<S>>, p::U64, to_u64, |isa, x| storage::u64_to_f32_odd(isa, x));
dtype!(f32, F32, f::f32x16<S>, p::F32, to_f32);
dtype!(f64, F64, Halves<f::f64x8<S>>, p::F64, to_f64, |isa, x| storage::f64_to_f32_odd(isa, x));

/// Of a float: fused, but where that is made in software.
macro_rules! contract {
    ($t:ident) => {
        #[inline(always)]
        fn contract<I: Isa>(isa: I, a: V<Self, I>, b: V<Self, I>, c: V<Self, I>) -> V<Self, I> {
            if <I as Registers>::BASELINE {
                <$t as NumLanes>::add(isa, <$t as NumLanes>::mul(isa, a, b), c)
            } else {
                <$t as FloatLanes>::fma(isa, a, b, c)
            }
        }
        #[inline(always)]
        fn contract_less<I: Isa>(isa: I, a: V<Self, I>, b: V<Self, I>, c: V<Self, I>) -> V<Self, I> {
            <$t as Num>::contract(isa, a, b, <$t as SignedLanes>::neg(isa, c))
        }
        #[inline(always)]
        fn contract_taken<I: Isa>(isa: I, a: V<Self, I>, b: V<Self, I>, c: V<Self, I>) -> V<Self, I> {
            <$t as Num>::contract(isa, <$t as SignedLanes>::neg(isa, a), b, c)
        }
    };
}

macro_rules! half_dtype {
    ($t:ident, $id:ident, $widen:ident, $narrow:ident) => {
        impl sealed::Sealed for $t {}
        impl Dtype for $t {
            const ID: DtypeId = DtypeId::$id;
            type Scalar = f32;
            type Fearless<S: fearless_simd::Simd> = f::f32x16<S>;
            #[cfg(feature = "portable")]
            type Wide = p::F32;
            #[inline(always)]
            fn widen(self) -> f32 {
                storage::$widen(Scalar, self.to_bits())
            }
            #[inline(always)]
            fn narrow(x: f32) -> Self {
                Self::from_bits(storage::$narrow(Scalar, x))
            }
            #[inline(always)]
            fn cast_from<T: Dtype, I: Isa>(isa: I, x: V<T, I>) -> V<Self, I> {
                Self::rounded(isa, T::to_f32_odd(isa, x))
            }
            #[inline(always)]
            fn spill<I: Isa>(isa: I, a: V<Self, I>, to: &mut [f32; 16]) {
                f32::spill(isa, <Self as DtypeLanes>::to_f32(isa, a), to);
            }
            #[inline(always)]
            fn fill<I: Isa>(isa: I, from: &[f32; 16]) -> V<Self, I> {
                Self::of_f32(isa, f32::fill(isa, from))
            }
        }
        impl Num for $t {
            const ZERO: Self = $t::from_bits(0);
            const ONE: Self = $t::ONE;
            const MIN: Self = $t::MIN;
            const MAX: Self = $t::MAX;
            const MIN_IDENTITY: Self = $t::NAN;
            const MAX_IDENTITY: Self = $t::NAN;
            const SUM_IDENTITY: Self = $t::from_bits(0x8000);
            #[inline(always)]
            fn from_int_literal(x: i128) -> f32 {
                x as f32
            }
            #[inline(always)]
            fn div<I: Isa>(cx: crate::Cx<'_, I>, a: V<Self, I>, b: V<Self, I>) -> V<Self, I> {
                Self::div_float(cx.isa, a, b)
            }
            #[inline(always)]
            fn rem<I: Isa>(cx: crate::Cx<'_, I>, a: V<Self, I>, b: V<Self, I>) -> V<Self, I> {
                Self::of_f32(cx.isa, f32::rem(cx, <Self as DtypeLanes>::to_f32(cx.isa, a), <Self as DtypeLanes>::to_f32(cx.isa, b)))
            }
            #[inline(always)]
            fn whole<I: Isa>(isa: I, a: V<Self, I>) -> V<Self, I> {
                <Self as FloatLanes>::trunc(isa, a)
            }
            contract!($t);
        }
        impl Signed for $t {
            #[inline(always)]
            fn signum<I: Isa>(isa: I, a: V<Self, I>) -> V<Self, I> {
                Self::of_f32(isa, <f32 as Signed>::signum(isa, <Self as DtypeLanes>::to_f32(isa, a)))
            }
        }
        impl Float for $t {
            type Bits = u16;
            const INFINITY: Self = $t::INFINITY;
            const NEG_INFINITY: Self = $t::NEG_INFINITY;
            const NAN: Self = $t::NAN;
            const EPSILON: Self = $t::EPSILON;
            const MIN_POSITIVE: Self = $t::MIN_POSITIVE;
            const PI: Self = $t::PI;
            const E: Self = $t::E;
            const LN_2: Self = $t::LN_2;
            const SQRT_2: Self = $t::SQRT_2;
            #[inline(always)]
            fn from_float_literal(single: f32, _: f64) -> f32 {
                single
            }
            #[inline(always)]
            fn to_bits<I: Isa>(isa: I, x: V<Self, I>) -> V<u16, I> {
                Self::narrow_lanes(isa, x)
            }
            #[inline(always)]
            fn from_bits<I: Isa>(isa: I, x: V<u16, I>) -> V<Self, I> {
                Self::widen_lanes(isa, x)
            }
        }
    };
}
half_dtype!(f16, F16, f16_widen, f16_narrow);
half_dtype!(bf16, Bf16, bf16_widen, bf16_narrow);

impl sealed::Sealed for bool {}
impl Dtype for bool {
    const ID: DtypeId = DtypeId::Bool;
    same_in_computation!();
    type Fearless<S: f::Simd> = f::mask32x16<S>;
    #[cfg(feature = "portable")]
    type Wide = p::Mask;
    /// Only `bool as bool` exists, as in Rust.
    #[inline(always)]
    fn cast_from<T: Dtype, I: Isa>(isa: I, x: V<T, I>) -> V<Self, I> {
        T::to_bool(isa, x)
    }
    #[inline(always)]
    fn spill<I: Isa>(isa: I, a: V<Self, I>, to: &mut [Self; 16]) {
        // SAFETY: `to` holds a gang.
        unsafe { Self::store(isa, to.as_mut_ptr(), a) }
    }
    #[inline(always)]
    fn fill<I: Isa>(isa: I, from: &[Self; 16]) -> V<Self, I> {
        // SAFETY: a gang of elements.
        unsafe { Self::load(isa, from.as_ptr()) }
    }
    /// NumPy may hand over a byte that is neither 0 nor 1.
    #[inline(always)]
    unsafe fn read(p: *const Self) -> Self {
        // SAFETY: the caller's promise: `p` is readable.
        unsafe { p.cast::<u8>().read() != 0 }
    }
}

/// What all integers have alike in `Num`.
macro_rules! int_values {
    ($t:ty) => {
        const ZERO: Self = 0;
        const ONE: Self = 1;
        const MIN: Self = <$t>::MIN;
        const MAX: Self = <$t>::MAX;
        const MIN_IDENTITY: Self = <$t>::MAX;
        const MAX_IDENTITY: Self = <$t>::MIN;
        const SUM_IDENTITY: Self = 0;
        #[inline(always)]
        fn from_int_literal(x: i128) -> Self {
            x as $t
        }
    };
}

/// Division of integers up to 32 bits, by way of `f64`: the quotient of two 32-bit integers, rounded to 53 bits, never
/// crosses an integer, so its truncation is exact. `i64` holds it even for `MIN / -1`, which then wraps.
macro_rules! small_int {
    ($($t:ty),*) => {$(
        impl Num for $t {
            int_values!($t);
            #[inline(always)]
            fn div<I: Isa>(cx: crate::Cx<'_, I>, a: V<Self, I>, b: V<Self, I>) -> V<Self, I> {
                let isa = cx.isa;
                let b = cx.check_divisor::<Self>(b);
                let (x, y) = (<$t>::to_f64(isa, a), <$t>::to_f64(isa, b));
                <$t>::cast_from::<i64, I>(isa, f64::to_i64(isa, f64::div_float(isa, x, y)))
            }
            #[inline(always)]
            fn rem<I: Isa>(cx: crate::Cx<'_, I>, a: V<Self, I>, b: V<Self, I>) -> V<Self, I> {
                let isa = cx.isa;
                let q = Self::div(cx, a, b);
                <$t>::sub(isa, a, <$t>::mul(isa, q, b))
            }
        }
    )*};
}
small_int!(i8, i16, i32, u8, u16, u32);

/// `f(a, b)` lane by lane, through memory.
#[inline(always)]
fn lane_by_lane<T: Dtype, I: Isa>(isa: I, a: V<T, I>, b: V<T, I>, f: impl Fn(T, T) -> T) -> V<T, I> {
    let (mut x, mut y) = ([T::default(); MAX_LANES], [T::default(); MAX_LANES]);
    const { assert!(<I as Registers>::LANES <= MAX_LANES) };
    // SAFETY: both arrays hold LANES elements.
    unsafe {
        T::store(isa, x.as_mut_ptr(), a);
        T::store(isa, y.as_mut_ptr(), b);
        let mut k = 0;
        while k < <I as Registers>::LANES {
            x[k] = f(x[k], y[k]);
            k += 1;
        }
        T::load(isa, x.as_ptr())
    }
}

macro_rules! wide_int {
    ($($t:ty),*) => {$(
        impl Num for $t {
            int_values!($t);
            #[inline(always)]
            fn div<I: Isa>(cx: crate::Cx<'_, I>, a: V<Self, I>, b: V<Self, I>) -> V<Self, I> {
                let b = cx.check_divisor::<Self>(b);
                lane_by_lane::<Self, I>(cx.isa, a, b, <$t>::wrapping_div)
            }
            #[inline(always)]
            fn rem<I: Isa>(cx: crate::Cx<'_, I>, a: V<Self, I>, b: V<Self, I>) -> V<Self, I> {
                let b = cx.check_divisor::<Self>(b);
                lane_by_lane::<Self, I>(cx.isa, a, b, <$t>::wrapping_rem)
            }
        }
    )*};
}
wide_int!(i64, u64);

macro_rules! float {
    ($($t:ident, $bits:ident, $to_bits:ident, $from_bits:ident;)*) => {$(
        impl Num for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const MIN: Self = $t::MIN;
            const MAX: Self = $t::MAX;
            const MIN_IDENTITY: Self = $t::NAN;
            const MAX_IDENTITY: Self = $t::NAN;
            const SUM_IDENTITY: Self = -0.0;
            #[inline(always)]
            fn from_int_literal(x: i128) -> Self { x as $t }
            #[inline(always)]
            fn div<I: Isa>(cx: crate::Cx<'_, I>, a: V<Self, I>, b: V<Self, I>) -> V<Self, I> { $t::div_float(cx.isa, a, b) }
            #[inline(always)]
            fn rem<I: Isa>(cx: crate::Cx<'_, I>, a: V<Self, I>, b: V<Self, I>) -> V<Self, I> {
                lane_by_lane::<Self, I>(cx.isa, a, b, |x, y| x % y)
            }
            #[inline(always)]
            fn whole<I: Isa>(isa: I, a: V<Self, I>) -> V<Self, I> { <$t as FloatLanes>::trunc(isa, a) }
            contract!($t);
        }
        impl Signed for $t {
            #[inline(always)]
            fn signum<I: Isa>(isa: I, a: V<Self, I>) -> V<Self, I> {
                $t::select(isa, $t::equal(isa, a, a), <$t as FloatLanes>::copysign(isa, $t::splat(isa, 1.0), a), a)
            }
        }
        impl Float for $t {
            type Bits = $bits;
            const INFINITY: Self = $t::INFINITY;
            const NEG_INFINITY: Self = $t::NEG_INFINITY;
            const NAN: Self = $t::NAN;
            const EPSILON: Self = $t::EPSILON;
            const MIN_POSITIVE: Self = $t::MIN_POSITIVE;
            const PI: Self = core::$t::consts::PI;
            const E: Self = core::$t::consts::E;
            const LN_2: Self = core::$t::consts::LN_2;
            const SQRT_2: Self = core::$t::consts::SQRT_2;
            #[inline(always)]
            fn to_bits<I: Isa>(isa: I, x: V<Self, I>) -> V<$bits, I> {
                isa.apart(
                    #[inline(always)]
                    || isa.$to_bits(x),
                )
            }
            #[inline(always)]
            fn from_bits<I: Isa>(isa: I, x: V<$bits, I>) -> V<Self, I> {
                isa.apart(
                    #[inline(always)]
                    || isa.$from_bits(x),
                )
            }
            float!(@literal $t);
        }
    )*};
    (@literal f32) => { #[inline(always)] fn from_float_literal(single: f32, _: f64) -> Self { single } };
    (@literal f64) => { #[inline(always)] fn from_float_literal(_: f32, double: f64) -> Self { double } };
}
float! {
    f32, u32, f32_to_bits, f32_from_bits;
    f64, u64, f64_to_bits, f64_from_bits;
}

macro_rules! ints {
    ($($t:ty: $unsigned:ty),*) => {$(
        impl Logic for $t {}
        impl Int for $t {
            const BITS: u32 = <$t>::BITS;
            #[allow(unused_comparisons, reason = "the unsigned types are in the same table")]
            const SIGNED: bool = <$t>::MIN < 0;
            type Unsigned = $unsigned;
        }
    )*};
}
ints!(i8: u8, i16: u16, i32: u32, i64: u64, u8: u8, u16: u16, u32: u32, u64: u64);
impl Logic for bool {}

macro_rules! signed_ints {
    ($($t:ty),*) => {$(
        impl Signed for $t {
            #[inline(always)]
            fn signum<I: Isa>(isa: I, a: V<Self, I>) -> V<Self, I> {
                <$t as NumLanes>::max(isa, <$t>::splat(isa, -1), <$t as NumLanes>::min(isa, <$t>::splat(isa, 1), a))
            }
        }
    )*};
}
signed_ints!(i8, i16, i32, i64);
