//! Steps of loops over lanes.

use lanecraft::prelude::*;

const NONE: usize = 0;
const SMALL: u8 = 2;

#[kernel(signature = "(n),()->(n)")]
fn known_later(x: &[f32], k: u64, y: &mut [f32]) {
    for i in lanes((0..x.len()).step_by(k)) {
        y[i] = x[i];
    }
    let own = x.len() / 2;
    for (i, j) in lanes(((0..2).step_by(own), 0..3)) {
        let t = i + j;
    }
}

#[kernel(signature = "(n)->(n)")]
fn of_values(x: &[f32], #[parameter(0, 2)] k: usize, y: &mut [f32]) {
    for i in lanes((0..x.len()).step_by(k)) {
        y[i] = x[i];
    }
}

#[kernel(signature = "(n)->(n)")]
fn of_const_generic<#[parameter(1, 0)] const K: usize>(x: &[f32], y: &mut [f32]) {
    for i in lanes((0..x.len()).step_by(K)) {
        y[i] = x[i];
    }
}

#[kernel(dtypes(i32), signature = "(n)->(n)")]
fn of_type<T: Int>(x: &[T], y: &mut [T]) {
    for i in lanes((0..x.len()).step_by(T::BITS)) {
        y[i] = x[i];
    }
}

#[kernel(signature = "(n)->(n)")]
fn computed(x: &[f32], #[parameter(1, 2)] k: usize, y: &mut [f32]) {
    for i in lanes((0..x.len()).step_by(2 * k)) {
        y[i] = x[i];
    }
}

#[kernel(signature = "(n)->(n)")]
fn plain_loop(x: &[f32], #[parameter(1, 2)] k: usize, y: &mut [f32]) {
    for i in (0..x.len()).step_by(k) {
        y[i] = x[i];
    }
}

#[kernel(signature = "(n)->(n)")]
fn another_type(x: &[f32], y: &mut [f32]) {
    for i in lanes((0..x.len()).step_by(SMALL)) {
        y[i] = x[i];
    }
}

#[kernel(signature = "(n)->(n)")]
fn of_zero(x: &[f32], y: &mut [f32]) {
    for i in lanes((0..x.len()).step_by(NONE)) {
        y[i] = x[i];
    }
}

fn main() {}
