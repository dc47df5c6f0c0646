//! Inverse trigonometric functions: atan, atan2, asin, acos.
//!
//! atan: one odd polynomial on [0, 1], and atan a = pi/2 - atan(1/a) above. atan2 divides the smaller by the larger
//! operand, so that one division does both. asin: one odd polynomial on [0, 1/2], and above
//! asin a = pi/2 - 2 asin(sqrt((1 - a)/2)), where 1 - a is exact; acos from the same parts. Multiples of pi are two
//! constants, the low one added to the small part first. Reference: fdlibm's e_asin.c.

use lanecraft_macros::always_inline;

// pi/2 and pi, each in two parts
const PIO2_HI_F32: f32 = f32::from_bits(0x3fc9_0fdb);
const PIO2_LO_F32: f32 = f32::from_bits(0xb33b_bd2e);
const PI_HI_F32: f32 = f32::from_bits(0x4049_0fdb);
const PI_LO_F32: f32 = f32::from_bits(0xb3bb_bd2e);
const SIGN_F32: u32 = 0x8000_0000;

// pi/2 and pi, each in two parts
const PIO2_HI_F64: f64 = f64::from_bits(0x3ff9_21fb_5444_2d18);
const PIO2_LO_F64: f64 = f64::from_bits(0x3c91_a626_3314_5c07);
const PI_HI_F64: f64 = f64::from_bits(0x4009_21fb_5444_2d18);
const PI_LO_F64: f64 = f64::from_bits(0x3ca1_a626_3314_5c07);
const SIGN_F64: u64 = 0x8000_0000_0000_0000;

// atan(x) on [0, 1], fixed part x, powers 3, 5 .. 19: relative error 2^-28.5 (sollya fpminimax, fit.py atan_f32).
const ATAN_F32_3: f32 = -0.333333;
const ATAN_F32_5: f32 = 0.19998536;
const ATAN_F32_7: f32 = -0.14264126;
const ATAN_F32_9: f32 = 0.109516546;
const ATAN_F32_11: f32 = -0.08402056;
const ATAN_F32_13: f32 = 0.0579358;
const ATAN_F32_15: f32 = -0.031157766;
const ATAN_F32_17: f32 = 0.010904537;
const ATAN_F32_19: f32 = -0.001791502;

/// atan z for 0 <= z <= 1.
#[always_inline(crate = crate)]
fn atan_poly_f32(z: f32) -> f32 {
    let w = z * z;
    let p = w.mul_add(ATAN_F32_19, ATAN_F32_17);
    let p = p.mul_add(w, ATAN_F32_15);
    let p = p.mul_add(w, ATAN_F32_13);
    let p = p.mul_add(w, ATAN_F32_11);
    let p = p.mul_add(w, ATAN_F32_9);
    let p = p.mul_add(w, ATAN_F32_7);
    let p = p.mul_add(w, ATAN_F32_5);
    let p = p.mul_add(w, ATAN_F32_3);
    p.mul_add(w * z, z)
}

/// atan x. Max error 1.3700 ULP over all 2^32 inputs, against glibc's f64.
/// 21 operations, one a division.
///
/// Odd, signed zeros kept, atan(+-inf) = +-pi/2, NaN gives NaN.
#[always_inline(crate = crate)]
pub fn atan_f32(x: f32) -> f32 {
    let a = x.abs();
    let big = a > 1.0;
    let z = if big { 1.0 / a } else { a };
    let p = atan_poly_f32(z);
    let r = if big { PIO2_HI_F32 - (p - PIO2_LO_F32) } else { p };
    r.copysign(x)
}

/// The angle of the point (x, y), from -pi to pi.
/// Max error 1.49 ULP in 10^8 pairs (random bits, near-equal, edges), against glibc's f64.
/// 31 operations, one a division.
///
/// C99's values throughout: atan2(+-0, x) = +-0 or +-pi by the sign of x, zeros included; two infinities give the odd
/// multiples of pi/4; NaN if either is NaN.
#[always_inline(crate = crate)]
pub fn atan2_f32(y: f32, x: f32) -> f32 {
    let a = y.abs();
    let b = x.abs();
    let steep = a > b;
    let num = if steep { b } else { a };
    let den = if steep { a } else { b };
    // 0/0 and inf/inf are 0 and 1 here.
    let same = if a > 0.0 { 1.0 } else { 0.0 };
    let z = if a == b { same } else { num / den };
    let p = atan_poly_f32(z);
    // atan z is added to 0 or taken from pi/2 (steep); x < 0 mirrors: pi less the former, pi/2 plus the latter.
    let left = x.to_bits() & SIGN_F32;
    let flip = if steep { SIGN_F32 } else { 0 };
    let v = f32::from_bits(p.to_bits() ^ left ^ flip);
    let hi = if left == 0 { 0.0 } else { PI_HI_F32 };
    let lo = if left == 0 { 0.0 } else { PI_LO_F32 };
    let hi = if steep { PIO2_HI_F32 } else { hi };
    let lo = if steep { PIO2_LO_F32 } else { lo };
    (hi + (v + lo)).copysign(y)
}

// asin(x) on [0, 0.5], fixed part x, powers 3, 5 .. 11: relative error 2^-27.6 (sollya fpminimax, fit.py asin_f32).
const ASIN_F32_3: f32 = 0.16666752;
const ASIN_F32_5: f32 = 0.0749531;
const ASIN_F32_7: f32 = 0.04546902;
const ASIN_F32_9: f32 = 0.024185503;
const ASIN_F32_11: f32 = 0.042157013;

/// (s, v) with asin(s) = s + v: s = a for a <= 1/2, else sqrt((1 - a)/2); NaN for a > 1.
#[always_inline(crate = crate)]
fn asin_parts_f32(a: f32) -> (f32, f32) {
    let small = a <= 0.5;
    let half = a.mul_add(-0.5, 0.5);
    let w = if small { a * a } else { half };
    let s = if small { a } else { half.sqrt() };
    let p = w.mul_add(ASIN_F32_11, ASIN_F32_9);
    let p = p.mul_add(w, ASIN_F32_7);
    let p = p.mul_add(w, ASIN_F32_5);
    let p = p.mul_add(w, ASIN_F32_3);
    (s, p * (w * s))
}

/// asin x. Max error 1.1838 ULP over all 2^32 inputs, against glibc's f64.
/// 19 operations, one a square root.
///
/// Odd, signed zeros kept; NaN for |x| > 1 and for NaN.
#[always_inline(crate = crate)]
pub fn asin_f32(x: f32) -> f32 {
    let a = x.abs();
    let (s, v) = asin_parts_f32(a);
    // pi/2 - 2s with what its rounding lost (Fast2Sum).
    let d = s.mul_add(-2.0, PIO2_HI_F32);
    let d_lo = s.mul_add(-2.0, PIO2_HI_F32 - d);
    let big = d + (d_lo + v.mul_add(-2.0, PIO2_LO_F32));
    let r = if a <= 0.5 { s + v } else { big };
    r.copysign(x)
}

/// acos x. Max error 1.1393 ULP over all 2^32 inputs, against glibc's f64.
/// 22 operations, one a square root.
///
/// acos(1) = +0, acos(-1) = pi; NaN for |x| > 1 and for NaN.
#[always_inline(crate = crate)]
pub fn acos_f32(x: f32) -> f32 {
    let a = x.abs();
    let (s, v) = asin_parts_f32(a);
    let small = a <= 0.5;
    let left = x.to_bits() & SIGN_F32;
    // hi + (lo + k s) + k v: pi/2 - asin x in the middle, 2 (s + v) on the right, pi - 2 (s + v) on the left
    let ks = if small { s } else { s + s };
    let kv = if small { v } else { v + v };
    let flip = if small { SIGN_F32 } else { 0 };
    let ks = f32::from_bits(ks.to_bits() ^ left ^ flip);
    let kv = f32::from_bits(kv.to_bits() ^ left ^ flip);
    let hi = if left == 0 { 0.0 } else { PI_HI_F32 };
    let lo = if left == 0 { 0.0 } else { PI_LO_F32 };
    let hi = if small { PIO2_HI_F32 } else { hi };
    let lo = if small { PIO2_LO_F32 } else { lo };
    hi + (ks + (kv + lo))
}

// atan(x) on [0, 1], fixed part x, powers 3, 5 .. 41: relative error 2^-57.6 (sollya fpminimax, fit.py atan_f64).
const ATAN_F64_3: f64 = -0.3333333333333307;
const ATAN_F64_5: f64 = 0.19999999999951756;
const ATAN_F64_7: f64 = -0.1428571428258855;
const ATAN_F64_9: f64 = 0.1111111100735493;
const ATAN_F64_11: f64 = -0.09090907008003227;
const ATAN_F64_13: f64 = 0.07692279891000552;
const ATAN_F64_15: f64 = -0.06666404438129865;
const ATAN_F64_17: f64 = 0.058805298846729526;
const ATAN_F64_19: f64 = -0.052535270812955864;
const ATAN_F64_21: f64 = 0.047223492737180406;
const ATAN_F64_23: f64 = -0.042192457555029254;
const ATAN_F64_25: f64 = 0.036643201134804834;
const ATAN_F64_27: f64 = -0.0299058087635479;
const ATAN_F64_29: f64 = 0.021987149042429332;
const ATAN_F64_31: f64 = -0.013902640588944897;
const ATAN_F64_33: f64 = 0.00719792575897647;
const ATAN_F64_35: f64 = -0.002885627889651036;
const ATAN_F64_37: f64 = 0.0008315652318609962;
const ATAN_F64_39: f64 = -0.00015221219870193814;
const ATAN_F64_41: f64 = 1.3230091772371405e-05;

/// atan z for 0 <= z <= 1.
#[always_inline(crate = crate)]
fn atan_poly_f64(z: f64) -> f64 {
    let w = z * z;
    let p = w.mul_add(ATAN_F64_41, ATAN_F64_39);
    let p = p.mul_add(w, ATAN_F64_37);
    let p = p.mul_add(w, ATAN_F64_35);
    let p = p.mul_add(w, ATAN_F64_33);
    let p = p.mul_add(w, ATAN_F64_31);
    let p = p.mul_add(w, ATAN_F64_29);
    let p = p.mul_add(w, ATAN_F64_27);
    let p = p.mul_add(w, ATAN_F64_25);
    let p = p.mul_add(w, ATAN_F64_23);
    let p = p.mul_add(w, ATAN_F64_21);
    let p = p.mul_add(w, ATAN_F64_19);
    let p = p.mul_add(w, ATAN_F64_17);
    let p = p.mul_add(w, ATAN_F64_15);
    let p = p.mul_add(w, ATAN_F64_13);
    let p = p.mul_add(w, ATAN_F64_11);
    let p = p.mul_add(w, ATAN_F64_9);
    let p = p.mul_add(w, ATAN_F64_7);
    let p = p.mul_add(w, ATAN_F64_5);
    let p = p.mul_add(w, ATAN_F64_3);
    p.mul_add(w * z, z)
}

/// atan x. Max error 1.52 ULP in 10^7 samples (all binades, the range, edges), against libquadmath.
/// 32 operations, one a division.
///
/// Odd, signed zeros kept, atan(+-inf) = +-pi/2, NaN gives NaN.
#[always_inline(crate = crate)]
pub fn atan_f64(x: f64) -> f64 {
    let a = x.abs();
    let big = a > 1.0;
    let z = if big { 1.0 / a } else { a };
    let p = atan_poly_f64(z);
    let r = if big { PIO2_HI_F64 - (p - PIO2_LO_F64) } else { p };
    r.copysign(x)
}

/// The angle of the point (x, y), from -pi to pi.
/// Max error 1.51 ULP in 10^7 pairs (random bits, near-equal, edges), against libquadmath.
/// 42 operations, one a division.
///
/// C99's values throughout: atan2(+-0, x) = +-0 or +-pi by the sign of x, zeros included; two infinities give the odd
/// multiples of pi/4; NaN if either is NaN.
#[always_inline(crate = crate)]
pub fn atan2_f64(y: f64, x: f64) -> f64 {
    let a = y.abs();
    let b = x.abs();
    let steep = a > b;
    let num = if steep { b } else { a };
    let den = if steep { a } else { b };
    // 0/0 and inf/inf are 0 and 1 here.
    let same = if a > 0.0 { 1.0 } else { 0.0 };
    let z = if a == b { same } else { num / den };
    let p = atan_poly_f64(z);
    // atan z is added to 0 or taken from pi/2 (steep); x < 0 mirrors: pi less the former, pi/2 plus the latter.
    let left = x.to_bits() & SIGN_F64;
    let flip = if steep { SIGN_F64 } else { 0 };
    let v = f64::from_bits(p.to_bits() ^ left ^ flip);
    let hi = if left == 0 { 0.0 } else { PI_HI_F64 };
    let lo = if left == 0 { 0.0 } else { PI_LO_F64 };
    let hi = if steep { PIO2_HI_F64 } else { hi };
    let lo = if steep { PIO2_LO_F64 } else { lo };
    (hi + (v + lo)).copysign(y)
}

// asin(x) on [0, 0.5], fixed part x, powers 3, 5 .. 25: relative error 2^-55.9 (sollya fpminimax, fit.py asin_f64).
const ASIN_F64_3: f64 = 0.16666666666665408;
const ASIN_F64_5: f64 = 0.07500000000337102;
const ASIN_F64_7: f64 = 0.04464285682827013;
const ASIN_F64_9: f64 = 0.030381959138981125;
const ASIN_F64_11: f64 = 0.022371758008737835;
const ASIN_F64_13: f64 = 0.017359705316372362;
const ASIN_F64_15: f64 = 0.013885230602039604;
const ASIN_F64_17: f64 = 0.012169240344522181;
const ASIN_F64_19: f64 = 0.0065278627079739925;
const ASIN_F64_21: f64 = 0.019528546896427006;
const ASIN_F64_23: f64 = -0.01622466016615404;
const ASIN_F64_25: f64 = 0.03191252891787342;

/// (s, v) with asin(s) = s + v: s = a for a <= 1/2, else sqrt((1 - a)/2); NaN for a > 1.
#[always_inline(crate = crate)]
fn asin_parts_f64(a: f64) -> (f64, f64) {
    let small = a <= 0.5;
    let half = a.mul_add(-0.5, 0.5);
    let w = if small { a * a } else { half };
    let s = if small { a } else { half.sqrt() };
    let p = w.mul_add(ASIN_F64_25, ASIN_F64_23);
    let p = p.mul_add(w, ASIN_F64_21);
    let p = p.mul_add(w, ASIN_F64_19);
    let p = p.mul_add(w, ASIN_F64_17);
    let p = p.mul_add(w, ASIN_F64_15);
    let p = p.mul_add(w, ASIN_F64_13);
    let p = p.mul_add(w, ASIN_F64_11);
    let p = p.mul_add(w, ASIN_F64_9);
    let p = p.mul_add(w, ASIN_F64_7);
    let p = p.mul_add(w, ASIN_F64_5);
    let p = p.mul_add(w, ASIN_F64_3);
    (s, p * (w * s))
}

/// asin x. Max error 1.22 ULP in 10^7 samples (all binades, the range, edges), against libquadmath.
/// 26 operations, one a square root.
///
/// Odd, signed zeros kept; NaN for |x| > 1 and for NaN.
#[always_inline(crate = crate)]
pub fn asin_f64(x: f64) -> f64 {
    let a = x.abs();
    let (s, v) = asin_parts_f64(a);
    // pi/2 - 2s with what its rounding lost (Fast2Sum).
    let d = s.mul_add(-2.0, PIO2_HI_F64);
    let d_lo = s.mul_add(-2.0, PIO2_HI_F64 - d);
    let big = d + (d_lo + v.mul_add(-2.0, PIO2_LO_F64));
    let r = if a <= 0.5 { s + v } else { big };
    r.copysign(x)
}

/// acos x. Max error 1.20 ULP in 10^7 samples (all binades, the range, edges), against libquadmath.
/// 29 operations, one a square root.
///
/// acos(1) = +0, acos(-1) = pi; NaN for |x| > 1 and for NaN.
#[always_inline(crate = crate)]
pub fn acos_f64(x: f64) -> f64 {
    let a = x.abs();
    let (s, v) = asin_parts_f64(a);
    let small = a <= 0.5;
    let left = x.to_bits() & SIGN_F64;
    // hi + (lo + k s) + k v: pi/2 - asin x in the middle, 2 (s + v) on the right, pi - 2 (s + v) on the left
    let ks = if small { s } else { s + s };
    let kv = if small { v } else { v + v };
    let flip = if small { SIGN_F64 } else { 0 };
    let ks = f64::from_bits(ks.to_bits() ^ left ^ flip);
    let kv = f64::from_bits(kv.to_bits() ^ left ^ flip);
    let hi = if left == 0 { 0.0 } else { PI_HI_F64 };
    let lo = if left == 0 { 0.0 } else { PI_LO_F64 };
    let hi = if small { PIO2_HI_F64 } else { hi };
    let lo = if small { PIO2_LO_F64 } else { lo };
    hi + (ks + (kv + lo))
}
