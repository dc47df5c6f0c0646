//! A kernel is called with dtypes that it is not built for.

use lanecraft::prelude::*;

#[kernel(dtypes(f32))]
fn double<T: Float>(x: T) -> T {
    x + x
}

#[kernel]
fn concrete(x: f32) -> f32 {
    x
}

fn main() {
    let mut out = [0.0; 1];
    let _ = double::map(&[1.0_f64], &mut out);
    let _ = concrete::map(&[1.0_f64], &mut [0.0_f32]);
    let _ = concrete::map(&[1.0_f32], &[0.0_f32]);
}
