//! Hashes of texts: ordinary functions, as `#[kernel]` has no bytes.

use lanecraft::ndarray::Array1;
use lanecraft::prelude::*;
use std::fmt;

/// The hash of a text: the low 64 bits of MurmurHash3 (x64, 128 bits) of its UTF-8.
#[python_export(keep_gil, signature(s, /, *, seed = 0))]
pub fn hash_feature(s: &str, seed: u32) -> u64 {
    murmur3(s.as_bytes(), seed)
}

/// The hash of each text of a column, as `hash_feature` has it: text `i` is `values[offsets[i]:offsets[i + 1]]`, which is
/// Arrow's layout.
#[python_export(raises = ValueError, signature(values, offsets, /, *, seed = 0))]
pub fn hash_column(values: &[u8], offsets: &[i64], seed: u32) -> Result<Array1<u64>, BadOffset> {
    let text = |(i, pair): (usize, &[i64])| {
        let [start, end] = [pair[0], pair[1]].map(usize::try_from);
        let text = start.ok().zip(end.ok()).and_then(|(start, end)| values.get(start..end));
        text.map(|text| murmur3(text, seed)).ok_or(BadOffset { i, pair: [pair[0], pair[1]], len: values.len() })
    };
    offsets.windows(2).enumerate().map(text).collect::<Result<Vec<u64>, BadOffset>>().map(Array1::from)
}

/// Offsets that are no part of the values.
#[derive(Debug)]
pub struct BadOffset {
    i: usize,
    pair: [i64; 2],
    len: usize,
}

impl fmt::Display for BadOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([start, end], next) = (self.pair, self.i + 1);
        write!(
            f,
            "offsets[{}] is {start} and offsets[{next}] is {end}; accepted: offsets that do not decrease, from 0 to {}",
            self.i, self.len
        )
    }
}

impl std::error::Error for BadOffset {}

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;
const ADD1: u64 = 0x52dc_e729;
const ADD2: u64 = 0x3849_5ab5;
const _: () = assert!(ADD2.is_multiple_of(5));

/// The first half of `MurmurHash3_x64_128` (Austin Appleby, SMHasher; public domain).
fn murmur3(bytes: &[u8], seed: u32) -> u64 {
    let mix1 = |k: u64| k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
    let mix2 = |k: u64| k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);
    let (mut h1, mut h2) = (u64::from(seed), u64::from(seed));
    let (blocks, rest) = bytes.as_chunks::<16>();
    // h2 is 5 (r2 + 5 (r1 + h2) + ADD1) + ADD2, and this is ADD1 + ADD2 / 5: one addition less between a block's hash and the next one's, which
    // is what the loop waits for. Known to the compiler, it would be taken out of the product again.
    let both = std::hint::black_box(ADD1 + ADD2 / 5);
    for block in blocks {
        let [k1, k2] = halves(block);
        let r1 = (h1 ^ mix1(k1)).rotate_left(27);
        let r2 = (h2 ^ mix2(k2)).rotate_left(31);
        let sum = r1.wrapping_add(h2).wrapping_mul(5);
        h1 = sum.wrapping_add(ADD1);
        h2 = r2.wrapping_add(both).wrapping_add(sum).wrapping_mul(5);
    }
    let mut last = [0; 16];
    last[..rest.len()].copy_from_slice(rest);
    let [k1, k2] = halves(&last);
    h1 ^= mix1(k1) ^ bytes.len() as u64;
    h2 ^= mix2(k2) ^ bytes.len() as u64;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    finish(h1).wrapping_add(finish(h2))
}

fn halves(block: &[u8; 16]) -> [u64; 2] {
    let both = u128::from_le_bytes(*block);
    [both as u64, (both >> 64) as u64]
}

fn finish(mut h: u64) -> u64 {
    h = (h ^ (h >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    h = (h ^ (h >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ (h >> 33)
}
