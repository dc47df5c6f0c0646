//! The error function.

use super::exp::{reduced_exp, scaled_exp};
use super::{Exact, one};
use crate::double_double::DoubleDouble;

/// 2/sqrt(pi)
const TWO_OVER_SQRT_PI: DoubleDouble = DoubleDouble::new(f64::from_bits(0x3ff2_0dd7_5042_9b6d), f64::from_bits(0x3c71_ae3a_914f_ed80));
/// From here on the continued fraction is the shorter way.
const TAIL: f64 = 2.0;

/// erf a for `0 <= a <= TAIL`: 2/sqrt(pi) e^(-a^2) (a + 2a^3/3 + 4a^5/(3 5) + ...), of terms that all have one sign.
fn series(a: f64) -> DoubleDouble {
    let square = DoubleDouble::product(a, a);
    let (mut term, mut sum, mut n) = (DoubleDouble::from(a), DoubleDouble::from(a), 1.0);
    while term.hi > sum.hi * 1e-34 {
        n += 2.0;
        term = term * square.scaled(2.0) / n.into();
        sum = sum + term;
    }
    TWO_OVER_SQRT_PI * exp_minus(square).value * sum
}

/// e^-v for `v` up to 750.
fn exp_minus(v: DoubleDouble) -> Exact {
    scaled_exp(reduced_exp(-v), 0.0)
}

/// erfc a for `a >= TAIL`: e^(-a^2)/sqrt(pi) times the continued fraction 1/(a + (1/2)/(a + (2/2)/(a + ...))), from its end.
fn tail(a: f64) -> Exact {
    let terms = (600.0 / (a * a)) as u32 + 20;
    let mut fraction = DoubleDouble::from(a);
    for k in (1..=terms).rev() {
        fraction = DoubleDouble::from(a) + DoubleDouble::from(0.5 * f64::from(k)) / fraction;
    }
    let e = exp_minus(DoubleDouble::product(a, a));
    Exact { value: e.value * TWO_OVER_SQRT_PI.scaled(0.5) / fraction, ..e }
}

/// erf x
pub fn erf(x: f64) -> Exact {
    let nearest = core_math::erf(x);
    let a = x.abs();
    if x.is_nan() || a > 7.0 {
        return Exact::is(nearest);
    }
    if a < 1e-30 {
        return small(x, nearest);
    }
    let value = if a < TAIL { series(a) } else { one() - tail(a).value };
    Exact::unscaled(value, nearest).with_sign_of(x)
}

/// x 2/sqrt(pi), which erf x is to sixty digits; scaled, as it may be subnormal.
fn small(x: f64, nearest: f64) -> Exact {
    if x == 0.0 {
        return Exact::is(nearest);
    }
    let (m, e) = super::parts(x.abs());
    Exact { value: TWO_OVER_SQRT_PI * m.into(), scale: -e, nearest }.with_sign_of(x)
}

/// 1 - erf x
pub fn erfc(x: f64) -> Exact {
    let nearest = core_math::erfc(x);
    if x.is_nan() || !(-7.0..=27.3).contains(&x) {
        return Exact::is(nearest);
    }
    if x >= TAIL {
        return Exact { nearest, ..tail(x) };
    }
    let erf = if x.abs() < 1e-30 { DoubleDouble::from(0.0) } else { erf(x).value };
    Exact::unscaled(one() - erf, nearest)
}
