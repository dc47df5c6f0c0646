//! The kernel language against plain Rust: every form, every dtype, every level, bit for bit.
//!
//! The right values are written out in ordinary Rust (`wrapping_add`, `as`, std's methods), never by way of the library.

mod casts;
mod control;
mod harness;
mod helpers;
mod literals;
mod math;
mod methods;
mod operators;
mod signatures;
mod variables;
