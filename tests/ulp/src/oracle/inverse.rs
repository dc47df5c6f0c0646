//! Inverse trigonometric functions, all made of the angle of a point.

use super::trig::sin_cos;
use super::{Exact, PI, PI_2, one, parts, power};
use crate::double_double::DoubleDouble;

/// The angle of the point (x, y) for `x, y >= 0`, neither too large nor too small.
fn angle(y: DoubleDouble, x: DoubleDouble) -> DoubleDouble {
    let approximate = y.hi.atan2(x.hi);
    // What remains when the point is turned back by that.
    let (s, c) = sin_cos(approximate);
    let t = (y * c - x * s) / (x * c + y * s);
    DoubleDouble::from(approximate) + t - (t * t * t).scaled(1.0 / 3.0)
}

/// The angle of the point (x, y).
pub fn atan2(y: f64, x: f64) -> Exact {
    let nearest = core_math::atan2(y, x);
    let (a, b) = (y.abs(), x.abs());
    if !(a > 0.0 && b > 0.0 && a.is_finite() && b.is_finite()) {
        return Exact { value: special(y, x, nearest), scale: 0, nearest };
    }
    let ((a, i), (b, k)) = (parts(a), parts(b));
    let right = x > 0.0;
    let (value, scale) = match i - k {
        ..=-200 if right => (DoubleDouble::from(a) / b.into(), k - i),
        ..=-200 => (PI, 0),
        200.. => (PI_2, 0),
        _ => {
            let first = angle(DoubleDouble::from(a * power(i - k)), b.into());
            (if right { first } else { PI - first }, 0)
        }
    };
    Exact { value, scale, nearest }.with_sign_of(y)
}

/// Multiples of pi/4, or a NaN.
fn special(y: f64, x: f64, nearest: f64) -> DoubleDouble {
    if nearest.is_nan() || nearest == 0.0 {
        return nearest.into();
    }
    let value = match (y.is_infinite(), x.is_infinite()) {
        (true, true) if x > 0.0 => PI_2.scaled(0.5),
        (true, true) => PI - PI_2.scaled(0.5),
        (false, true) => PI,
        _ if y == 0.0 => PI,
        _ => PI_2,
    };
    if y.is_sign_negative() { -value } else { value }
}

/// The angle whose tangent is x.
pub fn atan(x: f64) -> Exact {
    let nearest = core_math::atan(x);
    if x.is_nan() || x.abs() < 1e-60 {
        return Exact::is(nearest);
    }
    let value = if x.abs() > 1e60 { PI_2 } else { angle(x.abs().into(), one()) };
    Exact::unscaled(value, nearest).with_sign_of(x)
}

/// The angle whose sine is x.
pub fn asin(x: f64) -> Exact {
    let nearest = core_math::asin(x);
    let a = x.abs();
    if !(1e-60..=1.0).contains(&a) {
        return Exact::is(nearest);
    }
    Exact::unscaled(angle(a.into(), other_side(a)), nearest).with_sign_of(x)
}

/// The angle whose cosine is x.
pub fn acos(x: f64) -> Exact {
    let nearest = core_math::acos(x);
    let a = x.abs();
    if a.is_nan() || a >= 1.0 {
        return Exact { value: if x == -1.0 { PI } else { nearest.into() }, scale: 0, nearest };
    }
    let value = if a < 1e-200 { PI_2 } else { angle(other_side(a), a.into()) };
    Exact::unscaled(if x < 0.0 { PI - value } else { value }, nearest)
}

/// sqrt(1 - a^2), by way of (1 - a) (1 + a).
fn other_side(a: f64) -> DoubleDouble {
    (DoubleDouble::sum(1.0, -a) * DoubleDouble::sum(1.0, a)).sqrt()
}
