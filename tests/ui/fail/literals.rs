//! Literals take the type of what they meet, if they can be of it.

use lanecraft::prelude::*;

#[kernel]
fn int_for_float(x: f32) -> f32 {
    2 * x
}

#[kernel]
fn float_for_int(x: i32) -> i32 {
    x + 1.0
}

#[kernel(dtypes(f32))]
fn int_for_parameter<T: Float>(x: T) -> T {
    x + 1
}

#[kernel(dtypes(i32))]
fn float_for_parameter<T: Num>(x: T) -> T {
    x + 1.0
}

#[kernel(dtypes(i32))]
fn no_number<T: Dtype>(x: T) -> bool {
    x == 0
}

#[kernel]
fn for_bool(x: bool) -> bool {
    (x == 1) && (x == 0.0)
}

#[kernel]
fn for_tuple(x: f32) -> f32 {
    let mut t = (x, x);
    t = 1;
    t = 1.0;
    x
}

#[kernel]
fn both(x: f64) -> f64 {
    x + (1 + 2.0)
}

#[kernel]
fn out_of_range(x: u8) -> u8 {
    let a = 256u8;
    let b = -1u8;
    let c: i8 = 128;
    let d = 3_000_000_000;
    x + 300
}

#[kernel(dtypes(u8, i16))]
fn out_of_range_of_a_variant<T: Int>(x: T) -> T {
    x + 256
}

#[kernel]
fn as_value(x: f32) -> f32 {
    1
}

#[kernel]
fn too_long(x: u64) -> u64 {
    x + 340282366920938463463374607431768211456
}

fn main() {}
