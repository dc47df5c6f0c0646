//! Helpers that call each other in a circle.

use lanecraft::prelude::*;

#[always_inline]
fn even(x: f32) -> f32 {
    if x > 0.0 { odd(x - 1.0) } else { 1.0 }
}

#[always_inline]
fn odd(x: f32) -> f32 {
    if x > 0.0 { even(x - 1.0) } else { 0.0 }
}

fn main() {}
