//! Statements.

use lanecraft::prelude::*;

const K: f32 = 2.0;

#[kernel]
fn lets(x: f32) -> f32 {
    let y;
    x
}

#[kernel]
fn items(x: f32) -> f32 {
    use std::f32::consts::PI;
    fn inner() {}
    struct S;
    static Y: f32 = 1.0;
    x
}

#[kernel]
fn values(x: f32) -> f32 {
    if x > 0.0 { 1.0 } else { 2.0 }
    { x }
    x
}

#[kernel]
fn no_value(x: f32) -> f32 {
    x + 1.0;
}

#[kernel]
fn attributes(x: f32) -> f32 {
    #![allow(unused)]
    #[cfg(any())]
    let x = 2.0;
    #[allow(unused)]
    {
        x
    }
}

#[kernel]
fn assigned(x: f32) -> f32 {
    let mut t = (x, x);
    x + 1.0 = 2.0;
    1.0 = x;
    K = x;
    (t.0, t.1) = (x, x);
    x
}

fn main() {}
