//! Hyperbolic functions: tanh.
//!
//! f32: one polynomial in each of 16 intervals. The coefficients are looked up, which costs one instruction each with AVX-512, and less than
//! a division and an exponential everywhere but on SSE2.
//!
//! f64: tanh a = (1 - e^-2a) / (1 + e^-2a) for a = |x|. With e^-2a = 2^n (1 + q), q = expm1(2r), |r| <= ln(2)/4, the numerator
//! u = (1 - 2^n) - 2^n q is accurate for small a too (there n = 0), so one polynomial and one division serve all x,
//! without a select. The negative exponent keeps u in [0, 1] and d = 2 - u in [1, 2], where what their roundings lost
//! is cheap to have (fma, Fast2Sum); one Newton step then takes out these losses and that of the division.

use lanecraft_macros::always_inline;

// tanh(m + d) in 16 intervals: two in each binade from 2^-4 to 16 (all that is below is one with the first; the last of them stays
// unused). Powers 0 to 6 of d, the first of them exact to 2^-12 ULP by the choice of m: relative error 2^-24.5 on [4, 6], 2^-26.9 elsewhere
// (sollya fpminimax, fit.py tanh_f32).
const TANH_F32_MID: [f32; 16] = [
    2.5002463, 3.5000458, 5.0010295, 6.9985695, 8.60286, 0.0, 0.0, 0.1093669, 0.15621144, 0.21874551, 0.31252342, 0.43750852, 0.62489754,
    0.8750615, 1.2496738, 1.7502484,
];
const TANH_F32_0: [f32; 16] = [
    0.98662084, 0.99817806, 0.9999094, 0.99999833, 0.99999994, 0.0, 0.0, 0.10893293, 0.15495309, 0.21532206, 0.302731, 0.41157714,
    0.5545288, 0.70393664, 0.84819216, 0.9414038,
];
const TANH_F32_1: [f32; 16] = [
    0.026579412,
    0.003640623,
    0.00018148667,
    3.3367605e-06,
    1.3470854e-07,
    0.0,
    1.0,
    0.9881336,
    0.9759895,
    0.9536364,
    0.9083539,
    0.83060426,
    0.69249785,
    0.5044732,
    0.28056994,
    0.11375882,
];
const TANH_F32_2: [f32; 16] = [
    -0.026223442,
    -0.0036339748,
    -0.00018144489,
    -3.331938e-06,
    -5.212324e-07,
    0.0,
    0.0,
    -0.107640766,
    -0.15123314,
    -0.20533901,
    -0.2749871,
    -0.34185776,
    -0.38401005,
    -0.3551172,
    -0.23797734,
    -0.10709293,
];
const TANH_F32_3: [f32; 16] = [
    0.017009556,
    0.0024115087,
    0.0001185792,
    2.196443e-06,
    9.1263686e-08,
    0.0,
    -0.33333156,
    -0.3175502,
    -0.30183697,
    -0.27365974,
    -0.21952774,
    -0.13616216,
    -0.017893732,
    0.081821345,
    0.10834287,
    0.062905036,
];
const TANH_F32_4: [f32; 16] = [
    -0.008048568,
    -0.001197155,
    -5.9332524e-05,
    -1.1072117e-06,
    2.7918052e-06,
    0.0,
    0.0,
    0.07610717,
    0.098801866,
    0.12753691,
    0.15827124,
    0.17002611,
    0.13793539,
    0.06078093,
    -0.012553554,
    -0.023521394,
];
const TANH_F32_5: [f32; 16] = [
    0.0028862483,
    0.00049032556,
    2.84222e-05,
    5.1454793e-07,
    1.4652992e-08,
    0.0,
    0.1326766,
    -0.17554209,
    0.064541996,
    0.08131173,
    0.043711342,
    -0.0069510075,
    -0.054348808,
    -0.05860921,
    -0.01972429,
    0.0034833902,
];
const TANH_F32_6: [f32; 16] = [
    -0.00069556385,
    -0.00015780848,
    -9.417753e-06,
    -1.6648431e-07,
    -5.2122177e-06,
    0.0,
    0.0,
    -15.707825,
    -1.1825396,
    -0.17969322,
    -0.09845743,
    -0.06707258,
    -0.024556378,
    0.012815233,
    0.015101435,
    0.0021093397,
];

/// The bits of 2^-4: all below is in the first interval.
const TANH_FIRST: u32 = 0x3d80_0000;

/// tanh x. Max error 1.1899 ULP over all 2^32 inputs, against glibc's f64 tanh. 13 operations and 8 looks into tables.
///
/// Odd, signed zeros kept, +-1 from |x| = 9.02 on, NaN gives NaN; never above 1 in size.
#[always_inline(crate = crate)]
pub fn tanh_f32(x: f32) -> f32 {
    let a = x.abs();
    let a = if a > 9.2 { 9.2 } else { a };
    let bits = a.to_bits();
    let bits = if bits > TANH_FIRST { bits } else { TANH_FIRST };
    // The exponent's low bits and the first one of the fraction.
    let i = bits >> 22 & 15;
    let d = a - TANH_F32_MID[i];
    let p = d.mul_add(TANH_F32_6[i], TANH_F32_5[i]);
    let p = p.mul_add(d, TANH_F32_4[i]);
    let p = p.mul_add(d, TANH_F32_3[i]);
    let p = p.mul_add(d, TANH_F32_2[i]);
    let p = p.mul_add(d, TANH_F32_1[i]);
    let p = p.mul_add(d, TANH_F32_0[i]);
    p.copysign(x)
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
