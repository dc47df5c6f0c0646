//! x to the power y.
//!
//! |x|^y = e^(y ln |x|). The error of the logarithm is multiplied by up to 104, so that it and its product with y are each a sum of two
//! f32, to about 34 bits: x = 2^k m, 11/16 <= m < 11/8, and for m in one of 16 intervals c is near 1/m and so short that
//! z = c m - 1 is exact. Then ln x = k ln 2 - ln c + (z - z^2/2 + z^3 q(z)); the first terms are carried in two parts (fma, Fast2Sum).
//! Tang (1990) is the method's source; Dekker (1971) that of the two-part arithmetic.

use super::exact::apart;
use super::exact::{fma_once, scale_f32};
use super::exp::{EXP_F32_2, EXP_F32_3, EXP_F32_4, EXP_F32_5, EXP_F32_6, LN2_HI_F32, LN2_LO_F32, LOG2E_F32};
use crate::isa::shims::SCALE_F32;
use lanecraft_macros::always_inline;

const MIN_NORMAL: u32 = 0x0080_0000;
const INFINITY: u32 = 0x7f80_0000;
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

// log(1+x) on [-0.0372, 0.0626], fixed part x-x^2/2, powers 3 to 6: relative error 2^-32.9 (sollya fpminimax, fit.py pow_log_f32).
const POW_LOG_F32_3: f32 = 0.33333328;
const POW_LOG_F32_4: f32 = -0.25001228;
const POW_LOG_F32_5: f32 = 0.20017771;
const POW_LOG_F32_6: f32 = -0.157812;

/// ln a in two parts, for the bits of a > 0; those of a subnormal number less its exponent.
#[always_inline(crate = crate)]
fn ln_parts_f32(bits: u32) -> (f32, f32) {
    let k = (bits - LEAST) as i32 >> 23;
    let m = f32::from_bits(bits - (k << 23) as u32);
    let k = k as f32;
    let i = bits >> 19 & 15;
    let z = fma_once(m, INVERSE[i], -1.0);
    // s + s_lo = z - z^2/2 + z^3 q
    let half = -0.5 * z;
    let s = half.mul_add(z, z);
    let s_lo = fma_once(half, z, z - s);
    let zz = z * z;
    let q = zz.mul_add(z.mul_add(POW_LOG_F32_6, POW_LOG_F32_5), z.mul_add(POW_LOG_F32_4, POW_LOG_F32_3));
    let s_lo = (z * zz).mul_add(q, s_lo);
    // w, which is exact, + w_lo = k ln 2 - ln c; where not 0, it is larger than s
    let w = k.mul_add(LN2_HI_F32, LOG_HI[i]);
    let w_lo = k.mul_add(LN2_LO_F32, LOG_LO[i]);
    let l = w + s;
    (l, ((w - l) + s) + (w_lo + s_lo))
}

/// e^r for |r| <= 0.3468, exp.rs's polynomial: one operation more, in a shorter chain.
#[always_inline(crate = crate)]
fn exp_short_f32(r: f32) -> f32 {
    let rr = r * r;
    let high = rr.mul_add(EXP_F32_6, r.mul_add(EXP_F32_5, EXP_F32_4));
    let p = rr.mul_add(high, r.mul_add(EXP_F32_3, EXP_F32_2));
    1.0 + rr.mul_add(p, r)
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

/// x^y. Max error 1.29 ULP in 4*10^6 pairs (random bits, near 1, near overflow and underflow, integers, edges), against
/// CORE-MATH.
/// 58 operations, those on special values not counted.
///
/// C99's special values: pow(x, +-0) = pow(1, y) = pow(-1, +-inf) = 1 even for NaN; x < 0 needs an integer y, else NaN,
/// and an odd one gives a negative result, signed zeros and infinities included.
#[always_inline(crate = crate)]
pub fn pow_f32(x: f32, y: f32) -> f32 {
    pow_apart_f32(x, y)
}

/// [`pow_all_f32`]. On levels of the baseline's instructions a function of its own: there it is long, and a kernel has it twice, for whole
/// gangs and for the rest.
#[allow(non_camel_case_types, reason = "called like a function")]
enum pow_apart_f32 {}
apart!(pow_apart_f32, pow_all_f32, f32);

#[allow(dead_code, reason = "called over lanes")]
#[always_inline(crate = crate)]
fn pow_all_f32(x: f32, y: f32) -> f32 {
    let mut bits = x.to_bits();
    // Loops, because lanes skip one that none of them enters, where they compute both sides of an `if`.
    let special = bits - MIN_NORMAL >= INFINITY - MIN_NORMAL || y.to_bits() << 1 >= INFINITY << 1;
    let mut prepare = special;
    while prepare {
        let a = x.abs();
        bits = if a < f32::MIN_POSITIVE { (a * 16777216.0).to_bits() - (24 << 23) } else { a.to_bits() };
        prepare = false;
    }
    let (l, l_lo) = ln_parts_f32(bits);
    // b = y l = n ln 2 + r
    let b = y * l;
    let high = if b > 89.0 { 89.0 } else { b };
    let near = if high < -104.0 { -104.0 } else { high };
    let t = near.mul_add(LOG2E_F32, SCALE_F32);
    let n = t - SCALE_F32;
    let r = fma_once(y, l, -(n * LN2_HI_F32));
    let r = y.mul_add(l_lo, n.mul_add(-LN2_LO_F32, r));
    // Beyond the bounds any r will do that is in its interval.
    let r = if b == near { r } else { 0.0 };
    let mut z = scale_f32(exp_short_f32(r), t);
    let mut correct = special;
    while correct {
        z = pow_special_f32(x, y, z);
        correct = false;
    }
    z
}
