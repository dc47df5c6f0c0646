//! x to the power y.
//!
//! |x|^y = 2^(y log2 |x|). The error of the logarithm is multiplied by up to 150 (f32), so the f32 form computes in f64,
//! where short polynomials are enough, f32's subnormals are normal, and the only large rounding is the one back to f32.

use lanecraft_macros::always_inline;

const SQRT_HALF_F64: u64 = 0x3fe6_a09e_667f_3bcd;
const INT_BITS_F64: u64 = 0x4330_0000_0000_0000;
/// 2^52 + 2048, see log.rs.
const INT_BIAS_F64: f64 = 4503599627372544.0;
/// 1.5 * 2^52 + 1023: the low bits of the sum are the exponent field of 2^n.
const POW2_MAGIC_F64: f64 = 6755399441056767.0;
const INF_F32: f32 = f32::from_bits(0x7f80_0000);
const INF_F64: f64 = f64::from_bits(0x7ff0_0000_0000_0000);
const NAN_F32: f32 = f32::from_bits(0x7fc0_0000);

// log2(1+x) on [-0.29290, 0.41422], powers 1 to 14: relative error 2^-38.5 (sollya fpminimax, fit.py pow_log2_f32).
const POW_LOG2_F32_1: f64 = 1.4426950408865737;
const POW_LOG2_F32_2: f64 = -0.7213475203275065;
const POW_LOG2_F32_3: f64 = 0.4808983488032506;
const POW_LOG2_F32_4: f64 = -0.36067379314754544;
const POW_LOG2_F32_5: f64 = 0.2885387956981272;
const POW_LOG2_F32_6: f64 = -0.24044643290476483;
const POW_LOG2_F32_7: f64 = 0.20610712346937068;
const POW_LOG2_F32_8: f64 = -0.1804367686596059;
const POW_LOG2_F32_9: f64 = 0.16021668059379163;
const POW_LOG2_F32_10: f64 = -0.14249843242241336;
const POW_LOG2_F32_11: f64 = 0.13027526494225525;
const POW_LOG2_F32_12: f64 = -0.1346300300630008;
const POW_LOG2_F32_13: f64 = 0.13251415233196426;
const POW_LOG2_F32_14: f64 = -0.06974040248370555;

// 2^x on [-0.5001, 0.5001], powers 0 to 7: relative error 2^-34.5 (sollya fpminimax, fit.py pow_exp2_f32).
const POW_EXP2_F32_0: f64 = 0.9999999999616214;
const POW_EXP2_F32_1: f64 = f64::from_bits(0x3fe6_2e42_ff11_6c06);
const POW_EXP2_F32_2: f64 = 0.24022651198755002;
const POW_EXP2_F32_3: f64 = 0.05550410352833385;
const POW_EXP2_F32_4: f64 = 0.009618027172717614;
const POW_EXP2_F32_5: f64 = 0.0013333922854744885;
const POW_EXP2_F32_6: f64 = 0.00015469317321938883;
const POW_EXP2_F32_7: f64 = 1.5201901273831729e-05;

/// C99's rules about signs and special values, for r = |x|^y.
#[always_inline(crate = crate)]
fn pow_edges_f32(x: f32, y: f32, r: f32) -> f32 {
    let a = x.abs();
    let whole = y.trunc() == y;
    let half = 0.5 * y;
    let odd = whole && half.trunc() != half;
    let sign = if odd { x.to_bits() & 0x8000_0000 } else { 0 };
    let r = f32::from_bits(r.to_bits() ^ sign);
    let r = if x < 0.0 && a < INF_F32 && !whole { NAN_F32 } else { r };
    let one = x == 1.0 || y == 0.0 || (a == 1.0 && y.abs() == INF_F32);
    if one { 1.0 } else { r }
}

/// x^y. Max error 0.503 ULP in 2*10^7 pairs (random bits, near 1, near overflow and underflow, integers, edges), against
/// glibc's f64 pow. 100 operations.
///
/// C99's special values: pow(x, +-0) = pow(1, y) = pow(-1, +-inf) = 1 even for NaN; x < 0 needs an integer y, else NaN,
/// and an odd one gives a negative result, signed zeros and infinities included.
#[always_inline(crate = crate)]
pub fn pow_f32(x: f32, y: f32) -> f32 {
    let a = x.abs() as f64;
    let i = a.to_bits() - SQRT_HALF_F64;
    let j = (i + 0x8000_0000_0000_0000) >> 52;
    let e = f64::from_bits(j | INT_BITS_F64) - INT_BIAS_F64;
    let f = f64::from_bits((i & 0x000f_ffff_ffff_ffff) + SQRT_HALF_F64) - 1.0;
    let p = f.mul_add(POW_LOG2_F32_14, POW_LOG2_F32_13);
    let p = p.mul_add(f, POW_LOG2_F32_12);
    let p = p.mul_add(f, POW_LOG2_F32_11);
    let p = p.mul_add(f, POW_LOG2_F32_10);
    let p = p.mul_add(f, POW_LOG2_F32_9);
    let p = p.mul_add(f, POW_LOG2_F32_8);
    let p = p.mul_add(f, POW_LOG2_F32_7);
    let p = p.mul_add(f, POW_LOG2_F32_6);
    let p = p.mul_add(f, POW_LOG2_F32_5);
    let p = p.mul_add(f, POW_LOG2_F32_4);
    let p = p.mul_add(f, POW_LOG2_F32_3);
    let p = p.mul_add(f, POW_LOG2_F32_2);
    let p = p.mul_add(f, POW_LOG2_F32_1);
    let l = p.mul_add(f, e);
    let l = if a < INF_F64 { l } else { a };
    let l = if a == 0.0 { -INF_F64 } else { l };
    let b = y as f64 * l;
    let b = if b > 200.0 { 200.0 } else { b };
    let b = if b < -200.0 { -200.0 } else { b };
    let t = b + POW2_MAGIC_F64;
    let r = b - (t - POW2_MAGIC_F64);
    let p = r.mul_add(POW_EXP2_F32_7, POW_EXP2_F32_6);
    let p = p.mul_add(r, POW_EXP2_F32_5);
    let p = p.mul_add(r, POW_EXP2_F32_4);
    let p = p.mul_add(r, POW_EXP2_F32_3);
    let p = p.mul_add(r, POW_EXP2_F32_2);
    let p = p.mul_add(r, POW_EXP2_F32_1);
    let p = p.mul_add(r, POW_EXP2_F32_0);
    let s = f64::from_bits(t.to_bits() << 52);
    pow_edges_f32(x, y, (p * s) as f32)
}
