//! `dbg!` of what is no single value.

use lanecraft::prelude::*;

#[kernel]
fn nothing(x: f32) -> f32 {
    dbg!();
    x
}

#[kernel]
fn several(x: f32, y: f32) -> f32 {
    let z = dbg!(x, y);
    x
}

#[kernel]
fn a_tuple(x: f32, n: i32) -> f32 {
    let t = dbg!((x, n));
    t.0
}

#[kernel]
fn an_array(x: f32) -> f32 {
    dbg!([x, x])[0]
}

#[kernel(signature = "(n)->(n)")]
fn a_view(x: &[f32], y: &mut [f32]) {
    dbg!(x);
    for i in lanes(0..x.len()) {
        y[i] = x[i];
    }
}

#[kernel]
fn by_path(x: f32) -> f32 {
    std::dbg!(x)
}

fn main() {}
