//! scratch
use lanecraft::prelude::*;
fn foo(x: f32) -> f32 {
    x
}
#[kernel]
fn not_a_helper(x: f32) -> f32 {
    foo(x) + 1.0
}
#[kernel]
fn unknown(x: f32) -> f32 {
    bar(x) + y
}
#[always_inline]
fn even(x: f32) -> f32 {
    if x > 0.0 { odd(x - 1.0) } else { 1.0 }
}
#[always_inline]
fn odd(x: f32) -> f32 {
    if x > 0.0 { even(x - 1.0) } else { 0.0 }
}
