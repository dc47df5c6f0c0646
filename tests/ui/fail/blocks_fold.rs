//! Reductions by operations of a kernel's own.

use lanecraft::prelude::*;

#[kernel(signature = "(n)->()")]
fn how(x: &[f32]) -> f32 {
    let (mut s, mut t) = (0.0, 0.0);
    for i in lanes(0..x.len()) {
        s = reduce(t, x[i], |a, b| a + b);
        s = reduce(s, x[i]);
        s = reduce(s, x[i], |a| a);
    }
    s + t
}

#[kernel(signature = "(n)->()")]
fn knows_the_iteration(x: &[f32]) -> f32 {
    let mut s = 0.0;
    for i in lanes(0..x.len()) {
        let k = i as f32;
        s = reduce(s, x[i], |a, b| a + b * k + x[0]);
    }
    s
}

#[kernel(signature = "(n)->()")]
fn two(x: &[f32]) -> f32 {
    let (mut s, mut t) = (0.0, 0.0);
    for i in lanes(0..x.len()) {
        s = reduce(s, x[i], |a, b| a + b);
        t += x[i];
    }
    s + t
}

#[kernel(signature = "(n)->(n)")]
fn is_read(x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for i in lanes(0..x.len()) {
        s = reduce(s, x[i], |a, b| a + b);
        y[i] = s;
    }
}

#[kernel(signature = "(n)->()")]
fn outside(x: &[f32]) -> f32 {
    let mut s = 0.0;
    s = reduce(s, x[0], |a, b| a + b);
    s
}

#[kernel(signature = "(n)->(n)")]
fn inside(x: &[f32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        let mut s = 0.0;
        s = reduce(s, x[i], |a, b| a + b);
        y[i] = x[i];
    }
}

#[kernel(signature = "(n)->()")]
fn types(x: &[f32]) -> f32 {
    let mut s = (0.0, 0);
    for i in lanes(0..x.len()) {
        s = reduce(s, x[i], |a, b| (a.0 + b.0, 1));
    }
    s.0
}

fn main() {}
