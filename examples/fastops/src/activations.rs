//! Activations of neural networks.

use lanecraft::prelude::*;

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
