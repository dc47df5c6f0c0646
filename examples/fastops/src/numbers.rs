//! How numbers are stored.

use lanecraft::prelude::*;

/// `x / scale` as an 8-bit integer: to the nearest, of two equally near ones to the even one; beyond -128 and 127 those. A NaN
/// gives 0.
#[kernel(dtypes(float))]
#[python_export]
pub fn quantize<T: Float>(x: T, scale: T) -> i8 {
    (x / scale).round_ties_even() as i8
}

/// The class of a number, as IEEE 754 has them, in the order of the values:
///
/// 0 negative infinity, 1 negative normal, 2 negative subnormal, 3 negative zero, 4 positive zero, 5 positive subnormal,
/// 6 positive normal, 7 positive infinity, 8 NaN.
#[kernel(dtypes(f32, f64))]
#[python_export]
pub fn classify<T: Float>(x: T) -> u8 {
    let magnitude = match x.abs() {
        a if a == 0.0 => 0,
        a if a.is_subnormal() => 1,
        a if a.is_finite() => 2,
        _ => 3,
    };
    match (x.is_nan(), x.is_sign_negative()) {
        (true, _) => 8,
        (false, true) => 3 - magnitude,
        (false, false) => 4 + magnitude,
    }
}
