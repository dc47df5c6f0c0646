//! Exponentials: exp.
//!
//! Method: x = n ln 2 + r with |r| <= ln(2)/2, e^x = 2^n e^r; e^r is one polynomial. Adding a "magic" number rounds
//! x / ln 2 to n and at once puts n, with an offset, in the low bits of the sum, so that 2^n is built with shifts alone.
//! 2^n goes in as two factors: only the last multiplication can leave the normal range, so results below the smallest
//! normal number are rounded once, and overflow gives inf.
//! n ln 2 is subtracted in two parts; the first fma is exact because r is small and the first part short. References: Cody and Waite 1980;
//! Muller, Elementary Functions (3rd ed.), ch. 5 and 11. No table, no branch.

use lanecraft_macros::always_inline;

/// 1.5 * 2^23 + 254: twice the exponent bias on top, so that halving the low bits leaves the bias in each half.
const EXP_MAGIC_F32: f32 = 12583166.0;
const LOG2E_F32: f32 = f32::from_bits(0x3fb8_aa3b);
// ln 2 to 15 bits and the rest: n, of 8 bits, times the first is exact, also where level SSE2 rounds the product.
const LN2_HI_F32: f32 = f32::from_bits(0x3f31_7200);
const LN2_LO_F32: f32 = f32::from_bits(0x35bf_be8e);

// e^r = 1 + r + c2 r^2 + ... + c6 r^6 on |r| <= 0.3468: relative error 2^-28.2 (sollya fpminimax, fit.py exp_f32).
const EXP_F32_2: f32 = 0.49999994;
const EXP_F32_3: f32 = 0.1666652;
const EXP_F32_4: f32 = 0.041668233;
const EXP_F32_5: f32 = 0.008368818;
const EXP_F32_6: f32 = 0.0013823851;

/// e^x. Max error 0.8913 ULP over all 2^32 inputs, against glibc's f64 exp. 18 operations.
///
/// exp(-inf) = 0, exp(inf) = inf, NaN gives NaN; subnormal results are correct to the same bound, 0 below -103.98.
#[always_inline(crate = crate)]
pub fn exp_f32(x: f32) -> f32 {
    // The bounds keep n in range; a NaN passes both comparisons.
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.0 { -104.0 } else { x };
    let t = x.mul_add(LOG2E_F32, EXP_MAGIC_F32);
    let n = t - EXP_MAGIC_F32;
    let r = n.mul_add(-LN2_HI_F32, x);
    let r = n.mul_add(-LN2_LO_F32, r);
    let p = r.mul_add(EXP_F32_6, EXP_F32_5);
    let p = p.mul_add(r, EXP_F32_4);
    let p = p.mul_add(r, EXP_F32_3);
    let p = p.mul_add(r, EXP_F32_2);
    let p = p.mul_add(r, 1.0);
    let p = p.mul_add(r, 1.0);
    // The low bits of t hold n + 2 bias: halves of it are the exponents of two factors of 2^n.
    let u = t.to_bits();
    let h = u >> 1;
    let s1 = f32::from_bits(h << 23);
    let s2 = f32::from_bits((u - h) << 23);
    p * s1 * s2
}

/// 1.5 * 2^52 + 2046, as [`EXP_MAGIC_F32`].
const EXP_MAGIC_F64: f64 = 6755399441057790.0;
const LOG2E_F64: f64 = f64::from_bits(0x3ff7_1547_652b_82fe);
// As for f32: 33 bits and the rest; n has 11.
const LN2_HI_F64: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LO_F64: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

// e^r = 1 + r + c2 r^2 + ... + c11 r^11 on |r| <= 0.3466: relative error 2^-57.9 (sollya fpminimax, fit.py exp_f64).
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

/// e^x. Max error 1.00 ULP in 10^7 samples (all binades, the whole range, subnormal results, edges), against libquadmath.
/// 23 operations. Special values as [`exp_f32`].
#[always_inline(crate = crate)]
pub fn exp_f64(x: f64) -> f64 {
    let x = if x > 710.0 { 710.0 } else { x };
    let x = if x < -746.0 { -746.0 } else { x };
    let t = x.mul_add(LOG2E_F64, EXP_MAGIC_F64);
    let n = t - EXP_MAGIC_F64;
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
    // The low bits of t hold n + 2 bias: halves of it are the exponents of two factors of 2^n.
    let u = t.to_bits();
    let h = u >> 1;
    let s1 = f64::from_bits(h << 52);
    let s2 = f64::from_bits((u - h) << 52);
    p * s1 * s2
}
