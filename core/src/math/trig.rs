//! sin, cos, tan over the whole range.
//!
//! x = n pi/2 + r with |r| <= pi/4. For moderate x n pi/2 is subtracted in three parts (Cody and Waite): the first fma is
//! exact, the second part's rounding is kept as r_lo (exact by Fast2Sum, or by Sterbenz where the two cancel). Large x
//! have a reduction of their own, much dearer; it stands apart, and is skipped where no
//! lane needs it. sin r and cos r are one polynomial each, picked by n; tan r is a
//! polynomial too, or -1/tan r.

use super::exact::fma_once;
use super::reduce::reduce_large_f64;
use lanecraft_macros::always_inline;

const TWO_OVER_PI_F32: f32 = f32::from_bits(0x3f22_f983);
const TWO_OVER_PI_F64: f64 = f64::from_bits(0x3fe4_5f30_6dc9_c883);
/// 1.5 * 2^23: the low bits of the sum are the integer.
const ROUND_MAGIC_F32: f32 = 12582912.0;
/// 1.5 * 2^52.
const ROUND_MAGIC_F64: f64 = 6755399441055744.0;
// pi/2 in three parts
const PIO2_1_F32: f32 = f32::from_bits(0x3fc9_0fdb);
const PIO2_2_F32: f32 = f32::from_bits(0xb33b_bd2e);
const PIO2_3_F32: f32 = f32::from_bits(0xa6f7_2ced);
const PIO2_1_F64: f64 = f64::from_bits(0x3ff9_21fb_5444_2d18);
const PIO2_2_F64: f64 = f64::from_bits(0x3c91_a626_3314_5c07);
const PIO2_3_F64: f64 = f64::from_bits(0xb91f_1976_b7ed_8fbc);
/// Up to here three parts of pi/2 are enough for f32.
const MODERATE_F32: f32 = 65536.0;
/// 2^30: the same for f64.
const MODERATE_F64: f64 = 1073741824.0;
// Below, sin x and tan x round to x; returned as it is, for the sign of zero.
const TINY_F32: f32 = f32::from_bits(0x3900_0000);
const TINY_F64: f64 = f64::from_bits(0x3e40_0000_0000_0000);

// Row j: 2/pi less its bits of weight 2^-30j and more, in chunks of 29 bits (the last one as far as an f64 goes). A chunk
// times an f32 is exact in f64.
const C00: f64 = f64::from_bits(0x3fe4_5f30_6d00_0000);
const C01: f64 = f64::from_bits(0x3e19_3910_5400_0000);
const C02: f64 = f64::from_bits(0x3c44_fe13_ab00_0000);
const C03: f64 = f64::from_bits(0x3a7d_1f53_4ddc_0db6);
const C10: f64 = f64::from_bits(0x3e02_7220_a900_0000);
const C11: f64 = f64::from_bits(0x3c23_f84e_ae00_0000);
const C12: f64 = f64::from_bits(0x3a6a_3ea6_9b00_0000);
const C13: f64 = f64::from_bits(0x3897_036d_8a56_64f1);
const C20: f64 = f64::from_bits(0x3c23_f84e_af00_0000);
const C21: f64 = f64::from_bits(0x3a54_7d4d_3700_0000);
const C22: f64 = f64::from_bits(0x387c_0db6_2800_0000);
const C23: f64 = f64::from_bits(0x36b5_993c_4390_41fe);
const C30: f64 = f64::from_bits(0x3a31_f534_dc00_0000);
const C31: f64 = f64::from_bits(0x387c_0db6_2900_0000);
const C32: f64 = f64::from_bits(0x3696_64f1_0e00_0000);
const C33: f64 = f64::from_bits(0x34b0_41fe_5163_abdf);

/// y modulo 4, between -2 and 2, exactly.
#[always_inline(crate = crate)]
fn mod4(y: f64) -> f64 {
    (y * 0.25).round_ties_even().mul_add(-4.0, y)
}

/// (quarter turns, the rest in radians in two parts) for |x| >= 2^16 in f64 arithmetic; NaN for inf and NaN.
///
/// x has 24 bits. From 2^55 on, the bits of 2/pi of weight 2^-30 and more make multiples of 4 quarter turns: row 1
/// leaves them out, and so on.
#[always_inline(crate = crate)]
fn reduce_large_f32(x: f32) -> (u32, f32, f32) {
    let y = x as f64;
    let a = y.abs();
    // 2^55, 2^85, 2^115
    let b1 = a >= f64::from_bits(0x4360_0000_0000_0000);
    let b2 = a >= f64::from_bits(0x4540_0000_0000_0000);
    let b3 = a >= f64::from_bits(0x4720_0000_0000_0000);
    let c0 = if b1 { C10 } else { C00 };
    let c1 = if b1 { C11 } else { C01 };
    let c2 = if b1 { C12 } else { C02 };
    let c3 = if b1 { C13 } else { C03 };
    let c0 = if b2 { C20 } else { c0 };
    let c1 = if b2 { C21 } else { c1 };
    let c2 = if b2 { C22 } else { c2 };
    let c3 = if b2 { C23 } else { c3 };
    let c0 = if b3 { C30 } else { c0 };
    let c1 = if b3 { C31 } else { c1 };
    let c2 = if b3 { C32 } else { c2 };
    let c3 = if b3 { C33 } else { c3 };
    let y0 = mod4(y * c0);
    let y1 = mod4(y * c1);
    let y2 = y * c2;
    let t = ((y0 + y1) + y2) + ROUND_MAGIC_F64;
    let f = ((y0 - (t - ROUND_MAGIC_F64)) + y1) + y.mul_add(c3, y2);
    let r = f * PIO2_1_F64;
    let hi = r as f32;
    (t.to_bits() as u32, hi, (r - hi as f64) as f32)
}

/// (quarter turns, the rest in radians in two parts) for |x| < [`MODERATE_F32`].
#[always_inline(crate = crate)]
fn reduce_moderate_f32(x: f32) -> (u32, f32, f32) {
    let t = x.mul_add(TWO_OVER_PI_F32, ROUND_MAGIC_F32);
    let n = t - ROUND_MAGIC_F32;
    let d = fma_once(n, -PIO2_1_F32, x);
    let h = n * PIO2_2_F32;
    let l = fma_once(n, PIO2_2_F32, -h);
    let r = d - h;
    let r_lo = n.mul_add(-PIO2_3_F32, ((d - r) - h) - l);
    (t.to_bits(), r, r_lo)
}

#[always_inline(crate = crate)]
fn reduce_f32(x: f32) -> (u32, f32, f32) {
    let mut parts = reduce_moderate_f32(x);
    // Dear, and seldom needed. A loop, because lanes skip one that none of them enters, where they compute both sides of an `if`.
    let mut large = x.abs() >= MODERATE_F32;
    while large {
        parts = reduce_large_f32(x);
        large = false;
    }
    parts
}

/// (quarter turns, the rest in radians in two parts) for |x| < [`MODERATE_F64`].
#[always_inline(crate = crate)]
fn reduce_moderate_f64(x: f64) -> (u64, f64, f64) {
    let t = x.mul_add(TWO_OVER_PI_F64, ROUND_MAGIC_F64);
    let n = t - ROUND_MAGIC_F64;
    let d = fma_once(n, -PIO2_1_F64, x);
    let h = n * PIO2_2_F64;
    let l = fma_once(n, PIO2_2_F64, -h);
    let r = d - h;
    let r_lo = n.mul_add(-PIO2_3_F64, ((d - r) - h) - l);
    (t.to_bits(), r, r_lo)
}

#[always_inline(crate = crate)]
fn reduce_f64(x: f64) -> (u64, f64, f64) {
    let mut parts = reduce_moderate_f64(x);
    // Dear, and seldom needed. A loop, because lanes skip one that none of them enters, where they compute both sides of an `if`.
    let mut large = x.abs() >= MODERATE_F64;
    while large {
        parts = reduce_large_f64(x);
        large = false;
    }
    parts
}

// sin(x) on [0, 0.792], fixed part x, powers 3, 5 .. 9: relative error 2^-32.2 (sollya fpminimax, fit.py sin_f32).
const SIN_F32_3: f32 = -0.16666667;
const SIN_F32_5: f32 = 0.008333371;
const SIN_F32_7: f32 = -0.00019849467;
const SIN_F32_9: f32 = 2.7955334e-06;

// cos(x) on [0, 0.792], fixed part 1, powers 2, 4 .. 8: relative error 2^-32.8 (sollya fpminimax, fit.py cos_f32).
const COS_F32_2: f32 = -0.5;
const COS_F32_4: f32 = 0.041666646;
const COS_F32_6: f32 = -0.00138873;
const COS_F32_8: f32 = 2.443053e-05;

// tan(x) on [0, 0.792], fixed part x, powers 3, 5 .. 15: relative error 2^-29.3 (sollya fpminimax, fit.py tan_f32).
const TAN_F32_3: f32 = 0.33333352;
const TAN_F32_5: f32 = 0.13332577;
const TAN_F32_7: f32 = 0.054069936;
const TAN_F32_9: f32 = 0.021229196;
const TAN_F32_11: f32 = 0.010976301;
const TAN_F32_13: f32 = -9.233176e-05;
const TAN_F32_15: f32 = 0.0044677462;

/// (sin(r + r_lo), cos(r + r_lo))
#[always_inline(crate = crate)]
fn sine_and_cosine_f32(r: f32, r_lo: f32) -> (f32, f32) {
    let z = r * r;
    let p = z.mul_add(SIN_F32_9, SIN_F32_7);
    let p = p.mul_add(z, SIN_F32_5);
    let p = p.mul_add(z, SIN_F32_3);
    let s = r + p.mul_add(z * r, r_lo);
    let p = z.mul_add(COS_F32_8, COS_F32_6);
    let p = p.mul_add(z, COS_F32_4);
    let p = p.mul_add(z, COS_F32_2);
    (s, p.mul_add(z, 1.0))
}

/// The sine of n quarter turns more than an angle, of its sine and cosine.
#[always_inline(crate = crate)]
fn turned_f32(n: u32, s: f32, c: f32) -> f32 {
    let y = if (n & 1) == 0 { s } else { c };
    f32::from_bits(y.to_bits() ^ ((n & 2) << 30))
}

/// sin(r + r_lo + n pi/2)
#[always_inline(crate = crate)]
fn sine_f32(n: u32, r: f32, r_lo: f32) -> f32 {
    let (s, c) = sine_and_cosine_f32(r, r_lo);
    turned_f32(n, s, c)
}

/// (sin x, cos x) for |x| < [`MODERATE_F32`], the bits of [`sin_f32`] and [`cos_f32`].
#[always_inline(crate = crate)]
pub(crate) fn sin_cos_moderate_f32(x: f32) -> (f32, f32) {
    let (n, r, r_lo) = reduce_moderate_f32(x);
    let (s, c) = sine_and_cosine_f32(r, r_lo);
    let y = turned_f32(n, s, c);
    (if x.abs() < TINY_F32 { x } else { y }, turned_f32(n + 1, s, c))
}

/// sin x. Max error 1.2241 ULP over all 2^32 inputs, against glibc's f64.
/// About 33 operations for moderate x, 96 with the reduction of large x.
///
/// Odd, signed zeros kept; NaN for +-inf and NaN.
#[always_inline(crate = crate)]
pub fn sin_f32(x: f32) -> f32 {
    let (n, r, r_lo) = reduce_f32(x);
    let y = sine_f32(n, r, r_lo);
    if x.abs() < TINY_F32 { x } else { y }
}

/// cos x. Max error 1.2075 ULP over every 17th of all 2^32 inputs, against glibc's f64.
/// Operations as [`sin_f32`]. NaN for +-inf and NaN.
#[always_inline(crate = crate)]
pub fn cos_f32(x: f32) -> f32 {
    let (n, r, r_lo) = reduce_f32(x);
    sine_f32(n + 1, r, r_lo)
}

/// tan x. Max error 1.2541 ULP over every 17th of all 2^32 inputs, against glibc's f64.
/// About 37 operations for moderate x, one a division. Odd, signed zeros kept; NaN for +-inf and NaN.
#[always_inline(crate = crate)]
pub fn tan_f32(x: f32) -> f32 {
    let (n, r, r_lo) = reduce_f32(x);
    let z = r * r;
    let p = z.mul_add(TAN_F32_15, TAN_F32_13);
    let p = p.mul_add(z, TAN_F32_11);
    let p = p.mul_add(z, TAN_F32_9);
    let p = p.mul_add(z, TAN_F32_7);
    let p = p.mul_add(z, TAN_F32_5);
    let p = p.mul_add(z, TAN_F32_3);
    // tan' = 1 + tan^2 is close enough to 1 + z for the low part.
    let v = p.mul_add(z * r, z.mul_add(r_lo, r_lo));
    let t = r + v;
    // -1/t, and one Newton step that takes in what the rounding of t lost.
    let q = -1.0 / t;
    let e = q.mul_add(v - (t - r), q.mul_add(t, 1.0));
    let y = if (n & 1) == 0 { t } else { q.mul_add(e, q) };
    if x.abs() < TINY_F32 { x } else { y }
}

// sin(x) on [0, 0.7855], fixed part x, powers 3, 5 .. 17: relative error 2^-63.2 (sollya fpminimax, fit.py sin_f64).
const SIN_F64_3: f64 = -0.16666666666666666;
const SIN_F64_5: f64 = 0.008333333333333038;
const SIN_F64_7: f64 = -0.00019841269840923387;
const SIN_F64_9: f64 = 2.7557319021692334e-06;
const SIN_F64_11: f64 = -2.505204330123398e-08;
const SIN_F64_13: f64 = 1.6047302116614612e-10;
const SIN_F64_15: f64 = -6.533471944300118e-13;
const SIN_F64_17: f64 = -4.0435555568651085e-14;

// cos(x) on [0, 0.7855], fixed part 1, powers 2, 4 .. 14: relative error 2^-63.8 (sollya fpminimax, fit.py cos_f64).
const COS_F64_2: f64 = -0.5;
const COS_F64_4: f64 = 0.04166666666666659;
const COS_F64_6: f64 = -0.0013888888888872342;
const COS_F64_8: f64 = 2.4801587288462926e-05;
const COS_F64_10: f64 = -2.7557314079035896e-07;
const COS_F64_12: f64 = 2.0875688465156213e-09;
const COS_F64_14: f64 = -1.1357946916979329e-11;

// tan(x) on [0, 0.7855], fixed part x, powers 3, 5 .. 31: relative error 2^-60.0 (sollya fpminimax, fit.py tan_f64).
const TAN_F64_3: f64 = 0.33333333333333376;
const TAN_F64_5: f64 = 0.13333333333326086;
const TAN_F64_7: f64 = 0.05396825397253336;
const TAN_F64_9: f64 = 0.021869488408872456;
const TAN_F64_11: f64 = 0.008863237773730779;
const TAN_F64_13: f64 = 0.003592102390991211;
const TAN_F64_15: f64 = 0.0014560350363801275;
const TAN_F64_17: f64 = 0.0005889161911523661;
const TAN_F64_19: f64 = 0.00024356961915472113;
const TAN_F64_21: f64 = 8.401782105164453e-05;
const TAN_F64_23: f64 = 6.639402658997481e-05;
const TAN_F64_25: f64 = -2.459456592670493e-05;
const TAN_F64_27: f64 = 4.7773736656454856e-05;
const TAN_F64_29: f64 = -2.3849033690870597e-05;
const TAN_F64_31: f64 = 9.704887064744412e-06;

/// (sin(r + r_lo), cos(r + r_lo))
#[always_inline(crate = crate)]
fn sine_and_cosine_f64(r: f64, r_lo: f64) -> (f64, f64) {
    let z = r * r;
    let p = z.mul_add(SIN_F64_17, SIN_F64_15);
    let p = p.mul_add(z, SIN_F64_13);
    let p = p.mul_add(z, SIN_F64_11);
    let p = p.mul_add(z, SIN_F64_9);
    let p = p.mul_add(z, SIN_F64_7);
    let p = p.mul_add(z, SIN_F64_5);
    let p = p.mul_add(z, SIN_F64_3);
    let s = r + p.mul_add(z * r, r_lo);
    let p = z.mul_add(COS_F64_14, COS_F64_12);
    let p = p.mul_add(z, COS_F64_10);
    let p = p.mul_add(z, COS_F64_8);
    let p = p.mul_add(z, COS_F64_6);
    let p = p.mul_add(z, COS_F64_4);
    let p = p.mul_add(z, COS_F64_2);
    (s, p.mul_add(z, 1.0))
}

/// The sine of n quarter turns more than an angle, of its sine and cosine.
#[always_inline(crate = crate)]
fn turned_f64(n: u64, s: f64, c: f64) -> f64 {
    let y = if (n & 1) == 0 { s } else { c };
    f64::from_bits(y.to_bits() ^ ((n & 2) << 62))
}

/// sin(r + r_lo + n pi/2)
#[always_inline(crate = crate)]
fn sine_f64(n: u64, r: f64, r_lo: f64) -> f64 {
    let (s, c) = sine_and_cosine_f64(r, r_lo);
    turned_f64(n, s, c)
}

/// (sin x, cos x) for |x| < [`MODERATE_F64`], the bits of [`sin_f64`] and [`cos_f64`].
#[always_inline(crate = crate)]
pub(crate) fn sin_cos_moderate_f64(x: f64) -> (f64, f64) {
    let (n, r, r_lo) = reduce_moderate_f64(x);
    let (s, c) = sine_and_cosine_f64(r, r_lo);
    let y = turned_f64(n, s, c);
    (if x.abs() < TINY_F64 { x } else { y }, turned_f64(n + 1, s, c))
}

/// sin x. Max error 1.19 ULP in 10^7 samples (all binades, |x| < 1, 4, 1000), against libquadmath.
/// About 43 operations for moderate x, 180 with the reduction of large x.
///
/// Odd, signed zeros kept; NaN for +-inf and NaN.
#[always_inline(crate = crate)]
pub fn sin_f64(x: f64) -> f64 {
    let (n, r, r_lo) = reduce_f64(x);
    let y = sine_f64(n, r, r_lo);
    if x.abs() < TINY_F64 { x } else { y }
}

/// cos x. Max error 1.18 ULP in 10^7 samples (all binades, |x| < 1, 4, 1000), against libquadmath.
/// Operations as [`sin_f64`]. NaN for +-inf and NaN.
#[always_inline(crate = crate)]
pub fn cos_f64(x: f64) -> f64 {
    let (n, r, r_lo) = reduce_f64(x);
    sine_f64(n + 1, r, r_lo)
}

/// tan x. Max error 1.21 ULP in 10^7 samples (all binades, |x| < 1, 4, 1000), against libquadmath.
/// About 52 operations for moderate x, one a division. Odd, signed zeros kept; NaN for +-inf and NaN.
#[always_inline(crate = crate)]
pub fn tan_f64(x: f64) -> f64 {
    let (n, r, r_lo) = reduce_f64(x);
    let z = r * r;
    let p = z.mul_add(TAN_F64_31, TAN_F64_29);
    let p = p.mul_add(z, TAN_F64_27);
    let p = p.mul_add(z, TAN_F64_25);
    let p = p.mul_add(z, TAN_F64_23);
    let p = p.mul_add(z, TAN_F64_21);
    let p = p.mul_add(z, TAN_F64_19);
    let p = p.mul_add(z, TAN_F64_17);
    let p = p.mul_add(z, TAN_F64_15);
    let p = p.mul_add(z, TAN_F64_13);
    let p = p.mul_add(z, TAN_F64_11);
    let p = p.mul_add(z, TAN_F64_9);
    let p = p.mul_add(z, TAN_F64_7);
    let p = p.mul_add(z, TAN_F64_5);
    let p = p.mul_add(z, TAN_F64_3);
    // tan' = 1 + tan^2 is close enough to 1 + z for the low part.
    let v = p.mul_add(z * r, z.mul_add(r_lo, r_lo));
    let t = r + v;
    // -1/t, and one Newton step that takes in what the rounding of t lost.
    let q = -1.0 / t;
    let e = q.mul_add(v - (t - r), q.mul_add(t, 1.0));
    let y = if (n & 1) == 0 { t } else { q.mul_add(e, q) };
    if x.abs() < TINY_F64 { x } else { y }
}
