//! Counter-based random numbers: a function of a seed and a counter, without state, so that every element of a kernel can
//! have its own, in any order, on any thread and level, the same ones each time.
//!
//! Philox-4x32 and Philox-2x32 with 10 rounds, of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3"
//! (SC 2011); they give the bits of the authors' library Random123, and of cuRAND. Uniform and normal floats are made
//! of their words by this library's own functions.

use crate::cx::Cx;
use crate::isa::{Isa, Registers, Varying};
use crate::math::{ln_normal_f32, ln_normal_f64, sin_cos_moderate_f32, sin_cos_moderate_f64};
use lanecraft_macros::always_inline;

/// Philox-2x32-10: two random words for the counter (`c0`, `c1`) and the key `k`.
#[always_inline(crate = crate)]
pub fn philox2x32(c0: u32, c1: u32, k: u32) -> (u32, u32) {
    let mut x = c0;
    let mut y = c1;
    let mut key = k;
    for _ in 0..10 {
        let p = x as u64 * 0xd256_d193;
        x = (p >> 32) as u32 ^ key ^ y;
        y = p as u32;
        key += 0x9e37_79b9;
    }
    (x, y)
}

/// Philox-4x32-10: four random words for the counter (`c0`, `c1`, `c2`, `c3`) and the key (`k0`, `k1`).
#[always_inline(crate = crate)]
pub fn philox4x32(c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32) -> (u32, u32, u32, u32) {
    let mut a = c0;
    let mut b = c1;
    let mut c = c2;
    let mut d = c3;
    let mut key0 = k0;
    let mut key1 = k1;
    for _ in 0..10 {
        let p = a as u64 * 0xd251_1f53;
        let q = c as u64 * 0xcd9e_8d57;
        a = (q >> 32) as u32 ^ b ^ key0;
        b = q as u32;
        c = (p >> 32) as u32 ^ d ^ key1;
        d = p as u32;
        key0 += 0x9e37_79b9;
        key1 += 0xbb67_ae85;
    }
    (a, b, c, d)
}

/// Four random words for each pair of a seed and a counter: [`philox4x32`] with the halves of the seed as its key, and the
/// halves of the counter, the lower one first, as the first two words of its counter.
#[always_inline(crate = crate)]
pub fn philox(seed: u64, counter: u64) -> (u32, u32, u32, u32) {
    philox4x32(counter as u32, (counter >> 32) as u32, 0, 0, seed as u32, (seed >> 32) as u32)
}

/// A uniform number in [0, 1) of a random word: its upper 24 bits, a multiple of 2^-24.
#[always_inline(crate = crate)]
pub fn uniform_f32(word: u32) -> f32 {
    // 24 bits fit an i32, which converts in one instruction.
    ((word >> 8) as i32) as f32 * 5.9604645e-8
}

/// A uniform number in [0, 1) of two random words: 27 and 26 bits of them, a multiple of 2^-53.
#[always_inline(crate = crate)]
pub fn uniform_f64(a: u32, b: u32) -> f64 {
    let high = ((a >> 5) as i32) as f64;
    let low = ((b >> 6) as i32) as f64;
    high.mul_add(67108864.0, low) * 1.1102230246251565e-16
}

/// Two independent normal numbers (mean 0, variance 1) of two random words, by Box and Muller's method: at most 6.7 in size.
#[always_inline(crate = crate)]
pub fn normal_f32(a: u32, b: u32) -> (f32, f32) {
    // In [2^-32, 1]: 31 bits, and half of the last one.
    let u = (((a >> 1) as i32) as f32).mul_add(4.656613e-10, 2.3283064e-10);
    let r = (-2.0 * ln_normal_f32(u)).sqrt();
    // An angle from -pi to pi.
    let (s, c) = sin_cos_moderate_f32((b as i32) as f32 * 1.4629181e-9);
    (r * c, r * s)
}

/// Two independent normal numbers (mean 0, variance 1) of four random words, by Box and Muller's method: at most 8.7 in size.
#[always_inline(crate = crate)]
pub fn normal_f64(a: u32, b: u32, c: u32, d: u32) -> (f64, f64) {
    box_muller_f64(a, b, c, d)
}

#[always_inline(crate = crate)]
fn box_muller(a: u32, b: u32, c: u32, d: u32) -> (f64, f64) {
    // In [2^-54, 1].
    let u = uniform_f64(a, b) + 5.551115123125783e-17;
    let r = (-2.0 * ln_normal_f64(u)).sqrt();
    let (s, c) = sin_cos_moderate_f64(6.283185307179586 * (uniform_f64(c, d) - 0.5));
    (r * c, r * s)
}

/// [`box_muller`], callable from a kernel. On levels of the baseline's instructions it is a function of its own: one call for 16 numbers
/// costs nothing beside them, and rustc compiles it once and not for each dtype of a seed.
#[allow(non_camel_case_types, reason = "called like a function")]
enum box_muller_f64 {}

type Words<I> = Varying<u32, I>;
type Numbers<I> = (Varying<f64, I>, Varying<f64, I>);

impl box_muller_f64 {
    const __LANECRAFT_CALLS: () = ();
    #[cfg(feature = "cuda")]
    const __LANECRAFT_CUDA: &'static crate::cuda::Item = box_muller::__LANECRAFT_CUDA;

    #[inline(always)]
    fn lanes<I: Isa>(cx: Cx<'_, I>, a: Words<I>, b: Words<I>, c: Words<I>, d: Words<I>) -> Numbers<I> {
        if <I as Registers>::BASELINE { apart(cx, a, b, c, d) } else { box_muller::lanes(cx, a, b, c, d) }
    }

    #[inline(always)]
    fn plain<I: Isa>(cx: Cx<'_, I>, a: Words<I>, b: Words<I>, c: Words<I>, d: Words<I>) -> Numbers<I> {
        box_muller::plain(cx, a, b, c, d)
    }
}

#[inline(never)]
fn apart<I: Isa>(cx: Cx<'_, I>, a: Words<I>, b: Words<I>, c: Words<I>, d: Words<I>) -> Numbers<I> {
    box_muller::lanes(cx, a, b, c, d)
}
