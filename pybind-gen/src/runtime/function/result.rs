//! What functions return.

use super::dtype;
use super::value::Value;
use lanecraft_core::half::{bf16, f16};
use numpy::ndarray::{Array, Dimension};
use numpy::{Element, PyArray};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A result that Python can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned to Python",
    note = "put `#[python_export]` on the struct, or return a number, `String`, `Vec`, `Option`, a tuple, or ndarray's `Array2<f32>`"
)]
pub trait IntoPython {
    /// To Python.
    #[doc(hidden)]
    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>>;
}

impl IntoPython for () {
    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(py.None().into_bound(py))
    }
}

/// An array keeps its memory.
impl<T: Element + 'static, D: Dimension> IntoPython for Array<T, D> {
    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        dtype::require::<T>(py)?;
        Ok(PyArray::from_owned_array(py, self).into_any())
    }
}

macro_rules! values {
    ($($ty:ty)*) => {$(
        impl IntoPython for $ty {
            fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
                self.to_python(py)
            }
        }
    )*};
}
values!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f16 bf16 f32 f64 String);

impl<T: Value> IntoPython for Vec<T> {
    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        self.to_python(py)
    }
}

impl<K: Value + Eq + std::hash::Hash, V: Value> IntoPython for std::collections::HashMap<K, V> {
    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        self.to_python(py)
    }
}

impl<T: IntoPython> IntoPython for Option<T> {
    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        self.map_or_else(|| ().into_python(py), |value| value.into_python(py))
    }
}

macro_rules! tuples {
    ($($($T:ident $k:tt),+;)*) => {$(
        impl<$($T: IntoPython),+> IntoPython for ($($T,)+) {
            fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
                Ok(PyTuple::new(py, [$(self.$k.into_python(py)?),+])?.into_any())
            }
        }
    )*};
}
tuples! {
    A 0;
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
    A 0, B 1, C 2, D 3, E 4;
    A 0, B 1, C 2, D 3, E 4, F 5;
}
