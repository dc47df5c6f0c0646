//! Inverse hyperbolic functions: asinh, acosh, atanh.
//!
//! Near zero one odd polynomial each; acosh x = 2 asinh(sqrt((x - 1)/2)) shares asinh's. Farther away they are logarithms:
//! of u = x + sqrt(x^2 +- 1), and of (1 + x)/(1 - x). What the roundings of the argument lost comes back as a small term c,
//! added where the logarithm's polynomial is: ln(u (1 + c)) = ln u + c.

use super::log::{ln_sum_f32, ln_sum_f64, split_normal_f32, split_normal_f64};
use lanecraft_macros::always_inline;

// asinh(x) on [0, 0.5], fixed part x, powers 3, 5 .. 11: relative error 2^-29.6 (sollya fpminimax, fit.py asinh_f32).
const ASINH_F32_3: f32 = -0.16666643;
const ASINH_F32_5: f32 = 0.074986435;
const ASINH_F32_7: f32 = -0.04438358;
const ASINH_F32_9: f32 = 0.028164992;
const ASINH_F32_11: f32 = -0.0132311145;

// atanh(x) on [0, 0.5], fixed part x, powers 3, 5 .. 13: relative error 2^-29.4 (sollya fpminimax, fit.py atanh_f32).
const ATANH_F32_3: f32 = 0.33333302;
const ATANH_F32_5: f32 = 0.20002452;
const ATANH_F32_7: f32 = 0.14223826;
const ATANH_F32_9: f32 = 0.11816006;
const ATANH_F32_11: f32 = 0.05161949;
const ATANH_F32_13: f32 = 0.17635684;

/// 2^28: from here on sqrt(x^2 +- 1) is x.
pub(crate) const BIG_F32: f32 = 268435456.0;
const INF_F32: f32 = f32::INFINITY;

/// (asinh r - r) / r^3 for z = r^2 <= 1/4.
#[always_inline(crate = crate)]
pub(crate) fn asinh_poly_f32(z: f32) -> f32 {
    let p = z.mul_add(ASINH_F32_11, ASINH_F32_9);
    let p = p.mul_add(z, ASINH_F32_7);
    let p = p.mul_add(z, ASINH_F32_5);
    p.mul_add(z, ASINH_F32_3)
}

/// (atanh r - r) / r^3 for z = r^2 <= 1/4.
#[always_inline(crate = crate)]
fn atanh_poly_f32(z: f32) -> f32 {
    let p = z.mul_add(ATANH_F32_13, ATANH_F32_11);
    let p = p.mul_add(z, ATANH_F32_9);
    let p = p.mul_add(z, ATANH_F32_7);
    let p = p.mul_add(z, ATANH_F32_5);
    p.mul_add(z, ATANH_F32_3)
}

/// asinh x. Max error 1.3298 ULP over every 97th of all 2^32 inputs, against CORE-MATH's f64.
///
/// Odd, signed zeros kept, +-inf and NaN are returned as they are.
#[always_inline(crate = crate)]
pub fn asinh_f32(x: f32) -> f32 {
    let a = x.abs();
    let z = a * a;
    let near = asinh_poly_f32(z).mul_add(z * a, a);
    let big = a > BIG_F32;
    let b = if big { 1.0 } else { a };
    let q = b.mul_add(b, 1.0);
    let s = q.sqrt();
    let s2 = s + s;
    let u = s + b;
    // What the roundings of u and s lost, relative to u.
    let c = s2.mul_add(b - (u - s), (-s).mul_add(s, q)) / (s2 * u);
    let (e, f) = split_normal_f32(if big { a } else { u });
    let far = ln_sum_f32(if big { e + 1.0 } else { e }, f, if big { 0.0 } else { c });
    let y = if a <= 0.5 { near } else { far };
    let y = if a < INF_F32 { y } else { a };
    y.copysign(x)
}

/// acosh x. Max error 0.9206 ULP, measured as [`asinh_f32`].
///
/// acosh(1) = +0, acosh(inf) = inf; NaN for x < 1 and for NaN.
#[always_inline(crate = crate)]
pub fn acosh_f32(x: f32) -> f32 {
    // Exact, where it matters.
    let t = x - 1.0;
    let small = x < 1.5;
    let big = x > BIG_F32;
    let b = if big { 2.0 } else { x };
    let q = if small { t + t } else { b.mul_add(b, -1.0) };
    let s = q.sqrt();
    let s2 = s + s;
    let u = b + s;
    // What the rounding of s lost; for a larger x what those of u and s lost, relative to u.
    let lost = (-s).mul_add(s, q);
    let num = if small { lost } else { s2.mul_add(s - (u - b), lost) };
    let den = if small { s2 } else { s2 * u };
    let c = if den > 0.0 { num / den } else { 0.0 };
    let z = 0.5 * t;
    let near = s + asinh_poly_f32(z).mul_add(z * s, c);
    let (e, f) = split_normal_f32(if big { x } else { u });
    let far = ln_sum_f32(if big { e + 1.0 } else { e }, f, if big { 0.0 } else { c });
    let y = if small { near } else { far };
    if x < INF_F32 { y } else { x }
}

/// atanh x. Max error 0.7098 ULP, measured as [`asinh_f32`].
///
/// Odd, signed zeros kept, atanh(+-1) = +-inf; NaN for |x| > 1 and for NaN.
#[always_inline(crate = crate)]
pub fn atanh_f32(x: f32) -> f32 {
    let a = x.abs();
    let z = a * a;
    let near = atanh_poly_f32(z).mul_add(z * a, a);
    // v (1 + c) = (1 + a) / (1 - a), where 1 - a is exact; 1/n is needed to a few bits, for n between 1.5 and 2.
    let n = 1.0 + a;
    let d = 1.0 - a;
    let v = n / d;
    let c = ((-v).mul_add(d, n) + (a - (n - 1.0))) * n.mul_add(-0.33, 1.155);
    let (e, f) = split_normal_f32(v);
    let far = 0.5 * ln_sum_f32(e, f, c);
    let y = if a <= 0.5 { near } else { far };
    let edge = if a == 1.0 { INF_F32 } else { f32::NAN };
    let y = if a < 1.0 { y } else { edge };
    y.copysign(x)
}

// asinh(x) on [0, 0.5], fixed part x, powers 3, 5 .. 25: relative error 2^-60.4 (sollya fpminimax, fit.py asinh_f64).
const ASINH_F64_3: f64 = -0.1666666666666661;
const ASINH_F64_5: f64 = 0.07499999999984416;
const ASINH_F64_7: f64 = -0.044642857127830685;
const ASINH_F64_9: f64 = 0.030381943716354193;
const ASINH_F64_11: f64 = -0.022372138357327716;
const ASINH_F64_13: f64 = 0.017352386942983977;
const ASINH_F64_15: f64 = -0.013960232159574598;
const ASINH_F64_17: f64 = 0.011512983565221416;
const ASINH_F64_19: f64 = -0.009534140558347521;
const ASINH_F64_21: f64 = 0.007465594163032783;
const ASINH_F64_23: f64 = -0.004747502336472016;
const ASINH_F64_25: f64 = 0.0017180757752567007;

// atanh(x) on [0, 0.5], fixed part x, powers 3, 5 .. 29: relative error 2^-60.9 (sollya fpminimax, fit.py atanh_f64).
const ATANH_F64_3: f64 = 0.3333333333333328;
const ATANH_F64_5: f64 = 0.2000000000001843;
const ATANH_F64_7: f64 = 0.14285714283411236;
const ATANH_F64_9: f64 = 0.11111111256594428;
const ATANH_F64_11: f64 = 0.09090903648136808;
const ATANH_F64_13: f64 = 0.07692439198977205;
const ATANH_F64_15: f64 = 0.06664506299588065;
const ATANH_F64_17: f64 = 0.05907221658103421;
const ATANH_F64_19: f64 = 0.050595826902559066;
const ATANH_F64_21: f64 = 0.059482285126354006;
const ATANH_F64_23: f64 = -0.0050377236866903;
const ATANH_F64_25: f64 = 0.17424549240933968;
const ATANH_F64_27: f64 = -0.19516939472586026;
const ATANH_F64_29: f64 = 0.24055185227825757;

/// 2^30: from here on sqrt(x^2 +- 1) is x.
const BIG_F64: f64 = 1073741824.0;
const INF_F64: f64 = f64::INFINITY;

/// (asinh r - r) / r^3 for z = r^2 <= 1/4.
#[always_inline(crate = crate)]
fn asinh_poly_f64(z: f64) -> f64 {
    let p = z.mul_add(ASINH_F64_25, ASINH_F64_23);
    let p = p.mul_add(z, ASINH_F64_21);
    let p = p.mul_add(z, ASINH_F64_19);
    let p = p.mul_add(z, ASINH_F64_17);
    let p = p.mul_add(z, ASINH_F64_15);
    let p = p.mul_add(z, ASINH_F64_13);
    let p = p.mul_add(z, ASINH_F64_11);
    let p = p.mul_add(z, ASINH_F64_9);
    let p = p.mul_add(z, ASINH_F64_7);
    let p = p.mul_add(z, ASINH_F64_5);
    p.mul_add(z, ASINH_F64_3)
}

/// (atanh r - r) / r^3 for z = r^2 <= 1/4.
#[always_inline(crate = crate)]
fn atanh_poly_f64(z: f64) -> f64 {
    let p = z.mul_add(ATANH_F64_29, ATANH_F64_27);
    let p = p.mul_add(z, ATANH_F64_25);
    let p = p.mul_add(z, ATANH_F64_23);
    let p = p.mul_add(z, ATANH_F64_21);
    let p = p.mul_add(z, ATANH_F64_19);
    let p = p.mul_add(z, ATANH_F64_17);
    let p = p.mul_add(z, ATANH_F64_15);
    let p = p.mul_add(z, ATANH_F64_13);
    let p = p.mul_add(z, ATANH_F64_11);
    let p = p.mul_add(z, ATANH_F64_9);
    let p = p.mul_add(z, ATANH_F64_7);
    let p = p.mul_add(z, ATANH_F64_5);
    p.mul_add(z, ATANH_F64_3)
}

/// asinh x. Max error 1.2475 ULP in 2 * 10^6 samples, against double-double arithmetic.
///
/// Special values as [`asinh_f32`].
#[always_inline(crate = crate)]
pub fn asinh_f64(x: f64) -> f64 {
    let a = x.abs();
    let z = a * a;
    let near = asinh_poly_f64(z).mul_add(z * a, a);
    let big = a > BIG_F64;
    let b = if big { 1.0 } else { a };
    let q = b.mul_add(b, 1.0);
    let s = q.sqrt();
    let s2 = s + s;
    let u = s + b;
    // What the roundings of u and s lost, relative to u.
    let c = s2.mul_add(b - (u - s), (-s).mul_add(s, q)) / (s2 * u);
    let (e, f) = split_normal_f64(if big { a } else { u });
    let far = ln_sum_f64(if big { e + 1.0 } else { e }, f, if big { 0.0 } else { c });
    let y = if a <= 0.5 { near } else { far };
    let y = if a < INF_F64 { y } else { a };
    y.copysign(x)
}

/// acosh x. Max error 0.9156 ULP, measured as [`asinh_f64`].
///
/// Special values as [`acosh_f32`].
#[always_inline(crate = crate)]
pub fn acosh_f64(x: f64) -> f64 {
    // Exact, where it matters.
    let t = x - 1.0;
    let small = x < 1.5;
    let big = x > BIG_F64;
    let b = if big { 2.0 } else { x };
    let q = if small { t + t } else { b.mul_add(b, -1.0) };
    let s = q.sqrt();
    let s2 = s + s;
    let u = b + s;
    // What the rounding of s lost; for a larger x what those of u and s lost, relative to u.
    let lost = (-s).mul_add(s, q);
    let num = if small { lost } else { s2.mul_add(s - (u - b), lost) };
    let den = if small { s2 } else { s2 * u };
    let c = if den > 0.0 { num / den } else { 0.0 };
    let z = 0.5 * t;
    let near = s + asinh_poly_f64(z).mul_add(z * s, c);
    let (e, f) = split_normal_f64(if big { x } else { u });
    let far = ln_sum_f64(if big { e + 1.0 } else { e }, f, if big { 0.0 } else { c });
    let y = if small { near } else { far };
    if x < INF_F64 { y } else { x }
}

/// atanh x. Max error 0.6777 ULP, measured as [`asinh_f64`].
///
/// Special values as [`atanh_f32`].
#[always_inline(crate = crate)]
pub fn atanh_f64(x: f64) -> f64 {
    let a = x.abs();
    let z = a * a;
    let near = atanh_poly_f64(z).mul_add(z * a, a);
    // v (1 + c) = (1 + a) / (1 - a), where 1 - a is exact; 1/n is needed to a few bits, for n between 1.5 and 2.
    let n = 1.0 + a;
    let d = 1.0 - a;
    let v = n / d;
    let c = ((-v).mul_add(d, n) + (a - (n - 1.0))) * n.mul_add(-0.33, 1.155);
    let (e, f) = split_normal_f64(v);
    let far = 0.5 * ln_sum_f64(e, f, c);
    let y = if a <= 0.5 { near } else { far };
    let edge = if a == 1.0 { INF_F64 } else { f64::NAN };
    let y = if a < 1.0 { y } else { edge };
    y.copysign(x)
}
