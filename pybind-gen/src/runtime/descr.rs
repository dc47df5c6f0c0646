//! Dtypes as NumPy has them.

use lanecraft_backends::Variant;
use lanecraft_core::DtypeId;
use numpy::npyffi::NPY_TYPES;
use numpy::{PY_ARRAY_API, PyArrayDescr, PyArrayDescrMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::ffi::c_int;

/// NumPy's descriptor of a dtype. bfloat16 is not NumPy's own: it has one where the package `ml_dtypes` is installed.
pub(super) fn of(py: Python<'_>, dtype: DtypeId) -> Option<Bound<'_, PyArrayDescr>> {
    let own = match dtype {
        DtypeId::Bool => numpy::dtype::<bool>(py),
        DtypeId::I8 => numpy::dtype::<i8>(py),
        DtypeId::I16 => numpy::dtype::<i16>(py),
        DtypeId::I32 => numpy::dtype::<i32>(py),
        DtypeId::I64 => numpy::dtype::<i64>(py),
        DtypeId::U8 => numpy::dtype::<u8>(py),
        DtypeId::U16 => numpy::dtype::<u16>(py),
        DtypeId::U32 => numpy::dtype::<u32>(py),
        DtypeId::U64 => numpy::dtype::<u64>(py),
        DtypeId::F16 => half(py)?,
        DtypeId::Bf16 => return bfloat16(py),
        DtypeId::F32 => numpy::dtype::<f32>(py),
        DtypeId::F64 => numpy::dtype::<f64>(py),
    };
    Some(own)
}

/// NumPy's number of a dtype: it differs between platforms (`int64` is `long` or `long long`), and bfloat16's between processes.
pub(super) fn number(py: Python<'_>, dtype: DtypeId) -> Option<c_int> {
    of(py, dtype).map(|descr| descr.num())
}

/// NumPy's number of each operand's dtype, inputs first, if it has them all.
pub(super) fn of_all(py: Python<'_>, variant: &Variant) -> Option<Vec<c_int>> {
    variant.inputs.iter().chain(variant.outputs).map(|dtype| number(py, *dtype)).collect()
}

fn half(py: Python<'_>) -> Option<Bound<'_, PyArrayDescr>> {
    // SAFETY: a type of NumPy's own; the descriptor comes with a reference.
    let descr = unsafe {
        let descr = PY_ARRAY_API.PyArray_DescrFromType(py, NPY_TYPES::NPY_HALF as c_int);
        Bound::from_owned_ptr_or_opt(py, descr.cast())?
    };
    descr.cast_into().ok()
}

fn bfloat16(py: Python<'_>) -> Option<Bound<'_, PyArrayDescr>> {
    static FOUND: PyOnceLock<Option<Py<PyArrayDescr>>> = PyOnceLock::new();
    let look = || -> PyResult<Py<PyArrayDescr>> {
        let scalar = py.import("ml_dtypes")?.getattr("bfloat16")?;
        let descr = py.import("numpy")?.getattr("dtype")?.call1((scalar,))?;
        Ok(descr.cast_into::<PyArrayDescr>()?.unbind())
    };
    // A package that cannot be imported is as good as none.
    FOUND.get_or_init(py, || look().ok()).as_ref().map(|descr| descr.bind(py).clone())
}
