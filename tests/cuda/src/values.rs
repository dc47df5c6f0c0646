//! Values to try: the special ones of each dtype, and random ones.

use lanecraft::DtypeId;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// Pseudo-random numbers (Steele, Lea and Flood's SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// Which values are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// All.
    All,
    /// Small integers, floats of ordinary size, now and then a special one: of block kernels.
    Blocks,
    /// Small ones: of kernels whose operands count steps, or are what a loop waits for.
    Small,
}

/// A small element of a dtype: an integer up to 9, a float up to 8 in steps of 1/4.
fn small(dtype: DtypeId, random: &mut Random) -> u64 {
    let x = random.below(65) as f64 / 4.0 - 8.0;
    let i = random.below(19) as i64 - 9;
    match dtype {
        DtypeId::F64 => x.to_bits(),
        DtypeId::F32 => u64::from((x as f32).to_bits()),
        DtypeId::Bf16 => u64::from((x as f32).to_bits() >> 16),
        DtypeId::F16 => u64::from(lanecraft::f16::from_f64(x).to_bits()),
        DtypeId::Bool => random.next() & 1,
        DtypeId::U8 | DtypeId::U16 | DtypeId::U32 | DtypeId::U64 => i.unsigned_abs(),
        _ => i as u64,
    }
}

/// An element of a dtype, as its bytes, the lowest first.
pub fn element(dtype: DtypeId, range: Range, random: &mut Random) -> u64 {
    match (range, dtype) {
        (Range::Small, _) => return small(dtype, random),
        (Range::Blocks, DtypeId::F16 | DtypeId::Bf16) => return small(dtype, random),
        (Range::Blocks, d) if !d.is_float() => return small(dtype, random),
        (Range::Blocks, d) if random.below(64) > 0 => {
            let r = random.next();
            let x = f64::from_bits((r & 0x800f_ffff_ffff_ffff) | ((1019 + random.below(6) as u64) << 52));
            return if d == DtypeId::F64 { x.to_bits() } else { u64::from((x as f32).to_bits()) };
        }
        _ => {}
    }
    let size = 8 * dtype.size() as u32;
    let mask = if size == 64 { u64::MAX } else { (1 << size) - 1 };
    let r = random.next();
    match (dtype, random.below(4)) {
        (DtypeId::Bool, _) => r & 1,
        (DtypeId::F64, 0) => FLOATS[random.below(FLOATS.len())].to_bits(),
        (DtypeId::F32, 0) => u64::from((FLOATS[random.below(FLOATS.len())] as f32).to_bits()),
        // Of ordinary size, where most functions have something to do.
        (DtypeId::F64, 1 | 2) => ordinary(r, random).to_bits(),
        (DtypeId::F32, 1 | 2) => u64::from((ordinary(r, random) as f32).to_bits()),
        (DtypeId::F16, 0 | 1) => u64::from(HALVES[random.below(HALVES.len())]),
        (DtypeId::Bf16, 0 | 1) => u64::from((FLOATS[random.below(FLOATS.len())] as f32).to_bits() >> 16),
        // Small integers, and those near the ends.
        (d, 0 | 1) if d.is_int() => (r % 21).wrapping_sub(10) & mask,
        (d, 2) if d.is_int() => ((1_u64 << (size - 1)).wrapping_add(r % 5).wrapping_sub(2)) & mask,
        _ => r & mask,
    }
}

/// A float between 2^-20 and 2^12 or so, either sign.
fn ordinary(r: u64, random: &mut Random) -> f64 {
    let exponent = 1003 + random.below(33) as u64;
    f64::from_bits((r & 0x800f_ffff_ffff_ffff) | (exponent << 52))
}

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    0.25,
    1.5,
    -1.5,
    2.5,
    -2.5,
    1e-3,
    10.0,
    100.0,
    255.0,
    256.0,
    -128.5,
    127.5,
    1e10,
    -1e10,
    2147483647.0,
    2147483648.0,
    -2147483649.0,
    4294967296.0,
    9.3e18,
    1.9e19,
    1e30,
    -1e30,
    1e-30,
    88.7,
    -103.9,
    709.7,
    -745.1,
    FRAC_PI_4,
    FRAC_PI_2,
    PI,
    1e300,
    -1e300,
    1e-300,
    1.1754943508222875e-38,
    1e-40,
    1e-45,
    2.2250738585072014e-308,
    5e-324,
    3.4028234663852886e38,
    1.7976931348623157e308,
    65504.0,
    65520.0,
    6.1e-5,
    5.96e-8,
    1.0000001,
    0.99999994,
    33000.0,
    70000.0,
    1073741824.5,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

const HALVES: &[u16] = &[
    0, 0x8000, 1, 0x8001, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x3800, 0x4000, 0x4248, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x5640,
    0x3555,
];
