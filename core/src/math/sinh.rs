//! Hyperbolic sine and cosine.
//!
//! a = |x| = n ln 2 + r with |r| <= ln(2)/2. With S = sinh r and C = cosh r - 1, two short polynomials,
//! sinh a = (2^n - 2^-n)/2 (1 + C) + (2^n + 2^-n)/2 S, and cosh a the same with C and S changed round: one reduction, no
//! division. The powers of two are halved once more, so that they do not overflow before the result does.

use lanecraft_macros::always_inline;

/// 1.5 * 2^23 + 125: the low bits of the sum are the exponent field of 2^(n-2).
const QUARTER_MAGIC_F32: f32 = 12583037.0;
/// [`QUARTER_MAGIC_F32`] + 100
const QUARTER_CAP_F32: f32 = 12583137.0;
/// Twice the bits of [`QUARTER_MAGIC_F32`]: less the bits of the sum, they end in the exponent field of 2^(-n-2).
const QUARTER_BITS_F32: u32 = 0x9680_00fa;
const LOG2E_F32: f32 = f32::from_bits(0x3fb8_aa3b);
// ln 2 to 15 bits and the rest: n, of 8 bits, times the first is exact, also where level SSE2 rounds the product.
const LN2_HI_F32: f32 = f32::from_bits(0x3f31_7200);
const LN2_LO_F32: f32 = f32::from_bits(0x35bf_be8e);

/// 1.5 * 2^52 + 1021, as [`QUARTER_MAGIC_F32`].
const QUARTER_MAGIC_F64: f64 = 6755399441056765.0;
/// [`QUARTER_MAGIC_F64`] + 500
const QUARTER_CAP_F64: f64 = 6755399441057265.0;
/// Twice the bits of [`QUARTER_MAGIC_F64`]: less the bits of the sum, they end in the exponent field of 2^(-n-2).
const QUARTER_BITS_F64: u64 = 0x8670_0000_0000_07fa;
const LOG2E_F64: f64 = f64::from_bits(0x3ff7_1547_652b_82fe);
// As for f32: 33 bits and the rest; n has 11.
const LN2_HI_F64: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LO_F64: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

// sinh(x) on [0, 1.04], fixed part x, powers 3, 5 .. 9: relative error 2^-31.1 (sollya fpminimax, fit.py sinh_f32).
const SINH_F32_3: f32 = 0.16666667;
const SINH_F32_5: f32 = 0.00833332;
const SINH_F32_7: f32 = 0.00019840294;
const SINH_F32_9: f32 = 2.7994897e-06;

// sinh(x) on [0, 1.04], fixed part x, powers 3, 5 .. 17: relative error 2^-62.5 (sollya fpminimax, fit.py sinh_f64).
const SINH_F64_3: f64 = 0.16666666666666666;
const SINH_F64_5: f64 = 0.008333333333333507;
const SINH_F64_7: f64 = 0.0001984126984115094;
const SINH_F64_9: f64 = 2.7557319264377997e-06;
const SINH_F64_11: f64 = 2.5052100842506268e-08;
const SINH_F64_13: f64 = 1.605983302667289e-10;
const SINH_F64_15: f64 = 7.603670266785793e-13;
const SINH_F64_17: f64 = 3.8057801425868335e-15;

// cosh(x) on [0, 0.3468], fixed part 1, powers 2, 4 .. 6: relative error 2^-33.2 (sollya fpminimax, fit.py cosh_f32).
const COSH_F32_2: f32 = 0.5;
const COSH_F32_4: f32 = 0.041666456;
const COSH_F32_6: f32 = 0.0013935767;

// cosh(x) on [0, 0.3467], fixed part 1, powers 2, 4 .. 10: relative error 2^-58.0 (sollya fpminimax, fit.py cosh_f64).
const COSH_F64_2: f64 = 0.5000000000000012;
const COSH_F64_4: f64 = 0.041666666666519254;
const COSH_F64_6: f64 = 0.001388888894611811;
const COSH_F64_8: f64 = 2.4801490785592124e-05;
const COSH_F64_10: f64 = 2.7631004433111346e-07;

/// (n, r) for a >= 0 as above, n as t = n + [`QUARTER_MAGIC_F32`].
#[always_inline(crate = crate)]
fn reduce_f32(t: f32, a: f32) -> f32 {
    let n = t - QUARTER_MAGIC_F32;
    let r = n.mul_add(-LN2_HI_F32, a);
    n.mul_add(-LN2_LO_F32, r)
}

/// (2^(n-2), 2^(-n-2)); the second of little use for large n, where it is kept normal.
#[always_inline(crate = crate)]
fn quarters_f32(t: f32) -> (f32, f32) {
    let c = if t > QUARTER_CAP_F32 { QUARTER_CAP_F32 } else { t };
    (f32::from_bits(t.to_bits() << 23), f32::from_bits((QUARTER_BITS_F32 - c.to_bits()) << 23))
}

/// sinh r for |r| <= 1.04.
#[always_inline(crate = crate)]
fn sinh_poly_f32(r: f32, z: f32) -> f32 {
    let p = z.mul_add(SINH_F32_9, SINH_F32_7);
    let p = p.mul_add(z, SINH_F32_5);
    let p = p.mul_add(z, SINH_F32_3);
    p.mul_add(z * r, r)
}

/// cosh r - 1 for |r| <= 0.3466.
#[always_inline(crate = crate)]
fn coshm1_poly_f32(z: f32) -> f32 {
    let p = z.mul_add(COSH_F32_6, COSH_F32_4);
    let p = p.mul_add(z, COSH_F32_2);
    p * z
}

/// sinh x. Max error 1.4450 ULP over all 2^32 inputs, against glibc's f64.
/// 27 operations.
///
/// Odd, signed zeros kept; +-inf above 89.42 in size, NaN gives NaN.
#[always_inline(crate = crate)]
pub fn sinh_f32(x: f32) -> f32 {
    let a = x.abs();
    let b = if a > 89.5 { 89.5 } else { a };
    // Below 1.5 ln 2 the polynomial alone is enough, and accurate relative to the result.
    let small = a < 1.0397;
    let t = if small { QUARTER_MAGIC_F32 } else { b.mul_add(LOG2E_F32, QUARTER_MAGIC_F32) };
    let r = reduce_f32(t, b);
    let z = r * r;
    let s = sinh_poly_f32(r, z);
    let c = coshm1_poly_f32(z);
    let (up, down) = quarters_f32(t);
    let w = s.mul_add(up + down, c.mul_add(up - down, -down));
    let y = up + w;
    let y = if small { s } else { y + y };
    y.copysign(x)
}

/// cosh x. Max error 1.2535 ULP over all 2^32 inputs, against glibc's f64.
/// 24 operations.
///
/// Even; inf above 89.42 in size, NaN gives NaN.
#[always_inline(crate = crate)]
pub fn cosh_f32(x: f32) -> f32 {
    let a = x.abs();
    let b = if a > 89.5 { 89.5 } else { a };
    let t = b.mul_add(LOG2E_F32, QUARTER_MAGIC_F32);
    let r = reduce_f32(t, b);
    let z = r * r;
    let s = sinh_poly_f32(r, z);
    let c = coshm1_poly_f32(z);
    let (up, down) = quarters_f32(t);
    let w = s.mul_add(up - down, c.mul_add(up + down, down));
    let y = up + w;
    y + y
}

/// (n, r) for a >= 0 as above, n as t = n + [`QUARTER_MAGIC_F64`].
#[always_inline(crate = crate)]
fn reduce_f64(t: f64, a: f64) -> f64 {
    let n = t - QUARTER_MAGIC_F64;
    let r = n.mul_add(-LN2_HI_F64, a);
    n.mul_add(-LN2_LO_F64, r)
}

/// (2^(n-2), 2^(-n-2)); the second of little use for large n, where it is kept normal.
#[always_inline(crate = crate)]
fn quarters_f64(t: f64) -> (f64, f64) {
    let c = if t > QUARTER_CAP_F64 { QUARTER_CAP_F64 } else { t };
    (f64::from_bits(t.to_bits() << 52), f64::from_bits((QUARTER_BITS_F64 - c.to_bits()) << 52))
}

/// sinh r for |r| <= 1.04.
#[always_inline(crate = crate)]
fn sinh_poly_f64(r: f64, z: f64) -> f64 {
    let p = z.mul_add(SINH_F64_17, SINH_F64_15);
    let p = p.mul_add(z, SINH_F64_13);
    let p = p.mul_add(z, SINH_F64_11);
    let p = p.mul_add(z, SINH_F64_9);
    let p = p.mul_add(z, SINH_F64_7);
    let p = p.mul_add(z, SINH_F64_5);
    let p = p.mul_add(z, SINH_F64_3);
    p.mul_add(z * r, r)
}

/// cosh r - 1 for |r| <= 0.3466.
#[always_inline(crate = crate)]
fn coshm1_poly_f64(z: f64) -> f64 {
    let p = z.mul_add(COSH_F64_10, COSH_F64_8);
    let p = p.mul_add(z, COSH_F64_6);
    let p = p.mul_add(z, COSH_F64_4);
    let p = p.mul_add(z, COSH_F64_2);
    p * z
}

/// sinh x. Max error 1.25 ULP in 10^7 samples (all binades, the whole range, edges), against libquadmath.
/// 33 operations.
/// Special values as [`sinh_f32`].
#[always_inline(crate = crate)]
pub fn sinh_f64(x: f64) -> f64 {
    let a = x.abs();
    let b = if a > 710.5 { 710.5 } else { a };
    // Below 1.5 ln 2 the polynomial alone is enough, and accurate relative to the result.
    let small = a < 1.0397;
    let t = if small { QUARTER_MAGIC_F64 } else { b.mul_add(LOG2E_F64, QUARTER_MAGIC_F64) };
    let r = reduce_f64(t, b);
    let z = r * r;
    let s = sinh_poly_f64(r, z);
    let c = coshm1_poly_f64(z);
    let (up, down) = quarters_f64(t);
    let w = s.mul_add(up + down, c.mul_add(up - down, -down));
    let y = up + w;
    let y = if small { s } else { y + y };
    y.copysign(x)
}

/// cosh x. Max error 1.22 ULP in 10^7 samples (all binades, the whole range, edges), against libquadmath.
/// 30 operations.
/// Special values as [`cosh_f32`].
#[always_inline(crate = crate)]
pub fn cosh_f64(x: f64) -> f64 {
    let a = x.abs();
    let b = if a > 710.5 { 710.5 } else { a };
    let t = b.mul_add(LOG2E_F64, QUARTER_MAGIC_F64);
    let r = reduce_f64(t, b);
    let z = r * r;
    let s = sinh_poly_f64(r, z);
    let c = coshm1_poly_f64(z);
    let (up, down) = quarters_f64(t);
    let w = s.mul_add(up - down, c.mul_add(up + down, down));
    let y = up + w;
    y + y
}
