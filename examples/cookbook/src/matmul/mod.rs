//! A matrix product with what follows it.

use lanecraft::prelude::*;

/// Rows of the product that are computed together: each element of `b` that is loaded is used so many times, and as many sums do not wait for each other.
/// They take 12 of the 16 registers of AVX2.
const ROWS: usize = 6;

/// A layer of a network: `max(a @ b + bias, 0)`.
#[kernel(dtypes(f32, f64), signature = "(m,k),(k,n),(n)->(m,n)")]
#[python_export]
pub fn dense_relu<T: Float>(a: View<T, 2>, b: View<T, 2>, bias: &[T], c: ViewMut<T, 2>) {
    let (m, depth, n) = (a.dim(0), a.dim(1), b.dim(1));
    for (block, j) in lanes((0..m / ROWS, 0..n)) {
        let mut sums = [bias[j]; ROWS];
        for k in 0..depth {
            let x = b[[k, j]];
            for r in 0..ROWS {
                sums[r] = a[[ROWS * block + r, k]].mul_add(x, sums[r]);
            }
        }
        for r in 0..ROWS {
            c[[ROWS * block + r, j]] = sums[r].max(0.0);
        }
    }
    // The rows that are left.
    for (i, j) in lanes((m - m % ROWS..m, 0..n)) {
        let mut sum = bias[j];
        for k in 0..depth {
            sum = a[[i, k]].mul_add(b[[k, j]], sum);
        }
        c[[i, j]] = sum.max(0.0);
    }
}
