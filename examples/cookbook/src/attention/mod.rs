//! Attention without the matrix of all scores.

use lanecraft::prelude::*;

/// Queries that are worked on together. (A step has to be a literal: it stands in the loop once more.)
const QUERIES: usize = 16;
/// Keys that are worked on together: 64 keys of 64 numbers fill half of a first cache.
const KEYS: usize = 64;

/// `softmax(q @ k_t / sqrt(d)) @ v`, by tiles of keys: the sums so far are scaled down whenever a larger score comes (Milakov and Gimelshein, "Online
/// normalizer calculation for softmax", 2018). `k_t` has a column for each key.
#[kernel(dtypes(f32, f64), signature = "(m,d),(d,n),(n,e)->(m,e)")]
#[python_export]
pub fn attention<T: Float>(q: View<T, 2>, k_t: View<T, 2>, v: View<T, 2>, out: ViewMut<T, 2>) {
    let (m, depth, n) = (q.dim(0), q.dim(1), k_t.dim(1));
    let scale = 1.0 / (depth as T).sqrt();
    for (i, c) in lanes((0..m, 0..v.dim(1))) {
        out[[i, c]] = T::ZERO;
    }
    let mut scores = [T::ZERO; KEYS];
    for first in (0..m).step_by(16) {
        let rows = (m - first).min(QUERIES);
        let mut largest = [T::NEG_INFINITY; QUERIES];
        let mut sums = [T::ZERO; QUERIES];
        for start in (0..n).step_by(64) {
            let keys = (n - start).min(KEYS);
            for r in 0..rows {
                let i = first + r;
                for j in lanes(0..keys) {
                    let mut dot = T::ZERO;
                    for k in 0..depth {
                        dot = q[[i, k]].mul_add(k_t[[k, start + j]], dot);
                    }
                    scores[j] = dot * scale;
                }
                let mut top = largest[r];
                for j in lanes(0..keys) {
                    top = top.max(scores[j]);
                }
                let shrink = (largest[r] - top).exp();
                let mut sum = T::ZERO;
                for j in lanes(0..keys) {
                    let e = (scores[j] - top).exp();
                    scores[j] = e;
                    sum += e;
                }
                largest[r] = top;
                sums[r] = sums[r] * shrink + sum;
                for c in lanes(0..v.dim(1)) {
                    let mut s = out[[i, c]] * shrink;
                    for j in 0..keys {
                        s = scores[j].mul_add(v[[start + j, c]], s);
                    }
                    out[[i, c]] = s;
                }
            }
        }
        for r in 0..rows {
            for c in lanes(0..v.dim(1)) {
                out[[first + r, c]] /= sums[r];
            }
        }
    }
}
