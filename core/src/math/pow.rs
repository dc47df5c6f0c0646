//! x to the power y.
//!
//! |x|^y = 2^(y log2 |x|). The error of the logarithm is multiplied by up to 150 (f32). So the f32 form adds the terms of the
//! logarithm that matter most in f64, and takes y log2 |x| less an integer back to f32: the rest is f32's exp2.

use super::exp::{EXP_MAGIC_F32, exp2_poly_f32, scale_f32};
use super::log::split_f32;
use lanecraft_macros::always_inline;

// log2(1+x) on [-0.29290, 0.41422], powers 1 to 12: relative error 2^-33.2 (sollya fpminimax, fit.py pow_log2_f32).
const POW_LOG2_F32_1: f64 = 1.442695040939367;
const POW_LOG2_F32_2: f64 = -0.7213475252127094;
const POW_LOG2_F32_3: f64 = 0.4808983207164639;
const POW_LOG2_F32_4: f64 = -0.3606728005637122;
const POW_LOG2_F32_5: f64 = 0.28854064455955886;
const POW_LOG2_F32_6: f32 = -0.24050418;
const POW_LOG2_F32_7: f32 = 0.20609623;
const POW_LOG2_F32_8: f32 = -0.1790469;
const POW_LOG2_F32_9: f32 = 0.15900171;
const POW_LOG2_F32_10: f32 = -0.15698282;
const POW_LOG2_F32_11: f32 = 0.15485707;
const POW_LOG2_F32_12: f32 = -0.08634455;
/// x^y where x is not a positive number or y not a finite one, for r = |x|^y of finite ones: C99's rules.
#[always_inline(crate = crate)]
fn pow_special_f32(x: f32, y: f32, r: f32) -> f32 {
    let a = x.abs();
    let limit = if (a > 1.0) == (y > 0.0) { f32::INFINITY } else { 0.0 };
    let r = if a == 0.0 || a == f32::INFINITY || y.abs() == f32::INFINITY { limit } else { r };
    let whole = y.trunc() == y;
    let half = 0.5 * y;
    let odd = whole && half.trunc() != half;
    let sign = if odd { x.to_bits() & 0x8000_0000 } else { 0 };
    let r = f32::from_bits(r.to_bits() ^ sign);
    let nan = x.is_nan() || y.is_nan() || (x < 0.0 && a < f32::INFINITY && !whole);
    let r = if nan { f32::NAN } else { r };
    let one = x == 1.0 || y == 0.0 || (a == 1.0 && y.abs() == f32::INFINITY);
    if one { 1.0 } else { r }
}

/// x^y. Max error 0.8912 ULP in 2*10^7 pairs (random bits, near 1, near overflow and underflow, integers, edges), against
/// CORE-MATH.
/// 80 operations, those on special values not counted.
///
/// C99's special values: pow(x, +-0) = pow(1, y) = pow(-1, +-inf) = 1 even for NaN; x < 0 needs an integer y, else NaN,
/// and an odd one gives a negative result, signed zeros and infinities included.
#[always_inline(crate = crate)]
pub fn pow_f32(x: f32, y: f32) -> f32 {
    let (e, f) = split_f32(x.abs());
    let p = f.mul_add(POW_LOG2_F32_12, POW_LOG2_F32_11);
    let p = p.mul_add(f, POW_LOG2_F32_10);
    let p = p.mul_add(f, POW_LOG2_F32_9);
    let p = p.mul_add(f, POW_LOG2_F32_8);
    let p = p.mul_add(f, POW_LOG2_F32_7);
    let p = p.mul_add(f, POW_LOG2_F32_6);
    let g = f as f64;
    let p = (p as f64).mul_add(g, POW_LOG2_F32_5);
    let p = p.mul_add(g, POW_LOG2_F32_4);
    let p = p.mul_add(g, POW_LOG2_F32_3);
    let p = p.mul_add(g, POW_LOG2_F32_2);
    let p = p.mul_add(g, POW_LOG2_F32_1);
    // b = y log2 |x| = n + r
    let b = y as f64 * p.mul_add(g, e as f64);
    let c = b as f32;
    let high = if c > 129.0 { 129.0 } else { c };
    let near = if high < -151.0 { -151.0 } else { high };
    let t = near + EXP_MAGIC_F32;
    let n = t - EXP_MAGIC_F32;
    let r = (b - n as f64) as f32;
    // Beyond the bounds any r will do that is in its interval.
    let r = if c == near { r } else { 0.0 };
    let mut z = scale_f32(exp2_poly_f32(r), t);
    // A loop, because lanes skip one that none of them enters, where they compute both sides of an `if`.
    let mut special = !(x > 0.0 && x < f32::INFINITY && y.abs() < f32::INFINITY);
    while special {
        z = pow_special_f32(x, y, z);
        special = false;
    }
    z
}
