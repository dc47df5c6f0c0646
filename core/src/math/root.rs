//! Roots: cbrt, hypot.
//!
//! cbrt of f64 (f32 has a shorter way): |x| = 2^(3k) m with m = 2^j M, M in [1, 2), j in {-1, 0, 1}. y ~ m^(-1/3) comes
//! from a short polynomial of M times a constant for j, cut to half of the significand, so that y^2 is exact and m y^2 = w + w_lo exactly in two fma.
//! With h = 1 - m y^3 the root is m y^2 (1 - h)^(-2/3); h is small, so three terms of the series do: no division, and
//! the last addition is the only large rounding. The iteration is the one of Kahan and Bindel, "Computing a real cube
//! root" (2001), with the series in place of its division.

use lanecraft_macros::always_inline;

const MIN_NORMAL_F32: f32 = f32::from_bits(0x0080_0000);
const INF_F32: f32 = f32::from_bits(0x7f80_0000);
/// 2^23 and, in units of 2^9 as the bits below it, 1419907063: of a number whose bits are i, 1419907063 - i/3 are the
/// bits of its inverse root, to 3.5 %.
const CBRT_MAGIC_F32: f32 = 11161864.0;
/// 2^-9 / 3
const CBRT_THIRD_F32: f32 = 0.0006510417;

// ((1-x)^(-1/3)-1)/x on [-0.105, 0.105], powers 0 to 2: absolute error 2^-14.5 (sollya fpminimax, fit.py cbrt_f32).
const CBRT_F32_0: f32 = 0.3333295;
const CBRT_F32_1: f32 = 0.22342171;
const CBRT_F32_2: f32 = 0.17457558;

/// The real cube root of x. Max error 0.9871 ULP over every 97th of all 2^32 inputs, against CORE-MATH.
/// 20 operations.
///
/// y ~ |x|^(-1/3) by its bits, then by one step of third order; |x| y^2 is the root, and one Newton step takes the rest of
/// its error, all but a third of its two roundings. Odd; subnormals to the same bound; +-0, +-inf and NaN are returned as they are.
#[always_inline(crate = crate)]
pub fn cbrt_f32(x: f32) -> f32 {
    let a = x.abs();
    // Seldom: loops, because lanes skip one that none of them enters.
    let odd = !(a >= MIN_NORMAL_F32 && a < INF_F32);
    let mut z = a;
    let mut tiny = odd;
    while tiny {
        // 2^24, whose root is 2^8.
        z = a * 16777216.0;
        tiny = false;
    }
    let t = ((z.to_bits() as i32) as f32).mul_add(-CBRT_THIRD_F32, CBRT_MAGIC_F32);
    let y = f32::from_bits(t.to_bits() << 9);
    let h = (-z * y).mul_add(y * y, 1.0);
    let p = h.mul_add(CBRT_F32_2, CBRT_F32_1);
    let p = p.mul_add(h, CBRT_F32_0);
    let y = (y * h).mul_add(p, y);
    let r = z * (y * y);
    let h = (-r).mul_add(y, 1.0);
    let mut r = (r * h).mul_add(0.6666667, r);
    let mut edge = odd;
    while edge {
        r = if a < INF_F32 { r * 0.00390625 } else { a };
        edge = false;
    }
    r.copysign(x)
}

/// 1.5 * 2^52 + exponent bias: the low bits of the sum are the exponent field of 2^k.
const POW2_MAGIC_F64: f64 = 6755399441056767.0;
const MIN_NORMAL_F64: f64 = f64::from_bits(0x0010_0000_0000_0000);
const INF_F64: f64 = f64::from_bits(0x7ff0_0000_0000_0000);
const THIRD_F64: f64 = f64::from_bits(0x3fd5_5555_5555_5555);
// 2^(1/3) and 2^(-1/3)
const CBRT_2_F64: f64 = f64::from_bits(0x3ff4_28a2_f98d_728b);
const CBRT_HALF_F64: f64 = f64::from_bits(0x3fe9_65fe_a53d_6e3d);
// (1 - h)^(-2/3) = 1 + 2/3 h + 5/9 h^2 + 40/81 h^3 + ... (Taylor)
const CBRT_H1_F64: f64 = 2.0 / 3.0;
const CBRT_H2_F64: f64 = 5.0 / 9.0;
const CBRT_H3_F64: f64 = 40.0 / 81.0;

// x^(-1/3) on [1, 2], powers 0 to 6: relative error 2^-20.1 (sollya fpminimax, fit.py cbrt_f64).
const CBRT_F64_0: f64 = 1.8797812462858452;
const CBRT_F64_1: f64 = -1.985377149636041;
const CBRT_F64_2: f64 = 1.9769832916803831;
const CBRT_F64_3: f64 = -1.2733559656543012;
const CBRT_F64_4: f64 = 0.5019878777124027;
const CBRT_F64_5: f64 = -0.11040859910847903;
const CBRT_F64_6: f64 = 0.010388405847339847;

/// The real cube root of x. Max error 0.51 ULP in 10^7 samples (all binades, subnormals, edges), against libquadmath.
/// 41 operations.
/// Special values as [`cbrt_f32`].
#[always_inline(crate = crate)]
pub fn cbrt_f64(x: f64) -> f64 {
    let a = x.abs();
    let odd = !(a >= MIN_NORMAL_F64 && a < INF_F64);
    let mut z = a;
    // 2^52 + the exponent's bias: its field as the low bits of 2^52 + ... needs no 64-bit conversion (AVX2 has none).
    let mut bias = 4503599627371519.0;
    let mut tiny = odd;
    while tiny {
        // 2^54: a multiple of three, so that it comes out of k again.
        z = a * 18014398509481984.0;
        bias = 4503599627371573.0;
        tiny = false;
    }
    let e = f64::from_bits((z.to_bits() >> 52) | 0x4330_0000_0000_0000) - bias;
    let t = e.mul_add(THIRD_F64, POW2_MAGIC_F64);
    let j = (t - POW2_MAGIC_F64).mul_add(-3.0, e);
    let m1 = f64::from_bits((z.to_bits() & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    let m = if j < 0.0 { 0.5 * m1 } else { m1 };
    let m = if j > 0.0 { 2.0 * m } else { m };
    let c = if j < 0.0 { CBRT_2_F64 } else { 1.0 };
    let c = if j > 0.0 { CBRT_HALF_F64 } else { c };
    let p = m1.mul_add(CBRT_F64_6, CBRT_F64_5);
    let p = p.mul_add(m1, CBRT_F64_4);
    let p = p.mul_add(m1, CBRT_F64_3);
    let p = p.mul_add(m1, CBRT_F64_2);
    let p = p.mul_add(m1, CBRT_F64_1);
    let p = p.mul_add(m1, CBRT_F64_0);
    let y = f64::from_bits((p * c).to_bits() & 0xffff_ffff_f000_0000);
    let y2 = y * y;
    let w = m * y2;
    let w_lo = m.mul_add(y2, -w);
    let h = (-w_lo).mul_add(y, (-w).mul_add(y, 1.0));
    let g = h.mul_add(CBRT_H3_F64, CBRT_H2_F64);
    let g = g.mul_add(h, CBRT_H1_F64);
    let w = w + (g * h).mul_add(w, w_lo);
    let s = f64::from_bits(t.to_bits() << 52);
    let mut r = (w * s).copysign(x);
    let mut edge = odd;
    while edge {
        // Zeros, infinities and NaN are their own roots.
        r = if a > 0.0 && a < INF_F64 { r } else { x };
        edge = false;
    }
    r
}

// [`hypot_f32`]: largest power of two it scales by, bits of an exponent field, twice the bias in that field
const HYPOT_CAP_F32: f32 = f32::from_bits(0x7e80_0000);
const EXPONENT_F32: u32 = 0x7f80_0000;
const TWO_BIAS_F32: u32 = 0x7f00_0000;

/// sqrt(x^2 + y^2) without overflow or underflow in between. Max error 1.18 ULP
/// in 10^8 pairs (random bits, near-equal, edges), against glibc's f64.
/// 19 operations, one a square root.
///
/// Both are scaled by a power of two, so that the larger one is between 1 and 4. inf if either is infinite, even if the
/// other one is NaN (C99); else NaN if either is NaN.
#[always_inline(crate = crate)]
pub fn hypot_f32(x: f32, y: f32) -> f32 {
    let a = x.abs();
    let b = y.abs();
    let m = if a > b { a } else { b };
    let m = if m > HYPOT_CAP_F32 { HYPOT_CAP_F32 } else { m };
    let m = if m < MIN_NORMAL_F32 { MIN_NORMAL_F32 } else { m };
    let e = m.to_bits() & EXPONENT_F32;
    let s = f32::from_bits(TWO_BIAS_F32 - e);
    let (c, d) = (a * s, b * s);
    let h = c.mul_add(c, d * d).sqrt() * f32::from_bits(e);
    if a == INF_F32 || b == INF_F32 { INF_F32 } else { h }
}

// [`hypot_f64`]: largest power of two it scales by, bits of an exponent field, twice the bias in that field
const HYPOT_CAP_F64: f64 = f64::from_bits(0x7fd0_0000_0000_0000);
const EXPONENT_F64: u64 = 0x7ff0_0000_0000_0000;
const TWO_BIAS_F64: u64 = 0x7fe0_0000_0000_0000;

/// sqrt(x^2 + y^2) without overflow or underflow in between. Max error 1.18 ULP
/// in 10^7 pairs (random bits, near-equal, edges), against libquadmath.
/// 19 operations, one a square root.
///
/// Both are scaled by a power of two, so that the larger one is between 1 and 4. inf if either is infinite, even if the
/// other one is NaN (C99); else NaN if either is NaN.
#[always_inline(crate = crate)]
pub fn hypot_f64(x: f64, y: f64) -> f64 {
    let a = x.abs();
    let b = y.abs();
    let m = if a > b { a } else { b };
    let m = if m > HYPOT_CAP_F64 { HYPOT_CAP_F64 } else { m };
    let m = if m < MIN_NORMAL_F64 { MIN_NORMAL_F64 } else { m };
    let e = m.to_bits() & EXPONENT_F64;
    let s = f64::from_bits(TWO_BIAS_F64 - e);
    let (c, d) = (a * s, b * s);
    let h = c.mul_add(c, d * d).sqrt() * f64::from_bits(e);
    if a == INF_F64 || b == INF_F64 { INF_F64 } else { h }
}
