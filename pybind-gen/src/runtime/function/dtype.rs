//! The dtypes of arrays by their elements' types in Rust.

use crate::runtime::descr;
use lanecraft_core::DtypeId;
use lanecraft_core::half::bf16;
use numpy::{Element, PyArrayDescr, PyArrayDescrMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::any::TypeId;

fn is_bfloat16<T: 'static>() -> bool {
    TypeId::of::<T>() == TypeId::of::<bf16>()
}

/// NumPy's descriptor; None for bfloat16, where the package `ml_dtypes` is not installed.
pub(in crate::runtime) fn of<T: Element + 'static>(py: Python<'_>) -> Option<Bound<'_, PyArrayDescr>> {
    // `numpy` panics there.
    if is_bfloat16::<T>() { descr::of(py, DtypeId::Bf16) } else { Some(numpy::dtype::<T>(py)) }
}

/// Refuses a dtype that NumPy does not have here.
///
/// # Errors
/// `RuntimeError` for bfloat16 without its package.
pub(in crate::runtime) fn require<T: Element + 'static>(py: Python<'_>) -> PyResult<()> {
    let missing = || PyRuntimeError::new_err("an array of bfloat16 needs the package `ml_dtypes`, which has the dtype; install it");
    of::<T>(py).map(drop).ok_or_else(missing)
}

/// Its name.
pub(super) fn name<T: Element + 'static>(py: Python<'_>) -> String {
    of::<T>(py).map_or_else(|| "bfloat16 (of the package `ml_dtypes`, which is not installed)".to_owned(), |dtype| dtype.to_string())
}

/// Whether they are the same but for the order of bytes. NumPy has several integers of one size, and one kind for what is not its own.
pub(super) fn is_same(a: &Bound<'_, PyArrayDescr>, b: &Bound<'_, PyArrayDescr>) -> bool {
    if b.kind() == b'V' { a.num() == b.num() } else { (a.kind(), a.itemsize()) == (b.kind(), b.itemsize()) }
}
