//! Roots.

use super::{Exact, one, parts, power};
use crate::double_double::DoubleDouble;

/// The real cube root.
pub fn cbrt(x: f64) -> Exact {
    let nearest = core_math::cbrt(x);
    if !x.is_finite() || x == 0.0 {
        return Exact::is(nearest);
    }
    let (m, e) = parts(x.abs());
    let k = e.div_euclid(3);
    let m = m * power(e - 3 * k);
    // One step of Newton's method doubles the digits.
    let y = DoubleDouble::from(m.cbrt());
    let y = y - (y * y * y - m.into()) / (y * y * 3.0.into());
    Exact::unscaled(y.scaled(power(k)), nearest).with_sign_of(x)
}

/// 1 / sqrt(x)
pub fn rsqrt(x: f64) -> Exact {
    if !(x > 0.0 && x < f64::INFINITY) {
        // CORE-MATH gives a zero's sign to the infinity, as IEEE's rSqrt; so does 1 / sqrt.
        return Exact::is(core_math::rsqrt(x));
    }
    let (m, e) = parts(x);
    let k = e.div_euclid(2);
    let value = one() / DoubleDouble::from(m * power(e - 2 * k)).sqrt();
    Exact::unscaled(value.scaled(power(-k)), core_math::rsqrt(x))
}

/// sqrt(x^2 + y^2)
pub fn hypot(x: f64, y: f64) -> Exact {
    let nearest = core_math::hypot(x, y);
    let (a, b) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    if !nearest.is_finite() || b == 0.0 {
        return Exact::is(nearest);
    }
    // Scaled to a in [1, 2); of b what is lost by that has no effect.
    let (a, e) = parts(a);
    let b = if e > 0 { b * power(-e) } else { b * power(-e / 2) * power(-e + e / 2) };
    let value = (DoubleDouble::product(a, a) + DoubleDouble::product(b, b)).sqrt();
    Exact { value, scale: -e, nearest }
}
