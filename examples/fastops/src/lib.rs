//! Elementwise functions over NumPy arrays.
//!
//! Each function is written for one element. `#[kernel]` makes SIMD code of it for every CPU level, `#[python_export]` a NumPy
//! ufunc and a line in the typed stub.

#![deny(warnings, missing_docs, unsafe_op_in_unsafe_fn)]

pub mod activations;
pub mod arithmetic;
pub mod hashing;
pub mod images;
pub mod iterations;
pub mod math;
pub mod matrices;
pub mod numbers;
pub mod random;
pub mod rows;

lanecraft::python_module! {
    /// Elementwise functions over NumPy arrays, with SIMD code for every CPU level.
    fastops
}
