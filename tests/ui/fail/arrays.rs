//! Arrays.

use lanecraft::prelude::*;

#[kernel]
fn operand(x: [f32; 4]) -> f32 {
    x[0]
}

#[kernel]
fn result(x: f32) -> [f32; 2] {
    [x, x]
}

#[kernel]
fn not_an_array(x: f32) -> f32 {
    let n = x.len();
    x[0]
}

#[kernel]
fn iterated(x: f32) -> f32 {
    for v in x {}
    x
}

#[kernel]
fn iterators(x: f32) -> f32 {
    for v in [x, x].iter().rev() {}
    for v in [x].iter().enumerate() {}
    x
}

#[kernel]
fn mixed(x: f32, k: i32) -> f32 {
    let a = [x, k];
    let b: [f32; 3] = [x, x];
    let c = if x > 0.0 { [x] } else { [x, x] };
    let [d, e] = [x, x, x];
    x
}

#[kernel]
fn indexes(x: f32, y: i32) -> f32 {
    let mut a = [x; 3];
    a[3] = x;
    let b = a[-1];
    let c = a[x];
    a.0 + a
}

#[kernel]
fn sliced(x: f32) -> f32 {
    let d = [x, x][0..2];
    x
}

#[kernel]
fn assigned(x: f32) -> f32 {
    let a = [x; 3];
    a[0] = 1.0;
    x
}

#[kernel]
fn assigned_to_a_value(x: f32) -> f32 {
    [x, x][0] = 2.0;
    x
}

#[kernel]
fn length(x: f32, n: i32) -> f32 {
    let a = [x; n];
    a[0]
}

#[kernel]
fn compared(x: f32) -> bool {
    [x] == [x]
}

#[always_inline]
fn size(n: usize) -> isize {
    n as isize
}

fn main() {}
