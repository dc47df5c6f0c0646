//! Signatures: dimensions that operands may lack, of fixed size, and that may not be empty.

use lanecraft::prelude::*;

#[kernel(signature = "(m?,k),(k,n?)->(m?,n?)")]
fn product(a: View<i32, 2>, b: View<i32, 2>, c: ViewMut<i32, 2>) {
    for (i, j) in lanes((0..a.dim(0), 0..b.dim(1))) {
        let mut s = 0;
        for k in 0..a.dim(1) {
            s += a[[i, k]] * b[[k, j]];
        }
        c[[i, j]] = s;
    }
}

#[kernel(signature = "(3),(n,3)->(n)", nonempty(n))]
fn dots(a: &[f32], b: View<f32, 2>, y: &mut [f32]) {
    for i in lanes(0..y.len()) {
        y[i] = a[0] * b[[i, 0]] + a[1] * b[[i, 1]] + a[2] * b[[i, 2]];
    }
}

#[cfg(feature = "ndarray")]
#[test]
fn axes_that_are_not_there() {
    let a = [1, 2, 3, 4, 5, 6];
    let view = View::new(&a, [2, 3]).unwrap();
    let vector = [1, 10, 100];
    // A matrix and a vector, a vector and a matrix.
    let mut y = [0; 2];
    product::run(view, &vector, &mut y).unwrap();
    assert_eq!(y, [321, 654]);
    let mut y = [0; 2];
    product::run(&vector, View::new(&a, [3, 2]).unwrap(), &mut y).unwrap();
    assert_eq!(y, [531, 642]);
    product::run(&vector, &vector, &mut [0]).unwrap_err();
    let mut two = [0; 4];
    product::run(view, View::new(&a, [3, 2]).unwrap(), ViewMut::new(&mut two, [2, 2]).unwrap()).unwrap();
    assert_eq!(two, [22, 28, 49, 64]);
    // Many items: what comes before the core axes.
    let mut y = [0; 4];
    let many: Vec<i32> = a.iter().chain(&a).copied().collect();
    product::run_batch(
        View::new(&many, [2, 2, 3]).unwrap(),
        View::new(&[1, 10, 100, 0, 1, 0], [2, 3]).unwrap(),
        ViewMut::new(&mut y, [2, 2]).unwrap(),
    )
    .unwrap_err();
    product::run_batch(View::new(&many, [2, 2, 3]).unwrap(), &vector, ViewMut::new(&mut y, [2, 2]).unwrap()).unwrap();
    assert_eq!(y, [321, 654, 321, 654]);
    let error = product::run(view, &[1, 2], &mut [0; 2]).unwrap_err();
    assert_eq!(error.to_string(), "product: argument `b` came with shape [2]; accepted is shape (k,n?) with k = 3, which is that of `a`");
    // Of two vectors, the product is a number: an output without axes.
    let mut number = ndarray::arr0(0);
    product::run(&vector, &[1, 2, 3], &mut number).unwrap();
    assert_eq!(number, ndarray::arr0(321));
}

#[test]
fn an_empty_dimension() {
    let b = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let mut y = [0.0; 2];
    dots::run(&[1.0, 10.0, 100.0], View::new(&b, [2, 3]).unwrap(), &mut y).unwrap();
    assert_eq!(y, [321.0, 654.0]);
    let error = dots::run(&[1.0, 10.0, 100.0], View::new(&[], [0, 3]).unwrap(), &mut []).unwrap_err();
    assert_eq!(error.to_string(), "dots: argument `b` came with dimension n empty; accepted is one that holds an element at least");
    let plain = std::panic::catch_unwind(|| dots(&[1.0; 3], View::new(&[], [0, 3]).unwrap(), &mut [])).unwrap_err();
    assert_eq!(*plain.downcast_ref::<&str>().unwrap(), "dimension n of `b` is empty; it has to hold an element at least");
    let error = dots::run(&[1.0, 10.0], View::new(&b, [2, 3]).unwrap(), &mut y).unwrap_err();
    assert_eq!(error.to_string(), "dots: argument `a` came with shape [2]; accepted is shape (3): an axis of 3");
}

/// Outputs that are written as a whole, and what looks like it.
mod coverage {
    use lanecraft::block::BlockFunction;
    use lanecraft::prelude::*;

    #[kernel(signature = "(h,w)->(w,h),(h),(w,h,h),(h,w)")]
    fn whole(x: View<f32, 2>, y: ViewMut<f32, 2>, rows: &mut [f32], z: ViewMut<f32, 3>, later: ViewMut<f32, 2>) {
        let (h, w) = (x.dim(0), x.dim(1));
        for (j, i) in lanes((0..w, 0..h)) {
            y[[j, i]] = x[[i, j]];
            for k in 0..rows.len() {
                z[[j, i, k]] = 1.0;
            }
        }
        for i in 0..h {
            for j in lanes(0..later.dim(1)) {
                later[[i, j]] = 0.0;
            }
            rows[i] = 1.0;
        }
    }

    #[allow(clippy::too_many_arguments)]
    #[kernel(signature = "(n)->(n),(n),(n,n),(n),(n),(n),(m)")]
    fn parts(
        x: &[f32],
        some: &mut [f32],
        each: &mut [f32],
        diagonal: ViewMut<f32, 2>,
        added: &mut [f32],
        behind: &mut [f32],
        stops: &mut [f32],
        other: &mut [f32],
    ) {
        for i in lanes(0..x.len()) {
            if x[i] > 0.0 {
                some[i] = x[i];
            }
            diagonal[[i, i]] = x[i];
            added[i] += x[i];
        }
        for i in lanes((0..x.len()).step_by(2)) {
            each[i] = x[i];
        }
        for i in lanes(1..x.len()) {
            behind[i] = x[i];
        }
        for i in 0..x.len() {
            if x[i] > 5.0 {
                break;
            }
            stops[i] = x[i];
        }
        for i in lanes(0..x.len()) {
            other[i] = x[i];
        }
    }

    #[kernel(signature = "(n,k)->(n),(n),(n)")]
    fn less(x: View<f32, 2>, last: &mut [f32], shifted: &mut [f32], sums: &mut [f32]) {
        let mut n = x.dim(0);
        n = n.max(1) - 1;
        for i in lanes(0..n) {
            last[i] = x[[i, 0]];
        }
        for mut i in 0..x.dim(0) {
            i /= 2;
            shifted[i] = 1.0;
        }
        // No iterations where x has no columns.
        for _k in 0..x.dim(1) {
            for i in lanes(0..x.dim(0)) {
                sums[i] = 0.0;
            }
        }
    }

    #[test]
    fn shown() {
        assert_eq!(<whole as BlockFunction>::INFO.covered, [true; 4]);
        assert_eq!(<parts as BlockFunction>::INFO.covered, [false; 7]);
        assert_eq!(<less as BlockFunction>::INFO.covered, [false; 3]);
    }
}
