//! The error of one result, in units in the last place of the exact value.
//!
//! Where the exact value is subnormal, the unit is the smallest subnormal number. An infinite result counts as the first
//! number beyond the finite ones. NaN where there should be none (or none where there should be), and a zero of the wrong sign,
//! are infinite errors.

use crate::double_double::DoubleDouble;
use crate::oracle::Exact;

/// A dtype that f64 holds with digits to spare.
#[derive(Clone, Copy, Debug)]
pub struct Narrow {
    /// Binary digits behind the first.
    digits: i32,
    /// The exponents of the smallest normal number and of the largest.
    exponents: (i32, i32),
}

pub const F16: Narrow = Narrow { digits: 10, exponents: (-14, 15) };
pub const BF16: Narrow = Narrow { digits: 7, exponents: (-126, 127) };
pub const F32: Narrow = Narrow { digits: 23, exponents: (-126, 127) };

/// The error of `y`, a number of the narrow dtype, where the value in f64 is `exact`.
pub fn of_narrow(dtype: Narrow, y: f64, exact: f64) -> f64 {
    if let Some(error) = special(y, exact) {
        return error;
    }
    let (lowest, highest) = dtype.exponents;
    let limit = power(highest + 1);
    let (y, exact) = (y.clamp(-limit, limit), exact.clamp(-limit, limit));
    (y - exact).abs() / power(exponent(exact).clamp(lowest, highest) - dtype.digits)
}

/// The error of `y`, where the value is `exact`.
pub fn of_f64(y: f64, exact: &Exact) -> f64 {
    if let Some(error) = special(y, exact.nearest) {
        return error;
    }
    if !exact.value.hi.is_finite() {
        return if y == exact.nearest { 0.0 } else { f64::INFINITY };
    }
    let DoubleDouble { hi, lo } = exact.value;
    ((scaled(y, exact.scale) - hi) - lo).abs() / unit(exact)
}

/// Whether the value rounds to what CORE-MATH says is nearest.
pub fn is_sound(exact: &Exact) -> bool {
    // A millionth: the value itself has some 2^-45 ULP of error.
    of_f64(exact.nearest, exact) <= 0.5 + 1e-6
}

/// The error where one of the two is no ordinary number.
fn special(y: f64, exact: f64) -> Option<f64> {
    let is_right = if exact.is_nan() || y.is_nan() {
        exact.is_nan() && y.is_nan()
    } else if exact == 0.0 && y == 0.0 {
        exact.is_sign_negative() == y.is_sign_negative()
    } else {
        return None;
    };
    Some(if is_right { 0.0 } else { f64::INFINITY })
}

/// The unit in the last place, scaled as the value is.
fn unit(exact: &Exact) -> f64 {
    let exponent = (exponent(exact.value.hi) - exact.scale).clamp(-1022, 1023);
    scaled(power(exponent.max(-970) - 52), exact.scale) * power(exponent - exponent.max(-970))
}

/// `y * 2^scale`, an infinity as 2^1024.
fn scaled(y: f64, scale: i32) -> f64 {
    let half = scale / 2;
    if y.is_infinite() && scale < 0 {
        return power(1023 + half).copysign(y) * 2.0 * power(scale - half);
    }
    y * power(half) * power(scale - half)
}

/// 2^n, for n that f64 has as a normal number.
fn power(n: i32) -> f64 {
    debug_assert!((-1022..=1023).contains(&n), "{n}");
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// The exponent of a number; of zero and subnormal numbers, one below the smallest.
fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

#[cfg(test)]
mod tests {
    use super::{F16, F32, is_sound, of_f64, of_narrow};
    use crate::functions::{FUNCTIONS, Reference};
    use crate::inputs::f64_at;
    use crate::oracle;

    #[test]
    fn f32_errors() {
        let of_f32 = |y: f32, exact| of_narrow(F32, y.into(), exact);
        assert_eq!(of_f32(1.0, 1.0), 0.0);
        assert_eq!(of_f32(1.0 + f32::EPSILON, 1.0), 1.0);
        assert_eq!(of_f32(4.0, 4.0 + f64::from(f32::EPSILON)), 0.25);
        assert_eq!(of_f32(0.0, f64::from(f32::from_bits(1)) * 0.25), 0.25); // subnormal
        assert_eq!(of_f32(f32::INFINITY, 1e300), 0.0);
        assert_eq!(of_f32(f32::MAX, 2.0_f64.powi(128)), 1.0);
        assert_eq!(of_f32(f32::INFINITY, f64::from(f32::MAX)), 1.0);
        assert_eq!(of_f32(f32::NAN, f64::NAN), 0.0);
        assert_eq!(of_f32(f32::NAN, 1.0), f64::INFINITY);
        assert_eq!(of_f32(1.0, f64::NAN), f64::INFINITY);
        assert_eq!(of_f32(-0.0, 0.0), f64::INFINITY);
    }

    #[test]
    fn f16_errors() {
        assert_eq!(of_narrow(F16, 1.0, 1.0 + 1.0 / 2048.0), 0.5);
        assert_eq!(of_narrow(F16, 0.0, 2.0_f64.powi(-26)), 0.25); // subnormal
        assert_eq!(of_narrow(F16, f64::INFINITY, 65504.0), 1.0);
        assert_eq!(of_narrow(F16, f64::INFINITY, 1e300), 0.0);
    }

    #[test]
    fn f64_errors() {
        let next = |x: f64, n: i64| f64::from_bits(x.to_bits().wrapping_add_signed(n));
        for x in [1.0, -3.5, 0.1, 709.7, -708.0, -720.25, -744.9, 1e-300] {
            let exact = oracle::exp(x);
            assert!(is_sound(&exact), "{x}: {exact:?}");
            assert!(of_f64(exact.nearest, &exact) <= 0.5);
            for n in [-1, 1] {
                let error = of_f64(next(exact.nearest, n), &exact);
                assert!((0.5..=1.5).contains(&error), "{x} {n}: {error}");
            }
        }
        // e^709.7827... is 0.6 ULP below the largest number; infinity is one ULP above that.
        let near_overflow = oracle::exp(709.782712893384);
        assert!(of_f64(f64::INFINITY, &near_overflow) < 1000.0 && of_f64(f64::INFINITY, &near_overflow) > 1.0);
        assert_eq!(of_f64(f64::INFINITY, &oracle::exp(800.0)), 0.0);
        assert_eq!(of_f64(0.0, &oracle::exp(-800.0)), 0.0);
        assert_eq!(of_f64(f64::from_bits(1), &oracle::exp(-800.0)), 1.0);
    }

    /// Of every function, on every kind of number.
    #[test]
    fn the_double_double_values_round_to_core_math() {
        for function in FUNCTIONS {
            let Reference::Bounded { exact, .. } = function.reference else { continue };
            for i in 0..40_000 {
                let [x, y] = f64_at(function, i);
                assert!(is_sound(&exact(x, y)), "{} at {x:?} {y:?}: {:?}", function.info.name, exact(x, y));
            }
        }
    }
}
