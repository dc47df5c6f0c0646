//! Element types, and the traits a kernel names in its bounds.

use crate::isa::half::{self as storage, HalfLanes};
use crate::isa::scalar::Scalar;
use crate::isa::{DtypeLanes, FloatLanes, Isa, LogicLanes, MAX_LANES, MemoryLanes, NumLanes, Registers, ShiftLanes, SignedLanes, V};
use crate::math::Elementary;
use core::fmt::{Debug, Display};
use half::{bf16, f16};

/// Calls `$m!` with every dtype as `(type, DtypeId variant, NumPy name)`.
macro_rules! for_each_dtype {
    ($m:ident) => {
        $m! {
            (bool, Bool, "bool"),
            (i8, I8, "int8"), (i16, I16, "int16"), (i32, I32, "int32"), (i64, I64, "int64"),
            (u8, U8, "uint8"), (u16, U16, "uint16"), (u32, U32, "uint32"), (u64, U64, "uint64"),
            (f16, F16, "float16"), (bf16, Bf16, "bfloat16"), (f32, F32, "float32"), (f64, F64, "float64"),
        }
    };
}

macro_rules! dtype_id {
    ($(($t:ty, $v:ident, $numpy:literal)),* $(,)?) => {
        /// An element type, as a value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum DtypeId {
            $(#[doc = concat!("`", stringify!($t), "`")] $v,)*
        }

        impl DtypeId {
            /// Every dtype, in order: bool, signed, unsigned, float, each small to large.
            pub const ALL: &[Self] = &[$(Self::$v),*];

            /// Rust's name: `f32`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$v => stringify!($t)),* }
            }

            /// NumPy's name: `float32`.
            pub const fn numpy_name(self) -> &'static str {
                match self { $(Self::$v => $numpy),* }
            }

            /// Bytes of one element.
            pub const fn size(self) -> usize {
                match self { $(Self::$v => size_of::<$t>()),* }
            }
        }
    };
}
for_each_dtype!(dtype_id);

impl DtypeId {
    /// `f16`, `bf16`, `f32`, `f64`
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }

    /// `i8..i64`, `u8..u64`
    pub const fn is_int(self) -> bool {
        !self.is_float() && !matches!(self, Self::Bool)
    }
}

impl Display for DtypeId {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A type that arrays of kernels hold.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dtype of the kernel language",
    note = "the dtypes are bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64"
)]
pub trait Dtype:
    sealed::Sealed + DtypeLanes + MemoryLanes + Copy + Send + Sync + Default + PartialEq + PartialOrd + Debug + 'static
{
    /// The dtype as a value.
    const ID: DtypeId;

    /// One value in a computation.
    #[doc(hidden)]
    type Scalar: Copy + Default + PartialEq + PartialOrd + Debug + Send + Sync + 'static;
    /// 16 lanes on a level whose registers come from `fearless_simd`.
    #[doc(hidden)]
    type Fearless<S: fearless_simd::Simd>: Copy;
    /// 16 lanes on the portable level.
    #[doc(hidden)]
    #[cfg(feature = "portable")]
    type Wide: Copy;

    /// The value as a computation has it: exact.
    #[doc(hidden)]
    fn widen(self) -> Self::Scalar;
    /// The value as memory has it: rounded, where `Scalar` is wider.
    #[doc(hidden)]
    fn narrow(x: Self::Scalar) -> Self;
    /// `x as Self`, lane by lane.
    #[doc(hidden)]
    fn cast_from<T: Dtype, I: Isa>(isa: I, x: V<T, I>) -> V<Self, I>;
    /// The lanes, one after the other, as a computation has them; `to` holds a gang.
    #[doc(hidden)]
    fn spill<I: Isa>(isa: I, a: V<Self, I>, to: &mut [Self::Scalar; 16]);
    /// Lanes of values of a computation.
    #[doc(hidden)]
    fn fill<I: Isa>(isa: I, from: &[Self::Scalar; 16]) -> V<Self, I>;
    /// `x as f32`, rounded to odd where f32 cannot hold the value: what is to be rounded further.
    #[doc(hidden)]
    #[inline(always)]
    fn to_f32_odd<I: Isa>(isa: I, x: V<Self, I>) -> V<f32, I> {
        Self::to_f32(isa, x)
    }
    /// One element at any alignment. Only `bool` differs from a plain read.
    ///
    /// # Safety
    /// `p` is readable.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn read(p: *const Self) -> Self {
        // SAFETY: the caller's promise: `p` is readable.
        unsafe { p.read_unaligned() }
    }
}

/// A number: every dtype but `bool`. Has `+ - * / %`, comparisons, `min`, `max`, `clamp`, `as`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number of the kernel language",
    note = "numbers are the integers and f16, bf16, f32, f64"
)]
pub trait Num: Dtype + NumLanes {
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;
    /// The smallest finite value.
    const MIN: Self;
    /// The largest finite value.
    const MAX: Self;

    /// What `min` gives back the other operand for. Of floats NaN: it loses against any number.
    #[doc(hidden)]
    const MIN_IDENTITY: Self;
    /// What `max` gives back the other operand for.
    #[doc(hidden)]
    const MAX_IDENTITY: Self;
    /// What `+` gives back the other operand for. Of floats -0: +0 would change a -0.
    #[doc(hidden)]
    const SUM_IDENTITY: Self;

    /// An integer literal of this type; `lang` has checked that it fits.
    #[doc(hidden)]
    fn from_int_literal(x: i128) -> Self::Scalar;
    /// `a / b` and `a % b`, with a fault for an active lane that divides an integer by zero.
    #[doc(hidden)]
    fn div<I: Isa>(cx: crate::Cx<'_, I>, a: V<Self, I>, b: V<Self, I>) -> V<Self, I>;
    #[doc(hidden)]
    fn rem<I: Isa>(cx: crate::Cx<'_, I>, a: V<Self, I>, b: V<Self, I>) -> V<Self, I>;
    /// `a * b + c`, of a float in one operation where the level has it: what `fast_math` makes of it.
    #[doc(hidden)]
    #[inline(always)]
    fn contract<I: Isa>(isa: I, a: V<Self, I>, b: V<Self, I>, c: V<Self, I>) -> V<Self, I> {
        Self::add(isa, Self::mul(isa, a, b), c)
    }
    /// `a * b - c`
    #[doc(hidden)]
    #[inline(always)]
    fn contract_less<I: Isa>(isa: I, a: V<Self, I>, b: V<Self, I>, c: V<Self, I>) -> V<Self, I> {
        Self::sub(isa, Self::mul(isa, a, b), c)
    }
    /// `c - a * b`
    #[doc(hidden)]
    #[inline(always)]
    fn contract_taken<I: Isa>(isa: I, a: V<Self, I>, b: V<Self, I>, c: V<Self, I>) -> V<Self, I> {
        Self::sub(isa, c, Self::mul(isa, a, b))
    }
    /// The integer part: of an integer, itself.
    #[doc(hidden)]
    #[inline(always)]
    fn whole<I: Isa>(_: I, a: V<Self, I>) -> V<Self, I> {
        a
    }
}

/// A number with a sign: `i8..i64` and the floats. Adds unary `-` and `abs`.
#[diagnostic::on_unimplemented(message = "`{Self}` has no sign", note = "`Signed` holds for i8, i16, i32, i64, f16, bf16, f32, f64")]
pub trait Signed: Num + SignedLanes {
    /// 1 with the sign of `a`; of an integer 0, and of a NaN, itself.
    #[doc(hidden)]
    fn signum<I: Isa>(isa: I, a: V<Self, I>) -> V<Self, I>;
}

/// A type with `& | ^ !`: the integers and `bool`.
#[diagnostic::on_unimplemented(message = "`{Self}` has no bit operations", note = "`Logic` holds for the integers and bool")]
pub trait Logic: Dtype + LogicLanes {}

/// An integer: `i8..i64`, `u8..u64`. Adds `& | ^ ! << >>`. Arithmetic wraps.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer of the kernel language",
    note = "`Int` holds for i8, i16, i32, i64, u8, u16, u32, u64"
)]
pub trait Int: Num + Logic + ShiftLanes {
    /// Bits of one value.
    const BITS: u32;
    /// Whether it has negative values.
    const SIGNED: bool;
    /// The unsigned integer of the same size.
    type Unsigned: Int;
}

/// A floating-point number: `f16`, `bf16`, `f32`, `f64`. Adds the math functions.
///
/// f16 and bf16 are storage types: a kernel computes with them in f32, and rounds once, where it stores (or where it says
/// `x as f16`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a floating-point dtype of the kernel language",
    note = "`Float` holds for f16, bf16, f32 and f64"
)]
pub trait Float: Signed + FloatLanes + Elementary + crate::math::Fast {
    /// The unsigned integer of the same size. The bits of an f16 or bf16 are those of the rounded value.
    type Bits: Int;
    /// +infinity
    const INFINITY: Self;
    /// -infinity
    const NEG_INFINITY: Self;
    /// A quiet NaN.
    const NAN: Self;
    /// The gap between 1 and the next larger value.
    const EPSILON: Self;
    /// The smallest positive normal value.
    const MIN_POSITIVE: Self;
    /// pi
    const PI: Self;
    /// e
    const E: Self;
    /// ln 2
    const LN_2: Self;
    /// The square root of 2.
    const SQRT_2: Self;

    /// A float literal: the same digits rounded to each type, so that `T = f32` means what `f32` means.
    #[doc(hidden)]
    fn from_float_literal(single: f32, double: f64) -> Self::Scalar;
    #[doc(hidden)]
    fn to_bits<I: Isa>(isa: I, x: V<Self, I>) -> V<Self::Bits, I>;
    #[doc(hidden)]
    fn from_bits<I: Isa>(isa: I, x: V<Self::Bits, I>) -> V<Self, I>;
}

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
use crate::isa::fearless::Halves;
#[cfg(feature = "portable")]
use crate::isa::portable as p;
use fearless_simd as f;
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

/// Division of integers up to 32 bits, by way of `f64`: the quotient of two 32-bit integers, rounded to 53 bits, never
/// crosses an integer, so its truncation is exact. `i64` holds it even for `MIN / -1`, which then wraps.
macro_rules! small_int {
    ($($t:ty),*) => {$(
        impl Num for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const MIN: Self = <$t>::MIN;
            const MAX: Self = <$t>::MAX;
            const MIN_IDENTITY: Self = <$t>::MAX;
            const MAX_IDENTITY: Self = <$t>::MIN;
            const SUM_IDENTITY: Self = 0;
            #[inline(always)]
            fn from_int_literal(x: i128) -> Self { x as $t }
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
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const MIN: Self = <$t>::MIN;
            const MAX: Self = <$t>::MAX;
            const MIN_IDENTITY: Self = <$t>::MAX;
            const MAX_IDENTITY: Self = <$t>::MIN;
            const SUM_IDENTITY: Self = 0;
            #[inline(always)]
            fn from_int_literal(x: i128) -> Self { x as $t }
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
