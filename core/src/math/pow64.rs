//! x to the power y in f64: see pow.rs.
//!
//! The error of log2 |x| is multiplied by up to 1075, so it is computed as a sum of two f64 to about 65 bits:
//! x = 2^e m, s = f/(2 + f) with f = m - 1, ln m = 2 (s + s^3/3 + s^5 T(s^2)). The first two terms are carried in two parts
//! (fma, Fast2Sum); T, below 2^-14 of the whole, is one polynomial. No table. Reference: fdlibm's e_pow.c, with the
//! products split by fma; Dekker (1971) for the two-part arithmetic.

use super::exact::apart;
use super::exact::{fma_once, scale_f64};
use crate::isa::shims::SCALE_F64;
use lanecraft_macros::always_inline;

const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
const MIN_NORMAL: f64 = f64::from_bits(0x0010_0000_0000_0000);
const INT_BITS: u64 = 0x4330_0000_0000_0000;
/// 2^52 + 2048, see log.rs.
const INT_BIAS: f64 = 4503599627372544.0;
// 1/3 and 2/ln 2, in two parts each
const THIRD_HI: f64 = f64::from_bits(0x3fd5_5555_5555_5555);
const THIRD_LO: f64 = f64::from_bits(0x3c75_5555_5555_5555);
const TWO_LOG2E_HI: f64 = f64::from_bits(0x4007_1547_652b_82fe);
const TWO_LOG2E_LO: f64 = f64::from_bits(0x3c87_77d0_ffda_0d24);

// log((1+x)/(1-x))/2 on [0, 0.171574], fixed part x+x^3/3, powers 5, 7 .. 19: relative error 2^-73.5 (sollya
// fpminimax, fit.py pow_log_f64).
const POW_LOG_F64_5: f64 = 0.1999999999999999;
const POW_LOG_F64_7: f64 = 0.14285714285721904;
const POW_LOG_F64_9: f64 = 0.11111111108900767;
const POW_LOG_F64_11: f64 = 0.09090909421168503;
const POW_LOG_F64_13: f64 = 0.07692279273721703;
const POW_LOG_F64_15: f64 = 0.06668129931704846;
const POW_LOG_F64_17: f64 = 0.058379371071539676;
const POW_LOG_F64_19: f64 = 0.05990493999184402;

// 2^x on [-0.5001, 0.5001], fixed part 1, powers 1 to 11: relative error 2^-57.3 (sollya fpminimax, fit.py pow_exp2_f64).
const POW_EXP2_F64_1: f64 = f64::from_bits(0x3fe6_2e42_fefa_39ef);
const POW_EXP2_F64_2: f64 = 0.24022650695910136;
const POW_EXP2_F64_3: f64 = 0.05550410866482233;
const POW_EXP2_F64_4: f64 = 0.009618129107592572;
const POW_EXP2_F64_5: f64 = 0.0013333558146358705;
const POW_EXP2_F64_6: f64 = 0.00015403530458788097;
const POW_EXP2_F64_7: f64 = 1.5252733828792024e-05;
const POW_EXP2_F64_8: f64 = 1.3215434541074642e-06;
const POW_EXP2_F64_9: f64 = 1.017807664136571e-07;
const POW_EXP2_F64_10: f64 = 7.073898733704685e-09;
const POW_EXP2_F64_11: f64 = 4.4515126686427367e-10;

/// log2 a in two parts for finite a > 0.
#[always_inline(crate = crate)]
fn log2_parts(a: f64) -> (f64, f64) {
    let tiny = a < MIN_NORMAL;
    let b = if tiny { a * 4503599627370496.0 } else { a };
    let bias = if tiny { INT_BIAS + 52.0 } else { INT_BIAS };
    let i = b.to_bits() - SQRT_HALF;
    let j = (i + 0x8000_0000_0000_0000) >> 52;
    let e = f64::from_bits(j | INT_BITS) - bias;
    let m = f64::from_bits((i & 0x000f_ffff_ffff_ffff) + SQRT_HALF);
    // s + s_lo = f / (m + 1)
    let f = m - 1.0;
    let d = m + 1.0;
    let d_lo = m - (d - 1.0);
    let v = 1.0 / d;
    let s = f * v;
    let s_lo = v * (-s).mul_add(d_lo, fma_once(-s, d, f));
    // z + z_lo = s^2
    let z = s * s;
    let z_lo = (s + s).mul_add(s_lo, fma_once(s, s, -z));
    let p = z.mul_add(POW_LOG_F64_19, POW_LOG_F64_17);
    let p = p.mul_add(z, POW_LOG_F64_15);
    let p = p.mul_add(z, POW_LOG_F64_13);
    let p = p.mul_add(z, POW_LOG_F64_11);
    let p = p.mul_add(z, POW_LOG_F64_9);
    let p = p.mul_add(z, POW_LOG_F64_7);
    let p = p.mul_add(z, POW_LOG_F64_5);
    // w + w_lo = 1/3 + s^2 T
    let u = p * z;
    let w = THIRD_HI + u;
    let w_lo = (u - (w - THIRD_HI)) + THIRD_LO;
    // g + g_lo = s^2 w, h + h_lo = s^3 w
    let g = z * w;
    let g_lo = fma_once(z, w, -g) + z.mul_add(w_lo, z_lo * w);
    let h = s * g;
    let h_lo = fma_once(s, g, -h) + s.mul_add(g_lo, s_lo * g);
    // l + l_lo = ln m / 2, k + k_lo = log2 m
    let l = s + h;
    let l_lo = (h - (l - s)) + (s_lo + h_lo);
    let k = l * TWO_LOG2E_HI;
    let k_lo = fma_once(l, TWO_LOG2E_HI, -k) + l.mul_add(TWO_LOG2E_LO, l_lo * TWO_LOG2E_HI);
    let y = e + k;
    (y, (k - (y - e)) + k_lo)
}

/// x^y where x is not a positive number or y not a finite one, for r = |x|^y of finite ones: C99's rules.
#[always_inline(crate = crate)]
fn pow_special_f64(x: f64, y: f64, r: f64) -> f64 {
    let a = x.abs();
    let limit = if (a > 1.0) == (y > 0.0) { f64::INFINITY } else { 0.0 };
    let r = if a == 0.0 || a == f64::INFINITY || y.abs() == f64::INFINITY { limit } else { r };
    let whole = y.trunc() == y;
    let half = 0.5 * y;
    let odd = whole && half.trunc() != half;
    let sign = if odd { x.to_bits() & 0x8000_0000_0000_0000 } else { 0 };
    let r = f64::from_bits(r.to_bits() ^ sign);
    let nan = x.is_nan() || y.is_nan() || (x < 0.0 && a < f64::INFINITY && !whole);
    let r = if nan { f64::NAN } else { r };
    let one = x == 1.0 || y == 0.0 || (a == 1.0 && y.abs() == f64::INFINITY);
    if one { 1.0 } else { r }
}

/// x^y. Max error 0.94 ULP in 10^7 pairs (random bits, near 1, near overflow and underflow, integers, edges), against
/// libquadmath. 95 operations, one a division.
///
/// C99's special values: pow(x, +-0) = pow(1, y) = pow(-1, +-inf) = 1 even for NaN; x < 0 needs an integer y, else NaN,
/// and an odd one gives a negative result, signed zeros and infinities included.
#[always_inline(crate = crate)]
pub fn pow_f64(x: f64, y: f64) -> f64 {
    pow_apart_f64(x, y)
}

/// [`pow_all_f64`]. On levels of the baseline's instructions a function of its own: there it is long, and a kernel has it twice, for whole
/// gangs and for the rest.
#[allow(non_camel_case_types, reason = "called like a function")]
enum pow_apart_f64 {}
apart!(pow_apart_f64, pow_all_f64, f64);

#[allow(dead_code, reason = "called over lanes")]
#[always_inline(crate = crate)]
fn pow_all_f64(x: f64, y: f64) -> f64 {
    let a = x.abs();
    let (l, l_lo) = log2_parts(a);
    let b = y * l;
    // Beyond these bounds the low part has no part in the result, and may be NaN.
    let b_lo = if b.abs() < 1200.0 { fma_once(y, l, -b) + y * l_lo } else { 0.0 };
    let b = if b > 1200.0 { 1200.0 } else { b };
    let b = if b < -1200.0 { -1200.0 } else { b };
    let t = b + SCALE_F64;
    let r = (b - (t - SCALE_F64)) + b_lo;
    let p = r.mul_add(POW_EXP2_F64_11, POW_EXP2_F64_10);
    let p = p.mul_add(r, POW_EXP2_F64_9);
    let p = p.mul_add(r, POW_EXP2_F64_8);
    let p = p.mul_add(r, POW_EXP2_F64_7);
    let p = p.mul_add(r, POW_EXP2_F64_6);
    let p = p.mul_add(r, POW_EXP2_F64_5);
    let p = p.mul_add(r, POW_EXP2_F64_4);
    let p = p.mul_add(r, POW_EXP2_F64_3);
    let p = p.mul_add(r, POW_EXP2_F64_2);
    let p = p.mul_add(r, POW_EXP2_F64_1);
    let p = p.mul_add(r, 1.0);
    let mut z = scale_f64(p, t);
    // A loop, because lanes skip one that none of them enters, where they compute both sides of an `if`.
    let mut special = !(x > 0.0 && x < f64::INFINITY && y.abs() < f64::INFINITY);
    while special {
        z = pow_special_f64(x, y, z);
        special = false;
    }
    z
}
