//! Exponentials: exp, exp2, expm1.
//!
//! Method: x = n ln 2 + r with |r| <= ln(2)/2, e^x = 2^n e^r; e^r is one polynomial. Adding a "magic" number rounds
//! x / ln 2 to n and at once puts n, with an offset, in the low bits of the sum, which is what `scale_f32` takes: results below the
//! smallest normal number are rounded once, and overflow gives inf.
//! n ln 2 is subtracted in two parts; the first fma is exact because r is small and the first part short. References: Cody and Waite 1980;
//! Muller, Elementary Functions (3rd ed.), ch. 5 and 11. No table, no branch.

use super::exact::{scale_f32, scale_f64};
use crate::isa::shims::{SCALE_F32, SCALE_F64};
use lanecraft_macros::always_inline;

pub(crate) const LOG2E_F32: f32 = f32::from_bits(0x3fb8_aa3b);
// ln 2 to 15 bits and the rest: n, of 8 bits, times the first is exact, also where level SSE2 rounds the product.
pub(crate) const LN2_HI_F32: f32 = f32::from_bits(0x3f31_7200);
pub(crate) const LN2_LO_F32: f32 = f32::from_bits(0x35bf_be8e);

// exp(x) on [-0.3468, 0.3468], fixed part 1+x, powers 2 to 6: relative error 2^-28.2 (sollya fpminimax, fit.py exp_f32).
pub(crate) const EXP_F32_2: f32 = 0.49999994;
pub(crate) const EXP_F32_3: f32 = 0.1666652;
pub(crate) const EXP_F32_4: f32 = 0.041668233;
pub(crate) const EXP_F32_5: f32 = 0.008368818;
pub(crate) const EXP_F32_6: f32 = 0.0013823851;

/// e^x. Max error 0.8913 ULP over all 2^32 inputs, against glibc's f64 exp. 18 operations.
///
/// exp(-inf) = 0, exp(inf) = inf, NaN gives NaN; subnormal results are correct to the same bound, 0 below -103.98.
#[always_inline(crate = crate)]
pub fn exp_f32(x: f32) -> f32 {
    // The bounds keep n in range; a NaN passes both comparisons.
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.0 { -104.0 } else { x };
    let t = x.mul_add(LOG2E_F32, SCALE_F32);
    let n = t - SCALE_F32;
    let r = n.mul_add(-LN2_HI_F32, x);
    let r = n.mul_add(-LN2_LO_F32, r);
    scale_f32(exp_poly_f32(r), t)
}

/// e^r for |r| <= 0.3468.
#[always_inline(crate = crate)]
pub(crate) fn exp_poly_f32(r: f32) -> f32 {
    let p = r.mul_add(EXP_F32_6, EXP_F32_5);
    let p = p.mul_add(r, EXP_F32_4);
    let p = p.mul_add(r, EXP_F32_3);
    let p = p.mul_add(r, EXP_F32_2);
    let p = p.mul_add(r, 1.0);
    p.mul_add(r, 1.0)
}

const LOG2E_F64: f64 = f64::from_bits(0x3ff7_1547_652b_82fe);
// As for f32: 33 bits and the rest; n has 11.
const LN2_HI_F64: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LO_F64: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

// exp(x) on [-0.34660, 0.34660], fixed part 1+x, powers 2 to 11: relative error 2^-57.9 (sollya fpminimax, fit.py exp_f64).
const EXP_F64_2: f64 = 0.5000000000000011;
const EXP_F64_3: f64 = 0.16666666666666424;
const EXP_F64_4: f64 = 0.04166666666652705;
const EXP_F64_5: f64 = 0.008333333333487052;
const EXP_F64_6: f64 = 0.0013888888944313677;
const EXP_F64_7: f64 = 0.00019841269522464795;
const EXP_F64_8: f64 = 2.480149248278168e-05;
const EXP_F64_9: f64 = 2.7557572292830053e-06;
const EXP_F64_10: f64 = 2.7630444483237444e-07;
const EXP_F64_11: f64 = 2.5004489677448574e-08;

/// e^x. Max error 0.89 ULP in 10^7 samples (all binades, the whole range, subnormal results, edges), against libquadmath.
/// 23 operations. Special values as [`exp_f32`].
#[always_inline(crate = crate)]
pub fn exp_f64(x: f64) -> f64 {
    let x = if x > 710.0 { 710.0 } else { x };
    let x = if x < -746.0 { -746.0 } else { x };
    let t = x.mul_add(LOG2E_F64, SCALE_F64);
    let n = t - SCALE_F64;
    let r = n.mul_add(-LN2_HI_F64, x);
    let r = n.mul_add(-LN2_LO_F64, r);
    let p = r.mul_add(EXP_F64_11, EXP_F64_10);
    let p = p.mul_add(r, EXP_F64_9);
    let p = p.mul_add(r, EXP_F64_8);
    let p = p.mul_add(r, EXP_F64_7);
    let p = p.mul_add(r, EXP_F64_6);
    let p = p.mul_add(r, EXP_F64_5);
    let p = p.mul_add(r, EXP_F64_4);
    let p = p.mul_add(r, EXP_F64_3);
    let p = p.mul_add(r, EXP_F64_2);
    let p = p.mul_add(r, 1.0);
    let p = p.mul_add(r, 1.0);
    scale_f64(p, t)
}

// 2^x on [-0.5001, 0.5001], fixed part 1, powers 1 to 6: relative error 2^-28.0 (sollya fpminimax, fit.py exp2_f32).
const EXP2_F32_1: f32 = f32::from_bits(0x3f31_7218);
const EXP2_F32_2: f32 = 0.24022645;
const EXP2_F32_3: f32 = 0.055503584;
const EXP2_F32_4: f32 = 0.009618829;
const EXP2_F32_5: f32 = 0.0013391473;
const EXP2_F32_6: f32 = 0.00015243398;

/// 2^x. Max error 0.8784 ULP over all 2^32 inputs, against glibc's f64 exp2. 17 operations.
///
/// Exact for integers; exp2(-inf) = 0, exp2(inf) = inf, NaN gives NaN; 0 below -150, subnormal results to the same bound.
#[always_inline(crate = crate)]
pub fn exp2_f32(x: f32) -> f32 {
    let x = if x > 129.0 { 129.0 } else { x };
    let x = if x < -151.0 { -151.0 } else { x };
    let t = x + SCALE_F32;
    let r = x - (t - SCALE_F32);
    scale_f32(exp2_poly_f32(r), t)
}

/// 2^r for |r| <= 1/2.
#[always_inline(crate = crate)]
pub(crate) fn exp2_poly_f32(r: f32) -> f32 {
    let p = r.mul_add(EXP2_F32_6, EXP2_F32_5);
    let p = p.mul_add(r, EXP2_F32_4);
    let p = p.mul_add(r, EXP2_F32_3);
    let p = p.mul_add(r, EXP2_F32_2);
    let p = p.mul_add(r, EXP2_F32_1);
    p.mul_add(r, 1.0)
}

// 2^x on [-0.5001, 0.5001], fixed part 1, powers 1 to 11: relative error 2^-57.3 (sollya fpminimax, fit.py exp2_f64).
const EXP2_F64_1: f64 = f64::from_bits(0x3fe6_2e42_fefa_39ef);
const EXP2_F64_2: f64 = 0.24022650695910136;
const EXP2_F64_3: f64 = 0.05550410866482233;
const EXP2_F64_4: f64 = 0.009618129107592572;
const EXP2_F64_5: f64 = 0.0013333558146358705;
const EXP2_F64_6: f64 = 0.00015403530458788097;
const EXP2_F64_7: f64 = 1.5252733828792024e-05;
const EXP2_F64_8: f64 = 1.3215434541074642e-06;
const EXP2_F64_9: f64 = 1.017807664136571e-07;
const EXP2_F64_10: f64 = 7.073898733704685e-09;
const EXP2_F64_11: f64 = 4.4515126686427367e-10;

/// 2^x. Max error 0.84 ULP in 10^7 samples (as exp_f64), against libquadmath. 22 operations.
/// Special values as [`exp2_f32`], 0 below -1075.
#[always_inline(crate = crate)]
pub fn exp2_f64(x: f64) -> f64 {
    let x = if x > 1025.0 { 1025.0 } else { x };
    let x = if x < -1076.0 { -1076.0 } else { x };
    let t = x + SCALE_F64;
    let r = x - (t - SCALE_F64);
    let p = r.mul_add(EXP2_F64_11, EXP2_F64_10);
    let p = p.mul_add(r, EXP2_F64_9);
    let p = p.mul_add(r, EXP2_F64_8);
    let p = p.mul_add(r, EXP2_F64_7);
    let p = p.mul_add(r, EXP2_F64_6);
    let p = p.mul_add(r, EXP2_F64_5);
    let p = p.mul_add(r, EXP2_F64_4);
    let p = p.mul_add(r, EXP2_F64_3);
    let p = p.mul_add(r, EXP2_F64_2);
    let p = p.mul_add(r, EXP2_F64_1);
    let p = p.mul_add(r, 1.0);
    scale_f64(p, t)
}

/// 1.5 * 2^23 + 126: the low bits of the sum are the exponent field of 2^(n-1).
const HALF_MAGIC_F32: f32 = 12583038.0;
/// 2^-68: below it expm1(x) rounds to x, and halves of subnormals would lose a bit.
const TINY_F32: f32 = f32::from_bits(0x1d80_0000);

// expm1(x) on [-0.3468, 0.3468], fixed part x, powers 2 to 7: relative error 2^-31.0 (sollya fpminimax, fit.py expm1_f32).
const EXPM1_F32_2: f32 = 0.5;
const EXPM1_F32_3: f32 = 0.16666666;
const EXPM1_F32_4: f32 = 0.041666478;
const EXPM1_F32_5: f32 = 0.008333567;
const EXPM1_F32_6: f32 = 0.0013933701;
const EXPM1_F32_7: f32 = 0.00019743363;

/// e^x - 1. Max error 1.4391 ULP over all 2^32 inputs, against glibc's f64 expm1.
/// 19 operations.
///
/// u = 2^n (1 + q) - 1 for q = expm1(r), with 2^n halved so that it does not overflow before the result does.
/// Signed zeros and subnormals are returned as they are; expm1(-inf) = -1, expm1(inf) = inf, NaN gives NaN.
#[always_inline(crate = crate)]
pub fn expm1_f32(x: f32) -> f32 {
    let b = if x > 89.0 { 89.0 } else { x };
    let b = if b < -18.0 { -18.0 } else { b };
    let t = b.mul_add(LOG2E_F32, HALF_MAGIC_F32);
    let n = t - HALF_MAGIC_F32;
    let r = n.mul_add(-LN2_HI_F32, b);
    let r = n.mul_add(-LN2_LO_F32, r);
    let p = r.mul_add(EXPM1_F32_7, EXPM1_F32_6);
    let p = p.mul_add(r, EXPM1_F32_5);
    let p = p.mul_add(r, EXPM1_F32_4);
    let p = p.mul_add(r, EXPM1_F32_3);
    let p = p.mul_add(r, EXPM1_F32_2);
    let q = p.mul_add(r * r, r);
    let s = f32::from_bits(t.to_bits() << 23);
    let u = s.mul_add(q, s - 0.5);
    if x.abs() < TINY_F32 { x } else { u + u }
}

/// 1.5 * 2^52 + 1022, as [`HALF_MAGIC_F32`].
const HALF_MAGIC_F64: f64 = 6755399441056766.0;
/// 2^-100: below it expm1(x) rounds to x, and halves of subnormals would lose a bit.
const TINY_F64: f64 = f64::from_bits(0x39b0_0000_0000_0000);

// expm1(x) on [-0.3467, 0.3467], fixed part x, powers 2 to 12: relative error 2^-61.5 (sollya fpminimax, fit.py expm1_f64).
const EXPM1_F64_2: f64 = 0.5;
const EXPM1_F64_3: f64 = 0.16666666666666677;
const EXPM1_F64_4: f64 = 0.04166666666666661;
const EXPM1_F64_5: f64 = 0.00833333333332146;
const EXPM1_F64_6: f64 = 0.0013888888888923807;
const EXPM1_F64_7: f64 = 0.00019841269886493906;
const EXPM1_F64_8: f64 = 2.480158723748731e-05;
const EXPM1_F64_9: f64 = 2.755724388026677e-06;
const EXPM1_F64_10: f64 = 2.75573529858278e-07;
const EXPM1_F64_11: f64 = 2.510914167662157e-08;
const EXPM1_F64_12: f64 = 2.088944871535836e-09;

/// e^x - 1. Max error 1.54 ULP in 10^7 samples (all binades, near 0, the whole range, edges), against libquadmath.
/// 26 operations.
/// Method and special values as [`expm1_f32`].
#[always_inline(crate = crate)]
pub fn expm1_f64(x: f64) -> f64 {
    let b = if x > 710.0 { 710.0 } else { x };
    let b = if b < -38.0 { -38.0 } else { b };
    let t = b.mul_add(LOG2E_F64, HALF_MAGIC_F64);
    let n = t - HALF_MAGIC_F64;
    let r = n.mul_add(-LN2_HI_F64, b);
    // Rounding the low part into r would show in the result: only the second-order term uses the sum.
    let r_lo = n * -LN2_LO_F64;
    let r1 = r + r_lo;
    let p = r1.mul_add(EXPM1_F64_12, EXPM1_F64_11);
    let p = p.mul_add(r1, EXPM1_F64_10);
    let p = p.mul_add(r1, EXPM1_F64_9);
    let p = p.mul_add(r1, EXPM1_F64_8);
    let p = p.mul_add(r1, EXPM1_F64_7);
    let p = p.mul_add(r1, EXPM1_F64_6);
    let p = p.mul_add(r1, EXPM1_F64_5);
    let p = p.mul_add(r1, EXPM1_F64_4);
    let p = p.mul_add(r1, EXPM1_F64_3);
    let p = p.mul_add(r1, EXPM1_F64_2);
    let q = r + p.mul_add(r1 * r1, r_lo);
    let s = f64::from_bits(t.to_bits() << 52);
    let u = s.mul_add(q, s - 0.5);
    if x.abs() < TINY_F64 { x } else { u + u }
}
