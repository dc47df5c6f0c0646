//! Sums, products and their kin.

use lanecraft::prelude::*;

/// `a * x + y`, element by element.
#[kernel(dtypes(float))]
#[python_export]
pub fn axpy<T: Float>(a: T, x: T, y: T) -> T {
    a * x + y
}

/// e to the power of `x`.
#[kernel(dtypes(float))]
#[python_export]
pub fn exp<T: Float>(x: T) -> T {
    x.exp()
}

/// `k` times `x` clipped to the range from `lo` to `hi`.
#[kernel(dtypes(float))]
#[python_export]
pub fn clip_scale<T: Float>(x: T, lo: T, hi: T, k: T) -> T {
    k * x.max(lo).min(hi)
}

/// Euclidean length of the vector `(x, y, z)`. Squares that overflow give infinity.
#[kernel(dtypes(float))]
#[python_export]
pub fn hypot3<T: Float>(x: T, y: T, z: T) -> T {
    (x * x + y * y + z * z).sqrt()
}
