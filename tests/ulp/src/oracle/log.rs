//! Logarithms.

use super::exp::{reduced_exp, times_ln2};
use super::{Exact, LN2, LN10, one, parts, power};
use crate::double_double::DoubleDouble;

/// `(e, ln m)` with `x = m 2^e`: m in [0.75, 1.5), so that where e is not 0, e ln 2 outweighs ln m.
fn reduced(x: f64) -> (f64, DoubleDouble) {
    let (mut m, mut e) = parts(x);
    if m >= 1.5 {
        (m, e) = (m / 2.0, e + 1);
    }
    (f64::from(e), if (m - 1.0).abs() < 0.02 { near_1(m) } else { by_exp(m) })
}

/// ln m = 2 artanh s, s = (m - 1) / (m + 1); m - 1 is exact.
fn near_1(m: f64) -> DoubleDouble {
    const TERMS: u32 = 8;
    let s = DoubleDouble::from(m - 1.0) / DoubleDouble::sum(m, 1.0);
    let square = s * s;
    let mut sum = DoubleDouble::from(0.0);
    for n in (0..TERMS).rev() {
        sum = sum * square + one() / f64::from(2 * n + 1).into();
    }
    (sum * s).scaled(2.0)
}

/// ln m = y + ln(1 + d), d = m e^-y - 1, with y an approximation.
fn by_exp(m: f64) -> DoubleDouble {
    let y = m.ln();
    let (k, p) = reduced_exp(DoubleDouble::from(-y));
    let e_minus_y = (one() + p).scaled(power(k));
    let d = e_minus_y * m.into() - one();
    DoubleDouble::from(y) + d - (d * d).scaled(0.5)
}

/// ln(1 + w) for w > -1 of moderate size, as `by_exp` does: with d = (1 + w) e^-y - 1, or w e^-y + (e^-y - 1) where w is small.
pub(super) fn of_1_plus(w: DoubleDouble) -> DoubleDouble {
    let y = w.hi.ln_1p();
    let (k, p) = reduced_exp(DoubleDouble::from(-y));
    let e_minus_y = (one() + p).scaled(power(k));
    let d = if w.hi.abs() > 0.25 { (one() + w) * e_minus_y - one() } else { w * e_minus_y + if k == 0 { p } else { e_minus_y - one() } };
    DoubleDouble::from(y) + d - (d * d).scaled(0.5)
}

fn is_ordinary(x: f64) -> bool {
    x > 0.0 && x < f64::INFINITY && x != 1.0
}

/// ln x
pub fn ln(x: f64) -> Exact {
    let nearest = core_math::log(x);
    if !is_ordinary(x) {
        return Exact::is(nearest);
    }
    let (e, ln_m) = reduced(x);
    Exact::unscaled(times_ln2(e) + ln_m, nearest)
}

/// log2 x
pub fn log2(x: f64) -> Exact {
    let nearest = core_math::log2(x);
    if !is_ordinary(x) {
        return Exact::is(nearest);
    }
    let (e, ln_m) = reduced(x);
    Exact::unscaled(DoubleDouble::from(e) + ln_m / LN2, nearest)
}

/// log10 x
pub fn log10(x: f64) -> Exact {
    let nearest = core_math::log10(x);
    if !is_ordinary(x) {
        return Exact::is(nearest);
    }
    let (e, ln_m) = reduced(x);
    Exact::unscaled((times_ln2(e) + ln_m) / LN10, nearest)
}

/// ln(1 + x)
pub fn ln_1p(x: f64) -> Exact {
    let nearest = core_math::log1p(x);
    // Below, x (1 - x/2) is x to forty digits.
    if !(x > -1.0 && x < f64::INFINITY) || x.abs() < 1e-40 {
        return Exact::is(nearest);
    }
    if x > 1e40 {
        return Exact { nearest, ..ln(x) };
    }
    let value = if x.abs() > 0.25 { of_sum(DoubleDouble::sum(1.0, x)) } else { of_1_plus(x.into()) };
    Exact::unscaled(value, nearest)
}

/// ln v, for v not near 1.
pub(super) fn of_sum(v: DoubleDouble) -> DoubleDouble {
    let (e, ln_hi) = reduced(v.hi);
    // ln(hi + lo) = ln hi + ln(1 + lo/hi)
    let t = DoubleDouble::from(v.lo) / v.hi.into();
    times_ln2(e) + ln_hi + t - (t * t).scaled(0.5)
}
