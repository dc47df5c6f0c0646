//! Lists of dtypes.

use lanecraft::prelude::*;

#[kernel(dtypes())]
fn empty<T: Float>(x: T) -> T {
    x
}

#[kernel(dtypes(f23, float32, f16, usize))]
fn unknown<T: Float>(x: T) -> T {
    x
}

#[kernel(dtypes(f32, f64, f32))]
fn duplicate<T: Float>(x: T) -> T {
    x
}

#[kernel(dtypes(float, f64))]
fn duplicate_of_family<T: Float>(x: T) -> T {
    x
}

#[kernel(dtypes(f32), dtypes(f64))]
fn two_lists<T: Float>(x: T) -> T {
    x
}

#[kernel]
fn no_list<T: Float>(x: T) -> T {
    x
}

#[kernel(dtypes(f32))]
fn concrete(x: f32) -> f32 {
    x
}

#[kernel(dtypes(f32, i32))]
fn outside_float<T: Float>(x: T) -> T {
    x
}

#[kernel(dtypes(all))]
fn outside_num<T: Num>(x: T) -> T {
    x
}

#[kernel(dtypes(f32))]
fn one_for_two<A: Float, B: Float>(a: A, b: B) -> A {
    a
}

#[kernel(dtypes(A: [f32], C: [f32], A: [f64]))]
fn wrong_names<A: Float, B: Float>(a: A, b: B) -> A {
    a
}

#[kernel(dtypes(A: [u8], B: [i16, u16]))]
fn per_parameter<A: Int, B: Signed>(a: A, b: B) -> A {
    a
}

#[kernel(dtypes(A: f32))]
fn no_brackets<A: Float>(a: A) -> A {
    a
}

fn main() {}
