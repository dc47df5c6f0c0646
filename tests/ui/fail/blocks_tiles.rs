//! Arrays that the lanes of an item share.

use lanecraft::prelude::*;

#[kernel(signature = "(n)->(n)")]
fn one_element(x: &[f32], y: &mut [f32]) {
    let mut t = [0.0; 4];
    for i in lanes(0..x.len()) {
        t[0] = x[i];
        y[i] = x[i];
    }
}

#[kernel(signature = "(n)->(n)")]
fn another_lanes(x: &[f32], y: &mut [f32]) {
    let mut t = [[0.0; 64]; 2];
    for i in lanes(0..x.len()) {
        t[1][i] = x[i];
        y[i] = t[1][i + 1];
    }
}

#[kernel(signature = "(n)->(n)")]
fn as_a_whole(x: &[f32], y: &mut [f32]) {
    let mut t = [[0.0; 4]; 2];
    for i in lanes(0..x.len()) {
        let row = t[0];
        y[i] = row[1];
    }
}

#[kernel(signature = "(n)->(n)")]
fn other_blocks(x: &[f32], y: &mut [f32]) {
    const ROWS: usize = 4;
    for i in lanes(0..x.len() / 4) {
        for r in 0..ROWS {
            y[ROWS * i + r] = x[i];
        }
    }
}

fn main() {}
