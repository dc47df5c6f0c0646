//! Hyperbolic functions: tanh.
//!
//! tanh a = (1 - e^-2a) / (1 + e^-2a) for a = |x|. With e^-2a = 2^n (1 + q), q = expm1(2r), |r| <= ln(2)/4, the numerator
//! u = (1 - 2^n) - 2^n q is accurate for small a too (there n = 0), so one polynomial and one division serve all x,
//! without a select. The negative exponent keeps u in [0, 1] and d = 2 - u in [1, 2], where what their roundings lost
//! is cheap to have (fma, Fast2Sum); one Newton step then takes out these losses and that of the division.

use lanecraft_macros::always_inline;

/// 1.5 * 2^23 + 127: the low bits of the sum are the exponent field of 2^n.
const POW2_MAGIC_F32: f32 = 12583039.0;
const TWO_LOG2E_F32: f32 = f32::from_bits(0x4038_aa3b);
const HALF_LN2_F32: f32 = f32::from_bits(0x3eb1_7218);

// expm1(2*x) on [-0.1734, 0.1734], fixed part 2*x, powers 2 to 7: relative error 2^-31.0 (sollya fpminimax, fit.py
// tanh_f32).
const TANH_F32_2: f32 = 2.0;
const TANH_F32_3: f32 = 1.3333333;
const TANH_F32_4: f32 = 0.66666365;
const TANH_F32_5: f32 = 0.26667413;
const TANH_F32_6: f32 = 0.089175686;
const TANH_F32_7: f32 = 0.025271505;

/// [`POW2_MAGIC_F32`] - 24, the least t: 1 - 2^n must be exact. Beyond it r leaves its interval, where 2^n q hardly counts.
const TANH_MIN_F32: f32 = 12583015.0;

/// tanh x. Max error 1.3225 ULP over all 2^32 inputs, against glibc's f64 tanh. 30 operations, one a division.
///
/// Odd, signed zeros kept, +-1 from |x| = 9.02 on, NaN gives NaN; never above 1 in size.
#[always_inline(crate = crate)]
pub fn tanh_f32(x: f32) -> f32 {
    let a = x.abs();
    let b = if a > 9.1 { 9.1 } else { a };
    let t = b.mul_add(-TWO_LOG2E_F32, POW2_MAGIC_F32);
    let t = if t < TANH_MIN_F32 { TANH_MIN_F32 } else { t };
    let n = t - POW2_MAGIC_F32;
    let r = n.mul_add(-HALF_LN2_F32, -b);
    let p = r.mul_add(TANH_F32_7, TANH_F32_6);
    let p = p.mul_add(r, TANH_F32_5);
    let p = p.mul_add(r, TANH_F32_4);
    let p = p.mul_add(r, TANH_F32_3);
    let p = p.mul_add(r, TANH_F32_2);
    let q = p.mul_add(r * r, r + r);
    let s = f32::from_bits(t.to_bits() << 23);
    // u = 1 - e^-2a and d = 2 - u = 1 + e^-2a, each with what its rounding lost.
    let s1 = 1.0 - s;
    let u = (-s).mul_add(q, s1);
    let u_lo = (-s).mul_add(q, s1 - u);
    let d = 2.0 - u;
    let d_lo = (2.0 - d) - u - u_lo;
    let y = u / d;
    // One Newton step on u - y d, where 1 / d is (1 + y) / 2.
    let e = (-y).mul_add(d, u) + (-y).mul_add(d_lo, u_lo);
    let y = e.mul_add(y.mul_add(0.5, 0.5), y);
    y.copysign(x)
}

/// 1.5 * 2^52 + 1023: the low bits of the sum are the exponent field of 2^n.
const POW2_MAGIC_F64: f64 = 6755399441056767.0;
const TWO_LOG2E_F64: f64 = f64::from_bits(0x4007_1547_652b_82fe);
const HALF_LN2_HI_F64: f64 = f64::from_bits(0x3fd6_2e42_fefa_39ef);
const HALF_LN2_LO_F64: f64 = f64::from_bits(0x3c6a_bc9e_3b39_803f);

// expm1(2*x) on [-0.1733, 0.1733], fixed part 2*x, powers 2 to 12: relative error 2^-61.5 (sollya fpminimax, fit.py
// tanh_f64).
const TANH_F64_2: f64 = 2.0;
const TANH_F64_3: f64 = 1.3333333333333341;
const TANH_F64_4: f64 = 0.6666666666666657;
const TANH_F64_5: f64 = 0.26666666666628697;
const TANH_F64_6: f64 = 0.08888888888911227;
const TANH_F64_7: f64 = 0.025396825454671795;
const TANH_F64_8: f64 = 0.006349206332804442;
const TANH_F64_9: f64 = 0.0014109308889082663;
const TANH_F64_10: f64 = 0.00028218729451578577;
const TANH_F64_11: f64 = 5.142348346132982e-05;
const TANH_F64_12: f64 = 8.556314703759098e-06;

/// [`POW2_MAGIC_F64`] - 53, see [`TANH_MIN_F32`].
const TANH_MIN_F64: f64 = 6755399441056714.0;

/// tanh x. Max error 1.34 ULP in 10^7 samples (all binades, |x| < 1, 4, 20, edges), against libquadmath.
/// 36 operations, one a division. Special values as [`tanh_f32`], +-1 from |x| = 19.07 on.
#[always_inline(crate = crate)]
pub fn tanh_f64(x: f64) -> f64 {
    let a = x.abs();
    let b = if a > 19.1 { 19.1 } else { a };
    let t = b.mul_add(-TWO_LOG2E_F64, POW2_MAGIC_F64);
    let t = if t < TANH_MIN_F64 { TANH_MIN_F64 } else { t };
    let n = t - POW2_MAGIC_F64;
    let r = n.mul_add(-HALF_LN2_HI_F64, -b);
    let r = n.mul_add(-HALF_LN2_LO_F64, r);
    let p = r.mul_add(TANH_F64_12, TANH_F64_11);
    let p = p.mul_add(r, TANH_F64_10);
    let p = p.mul_add(r, TANH_F64_9);
    let p = p.mul_add(r, TANH_F64_8);
    let p = p.mul_add(r, TANH_F64_7);
    let p = p.mul_add(r, TANH_F64_6);
    let p = p.mul_add(r, TANH_F64_5);
    let p = p.mul_add(r, TANH_F64_4);
    let p = p.mul_add(r, TANH_F64_3);
    let p = p.mul_add(r, TANH_F64_2);
    let q = p.mul_add(r * r, r + r);
    let s = f64::from_bits(t.to_bits() << 52);
    // u = 1 - e^-2a and d = 2 - u = 1 + e^-2a, each with what its rounding lost.
    let s1 = 1.0 - s;
    let u = (-s).mul_add(q, s1);
    let u_lo = (-s).mul_add(q, s1 - u);
    let d = 2.0 - u;
    let d_lo = (2.0 - d) - u - u_lo;
    let y = u / d;
    // One Newton step on u - y d, where 1 / d is (1 + y) / 2.
    let e = (-y).mul_add(d, u) + (-y).mul_add(d_lo, u_lo);
    let y = e.mul_add(y.mul_add(0.5, 0.5), y);
    y.copysign(x)
}
