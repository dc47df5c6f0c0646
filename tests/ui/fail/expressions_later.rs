//! Expressions that kernels do not have yet.

use lanecraft::prelude::*;

#[kernel]
fn blocks(x: f32) -> f32 {
    'a: {
        x
    }
}

fn main() {}
