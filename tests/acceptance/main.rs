//! What the kernel language promises, case by case, against plain Rust on every level that the machine has.
//!
//! `cargo xtask fuzz` tries what nobody thought of; what it found is in `regressions.rs`.

#![deny(unused, missing_docs, unsafe_op_in_unsafe_fn)]

#[allow(unused, clippy::excessive_precision, reason = "shared with tests/language")]
#[path = "../language/harness.rs"]
mod harness;

mod loops;
mod matching;
mod regressions;
mod reports;
