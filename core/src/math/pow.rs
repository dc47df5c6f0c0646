//! x to the power y.
//!
//! |x|^y = e^(y ln |x|). The error of the logarithm is multiplied by up to 104, so that it and its product with y are each a sum of two
//! f32, to about 34 bits: x = 2^k m, 11/16 <= m < 11/8, and for m in one of 16 intervals c is near 1/m and so short that
//! z = c m - 1 is exact. Then ln x = k ln 2 - ln c + (z - z^2/2 + z^3 q(z)); the first terms are carried in two parts (fma, Fast2Sum).
//! Tang (1990) is the method's source; Dekker (1971) that of the two-part arithmetic.

use super::exact::{fma_once, scale};
use super::exp::{LN2_HI_F32, LN2_LO_F32, LOG2E_F32, exp_poly_f32};
use crate::isa::shims::SCALE_F32;
use lanecraft_macros::always_inline;

const MIN_NORMAL: f32 = f32::from_bits(0x0080_0000);
/// The bits of 11/16.
const LEAST: u32 = 0x3f30_0000;
// By the first four bits of the fraction of x: c, and -ln c in two parts, the first of them a multiple of 2^-15.
const INVERSE: [f32; 16] =
    [1.0, 0.90625, 0.875, 0.8125, 0.78125, 0.75, 1.4375, 1.375, 1.3125, 1.25, 1.1875, 1.1875, 1.125, 1.0625, 1.0625, 1.0];
const LOG_HI: [f32; 16] = [
    0.0,
    0.09844971,
    0.13354492,
    0.2076416,
    0.24685669,
    0.2876892,
    -0.36291504,
    -0.31845093,
    -0.27194214,
    -0.22314453,
    -0.17184448,
    -0.17184448,
    -0.11779785,
    -0.060638428,
    -0.060638428,
    0.0,
];
const LOG_LO: [f32; 16] = [
    0.0,
    -9.634218e-06,
    -1.352925e-05,
    -2.2367842e-06,
    3.3884785e-06,
    -7.1365325e-06,
    9.545373e-06,
    -2.8033842e-06,
    8.423188e-06,
    9.799357e-07,
    -5.7745046e-06,
    -5.7745046e-06,
    1.4815906e-05,
    1.3805918e-05,
    1.3805918e-05,
    0.0,
];

// log(1+x) on [-0.0372, 0.0626], fixed part x-x^2/2, powers 3 to 7: relative error 2^-37.7 (sollya fpminimax, fit.py pow_log_f32).
const POW_LOG_F32_3: f32 = 0.3333333;
const POW_LOG_F32_4: f32 = -0.24999994;
const POW_LOG_F32_5: f32 = 0.20002812;
const POW_LOG_F32_6: f32 = -0.16689317;
const POW_LOG_F32_7: f32 = 0.13294356;

/// ln a in two parts for finite a > 0.
#[always_inline(crate = crate)]
fn ln_parts_f32(a: f32) -> (f32, f32) {
    let tiny = a < MIN_NORMAL;
    let bits = if tiny { (a * 16777216.0).to_bits() - (24 << 23) } else { a.to_bits() };
    let k = (bits - LEAST) as i32 >> 23;
    let m = f32::from_bits(bits - (k << 23) as u32);
    let k = k as f32;
    let i = bits >> 19 & 15;
    let z = fma_once(m, INVERSE[i], -1.0);
    // s + s_lo = z - z^2/2 + z^3 q
    let zz = z * z;
    let zz_lo = fma_once(z, z, -zz);
    let s = zz.mul_add(-0.5, z);
    let s_lo = zz_lo.mul_add(-0.5, zz.mul_add(-0.5, z - s));
    let q = z.mul_add(POW_LOG_F32_7, POW_LOG_F32_6);
    let q = q.mul_add(z, POW_LOG_F32_5);
    let q = q.mul_add(z, POW_LOG_F32_4);
    let q = q.mul_add(z, POW_LOG_F32_3);
    let s_lo = (z * zz).mul_add(q, s_lo);
    // w, which is exact, + w_lo = k ln 2 - ln c; where not 0, it is larger than s
    let w = k.mul_add(LN2_HI_F32, LOG_HI[i]);
    let w_lo = k.mul_add(LN2_LO_F32, LOG_LO[i]);
    let l = w + s;
    (l, ((w - l) + s) + (w_lo + s_lo))
}

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
/// 67 operations, those on special values not counted.
///
/// C99's special values: pow(x, +-0) = pow(1, y) = pow(-1, +-inf) = 1 even for NaN; x < 0 needs an integer y, else NaN,
/// and an odd one gives a negative result, signed zeros and infinities included.
#[always_inline(crate = crate)]
pub fn pow_f32(x: f32, y: f32) -> f32 {
    let (l, l_lo) = ln_parts_f32(x.abs());
    let b = y * l;
    let high = if b > 89.0 { 89.0 } else { b };
    let near = if high < -104.0 { -104.0 } else { high };
    // Beyond the bounds the low part has no part in the result, and may be NaN.
    let b_lo = if b == near { y.mul_add(l_lo, fma_once(y, l, -b)) } else { 0.0 };
    let t = near.mul_add(LOG2E_F32, SCALE_F32);
    let n = t - SCALE_F32;
    let r = n.mul_add(-LN2_HI_F32, near);
    let r = n.mul_add(-LN2_LO_F32, r) + b_lo;
    let mut z = scale(exp_poly_f32(r), t);
    // A loop, because lanes skip one that none of them enters, where they compute both sides of an `if`.
    let mut special = !(x > 0.0 && x < f32::INFINITY && y.abs() < f32::INFINITY);
    while special {
        z = pow_special_f32(x, y, z);
        special = false;
    }
    z
}
