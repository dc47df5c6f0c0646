//! Ordinary functions.
//!
//! PyO3 makes the callable; what is ours is how arguments come, so that an error names function, argument, what came and what is
//! accepted. Each type has a [`Holder`], which keeps what the function borrows: `&str` the text of a `str`, `&[f32]` and `ArrayView2<f32>`
//! an array's own elements. Nothing of Python is touched while the function runs, so the GIL is released, but where
//! `keep_gil` says that this would take longer than the function.

mod array;
mod dtype;
mod holder;
mod lent;
mod refused;
mod result;
mod value;

pub(super) use array::Wanted;
pub use array::{ArrayMut, ArrayRef, Bytes, Slice, SliceMut};
pub(super) use dtype::require;
pub use holder::{Given, Holder, Owned, Text, hold, hold_or};
#[doc(hidden)]
pub use refused::Refused;
pub use result::IntoPython;
pub use value::{Narrow, Value};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCFunction;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A function that `#[python_export]` names.
pub struct FunctionInfo {
    /// The names of its arguments.
    pub arguments: &'static [&'static str],
    /// Makes the callable.
    pub make: for<'py> fn(&Bound<'py, PyModule>) -> PyResult<Bound<'py, PyCFunction>>,
}

/// Runs a function without the GIL, and hands its result to Python. A panic becomes a `RuntimeError`.
///
/// # Errors
/// The function's, and what Python says of its result.
pub fn run<'py, R: IntoPython + Send>(
    py: Python<'py>,
    function: &str,
    call: impl FnOnce() -> PyResult<R> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let result = py.detach(|| guarded(function, call))?;
    result.into_python(py)
}

/// Runs a function with the GIL: it is so short that releasing it would take longer.
///
/// # Errors
/// As for [`run`].
pub fn run_attached<'py, R: IntoPython>(
    py: Python<'py>,
    function: &str,
    call: impl FnOnce() -> PyResult<R>,
) -> PyResult<Bound<'py, PyAny>> {
    guarded(function, call)?.into_python(py)
}

/// A panic as an error. What it leaves behind is the caller's arrays, whose elements are unspecified then, as after any error.
fn guarded<R>(function: &str, call: impl FnOnce() -> PyResult<R>) -> PyResult<R> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Err(PyRuntimeError::new_err(format!("{function}(): the function panicked: {}", text.unwrap_or("it says not why"))))
    })
}

/// The error of a function as an exception of type `X`.
///
/// # Errors
/// That of `result`.
pub fn raise<X: pyo3::type_object::PyTypeInfo, T, E: Display>(function: &str, result: Result<T, E>) -> PyResult<T> {
    result.map_err(|error| PyErr::new::<X, _>(format!("{function}(): {error}")))
}
