//! Expressions that kernels do not have yet.

use lanecraft::prelude::*;

#[kernel]
fn arrays(x: f32) -> f32 {
    let one = [x, x];
    let two = [x; 2];
    x
}

#[kernel]
fn structs(x: f32) -> f32 {
    let p = Point { a: x };
    p.a
}

#[kernel]
fn blocks(x: f32) -> f32 {
    'a: {
        x
    }
}

#[kernel]
fn patterns(x: f32) -> f32 {
    match x {
        P { b } => b,
        P(c) => c,
        _ => x,
    }
}

fn main() {}
