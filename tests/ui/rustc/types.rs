//! Types that only rustc can know.

use lanecraft::prelude::*;

const WIDE: f64 = 1.0;
const COUNT: usize = 3;

#[always_inline]
fn helper(x: f32) -> f32 {
    x
}

#[kernel]
fn wrong_argument(x: f64) -> f32 {
    helper(x)
}

#[kernel]
fn wrong_constant(x: f32) -> f32 {
    x * WIDE
}

#[kernel]
fn no_dtype(x: f32) -> f32 {
    x * COUNT as f32
}

#[kernel(dtypes(f32, f64))]
fn wrong_let<T: Float>(x: T, y: f32) -> T {
    let v: T = helper(y);
    x + v
}

#[kernel]
fn wrong_branch(x: f32, y: f64) -> f32 {
    if x > 0.0 { helper(x) } else { y }
}

#[kernel]
fn wrong_result(x: f32) -> f64 {
    helper(x)
}

#[kernel]
fn wrong_element(x: f32) -> f32 {
    let a = [x as f64, helper(x)];
    x
}

fn main() {}
