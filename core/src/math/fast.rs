//! The quick variants that `fast_math` takes: within 4 ULP, as most of what the roundings along the way lost is left out.
//! docs/accuracy.md has what is measured.
//!
//! Only of functions and dtypes where that is worth a fifth of the time and more (the rows `fast_math` of benches/speed.toml); the others
//! are the same with and without it. acosh and asinh of f64 gained 13 to 19 % on AVX-512. What could be left out of tanh, exp, ln, sin
//! and cos is at most two of some 20 operations, and pow cannot do with less than the two parts of its logarithm.

use super::erf::{erf_poly_f32, erfc_quick_f32};
use super::erf64::{erf_poly_f64, erfc_quick_f64};
use super::inverse_hyperbolic::{BIG_F32, asinh_poly_f32};
use super::log::{ln_of_f32, split_normal_f32};
use super::sigmoid::{sigmoid_parts_f32, sigmoid_parts_f64};
use lanecraft_macros::always_inline;

/// asinh x, see [`asinh_f32`](super::asinh_f32).
#[always_inline(crate = crate)]
pub fn asinh_fast_f32(x: f32) -> f32 {
    let a = x.abs();
    let z = a * a;
    let near = asinh_poly_f32(z).mul_add(z * a, a);
    let big = a > BIG_F32;
    let u = if big { a } else { a + a.mul_add(a, 1.0).sqrt() };
    let (e, f) = split_normal_f32(u);
    let far = ln_of_f32(if big { e + 1.0 } else { e }, f);
    let y = if a <= 0.5 { near } else { far };
    let y = if a < f32::INFINITY { y } else { a };
    y.copysign(x)
}

/// acosh x, see [`acosh_f32`](super::acosh_f32).
#[always_inline(crate = crate)]
pub fn acosh_fast_f32(x: f32) -> f32 {
    let t = x - 1.0;
    let small = x < 1.5;
    let big = x > BIG_F32;
    let s = if small { t + t } else { x.mul_add(x, -1.0) }.sqrt();
    let z = 0.5 * t;
    let near = asinh_poly_f32(z).mul_add(z * s, s);
    let (e, f) = split_normal_f32(if big { x } else { x + s });
    let far = ln_of_f32(if big { e + 1.0 } else { e }, f);
    let y = if small { near } else { far };
    if x < f32::INFINITY { y } else { x }
}

/// erfc x, see [`erfc_f32`](super::erfc_f32).
#[always_inline(crate = crate)]
pub fn erfc_fast_f32(x: f32) -> f32 {
    let a = x.abs();
    let mut y = x.mul_add(-(1.0 + erf_poly_f32(x * x)), 1.0);
    // Up to 0.8, beyond which the difference is below 1/4: the other form is at its worst there.
    let mut far = !(a < 0.8);
    while far {
        let r = erfc_quick_f32(if a > 10.1 { 10.1 } else { a });
        y = if x < 0.0 { 2.0 - r } else { r };
        far = false;
    }
    y
}

/// 1 / (1 + e^-x), see [`sigmoid_f32`](super::sigmoid_f32).
#[always_inline(crate = crate)]
pub fn sigmoid_fast_f32(x: f32) -> f32 {
    let (q, sj, sk) = sigmoid_parts_f32(x);
    sk / sj.mul_add(q, sj + sk)
}

/// erfc x, see [`erfc_f64`](super::erfc_f64).
#[always_inline(crate = crate)]
pub fn erfc_fast_f64(x: f64) -> f64 {
    let a = x.abs();
    let mut y = x.mul_add(-(1.0 + erf_poly_f64(x * x)), 1.0);
    // Up to 0.8, beyond which the difference is below 1/4: the other form is at its worst there.
    let mut far = !(a < 0.8);
    while far {
        let r = erfc_quick_f64(if a > 27.3 { 27.3 } else { a });
        y = if x < 0.0 { 2.0 - r } else { r };
        far = false;
    }
    y
}

/// 1 / (1 + e^-x), see [`sigmoid_f64`](super::sigmoid_f64).
#[always_inline(crate = crate)]
pub fn sigmoid_fast_f64(x: f64) -> f64 {
    let (q, sj, sk) = sigmoid_parts_f64(x);
    sk / sj.mul_add(q, sj + sk)
}
