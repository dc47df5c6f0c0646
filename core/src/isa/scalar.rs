//! One lane: the level behind the plain function, which is the reference for every other level.

use super::{BitsOps, DtypeOps, FloatOps, LogicOps, MemoryOps, NumOps, Registers, ShiftOps, SignedOps};
use crate::dtype::Dtype;

/// One value, by Rust's own operations.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

impl Registers for Scalar {
    const LANES: usize = 1;
    type V<T: Dtype> = T::Scalar;
}

impl<T: Dtype> MemoryOps<T> for Scalar {
    #[inline(always)]
    unsafe fn load(self, p: *const T) -> T::Scalar {
        // SAFETY: the caller's promise.
        unsafe { T::read(p).widen() }
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut T, a: T::Scalar) {
        // SAFETY: the caller's promise.
        unsafe { p.write_unaligned(T::narrow(a)) }
    }
}

macro_rules! dtype_ops {
    ($t:ty, $a:ident => to_bool $bool:expr, to_f32 $f32:expr, to_f64 $f64:expr) => {
        impl DtypeOps<$t> for Scalar {
            #[inline(always)]
            fn splat(self, x: $t) -> $t { x }
            #[inline(always)]
            fn select(self, m: bool, a: $t, b: $t) -> $t { if m { a } else { b } }
            #[inline(always)]
            fn equal(self, a: $t, b: $t) -> bool { a == b }
            #[inline(always)]
            fn less(self, a: $t, b: $t) -> bool { a < b }
            #[inline(always)]
            fn less_equal(self, a: $t, b: $t) -> bool { a <= b }
            #[inline(always)]
            fn to_bool(self, $a: $t) -> bool { $bool }
            #[inline(always)]
            fn to_f32(self, $a: $t) -> f32 { $f32 }
            #[inline(always)]
            fn to_f64(self, $a: $t) -> f64 { $f64 }
            dtype_ops!(@cast $t: to_i8 i8, to_i16 i16, to_i32 i32, to_i64 i64, to_u8 u8, to_u16 u16, to_u32 u32, to_u64 u64);
        }
    };
    (@cast $t:ty: $($f:ident $to:ty),*) => {$(
        #[inline(always)]
        fn $f(self, a: $t) -> $to { a as $to }
    )*};
}
dtype_ops!(bool, a => to_bool a, to_f32 a as u8 as f32, to_f64 a as u8 as f64);

macro_rules! num {
    ($($t:ty)*; $min:ident $max:ident $add:ident $sub:ident $mul:ident $zero:literal) => {$(
        dtype_ops!($t, a => to_bool a != $zero, to_f32 a as f32, to_f64 a as f64);
        impl NumOps<$t> for Scalar {
            #[inline(always)]
            fn add(self, a: $t, b: $t) -> $t { a.$add(b) }
            #[inline(always)]
            fn sub(self, a: $t, b: $t) -> $t { a.$sub(b) }
            #[inline(always)]
            fn mul(self, a: $t, b: $t) -> $t { a.$mul(b) }
            #[inline(always)]
            fn min(self, a: $t, b: $t) -> $t { $min!(a, b) }
            #[inline(always)]
            fn max(self, a: $t, b: $t) -> $t { $max!(a, b) }
            #[inline(always)]
            fn lesser(self, a: $t, b: $t) -> $t { if a < b { a } else { b } }
            #[inline(always)]
            fn greater(self, a: $t, b: $t) -> $t { if a > b { a } else { b } }
        }
    )*};
}
macro_rules! int_min {
    ($a:ident, $b:ident) => {
        Ord::min($a, $b)
    };
}
macro_rules! int_max {
    ($a:ident, $b:ident) => {
        Ord::max($a, $b)
    };
}
// Spelled out, because Rust leaves open which zero `f32::min(-0.0, 0.0)` gives.
macro_rules! float_min {
    ($a:ident, $b:ident) => {
        if $a < $b || $b.is_nan() { $a } else { $b }
    };
}
macro_rules! float_max {
    ($a:ident, $b:ident) => {
        if $a > $b || $b.is_nan() { $a } else { $b }
    };
}
use core::ops::{Add, Mul, Sub};
num!(i8 i16 i32 i64 u8 u16 u32 u64; int_min int_max wrapping_add wrapping_sub wrapping_mul 0);
num!(f32 f64; float_min float_max add sub mul 0.0);

macro_rules! logic {
    ($($t:ty)*) => {$(
        impl LogicOps<$t> for Scalar {
            #[inline(always)]
            fn and(self, a: $t, b: $t) -> $t { a & b }
            #[inline(always)]
            fn or(self, a: $t, b: $t) -> $t { a | b }
            #[inline(always)]
            fn xor(self, a: $t, b: $t) -> $t { a ^ b }
            #[inline(always)]
            fn not(self, a: $t) -> $t { !a }
        }
    )*};
}
logic!(bool i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! shift {
    ($($t:ty)*) => {$(
        impl ShiftOps<$t> for Scalar {
            #[inline(always)]
            fn shl(self, a: $t, b: $t) -> $t { a.wrapping_shl(b as u32) }
            #[inline(always)]
            fn shr(self, a: $t, b: $t) -> $t { a.wrapping_shr(b as u32) }
        }
    )*};
}
shift!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! signed {
    ($($t:ty)*; $neg:ident $abs:ident) => {$(
        impl SignedOps<$t> for Scalar {
            #[inline(always)]
            fn neg(self, a: $t) -> $t { a.$neg() }
            #[inline(always)]
            fn abs(self, a: $t) -> $t { a.$abs() }
        }
    )*};
}
use core::ops::Neg;
signed!(i8 i16 i32 i64; wrapping_neg wrapping_abs);
signed!(f32 f64; neg abs);

macro_rules! float {
    ($($t:ty)*) => {$(
        impl FloatOps<$t> for Scalar {
            #[inline(always)]
            fn div_float(self, a: $t, b: $t) -> $t { a / b }
            #[inline(always)]
            fn fma(self, a: $t, b: $t, c: $t) -> $t { a.mul_add(b, c) }
            #[inline(always)]
            fn fma_once(self, a: $t, b: $t, c: $t) -> $t { a.mul_add(b, c) }
            #[inline(always)]
            fn sqrt(self, a: $t) -> $t { a.sqrt() }
            #[inline(always)]
            fn floor(self, a: $t) -> $t { a.floor() }
            #[inline(always)]
            fn ceil(self, a: $t) -> $t { a.ceil() }
            #[inline(always)]
            fn trunc(self, a: $t) -> $t { a.trunc() }
            #[inline(always)]
            fn round_ties_even(self, a: $t) -> $t { a.round_ties_even() }
            #[inline(always)]
            fn copysign(self, a: $t, b: $t) -> $t { a.copysign(b) }
        }
    )*};
}
float!(f32 f64);

impl BitsOps for Scalar {
    #[inline(always)]
    fn bitmask(self, m: bool) -> u64 {
        m as u64
    }
    #[inline(always)]
    fn f32_to_bits(self, a: f32) -> u32 {
        a.to_bits()
    }
    #[inline(always)]
    fn f32_from_bits(self, a: u32) -> f32 {
        f32::from_bits(a)
    }
    #[inline(always)]
    fn f64_to_bits(self, a: f64) -> u64 {
        a.to_bits()
    }
    #[inline(always)]
    fn f64_from_bits(self, a: u64) -> f64 {
        f64::from_bits(a)
    }
    #[inline(always)]
    fn u32_shl(self, a: u32, n: u32) -> u32 {
        a << n
    }
    #[inline(always)]
    fn u32_shr(self, a: u32, n: u32) -> u32 {
        a >> n
    }
    #[inline(always)]
    fn f32_scale(self, a: f32, t: f32) -> f32 {
        let half = t.to_bits() >> 1;
        a * f32::from_bits(half << 23) * f32::from_bits((t.to_bits() - half) << 23)
    }
    #[inline(always)]
    fn f64_scale(self, a: f64, t: f64) -> f64 {
        let half = t.to_bits() >> 1;
        a * f64::from_bits(half << 52) * f64::from_bits((t.to_bits() - half) << 52)
    }
    #[inline(always)]
    fn f32_look_up(self, table: &[f32; 16], at: u32) -> f32 {
        table[(at & 15) as usize]
    }
}
