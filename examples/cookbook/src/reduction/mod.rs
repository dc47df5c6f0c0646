//! Many values to one.

use lanecraft::prelude::*;

/// The smallest and the largest value along the last axis, which may not be empty. A NaN loses.
#[kernel(dtypes(u8, i32, f32, f64), signature = "(n)->(),()", nonempty(n))]
#[python_export]
pub fn min_max<T: Num>(x: &[T]) -> (T, T) {
    let (mut lo, mut hi) = (x[0], x[0]);
    for i in lanes(0..x.len()) {
        lo = lo.min(x[i]);
        hi = hi.max(x[i]);
    }
    (lo, hi)
}

/// `log(sum(exp(x)))` along the last axis, without overflow.
#[kernel(dtypes(f32, f64), signature = "(n)->()")]
#[python_export]
pub fn log_sum_exp<T: Float>(x: &[T]) -> T {
    let mut largest = T::NEG_INFINITY;
    for i in lanes(0..x.len()) {
        largest = largest.max(x[i]);
    }
    // Of infinities alone the difference would be NaN.
    let shift = if largest.is_finite() { largest } else { T::ZERO };
    let mut s = T::ZERO;
    for i in lanes(0..x.len()) {
        s += (x[i] - shift).exp();
    }
    shift + s.ln()
}
