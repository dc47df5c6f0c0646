//! Activations of neural networks.

use lanecraft::prelude::*;

/// Gaussian error linear unit, in the tanh form:
/// `0.5 * x * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x**3)))`.
///
/// Hendrycks and Gimpel, "Gaussian Error Linear Units (GELUs)", arXiv:1606.08415.
#[kernel(dtypes(float), gang = 64)]
#[python_export]
pub fn gelu<T: Float>(x: T) -> T {
    // (1 + tanh u) / 2 = 1 / (1 + e^-2u), without the cancellation of 1 + tanh u where u is negative. -2u is x times
    // -2 sqrt(2/pi) (1 + 0.044715 x^2).
    let minus_2u = x * (x * x).mul_add(-0.07135481627260025, -1.5957691216057308);
    x / (1.0 + minus_2u.exp())
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
