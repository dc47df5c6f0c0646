//! Dtypes do not mix without `as`.

use lanecraft::prelude::*;

#[kernel]
fn arithmetic(x: f32, n: i32) -> f32 {
    x * n
}

#[kernel]
fn comparison(a: u8, b: u16) -> bool {
    a < b
}

#[kernel(dtypes(f32, f64))]
fn parameter<T: Float>(x: T, y: f32) -> T {
    x + y
}

#[kernel(dtypes(A: [f32], B: [f32]))]
fn two_parameters<A: Float, B: Float>(a: A, b: B) -> A {
    a + b
}

#[kernel]
fn declared(x: f32) -> f32 {
    let y: f64 = x;
    x
}

#[kernel]
fn assigned(x: f32, y: f64) -> f32 {
    let mut m = x;
    m = y;
    m += y;
    m
}

#[kernel]
fn returned(x: f32) -> f64 {
    x
}

#[kernel]
fn branches(x: f32, y: f64) -> f32 {
    if x > 0.0 { x } else { y }
}

#[kernel]
fn arguments(x: f32, y: f64) -> f32 {
    x.max(y)
}

#[kernel]
fn bits(x: f32) -> f32 {
    f32::from_bits(x.to_bits() | 1u64)
}

#[kernel]
fn once(x: f32, y: f64, z: i32) -> f32 {
    // One message for each fault, however many dtypes and levels there are.
    let a = x + y;
    let b = y + z;
    x
}

fn main() {}
