//! What can be assigned.

use lanecraft::prelude::*;

#[kernel]
fn operand(x: f32) -> f32 {
    x = 1.0;
    x += 1.0;
    x
}

#[kernel]
fn variable(x: f32) -> f32 {
    let y = x;
    let t = (x, x);
    y = 1.0;
    t.0 = 1.0;
    y
}

fn main() {}
