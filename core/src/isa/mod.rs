//! Lanes: [`Isa`], the proof that a CPU level is present, its registers, and the operations on them.
//!
//! Each operation is one row of a table below. The table makes two traits of it: `XOps<T>`, which a level implements
//! for each dtype, and `XLanes`, which a dtype implements for all levels at once. The second is what lets a body say no
//! more than `T: Float, I: Isa`: generated code carries no where-clauses.

pub mod checked;
#[cfg(target_arch = "x86_64")]
mod count;
pub mod fearless;
mod first;
pub mod half;
pub mod pair;
#[cfg(feature = "portable")]
pub mod portable;
pub mod scalar;
pub mod shims;

use crate::debug::Place;
use crate::dtype::Dtype;
use crate::stream;
use ::half::{bf16, f16};
use half::HalfOps;

/// The lanes of the widest gang.
pub(crate) const MAX_LANES: usize = 64;

/// The registers of a level.
pub trait Registers: Copy + Send + Sync + 'static {
    /// Elements of one register set of any dtype (the gang): 16, but 1 on [`scalar::Scalar`] and twice as many on a
    /// [`pair::Pair`].
    const LANES: usize;
    /// The lanes of one dtype; of `bool`, an opaque mask.
    type V<T: Dtype>: Copy;

    /// Whether the level has the instructions of every CPU and no more, in small registers: code that is long, and seldom run, may be a
    /// function of its own there, which elsewhere would lose the level's instructions; and unrolling gains nothing. (A constant, so that
    /// rustc leaves out what it rules out.)
    const BASELINE: bool = false;

    /// Runs an operation, in a function with the level's instructions that LLVM makes small before it is inlined. Only in what is short: LLVM may
    /// leave a call of what is long.
    #[inline(always)]
    fn apart<R>(self, operation: impl FnOnce() -> R) -> R {
        operation()
    }

    /// Runs a kernel's code in a function with the level's instructions, into which all that is inlined goes.
    #[inline(always)]
    fn enter<R>(self, kernel: impl FnOnce() -> R) -> R {
        kernel()
    }

    /// Whether operations are checked: [`checked::Checked`] alone. (A constant, for the same reason.)
    const CHECKED: bool = false;
    /// On the checked level: in a function of this file.
    #[inline(always)]
    fn in_file(self, _file: &'static str) -> Self {
        self
    }
    /// On the checked level: at this line of the file; 0 outside of the user's code.
    #[inline(always)]
    fn at(self, _line: u32) -> Self {
        self
    }
    /// On the checked level, in an operation of the user's: where it stands.
    #[inline(always)]
    fn place(self) -> Option<Place> {
        None
    }

    /// Copies a cache line past the caches.
    ///
    /// # Safety
    /// `from` is readable and `to` writable for [`stream::LINE`] bytes, and `to` is aligned to them.
    #[inline(always)]
    unsafe fn stream_line(self, from: *const u64, to: *mut u64) {
        // SAFETY: the caller's promise.
        unsafe { stream::words(from, to, stream::LINE / 8) }
    }

    /// Copies the first `count` elements of `size` bytes, where memory holds no more, to a buffer of 16 elements. What the others there
    /// become is unspecified.
    ///
    /// # Safety
    /// The elements are readable and the buffer is writable; `count` is at most 16.
    #[inline(always)]
    unsafe fn load_first(self, from: *const u8, to: *mut u8, count: usize, size: usize) {
        // SAFETY: the caller's promise.
        unsafe { first::copy_few(from, to, count * size) }
    }

    /// Copies `count` elements of `size` bytes that lie `step` bytes apart side by side into a buffer of 16, if there are instructions for
    /// that. What the others there become is unspecified.
    ///
    /// # Safety
    /// The elements and what lies between them are readable, and the buffer is writable; `count` is at most 16.
    #[inline(always)]
    unsafe fn load_apart(self, _from: *const u8, _step: isize, _to: *mut u8, _count: usize, _size: usize) -> bool {
        false
    }

    /// Whether [`count_bytes`](Self::count_bytes) counts any. (A constant, so that rustc leaves out what comes to nothing.)
    const COUNTS_BYTES: bool = false;
    /// Adds how often each byte occurs among `len` of them, without a store for each. Gives how many are counted: the rest, or all of
    /// them, may be too few for that.
    ///
    /// # Safety
    /// The bytes are readable.
    #[inline(always)]
    unsafe fn count_bytes(self, _from: *const u8, _len: usize, _counts: &mut [u64; 256]) -> usize {
        0
    }

    /// Copies the first `count` elements of `size` bytes of a buffer of 16 elements to memory that holds no more.
    ///
    /// # Safety
    /// The buffer is readable and the elements are writable; `count` is at most 16.
    #[inline(always)]
    unsafe fn store_first(self, from: *const u8, to: *mut u8, count: usize, size: usize) {
        // SAFETY: the caller's promise.
        unsafe { first::copy_few(from, to, count * size) }
    }
}

/// The lanes of dtype `T` on level `I`.
pub type V<T, I> = <I as Registers>::V<T>;

/// The lanes of one value of a kernel: [`Registers::V`], with dtype and level known to type inference.
#[repr(transparent)]
pub struct Varying<T: Dtype, I: Isa>(pub V<T, I>);

/// A level of one lane.
pub trait Single: Isa {
    /// The value.
    fn value<T: Dtype>(x: Varying<T, Self>) -> T::Scalar;
    /// The lane of a value.
    fn of<T: Dtype>(x: T::Scalar) -> Varying<T, Self>;
}
macro_rules! single {
    ($($level:ty),*) => {$(
        impl Single for $level {
            #[inline(always)]
            fn value<T: Dtype>(x: Varying<T, Self>) -> T::Scalar {
                x.0
            }
            #[inline(always)]
            fn of<T: Dtype>(x: T::Scalar) -> Varying<T, Self> {
                Varying(x)
            }
        }
    )*};
}
single!(scalar::Scalar, checked::Checked);

impl<T: Dtype, I: Isa> Clone for Varying<T, I> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: Dtype, I: Isa> Copy for Varying<T, I> {}

macro_rules! operand {
    (V, $t:ty, $i:ty) => { V<$t, $i> };
    (M, $t:ty, $i:ty) => { V<bool, $i> };
    (S, $t:ty, $i:ty) => { <$t as Dtype>::Scalar };
    ($other:ident, $t:ty, $i:ty) => { V<$other, $i> };
}

/// What one half of a pair gets of an argument.
macro_rules! half {
    (S $a:ident $half:literal) => {
        $a
    };
    ($k:ident $a:ident $half:literal) => {
        $a[$half]
    };
}

macro_rules! operations {
    (
        $(#[$level_doc:meta])* $Ops:ident, $(#[$dtype_doc:meta])* $Lanes:ident $(: $Super:ident)?, for $($t:ident)*;
        $table:tt
    ) => {
        operations!(@level $(#[$level_doc])* $Ops $table);
        operations!(@dtype $(#[$dtype_doc])* $Lanes [$($Super)?] $table);
        operations!(@pair $Ops $table);
        operations!(@checked $Ops $table);
        $( operations!(@bridge $Ops $Lanes $t $table); )*
    };
    (@level $(#[$doc:meta])* $Ops:ident { $( $(#[$m:meta])* fn $f:ident($($a:ident: $k:ident),*) -> $r:ident; )* }) => {
        $(#[$doc])*
        pub trait $Ops<T: Dtype>: Registers {
            $( $(#[$m])* fn $f(self, $($a: operand!($k, T, Self)),*) -> operand!($r, T, Self); )*
        }
    };
    (@dtype $(#[$doc:meta])* $Lanes:ident [$($Super:ident)?] { $( $(#[$m:meta])* fn $f:ident($($a:ident: $k:ident),*) -> $r:ident; )* }) => {
        $(#[$doc])*
        pub trait $Lanes: Sized $(+ $Super)? {
            $( #[doc(hidden)] fn $f<I: Isa>(isa: I, $($a: operand!($k, Self, I)),*) -> operand!($r, Self, I) where Self: Dtype; )*
        }
    };
    (@pair $Ops:ident { $( $(#[$m:meta])* fn $f:ident($($a:ident: $k:ident),*) -> $r:ident; )* }) => {
        impl<T: Dtype, I: $Ops<T>> $Ops<T> for pair::Pair<I> {
            $(
                #[inline(always)]
                fn $f(self, $($a: operand!($k, T, Self)),*) -> operand!($r, T, Self) {
                    [self.0.$f($(half!($k $a 0)),*), self.0.$f($(half!($k $a 1)),*)]
                }
            )*
        }
    };
    (@checked $Ops:ident { $( $(#[$m:meta])* fn $f:ident($($a:ident: $k:ident),*) -> $r:ident; )* }) => {
        impl<T: Dtype> $Ops<T> for checked::Checked
        where
            scalar::Scalar: $Ops<T>,
        {
            $(
                #[inline(always)]
                fn $f(self, $($a: operand!($k, T, Self)),*) -> operand!($r, T, Self) {
                    <scalar::Scalar as $Ops<T>>::$f(scalar::Scalar, $($a),*)
                }
            )*
        }
    };
    (@bridge $Ops:ident $Lanes:ident $t:ident { $( $(#[$m:meta])* fn $f:ident($($a:ident: $k:ident),*) -> $r:ident; )* }) => {
        impl $Lanes for $t {
            $(
                #[inline(always)]
                fn $f<I: Isa>(isa: I, $($a: operand!($k, $t, I)),*) -> operand!($r, $t, I) {
                    isa.apart(
                        #[inline(always)]
                        || <I as $Ops<$t>>::$f(isa, $($a),*),
                    )
                }
            )*
        }
    };
}

operations! {
    /// What every dtype has on a level.
    DtypeOps, /// What every dtype has, on any level.
    DtypeLanes, for bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64;
    {
        /// The same value in every lane.
        fn splat(x: S) -> V;
        /// `a` where the mask holds, else `b`.
        fn select(m: M, a: V, b: V) -> V;
        /// `a == b`
        fn equal(a: V, b: V) -> M;
        /// `a < b`
        fn less(a: V, b: V) -> M;
        /// `a <= b`
        fn less_equal(a: V, b: V) -> M;
        /// `a as bool`, which Rust has for `bool` alone: elsewhere `a != 0`.
        fn to_bool(a: V) -> bool;
        /// `a as i8`
        fn to_i8(a: V) -> i8;
        /// `a as i16`
        fn to_i16(a: V) -> i16;
        /// `a as i32`
        fn to_i32(a: V) -> i32;
        /// `a as i64`
        fn to_i64(a: V) -> i64;
        /// `a as u8`
        fn to_u8(a: V) -> u8;
        /// `a as u16`
        fn to_u16(a: V) -> u16;
        /// `a as u32`
        fn to_u32(a: V) -> u32;
        /// `a as u64`
        fn to_u64(a: V) -> u64;
        /// `a as f32`
        fn to_f32(a: V) -> f32;
        /// `a as f64`
        fn to_f64(a: V) -> f64;
    }
}

operations! {
    /// Arithmetic; integers wrap.
    NumOps, /// Arithmetic, on any level.
    NumLanes, for i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64;
    {
        /// `a + b`
        fn add(a: V, b: V) -> V;
        /// `a - b`
        fn sub(a: V, b: V) -> V;
        /// `a * b`
        fn mul(a: V, b: V) -> V;
        /// Rust's `min`: a float NaN loses; of -0 and +0 the second operand.
        fn min(a: V, b: V) -> V;
        /// Rust's `max`: a float NaN loses; of -0 and +0 the second operand.
        fn max(a: V, b: V) -> V;
        /// `if a < b { a } else { b }`: `b` where one is NaN. One instruction on x86.
        fn lesser(a: V, b: V) -> V;
        /// `if a > b { a } else { b }`: `b` where one is NaN.
        fn greater(a: V, b: V) -> V;
    }
}

operations! {
    /// Signs; `MIN` wraps.
    SignedOps, /// Signs, on any level.
    SignedLanes, for i8 i16 i32 i64 f16 bf16 f32 f64;
    {
        /// `-a`; of a float, the sign bit flipped.
        fn neg(a: V) -> V;
        /// The absolute value; of a float, the sign bit cleared.
        fn abs(a: V) -> V;
    }
}

operations! {
    /// Bit operations.
    LogicOps, /// Bit operations, on any level.
    LogicLanes, for bool i8 i16 i32 i64 u8 u16 u32 u64;
    {
        /// `a & b`
        fn and(a: V, b: V) -> V;
        /// `a | b`
        fn or(a: V, b: V) -> V;
        /// `a ^ b`
        fn xor(a: V, b: V) -> V;
        /// `!a`
        fn not(a: V) -> V;
    }
}

operations! {
    /// Shifts by amounts below the number of bits.
    ShiftOps, /// Shifts, on any level.
    ShiftLanes, for i8 i16 i32 i64 u8 u16 u32 u64;
    {
        /// `a << b`
        fn shl(a: V, b: V) -> V;
        /// `a >> b`; signed types keep their sign.
        fn shr(a: V, b: V) -> V;
    }
}

operations! {
    /// Floating point, every result rounded once.
    FloatOps, /// Floating point, on any level.
    FloatLanes, for f16 bf16 f32 f64;
    {
        /// `a / b`
        fn div_float(a: V, b: V) -> V;
        /// `a * b + c` with one rounding (two on SSE2 outside its exact mode).
        fn fma(a: V, b: V, c: V) -> V;
        /// `a * b + c` with one rounding on every level, however slow: for what cancels.
        fn fma_once(a: V, b: V, c: V) -> V;
        /// The square root.
        fn sqrt(a: V) -> V;
        /// Toward -infinity.
        fn floor(a: V) -> V;
        /// Toward +infinity.
        fn ceil(a: V) -> V;
        /// Toward zero.
        fn trunc(a: V) -> V;
        /// To the nearest integer, ties to even.
        fn round_ties_even(a: V) -> V;
        /// The magnitude of `a` with the sign of `b`.
        fn copysign(a: V, b: V) -> V;
    }
}

/// Memory, for every dtype on a level. Apart from the tables because it is unsafe.
pub trait MemoryOps<T: Dtype>: Registers {
    /// # Safety
    /// `p` holds `LANES` readable elements, at any alignment.
    unsafe fn load(self, p: *const T) -> V<T, Self>;
    /// # Safety
    /// `p` holds `LANES` writable elements, at any alignment.
    unsafe fn store(self, p: *mut T, a: V<T, Self>);
}

/// Memory, on any level.
pub trait MemoryLanes: Sized {
    /// # Safety
    /// `p` holds `LANES` readable elements, at any alignment.
    #[doc(hidden)]
    unsafe fn load<I: Isa>(isa: I, p: *const Self) -> V<Self, I>
    where
        Self: Dtype;
    /// # Safety
    /// `p` holds `LANES` writable elements, at any alignment.
    #[doc(hidden)]
    unsafe fn store<I: Isa>(isa: I, p: *mut Self, a: V<Self, I>)
    where
        Self: Dtype;
    /// In each lane, the element that the low four bits of `at` name; `None` for a dtype whose tables are only in memory.
    #[doc(hidden)]
    #[inline(always)]
    fn look_up<I: Isa>(_isa: I, _table: &[Self; 16], _at: V<u32, I>) -> Option<V<Self, I>>
    where
        Self: Dtype,
    {
        None
    }
}

macro_rules! memory_lanes {
    ($($t:ident { $($look_up:item)? })*) => {$(
        impl MemoryLanes for $t {
            $($look_up)?
            #[inline(always)]
            unsafe fn load<I: Isa>(isa: I, p: *const Self) -> V<Self, I> {
                isa.apart(
                    #[inline(always)]
                    // SAFETY: the caller's promise.
                    || unsafe { <I as MemoryOps<$t>>::load(isa, p) },
                )
            }
            #[inline(always)]
            unsafe fn store<I: Isa>(isa: I, p: *mut Self, a: V<Self, I>) {
                isa.apart(
                    #[inline(always)]
                    // SAFETY: the caller's promise.
                    || unsafe { <I as MemoryOps<$t>>::store(isa, p, a) },
                )
            }
        }
    )*};
}
memory_lanes! {
    bool {} i8 {} i16 {} i32 {} i64 {} u8 {} u16 {} u64 {} f16 {} bf16 {} f64 {}
    f32 {
        #[inline(always)]
        fn look_up<I: Isa>(isa: I, table: &[f32; 16], at: V<u32, I>) -> Option<V<f32, I>> {
            Some(isa.f32_look_up(table, at))
        }
    }
    u32 {
        #[inline(always)]
        fn look_up<I: Isa>(isa: I, table: &[u32; 16], at: V<u32, I>) -> Option<V<u32, I>> {
            // As floats, which are moved and not looked at.
            Some(isa.f32_to_bits(isa.f32_look_up(bytemuck::cast_ref(table), at)))
        }
    }
}

/// Operations between dtypes that no table row can state.
pub trait BitsOps: Registers {
    /// The lanes that hold, as bits: lane `k` at bit `k`.
    fn bitmask(self, m: V<bool, Self>) -> u64;
    /// The bits of each value.
    fn f32_to_bits(self, a: V<f32, Self>) -> V<u32, Self>;
    /// The value of each bit pattern.
    fn f32_from_bits(self, a: V<u32, Self>) -> V<f32, Self>;
    /// The bits of each value.
    fn f64_to_bits(self, a: V<f64, Self>) -> V<u64, Self>;
    /// The value of each bit pattern.
    fn f64_from_bits(self, a: V<u64, Self>) -> V<f64, Self>;
    /// `a << n`, the same amount for all lanes, below 32.
    fn u32_shl(self, a: V<u32, Self>, n: u32) -> V<u32, Self>;
    /// `a >> n`, the same amount for all lanes, below 32.
    fn u32_shr(self, a: V<u32, Self>, n: u32) -> V<u32, Self>;
    /// `a 2^n` with one rounding, for `t` = n + [`shims::SCALE_F32`] and an integer n of at most 252 in size.
    fn f32_scale(self, a: V<f32, Self>, t: V<f32, Self>) -> V<f32, Self>;
    /// `a 2^n` with one rounding, for `t` = n + [`shims::SCALE_F64`] and an integer n of at most 2044 in size.
    fn f64_scale(self, a: V<f64, Self>, t: V<f64, Self>) -> V<f64, Self>;
    /// In each lane, the element that the low four bits of `at` name.
    fn f32_look_up(self, table: &[f32; 16], at: V<u32, Self>) -> V<f32, Self>;
}

/// All that a level gives one dtype.
pub trait AnyOps<T: Dtype>: DtypeOps<T> + MemoryOps<T> {}
impl<T: Dtype, I: DtypeOps<T> + MemoryOps<T>> AnyOps<T> for I {}
/// All that a level gives one integer dtype.
pub trait IntOps<T: Dtype>: AnyOps<T> + NumOps<T> + LogicOps<T> + ShiftOps<T> {}
impl<T: Dtype, I: AnyOps<T> + NumOps<T> + LogicOps<T> + ShiftOps<T>> IntOps<T> for I {}
/// All that a level gives one float dtype.
pub trait RealOps<T: Dtype>: AnyOps<T> + NumOps<T> + SignedOps<T> + FloatOps<T> {}
impl<T: Dtype, I: AnyOps<T> + NumOps<T> + SignedOps<T> + FloatOps<T>> RealOps<T> for I {}

/// A CPU level: a zero-sized proof that the CPU has it, and the operations of every dtype.
///
/// Sealed by its size: implementing it means implementing every table of this module.
#[rustfmt::skip]
pub trait Isa:
    BitsOps + AnyOps<bool> + LogicOps<bool>
    + IntOps<i8> + IntOps<i16> + IntOps<i32> + IntOps<i64> + SignedOps<i8> + SignedOps<i16> + SignedOps<i32> + SignedOps<i64>
    + IntOps<u8> + IntOps<u16> + IntOps<u32> + IntOps<u64>
    + RealOps<f16> + RealOps<bf16> + HalfOps<f16> + HalfOps<bf16> + RealOps<f32> + RealOps<f64>
{}
#[rustfmt::skip]
impl<I> Isa for I where I:
    BitsOps + AnyOps<bool> + LogicOps<bool>
    + IntOps<i8> + IntOps<i16> + IntOps<i32> + IntOps<i64> + SignedOps<i8> + SignedOps<i16> + SignedOps<i32> + SignedOps<i64>
    + IntOps<u8> + IntOps<u16> + IntOps<u32> + IntOps<u64>
    + RealOps<f16> + RealOps<bf16> + HalfOps<f16> + HalfOps<bf16> + RealOps<f32> + RealOps<f64>
{}
