//! Promises about the writes of block kernels, and parameters that block kernels cannot have.

use lanecraft::prelude::*;

#[kernel(signature = "(n),(n)->(n),(n,n)")]
fn not_shown(x: &[f32], k: &[u32], y: &mut [f32], w: ViewMut<f32, 2>) {
    for i in lanes(0..x.len()) {
        w[[k[i] as usize, 0]] = x[i];
    }
}

#[kernel(signature = "(n),(n)->(n)")]
fn promised_twice(x: &[f32], k: &[u32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        y[unsafe { disjoint(k[i] as usize) }] = x[i];
        y[i] = x[i];
    }
}

#[kernel(signature = "(n),(n)->(n)")]
fn promised_and_read(x: &[f32], k: &[u32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        y[unsafe { disjoint(k[i] as usize) }] = y[i];
    }
}

#[kernel(signature = "(n)->(n)")]
fn promised_outside(x: &[f32], y: &mut [f32]) {
    y[unsafe { disjoint(0) }] = x[0];
}

#[kernel(signature = "(n),(n)->(n)")]
fn promised_of_a_read(x: &[f32], k: &[u32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        y[i] = x[unsafe { disjoint(k[i] as usize) }];
        atomic_add(&mut y[unsafe { disjoint(i) }], 1.0);
    }
}

#[kernel(signature = "(n)->(n)")]
fn other_unsafe(x: &[f32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        y[unsafe { i }] = x[i];
    }
}

#[kernel(signature = "(n)->(n)")]
fn last_of_what(x: &[f32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        scatter_last(y[0], x[i]);
        scatter_last(y[0], i, x[i]);
        scatter_last(x, i, x[i]);
    }
}

#[kernel(signature = "(n)->(n)")]
fn last_and_read(x: &[f32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        scatter_last(y, i, y[i] + x[i]);
    }
}

#[kernel(signature = "(n)->(n)")]
fn at_run_time(x: &[f32], #[parameter(1, 2, ..)] radius: usize, y: &mut [f32]) {
    y[0] = x[radius];
}

fn main() {}
