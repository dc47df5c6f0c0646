//! Sine, cosine and tangent, with every bit of the reduction by pi/2.

use super::{Exact, PI_2, one, power};
use crate::double_double::DoubleDouble;

/// The bits of 2/pi behind the point, from the highest down.
const TWO_OVER_PI: [u64; 20] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
    0xf0cf_bc20_9af4_361d,
];

/// Words of 2/pi that are used, of the product with 53 bits one more.
const WORDS: usize = 5;

/// `(q, r)` with `x = q pi/2 + r`, |r| <= pi/4, q modulo 4; for finite `x >= 0`.
pub(super) fn reduced(x: f64) -> (u64, DoubleDouble) {
    if x <= std::f64::consts::FRAC_PI_4 {
        return (0, x.into());
    }
    // x = m 2^e
    let e = (x.to_bits() >> 52) as i32 - 1075;
    let m = x.to_bits() & 0x000f_ffff_ffff_ffff | 0x0010_0000_0000_0000;
    // Bits of 2/pi before `first` give multiples of 4.
    let first = (e - 2).max(0) as usize;
    let word = |k: usize| TWO_OVER_PI.get(k).copied().unwrap_or(0);
    let aligned = |k: usize| {
        let (at, shift) = (first / 64 + k, first % 64);
        if shift == 0 { word(at) } else { word(at) << shift | word(at + 1) >> (64 - shift) }
    };
    // The product, lowest word first.
    let mut product = [0_u64; WORDS + 1];
    let mut carry = 0_u128;
    for (k, word) in product[..WORDS].iter_mut().enumerate() {
        let t = u128::from(m) * u128::from(aligned(WORDS - 1 - k)) + carry;
        (*word, carry) = (t as u64, t >> 64);
    }
    product[WORDS] = carry as u64;
    // Bits of it behind the point.
    let fraction = 64 * WORDS as i32 + first as i32 - e;
    let bit = |k: i32| if (0..64 * (WORDS as i32 + 1)).contains(&k) { product[k as usize / 64] >> (k % 64) & 1 } else { 0 };
    let mut q = bit(fraction) + 2 * bit(fraction + 1);
    let up = bit(fraction - 1) == 1;
    // The fraction as a double-double: two numbers of 53 bits, from the first bit on that is not the sign's.
    let flipped = |k: i32| bit(k) ^ u64::from(up);
    let mut top = fraction - 1;
    while top > 106 && flipped(top) == 0 {
        top -= 1;
    }
    let number = |top: i32| {
        let digits = (0..53).fold(0_u64, |n, k| n << 1 | flipped(top - k));
        digits as f64 * power(top - 52 - fraction)
    };
    let mut f = DoubleDouble::sum(number(top), number(top - 53));
    if up {
        // A fraction of 1/2 or more is one less of the next quarter; flipped bits are that but for one in the last place.
        q += 1;
        f = -f;
    }
    (q % 4, f * PI_2)
}

/// `(sin r, cos r)` for |r| <= pi/4, by Taylor series.
pub(super) fn sin_cos_of_small(r: DoubleDouble) -> (DoubleDouble, DoubleDouble) {
    const LAST: u32 = 28;
    let square = r * r;
    let series = |last: u32| {
        let mut sum = one();
        let mut n = last;
        while n >= 2 {
            sum = one() - sum * square / f64::from(n * (n - 1)).into();
            n -= 2;
        }
        sum
    };
    (series(LAST + 1) * r, series(LAST))
}

/// sin and cos of finite `x >= 0`.
pub(super) fn sin_cos(x: f64) -> (DoubleDouble, DoubleDouble) {
    let (q, r) = reduced(x);
    let (s, c) = sin_cos_of_small(r);
    match q {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

/// sin x
pub fn sin(x: f64) -> Exact {
    let nearest = core_math::sin(x);
    if !x.is_finite() || x.abs() < 1e-60 {
        return Exact::is(nearest);
    }
    Exact::unscaled(sin_cos(x.abs()).0, nearest).with_sign_of(x)
}

/// cos x
pub fn cos(x: f64) -> Exact {
    let nearest = core_math::cos(x);
    if !x.is_finite() {
        return Exact::is(nearest);
    }
    Exact::unscaled(sin_cos(x.abs()).1, nearest)
}

/// tan x
pub fn tan(x: f64) -> Exact {
    let nearest = core_math::tan(x);
    if !x.is_finite() || x.abs() < 1e-60 {
        return Exact::is(nearest);
    }
    let (s, c) = sin_cos(x.abs());
    Exact::unscaled(s / c, nearest).with_sign_of(x)
}
