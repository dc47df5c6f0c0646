//! `lanecraft.cuda.deferred()`: calls that may have faults do not wait for their results; who began says when to look.

use super::raise;
use super::stream::On;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::RefCell;

thread_local! {
    /// The streams that calls of this thread went to, for each block that is open.
    static BLOCKS: RefCell<Vec<Vec<On>>> = const { RefCell::new(Vec::new()) };
}

/// Opens a block.
pub(super) fn begin() {
    BLOCKS.with_borrow_mut(|blocks| blocks.push(Vec::new()));
}

/// Whether a call on a stream need not wait for its faults. Only on a library's own stream: else what the library does next would not come after it.
pub(super) fn takes(on: &On) -> bool {
    BLOCKS.with_borrow_mut(|blocks| match blocks.last_mut() {
        Some(streams) if on.is_theirs => {
            if !streams.iter().any(|known| std::sync::Arc::ptr_eq(&known.stream, &on.stream)) {
                streams.push(on.clone());
            }
            true
        }
        _ => false,
    })
}

/// Closes the last block: waits for its streams.
///
/// # Errors
/// The first fault of the calls in it.
pub(super) fn end(py: Python<'_>) -> PyResult<()> {
    let Some(streams) = BLOCKS.with_borrow_mut(Vec::pop) else {
        return Err(PyRuntimeError::new_err("deferred(): no block is open on this thread"));
    };
    // All of them are waited for, whatever the first one says.
    let ended: Vec<PyResult<()>> =
        streams.iter().map(|on| py.detach(|| on.stream.synchronize()).map_err(|error| raise("deferred", error))).collect();
    ended.into_iter().collect()
}
