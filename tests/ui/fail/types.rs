//! Types.

use lanecraft::prelude::*;

#[kernel]
fn reference(x: &f32) -> f32 {
    x
}

#[kernel]
fn slice(x: &[f32]) -> f32 {
    x
}

#[kernel]
fn array(x: [f32; 4]) -> f32 {
    x[0]
}

#[kernel]
fn by_trait(x: impl Float, y: Box<f32>) -> f32 {
    x
}

#[kernel]
fn pointer(x: *const f32, f: fn(f32) -> f32) -> f32 {
    x
}

#[kernel]
fn never(x: f32) -> ! {
    x
}

#[kernel]
fn unknown(x: usize, y: char, z: std::primitive::f32) -> f32 {
    let c = x as char;
    let d = x as f23;
    let e: dyn Float = x;
    let f: [f32] = x;
    let g: m!() = x;
    x
}

#[kernel]
fn tuples(x: (f32, f32)) -> (f32, (f32, f32)) {
    (x.0, x)
}

fn main() {}
