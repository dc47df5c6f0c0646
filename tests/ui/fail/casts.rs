//! Casts.

use lanecraft::prelude::*;

#[kernel]
fn to_bool(x: f32) -> bool {
    x as bool
}

#[kernel]
fn bool_to_float(c: bool) -> f32 {
    c as f32
}

#[kernel]
fn tuples(x: f32) -> f32 {
    let t = (x, x) as f32;
    let u = x as (f32, f32);
    x
}

#[kernel(dtypes(all))]
fn to_a_parameter_that_may_be_bool<T: Dtype>(x: T, y: f32) -> T {
    y as T
}

#[kernel(dtypes(f32))]
fn bool_to_a_parameter_that_may_be_float<T: Num>(x: T, c: bool) -> T {
    c as T
}

#[kernel]
fn literal(x: u8) -> u8 {
    300 as u8
}

fn main() {}
