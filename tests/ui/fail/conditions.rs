//! Conditions are bools, and an `if` with a value has an `else`.

use lanecraft::prelude::*;

#[kernel]
fn number(x: i32) -> i32 {
    if x { 1 } else { 2 }
}

#[kernel]
fn circuits(x: i32, c: bool) -> bool {
    x && c || x
}

#[kernel]
fn no_else(x: i32) -> i32 {
    let y = if x > 0 { 1 };
    x
}

#[kernel]
fn half_value(x: i32) -> i32 {
    if x > 0 { 1 } else {}
}

fn main() {}
