//! Tuples.

use lanecraft::prelude::*;

#[kernel]
fn lengths(x: f32) -> f32 {
    let (a, b) = (x, x, x);
    let (c,) = x;
    x
}

#[kernel]
fn fields(x: f32) -> f32 {
    let t = (x, x);
    t.2 + x.0
}

#[kernel]
fn results(x: f32) -> (f32, f32) {
    (x, x, x)
}

fn main() {}
