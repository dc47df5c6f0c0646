//! `#[parameter(..)]` on arguments.

use lanecraft::prelude::*;

#[derive(Clone, Copy)]
enum Mode {
    A,
    B,
}

#[kernel]
fn no_list(x: f32, #[parameter] k: i32) -> f32 {
    x
}

#[kernel]
fn empty_list(x: f32, #[parameter()] k: i32) -> f32 {
    x
}

#[kernel]
fn only_run_time(x: f32, #[parameter(..)] k: i32) -> f32 {
    x
}

#[kernel]
fn float(x: f32, #[parameter(1.0)] k: f32) -> f32 {
    x
}

#[kernel]
fn wrong_values(x: f32, #[parameter(1, x)] k: i32, #[parameter(1)] b: bool, #[parameter(Mode::A, 1)] m: Mode) -> f32 {
    x
}

#[kernel]
fn out_of_range(x: f32, #[parameter(1, 256)] k: u8) -> f32 {
    x
}

#[kernel]
fn twice(x: f32, #[parameter(1, 2, 1)] k: i32) -> f32 {
    x
}

#[kernel]
fn two_lists(
    x: f32,
    #[parameter(1)]
    #[parameter(2)]
    k: i32,
) -> f32 {
    x
}

#[kernel]
fn run_time_enum(x: f32, #[parameter(Mode::A, Mode::B, ..)] m: Mode) -> f32 {
    x
}

#[kernel]
fn mutable(x: f32, #[parameter(1, 2)] mut k: i32) -> f32 {
    x
}

#[kernel]
fn typo(x: f32, #[parametr(1, 2)] k: i32) -> f32 {
    x
}

#[always_inline]
fn helper(x: f32, #[parameter(1, 2)] k: i32) -> f32 {
    x
}

#[kernel]
fn only_parameters(#[parameter(1, 2)] k: i32) -> i32 {
    k
}

#[kernel]
fn assigned(x: f32, #[parameter(1, 2)] k: i32) -> f32 {
    k = 3;
    x
}

#[kernel(dtypes(f32, f64))]
fn too_many<T: Float>(
    x: T,
    #[parameter(1, 2, 3, 4, 5, 6)] a: i32,
    #[parameter(1, 2, 3, 4, 5, 6)] b: i32,
    #[parameter(1, 2, 3, 4, 5, 6)] c: i32,
) -> T {
    x
}

#[always_inline]
fn filled<const N: usize>(x: f32) -> f32 {
    x
}

#[kernel]
fn run_time_value(x: f32, n: i32) -> f32 {
    filled::<n>(x) + filled::<{ n }>(x)
}

fn main() {}
