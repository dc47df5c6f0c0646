//! Elementwise functions over NumPy arrays.
//!
//! Each function is written for one element. `#[kernel]` makes SIMD code of it for every CPU level, `#[python_export]` a NumPy
//! ufunc and a line in the typed stub.

#![deny(warnings, missing_docs, unsafe_op_in_unsafe_fn)]

use lanecraft::prelude::*;

pub mod images;
pub mod matrices;
pub mod rows;

lanecraft::python_module! {
    /// Elementwise functions over NumPy arrays, with SIMD code for every CPU level.
    fastops
}

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

/// Gaussian error linear unit, in the tanh form:
/// `0.5 * x * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x**3)))`.
///
/// Hendrycks and Gimpel, "Gaussian Error Linear Units (GELUs)", arXiv:1606.08415.
#[kernel(dtypes(float))]
#[python_export]
pub fn gelu<T: Float>(x: T) -> T {
    0.5 * x * (1.0 + gelu_inner(x).tanh())
}

/// The argument of the tanh; 0.797... is `sqrt(2/pi)`.
#[always_inline]
fn gelu_inner<T: Float>(x: T) -> T {
    0.7978845608028654 * (x + 0.044715 * x * x * x)
}

/// Logistic sigmoid: `1 / (1 + exp(-x))`.
#[kernel(dtypes(float))]
#[python_export]
pub fn sigmoid<T: Float>(x: T) -> T {
    1.0 / (1.0 + (-x).exp())
}

/// `x` where it is not negative, `slope * x` elsewhere. Integers wrap.
#[kernel(dtypes(float, i32))]
#[python_export]
pub fn leaky_relu<T: Signed>(x: T, slope: T) -> T {
    if x < 0 { slope * x } else { x }
}

/// `k` times `x` clipped to the range from `lo` to `hi`.
#[kernel(dtypes(float))]
#[python_export]
pub fn clip_scale<T: Float>(x: T, lo: T, hi: T, k: T) -> T {
    k * x.max(lo).min(hi)
}

/// Pixels to a network's input: `(x / 255 - mean) / std`.
#[kernel]
#[python_export]
pub fn normalize_u8(x: u8, mean: f32, std: f32) -> f32 {
    (x as f32 / 255.0 - mean) / std
}

/// Euclidean length of the vector `(x, y, z)`. Squares that overflow give infinity.
#[kernel(dtypes(float))]
#[python_export]
pub fn hypot3<T: Float>(x: T, y: T, z: T) -> T {
    (x * x + y * y + z * z).sqrt()
}
