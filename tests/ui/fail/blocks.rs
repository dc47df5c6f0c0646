//! Block kernels.

use lanecraft::prelude::*;

#[kernel(signature = "(n),(n)->(n)")]
fn not_injective(x: &[f32], k: &[u32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        y[k[i] as usize] = x[i];
    }
}

#[kernel(signature = "(n)->(n)")]
fn one_element(x: &[f32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        y[0] = x[i];
    }
}

#[kernel(signature = "(m,n)->(m)")]
fn one_row(x: View<f32, 2>, y: &mut [f32]) {
    for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) {
        y[i] = x[[i, j]];
    }
}

#[kernel(signature = "(n)->()")]
fn carried(x: &[f32]) -> f32 {
    let (mut last, mut s) = (0.0, 0.0);
    for i in lanes(0..x.len()) {
        last = x[i];
        s -= x[i];
    }
    last + s
}

#[kernel(signature = "(n)->(n)")]
fn other_iteration(x: &[f32], y: &mut [f32]) {
    for i in lanes(1..x.len()) {
        y[i] = y[i - 1] + x[i];
    }
}

#[kernel(signature = "(n)->(n)")]
fn two_indices(x: &[f32], y: &mut [f32]) {
    for i in lanes(1..x.len()) {
        y[i] = x[i];
        y[i - 1] = x[i];
    }
}

#[kernel(signature = "(m,n)->(m,n)")]
fn nested(x: View<f32, 2>, mut y: ViewMut<f32, 2>) {
    for i in lanes(0..x.dim(0)) {
        for j in lanes(0..x.dim(1)) {
            y[[i, j]] = x[[i, j]];
        }
    }
}

#[kernel(signature = "(n)->(n)")]
fn read_inside(x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for i in lanes(0..x.len()) {
        s += x[i];
        y[i] = s;
    }
}

#[kernel(signature = "(n)->()")]
fn two_operations(x: &[f32]) -> f32 {
    let mut s = 1.0;
    for i in lanes(0..x.len()) {
        s += x[i];
        s *= x[i];
    }
    s
}

#[kernel(signature = "(n)->()")]
fn leaves(x: &[f32]) -> f32 {
    let mut s = 0.0;
    for i in lanes(0..x.len()) {
        if x[i] < 0.0 {
            break;
        }
        s += x[i];
    }
    s
}

#[kernel(signature = "(n),(m)->(n)")]
fn too_many(x: &[f32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        y[i] = x[i];
    }
}

#[kernel(signature = "(n)->(n)")]
fn rank(x: View<f32, 2>, y: &mut [f32]) {
    for i in lanes(0..y.len()) {
        y[i] = x[[0, i]];
    }
}

#[kernel(signature = "(n)=>(n)")]
fn not_numpys(x: &[f32], y: &mut [f32]) {
    y[0] = x[0];
}

#[kernel(signature = "(n)->()")]
fn no_output(x: &[f32]) {}

#[kernel(signature = "(n)->(n)")]
fn writes_input(x: &[f32], y: &mut [f32]) {
    x[0] = 1.0;
    y[[0, 1]] = 1.0;
    y[0] = x;
    y[0] = x.sum();
}

#[kernel(signature = "(n)->(n)")]
fn ranges(x: &[f32], y: &mut [f32]) {
    for i in lanes(0..=9) {
        y[i] = x[i];
    }
    for i in lanes((0..9).rev()) {
        y[i] = x[i];
    }
    for i in lanes((0..9, 0..9)) {
        y[i] = x[i];
    }
}

#[kernel(signature = "(n)->(n)")]
fn leaves_midway(x: &[i32], y: &mut [i32]) {
    for i in lanes(0..x.len()) {
        y[i] = 10
            / match x[i] {
                0 => continue,
                n => n,
            };
    }
}

#[kernel]
fn a_map(x: f32) -> f32 {
    for i in lanes(0..9) {}
    x
}

fn main() {}
