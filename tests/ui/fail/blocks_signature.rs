//! Signatures of block kernels.

use lanecraft::prelude::*;

#[kernel(signature = "(m?,n)->(m)")]
fn optional_or_not(x: View<f32, 2>, y: &mut [f32]) {
    y[0] = x[[0, 0]];
}

#[kernel(signature = "(m?,n)->(n)")]
fn still_an_axis(x: &[f32], y: &mut [f32]) {
    y[0] = x[0];
}

#[kernel(signature = "(n)->(n)", nonempty(k))]
fn no_such_dimension(x: &[f32], y: &mut [f32]) {
    y[0] = x[0];
}

#[kernel(signature = "(n)->(n)", nonempty = n)]
fn no_list(x: &[f32], y: &mut [f32]) {
    y[0] = x[0];
}

#[kernel(nonempty(n))]
fn a_map(x: f32) -> f32 {
    x
}

fn main() {}
