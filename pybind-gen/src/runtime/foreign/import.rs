//! From an array of another library to a NumPy array over the same memory.

use super::Callee;
use super::library::Library;
use crate::runtime::descr;
use dlpark::DlpackFlags;
use dlpark::TensorRef;
use dlpark::ffi::{DLDataType, DLDevice, DLDeviceType, DLManagedTensor, DLManagedTensorVersioned, DLTensor};
use dlpark::python::{ImportedDlpack, from_dlpack};
use lanecraft_core::DtypeId;
use numpy::npyffi::flags::NPY_ARRAY_WRITEABLE;
use numpy::npyffi::{NPY_TYPES, NpyTypes, PY_ARRAY_API, get_type_object, npy_intp};
use numpy::{PyArrayDescr, PyArrayDescrMethods};
use pyo3::exceptions::{PyBufferError, PyException, PyMemoryError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use std::ffi::{CStr, c_int, c_void};

/// The newest DLPack that is understood.
pub(super) const MAX_VERSION: (u32, u32) = (1, 3);

/// An argument: whose, and in which place.
pub(super) struct Place<'a> {
    pub(super) callee: Callee,
    pub(super) library: &'static Library,
    /// Whether it is written to.
    pub(super) output: bool,
    /// Its name in messages.
    pub(super) name: &'a dyn Fn() -> String,
}

impl Place<'_> {
    #[cold]
    pub(super) fn refuse(&self, what: impl std::fmt::Display) -> PyErr {
        self.callee.error(format!("{} {what}", (self.name)()))
    }

    #[cold]
    fn on_device(&self, device: &str) -> PyErr {
        self.refuse(format!("is on device {device}; accepted: arrays in CPU memory"))
    }
}

/// Keeps an array of another library alive as long as NumPy's view of it.
#[pyclass(frozen, module = "lanecraft")]
struct Owner {
    _tensor: ImportedDlpack,
}

/// NumPy's view of an array. `exchange`: whether it is of a type that the library's exchange API is for.
pub(super) fn view<'py>(value: &Bound<'py, PyAny>, exchange: bool, place: &Place<'_>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    if place.output && place.library.immutable {
        let library = &place.library.name;
        return Err(place.refuse(format!("is an array of {library}, whose arrays never change; accepted: no output, or None")));
    }
    if place.library.is_torch() {
        torch_checks(value, place)?;
    }
    if exchange && let Some(api) = &place.library.exchange {
        // The tensor itself is the owner: NumPy's view keeps it, as `Tensor.numpy()` does.
        return match api.0.with_tensor_view_no_sync(value.as_borrowed(), |tensor, _| array(tensor, value, value, true, place)) {
            Ok(array) => array,
            Err(error) => Err(torch_refusal(value, error, place)),
        };
    }
    if place.library.from_dlpack.is_none() {
        return Err(place.on_device("cuda"));
    }
    let device = value.call_method0(intern!(py, "__dlpack_device__")).and_then(|device| device.extract::<(u32, i32)>());
    let device = device.map_err(|error| cannot(value, error, place))?;
    if !is_cpu(DLDeviceType(device.0)) {
        return Err(place.on_device(&device_name(DLDevice { device_type: DLDeviceType(device.0), device_id: device.1 })));
    }
    let imported = capsule(value, place.output).and_then(|capsule| taken(&capsule));
    let imported = imported.map_err(|error| cannot(value, error, place))?;
    let flags = imported.flags();
    let writable = !flags.contains(DlpackFlags::READ_ONLY);
    if place.output && (!writable || flags.contains(DlpackFlags::IS_COPIED)) {
        let what = if writable { "was copied by its library on the way" } else { "is read-only" };
        return Err(PyValueError::new_err(format!("{}(): {} {what}; accepted: a writable array", place.callee.name, (place.name)())));
    }
    let owner = Bound::new(py, Owner { _tensor: imported })?;
    let tensor = match &owner.get()._tensor {
        // SAFETY: the descriptor lives and stays as it is as long as its owner.
        ImportedDlpack::Legacy(tensor) => unsafe { tensor.tensor() },
        // SAFETY: as above.
        ImportedDlpack::Versioned(tensor) => unsafe { tensor.tensor() },
    };
    array(tensor, value, owner.as_any(), writable, place)
}

/// Asks for a capsule: a versioned one, and of those who do not know the question, an old one. What is written to must not be a copy.
fn capsule<'py>(value: &Bound<'py, PyAny>, output: bool) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let kwargs = PyDict::new(py);
    kwargs.set_item(intern!(py, "max_version"), MAX_VERSION)?;
    if output {
        kwargs.set_item(intern!(py, "copy"), false)?;
    }
    match value.call_method(intern!(py, "__dlpack__"), (), Some(&kwargs)) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => value.call_method0(intern!(py, "__dlpack__")),
        result => result,
    }
}

/// More axes than NumPy has.
const MAX_AXES: i32 = 64;

/// What a capsule holds, unless it says that it has so many axes that their lengths could not be read.
pub(super) fn taken(capsule: &Bound<'_, PyAny>) -> PyResult<ImportedDlpack> {
    let pointer = |name: &CStr| {
        // SAFETY: a Python object, and a name that outlives the call.
        let is_it = unsafe { ffi::PyCapsule_IsValid(capsule.as_ptr(), name.as_ptr()) } != 0;
        // SAFETY: a valid capsule of this name.
        is_it.then(|| unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), name.as_ptr()) })
    };
    // SAFETY: what capsules of these names hold. Of a version to come only its number is known.
    let axes = unsafe {
        if let Some(tensor) = pointer(c"dltensor") {
            Some((*tensor.cast::<DLManagedTensor>()).dl_tensor.ndim)
        } else {
            let versioned = pointer(c"dltensor_versioned").map(<*mut c_void>::cast::<DLManagedTensorVersioned>);
            versioned.filter(|tensor| (**tensor).version.major == MAX_VERSION.0).map(|tensor| (*tensor).dl_tensor.ndim)
        }
    };
    match axes {
        Some(axes) if axes > MAX_AXES => {
            Err(PyBufferError::new_err(format!("number of dimensions must be within [0, {MAX_AXES}], it is {axes}")))
        }
        _ => from_dlpack(capsule.as_borrowed(), None, None),
    }
}

/// What the exchange API of torch does not refuse and must not pass: gradients would be lost, and a sign.
pub(super) fn torch_checks(value: &Bound<'_, PyAny>, place: &Place<'_>) -> PyResult<()> {
    let py = value.py();
    if value.getattr(intern!(py, "requires_grad"))?.is_truthy()?
        && py.import(intern!(py, "torch"))?.call_method0(intern!(py, "is_grad_enabled"))?.is_truthy()?
    {
        return Err(place.refuse(
            "is a tensor that requires grad, and kernels have no gradient; accepted: x.detach(), or the call under torch.no_grad()",
        ));
    }
    if value.call_method0(intern!(py, "is_neg"))?.is_truthy()? {
        return Err(place.refuse("is a tensor that is negated lazily; accepted: x.resolve_neg()"));
    }
    Ok(())
}

/// Tells torch that a tensor changes: where a graph holds it for its backward pass, that pass is then an error, and not a wrong gradient.
pub(super) fn torch_writes(tensor: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = tensor.py();
    // Those of inference mode are on no graph, and have no versions.
    if tensor.call_method0(intern!(py, "is_inference"))?.is_truthy()? {
        return Ok(());
    }
    static INCREMENT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    INCREMENT.import(py, "torch.autograd.graph", "increment_version")?.call1((tensor,))?;
    Ok(())
}

/// Why torch has not shown a tensor.
#[cold]
fn torch_refusal(value: &Bound<'_, PyAny>, error: PyErr, place: &Place<'_>) -> PyErr {
    let py = value.py();
    let text = |name: &str| value.getattr(name).and_then(|found| found.str()).map(|text| text.to_string()).unwrap_or_default();
    let layout = text("layout");
    let device = text("device");
    let refusal = match () {
        () if layout != "torch.strided" => place.refuse(format!("is a tensor of layout {layout}; accepted: dense tensors (x.to_dense())")),
        () if device != "cpu" => place.on_device(&device),
        () => return cannot(value, error, place),
    };
    refusal.set_cause(py, Some(error));
    refusal
}

/// An array that cannot be described, or whose description makes no sense.
#[cold]
fn cannot(value: &Bound<'_, PyAny>, error: PyErr, place: &Place<'_>) -> PyErr {
    let py = value.py();
    // Ctrl-C, and memory that is used up, are no matter of the array.
    if !error.is_instance_of::<PyException>(py) || error.is_instance_of::<PyMemoryError>(py) {
        return error;
    }
    let class = value.get_type().fully_qualified_name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    let text = error.value(py).str().map_or_else(|_| String::new(), |text| text.to_string());
    // torch adds a C++ backtrace.
    let line = text.lines().next().unwrap_or_default();
    let refusal = place.refuse(format!("is a {class} that DLPack does not describe: {line}"));
    refusal.set_cause(py, Some(error));
    refusal
}

pub(super) fn is_cpu(device: DLDeviceType) -> bool {
    // Memory of the host that a GPU sees too is memory of the host.
    [DLDeviceType::CPU, DLDeviceType::CUDAHOST, DLDeviceType::ROCMHOST].contains(&device)
}

fn device_name(device: DLDevice) -> String {
    let kind = match device.device_type {
        DLDeviceType::CUDA | DLDeviceType::CUDAMANAGED => "cuda",
        DLDeviceType::ROCM => "rocm",
        DLDeviceType::METAL => "metal",
        DLDeviceType::VULKAN => "vulkan",
        DLDeviceType::ONEAPI => "oneapi",
        DLDeviceType(other) => return format!("{other} (of DLPack's numbers)"),
    };
    format!("{kind}:{}", device.device_id)
}

/// A NumPy array over what `tensor` describes, which lives as long as `owner`. `value` is what came.
fn array<'py>(
    tensor: &DLTensor,
    value: &Bound<'py, PyAny>,
    owner: &Bound<'py, PyAny>,
    writable: bool,
    place: &Place<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = owner.py();
    if !is_cpu(tensor.device.device_type) {
        return Err(place.on_device(&device_name(tensor.device)));
    }
    let invalid = |error: dlpark::tensor::Error| cannot(value, PyBufferError::new_err(error.to_string()), place);
    // SAFETY: the producer's promise: shape and strides are there as long as the owner.
    let checked = unsafe { TensorRef::from_raw(tensor) }.map_err(invalid)?;
    let descr = descr(py, tensor.dtype, place)?;
    let size = descr.itemsize() as i64;
    let mut dims: Vec<npy_intp> = checked.shape().iter().map(|n| *n as npy_intp).collect();
    let empty = checked.num_elements() == 0;
    if tensor.data.is_null() && !empty {
        return Err(place.refuse("has no memory (a tensor of FakeTensorMode is one of this kind); accepted: arrays with values"));
    }
    // An empty array may have no address, and any steps: NumPy makes them.
    let (data, mut steps) = if empty {
        (std::ptr::null_mut(), None)
    } else {
        let strides = checked.strides_or_compact().map_err(invalid)?;
        let steps = reach(tensor, checked.shape(), &strides, size);
        let steps = steps.ok_or_else(|| cannot(value, PyBufferError::new_err("its strides or its offset overflow"), place))?;
        (tensor.data.cast::<u8>().wrapping_add(tensor.byte_offset as usize), Some(steps))
    };
    let steps = steps.as_mut().map_or(std::ptr::null_mut(), |steps| steps.as_mut_ptr());
    let flags = if writable { NPY_ARRAY_WRITEABLE } else { 0 };
    // SAFETY: NumPy checks rank and sizes, and copies both lists. It takes a reference to the descriptor, and one to the base, which
    // keeps the data alive.
    unsafe {
        let class = get_type_object(py, NpyTypes::PyArray_Type);
        let descr = descr.into_ptr().cast();
        let (ndim, dims) = (dims.len() as c_int, dims.as_mut_ptr());
        let array = PY_ARRAY_API.PyArray_NewFromDescr(py, class, descr, ndim, dims, steps, data.cast(), flags, std::ptr::null_mut());
        // More axes than NumPy has, for one.
        let array = Bound::from_owned_ptr_or_err(py, array).map_err(|error| cannot(value, error, place))?;
        if !empty && PY_ARRAY_API.PyArray_SetBaseObject(py, array.as_ptr().cast(), owner.clone().into_ptr()) < 0 {
            return Err(PyErr::fetch(py));
        }
        Ok(array)
    }
}

/// More bytes than addresses reach, of which CPUs know 56 bits.
const MOST: i64 = 1 << 57;

/// Bytes from element to element on each axis, of elements of `size` bytes; None where some would lie where there are no addresses.
fn reach(tensor: &DLTensor, shape: &[i64], strides: &[i64], size: i64) -> Option<Vec<npy_intp>> {
    let offset = i64::try_from(tensor.byte_offset).ok().filter(|offset| *offset <= MOST)?;
    let (mut low, mut high) = (offset, offset);
    let mut steps = Vec::with_capacity(shape.len());
    for (n, stride) in shape.iter().zip(strides) {
        // On an axis of one element the step means nothing.
        let step = if *n == 1 { stride.checked_mul(size).unwrap_or(size) } else { stride.checked_mul(size)? };
        let end = step.checked_mul(n - 1)?;
        (low, high) = (low.checked_add(end.min(0))?, high.checked_add(end.max(0))?);
        steps.push(step as npy_intp);
    }
    (low >= -MOST && high <= MOST).then_some(steps)
}

/// DLPack's dtypes that NumPy has too. Complex numbers are no kernel's; they are here so that the message about them is the usual one.
fn descr<'py>(py: Python<'py>, dtype: DLDataType, place: &Place<'_>) -> PyResult<Bound<'py, PyArrayDescr>> {
    if let Some((id, _)) = DTYPES.iter().find(|(_, known)| *known == dtype) {
        return descr::of(py, *id).ok_or_else(|| {
            place.refuse("is of dtype bfloat16, which NumPy has from the package `ml_dtypes`, and that is not installed; accepted: float32")
        });
    }
    let number = match dtype {
        DLDataType::C64 => NPY_TYPES::NPY_CFLOAT,
        DLDataType::C128 => NPY_TYPES::NPY_CDOUBLE,
        _ => {
            let (code, bits, lanes) = (dtype.code.0, dtype.bits, dtype.lanes);
            return Err(place.refuse(format!(
                "is of a dtype that NumPy lacks (DLPack's code {code}, {bits} bits, {lanes} lanes); accepted: bool, integers and floats"
            )));
        }
    };
    // SAFETY: a type of NumPy's own; the descriptor comes with a reference.
    let descr = unsafe { Bound::from_owned_ptr_or_err(py, PY_ARRAY_API.PyArray_DescrFromType(py, number as c_int).cast())? };
    Ok(descr.cast_into::<PyArrayDescr>()?)
}

/// The dtypes of kernels in DLPack.
pub(super) const DTYPES: &[(DtypeId, DLDataType)] = &[
    (DtypeId::F32, DLDataType::F32),
    (DtypeId::F64, DLDataType::F64),
    (DtypeId::F16, DLDataType::F16),
    (DtypeId::Bf16, DLDataType::BF16),
    (DtypeId::I64, DLDataType::I64),
    (DtypeId::I32, DLDataType::I32),
    (DtypeId::I16, DLDataType::I16),
    (DtypeId::I8, DLDataType::I8),
    (DtypeId::U64, DLDataType::U64),
    (DtypeId::U32, DLDataType::U32),
    (DtypeId::U16, DLDataType::U16),
    (DtypeId::U8, DLDataType::U8),
    (DtypeId::Bool, DLDataType::BOOL),
];
