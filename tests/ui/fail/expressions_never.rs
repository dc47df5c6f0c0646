//! Expressions that no kernel will have.

use lanecraft::prelude::*;

#[kernel]
fn places(x: f32) -> f32 {
    let a = x[0];
    let b = &x;
    let c = &raw const x;
    let d = *b;
    x
}

#[kernel]
fn control(x: f32) -> f32 {
    let a = async { x };
    let b = a.await;
    let c = x?;
    let d = unsafe { x };
    let e = const { 1.0 };
    x
}

#[kernel]
fn values(x: f32) -> f32 {
    let mut m = x;
    let a = m = x;
    let b = m += x;
    let c = _;
    let d = 0..3;
    let e = vec![x];
    println!("{x}");
    let f = <f32 as Float>::NAN;
    x
}

#[kernel]
fn text(x: f32) -> f32 {
    let a = "a";
    let b = 'b';
    let c = b"c";
    let d = c"d";
    let e = 3usize;
    let f = 1.0f16;
    x
}

#[kernel]
fn calls(x: f32) -> f32 {
    let a = (x)(1.0);
    let b = x(1.0);
    let c = <f32>::exp(x);
    x
}

fn main() {}
