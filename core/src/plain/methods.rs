//! The methods, by way of the lanes of one value.

use super::with_cx;
use crate::dtype::{Float, Int, Num, Signed};
use crate::isa::Varying;
use crate::lane;

macro_rules! methods {
    ($($name:ident<T: $bound:ident>($($a:ident: $t:ty),*) -> $r:ty;)*) => {$(
        #[doc = concat!("[`lane::", stringify!($name), "`](crate::lane::", stringify!($name), ") of one value.")]
        #[inline(always)]
        pub fn $name<T: $bound>($($a: $t),*) -> $r {
            with_cx(|cx| lane::$name::<T, _>(cx, $(Varying($a)),*).0)
        }
    )*};
}
methods! {
    abs_diff<T: Int>(a: T, b: T) -> T::Unsigned;
    count_ones<T: Int>(a: T) -> u32;
    count_zeros<T: Int>(a: T) -> u32;
    div_euclid<T: Num>(a: T, b: T) -> T;
    fract<T: Float>(a: T) -> T;
    is_finite<T: Float>(a: T) -> bool;
    is_infinite<T: Float>(a: T) -> bool;
    is_negative<T: Int>(a: T) -> bool;
    is_normal<T: Float>(a: T) -> bool;
    is_positive<T: Int>(a: T) -> bool;
    is_power_of_two<T: Int>(a: T) -> bool;
    is_sign_negative<T: Float>(a: T) -> bool;
    is_sign_positive<T: Float>(a: T) -> bool;
    is_subnormal<T: Float>(a: T) -> bool;
    leading_ones<T: Int>(a: T) -> u32;
    leading_zeros<T: Int>(a: T) -> u32;
    pow<T: Int>(a: T, n: u32) -> T;
    powi<T: Float>(a: T, n: i32) -> T;
    recip<T: Float>(a: T) -> T;
    rem_euclid<T: Num>(a: T, b: T) -> T;
    reverse_bits<T: Int>(a: T) -> T;
    rotate_left<T: Int>(a: T, n: u32) -> T;
    rotate_right<T: Int>(a: T, n: u32) -> T;
    rsqrt<T: Float>(a: T) -> T;
    saturating_add<T: Int>(a: T, b: T) -> T;
    saturating_mul<T: Int>(a: T, b: T) -> T;
    saturating_sub<T: Int>(a: T, b: T) -> T;
    signum<T: Signed>(a: T) -> T;
    swap_bytes<T: Int>(a: T) -> T;
    to_degrees<T: Float>(a: T) -> T;
    to_radians<T: Float>(a: T) -> T;
    trailing_ones<T: Int>(a: T) -> u32;
    trailing_zeros<T: Int>(a: T) -> u32;
    unsigned_abs<T: Int>(a: T) -> T::Unsigned;
    wrapping_abs<T: Int>(a: T) -> T;
    wrapping_add<T: Int>(a: T, b: T) -> T;
    wrapping_div<T: Int>(a: T, b: T) -> T;
    wrapping_mul<T: Int>(a: T, b: T) -> T;
    wrapping_neg<T: Int>(a: T) -> T;
    wrapping_pow<T: Int>(a: T, n: u32) -> T;
    wrapping_rem<T: Int>(a: T, b: T) -> T;
    wrapping_shl<T: Int>(a: T, n: u32) -> T;
    wrapping_shr<T: Int>(a: T, n: u32) -> T;
    wrapping_sub<T: Int>(a: T, b: T) -> T;
}

macro_rules! overflowing {
    ($($name:ident)*) => {$(
        #[doc = concat!("[`lane::", stringify!($name), "`](crate::lane::", stringify!($name), ") of one value.")]
        #[inline(always)]
        pub fn $name<T: Int>(a: T, b: T) -> (T, bool) {
            with_cx(|cx| {
                let (y, wrapped) = lane::$name::<T, _>(cx, Varying(a), Varying(b));
                (y.0, wrapped.0)
            })
        }
    )*};
}
overflowing!(overflowing_add overflowing_sub overflowing_mul);
