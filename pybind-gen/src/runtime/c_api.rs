//! What NumPy's C API has and the `numpy` crate does not bind.

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::{CStr, c_void};

/// Slots of `PyUFunc_FromFuncAndDataAndSignatureAndIdentity` and `PyUFunc_AddPromoter` in NumPy's `_UFUNC_API`, of the others in its `_ARRAY_API` (numpy/__ufunc_api.h,
/// numpy/__multiarray_api.h, numpy/_public_dtype_api_table.h; part of the ABI since NumPy 2.0).
pub(super) const FROM_FUNC_AND_IDENTITY: usize = 42;
pub(super) const ADD_PROMOTER: usize = 44;
pub(super) const SET_HANDLER: usize = 304;
pub(super) const PY_LONG_DTYPE: usize = 320 + 35;
pub(super) const PY_FLOAT_DTYPE: usize = 320 + 36;

/// One of NumPy's tables of C functions.
pub(super) fn table(py: Python<'_>, name: &CStr) -> PyResult<*const *const c_void> {
    let module = py.import("numpy._core._multiarray_umath")?;
    let capsule = module.getattr(name.to_str().map_err(|e| PyImportError::new_err(e.to_string()))?)?;
    let capsule = capsule.cast_into::<PyCapsule>()?;
    // SAFETY: NumPy makes both capsules without a name, around a table that is never freed.
    let table = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), std::ptr::null()) };
    if table.is_null() { Err(PyErr::fetch(py)) } else { Ok(table.cast()) }
}
