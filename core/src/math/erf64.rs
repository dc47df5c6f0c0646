//! erf and erfc for f64: see erf.rs.

use super::exact::{fma_once, scale_f64};
use crate::isa::shims::SCALE_F64;
use lanecraft_macros::always_inline;

const LOG2E_F64: f64 = f64::from_bits(0x3ff7_1547_652b_82fe);
// As for f32: 33 bits and the rest; n has 11.
const LN2_HI_F64: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LO_F64: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
const ERFC_SHIFT_F64: f64 = 2.5;

// erf(x) on [0, 1], fixed part x, powers 1, 3 .. 27: relative error 2^-56.3 (sollya fpminimax, fit.py erf_f64).
const ERF_F64_1: f64 = 0.1283791670955126;
const ERF_F64_3: f64 = -0.376126389031839;
const ERF_F64_5: f64 = 0.11283791670960246;
const ERF_F64_7: f64 = -0.02686617064597305;
const ERF_F64_9: f64 = 0.005223977633263234;
const ERF_F64_11: f64 = -0.0008548327477600838;
const ERF_F64_13: f64 = 0.00012055350454289718;
const ERF_F64_15: f64 = -1.4926110753856773e-05;
const ERF_F64_17: f64 = 1.647054854007595e-06;
const ERF_F64_19: f64 = -1.6473127140114368e-07;
const ERF_F64_21: f64 = 1.5735764182245697e-08;
const ERF_F64_23: f64 = -1.7497020244007168e-09;
const ERF_F64_25: f64 = 2.637226422718611e-10;
const ERF_F64_27: f64 = -3.024773847810671e-11;

// e^(a^2) erfc(a) = t Q(t - MID), t = 1/(a + 2.5), on [0.46, 27.3], degree 22; LOW is the rest of c0:
// relative error 2^-58.3 (least squares at Chebyshev nodes, rounded one by one, fit.py erfc_f64).
const ERFC_F64_MID: f64 = 0.1856974424088518;
const ERFC_F64_LOW: f64 = 4.1585440286208273e-17;
const ERFC_F64_0: f64 = 0.9987484022926972;
const ERFC_F64_1: f64 = 3.711576820872431;
const ERFC_F64_2: f64 = 10.45183063809202;
const ERFC_F64_3: f64 = 20.34307986279672;
const ERFC_F64_4: f64 = 19.367887743173984;
const ERFC_F64_5: f64 = -19.664925003764075;
const ERFC_F64_6: f64 = -77.13857235310215;
const ERFC_F64_7: f64 = 2.464268857951302;
const ERFC_F64_8: f64 = 278.66410863553074;
const ERFC_F64_9: f64 = 51.032695129690225;
const ERFC_F64_10: f64 = -1183.3718255607462;
const ERFC_F64_11: f64 = 76.2433678748435;
const ERFC_F64_12: f64 = 5643.793372998859;
const ERFC_F64_13: f64 = -4143.4596355231;
const ERFC_F64_14: f64 = -26370.86705612634;
const ERFC_F64_15: f64 = 49598.73457481747;
const ERFC_F64_16: f64 = 93888.43643993947;
const ERFC_F64_17: f64 = -413521.69057574467;
const ERFC_F64_18: f64 = -15181.580261559664;
const ERFC_F64_19: f64 = 2469921.0519744274;
const ERFC_F64_20: f64 = -2931444.7686361265;
const ERFC_F64_21: f64 = -8190655.118726684;
const ERFC_F64_22: f64 = 17338591.1127205;

// exp(x) on [-0.34660, 0.34660], fixed part 1+x, powers 2 to 11: relative error 2^-57.9 (sollya fpminimax, fit.py
// erfc_exp_f64).
const ERFC_EXP_F64_2: f64 = 0.5000000000000011;
const ERFC_EXP_F64_3: f64 = 0.16666666666666424;
const ERFC_EXP_F64_4: f64 = 0.04166666666652705;
const ERFC_EXP_F64_5: f64 = 0.008333333333487052;
const ERFC_EXP_F64_6: f64 = 0.0013888888944313677;
const ERFC_EXP_F64_7: f64 = 0.00019841269522464795;
const ERFC_EXP_F64_8: f64 = 2.480149248278168e-05;
const ERFC_EXP_F64_9: f64 = 2.7557572292830053e-06;
const ERFC_EXP_F64_10: f64 = 2.7630444483237444e-07;
const ERFC_EXP_F64_11: f64 = 2.5004489677448574e-08;

/// erf x / x - 1 for w = x^2 <= 1.
#[always_inline(crate = crate)]
pub(crate) fn erf_poly_f64(w: f64) -> f64 {
    let p = w.mul_add(ERF_F64_27, ERF_F64_25);
    let p = p.mul_add(w, ERF_F64_23);
    let p = p.mul_add(w, ERF_F64_21);
    let p = p.mul_add(w, ERF_F64_19);
    let p = p.mul_add(w, ERF_F64_17);
    let p = p.mul_add(w, ERF_F64_15);
    let p = p.mul_add(w, ERF_F64_13);
    let p = p.mul_add(w, ERF_F64_11);
    let p = p.mul_add(w, ERF_F64_9);
    let p = p.mul_add(w, ERF_F64_7);
    let p = p.mul_add(w, ERF_F64_5);
    let p = p.mul_add(w, ERF_F64_3);
    p.mul_add(w, ERF_F64_1)
}

/// (z, z_lo, t) with erfc(b) = 2^n (z + z_lo), t = n + [`SCALE_F64`], for 0.46 <= b.
#[always_inline(crate = crate)]
fn erfc_parts_f64(b: f64) -> (f64, f64, f64) {
    // v + v_lo = 1 / (b + k)
    let d = b + ERFC_SHIFT_F64;
    let d_lo = b - (d - ERFC_SHIFT_F64);
    let v = 1.0 / d;
    let e = (-v).mul_add(d_lo, (-v).mul_add(d, 1.0));
    let v_lo = v * e;
    let u = (v - ERFC_F64_MID) + v_lo;
    let p = u.mul_add(ERFC_F64_22, ERFC_F64_21);
    let p = p.mul_add(u, ERFC_F64_20);
    let p = p.mul_add(u, ERFC_F64_19);
    let p = p.mul_add(u, ERFC_F64_18);
    let p = p.mul_add(u, ERFC_F64_17);
    let p = p.mul_add(u, ERFC_F64_16);
    let p = p.mul_add(u, ERFC_F64_15);
    let p = p.mul_add(u, ERFC_F64_14);
    let p = p.mul_add(u, ERFC_F64_13);
    let p = p.mul_add(u, ERFC_F64_12);
    let p = p.mul_add(u, ERFC_F64_11);
    let p = p.mul_add(u, ERFC_F64_10);
    let p = p.mul_add(u, ERFC_F64_9);
    let p = p.mul_add(u, ERFC_F64_8);
    let p = p.mul_add(u, ERFC_F64_7);
    let p = p.mul_add(u, ERFC_F64_6);
    let p = p.mul_add(u, ERFC_F64_5);
    let p = p.mul_add(u, ERFC_F64_4);
    let p = p.mul_add(u, ERFC_F64_3);
    let p = p.mul_add(u, ERFC_F64_2);
    // q + q_lo is Q, y + y_lo is e^(b^2) erfc(b)
    let g = p.mul_add(u * u, ERFC_F64_LOW);
    let k = u * ERFC_F64_1;
    let k_lo = u.mul_add(ERFC_F64_1, -k);
    let q1 = ERFC_F64_0 + k;
    let q1_lo = k - (q1 - ERFC_F64_0);
    let q = q1 + g;
    let q_lo = (g - (q - q1)) + (q1_lo + k_lo);
    let y = v * q;
    let y_lo = v.mul_add(q, -y) + v.mul_add(q_lo, v_lo * q);
    // e^(-b^2) as in exp.rs; b^2 = h + h_lo, and 1 + m = x + x_lo
    let h = b * b;
    let h_lo = fma_once(b, b, -h);
    let t = h.mul_add(-LOG2E_F64, SCALE_F64);
    let n = t - SCALE_F64;
    let r = n.mul_add(-LN2_HI_F64, -h);
    let c = n.mul_add(-LN2_LO_F64, -h_lo);
    let r1 = r + c;
    let p = r1.mul_add(ERFC_EXP_F64_11, ERFC_EXP_F64_10);
    let p = p.mul_add(r1, ERFC_EXP_F64_9);
    let p = p.mul_add(r1, ERFC_EXP_F64_8);
    let p = p.mul_add(r1, ERFC_EXP_F64_7);
    let p = p.mul_add(r1, ERFC_EXP_F64_6);
    let p = p.mul_add(r1, ERFC_EXP_F64_5);
    let p = p.mul_add(r1, ERFC_EXP_F64_4);
    let p = p.mul_add(r1, ERFC_EXP_F64_3);
    let p = p.mul_add(r1, ERFC_EXP_F64_2);
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
pub(crate) fn erfc_quick_f64(b: f64) -> f64 {
    let d = b + ERFC_SHIFT_F64;
    let v = 1.0 / d;
    // What the roundings of d and v lost is magnified by the polynomial.
    let e = (-v).mul_add(b - (d - ERFC_SHIFT_F64), fma_once(-v, d, 1.0));
    let u = v.mul_add(e, v - ERFC_F64_MID);
    let p = u.mul_add(ERFC_F64_22, ERFC_F64_21);
    let p = p.mul_add(u, ERFC_F64_20);
    let p = p.mul_add(u, ERFC_F64_19);
    let p = p.mul_add(u, ERFC_F64_18);
    let p = p.mul_add(u, ERFC_F64_17);
    let p = p.mul_add(u, ERFC_F64_16);
    let p = p.mul_add(u, ERFC_F64_15);
    let p = p.mul_add(u, ERFC_F64_14);
    let p = p.mul_add(u, ERFC_F64_13);
    let p = p.mul_add(u, ERFC_F64_12);
    let p = p.mul_add(u, ERFC_F64_11);
    let p = p.mul_add(u, ERFC_F64_10);
    let p = p.mul_add(u, ERFC_F64_9);
    let p = p.mul_add(u, ERFC_F64_8);
    let p = p.mul_add(u, ERFC_F64_7);
    let p = p.mul_add(u, ERFC_F64_6);
    let p = p.mul_add(u, ERFC_F64_5);
    let p = p.mul_add(u, ERFC_F64_4);
    let p = p.mul_add(u, ERFC_F64_3);
    let p = p.mul_add(u, ERFC_F64_2);
    let p = p.mul_add(u, ERFC_F64_1);
    let y = v * p.mul_add(u, ERFC_F64_0);
    let h = b * b;
    let h_lo = fma_once(b, b, -h);
    let t = h.mul_add(-LOG2E_F64, SCALE_F64);
    let n = t - SCALE_F64;
    let r = n.mul_add(-LN2_HI_F64, -h);
    let c = n.mul_add(-LN2_LO_F64, -h_lo);
    let r1 = r + c;
    let p = r1.mul_add(ERFC_EXP_F64_11, ERFC_EXP_F64_10);
    let p = p.mul_add(r1, ERFC_EXP_F64_9);
    let p = p.mul_add(r1, ERFC_EXP_F64_8);
    let p = p.mul_add(r1, ERFC_EXP_F64_7);
    let p = p.mul_add(r1, ERFC_EXP_F64_6);
    let p = p.mul_add(r1, ERFC_EXP_F64_5);
    let p = p.mul_add(r1, ERFC_EXP_F64_4);
    let p = p.mul_add(r1, ERFC_EXP_F64_3);
    let p = p.mul_add(r1, ERFC_EXP_F64_2);
    let s = p.mul_add(r1 * r1, c + e);
    scale_f64((r + s).mul_add(y, y), t)
}

/// 1 - erf x. Max error 1.42 ULP in 10^7 samples (all binades, the range, subnormal results), against libquadmath.
/// 105 operations, one a division.
/// Special values as `erfc_f32`, 0 above 27.23.
#[always_inline(crate = crate)]
pub fn erfc_f64(x: f64) -> f64 {
    let a = x.abs();
    // 1 - erf x as it stands where erf x is small.
    let mut y = x.mul_add(-(1.0 + erf_poly_f64(x * x)), 1.0);
    // Dear, and not always needed. A loop, because lanes skip one that none of them enters, where they compute both sides of an `if`.
    let mut far = !(a < 0.47);
    while far {
        let b = if a > 27.3 { 27.3 } else { a };
        let (z, z_lo, t) = erfc_parts_f64(b);
        let r = scale_f64(z + z_lo, t);
        y = if x < 0.0 { 2.0 - r } else { r };
        far = false;
    }
    y
}

/// erf x. Max error 1.11 ULP in 10^7 samples (all binades, the range), against libquadmath.
/// 75 operations, one a division. Special values as `erf_f32`, +-1 from 5.93 on.
#[always_inline(crate = crate)]
pub fn erf_f64(x: f64) -> f64 {
    let a = x.abs();
    let mut y = erf_poly_f64(x * x).mul_add(x, x);
    // See [`erfc_f64`].
    let mut far = a >= 1.0;
    while far {
        let b = if a > 6.0 { 6.0 } else { a };
        let (z, _z_lo, t) = erfc_parts_f64(b);
        y = (1.0 - scale_f64(z, t)).copysign(x);
        far = false;
    }
    y
}
