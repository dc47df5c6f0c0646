//! Calls of methods and functions.

use lanecraft::prelude::*;

#[kernel]
fn methods(x: f32) -> f32 {
    let a = x.sqr();
    let b = x.powi(2);
    let c = x.max();
    let d = x.sqrt(1.0);
    let e = x.max::<f32>(1.0);
    x
}

#[kernel]
fn functions(x: f32) -> f32 {
    let a = f32::sqr(x);
    let b = f32::max(x);
    let c = f32::from_bits();
    let d = f32::from_bits(1.0);
    x
}

#[kernel]
fn recursion(x: f32) -> f32 {
    if x > 0.0 { recursion(x - 1.0) } else { x }
}

#[kernel(dtypes(f32))]
fn generic_recursion<T: Float>(x: T) -> T {
    generic_recursion::<T>(x) + self::generic_recursion(x)
}

#[kernel]
fn bits(x: f32) -> f32 {
    f32::from_bits(1.0) + f32::from_bits(x)
}

fn main() {}
