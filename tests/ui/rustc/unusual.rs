//! Functions that rustc rejects beside the kernel language.

use lanecraft::prelude::*;

#[kernel]
fn generator(x: f32) -> f32 {
    let f = yield x;
    x
}

#[kernel]
fn unsized_operand(x: [f32]) -> f32 {
    x
}

#[kernel]
fn placeholder(x: _) -> f32 {
    x
}

#[kernel]
fn by_macro(x: m!()) -> f32 {
    x
}

#[kernel]
fn takes_self(self, x: f32) -> f32 {
    x
}

#[kernel]
fn by_macro_pattern(x: f32) -> f32 {
    let m!() = x;
    let const { 1.0 } = x;
    x
}

fn main() {}
