//! Powers.

use super::exp::{reduced_exp, scaled_exp};
use super::{Exact, log};

/// x^y = e^(y ln x). ln x has some 100 bits, and y ln x is below 1100 where the result is a number, so that 90 remain.
pub fn powf(x: f64, y: f64) -> Exact {
    let nearest = core_math::pow(x, y);
    if !nearest.is_finite() || nearest == 1.0 && (y == 0.0 || x.abs() == 1.0) || x == 0.0 || x.is_infinite() || y.is_infinite() {
        return Exact::is(nearest);
    }
    let exponent = log::ln(x.abs()).value * y.into();
    if exponent.hi < -760.0 || exponent.hi.abs() < 1e-40 {
        return Exact::is(nearest);
    }
    let exact = scaled_exp(reduced_exp(exponent), nearest);
    if nearest.is_sign_negative() { Exact { value: -exact.value, ..exact } } else { exact }
}
