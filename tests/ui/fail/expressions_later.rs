//! Expressions that kernels do not have yet.

use lanecraft::prelude::*;

#[kernel]
fn arrays(x: f32) -> f32 {
    let one = [x, x];
    let two = [x; 2];
    x
}

#[kernel]
fn loops(x: f32) -> f32 {
    for _ in 0..3 {}
    while x > 0.0 {}
    loop {}
    break;
    continue;
    'a: {
        x
    }
}

#[kernel]
fn choices(x: i32) -> i32 {
    match x {
        0 => 1,
        _ => 2,
    }
}

#[kernel]
fn lets(x: i32) -> i32 {
    if let 1 = x { 1 } else { 2 }
}

#[kernel]
fn returns(x: f32) -> f32 {
    if x > 0.0 {
        return x;
    }
    0.0
}

#[kernel]
fn closures(x: f32) -> f32 {
    let f = |y| y * x;
    x
}

#[kernel]
fn structs(x: f32) -> f32 {
    let p = Point { a: x };
    p.a
}

fn main() {}
