//! Const generics.

use lanecraft::prelude::*;

#[kernel]
fn no_values<const N: usize>(x: f32) -> f32 {
    x
}

#[kernel]
fn run_time<#[parameter(1, 2, ..)] const N: usize>(x: f32) -> f32 {
    x
}

#[kernel]
fn wrong_type<#[parameter('a')] const C: char>(x: f32) -> f32 {
    x
}

#[kernel]
fn out_of_range<#[parameter(2, -1)] const N: usize, #[parameter(2, 2)] const M: u8>(x: f32) -> f32 {
    x
}

#[kernel]
fn other_attribute<#[cfg(all())] const N: usize>(x: f32) -> f32 {
    x
}

#[always_inline]
fn of_a_helper<#[parameter(1, 2)] const N: usize>(x: f32) -> f32 {
    x
}

#[kernel]
fn mixed<#[parameter(1, 2)] const N: usize>(x: f32) -> f32 {
    x * N
}

fn main() {}
