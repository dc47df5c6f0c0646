//! Ordinary functions and structs for Python, of every type that crosses the border.

#![deny(warnings, missing_docs, unsafe_op_in_unsafe_fn)]

pub mod arrays;
pub mod structs;
pub mod values;

lanecraft::python_module! {
    /// Functions and structs, for the tests.
    functions
}
