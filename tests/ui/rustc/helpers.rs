//! What only rustc can know: functions and constants outside the kernel.

use lanecraft::prelude::*;

mod elsewhere {
    pub fn not_a_helper(x: f32) -> f32 {
        x
    }
}

use elsewhere::not_a_helper;

#[always_inline]
fn helper(x: f32) -> f32 {
    x
}

// Of a function that does not stand in its own module, a kernel's macro knows nothing.
#[kernel]
fn calls_a_plain_function(x: f32) -> f32 {
    not_a_helper(x)
}

#[kernel]
fn calls_nothing(x: f32) -> f32 {
    missing(x)
}

#[kernel]
fn names_nothing(x: f32) -> f32 {
    x + missing
}

fn main() {}
