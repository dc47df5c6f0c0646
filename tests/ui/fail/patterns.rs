//! Patterns of `let`.

use lanecraft::prelude::*;

#[kernel]
fn bindings(x: f32) -> f32 {
    let ref a = x;
    let b @ c = x;
    let &d = x;
    let (e, ..) = (x, x);
    let (f, g): (f32, f32, f32) = (x, x, x);
    x
}

#[kernel]
fn shapes(x: f32) -> f32 {
    let [a] = x;
    let P { b } = x;
    let P(c) = x;
    x
}

#[kernel]
fn refutable(x: f32) -> f32 {
    let 1.0 = x;
    let 0..=3 = x;
    let (1 | 2) = x;
    let f32::NAN = x;
    x
}

fn main() {}
