//! Loops, jumps, `match`, closures.

use lanecraft::prelude::*;

#[kernel]
fn ranges(x: i32) -> i32 {
    for (i, j) in 0..x {}
    for i in 0.. {}
    for i in x {}
    for i in (0..x).step_by(2).rev() {}
    for i in (0..x).step_by(x) {}
    for i in (0..x).map(f) {}
    x
}

#[kernel]
fn jumps(x: i32) -> i32 {
    break;
    continue 'a;
    while x > 0 {
        break 1;
        let y = break;
    }
    x + return x
}

#[kernel]
fn no_value(x: i32) -> i32 {
    return;
}

#[kernel]
fn uncovered(x: i32) -> i32 {
    match x {
        0 => 1,
    }
}

#[kernel]
fn patterns(x: i32) -> i32 {
    match (x, x) {
        (&y, _) => y,
        (ref y, _) => y,
        (..) => x,
        (m!(), _) => x,
    }
}

#[kernel]
fn conditions(x: i32) -> i32 {
    if x > 0 && let 1 = x { 1 } else { 2 }
}

#[kernel]
fn closures(x: i32) -> i32 {
    let (f, g) = |y: i32| y;
    let h = move |y: i32| y;
    let i = |y: i32| y + x;
    let j = |y: i32| { return y; };
    (|y: i32| y)(x) + i(x, x) + f
}

fn main() {}
