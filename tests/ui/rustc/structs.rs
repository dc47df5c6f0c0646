//! Structs: what rustc says of them, it says once and of the user's own struct.

use lanecraft::prelude::*;

#[kernel]
#[derive(Clone, Copy)]
struct Point<T> {
    x: T,
    y: T,
}

mod inner {
    use lanecraft::prelude::*;

    #[kernel]
    pub struct Secret {
        hidden: f32,
        pub shown: f32,
    }
}
use inner::Secret;

struct Plain {
    x: f32,
}

#[always_inline]
fn takes_point(p: Point<f32>) -> f32 {
    p.x
}

#[kernel]
fn missing_field(x: f32) -> f32 {
    let p = Point { x };
    p.x
}

#[kernel]
fn unknown_field(x: f32) -> f32 {
    let p = Point { x, y: x, z: x };
    p.x
}

#[kernel]
fn unknown_read(x: f32) -> f32 {
    let p = Point { x, y: x };
    p.z
}

#[kernel]
fn unnamed_field(x: f32) -> f32 {
    let Point { x } = Point { x, y: x };
    x
}

#[kernel]
fn private_field(x: f32) -> f32 {
    let s = Secret { hidden: x, shown: x };
    s.shown
}

#[kernel]
fn wrong_field(x: f64) -> f32 {
    let p = Point { x: 1.0_f32, y: x };
    p.x
}

#[kernel]
fn wrong_argument(x: f64) -> f32 {
    takes_point(Point { x, y: x })
}

#[kernel]
fn unmarked(x: f32) -> f32 {
    let p = Plain { x };
    x
}

#[always_inline]
fn no_kernel_type(x: String) -> f32 {
    1.0
}

#[kernel]
struct Text {
    text: String,
}

fn main() {}
