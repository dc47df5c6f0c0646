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

#[kernel]
#[derive(Clone, Copy)]
struct Pair<T>(T, T);

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

#[kernel(dtypes(f32, f64))]
fn wrong_generic<T: Float>(x: T) -> T {
    let p = Point { x, y: x as f32 };
    p.x
}

#[kernel]
fn wrong_of_helper(x: f32) -> f32 {
    let p = Point { x: takes_point(Point { x, y: x }), y: 1_i32 };
    p.x
}

#[kernel]
fn twice(x: f32) -> f32 {
    let p = Point { x, y: x, x: 2.0 };
    p.x
}

#[kernel]
fn too_many(x: f32) -> f32 {
    let p = Pair(x, x, x);
    p.0
}

#[kernel]
fn wrong_element(x: f32, y: f64) -> f32 {
    let p = Pair(x, y);
    p.0
}

#[kernel]
fn unknown_in_pattern(x: f32) -> f32 {
    let Point { x, y: _, z } = Point { x, y: x };
    z
}

#[kernel]
fn unknown_in_match(x: f32) -> f32 {
    match Pair(x, x) {
        Pair(a, b, c) => a + b + c,
    }
}

#[kernel]
fn unknown_of_variable(x: f32) -> f32 {
    let p = Point { x, y: x };
    match p {
        Point { x, y: _, q } => x + q,
    }
}

#[kernel]
fn unknown_in_parts(x: f32) -> f32 {
    match (Point { x, y: x }, Some(Pair(x, x))) {
        (Point { q, .. }, Some(Pair(a, _, c))) => q + a + c,
        (Point { y, .. }, _) => y,
    }
}

#[kernel]
fn wrong_base(x: f32) -> f32 {
    let p = Point { x, ..Pair(x, x) };
    p.y
}

#[kernel]
fn unmarked_pattern(x: f32) -> f32 {
    let Plain { x } = Point { x, y: x };
    x
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
