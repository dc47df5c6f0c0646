//! What an operation asks of its operands.

use lanecraft::prelude::*;

#[kernel]
fn neg(x: u8) -> u8 {
    -x
}

#[kernel]
fn not(x: f32) -> f32 {
    !x
}

#[kernel]
fn bits(x: f32, y: f32) -> f32 {
    x & y | x ^ y
}

#[kernel]
fn shifts(x: f32, n: i32) -> f32 {
    x << n
}

#[kernel]
fn shift_amount(x: i32, n: f32) -> i32 {
    x >> n
}

#[kernel]
fn bools(a: bool, b: bool) -> bool {
    a + b
}

#[kernel]
fn math(x: i32, b: bool) -> i32 {
    let y = b.max(b);
    let z = x.to_bits();
    x.exp()
}

#[kernel]
fn abs(x: u32) -> u32 {
    x.abs()
}

#[kernel(dtypes(i32))]
fn weak<T: Dtype>(x: T) -> T {
    x + x
}

#[kernel(dtypes(i32))]
fn weak_method<T: Num>(x: T) -> T {
    x.sqrt()
}

#[kernel(dtypes(f32))]
fn weak_bits<T: Num>(x: T) -> T {
    x & x
}

#[kernel(dtypes(int))]
fn float_method_on_an_int_family<T: Int>(x: T) -> T {
    x.sin()
}

#[kernel(dtypes(f32, f64))]
fn could_be_bound<T: Num>(x: T) -> T {
    x.sin()
}

#[kernel(dtypes(f32, bool))]
fn sum_of_bools<T: Dtype>(x: T) -> T {
    x + x
}

#[kernel]
fn tuples(x: f32) -> bool {
    let s = (x, x) + (x, x);
    (x, x) == (x, x)
}

fn main() {}
