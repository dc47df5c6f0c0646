//! Kernels to call.

use lanecraft::prelude::*;

/// a * x + y
#[kernel(dtypes(f32, f64))]
pub fn axpy<T: Float>(a: T, x: T, y: T) -> T {
    a * x + y
}

/// x + 1
#[kernel(dtypes(u8, i64, f32))]
pub fn next<T: Num>(x: T) -> T {
    x + 1
}

/// Quotient and remainder.
#[kernel(dtypes(i32))]
pub fn divided<T: Int>(x: T, y: T) -> (T, T) {
    (x / y, x % y)
}

const TABLE: [f32; 4] = [1.0, 10.0, 100.0, 1000.0];

/// The power of ten.
#[kernel]
pub fn power(k: i32) -> f32 {
    TABLE[k as usize]
}

/// x to the power of a number of steps, known or not.
#[kernel(dtypes(f32))]
pub fn stepped<T: Float>(x: T, #[parameter(2, 3, ..)] steps: i32) -> T {
    let mut y = x;
    for _ in 1..steps {
        y *= x;
    }
    y
}

/// Each element of a row over their sum.
#[kernel(dtypes(f32, f64), signature = "(n)->(n)")]
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
pub fn taken<T: Float>(x: &[T], k: &[i32], y: &mut [T]) {
    for i in lanes(0..k.len()) {
        y[i] = x[k[i] as usize];
    }
}

/// A kernel and, as if its body had been edited, another one of the same name.
pub mod before {
    use lanecraft::prelude::*;

    /// The first version.
    #[kernel]
    pub fn edited(x: f32) -> f32 {
        x + 1.0
    }
}

/// See [`before`].
pub mod after {
    use lanecraft::prelude::*;

    /// The second version.
    #[kernel]
    pub fn edited(x: f32) -> f32 {
        x + 2.0
    }
}
