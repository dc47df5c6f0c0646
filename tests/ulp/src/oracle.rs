//! f64 functions with about twice the digits, checked against CORE-MATH's correctly rounded ones.
//!
//! CORE-MATH (Sibidanov, Zimmermann, Glondu, ARITH 2022) says which f64 is nearest; the double-double value says by how
//! much it is off, so that errors come in fractions of an ULP. A value that does not round to CORE-MATH's is an error of
//! this file, and reported as one.

use crate::double_double::DoubleDouble;

/// A function's value: `value * 2^-scale`.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    /// The value, scaled to where neither part over- or underflows.
    pub value: DoubleDouble,
    /// The power of two that it is scaled by.
    pub scale: i32,
    /// The f64 nearest to the value, by CORE-MATH.
    pub nearest: f64,
}

impl Exact {
    /// A value that the nearest f64 is as good as.
    pub const fn is(nearest: f64) -> Self {
        Self { value: DoubleDouble::new(nearest, 0.0), scale: 0, nearest }
    }
}

// ln 2 in three parts; the first has 11 trailing zero bits, so that its product with an exponent is exact.
const LN2_1: f64 = f64::from_bits(0x3fe6_2e42_fefa_3800);
const LN2_2: f64 = f64::from_bits(0x3d2e_f357_93c7_6730);
const LN2_3: f64 = f64::from_bits(0x398f_97b5_7a07_9a19);

/// `k * ln 2`.
fn times_ln2(k: f64) -> DoubleDouble {
    DoubleDouble::from(k * LN2_1) + DoubleDouble::product(k, LN2_2) + DoubleDouble::product(k, LN2_3)
}

/// `(k, e^r - 1)` with `x = k ln 2 + r`.
fn reduced_exp(x: f64) -> (i32, DoubleDouble) {
    const HALVINGS: i32 = 8;
    const TERMS: u32 = 10;
    let k = (x * std::f64::consts::LOG2_E).round_ties_even();
    let r = (DoubleDouble::from(x) - times_ln2(k)).scaled(2.0_f64.powi(-HALVINGS));
    // e^r - 1 = r (1 + r/2 (1 + r/3 (1 + ...))), then (1 + p)^2 - 1 = 2p + p^2 for each halving.
    let mut p = DoubleDouble::from(1.0);
    for n in (2..=TERMS).rev() {
        p = DoubleDouble::from(1.0) + p * r / f64::from(n).into();
    }
    p = p * r;
    for _ in 0..HALVINGS {
        p = p.scaled(2.0) + p * p;
    }
    (k as i32, p)
}

/// e^x
pub fn exp(x: f64) -> Exact {
    let nearest = core_math::exp(x);
    if nearest.is_infinite() || x.is_nan() || x < -750.0 || x.abs() < 1e-40 {
        return Exact::is(nearest);
    }
    let (k, p) = reduced_exp(x);
    let scale = if k.abs() < 500 { 0 } else { -k };
    let value = (DoubleDouble::from(1.0) + p).scaled(2.0_f64.powi(k + scale));
    Exact { value, scale, nearest }
}

/// ln x
pub fn ln(x: f64) -> Exact {
    let nearest = core_math::log(x);
    if !(x > 0.0 && x < f64::INFINITY) || x == 1.0 {
        return Exact::is(nearest);
    }
    // x = m 2^e with m in [0.75, 1.5): where e is not 0, e ln 2 outweighs ln m.
    let (normal, offset) = if x < f64::MIN_POSITIVE { (x * 2.0_f64.powi(54), 54) } else { (x, 0) };
    let bits = normal.to_bits();
    let mut m = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    let mut e = (bits >> 52) as i32 - 1023 - offset;
    if m >= 1.5 {
        (m, e) = (m / 2.0, e + 1);
    }
    let ln_m = if (m - 1.0).abs() < 0.02 { ln_near_1(m) } else { ln_by_exp(m) };
    Exact { value: times_ln2(f64::from(e)) + ln_m, scale: 0, nearest }
}

/// ln m = 2 artanh s, s = (m - 1) / (m + 1); m - 1 is exact.
fn ln_near_1(m: f64) -> DoubleDouble {
    const TERMS: u32 = 8;
    let s = DoubleDouble::from(m - 1.0) / DoubleDouble::sum(m, 1.0);
    let square = s * s;
    let mut sum = DoubleDouble::from(0.0);
    for n in (0..TERMS).rev() {
        sum = sum * square + DoubleDouble::from(1.0) / f64::from(2 * n + 1).into();
    }
    (sum * s).scaled(2.0)
}

/// ln m = y + ln(1 + d), d = m e^-y - 1, with y an approximation.
fn ln_by_exp(m: f64) -> DoubleDouble {
    let y = m.ln();
    let (k, p) = reduced_exp(-y);
    let e_minus_y = (DoubleDouble::from(1.0) + p).scaled(2.0_f64.powi(k));
    let d = e_minus_y * m.into() - 1.0.into();
    DoubleDouble::from(y) + d - (d * d).scaled(0.5)
}

/// tanh x
pub fn tanh(x: f64) -> Exact {
    let nearest = core_math::tanh(x);
    // Below, x - x^3/3 is x to a hundred digits; above, 1 - tanh x is below a tenth of an ULP of 1.
    if x.is_nan() || x.abs() < 1e-60 || x.abs() > 40.0 {
        return Exact::is(nearest);
    }
    // tanh a = -w / (2 + w), w = e^-2a - 1.
    let (k, p) = reduced_exp(-2.0 * x.abs());
    let one = DoubleDouble::from(1.0);
    let w = if k == 0 { p } else { (one + p).scaled(2.0_f64.powi(k)) - one };
    let value = -w / (w + 2.0.into());
    Exact { value: if x < 0.0 { -value } else { value }, scale: 0, nearest }
}

#[cfg(test)]
mod tests {
    use super::{exp, ln, tanh};

    /// The nearest f64, and the f64 nearest to what is left, by mpmath with 80 digits.
    #[test]
    fn values_have_twice_the_digits() {
        let check = |value: super::Exact, hi: f64, lo: f64| {
            let difference = (value.value.hi - hi) + (value.value.lo - lo);
            assert!(difference.abs() <= 1e-30 * hi.abs(), "{value:?}: {difference:e}");
        };
        check(exp(1.0), 2.718281828459045, 1.4456468917292502e-16);
        check(ln(10.0), 2.302585092994046, -2.1707562233822494e-16);
        check(ln(1.0009765625), 0.0009760859730554589, -2.8791156534096714e-20);
        check(exp(-3.0), 0.049787068367863944, -1.4831389691394365e-18);
        check(tanh(0.5), 0.46211715726000974, 2.1916603238260928e-17);
        check(tanh(0.001), 0.0009999996666668, 1.7800613799166557e-20);
    }
}
