//! The kernel language against plain Rust: every form, every dtype, every level, bit for bit.
//!
//! The right values are written out in ordinary Rust (`wrapping_add`, `as`, std's methods), never by way of the library.

#![allow(
    non_snake_case,
    unused_assignments,
    unused_qualifications,
    clippy::excessive_precision,
    clippy::match_overlapping_arm,
    clippy::too_many_arguments,
    reason = "odd names, paths, literals, patterns and arities are what is tested"
)]

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
