//! The options of `#[kernel]`, `#[always_inline]`, `#[python_export]`.

use lanecraft::prelude::*;

#[kernel(dtype(f32))]
fn typo<T: Float>(x: T) -> T {
    x
}

#[kernel(f32, f64)]
fn bare<T: Float>(x: T) -> T {
    x
}

#[kernel(dtypes(f32), gang = 48)]
fn gang<T: Float>(x: T) -> T {
    x
}

#[kernel(dtypes(f32), signature = "(n)->(n)")]
fn signature<T: Float>(x: T) -> T {
    x
}

#[kernel(dtypes(f32), grad)]
fn grad<T: Float>(x: T) -> T {
    x
}

#[kernel(dtypes = f32)]
fn equals<T: Float>(x: T) -> T {
    x
}

#[kernel(crate = lanecraft, crate = lanecraft)]
fn crate_twice(x: f32) -> f32 {
    x
}

#[always_inline(dtypes(f32))]
fn helper_option<T: Float>(x: T) -> T {
    x
}

#[kernel]
#[python_export(name = "f")]
fn export_option(x: f32) -> f32 {
    x
}

#[kernel]
#[python_export(identiti = 0)]
fn export_misspelt(x: f32, y: f32) -> f32 {
    x + y
}

#[kernel]
#[python_export(identity = x)]
fn export_identity(x: f32, y: f32) -> f32 {
    x + y
}

#[kernel]
#[python_export(identity = 0, reorderable)]
fn export_twice(x: f32, y: f32) -> f32 {
    x + y
}

#[kernel]
#[python_export(identity = 0)]
fn export_of_one(x: f32) -> f32 {
    x
}

#[kernel]
#[python_export(reorderable)]
fn export_of_two_types(x: f32, y: f32) -> bool {
    x < y
}

#[kernel(signature = "(n),(n)->()")]
#[python_export(identity = 0)]
fn export_of_a_block(x: &[f32], y: &[f32]) -> f32 {
    x[0] + y[0]
}

#[kernel]
#[python_export(module = "two.parts")]
fn export_module(x: f32) -> f32 {
    x
}

#[python_export]
#[kernel]
fn export_above(x: f32) -> f32 {
    x
}

#[kernel]
struct NoFunction;

#[always_inline]
const NO_FUNCTION: f32 = 1.0;

#[kernel(dtypes(f32), fast_math = true)]
fn fast_math<T: Float>(x: T) -> T {
    x
}

fn main() {}
