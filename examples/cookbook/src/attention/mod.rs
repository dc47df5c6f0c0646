//! Attention without the matrix of all scores.

use lanecraft::prelude::*;

/// Queries that are worked on together: each key and value that is loaded serves so many, and as many sums do not wait for each other. They take 12
/// of the 16 registers of AVX2. (A step has to be a literal: it stands in the loop once more.)
const QUERIES: usize = 6;
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
    let mut scores = [[T::ZERO; KEYS]; QUERIES];
    for first in (0..m).step_by(6) {
        let rows = (m - first).min(QUERIES);
        let mut largest = [T::NEG_INFINITY; QUERIES];
        let mut sums = [T::ZERO; QUERIES];
        let mut shrink = [T::ZERO; QUERIES];
        for start in (0..n).step_by(64) {
            let keys = (n - start).min(KEYS);
            for j in lanes(0..keys) {
                let mut dots = [T::ZERO; QUERIES];
                for k in 0..depth {
                    let key = k_t[[k, start + j]];
                    for r in 0..QUERIES {
                        // Of the last queries there may be fewer; the last one is there again instead, and is not used.
                        dots[r] = q[[(first + r).min(m - 1), k]].mul_add(key, dots[r]);
                    }
                }
                for r in 0..QUERIES {
                    scores[r][j] = dots[r] * scale;
                }
            }
            for r in 0..QUERIES {
                let mut top = largest[r];
                for j in lanes(0..keys) {
                    top = top.max(scores[r][j]);
                }
                shrink[r] = (largest[r] - top).exp();
                let mut sum = T::ZERO;
                for j in lanes(0..keys) {
                    let e = (scores[r][j] - top).exp();
                    scores[r][j] = e;
                    sum += e;
                }
                largest[r] = top;
                sums[r] = sums[r] * shrink[r] + sum;
            }
            for c in lanes(0..v.dim(1)) {
                let mut s = [T::ZERO; QUERIES];
                for r in 0..QUERIES {
                    if r < rows {
                        s[r] = out[[first + r, c]] * shrink[r];
                    }
                }
                for j in 0..keys {
                    let value = v[[start + j, c]];
                    for r in 0..QUERIES {
                        s[r] = scores[r][j].mul_add(value, s[r]);
                    }
                }
                for r in 0..QUERIES {
                    if r < rows {
                        out[[first + r, c]] = s[r];
                    }
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
