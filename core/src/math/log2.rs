//! Logarithms to the bases 2 and 10.
//!
//! As in log.rs, with polynomials for log2(1 + f) and log10(1 + f) themselves: multiplying ln x by a constant would cost
//! one more rounding. Their leading coefficient has two parts: the low one ends the Horner chain, the high one is
//! used in the last fma.

use super::log::{log_edges_f32, log_edges_f64, odd_f32, odd_f64, split_f32, split_f64};
use lanecraft_macros::always_inline;

const LOG2E_F32: f32 = f32::from_bits(0x3fb8_aa3b);
const LOG2E_F64: f64 = f64::from_bits(0x3ff7_1547_652b_82fe);
const LOG10E_F32: f32 = f32::from_bits(0x3ede_5bd9);
const LOG10E_F64: f64 = f64::from_bits(0x3fdb_cb7b_1526_e50e);
const LOG10_2_HI_F32: f32 = f32::from_bits(0x3e9a_209b);
const LOG10_2_LO_F32: f32 = f32::from_bits(0xb276_0860);
const LOG10_2_F64: f64 = f64::from_bits(0x3fd3_4413_509f_79ff);

// log2(1+x) on [-0.29291, 0.41423], fixed part x*round(1/log(2),24,RN), powers 1 to 10: relative error 2^-27.7 (sollya
// fpminimax, fit.py log2_f32).
const LOG2_F32_1: f32 = 1.926203e-08;
const LOG2_F32_2: f32 = -0.72134733;
const LOG2_F32_3: f32 = 0.4808982;
const LOG2_F32_4: f32 = -0.36069787;
const LOG2_F32_5: f32 = 0.28857023;
const LOG2_F32_6: f32 = -0.23959635;
const LOG2_F32_7: f32 = 0.20454115;
const LOG2_F32_8: f32 = -0.19115272;
const LOG2_F32_9: f32 = 0.18655165;
const LOG2_F32_10: f32 = -0.11020644;

/// log2 x. Max error 0.9550 ULP over all 2^32 inputs, against glibc's f64 log2. 21 operations.
///
/// Exact for powers of two. Special values as ln's.
#[always_inline(crate = crate)]
pub fn log2_f32(x: f32) -> f32 {
    let odd = odd_f32(x);
    let (e, f) = split_f32(x, odd);
    let p = f.mul_add(LOG2_F32_10, LOG2_F32_9);
    let p = p.mul_add(f, LOG2_F32_8);
    let p = p.mul_add(f, LOG2_F32_7);
    let p = p.mul_add(f, LOG2_F32_6);
    let p = p.mul_add(f, LOG2_F32_5);
    let p = p.mul_add(f, LOG2_F32_4);
    let p = p.mul_add(f, LOG2_F32_3);
    let p = p.mul_add(f, LOG2_F32_2);
    let p = p.mul_add(f, LOG2_F32_1);
    log_edges_f32(x, e + f.mul_add(LOG2E_F32, p * f), odd)
}

// log2(1+x) on [-0.29290, 0.41422], fixed part x*round(1/log(2),53,RN), powers 1 to 22: relative error 2^-58.9 (sollya
// fpminimax, fit.py log2_f64).
const LOG2_F64_1: f64 = 1.8800326895340028e-17;
const LOG2_F64_2: f64 = -0.7213475204444818;
const LOG2_F64_3: f64 = 0.480898346962991;
const LOG2_F64_4: f64 = -0.36067376022218983;
const LOG2_F64_5: f64 = 0.2885390081766976;
const LOG2_F64_6: f64 = -0.2404491734893453;
const LOG2_F64_7: f64 = 0.2060992917030124;
const LOG2_F64_8: f64 = -0.18033687960304295;
const LOG2_F64_9: f64 = 0.16029943883309156;
const LOG2_F64_10: f64 = -0.14426951752339076;
const LOG2_F64_11: f64 = 0.13115449585201197;
const LOG2_F64_12: f64 = -0.12022462383050123;
const LOG2_F64_13: f64 = 0.11096703086816892;
const LOG2_F64_14: f64 = -0.10303863856549439;
const LOG2_F64_15: f64 = 0.09631354026415272;
const LOG2_F64_16: f64 = -0.09044966536091452;
const LOG2_F64_17: f64 = 0.08385000508207045;
const LOG2_F64_18: f64 = -0.07682017927970823;
const LOG2_F64_19: f64 = 0.07845340628315221;
const LOG2_F64_20: f64 = -0.09080465118062604;
const LOG2_F64_21: f64 = 0.08171167660812992;
const LOG2_F64_22: f64 = -0.034450477676249036;

/// log2 x. Max error 0.91 ULP in 10^7 samples (as ln_f64), against libquadmath. 35 operations.
/// Exact for powers of two. Special values as ln's.
#[always_inline(crate = crate)]
pub fn log2_f64(x: f64) -> f64 {
    let odd = odd_f64(x);
    let (e, f) = split_f64(x, odd);
    let p = f.mul_add(LOG2_F64_22, LOG2_F64_21);
    let p = p.mul_add(f, LOG2_F64_20);
    let p = p.mul_add(f, LOG2_F64_19);
    let p = p.mul_add(f, LOG2_F64_18);
    let p = p.mul_add(f, LOG2_F64_17);
    let p = p.mul_add(f, LOG2_F64_16);
    let p = p.mul_add(f, LOG2_F64_15);
    let p = p.mul_add(f, LOG2_F64_14);
    let p = p.mul_add(f, LOG2_F64_13);
    let p = p.mul_add(f, LOG2_F64_12);
    let p = p.mul_add(f, LOG2_F64_11);
    let p = p.mul_add(f, LOG2_F64_10);
    let p = p.mul_add(f, LOG2_F64_9);
    let p = p.mul_add(f, LOG2_F64_8);
    let p = p.mul_add(f, LOG2_F64_7);
    let p = p.mul_add(f, LOG2_F64_6);
    let p = p.mul_add(f, LOG2_F64_5);
    let p = p.mul_add(f, LOG2_F64_4);
    let p = p.mul_add(f, LOG2_F64_3);
    let p = p.mul_add(f, LOG2_F64_2);
    let p = p.mul_add(f, LOG2_F64_1);
    log_edges_f64(x, e + f.mul_add(LOG2E_F64, p * f), odd)
}

// log10(1+x) on [-0.29291, 0.41423], fixed part x*round(1/log(10),24,RN), powers 1 to 10: relative error 2^-27.7
// (sollya fpminimax, fit.py log10_f32).
const LOG10_F32_1: f32 = -1.0142627e-08;
const LOG10_F32_2: f32 = -0.21714719;
const LOG10_F32_3: f32 = 0.1447648;
const LOG10_F32_4: f32 = -0.108580746;
const LOG10_F32_5: f32 = 0.08686763;
const LOG10_F32_6: f32 = -0.072127685;
const LOG10_F32_7: f32 = 0.061584946;
const LOG10_F32_8: f32 = -0.057540182;
const LOG10_F32_9: f32 = 0.056089222;
const LOG10_F32_10: f32 = -0.033099845;

/// log10 x. Max error 0.9359 ULP over all 2^32 inputs, against glibc's f64 log10. 22 operations.
///
/// Special values as ln's.
#[always_inline(crate = crate)]
pub fn log10_f32(x: f32) -> f32 {
    let odd = odd_f32(x);
    let (e, f) = split_f32(x, odd);
    let p = f.mul_add(LOG10_F32_10, LOG10_F32_9);
    let p = p.mul_add(f, LOG10_F32_8);
    let p = p.mul_add(f, LOG10_F32_7);
    let p = p.mul_add(f, LOG10_F32_6);
    let p = p.mul_add(f, LOG10_F32_5);
    let p = p.mul_add(f, LOG10_F32_4);
    let p = p.mul_add(f, LOG10_F32_3);
    let p = p.mul_add(f, LOG10_F32_2);
    let p = p.mul_add(f, LOG10_F32_1);
    let y = p.mul_add(f, e * LOG10_2_LO_F32);
    log_edges_f32(x, e.mul_add(LOG10_2_HI_F32, f.mul_add(LOG10E_F32, y)), odd)
}

// log10(1+x) on [-0.29290, 0.41422], fixed part x*round(1/log(10),53,RN), powers 1 to 22: relative error 2^-59.2
// (sollya fpminimax, fit.py log10_f64).
const LOG10_F64_1: f64 = 1.050140802172737e-17;
const LOG10_F64_2: f64 = -0.21714724095162594;
const LOG10_F64_3: f64 = 0.14476482730108492;
const LOG10_F64_4: f64 = -0.1085736204758007;
const LOG10_F64_5: f64 = 0.08685889638031813;
const LOG10_F64_6: f64 = -0.07238241365248893;
const LOG10_F64_7: f64 = 0.062042068887759504;
const LOG10_F64_8: f64 = -0.054286810112779776;
const LOG10_F64_9: f64 = 0.0482549393901658;
const LOG10_F64_10: f64 = -0.04342945117222036;
const LOG10_F64_11: f64 = 0.039481436224088215;
const LOG10_F64_12: f64 = -0.03619124259411796;
const LOG10_F64_13: f64 = 0.03340444308950777;
const LOG10_F64_14: f64 = -0.031017372758137603;
const LOG10_F64_15: f64 = 0.02899253433120904;
const LOG10_F64_16: f64 = -0.02723091763627372;
const LOG10_F64_17: f64 = 0.02524927779052611;
const LOG10_F64_18: f64 = -0.02311408025339414;
const LOG10_F64_19: f64 = 0.023571041861836697;
const LOG10_F64_20: f64 = -0.027335714442412794;
const LOG10_F64_21: f64 = 0.024707844713187967;
const LOG10_F64_22: f64 = -0.010461409595520764;

/// log10 x. Max error 0.98 ULP in 10^7 samples (as ln_f64), against libquadmath. 35 operations.
/// Special values as ln's.
#[always_inline(crate = crate)]
pub fn log10_f64(x: f64) -> f64 {
    let odd = odd_f64(x);
    let (e, f) = split_f64(x, odd);
    let p = f.mul_add(LOG10_F64_22, LOG10_F64_21);
    let p = p.mul_add(f, LOG10_F64_20);
    let p = p.mul_add(f, LOG10_F64_19);
    let p = p.mul_add(f, LOG10_F64_18);
    let p = p.mul_add(f, LOG10_F64_17);
    let p = p.mul_add(f, LOG10_F64_16);
    let p = p.mul_add(f, LOG10_F64_15);
    let p = p.mul_add(f, LOG10_F64_14);
    let p = p.mul_add(f, LOG10_F64_13);
    let p = p.mul_add(f, LOG10_F64_12);
    let p = p.mul_add(f, LOG10_F64_11);
    let p = p.mul_add(f, LOG10_F64_10);
    let p = p.mul_add(f, LOG10_F64_9);
    let p = p.mul_add(f, LOG10_F64_8);
    let p = p.mul_add(f, LOG10_F64_7);
    let p = p.mul_add(f, LOG10_F64_6);
    let p = p.mul_add(f, LOG10_F64_5);
    let p = p.mul_add(f, LOG10_F64_4);
    let p = p.mul_add(f, LOG10_F64_3);
    let p = p.mul_add(f, LOG10_F64_2);
    let p = p.mul_add(f, LOG10_F64_1);
    // log10(2) happens to be close to a f64: one constant is enough.
    log_edges_f64(x, e.mul_add(LOG10_2_F64, f.mul_add(LOG10E_F64, p * f)), odd)
}
