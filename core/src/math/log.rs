//! Logarithms: ln, log1p; and what log2.rs shares.
//!
//! Method: x = 2^e (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), so that e = 0 around 1 and nothing cancels there;
//! ln x = e ln 2 + log1p(f), and log1p(f) = f + f^2 P(f) is one polynomial, no division and no table (both dearer in
//! vectors than the extra terms). e comes from the bits of x less the bits of sqrt(1/2): the borrow does the
//! comparison with sqrt(2). What is not a positive, normal, finite number is seen to in loops before and after, which lanes
//! skip where none of them is of that kind: a third of the time in straight-line code. Where each gang has a zero, they take as
//! long as all the rest. Reference: Muller, Elementary Functions (3rd ed.), ch. 11; the bit split is Cephes' and musl's.

use lanecraft_macros::always_inline;

const MIN_NORMAL_F32: f32 = f32::from_bits(0x0080_0000);
const MIN_NORMAL_F64: f64 = f64::from_bits(0x0010_0000_0000_0000);
const INF_F32: f32 = f32::from_bits(0x7f80_0000);
const INF_F64: f64 = f64::from_bits(0x7ff0_0000_0000_0000);
const NAN_F32: f32 = f32::from_bits(0x7fc0_0000);
const NAN_F64: f64 = f64::from_bits(0x7ff8_0000_0000_0000);
const LN2_F32: f32 = f32::from_bits(0x3f31_7218);
// As for f32: 33 bits and the rest; n has 11.
const LN2_HI_F64: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LO_F64: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

// Bits of sqrt(1/2).
const SQRT_HALF_F32: u32 = 0x3f35_04f3;
const SQRT_HALF_F64: u64 = 0x3fe6_a09e_667f_3bcd;
// Those of 2^23 sqrt(1/2) and 2^52 sqrt(1/2), if a subnormal number has been multiplied by as much.
const SQRT_HALF_TINY_F32: u32 = SQRT_HALF_F32 + 0x0b80_0000;
const SQRT_HALF_TINY_F64: u64 = SQRT_HALF_F64 + 0x0340_0000_0000_0000;

// log1p(x) on [-0.29291, 0.41423], fixed part x, powers 2 to 10: relative error 2^-27.8 (sollya fpminimax, fit.py ln_f32).
const LN_F32_2: f32 = -0.49999988;
const LN_F32_3: f32 = 0.33333325;
const LN_F32_4: f32 = -0.250016;
const LN_F32_5: f32 = 0.20002003;
const LN_F32_6: f32 = -0.16608764;
const LN_F32_7: f32 = 0.1418113;
const LN_F32_8: f32 = -0.13244581;
const LN_F32_9: f32 = 0.12909158;
const LN_F32_10: f32 = -0.076240115;

/// Whether x is not a positive, normal, finite number.
#[always_inline(crate = crate)]
pub(crate) fn odd_f32(x: f32) -> bool {
    !(x >= MIN_NORMAL_F32 && x < INF_F32)
}

/// (e, f) with x = 2^e (1 + f) and sqrt(1/2) <= 1 + f < sqrt(2), for finite x > 0, subnormals included; `odd` is [`odd_f32`] of x.
#[always_inline(crate = crate)]
pub(crate) fn split_f32(x: f32, odd: bool) -> (f32, f32) {
    let mut i = x.to_bits() - SQRT_HALF_F32;
    // Seldom needed: a loop, because lanes skip one that none of them enters. It is right for subnormal x; the others have no e and f.
    let mut tiny = odd;
    while tiny {
        i = (x * 8388608.0).to_bits() - SQRT_HALF_TINY_F32;
        tiny = false;
    }
    split_bits_f32(i)
}

/// [`split_f32`] for x that is not subnormal.
#[always_inline(crate = crate)]
pub(crate) fn split_normal_f32(x: f32) -> (f32, f32) {
    split_bits_f32(x.to_bits() - SQRT_HALF_F32)
}

/// [`split_f32`] of the bits of x, less those of sqrt(1/2).
#[always_inline(crate = crate)]
fn split_bits_f32(i: u32) -> (f32, f32) {
    let m = f32::from_bits((i & 0x007f_ffff) + SQRT_HALF_F32);
    (((i as i32) >> 23) as f32, m - 1.0)
}

/// r, the logarithm of x, with the values outside of 0 < x < inf put in; all of them are among the `odd`.
#[always_inline(crate = crate)]
pub(crate) fn log_edges_f32(x: f32, r: f32, odd: bool) -> f32 {
    let mut r = r;
    let mut edge = odd;
    while edge {
        let positive = if x < INF_F32 { r } else { x };
        let other = if x == 0.0 { -INF_F32 } else { NAN_F32 };
        r = if x > 0.0 { positive } else { other };
        edge = false;
    }
    r
}

/// ln x. Max error 0.9194 ULP over all 2^32 inputs, against glibc's f64 log. 20 operations.
///
/// ln(+-0) = -inf, ln(inf) = inf, ln(x < 0) = NaN, NaN gives NaN; subnormal x to the same bound; ln(1) = +0.
#[always_inline(crate = crate)]
pub fn ln_f32(x: f32) -> f32 {
    let odd = odd_f32(x);
    let (e, f) = split_f32(x, odd);
    log_edges_f32(x, ln_of_f32(e, f), odd)
}

/// ln x for x that is positive, finite and not subnormal: the bits of [`ln_f32`].
#[always_inline(crate = crate)]
pub(crate) fn ln_normal_f32(x: f32) -> f32 {
    let (e, f) = split_normal_f32(x);
    ln_of_f32(e, f)
}

/// e ln 2 + log1p(f) for [`split_f32`]'s e and f.
#[always_inline(crate = crate)]
pub(crate) fn ln_of_f32(e: f32, f: f32) -> f32 {
    let y = ln_poly_f32(f).mul_add(f * f, f);
    // One constant for ln 2 costs 0.06 ULP at worst and saves a multiplication.
    e.mul_add(LN2_F32, y)
}

/// e ln 2 + log1p(f) + c for [`split_f32`]'s e and f and a small c.
#[always_inline(crate = crate)]
pub(crate) fn ln_sum_f32(e: f32, f: f32, c: f32) -> f32 {
    let y = f + ln_poly_f32(f).mul_add(f * f, c);
    e.mul_add(LN2_F32, y)
}

/// (log1p(f) - f) / f^2
#[always_inline(crate = crate)]
fn ln_poly_f32(f: f32) -> f32 {
    let p = f.mul_add(LN_F32_10, LN_F32_9);
    let p = p.mul_add(f, LN_F32_8);
    let p = p.mul_add(f, LN_F32_7);
    let p = p.mul_add(f, LN_F32_6);
    let p = p.mul_add(f, LN_F32_5);
    let p = p.mul_add(f, LN_F32_4);
    let p = p.mul_add(f, LN_F32_3);
    p.mul_add(f, LN_F32_2)
}

// log1p(x) on [-0.29290, 0.41422], fixed part x, powers 2 to 22: relative error 2^-58.8 (sollya fpminimax, fit.py ln_f64).
const LN_F64_2: f64 = -0.5;
const LN_F64_3: f64 = 0.33333333333333504;
const LN_F64_4: f64 = -0.249999999999991;
const LN_F64_5: f64 = 0.19999999999932805;
const LN_F64_6: f64 = -0.16666666666864938;
const LN_F64_7: f64 = 0.14285714295114538;
const LN_F64_8: f64 = -0.12499999987204288;
const LN_F64_9: f64 = 0.11111110455977685;
const LN_F64_10: f64 = -0.10000000105190524;
const LN_F64_11: f64 = 0.09090935030581251;
const LN_F64_12: f64 = -0.08333354252740101;
const LN_F64_13: f64 = 0.07691694662541768;
const LN_F64_14: f64 = -0.07141847179174426;
const LN_F64_15: f64 = 0.06675223704908859;
const LN_F64_16: f64 = -0.06271386606710894;
const LN_F64_17: f64 = 0.0581891531648364;
const LN_F64_18: f64 = -0.0531836687339115;
const LN_F64_19: f64 = 0.054016603086541576;
const LN_F64_20: f64 = -0.06288548488209121;
const LN_F64_21: f64 = 0.05745321582214618;
const LN_F64_22: f64 = -0.02459160971107867;

/// Bits of 2^52: ORed with an integer below 2^52 they are 2^52 + that integer.
const INT_BITS_F64: u64 = 0x4330_0000_0000_0000;
/// 2^52 + 2048: what [`split_f64`] puts in and takes out again.
const INT_BIAS_F64: f64 = 4503599627372544.0;

/// See [`odd_f32`].
#[always_inline(crate = crate)]
pub(crate) fn odd_f64(x: f64) -> bool {
    !(x >= MIN_NORMAL_F64 && x < INF_F64)
}

/// See [`split_f32`].
#[always_inline(crate = crate)]
pub(crate) fn split_f64(x: f64, odd: bool) -> (f64, f64) {
    let mut i = x.to_bits() - SQRT_HALF_F64;
    let mut tiny = odd;
    while tiny {
        i = (x * 4503599627370496.0).to_bits() - SQRT_HALF_TINY_F64;
        tiny = false;
    }
    split_bits_f64(i)
}

/// See [`split_normal_f32`].
#[always_inline(crate = crate)]
pub(crate) fn split_normal_f64(x: f64) -> (f64, f64) {
    split_bits_f64(x.to_bits() - SQRT_HALF_F64)
}

/// See [`split_bits_f32`].
#[always_inline(crate = crate)]
fn split_bits_f64(i: u64) -> (f64, f64) {
    // To float without a 64-bit conversion (AVX2 has none): the exponent, made positive, becomes the low bits of 2^52 + ...
    let j = (i + 0x8000_0000_0000_0000) >> 52;
    let m = f64::from_bits((i & 0x000f_ffff_ffff_ffff) + SQRT_HALF_F64);
    (f64::from_bits(j | INT_BITS_F64) - INT_BIAS_F64, m - 1.0)
}

/// See [`log_edges_f32`].
#[always_inline(crate = crate)]
pub(crate) fn log_edges_f64(x: f64, r: f64, odd: bool) -> f64 {
    let mut r = r;
    let mut edge = odd;
    while edge {
        let positive = if x < INF_F64 { r } else { x };
        let other = if x == 0.0 { -INF_F64 } else { NAN_F64 };
        r = if x > 0.0 { positive } else { other };
        edge = false;
    }
    r
}

/// ln x. Max error 0.82 ULP in 10^7 samples (all binades, near 1, subnormals, edges), against libquadmath.
/// 36 operations. Special values as [`ln_f32`].
#[always_inline(crate = crate)]
pub fn ln_f64(x: f64) -> f64 {
    let odd = odd_f64(x);
    let (e, f) = split_f64(x, odd);
    log_edges_f64(x, ln_of_f64(e, f), odd)
}

/// ln x for x that is positive, finite and not subnormal: the bits of [`ln_f64`].
#[always_inline(crate = crate)]
pub(crate) fn ln_normal_f64(x: f64) -> f64 {
    let (e, f) = split_normal_f64(x);
    ln_of_f64(e, f)
}

/// See [`ln_of_f32`].
#[always_inline(crate = crate)]
pub(crate) fn ln_of_f64(e: f64, f: f64) -> f64 {
    let y = ln_poly_f64(f).mul_add(f * f, e * LN2_LO_F64);
    e.mul_add(LN2_HI_F64, f + y)
}

/// See [`ln_sum_f32`].
#[always_inline(crate = crate)]
pub(crate) fn ln_sum_f64(e: f64, f: f64, c: f64) -> f64 {
    let y = ln_poly_f64(f).mul_add(f * f, e.mul_add(LN2_LO_F64, c));
    e.mul_add(LN2_HI_F64, f + y)
}

/// See [`ln_poly_f32`].
#[always_inline(crate = crate)]
fn ln_poly_f64(f: f64) -> f64 {
    let p = f.mul_add(LN_F64_22, LN_F64_21);
    let p = p.mul_add(f, LN_F64_20);
    let p = p.mul_add(f, LN_F64_19);
    let p = p.mul_add(f, LN_F64_18);
    let p = p.mul_add(f, LN_F64_17);
    let p = p.mul_add(f, LN_F64_16);
    let p = p.mul_add(f, LN_F64_15);
    let p = p.mul_add(f, LN_F64_14);
    let p = p.mul_add(f, LN_F64_13);
    let p = p.mul_add(f, LN_F64_12);
    let p = p.mul_add(f, LN_F64_11);
    let p = p.mul_add(f, LN_F64_10);
    let p = p.mul_add(f, LN_F64_9);
    let p = p.mul_add(f, LN_F64_8);
    let p = p.mul_add(f, LN_F64_7);
    let p = p.mul_add(f, LN_F64_6);
    let p = p.mul_add(f, LN_F64_5);
    let p = p.mul_add(f, LN_F64_4);
    let p = p.mul_add(f, LN_F64_3);
    p.mul_add(f, LN_F64_2)
}

/// ln(1 + x). Max error 1.4521 ULP over all 2^32 inputs, against glibc's f64 log1p. 23 operations.
///
/// e comes from the rounded 1 + x, but f = 2^-e (1 + x) - 1 from x itself in one fma: exact where e = 0. 2^-e is taken four
/// times too large, as 2^-128 is not a normal number. Signed zeros kept; log1p(-1) = -inf, log1p(x < -1) = NaN,
/// log1p(inf) = inf, NaN gives NaN.
#[always_inline(crate = crate)]
pub fn log1p_f32(x: f32) -> f32 {
    let u = 1.0 + x;
    let i = u.to_bits() - SQRT_HALF_F32;
    let e = ((i as i32) >> 23) as f32;
    // 2^(2 - e)
    let s = f32::from_bits(0x4080_0000 - (i & 0xff80_0000));
    let f = 0.25 * x.mul_add(s, s - 4.0);
    log_edges_f32(u, ln_of_f32(e, f).copysign(x), !(u > 0.0 && u < INF_F32))
}

/// ln(1 + x). Max error 1.36 ULP in 10^7 samples (all binades, near 0 and -1, edges), against libquadmath.
/// 40 operations. Method and special values as [`log1p_f32`].
#[always_inline(crate = crate)]
pub fn log1p_f64(x: f64) -> f64 {
    let u = 1.0 + x;
    let i = u.to_bits() - SQRT_HALF_F64;
    let j = (i + 0x8000_0000_0000_0000) >> 52;
    let e = f64::from_bits(j | INT_BITS_F64) - INT_BIAS_F64;
    let s = f64::from_bits(0x4010_0000_0000_0000 - (i & 0xfff0_0000_0000_0000));
    let f = 0.25 * x.mul_add(s, s - 4.0);
    log_edges_f64(u, ln_of_f64(e, f).copysign(x), !(u > 0.0 && u < INF_F64))
}
