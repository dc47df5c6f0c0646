//! Block kernels from Rust.

use lanecraft::prelude::*;

/// exp(x) over its sum.
#[kernel(dtypes(f32, f64), signature = "(n)->(n)")]
pub fn softmax<T: Float>(x: &[T], y: &mut [T]) {
    let mut m = T::NEG_INFINITY;
    for i in lanes(0..x.len()) {
        m = m.max(x[i]);
    }
    let mut s = T::ZERO;
    for i in lanes(0..x.len()) {
        y[i] = (x[i] - m).exp();
        s += y[i];
    }
    for i in lanes(0..x.len()) {
        y[i] /= s;
    }
}

#[test]
fn one_item() {
    for n in [0, 1, 15, 16, 17, 64, 100, 4095, 4096, 4097, 10000] {
        let x: Vec<f32> = (0..n).map(|i| (i as f32 * 0.37).sin() * 5.0).collect();
        let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
        softmax::run(&x, &mut a).unwrap();
        softmax(&x, &mut b);
        assert!(a.iter().zip(&b).all(|(a, b)| a.to_bits() == b.to_bits()), "{n}");
        if n > 0 {
            assert!((a.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        }
    }
}
