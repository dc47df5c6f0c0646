//! Kernels in which something may be wrong, for the tests of debug mode. The tests name the lines.

use lanecraft::prelude::*;

/// a + b
#[kernel(dtypes(i32, u8))]
#[python_export(module = "checks")]
pub fn plus<T: Int>(a: T, b: T) -> T {
    a + b
}

/// The logarithm of a - b.
#[kernel(dtypes(f32, f64))]
#[python_export(module = "checks")]
pub fn log_of_difference<T: Float>(a: T, b: T) -> T {
    let d = a - b; // a comment, which is source too
    d.ln()
}

/// x[k], element by element.
#[kernel(signature = "(n),(m)->(m)")]
#[python_export(module = "checks")]
pub fn take(x: &[f32], k: &[i32], y: &mut [f32]) {
    for i in lanes(0..k.len()) {
        y[i] = x[k[i] as usize];
    }
}

/// y[k] = x, element by element.
#[kernel(signature = "(n),(n)->(n)")]
#[python_export(module = "checks")]
pub fn put(x: &[f32], k: &[u32], y: &mut [f32]) {
    for i in lanes(0..k.len()) {
        y[unsafe { disjoint(k[i] as usize) }] = x[i];
    }
}

/// Adds to what is in the output.
#[kernel(signature = "(n)->(n)")]
#[python_export(module = "checks")]
pub fn accumulate(x: &[f32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        y[i] += x[i];
    }
}

/// a + 1, printed in debug mode.
#[kernel]
#[python_export(module = "checks")]
pub fn shown(a: i32) -> i32 {
    dbg!(a + 1) / a
}
