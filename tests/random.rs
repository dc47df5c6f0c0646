//! Random numbers: Random123's words, and uniform and normal floats of them, the same on every level.

use lanecraft::prelude::*;
use lanecraft::{Kernel, Level};

#[kernel]
fn words4(c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32) -> (u32, u32, u32, u32) {
    philox4x32(c0, c1, c2, c3, k0, k1)
}

#[kernel]
fn words2(c0: u32, c1: u32, k: u32) -> (u32, u32) {
    philox2x32(c0, c1, k)
}

#[kernel]
fn words(seed: u64, counter: u64) -> (u32, u32, u32, u32) {
    philox(seed, counter)
}

#[kernel]
fn uniform(seed: u64, counter: u64) -> (f32, f64) {
    let (a, b, c, _) = philox(seed, counter);
    (uniform_f32(a), uniform_f64(b, c))
}

#[kernel]
fn normal(seed: u64, counter: u64) -> (f32, f32, f64, f64) {
    let (a, b, c, d) = philox(seed, counter);
    let (x, y) = normal_f32(a, b);
    let (z, w) = normal_f64(a, b, c, d);
    (x, y, z, w)
}

/// Runs a kernel of one variant on a level: each output's elements as bits.
fn run(kernel: &lanecraft::KernelInfo, level: Level, inputs: &mut [Vec<u8>], n: usize) -> Vec<Vec<u64>> {
    let variant = &kernel.variants[0];
    let mut outputs: Vec<Vec<u8>> = variant.outputs.iter().map(|dtype| vec![0; n * dtype.size()]).collect();
    let sizes: Vec<isize> = variant.inputs.iter().chain(variant.outputs).map(|dtype| dtype.size() as isize).collect();
    let at: Vec<*mut u8> = inputs.iter_mut().chain(&mut outputs).map(|operand| operand.as_mut_ptr()).collect();
    assert_eq!(variant.inputs.len(), inputs.len());
    // SAFETY: one pointer per operand, each to `n` elements of its dtype; the level is one of this machine's.
    unsafe { variant.run_at(level, &at, n, &sizes) }.expect("no fault");
    let element = |bytes: &[u8]| bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
    outputs.iter().zip(variant.outputs).map(|(bytes, dtype)| bytes.chunks(dtype.size()).map(element).collect()).collect()
}

/// The known answers of Random123 1.14 (`tests/kat_vectors`): counter, key, words.
type Answer4 = ([u32; 4], [u32; 2], [u32; 4]);
type Answer2 = ([u32; 2], u32, [u32; 2]);
const PHILOX_4X32: [Answer4; 3] = [
    ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
    ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
    (
        [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
        [0xa409_3822, 0x299f_31d0],
        [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
    ),
];
const PHILOX_2X32: [Answer2; 3] = [
    ([0; 2], 0, [0xff1d_ae59, 0x6cd1_0df2]),
    ([u32::MAX; 2], u32::MAX, [0x2c3f_628b, 0xab4f_d7ad]),
    ([0x243f_6a88, 0x85a3_08d3], 0x1319_8a2e, [0xdd7c_e038, 0xf62a_4c12]),
];

fn bytes<T: Copy, const N: usize>(values: impl IntoIterator<Item = T>, to_bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.into_iter().flat_map(to_bytes).collect()
}

#[test]
fn known_answers() {
    for (c, k, words) in PHILOX_4X32 {
        let (a, b, d, e) = philox4x32(c[0], c[1], c[2], c[3], k[0], k[1]);
        assert_eq!([a, b, d, e], words);
    }
    for (c, k, words) in PHILOX_2X32 {
        assert_eq!(<[u32; 2]>::from(philox2x32(c[0], c[1], k)), words);
    }
    for level in Level::available() {
        // 17 of each: a gang and a tail.
        let four = |f: &dyn Fn(&Answer4) -> u32| -> Vec<u8> { bytes((0..17).map(|i| f(&PHILOX_4X32[i % 3])), u32::to_ne_bytes) };
        let mut inputs: Vec<Vec<u8>> = (0..4).map(|j| four(&|v| v.0[j])).chain((0..2).map(|j| four(&|v| v.1[j]))).collect();
        let came = run(&words4::INFO, level, &mut inputs, 17);
        for (i, j) in (0..17).flat_map(|i| (0..4).map(move |j| (i, j))) {
            assert_eq!(came[j][i], u64::from(PHILOX_4X32[i % 3].2[j]), "philox4x32, {level}, vector {}, word {j}", i % 3);
        }
        let two = |f: &dyn Fn(&Answer2) -> u32| -> Vec<u8> { bytes((0..17).map(|i| f(&PHILOX_2X32[i % 3])), u32::to_ne_bytes) };
        let mut inputs = vec![two(&|v| v.0[0]), two(&|v| v.0[1]), two(&|v| v.1)];
        let came = run(&words2::INFO, level, &mut inputs, 17);
        for (i, j) in (0..17).flat_map(|i| (0..2).map(move |j| (i, j))) {
            assert_eq!(came[j][i], u64::from(PHILOX_2X32[i % 3].2[j]), "philox2x32, {level}, vector {}, word {j}", i % 3);
        }
    }
}

/// Seed and counter take the places that they say, in 64 bits.
#[test]
fn seeds_and_counters() {
    let (seed, counter) = (0x299f_31d0_a409_3822, 0x85a3_08d3_243f_6a88);
    let expected = philox4x32(0x243f_6a88, 0x85a3_08d3, 0, 0, 0xa409_3822, 0x299f_31d0);
    assert_eq!(philox(seed, counter), expected);
    for level in Level::available() {
        let mut inputs = vec![bytes([seed], u64::to_ne_bytes), bytes([counter], u64::to_ne_bytes)];
        let came = run(&words::INFO, level, &mut inputs, 1);
        assert_eq!(came.concat(), [expected.0, expected.1, expected.2, expected.3].map(u64::from), "{level}");
    }
}

const N: usize = 1 << 16;

fn inputs(seed: u64) -> Vec<Vec<u8>> {
    vec![bytes(vec![seed; N], u64::to_ne_bytes), bytes(0..N as u64, u64::to_ne_bytes)]
}

/// Every number lies where its words say, by plain Rust; no level differs.
#[test]
fn uniform_numbers() {
    for level in Level::available() {
        let came = run(&uniform::INFO, level, &mut inputs(42), N);
        let at = |k: usize, i: usize| came[k][i];
        for i in 0..N {
            let (a, b, c, _) = philox(42, i as u64);
            let single = f64::from(a >> 8) / f64::from(1 << 24);
            let double = ((u64::from(b >> 5) << 26) + u64::from(c >> 6)) as f64 / (1_u64 << 53) as f64;
            assert_eq!(f64::from(f32::from_bits(at(0, i) as u32)), single, "{level} {i}");
            assert_eq!(f64::from_bits(at(1, i)), double, "{level} {i}");
            assert!((0.0..1.0).contains(&single) && (0.0..1.0).contains(&double));
        }
    }
    assert_eq!((uniform_f32(0), uniform_f32(u32::MAX)), (0.0, 1.0 - f32::EPSILON / 2.0));
    assert_eq!((uniform_f64(0, 0), uniform_f64(u32::MAX, u32::MAX)), (0.0, 1.0 - f64::EPSILON / 2.0));
}

#[always_inline]
fn by_methods_f32(a: u32, b: u32) -> (f32, f32) {
    let u = (((a >> 1) as i32) as f32).mul_add(4.656613e-10, 2.3283064e-10);
    let (s, c) = ((b as i32) as f32 * 1.4629181e-9).sin_cos();
    let r = (-2.0 * u.ln()).sqrt();
    (r * c, r * s)
}

#[always_inline]
fn by_methods_f64(a: u32, b: u32, c: u32, d: u32) -> (f64, f64) {
    let u = uniform_f64(a, b) + 5.551115123125783e-17;
    let (s, c) = (6.283185307179586 * (uniform_f64(c, d) - 0.5)).sin_cos();
    let r = (-2.0 * u.ln()).sqrt();
    (r * c, r * s)
}

/// Normal numbers leave out what `ln` and `sin_cos` do for numbers that do not come up: the bits are those of the methods.
#[test]
fn normal_numbers_by_methods() {
    let ends = [0, 1, 2, 63, 64, 1 << 30, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, 3 << 30, u32::MAX - 1, u32::MAX];
    let random = (0..1 << 16).map(|i| philox(11, i)).map(|(a, b, c, d)| [a, b, c, d]);
    let special = ends.iter().flat_map(|a| ends.iter().flat_map(|b| ends.iter().map(|c| [*a, *b, *c, *b])));
    for [a, b, c, d] in random.chain(special) {
        let bits = |(x, y): (f32, f32)| [x.to_bits(), y.to_bits()];
        assert_eq!(bits(normal_f32(a, b)), bits(by_methods_f32(a, b)), "{a} {b}");
        let bits = |(x, y): (f64, f64)| [x.to_bits(), y.to_bits()];
        assert_eq!(bits(normal_f64(a, b, c, d)), bits(by_methods_f64(a, b, c, d)), "{a} {b} {c} {d}");
    }
}

/// Box and Muller's formula in f64, by the standard library: the numbers are within its rounding errors.
#[test]
fn normal_numbers() {
    use std::f64::consts::TAU;
    for level in Level::available() {
        let came = run(&normal::INFO, level, &mut inputs(7), N);
        let at = |k: usize, i: usize| came[k][i];
        for i in 0..N {
            let (a, b, c, d) = philox(7, i as u64);
            if level != Level::Sse2 {
                let ((x, y), (z, w)) = (normal_f32(a, b), normal_f64(a, b, c, d));
                let plain = [u64::from(x.to_bits()), u64::from(y.to_bits()), z.to_bits(), w.to_bits()];
                assert_eq!([at(0, i), at(1, i), at(2, i), at(3, i)], plain, "{level} {i}: other bits than the plain functions'");
            }
            let r = (-2.0 * (f64::from(a >> 1) / 2_f64.powi(31) + 0.5_f64.powi(32)).ln()).sqrt();
            let t = f64::from(b as i32) * TAU / 2_f64.powi(32);
            let close = |k: usize, expected: f64| {
                let y = f64::from(f32::from_bits(at(k, i) as u32));
                // u1 near 1 is rounded to f32 itself.
                assert!((y - expected).abs() < 4e-4 && (r < 0.1 || (y - expected).abs() < 4e-6), "{level} {i}: {y} {expected}");
            };
            close(0, r * t.cos());
            close(1, r * t.sin());
            let uniform = |a: u32, b: u32| ((u64::from(a >> 5) << 26) + u64::from(b >> 6)) as f64 / (1_u64 << 53) as f64;
            let r = (-2.0 * (uniform(a, b) + 0.5_f64.powi(54)).ln()).sqrt();
            let t = TAU * (uniform(c, d) - 0.5);
            let close = |k: usize, expected: f64| assert!((f64::from_bits(at(k, i)) - expected).abs() < 1e-14, "{level} {i} {expected}");
            close(2, r * t.cos());
            close(3, r * t.sin());
        }
        // Each of the four: mean 0 and variance 1, within five standard errors.
        for (k, outputs) in came.iter().enumerate() {
            let value = |bits: &u64| if k < 2 { f64::from(f32::from_bits(*bits as u32)) } else { f64::from_bits(*bits) };
            let mean = outputs.iter().map(value).sum::<f64>() / N as f64;
            let variance = outputs.iter().map(value).map(|x| x * x).sum::<f64>() / N as f64;
            assert!(mean.abs() < 5.0 / 256.0 && (variance - 1.0).abs() < 5.0 * (2.0 / N as f64).sqrt(), "{level} {k}: {mean} {variance}");
        }
    }
    // The largest there is: no infinity at the end of the logarithm.
    let ends = [normal_f32(0, 0).0, normal_f32(u32::MAX, 0).0];
    assert!((6.6..6.7).contains(&ends[0]) && ends[1] == 0.0, "{ends:?}");
    let ends = [normal_f64(0, 0, 1 << 31, 0).0, normal_f64(u32::MAX, u32::MAX, 1 << 31, 0).0];
    assert!((8.6..8.7).contains(&ends[0]) && ends[1].abs() < 1e-7, "{ends:?}");
}
