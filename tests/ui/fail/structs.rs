//! Structs that kernels cannot hold, and what kernels cannot do with those that they can.

use lanecraft::prelude::*;

#[kernel]
struct Empty;

#[kernel]
struct Borrowed<'a> {
    x: &'a f32,
}

#[kernel]
struct Sized {
    n: usize,
}

#[kernel(dtypes(f32))]
struct Options {
    x: f32,
}

#[kernel]
enum Choice {
    A,
}

#[kernel]
impl Borrowed<'_> {
    fn method(x: f32) -> f32 {
        x
    }
}

#[always_inline]
trait Kernels {
    fn method(x: f32) -> f32;
}

#[kernel]
struct Point {
    x: f32,
}

#[kernel]
fn operand(p: Point) -> f32 {
    p.x
}

#[kernel]
fn no_struct(x: f32) -> f32 {
    let y = x.a;
    let Point { x: z } = x;
    match x {
        Point { x } => x,
    }
}

#[kernel]
fn method(x: f32) -> f32 {
    let p = Point { x };
    p.norm()
}

fn main() {}
