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

/// Mean and variance along the last axis, in one pass; the variance is that of the values themselves (NumPy's `ddof=0`).
#[kernel(dtypes(float), signature = "(n)->(),()")]
#[python_export]
pub fn mean_var<T: Float>(x: &[T]) -> (T, T) {
    let mut all = (T::ZERO, T::ZERO, T::ZERO);
    for i in lanes(0..x.len()) {
        all = reduce(all, (T::ONE, x[i], T::ZERO), |a, b| together(a, b));
    }
    // Of nothing, both are NaN.
    let n = all.0;
    (if n == 0.0 { T::NAN } else { all.1 }, all.2 / n)
}

/// How many, their mean, and the sum of squares around it, of two parts together (Chan, Golub and LeVeque, 1979).
#[always_inline]
fn together<T: Float>(a: (T, T, T), b: (T, T, T)) -> (T, T, T) {
    let n = a.0 + b.0;
    let part = if n == 0.0 { T::ZERO } else { b.0 / n };
    let d = b.1 - a.1;
    (n, d.mul_add(part, a.1), a.2 + b.2 + d * d * a.0 * part)
}

/// The index of the first of the largest values along the last axis, which may not be empty. NaN is no largest value; of NaN alone, the index is 0.
#[kernel(dtypes(float, i32, i64), signature = "(n)->()", nonempty(n))]
#[python_export]
pub fn argmax<T: Num>(x: &[T]) -> i64 {
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
    if at == x.len() { 0 } else { at as i64 }
}

/// The running sum along the last axis, in its order: the bits of NumPy's `cumsum`. Integers wrap.
#[kernel(dtypes(float, i32, i64), signature = "(n)->(n)")]
#[python_export]
pub fn cumsum<T: Num>(x: &[T], y: &mut [T]) {
    let mut s = T::ZERO;
    for i in lanes(0..x.len()) {
        y[i] = scan(&mut s, x[i]);
    }
}

/// How often each value from 0 on occurs along the last axis. The output says how many are counted: `histogram(x, out=counts)`.
/// A value beyond it is an error.
#[kernel(dtypes(u8, i32), signature = "(n)->(b)")]
#[python_export]
pub fn histogram<T: Int>(x: &[T], counts: &mut [i64]) {
    for b in lanes(0..counts.len()) {
        counts[b] = 0;
    }
    for i in lanes(0..x.len()) {
        atomic_add(&mut counts[x[i] as usize], 1);
    }
}

/// The cross entropy of a label, given a class's logits: `log(sum(exp(x))) - x[label]`.
#[kernel(dtypes(float), signature = "(c),()->()")]
#[python_export]
pub fn cross_entropy<T: Float>(x: &[T], label: i64) -> T {
    let mut m = T::NEG_INFINITY;
    for i in lanes(0..x.len()) {
        m = m.max(x[i]);
    }
    let mut s = T::ZERO;
    for i in lanes(0..x.len()) {
        s += (x[i] - m).exp();
    }
    m + s.ln() - x[label as usize]
}

/// The most chunks that `top_k` cuts a row into.
const CHUNKS: usize = 1024;

/// The largest values along the last axis and their indices, the largest first, of equal ones that of the lowest index. The outputs say how many:
/// `top_k(x, out=(values, indices))`. A NaN is none of them, and is an error where there are not enough numbers.
///
/// Each chunk's largest value is found once; then only the chunks that values are taken from are looked at again.
#[kernel(dtypes(float, i32), signature = "(n)->(k),(k)")]
#[python_export]
pub fn top_k<T: Num>(x: &[T], values: &mut [T], indices: &mut [i64]) {
    let n = x.len();
    let lowest = f64::NEG_INFINITY as T;
    let size = ((n + CHUNKS - 1) / CHUNKS).max(64);
    let chunks = (n + size - 1) / size;
    let mut tops = [lowest; CHUNKS];
    for c in 0..chunks {
        let mut top = lowest;
        for i in lanes(c * size..((c + 1) * size).min(n)) {
            top = top.max(x[i]);
        }
        tops[c] = top;
    }
    // What was found last: the next one is smaller, or equal and further on.
    let (mut last, mut last_at) = (lowest, 0);
    for r in 0..values.len() {
        let mut largest = lowest;
        for c in lanes(0..chunks) {
            largest = largest.max(tops[c]);
        }
        let mut chunk = chunks;
        for c in lanes(0..chunks) {
            if tops[c] == largest {
                chunk = chunk.min(c);
            }
        }
        // The lowest value is also the top of a chunk that has no more: then it may be anywhere.
        let anywhere = largest == lowest;
        let (start, end) = if anywhere { (0, n) } else { (chunk * size, ((chunk + 1) * size).min(n)) };
        // Of equal values those up to the last one are taken.
        let from = if r > 0 && largest == last { last_at + 1 } else { 0 };
        // Where it is, how many of it are left in its chunk, and what is next below.
        let (mut at, mut left, mut below) = (n, 0_u32, lowest);
        for i in lanes(start..end) {
            if x[i] == largest && i >= from {
                at = at.min(i);
                left += 1;
            }
            if x[i] < largest {
                below = below.max(x[i]);
            }
        }
        values[r] = x[at]; // beyond the end where there was none
        indices[r] = at as i64;
        last = largest;
        last_at = at;
        if !anywhere {
            tops[chunk] = if left > 1 { largest } else { below };
        }
    }
}
