//! Kernels of two operands by which NumPy reduces.

use lanecraft::prelude::*;

/// The logarithm of the sum of exponentials.
#[kernel(dtypes(float))]
#[python_export(identity = -f64::INFINITY)]
pub fn log_add<T: Float>(x: T, y: T) -> T {
    let m = x.max(y);
    if m == T::NEG_INFINITY { m } else { m + ((x - m).exp() + (y - m).exp()).ln() }
}

/// Both.
#[kernel]
#[python_export(identity = true)]
pub fn both(x: bool, y: bool) -> bool {
    x & y
}

/// The bits that both have.
#[kernel(dtypes(int, uint))]
#[python_export(identity = -1)]
pub fn meet<T: Int>(x: T, y: T) -> T {
    x & y
}

/// The larger one, which is not defined of nothing.
#[kernel(dtypes(f32, f64, i32))]
#[python_export(reorderable)]
pub fn larger<T: Num>(x: T, y: T) -> T {
    x.max(y)
}

/// The difference, which depends on the order.
#[kernel(dtypes(f32, f64))]
#[python_export]
pub fn less<T: Num>(x: T, y: T) -> T {
    x - y
}

/// A product with a compile-time parameter.
#[kernel]
#[python_export(identity = 1.0)]
pub fn times(x: f64, y: f64, #[parameter(true, false)] negate: bool) -> f64 {
    if negate { -(x * y) } else { x * y }
}
