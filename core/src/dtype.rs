//! Element types, and the traits a kernel names in its bounds.

mod implementations;

use crate::isa::{DtypeLanes, FloatLanes, Isa, LogicLanes, MemoryLanes, NumLanes, ShiftLanes, SignedLanes, V};
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
