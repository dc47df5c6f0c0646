//! Functions of matrices.

use lanecraft::prelude::*;

/// Rows of the product that are computed together: their sums are 6 of the 16 registers of AVX2, or 12 where an element has 8 bytes.
const ROWS: usize = 6;

/// The product of two matrices.
///
/// A strip of `b`, 128 rows by a gang, is copied side by side, so that it stays in the first cache while all rows of `a` pass by. Six rows of the
/// product keep their sums in registers meanwhile, and use each element of the strip six times.
#[kernel(dtypes(f32, f64), signature = "(m,k),(k,n)->(m,n)")]
#[python_export]
pub fn matmul<T: Float>(a: View<T, 2>, b: View<T, 2>, c: ViewMut<T, 2>) {
    let (m, depth, n) = (a.dim(0), a.dim(1), b.dim(1));
    for (i, j) in lanes((0..m, 0..n)) {
        c[[i, j]] = T::ZERO;
    }
    let mut strip = [[T::ZERO; 16]; 128];
    for first in (0..depth).step_by(128) {
        let part = (depth - first).min(128);
        for left in (0..n).step_by(16) {
            let width = (n - left).min(16);
            for (k, j) in lanes((0..part, 0..width)) {
                strip[k][j] = b[[first + k, left + j]];
            }
            for (block, j) in lanes((0..m / ROWS, 0..width)) {
                let mut sums = [T::ZERO; ROWS];
                for k in 0..part {
                    let x = strip[k][j];
                    for r in 0..ROWS {
                        sums[r] = a[[ROWS * block + r, first + k]].mul_add(x, sums[r]);
                    }
                }
                for r in 0..ROWS {
                    c[[ROWS * block + r, left + j]] += sums[r];
                }
            }
            for (i, j) in lanes((m - m % ROWS..m, 0..width)) {
                let mut sum = T::ZERO;
                for k in 0..part {
                    sum = a[[i, first + k]].mul_add(strip[k][j], sum);
                }
                c[[i, left + j]] += sum;
            }
        }
    }
}

/// The squared distance of each row of `x` from each row of `y`.
#[kernel(dtypes(float), signature = "(m,d),(n,d)->(m,n)")]
#[python_export]
pub fn pairwise_sqdist<T: Float>(x: View<T, 2>, y: View<T, 2>, out: ViewMut<T, 2>) {
    for i in 0..x.dim(0) {
        for j in 0..y.dim(0) {
            let mut s = T::ZERO;
            for k in lanes(0..x.dim(1)) {
                let d = x[[i, k]] - y[[j, k]];
                s += d * d;
            }
            out[[i, j]] = s;
        }
    }
}
