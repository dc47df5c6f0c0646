//! What rustc warns about in the user's code, it warns about once.
//!
//! One of them is an error, or this file would compile.
#![deny(non_snake_case)]

use lanecraft::prelude::*;

#[kernel]
fn unused_variable(x: f32) -> f32 {
    let y = x + 1.0;
    x
}

#[kernel(dtypes(f32, f64, i32))]
fn unused_operand<T: Num>(x: T, y: T) -> T {
    x
}

#[kernel]
fn unused_mut(x: f32) -> f32 {
    let mut y = x;
    y
}

#[kernel]
fn unused_assignment(x: f32) -> f32 {
    let mut y = x;
    y = 1.0;
    x
}

#[kernel]
fn NotSnake(BigX: f32) -> f32 {
    BigX
}

#[always_inline]
fn unused_helper(x: f32) -> f32 {
    x
}

#[kernel]
fn unused_constant(x: f32) -> f32 {
    const K: f32 = 1.0;
    x
}

#[kernel]
fn unused_parentheses(x: f32) -> f32 {
    let y = (x);
    if (x > 0.0) { (x) } else { y }
}

#[kernel]
fn unused_parts(x: f32) -> f32 {
    struct Pair {
        a: f32,
        b: f32,
    }
    struct Unused {
        c: f32,
    }
    let Pair { a, b } = Pair { a: x, b: x };
    let [first, _] = [a, x];
    for (i, v) in [x].iter().enumerate() {}
    let mut array = [x];
    array[0] = x;
    if let Some(v) = 1_i32.checked_add(2) {}
    x
}

#[kernel]
fn unused_import(x: f32) -> f32 {
    x
}

fn main() {}
