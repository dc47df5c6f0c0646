//! Kernels with CUDA texts, for the Python tests.

use lanecraft::prelude::*;

/// a * x + y
#[kernel(dtypes(f32, f64))]
#[python_export]
pub fn axpy<T: Float>(a: T, x: T, y: T) -> T {
    a * x + y
}

/// Quotient and remainder.
#[kernel(dtypes(i32, u8))]
#[python_export]
pub fn divided<T: Int>(x: T, y: T) -> (T, T) {
    (x / y, x % y)
}

/// x to the power of a number of steps.
#[kernel(dtypes(f32))]
#[python_export]
pub fn stepped<T: Float>(x: T, #[parameter(2, 3, ..)] steps: i32) -> T {
    let mut y = x;
    for _ in 1..steps {
        y *= x;
    }
    y
}

/// Each element of a row over their sum.
#[kernel(dtypes(f32), signature = "(n)->(n)")]
#[python_export]
pub fn shares<T: Float>(x: &[T], y: &mut [T]) {
    let mut s = T::ZERO;
    for i in lanes(0..x.len()) {
        s += x[i];
    }
    for i in lanes(0..x.len()) {
        y[i] = x[i] / s;
    }
}

/// Elements by their indices.
#[kernel(dtypes(f32), signature = "(n),(m)->(m)")]
#[python_export]
pub fn taken<T: Float>(x: &[T], k: &[i32], y: &mut [T]) {
    for i in lanes(0..k.len()) {
        y[i] = x[k[i] as usize];
    }
}

lanecraft::python_module! {
    /// Kernels with CUDA texts, for the Python tests.
    cuda_kernels
}
