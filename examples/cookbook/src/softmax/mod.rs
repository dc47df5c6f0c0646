//! Three passes over a row that stays in the cache.

use lanecraft::prelude::*;

/// Softmax of `x / temperature` along the last axis, over the elements that `keep` is true for; the others get 0.
#[kernel(dtypes(f16, f32, f64), signature = "(n),(n),()->(n)")]
#[python_export]
pub fn masked_softmax<T: Float>(x: &[T], keep: &[bool], temperature: T, y: &mut [T]) {
    let mut largest = T::NEG_INFINITY;
    for i in lanes(0..x.len()) {
        if keep[i] {
            largest = largest.max(x[i]);
        }
    }
    let mut sum = T::ZERO;
    for i in lanes(0..x.len()) {
        let e = if keep[i] { ((x[i] - largest) / temperature).exp() } else { T::ZERO };
        y[i] = e;
        sum += e;
    }
    // Of a row without any element all are 0.
    let scale = if sum > 0.0 { 1.0 / sum } else { T::ZERO };
    for i in lanes(0..x.len()) {
        y[i] *= scale;
    }
}
