//! What the functions are measured on.

use crate::functions::Function;

/// Inputs are made and measured in chunks of so many.
pub const CHUNK: u64 = 1 << 16;

/// How many f32 inputs a stride gives.
pub fn f32_count(stride: u32) -> u64 {
    (1_u64 << 32).div_ceil(u64::from(stride))
}

/// f32 input `i`: every `stride`-th bit pattern. Of a function of two variables, a sample, always the same.
pub fn f32_at(function: &Function, stride: u32, i: u64) -> [f32; 2] {
    if function.is_binary() {
        return pair_at(function, i, |bits| f32::from_bits(bits as u32).into()).map(|x| x as f32);
    }
    [f32::from_bits((i * u64::from(stride)) as u32), 0.0]
}

/// How many inputs f16 and bf16 have: all bit patterns, or `samples` pairs.
pub fn half_count(function: &Function, samples: u64) -> u64 {
    if function.is_binary() { samples } else { 1 << 16 }
}

/// Input `i` of f16 or bf16, as `from_bits` makes it of bits. Of a function of two variables, a sample, always the same.
pub fn half_at(function: &Function, i: u64, from_bits: impl Fn(u16) -> f64) -> [f64; 2] {
    if function.is_binary() { pair_at(function, i, |bits| from_bits(bits as u16)) } else { [from_bits(i as u16), 0.0] }
}

/// f64 sample `i`, always the same.
pub fn f64_at(function: &Function, i: u64) -> [f64; 2] {
    if function.is_binary() { pair_at(function, i, f64::from_bits) } else { [one_f64_at(function, i), 0.0] }
}

/// Of eight samples two have uniform bits (every binade, infinities, NaN), three are uniform in the function's interval, one is
/// near 0 (uniform exponent), one is subnormal or in the lowest hundredth of the interval (where exp is subnormal), and one
/// is within 64 numbers of an edge, of a power of two, or of 0.
fn one_f64_at(function: &Function, i: u64) -> f64 {
    let bits = mixed(i);
    let (low, high) = function.interval;
    match i % 8 {
        0 | 1 => f64::from_bits(bits),
        2..=4 => low + unit(bits) * (high - low),
        5 => f64::from_bits(bits & 0x800f_ffff_ffff_ffff | (1023 - 60 + mixed(bits) % 64) << 52),
        6 if bits & 1 == 0 => f64::from_bits(bits & 0x800f_ffff_ffff_ffff),
        6 => low + unit(bits) * (high - low) * 0.026,
        _ => edge(function, bits),
    }
}

/// Of eight pairs two have uniform bits, three are uniform in the function's interval, one has two numbers of about the same size
/// and one such with a ratio up to 2^40, and one is of edges.
fn pair_at(function: &Function, i: u64, from_bits: impl Fn(u64) -> f64) -> [f64; 2] {
    const SPECIAL: [f64; 8] = [0.0, 1.0, f64::INFINITY, f64::NAN, f64::MAX, 5e-324, f64::MIN_POSITIVE, 3.0];
    let (first, second) = (mixed(2 * i), mixed(2 * i + 1));
    let (low, high) = function.interval;
    let within = |bits| low + unit(bits) * (high - low);
    let special = |bits: u64| {
        let x = SPECIAL[bits as usize % SPECIAL.len()];
        if bits >> 63 == 0 { x } else { -x }
    };
    match i % 8 {
        0 | 1 => [from_bits(first), from_bits(second)],
        2..=4 => [within(first), within(second)],
        5 => [from_bits(first), from_bits(first) * within(second)],
        6 => [from_bits(first), from_bits(first) * within(second) * 2.0_f64.powi((mixed(second) % 81) as i32 - 40)],
        _ if i % 16 == 7 => [special(first), special(second)],
        _ => [edge(function, first), edge(function, second)],
    }
}

/// A number within 64 of an edge, of a power of two, or of 0.
fn edge(function: &Function, bits: u64) -> f64 {
    let edge = match (bits >> 8) as usize % (2 * function.edges.len() + 2) {
        0 => f64::from_bits(((bits >> 20) % 2047) << 52),
        1 => 0.0,
        k => function.edges[k / 2 - 1],
    };
    let near = f64::from_bits(edge.to_bits().wrapping_add_signed((bits % 129) as i64 - 64));
    if (bits >> 63) == 0 { near } else { -near }
}

/// A uniform number in [0, 1).
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

/// SplitMix64's output function (Steele, Lea, Flood 2014).
fn mixed(i: u64) -> u64 {
    let z = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, f32_at, f32_count, f64_at};
    use crate::functions::FUNCTIONS;

    #[test]
    fn a_stride_covers_all_bit_patterns() {
        assert_eq!(f32_count(1), 1 << 32);
        let exp = FUNCTIONS.iter().find(|f| f.info.name == "exp").unwrap();
        assert_eq!(f32_at(exp, 1, (1 << 32) - 1)[0].to_bits(), u32::MAX);
        let last = f32_count(997) - 1;
        assert!(last * 997 < 1 << 32 && (last + 1) * 997 >= 1 << 32);
    }

    #[test]
    fn samples_reach_every_kind_of_number() {
        for function in FUNCTIONS {
            for k in 0..if function.is_binary() { 2 } else { 1 } {
                let samples: Vec<f64> = (0..4 * CHUNK).map(|i| f64_at(function, i)[k]).collect();
                let has = |kind: fn(&f64) -> bool| samples.iter().any(kind);
                let all = has(|x| x.is_nan()) && has(|x| x.is_subnormal()) && has(|x| *x == 0.0) && has(|x| x.abs() > 1e300);
                assert!(all && has(|x| (0.9..1.1).contains(&x.abs())) && has(|x| *x < 0.0), "{} {k}", function.info.name);
            }
        }
    }
}
