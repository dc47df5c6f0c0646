//! Calls of methods and functions.

use lanecraft::prelude::*;

#[kernel]
fn methods(x: f32) -> f32 {
    let a = x.sqr();
    let b = x.to_string();
    let c = x.max();
    let d = x.sqrt(1.0);
    let e = x.max::<f32>(1.0);
    x
}

#[kernel]
fn integers(x: i32) -> i32 {
    let a = x.checked_abs();
    let c = x.checked_ilog2();
    let d = i32::checked_pow(x, 2);
    let e = std::cmp::max(x, 2);
    x
}

#[kernel]
fn arguments(x: i32, y: f32, n: i32) -> f32 {
    let a = x.pow(n);
    let b = y.powi(2.0);
    let c = y.count_ones();
    let d = x.is_finite();
    let e = x.overflowing_add(1) + 1;
    y
}

#[kernel]
fn names(x: f64) -> f64 {
    let a = x.log1p();
    let b = x.log(10.0);
    let c = x.total_cmp(1.0);
    let d = x.powfi(2);
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

/// A call of what is no name (cubecl#1372).
#[kernel]
fn called_element(x: f32) -> f32 {
    let o = [x, x];
    o[0]() + (x + x)(x)
}

fn main() {}
