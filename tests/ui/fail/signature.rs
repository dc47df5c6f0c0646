//! Signatures.

use lanecraft::prelude::*;

#[kernel]
async fn is_async(x: f32) -> f32 {
    x
}

#[kernel]
const fn is_const(x: f32) -> f32 {
    x
}

#[kernel]
unsafe fn is_unsafe(x: f32) -> f32 {
    x
}

#[kernel]
extern "C" fn is_extern(x: f32) -> f32 {
    x
}

#[kernel]
fn pattern((x, y): (f32, f32), _: f32) -> f32 {
    x
}

#[kernel]
fn attribute(#[allow(unused)] x: f32) -> f32 {
    x
}

#[kernel]
fn reserved(__lanecraft_x: f32) -> f32 {
    let __lanecraft_y = 1.0;
    __lanecraft_x
}

#[kernel]
fn __lanecraft_reserved(x: f32) -> f32 {
    x
}

#[kernel]
fn no_operand() -> f32 {
    1.0
}

#[kernel]
fn no_result(x: f32) {}

#[kernel]
fn nine(a: f32, b: f32, c: f32, d: f32, e: f32, f: f32, g: f32, h: f32, i: f32) -> f32 {
    a
}

#[kernel]
#[always_inline]
fn twice(x: f32) -> f32 {
    x
}

fn main() {}
