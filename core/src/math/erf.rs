//! erf and erfc.
//!
//! Near zero erf is one odd polynomial. Far from it erf and f64's erfc come from e^(a^2) erfc(a), which is smooth in
//! t = 1/(a + k): a polynomial of t, times e^(-a^2). erfc must be accurate relative to itself, and the roundings of
//! that product would show: what they lose is carried along (fma, Fast2Sum) into the last addition. f32's erf needs
//! no such care and uses a shorter way.

use super::exact::{fma_once, scale_f32};
use crate::isa::shims::SCALE_F32;
use lanecraft_macros::always_inline;

/// 1.5 * 2^23 + 127: the low bits of the sum are the exponent field of 2^n.
const POW2_MAGIC_F32: f32 = 12583039.0;

// erf(x) on [0, 1], fixed part x, powers 1, 3 .. 13: relative error 2^-29.3 (sollya fpminimax, fit.py erf_f32).
const ERF_F32_1: f32 = 0.12837917;
const ERF_F32_3: f32 = -0.37612626;
const ERF_F32_5: f32 = 0.11283583;
const ERF_F32_7: f32 = -0.026853692;
const ERF_F32_9: f32 = 0.0051880744;
const ERF_F32_11: f32 = -0.0008007889;
const ERF_F32_13: f32 = 7.846173e-05;

// log2(erfc(x)) on [0.99, 4], powers 0 to 8: absolute error 2^-25.8 (sollya fpminimax, fit.py erf_tail_f32).
const ERF_TAIL_F32_0: f32 = 0.00042175796;
const ERF_TAIL_F32_1: f32 = -1.6304252;
const ERF_TAIL_F32_2: f32 = -0.9117914;
const ERF_TAIL_F32_3: f32 = -0.15857613;
const ERF_TAIL_F32_4: f32 = 0.037987873;
const ERF_TAIL_F32_5: f32 = -0.0068223677;
const ERF_TAIL_F32_6: f32 = 0.00085183827;
const ERF_TAIL_F32_7: f32 = -6.53914e-05;
const ERF_TAIL_F32_8: f32 = 2.3099867e-06;

// 2^x on [-0.5001, 0.5001], powers 0 to 5: relative error 2^-23.0 (sollya fpminimax, fit.py erf_exp2_f32).
const ERF_EXP2_F32_0: f32 = 1.0000001;
const ERF_EXP2_F32_1: f32 = f32::from_bits(0x3f31_7215);
const ERF_EXP2_F32_2: f32 = 0.24022041;
const ERF_EXP2_F32_3: f32 = 0.055506434;
const ERF_EXP2_F32_4: f32 = 0.009678095;
const ERF_EXP2_F32_5: f32 = 0.0013300424;

/// erf x / x - 1 for w = x^2 <= 1.
#[always_inline(crate = crate)]
pub(crate) fn erf_poly_f32(w: f32) -> f32 {
    let p = w.mul_add(ERF_F32_13, ERF_F32_11);
    let p = p.mul_add(w, ERF_F32_9);
    let p = p.mul_add(w, ERF_F32_7);
    let p = p.mul_add(w, ERF_F32_5);
    let p = p.mul_add(w, ERF_F32_3);
    p.mul_add(w, ERF_F32_1)
}

/// erf x. Max error 1.3043 ULP over all 2^32 inputs, against glibc's f64 erf. 30 operations.
///
/// An odd polynomial up to |x| = 1; above, 1 - 2^g for a polynomial g ~ log2(erfc |x|). Odd, signed zeros kept,
/// +-1 from |x| = 3.92 on, NaN gives NaN.
#[always_inline(crate = crate)]
pub fn erf_f32(x: f32) -> f32 {
    let a = x.abs();
    let small = erf_poly_f32(x * x).mul_add(x, x);
    let b = if a > 4.0 { 4.0 } else { a };
    let g = b.mul_add(ERF_TAIL_F32_8, ERF_TAIL_F32_7);
    let g = g.mul_add(b, ERF_TAIL_F32_6);
    let g = g.mul_add(b, ERF_TAIL_F32_5);
    let g = g.mul_add(b, ERF_TAIL_F32_4);
    let g = g.mul_add(b, ERF_TAIL_F32_3);
    let g = g.mul_add(b, ERF_TAIL_F32_2);
    let g = g.mul_add(b, ERF_TAIL_F32_1);
    let g = g.mul_add(b, ERF_TAIL_F32_0);
    let t = g + POW2_MAGIC_F32;
    let r = g - (t - POW2_MAGIC_F32);
    let p = r.mul_add(ERF_EXP2_F32_5, ERF_EXP2_F32_4);
    let p = p.mul_add(r, ERF_EXP2_F32_3);
    let p = p.mul_add(r, ERF_EXP2_F32_2);
    let p = p.mul_add(r, ERF_EXP2_F32_1);
    let p = p.mul_add(r, ERF_EXP2_F32_0);
    let s = f32::from_bits(t.to_bits() << 23);
    let big = (-s).mul_add(p, 1.0);
    if a < 1.0 { small } else { big.copysign(x) }
}

const LOG2E_F32: f32 = f32::from_bits(0x3fb8_aa3b);
// ln 2 to 15 bits and the rest: n, of 8 bits, times the first is exact, also where level SSE2 rounds the product.
const LN2_HI_F32: f32 = f32::from_bits(0x3f31_7200);
const LN2_LO_F32: f32 = f32::from_bits(0x35bf_be8e);
const ERFC_SHIFT_F32: f32 = 2.5;

// e^(a^2) erfc(a) = t Q(t - MID), t = 1/(a + 2.5), on [0.46, 10.1], degree 9; LOW is the rest of c0:
// relative error 2^-27.7 (least squares at Chebyshev nodes, rounded one by one, fit.py erfc_f32).
const ERFC_F32_MID: f32 = 0.20860146;
const ERFC_F32_LOW: f32 = 2.223289e-09;
const ERFC_F32_0: f32 = 1.089491;
const ERFC_F32_1: f32 = 4.2232714;
const ERFC_F32_2: f32 = 11.907933;
const ERFC_F32_3: f32 = 21.995733;
const ERFC_F32_4: f32 = 16.512304;
const ERFC_F32_5: f32 = -30.014036;
const ERFC_F32_6: f32 = -72.14942;
const ERFC_F32_7: f32 = 49.68699;
const ERFC_F32_8: f32 = 225.00645;
const ERFC_F32_9: f32 = -93.626366;

// exp(x) on [-0.3468, 0.3468], fixed part 1+x, powers 2 to 6: relative error 2^-28.2 (sollya fpminimax, fit.py
// erfc_exp_f32).
const ERFC_EXP_F32_2: f32 = 0.49999994;
const ERFC_EXP_F32_3: f32 = 0.1666652;
const ERFC_EXP_F32_4: f32 = 0.041668233;
const ERFC_EXP_F32_5: f32 = 0.008368818;
const ERFC_EXP_F32_6: f32 = 0.0013823851;

/// (z, z_lo, t) with erfc(b) = 2^n (z + z_lo), t = n + [`SCALE_F32`], for 0.46 <= b.
#[always_inline(crate = crate)]
fn erfc_parts_f32(b: f32) -> (f32, f32, f32) {
    // v + v_lo = 1 / (b + k)
    let d = b + ERFC_SHIFT_F32;
    let d_lo = b - (d - ERFC_SHIFT_F32);
    let v = 1.0 / d;
    let e = (-v).mul_add(d_lo, (-v).mul_add(d, 1.0));
    let v_lo = v * e;
    let u = (v - ERFC_F32_MID) + v_lo;
    let p = u.mul_add(ERFC_F32_9, ERFC_F32_8);
    let p = p.mul_add(u, ERFC_F32_7);
    let p = p.mul_add(u, ERFC_F32_6);
    let p = p.mul_add(u, ERFC_F32_5);
    let p = p.mul_add(u, ERFC_F32_4);
    let p = p.mul_add(u, ERFC_F32_3);
    let p = p.mul_add(u, ERFC_F32_2);
    // q + q_lo is Q, y + y_lo is e^(b^2) erfc(b)
    let g = p.mul_add(u * u, ERFC_F32_LOW);
    let k = u * ERFC_F32_1;
    let k_lo = u.mul_add(ERFC_F32_1, -k);
    let q1 = ERFC_F32_0 + k;
    let q1_lo = k - (q1 - ERFC_F32_0);
    let q = q1 + g;
    let q_lo = (g - (q - q1)) + (q1_lo + k_lo);
    let y = v * q;
    let y_lo = v.mul_add(q, -y) + v.mul_add(q_lo, v_lo * q);
    // e^(-b^2) as in exp.rs; b^2 = h + h_lo, and 1 + m = x + x_lo
    let h = b * b;
    let h_lo = fma_once(b, b, -h);
    let t = h.mul_add(-LOG2E_F32, SCALE_F32);
    let n = t - SCALE_F32;
    let r = n.mul_add(-LN2_HI_F32, -h);
    let c = n.mul_add(-LN2_LO_F32, -h_lo);
    let r1 = r + c;
    let p = r1.mul_add(ERFC_EXP_F32_6, ERFC_EXP_F32_5);
    let p = p.mul_add(r1, ERFC_EXP_F32_4);
    let p = p.mul_add(r1, ERFC_EXP_F32_3);
    let p = p.mul_add(r1, ERFC_EXP_F32_2);
    let s = p.mul_add(r1 * r1, c);
    let m = r + s;
    let m_lo = s - (m - r);
    let x = 1.0 + m;
    let x_lo = (m - (x - 1.0)) + m_lo;
    let z = x * y;
    (z, x.mul_add(y, -z) + x.mul_add(y_lo, x_lo * y), t)
}

/// erfc b without what the roundings lost (but for that of b^2, which the exponential magnifies), for 0.46 <= b.
#[always_inline(crate = crate)]
pub(crate) fn erfc_quick_f32(b: f32) -> f32 {
    let d = b + ERFC_SHIFT_F32;
    let v = 1.0 / d;
    // What the roundings of d and v lost is magnified by the polynomial.
    let e = (-v).mul_add(b - (d - ERFC_SHIFT_F32), (-v).mul_add(d, 1.0));
    let u = v.mul_add(e, v - ERFC_F32_MID);
    let p = u.mul_add(ERFC_F32_9, ERFC_F32_8);
    let p = p.mul_add(u, ERFC_F32_7);
    let p = p.mul_add(u, ERFC_F32_6);
    let p = p.mul_add(u, ERFC_F32_5);
    let p = p.mul_add(u, ERFC_F32_4);
    let p = p.mul_add(u, ERFC_F32_3);
    let p = p.mul_add(u, ERFC_F32_2);
    let p = p.mul_add(u, ERFC_F32_1);
    let y = v * p.mul_add(u, ERFC_F32_0);
    let h = b * b;
    let h_lo = fma_once(b, b, -h);
    let t = h.mul_add(-LOG2E_F32, SCALE_F32);
    let n = t - SCALE_F32;
    let r = n.mul_add(-LN2_HI_F32, -h);
    let c = n.mul_add(-LN2_LO_F32, -h_lo);
    let r1 = r + c;
    let p = r1.mul_add(ERFC_EXP_F32_6, ERFC_EXP_F32_5);
    let p = p.mul_add(r1, ERFC_EXP_F32_4);
    let p = p.mul_add(r1, ERFC_EXP_F32_3);
    let p = p.mul_add(r1, ERFC_EXP_F32_2);
    let s = p.mul_add(r1 * r1, c);
    scale_f32((r + s).mul_add(y, y), t)
}

/// 1 - erf x. Max error 1.2757 ULP over all 2^32 inputs, against glibc's f64 erfc.
/// 80 operations, one a division.
///
/// erfc(-inf) = 2, erfc(inf) = 0, NaN gives NaN; 0 above 10.06, subnormal results to the same bound.
#[always_inline(crate = crate)]
pub fn erfc_f32(x: f32) -> f32 {
    let a = x.abs();
    // 1 - erf x as it stands where erf x is small.
    let mut y = x.mul_add(-(1.0 + erf_poly_f32(x * x)), 1.0);
    // Dear, and not always needed. A loop, because lanes skip one that none of them enters, where they compute both sides of an `if`.
    let mut far = !(a < 0.47);
    while far {
        let b = if a > 10.1 { 10.1 } else { a };
        let (z, z_lo, t) = erfc_parts_f32(b);
        let r = scale_f32(z + z_lo, t);
        y = if x < 0.0 { 2.0 - r } else { r };
        far = false;
    }
    y
}
