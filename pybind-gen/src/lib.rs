//! The Python side of Lanecraft.
//!
//! Two halves that never meet in one build:
//! - [`runtime`] (feature `runtime`) is linked into the user's extension module: it registers a NumPy ufunc for every exported
//!   kernel and turns NumPy's errors into messages that name function and argument;
//! - [`build`] (feature `build`) is linked into the user's build script: it parses the same sources with the same parser as the
//!   macros and prints the typed stub.
//!
//! Users reach both through the facade: `lanecraft::python_module!` and `lanecraft::build::stubs()`.

#[cfg(feature = "build")]
pub mod build;
#[cfg(feature = "runtime")]
pub mod runtime;

#[cfg(any(feature = "build", feature = "runtime"))]
mod docs;
#[cfg(any(feature = "build", feature = "runtime"))]
mod names;

#[cfg(feature = "runtime")]
pub use {numpy, pyo3};
