//! Lanecraft embeds compute kernels in Rust and Python.
//!
//! One ordinary Rust function, written for one element, becomes SIMD code for every CPU level in one binary, and a typed
//! Python ufunc:
//!
//! ```
//! use lanecraft::prelude::*;
//!
//! /// a * x + y
//! #[kernel(dtypes(f32, f64))]
//! fn axpy<T: Float>(a: T, x: T, y: T) -> T {
//!     a * x + y
//! }
//!
//! # fn main() -> Result<(), lanecraft::Error> {
//! let (x, y) = (vec![1.0_f32, 2.0, 3.0], vec![10.0, 20.0, 30.0]);
//! let mut out = vec![0.0; 3];
//! axpy::map(2.0, &x, &y, &mut out)?;
//! assert_eq!(out, [12.0, 24.0, 36.0]);
//! assert_eq!(axpy(2.0, 1.0, 10.0), 12.0); // the function itself: the reference
//! # Ok(())
//! # }
//! ```
//!
//! Features: the CPU levels `sse2`, `avx2`, `avx512`, `neon`, `portable` (all on by default; a development build may do with
//! one); `ndarray` to run kernels on its arrays; `python` for Python modules, and `build` for their build scripts.

extern crate self as lanecraft;

#[cfg(feature = "runtime")]
mod runtime;
#[cfg(feature = "runtime")]
pub use runtime::*;

#[cfg(feature = "python")]
mod python;
#[cfg(feature = "python")]
pub use python::*;

#[cfg(feature = "build")]
pub use lanecraft_pybind_gen::build;
