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

fn main() {}
