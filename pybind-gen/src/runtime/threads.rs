//! `threads=` of a call.

use lanecraft_backends::with_threads;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

/// Calls `f` with the keywords but `threads`, on as many threads as that says.
///
/// # Errors
/// `TypeError` or `ValueError` for what is no number of threads, and what `f` fails on.
pub(super) fn limited<'py, R>(
    name: &str,
    kwargs: Option<&Bound<'py, PyDict>>,
    f: impl FnOnce(Option<&Bound<'py, PyDict>>) -> PyResult<R>,
) -> PyResult<R> {
    let Some(given) = kwargs else { return f(None) };
    let word = intern!(given.py(), "threads");
    let Some(threads) = given.get_item(word)? else { return f(kwargs) };
    let others = given.copy()?;
    others.del_item(word)?;
    let others = (!others.is_empty()).then_some(&others);
    if threads.is_none() {
        return f(others);
    }
    let refused = || {
        let came = threads.repr().map_or_else(|_| "a value".to_owned(), |repr| repr.to_string());
        format!("{name}(): argument 'threads' is {came}; accepted: whole numbers from 1 on, or None for what the environment says")
    };
    // A bool is not a number here.
    let count = if threads.is_instance_of::<PyBool>() { None } else { threads.call_method0("__index__").ok() };
    let Some(count) = count else { return Err(PyTypeError::new_err(refused())) };
    if count.lt(1)? {
        return Err(PyValueError::new_err(refused()));
    }
    // Of more than there can be, as many as there are.
    with_threads(count.extract().unwrap_or(usize::MAX), || f(others))
}
