//! From a fresh NumPy array to an array of another library over the same memory.

use super::import::DTYPES;
use super::library::Library;
use crate::runtime::descr;
use crate::runtime::memory::Buffer;
use dlpark::ffi::{DLDataType, DLDevice, DLManagedTensor, DLManagedTensorVersioned};
use dlpark::metadata::Dynamic;
use dlpark::python::{DlpackExporter, ExportRequest, export_dlpack};
use dlpark::{DlpackFlags, Managed, ManagedTensorBase};
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyBufferError, PyMemoryError};
use pyo3::prelude::*;
use std::sync::Arc;

/// A result as the library's array. What is no array of NumPy's (an object with `__array_ufunc__` was among the arguments) stays as it is.
pub(super) fn give<'py>(library: &Library, result: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = result.py();
    let array = if result.is_exact_instance_of::<PyUntypedArray>() {
        result
    } else {
        let numpy = py.import("numpy")?;
        if !result.is_instance(&numpy.getattr("generic")?)? {
            return Ok(result);
        }
        // What has no axes leaves a ufunc as a NumPy scalar.
        numpy.call_method1("array", (result,))?
    };
    let data = Data::of(array)?;
    if let Some(exchange) = &library.exchange {
        return exchange.0.managed_tensor_to_py_object_no_sync(data.managed()?, py);
    }
    match &library.from_dlpack {
        Some(from_dlpack) => from_dlpack.bind(py).call1((Export(data),)),
        None => Err(PyBufferError::new_err(format!("{} has no from_dlpack", library.name))),
    }
}

/// The data of an array that has been given up, and how it lies.
pub(super) struct Data {
    buffer: Arc<Buffer>,
    dtype: DLDataType,
    shape: Vec<i64>,
    /// In elements.
    strides: Vec<i64>,
}

impl Data {
    /// Fresh data side by side.
    pub(super) fn compact(buffer: Buffer, dtype: DLDataType, shape: &[i64]) -> Self {
        let mut strides = vec![1; shape.len()];
        for k in (1..shape.len()).rev() {
            strides[k - 1] = strides[k] * shape[k];
        }
        Self { buffer: Arc::new(buffer), dtype, shape: shape.to_vec(), strides }
    }

    /// Takes a fresh array's data away from it; one that is not ours to empty is copied first.
    fn of(array: Bound<'_, PyAny>) -> PyResult<Self> {
        let py = array.py();
        let array = array.cast_into::<PyUntypedArray>()?;
        let number = array.dtype().num();
        let dtype = DTYPES.iter().find(|(id, _)| descr::number(py, *id) == Some(number)).map(|(_, dtype)| *dtype);
        let dtype = dtype.ok_or_else(|| PyBufferError::new_err(format!("results of dtype {} have no name in DLPack", array.dtype())))?;
        let size = array.dtype().itemsize() as isize;
        // Some libraries know no negative strides.
        let fits = array.strides().iter().all(|step| *step >= 0 && step % size == 0);
        let layout = |array: &Bound<'_, PyUntypedArray>| {
            let shape = array.shape().iter().map(|n| *n as i64).collect();
            let strides = array.strides().iter().map(|step| (step / size) as i64).collect();
            (shape, strides)
        };
        let (shape, strides) = layout(&array);
        let array = array.into_any();
        let copied = |array: Bound<'_, PyAny>| -> PyResult<Self> {
            let copy = array.call_method1("copy", ("C",))?.cast_into::<PyUntypedArray>()?;
            let (shape, strides) = layout(&copy);
            let buffer = Buffer::take(copy.as_any()).ok_or_else(|| PyMemoryError::new_err("a fresh array is not our own"))?;
            Ok(Self { buffer: Arc::new(buffer), dtype, shape, strides })
        };
        if !fits {
            return copied(array);
        }
        match Buffer::take(&array) {
            Some(buffer) => Ok(Self { buffer: Arc::new(buffer), dtype, shape, strides }),
            None => copied(array),
        }
    }

    /// The data in DLPack's terms; it is freed when the last of them goes.
    pub(super) fn managed<M: ManagedTensorBase>(&self) -> PyResult<Managed<M>> {
        let prepared = Dynamic::new(self.shape.as_slice(), self.strides.as_slice()).prepare_as::<M>();
        let prepared = prepared.map_err(|error| PyBufferError::new_err(error.to_string()))?;
        let mut tensor = prepared.initialize(Arc::clone(&self.buffer));
        tensor.set_data(self.buffer.as_ptr());
        tensor.set_dtype(self.dtype);
        tensor.set_device(DLDevice::CPU);
        // SAFETY: the description is that of the array, whose memory the context keeps.
        Ok(unsafe { tensor.finish() })
    }
}

/// A result on the way to a library's `from_dlpack`.
#[pyclass(frozen, module = "lanecraft", name = "Result")]
pub(in crate::runtime) struct Export(Data);

impl DlpackExporter for Export {
    fn device(&self) -> DLDevice {
        DLDevice::CPU
    }

    fn flags(&self) -> DlpackFlags {
        DlpackFlags::empty()
    }

    fn prepare_export(&self, _: Python<'_>, _: &ExportRequest<'_>) -> PyResult<()> {
        Ok(())
    }

    fn export_legacy(&self, _: Python<'_>) -> PyResult<Managed<DLManagedTensor>> {
        self.0.managed()
    }

    fn export_versioned(&self, _: Python<'_>) -> PyResult<Managed<DLManagedTensorVersioned>> {
        self.0.managed()
    }
}

#[pymethods]
impl Export {
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(u32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        export_dlpack(self, py, ExportRequest::parse(stream.as_ref(), max_version, dl_device, copy)?)
    }

    fn __dlpack_device__(&self) -> (u32, i32) {
        DLDevice::CPU.into()
    }
}
