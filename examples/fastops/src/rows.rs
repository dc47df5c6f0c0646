//! Functions of rows: block kernels, each a NumPy gufunc over the last axis.

use lanecraft::prelude::*;

/// `exp(x)` over its sum, along the last axis.
#[kernel(dtypes(float), signature = "(n)->(n)")]
#[python_export]
pub fn softmax<T: Float>(x: &[T], y: &mut [T]) {
    let mut m = T::NEG_INFINITY;
    for i in lanes(0..x.len()) {
        m = m.max(x[i]);
    }
    let mut s = T::ZERO;
    for i in lanes(0..x.len()) {
        let e = (x[i] - m).exp();
        y[i] = e;
        s += e;
    }
    for i in lanes(0..x.len()) {
        y[i] /= s;
    }
}

/// The logarithm of the softmax, along the last axis.
#[kernel(dtypes(float), signature = "(n)->(n)")]
#[python_export]
pub fn log_softmax<T: Float>(x: &[T], y: &mut [T]) {
    let mut m = T::NEG_INFINITY;
    for i in lanes(0..x.len()) {
        m = m.max(x[i]);
    }
    let mut s = T::ZERO;
    for i in lanes(0..x.len()) {
        s += (x[i] - m).exp();
    }
    let shift = m + s.ln();
    for i in lanes(0..x.len()) {
        y[i] = x[i] - shift;
    }
}

/// Layer normalisation along the last axis: `(x - mean) / sqrt(variance + eps) * gamma + beta`.
#[kernel(dtypes(float), signature = "(n),(n),(n),()->(n)")]
#[python_export]
pub fn layernorm<T: Float>(x: &[T], gamma: &[T], beta: &[T], eps: T, y: &mut [T]) {
    let n = x.len() as T;
    let mut s = T::ZERO;
    for i in lanes(0..x.len()) {
        s += x[i];
    }
    let mean = s / n;
    let mut v = T::ZERO;
    for i in lanes(0..x.len()) {
        let d = x[i] - mean;
        v += d * d;
    }
    let scale = 1.0 / (v / n + eps).sqrt();
    for i in lanes(0..x.len()) {
        y[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
    }
}

/// Normalisation by the root of the mean square, along the last axis: `x / sqrt(mean(x**2) + eps) * gamma`.
#[kernel(dtypes(float), signature = "(n),(n),()->(n)")]
#[python_export]
pub fn rmsnorm<T: Float>(x: &[T], gamma: &[T], eps: T, y: &mut [T]) {
    let mut s = T::ZERO;
    for i in lanes(0..x.len()) {
        s += x[i] * x[i];
    }
    let scale = 1.0 / (s / x.len() as T + eps).sqrt();
    for i in lanes(0..x.len()) {
        y[i] = x[i] * scale * gamma[i];
    }
}

/// The sum along the last axis. Integers wrap.
#[kernel(dtypes(float, i32, i64, u32, u64), signature = "(n)->()")]
#[python_export]
pub fn sum<T: Num>(x: &[T]) -> T {
    let mut s = T::ZERO;
    for i in lanes(0..x.len()) {
        s += x[i];
    }
    s
}

/// Mean and variance along the last axis; the variance is that of the values themselves (NumPy's `ddof=0`).
#[kernel(dtypes(float), signature = "(n)->(),()")]
#[python_export]
pub fn mean_var<T: Float>(x: &[T]) -> (T, T) {
    let n = x.len() as T;
    let mut s = T::ZERO;
    for i in lanes(0..x.len()) {
        s += x[i];
    }
    let mean = s / n;
    let mut v = T::ZERO;
    for i in lanes(0..x.len()) {
        let d = x[i] - mean;
        v += d * d;
    }
    (mean, v / n)
}

/// The index of the first of the largest values along the last axis. NaN is no largest value; of nothing, the index is 0.
#[kernel(dtypes(float, i32, i64), signature = "(n)->()")]
#[python_export]
pub fn argmax<T: Num>(x: &[T]) -> u64 {
    let mut m = T::MIN;
    for i in lanes(0..x.len()) {
        m = m.max(x[i]);
    }
    let mut at = x.len();
    for i in lanes(0..x.len()) {
        if x[i] == m {
            at = at.min(i);
        }
    }
    if at == x.len() { 0 } else { at }
}
