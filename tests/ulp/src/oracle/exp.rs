//! Exponentials.

use super::{Exact, LN2, one, power};
use crate::double_double::DoubleDouble;

// ln 2 in three parts; the first has 11 trailing zero bits, so that its product with an exponent is exact.
const LN2_1: f64 = f64::from_bits(0x3fe6_2e42_fefa_3800);
const LN2_2: f64 = f64::from_bits(0x3d2e_f357_93c7_6730);
const LN2_3: f64 = f64::from_bits(0x398f_97b5_7a07_9a19);

/// `k * ln 2`.
pub(super) fn times_ln2(k: f64) -> DoubleDouble {
    DoubleDouble::from(k * LN2_1) + DoubleDouble::product(k, LN2_2) + DoubleDouble::product(k, LN2_3)
}

/// `e^r - 1` for small `r`.
fn small_exp_m1(r: DoubleDouble) -> DoubleDouble {
    const HALVINGS: i32 = 8;
    const TERMS: u32 = 10;
    let r = r.scaled(power(-HALVINGS));
    // e^r - 1 = r (1 + r/2 (1 + r/3 (1 + ...))), then (1 + p)^2 - 1 = 2p + p^2 for each halving.
    let mut p = one();
    for n in (2..=TERMS).rev() {
        p = one() + p * r / f64::from(n).into();
    }
    p = p * r;
    for _ in 0..HALVINGS {
        p = p.scaled(2.0) + p * p;
    }
    p
}

/// `(k, e^r - 1)` with `x = k ln 2 + r`.
pub(super) fn reduced_exp(x: DoubleDouble) -> (i32, DoubleDouble) {
    let k = (x.hi * std::f64::consts::LOG2_E).round_ties_even();
    (k as i32, small_exp_m1(x - times_ln2(k)))
}

/// `2^k (1 + p)`, scaled where k is large.
pub(super) fn scaled_exp((k, p): (i32, DoubleDouble), nearest: f64) -> Exact {
    let scale = if k.abs() < 500 { 0 } else { -k };
    Exact { value: (one() + p).scaled(power(k + scale)), scale, nearest }
}

/// e^x
pub fn exp(x: f64) -> Exact {
    let nearest = core_math::exp(x);
    if nearest.is_infinite() || x.is_nan() || x < -750.0 || x.abs() < 1e-40 {
        return Exact::is(nearest);
    }
    scaled_exp(reduced_exp(x.into()), nearest)
}

/// 2^x
pub fn exp2(x: f64) -> Exact {
    let nearest = core_math::exp2(x);
    if nearest.is_infinite() || x.is_nan() || x < -1100.0 || x.abs() < 1e-40 {
        return Exact::is(nearest);
    }
    let k = x.round_ties_even();
    scaled_exp((k as i32, small_exp_m1(LN2 * (x - k).into())), nearest)
}

/// e^x - 1
pub fn exp_m1(x: f64) -> Exact {
    let nearest = core_math::expm1(x);
    // Below, x (1 + x/2) is x to forty digits; far below 0, -1 is.
    if nearest.is_infinite() || x.is_nan() || x < -150.0 || x.abs() < 1e-40 {
        return Exact::is(nearest);
    }
    let (k, p) = reduced_exp(x.into());
    if k == 0 {
        return Exact::unscaled(p, nearest);
    }
    let scale = if k < 500 { 0 } else { -k };
    Exact { value: (one() + p).scaled(power(k + scale)) - power(scale).into(), scale, nearest }
}

/// 1 / (1 + e^-x)
pub fn sigmoid(x: f64) -> Exact {
    if !(-800.0..=100.0).contains(&x) {
        return Exact::is(if x < 0.0 {
            0.0
        } else if x > 0.0 {
            1.0
        } else {
            x
        });
    }
    let (k, p) = reduced_exp((-x).into());
    let exact = if k < 500 {
        Exact::unscaled(one() / (one() + (one() + p).scaled(power(k))), 0.0)
    } else {
        Exact { value: one() / (DoubleDouble::from(power(-k)) + one() + p), scale: k, nearest: 0.0 }
    };
    // CORE-MATH has no such function: what the value itself rounds to. Of a subnormal result rounded twice, a neighbour may be.
    let (hi, scale) = (exact.value.hi, exact.scale);
    let rounded = hi * power(-scale / 2) * power(scale / 2 - scale);
    let error = |y: f64| crate::error::of_f64(y, &Exact { nearest: y, ..exact });
    let nearest =
        [rounded.next_up(), rounded.next_down()].into_iter().fold(rounded, |best, y| if error(y) < error(best) { y } else { best });
    Exact { nearest, ..exact }
}

/// sinh x
pub fn sinh(x: f64) -> Exact {
    let nearest = core_math::sinh(x);
    if nearest.is_infinite() || x.is_nan() || x.abs() < 1e-40 {
        return Exact::is(nearest);
    }
    let (k, p) = reduced_exp(x.abs().into());
    if k == 0 {
        // (e^a - e^-a) / 2 = (p + p / (1 + p)) / 2
        return Exact::unscaled((p + p / (one() + p)).scaled(0.5), nearest).with_sign_of(x);
    }
    halves(k, p, -1.0, nearest).with_sign_of(x)
}

/// cosh x
pub fn cosh(x: f64) -> Exact {
    let nearest = core_math::cosh(x);
    if nearest.is_infinite() || x.is_nan() {
        return Exact::is(nearest);
    }
    let (k, p) = reduced_exp(x.abs().into());
    halves(k, p, 1.0, nearest)
}

/// `(e^a + sign e^-a) / 2` for `e^a = 2^k (1 + p)`.
fn halves(k: i32, p: DoubleDouble, sign: f64, nearest: f64) -> Exact {
    let scale = if k < 500 { 0 } else { -k };
    let up = (one() + p).scaled(0.5);
    let down = DoubleDouble::from(0.5 * sign) / (one() + p);
    Exact { value: up.scaled(power(k + scale)) + down.scaled(power(-k + scale)), scale, nearest }
}

/// tanh x
pub fn tanh(x: f64) -> Exact {
    let nearest = core_math::tanh(x);
    // Below, x - x^3/3 is x to a hundred digits; above, 1 - tanh x is below a tenth of an ULP of 1.
    if x.is_nan() || x.abs() < 1e-60 || x.abs() > 40.0 {
        return Exact::is(nearest);
    }
    // tanh a = -w / (2 + w), w = e^-2a - 1.
    let (k, p) = reduced_exp((-2.0 * x.abs()).into());
    let w = if k == 0 { p } else { (one() + p).scaled(power(k)) - one() };
    Exact::unscaled(-w / (w + 2.0.into()), nearest).with_sign_of(x)
}
