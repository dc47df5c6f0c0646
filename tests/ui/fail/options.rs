//! `Option`s.

use lanecraft::prelude::*;

#[kernel]
fn methods(x: i32) -> i32 {
    let a = x.checked_add(1).unwrap();
    let b = x.checked_add(1).map(f);
    let c = x.checked_add(1)?;
    let d = x.checked_add();
    x
}

#[kernel]
fn mixed(x: i32, y: f32) -> i32 {
    let a = x.checked_add(1) + 1;
    let b = x.checked_add(1).unwrap_or(y);
    let c = y.is_some();
    let d: Option<f32> = x.checked_neg();
    let e = if x > 0 { Some(x) } else { x };
    x
}

#[kernel]
fn not_an_option(x: i32) -> i32 {
    if let Some(y) = x { y } else { 0 }
}

#[kernel]
fn uncovered(x: i32) -> i32 {
    match x.checked_neg() {
        Some(1) => 1,
        None => 2,
    }
}

#[kernel]
fn result(x: i32) -> Option<i32> {
    x.checked_neg()
}

fn main() {}
