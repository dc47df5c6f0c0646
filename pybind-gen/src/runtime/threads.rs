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
    let accepted = "accepted are whole numbers from 1 on, or None for what the environment says";
    let repr = || threads.repr().map_or_else(|_| "a value".to_owned(), |repr| repr.to_string());
    // A bool is not a number here.
    match threads.extract::<i64>().ok().filter(|_| !threads.is_instance_of::<PyBool>()) {
        Some(n @ 1..) => with_threads(n as usize, || f(others)),
        None => Err(PyTypeError::new_err(format!("{name}(): threads={}; {accepted}", repr()))),
        Some(_) => Err(PyValueError::new_err(format!("{name}(): threads={}; {accepted}", repr()))),
    }
}
