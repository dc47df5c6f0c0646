//! Functions of matrices.

use lanecraft::prelude::*;

/// The product of two matrices.
///
/// Four rows of `c` take part in four steps over `k` at a time, so that each element of `b` that is loaded is used four times, and each of `c`
/// loaded and stored once for four products. A block of `b` stays in the second cache while all rows pass by.
#[kernel(dtypes(f32, f64), signature = "(m,k),(k,n)->(m,n)")]
#[python_export]
pub fn matmul<T: Float>(a: View<T, 2>, b: View<T, 2>, c: ViewMut<T, 2>) {
    let (m, depth, n) = (a.dim(0), a.dim(1), b.dim(1));
    for (i, j) in lanes((0..m, 0..n)) {
        c[[i, j]] = T::ZERO;
    }
    let mut first = 0;
    while first < depth {
        let last = (first + 128).min(depth);
        let mut i = 0;
        while i < m {
            // Rows beyond the last are those of the last: the same values again.
            let (i1, i2, i3) = ((i + 1).min(m - 1), (i + 2).min(m - 1), (i + 3).min(m - 1));
            let whole = i + 4 <= m;
            let mut k = first;
            while k + 4 <= last && whole {
                let (a00, a01, a02, a03) = (a[[i, k]], a[[i, k + 1]], a[[i, k + 2]], a[[i, k + 3]]);
                let (a10, a11, a12, a13) = (a[[i1, k]], a[[i1, k + 1]], a[[i1, k + 2]], a[[i1, k + 3]]);
                let (a20, a21, a22, a23) = (a[[i2, k]], a[[i2, k + 1]], a[[i2, k + 2]], a[[i2, k + 3]]);
                let (a30, a31, a32, a33) = (a[[i3, k]], a[[i3, k + 1]], a[[i3, k + 2]], a[[i3, k + 3]]);
                for j in lanes(0..n) {
                    let (b0, b1, b2, b3) = (b[[k, j]], b[[k + 1, j]], b[[k + 2, j]], b[[k + 3, j]]);
                    c[[i, j]] = a03.mul_add(b3, a02.mul_add(b2, a01.mul_add(b1, a00.mul_add(b0, c[[i, j]]))));
                    c[[i + 1, j]] = a13.mul_add(b3, a12.mul_add(b2, a11.mul_add(b1, a10.mul_add(b0, c[[i + 1, j]]))));
                    c[[i + 2, j]] = a23.mul_add(b3, a22.mul_add(b2, a21.mul_add(b1, a20.mul_add(b0, c[[i + 2, j]]))));
                    c[[i + 3, j]] = a33.mul_add(b3, a32.mul_add(b2, a31.mul_add(b1, a30.mul_add(b0, c[[i + 3, j]]))));
                }
                k += 4;
            }
            while k < last {
                let mut row = i;
                while row < (i + 4).min(m) {
                    let x = a[[row, k]];
                    for j in lanes(0..n) {
                        c[[row, j]] = x.mul_add(b[[k, j]], c[[row, j]]);
                    }
                    row += 1;
                }
                k += 1;
            }
            i += 4;
        }
        first = last;
    }
}

/// The squared distance of each row of `x` from each row of `y`.
#[kernel(dtypes(f32, f64), signature = "(m,d),(n,d)->(m,n)")]
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
