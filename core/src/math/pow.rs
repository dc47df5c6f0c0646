//! x to the power y.
//!
//! |x|^y = 2^(y log2 |x|). The error of the logarithm is multiplied by up to 150, so that it and its product with y are each a sum of
//! two f32, to about 34 bits: x = 2^k m, 1 <= m < 2, and for m in one of 16 intervals c is near 1/m and so short that
//! z = c m - 1 is exact. Then log2 x = k - log2 c + z (L - z L/2) + z^3 q(z) for L = 1/ln 2; all but the last are carried in two parts
//! (fma, Fast2Sum). Next to 1, on either side, k - log2 c is 0.
//! Tang (1990) is the method's source; Dekker (1971) that of the two-part arithmetic.

use super::exact::apart;
use super::exact::{fma_once, scale_f32};
use super::exp::LOG2E_F32;
use crate::isa::shims::SCALE_F32;
use lanecraft_macros::always_inline;

const MIN_NORMAL: u32 = 0x0080_0000;
const INFINITY: u32 = 0x7f80_0000;
const FRACTION: u32 = 0x007f_ffff;
/// The bits of 1.
const ONE: u32 = 0x3f80_0000;
/// 1/ln 2 less [`LOG2E_F32`].
const LOG2E_LO_F32: f32 = 1.925963e-08;
const HALF_LOG2E_F32: f32 = 0.5 * LOG2E_F32;
// By the first four bits of the fraction of x: c, and -log2 c in two parts, the first of them less the exponent's bias and a
// multiple of 2^-15.
const INVERSE: [f32; 16] =
    [1.0, 0.90625, 0.875, 0.8125, 0.78125, 0.75, 0.71875, 0.6875, 0.65625, 0.625, 0.59375, 0.59375, 0.5625, 0.53125, 0.53125, 0.5];
const LOG2_HI: [f32; 16] = [
    -127.0,
    -126.85797,
    -126.80734,
    -126.70044,
    -126.64386,
    -126.58496,
    -126.52356,
    -126.45944,
    -126.3923,
    -126.32193,
    -126.247925,
    -126.247925,
    -126.16992,
    -126.08746,
    -126.08746,
    -126.0,
];
const LOG2_LO: [f32; 16] = [
    0.0,
    -9.803722e-06,
    -1.2392761e-05,
    -2.650161e-07,
    3.6735066e-06,
    -1.5632212e-06,
    -2.3857444e-06,
    1.0520034e-05,
    -1.3955982e-05,
    1.8367533e-06,
    -2.708756e-06,
    -2.708756e-06,
    -3.1264424e-06,
    5.376559e-07,
    5.376559e-07,
    0.0,
];

// log2(1+x) on [-0.0372, 0.0626], fixed part x L - x^2 LOG2E_F32/2, powers 3 to 6: relative error 2^-33.7 (sollya fpminimax, fit.py
// pow_log_f32).
const POW_LOG_F32_3: f32 = 0.4808983;
const POW_LOG_F32_4: f32 = -0.36070073;
const POW_LOG_F32_5: f32 = 0.28881085;
const POW_LOG_F32_6: f32 = -0.2261804;

/// log2 a in two parts, for the bits of a > 0; those of a subnormal number less its exponent.
#[always_inline(crate = crate)]
fn log2_parts_f32(bits: u32) -> (f32, f32) {
    let k = (bits as i32 >> 23) as f32;
    let m = f32::from_bits(bits & FRACTION | ONE);
    let i = bits >> 19 & 15;
    let z = fma_once(m, INVERSE[i], -1.0);
    // s + s_lo = z u, and u + u_lo = L - z LOG2E_F32/2
    let u = z.mul_add(-HALF_LOG2E_F32, LOG2E_F32);
    let u_lo = z.mul_add(-HALF_LOG2E_F32, LOG2E_F32 - u) + LOG2E_LO_F32;
    let s = z * u;
    let s_lo = fma_once(z, u, -s);
    let zz = z * z;
    let q = zz.mul_add(z.mul_add(POW_LOG_F32_6, POW_LOG_F32_5), z.mul_add(POW_LOG_F32_4, POW_LOG_F32_3));
    let rest = zz.mul_add(q, u_lo);
    // w, which is exact, + LOG2_LO[i] = k - log2 c; where w is not 0, it is larger than s
    let w = k + LOG2_HI[i];
    let l = w + s;
    (l, z.mul_add(rest, s_lo + LOG2_LO[i]) + ((w - l) + s))
}

// 2^x on [-0.67, 0.67], fixed part 1, powers 1 to 7: relative error 2^-30.5 (sollya fpminimax, fit.py pow_exp2_f32).
const POW_EXP2_F32_1: f32 = f32::from_bits(0x3f31_7218);
const POW_EXP2_F32_2: f32 = 0.24022652;
const POW_EXP2_F32_3: f32 = 0.05550407;
const POW_EXP2_F32_4: f32 = 0.009617877;
const POW_EXP2_F32_5: f32 = 0.0013335352;
const POW_EXP2_F32_6: f32 = 0.00015510853;
const POW_EXP2_F32_7: f32 = 1.5070342e-05;

/// 2^r for |r| <= 0.67.
#[always_inline(crate = crate)]
fn exp2_wide_f32(r: f32) -> f32 {
    let p = r.mul_add(POW_EXP2_F32_7, POW_EXP2_F32_6);
    let p = p.mul_add(r, POW_EXP2_F32_5);
    let p = p.mul_add(r, POW_EXP2_F32_4);
    let p = p.mul_add(r, POW_EXP2_F32_3);
    let p = p.mul_add(r, POW_EXP2_F32_2);
    let p = p.mul_add(r, POW_EXP2_F32_1);
    p.mul_add(r, 1.0)
}

/// The bounds of n + [`SCALE_F32`], beyond which 2^n is inf and 0.
const MOST: f32 = SCALE_F32 + 129.0;
const LEAST: f32 = SCALE_F32 - 151.0;

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

/// x^y. Max error 0.9744 ULP in 4.4*10^7 pairs (random bits, small ones, of like size, integers, edges), against a double-double value.
/// 48 operations, those on special values not counted.
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
    let special = bits - MIN_NORMAL >= INFINITY - MIN_NORMAL;
    let mut prepare = special;
    while prepare {
        // Not `abs`: shared with the other loop, it would be computed in front of both.
        let a = if x < 0.0 { -x } else { x };
        bits = if a < f32::MIN_POSITIVE { (a * 16777216.0).to_bits() - (24 << 23) } else { a.to_bits() };
        prepare = false;
    }
    let (l, l_lo) = log2_parts_f32(bits);
    // y l = n + r
    let t = y.mul_add(l, SCALE_F32);
    let high = if t > MOST { MOST } else { t };
    let near = if high < LEAST { LEAST } else { high };
    let r = y.mul_add(l_lo, fma_once(y, l, -(near - SCALE_F32)));
    // Beyond the bounds any r will do that is in its interval.
    let r = if t == near { r } else { 0.0 };
    let mut z = scale_f32(exp2_wide_f32(r), near);
    // y is NaN, or infinite for x = 1; for other x an infinite y is only beyond the bounds.
    let mut correct = special || t.is_nan();
    while correct {
        z = pow_special_f32(x, y, z);
        correct = false;
    }
    z
}
