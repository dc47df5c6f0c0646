//! Arrays on a CUDA device, as they come: by DLPack, or by `__cuda_array_interface__`.

use super::super::import::{DTYPES, MAX_VERSION, Place, taken};
use super::stream;
use dlpark::python::ImportedDlpack;
use dlpark::{DlpackFlags, TensorRef};
use lanecraft_backends::cuda::Stream;
use lanecraft_core::DtypeId;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// DLPack's numbers of CUDA's memory, on the device and managed.
const CUDA: [u32; 2] = [2, 13];

/// An array on a device, ready on a stream.
pub(super) struct Array {
    pub(super) dtype: DtypeId,
    pub(super) at: u64,
    pub(super) shape: Vec<usize>,
    /// Bytes from element to element on each axis.
    pub(super) steps: Vec<isize>,
    /// Keeps what DLPack has lent.
    _lent: Option<ImportedDlpack>,
}

/// The device of an array, if it is a CUDA one.
pub(super) fn device(value: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    let py = value.py();
    if let Some(ask) = value.getattr_opt(intern!(py, "__dlpack_device__"))? {
        // What does not know its device (a tensor of another layout) is not here, and is told off elsewhere.
        let Ok((kind, number)) = ask.call0().and_then(|device| device.extract::<(u32, u32)>()) else { return Ok(None) };
        return Ok(CUDA.contains(&kind).then_some(number));
    }
    // The interface does not say which: whoever has only this runs on the first.
    Ok(value.hasattr(intern!(py, "__cuda_array_interface__"))?.then_some(0))
}

impl Array {
    /// Takes an array over, for work on a stream.
    pub(super) fn of(value: &Bound<'_, PyAny>, on: &Stream, place: &Place<'_>) -> PyResult<Self> {
        if value.hasattr(intern!(value.py(), "__dlpack__"))? {
            return Self::of_dlpack(value, on, place);
        }
        Self::of_interface(value, on, place)
    }

    fn of_dlpack(value: &Bound<'_, PyAny>, on: &Stream, place: &Place<'_>) -> PyResult<Self> {
        let py = value.py();
        let kwargs = PyDict::new(py);
        // The library makes its work come first on that stream.
        kwargs.set_item(intern!(py, "stream"), on.handle())?;
        let old = kwargs.copy()?;
        kwargs.set_item(intern!(py, "max_version"), MAX_VERSION)?;
        let capsule = match value.call_method(intern!(py, "__dlpack__"), (), Some(&kwargs)) {
            Err(error) if error.is_instance_of::<PyTypeError>(py) => value.call_method(intern!(py, "__dlpack__"), (), Some(&old)),
            result => result,
        }?;
        let lent = taken(&capsule)?;
        if place.output && lent.flags().contains(DlpackFlags::READ_ONLY) {
            return Err(read_only(place));
        }
        let tensor = match &lent {
            // SAFETY: the descriptor lives and stays as it is as long as what was lent.
            ImportedDlpack::Legacy(tensor) => unsafe { tensor.tensor() },
            // SAFETY: as above.
            ImportedDlpack::Versioned(tensor) => unsafe { tensor.tensor() },
        };
        let Some((dtype, _)) = DTYPES.iter().find(|(_, known)| *known == tensor.dtype) else {
            return Err(place.refuse("is of a dtype that no kernel has; accepted: bool, integers and floats of 8 to 64 bits"));
        };
        let invalid = |error: dlpark::tensor::Error| place.refuse(format!("cannot be taken over: {error}"));
        // SAFETY: the producer's promise: shape and strides are there as long as what it lent.
        let checked = unsafe { TensorRef::from_raw(tensor) }.map_err(invalid)?;
        let size = dtype.size() as isize;
        let steps = checked.strides_or_compact().map_err(invalid)?.iter().map(|stride| (*stride as isize).wrapping_mul(size)).collect();
        let shape = checked.shape().iter().map(|n| *n as usize).collect();
        let at = (tensor.data as u64).wrapping_add(tensor.byte_offset);
        Ok(Self { dtype: *dtype, at, shape, steps, _lent: Some(lent) })
    }

    fn of_interface(value: &Bound<'_, PyAny>, on: &Stream, place: &Place<'_>) -> PyResult<Self> {
        let interface = value.getattr(intern!(value.py(), "__cuda_array_interface__"))?.cast_into::<PyDict>()?;
        let item = |key: &str| PyResult::Ok(interface.get_item(key)?.filter(|value| !value.is_none()));
        let needed = |key: &str| item(key)?.ok_or_else(|| place.refuse(format!("has a `__cuda_array_interface__` without '{key}'")));
        let (at, is_read_only): (u64, bool) = needed("data")?.extract()?;
        if place.output && is_read_only {
            return Err(read_only(place));
        }
        let code: String = needed("typestr")?.extract()?;
        let Some(dtype) = DtypeId::ALL.iter().copied().find(|dtype| typestr(*dtype).is_some_and(|known| code.get(1..) == Some(&known)))
        else {
            return Err(place.refuse(format!("is of type {code}; accepted: bool, integers and floats of 8 to 64 bits")));
        };
        let shape: Vec<usize> = needed("shape")?.extract()?;
        let steps: Vec<isize> = match item("strides")? {
            Some(strides) => strides.extract()?,
            None => super::compact(&shape, dtype),
        };
        if steps.len() != shape.len() {
            return Err(place.refuse(format!("has {} strides and {} axes; accepted: one for each", steps.len(), shape.len())));
        }
        if let Some(theirs) = item("stream")? {
            stream::after(on, theirs.extract()?)?;
        }
        Ok(Self { dtype, at, shape, steps, _lent: None })
    }

    /// The lowest byte of its elements, and the one behind the highest.
    pub(super) fn extent(&self) -> (u64, u64) {
        if self.shape.contains(&0) {
            return (self.at, self.at);
        }
        let reach = |up: bool| -> isize {
            let ends = self.shape.iter().zip(&self.steps).map(|(n, step)| (*n as isize - 1).wrapping_mul(*step));
            ends.filter(|end| (*end > 0) == up).fold(0, isize::wrapping_add)
        };
        (
            self.at.wrapping_add_signed(reach(false) as i64),
            self.at.wrapping_add_signed(reach(true) as i64).wrapping_add(self.dtype.size() as u64),
        )
    }
}

/// A dtype in the array interface, without the order of its bytes.
fn typestr(dtype: DtypeId) -> Option<String> {
    let kind = match dtype {
        DtypeId::Bf16 => return None,
        DtypeId::Bool => 'b',
        dtype if dtype.is_float() => 'f',
        dtype if dtype.name().starts_with('u') => 'u',
        _ => 'i',
    };
    Some(format!("{kind}{}", dtype.size()))
}

fn read_only(place: &Place<'_>) -> PyErr {
    PyValueError::new_err(format!("{}(): {} is read-only; accepted: a writable array", place.callee.name, (place.name)()))
}
