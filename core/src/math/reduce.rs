//! Payne-Hanek reduction of large f64 angles, without a table in memory.
//!
//! x = m 2^g with an integer m below 2^53. Of 2/pi only 192 bits matter: those above weight 2^(1-g) make multiples of four
//! quarter turns, those below add less than 2^-135. A tree of selects takes the words around the first of them out of
//! the constants below (a barrel shifter: 31 selects, where a table would need gathers). Reference: Payne and Hanek,
//! "Radian reduction for trigonometric functions" (1983).

use super::exact::fma_once;
use crate::cx::Cx;
use crate::isa::{Isa, MAX_LANES, MemoryLanes, Registers, V, Varying};
use crate::plain;
use lanecraft_macros::always_inline;

// 2/pi, 64 bits each, most significant first (mpmath). W0 is 0.
const W1: u64 = 0xa2f9_836e_4e44_1529;
const W2: u64 = 0xfc27_57d1_f534_ddc0;
const W3: u64 = 0xdb62_9599_3c43_9041;
const W4: u64 = 0xfe51_63ab_debb_c561;
const W5: u64 = 0xb724_6e3a_424d_d2e0;
const W6: u64 = 0x0649_2eea_09d1_921c;
const W7: u64 = 0xfe1d_eb1c_b129_a73e;
const W8: u64 = 0xe882_35f5_2ebb_4484;
const W9: u64 = 0xe99c_7026_b45f_7e41;
const W10: u64 = 0x3991_d639_8353_39f4;
const W11: u64 = 0x9c84_5f8b_bdf9_283b;
const W12: u64 = 0x1ff8_97ff_de05_980f;
const W13: u64 = 0xef2f_118b_5a0a_6d1f;
const W14: u64 = 0x6d36_7ecf_27cb_09b7;
const W15: u64 = 0x4f46_3f66_9e5f_ea2d;
const W16: u64 = 0x7527_bac7_ebe5_f17b;
const W17: u64 = 0x3d07_39f7_8a52_92ea;
const W18: u64 = 0x6bfb_5fb1_1f8d_5d08;
const W19: u64 = 0x5603_3046_fc7b_6bab;
const W0: u64 = 0;

const PIO2_HI: f64 = f64::from_bits(0x3ff9_21fb_5444_2d18);
const PIO2_LO: f64 = f64::from_bits(0x3c91_a626_3314_5c07);
const LOW32: u64 = 0xffff_ffff;
const SIGN: u64 = 0x8000_0000_0000_0000;

#[always_inline(crate = crate)]
fn select(c: bool, a: u64, b: u64) -> u64 {
    if c { a } else { b }
}

/// The upper half of the 128-bit product.
#[always_inline(crate = crate)]
fn mul_hi(a: u64, b: u64) -> u64 {
    let (al, ah) = (a & LOW32, a >> 32);
    let (bl, bh) = (b & LOW32, b >> 32);
    let u = ah * bl + ((al * bl) >> 32);
    let v = al * bh + (u & LOW32);
    ah * bh + (u >> 32) + (v >> 32)
}

/// (quarter turns modulo 4, the rest in radians between -pi/4 and pi/4 in two parts) for |x| >= 2^30; NaN for inf and NaN.
#[always_inline(crate = crate)]
fn payne_hanek(x: f64) -> (u64, f64, f64) {
    let bits = x.to_bits();
    let m = (bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000;
    // First bit to take, counted from the top of W0: g + 62.
    let o = ((bits >> 52) & 0x7ff) - 1013;
    let c = (o & 1024) != 0;
    let (w0, w1, w2, w3) = (select(c, W16, W0), select(c, W17, W1), select(c, W18, W2), select(c, W19, W3));
    let c = (o & 512) != 0;
    let (w0, w1, w2, w3) = (select(c, W8, w0), select(c, W9, w1), select(c, W10, w2), select(c, W11, w3));
    let (w4, w5, w6, w7) = (select(c, W12, W4), select(c, W13, W5), select(c, W14, W6), select(c, W15, W7));
    let (w8, w9, w10) = (select(c, W16, W8), select(c, W17, W9), select(c, W18, W10));
    let c = (o & 256) != 0;
    let (w0, w1, w2, w3) = (select(c, w4, w0), select(c, w5, w1), select(c, w6, w2), select(c, w7, w3));
    let (w4, w5, w6) = (select(c, w8, w4), select(c, w9, w5), select(c, w10, w6));
    let c = (o & 128) != 0;
    let (w0, w1, w2) = (select(c, w2, w0), select(c, w3, w1), select(c, w4, w2));
    let (w3, w4) = (select(c, w5, w3), select(c, w6, w4));
    let c = (o & 64) != 0;
    let (w0, w1, w2, w3) = (select(c, w1, w0), select(c, w2, w1), select(c, w3, w2), select(c, w4, w3));
    // 192 bits from bit o on; the right shift in two steps, as it may be by 64.
    let s = o & 63;
    let h0 = (w0 << s) | ((w1 >> 1) >> (63 - s));
    let h1 = (w1 << s) | ((w2 >> 1) >> (63 - s));
    let h2 = (w2 << s) | ((w3 >> 1) >> (63 - s));
    // p0:p1 is the angle in quarter turns modulo 4, scaled by 2^62 and 2^126.
    let l1 = m * h1;
    let p1 = l1 + mul_hi(m, h2);
    let carry = if p1 < l1 { 1 } else { 0 };
    let p0 = m * h0 + mul_hi(m, h1) + carry;
    let n = (p0 + 0x2000_0000_0000_0000) >> 62;
    let f0 = p0 - (n << 62);
    // Sign and size, so that a tiny rest keeps its relative accuracy. The unit lost by ! for - is below 2^-126.
    let minus = (f0 >> 63) != 0;
    let f0 = if minus { !f0 } else { f0 };
    let p1 = if minus { !p1 } else { p1 };
    let high = (f0 >> 10) as f64;
    let low = (((f0 & 0x3ff) << 53) | (p1 >> 11)) as f64;
    // 2^-52 and 2^-115
    let a = high * f64::from_bits(0x3cb0_0000_0000_0000);
    let b = low * f64::from_bits(0x38c0_0000_0000_0000);
    let f = a + b;
    let f_lo = b - (f - a);
    let r = f * PIO2_HI;
    let r_lo = fma_once(f, PIO2_HI, -r) + f.mul_add(PIO2_LO, f_lo * PIO2_HI);
    let (r, r_lo) = (r + r_lo, r_lo - ((r + r_lo) - r));
    // The signs of the rest and of x; 0 x is NaN for an infinity.
    let flip = if minus { SIGN } else { 0 };
    let flip = flip ^ (bits & SIGN);
    let r = x.mul_add(0.0, f64::from_bits(r.to_bits() ^ flip));
    let r_lo = f64::from_bits(r_lo.to_bits() ^ flip);
    let n = if x < 0.0 { 4 - n } else { n };
    (n, r, r_lo)
}

/// [`payne_hanek`], callable from a kernel. On levels of SSE2's instructions each lane goes through the single-value form: half of
/// the operations above (64-bit shifts, products, conversions) are made lane by lane there anyway, and written out for 16 lanes
/// they take rustc several seconds in every kernel with an f64 `sin`.
#[allow(non_camel_case_types, reason = "called like a function")]
pub(crate) enum reduce_large_f64 {}

impl reduce_large_f64 {
    pub(crate) const __LANECRAFT_CALLS: () = ();

    #[cfg(feature = "cuda")]
    pub(crate) const __LANECRAFT_CUDA: &'static crate::cuda::Item = payne_hanek::__LANECRAFT_CUDA;

    #[inline(always)]
    pub(crate) fn lanes<I: Isa>(cx: Cx<'_, I>, x: Varying<f64, I>) -> (Varying<u64, I>, Varying<f64, I>, Varying<f64, I>) {
        if <I as Registers>::BASELINE {
            let (n, r, r_lo) = lane_by_lane(cx.isa, x.0);
            (Varying(n), Varying(r), Varying(r_lo))
        } else {
            payne_hanek::lanes(cx, x)
        }
    }

    #[inline(always)]
    pub(crate) fn plain<I: Isa>(cx: Cx<'_, I>, x: Varying<f64, I>) -> (Varying<u64, I>, Varying<f64, I>, Varying<f64, I>) {
        payne_hanek::plain(cx, x)
    }
}

#[inline(never)]
fn lane_by_lane<I: Isa>(isa: I, x: V<f64, I>) -> (V<u64, I>, V<f64, I>, V<f64, I>) {
    const { assert!(<I as Registers>::LANES <= MAX_LANES) };
    let (mut n, mut r, mut r_lo) = ([0; MAX_LANES], [0.0; MAX_LANES], [0.0; MAX_LANES]);
    // SAFETY: each array holds LANES elements.
    unsafe {
        f64::store(isa, r.as_mut_ptr(), x);
        let mut k = 0;
        while k < <I as Registers>::LANES {
            (n[k], r[k], r_lo[k]) = plain::call(
                #[inline(always)]
                |cx| payne_hanek::plain(cx, Varying(r[k])),
            );
            k += 1;
        }
        (u64::load(isa, n.as_ptr()), f64::load(isa, r.as_ptr()), f64::load(isa, r_lo.as_ptr()))
    }
}
