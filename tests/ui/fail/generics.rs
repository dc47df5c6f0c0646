//! Type parameters and their bounds.

use lanecraft::prelude::*;

#[kernel(dtypes(f32))]
fn unbounded<T>(x: T) -> T {
    x
}

#[always_inline]
fn unbounded_helper<T>(x: T) -> T {
    x
}

#[kernel(dtypes(f32))]
fn unknown_bound<T: Flaot>(x: T) -> T {
    x
}

#[kernel(dtypes(f32))]
fn other_bound<T: Float + Copy>(x: T) -> T {
    x
}

#[kernel(dtypes(f32))]
fn lifetime<'a, T: Float>(x: T) -> T {
    x
}

#[kernel(dtypes(f32))]
fn constant<T: Float, const N: usize>(x: T) -> T {
    x
}

#[kernel(dtypes(f32))]
fn where_clause<T>(x: T) -> T
where
    T: Float,
    Vec<T>: Clone,
{
    x
}

#[kernel(dtypes(f32))]
fn unused<T: Float>(x: f32) -> T {
    1.0
}

#[kernel(dtypes(A: [f32], __LanecraftIsa: [f32]))]
fn reserved<A: Float, __LanecraftIsa: Float>(x: A, y: __LanecraftIsa) -> A {
    x
}

fn main() {}
