//! Inverse hyperbolic functions, all made of logarithms.

use super::log::{ln, of_1_plus, of_sum};
use super::{Exact, LN2, one};
use crate::double_double::DoubleDouble;

/// ln(1 + w), however small w is.
fn ln_of_1_plus(w: DoubleDouble) -> DoubleDouble {
    if w.hi < 0.25 { of_1_plus(w) } else { of_sum(one() + w) }
}

/// ln(2 a), which is all there is of asinh a and acosh a for a large a.
fn ln_of_twice(a: f64, nearest: f64) -> Exact {
    Exact::unscaled(ln(a).value + LN2, nearest)
}

/// The number whose hyperbolic sine is x: ln(1 + a + a^2/(1 + sqrt(1 + a^2))) for a = |x|.
pub fn asinh(x: f64) -> Exact {
    let nearest = core_math::asinh(x);
    let a = x.abs();
    if !a.is_finite() || a < 1e-40 {
        return Exact::is(nearest);
    }
    if a > 1e100 {
        return ln_of_twice(a, nearest).with_sign_of(x);
    }
    let square = DoubleDouble::product(a, a);
    let w = DoubleDouble::from(a) + square / (one() + (one() + square).sqrt());
    Exact::unscaled(ln_of_1_plus(w), nearest).with_sign_of(x)
}

/// The number whose hyperbolic cosine is x: ln(1 + t + sqrt(t (2 + t))) for t = x - 1.
pub fn acosh(x: f64) -> Exact {
    let nearest = core_math::acosh(x);
    if !(x > 1.0 && x.is_finite()) {
        return Exact::is(nearest);
    }
    if x > 1e100 {
        return ln_of_twice(x, nearest);
    }
    let t = DoubleDouble::sum(x, -1.0);
    let root = (t * (t + 2.0.into())).sqrt();
    Exact::unscaled(ln_of_1_plus(t + root), nearest)
}

/// The number whose hyperbolic tangent is x: half of ln(1 + 2a/(1 - a)) for a = |x|.
pub fn atanh(x: f64) -> Exact {
    let nearest = core_math::atanh(x);
    let a = x.abs();
    if a.is_nan() || !(1e-40..1.0).contains(&a) {
        return Exact::is(nearest);
    }
    let w = DoubleDouble::from(2.0 * a) / DoubleDouble::sum(1.0, -a);
    Exact::unscaled(ln_of_1_plus(w).scaled(0.5), nearest).with_sign_of(x)
}
