//! Running sums, updates and aggregates of block kernels.

use lanecraft::prelude::*;

#[kernel(signature = "(n)->(n)")]
fn sum_is_read(x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for i in lanes(0..x.len()) {
        y[i] = scan(&mut s, x[i]) + s;
    }
}

#[kernel(signature = "(n)->(n)")]
fn sum_inside(x: &[f32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        let mut s = 0.0;
        y[i] = scan(&mut s, x[i]);
    }
}

#[kernel(signature = "(n)->(b)")]
fn no_element(x: &[u8], y: &mut [i32]) {
    for i in lanes(0..x.len()) {
        atomic_add(y[x[i] as usize], 1);
    }
}

#[kernel(signature = "(n)->(b)")]
fn updated_and_read(x: &[u8], y: &mut [i32]) {
    for i in lanes(0..x.len()) {
        atomic_add(&mut y[x[i] as usize], y[0]);
    }
}

#[kernel(signature = "(n)->(n)")]
fn aggregate(x: &[f32], y: &mut [f32]) {
    let t = (1.0, 2.0);
    for i in lanes(0..x.len()) {
        y[i] = x[i] + t.0;
    }
}

#[kernel(signature = "(n)->(n)")]
fn too_wide(x: &[f32], y: &mut [f32]) {
    for i in lanes(0..x.len() / 4) {
        for r in 0..5 {
            y[4 * i + r] = x[i];
        }
    }
}

fn main() {}
