//! The short way into a kernel.
//!
//! Python calls an object with a tuple and a dict, or, where its type has a function for that, with the arguments as they lie on the
//! interpreter's stack. PyO3 knows the first form alone, and copies both. So each class of kernels has a subclass of our own making that
//! has such a function: arguments that are NumPy arrays or Python numbers go on to the ufunc, which takes them in the same form, as they are. All
//! others take the way over PyO3.

use super::arrays::Types;
use super::memory::Extent;
use numpy::npyffi::objects::PyUFuncObject;
use pyo3::PyClass;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use std::any::Any;
use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// `Py_TPFLAGS_HAVE_VECTORCALL` and `PY_VECTORCALL_ARGUMENTS_OFFSET`: what they say has been so since Python 3.9 (PEP 590), but the headers
/// of the stable ABI name them only since 3.12.
const HAVE_VECTORCALL: std::ffi::c_ulong = 1 << 11;
const ARGUMENTS_OFFSET: usize = 1 << (usize::BITS - 1);

/// The property of a class of kernels that is `__doc__` of its subclass: PyO3 gives a class with `__new__` a docstring of its own.
const DOC: &str = "__lanecraft_doc__";

/// A class of kernels.
pub(super) trait Called: PyClass<Frozen = pyo3::pyclass::boolean_struct::True> + Send + Sync + 'static {
    /// What is known of the class once its first kernel is made.
    fn subclass() -> &'static PyOnceLock<Subclass>;

    /// The ufunc that a call comes down to, if it is always the same.
    fn direct(&self) -> Option<&Py<PyAny>>;

    /// A call, of any arguments.
    fn call<'py>(&self, args: &Bound<'py, PyTuple>, kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>>;

    /// A call without the ufunc, if it needs none: of an argument for each input, and perhaps `out`. Null with an exception set for what it fails on.
    ///
    /// # Safety
    /// Python objects that outlive the call, with the GIL.
    unsafe fn without_ufunc(&self, py: Python<'_>, args: &[*mut PyObject], out: Option<*mut PyObject>) -> Option<*mut PyObject>;

    /// The error to raise in place of the ufunc's.
    fn refused(&self, error: PyErr, args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> PyErr;
}

/// A class with the short way, and where its instances keep the [`Tail`].
pub(super) struct Subclass {
    class: Py<PyType>,
    offset: usize,
}

/// What an instance has behind the fields of its class.
#[repr(C)]
struct Tail {
    /// Read by Python.
    vectorcall: Option<ffi::vectorcallfunc>,
    /// The ufunc that [`Called::direct`] names, and its own function; or none.
    ufunc: *mut PyObject,
    function: Option<ffi::vectorcallfunc>,
}

/// A kernel on its way to the object that holds it. Users cannot make one, so they cannot make kernels either.
#[pyclass(frozen, module = "lanecraft")]
pub(super) struct Seed(Mutex<Option<Box<dyn Any + Send>>>);

impl Seed {
    /// For the `__new__` of the class.
    pub(super) fn take<T: 'static>(&self) -> PyResult<T> {
        let value = self.0.lock().ok().and_then(|mut held| held.take()).and_then(|value| value.downcast::<T>().ok());
        value.map(|value| *value).ok_or_else(|| PyTypeError::new_err("kernels come with their module"))
    }
}

/// Makes the object of a kernel.
pub(super) fn object<T: Called>(py: Python<'_>, value: T) -> PyResult<Bound<'_, T>> {
    let subclass = T::subclass().get_or_try_init(py, || subclass::<T>(py))?;
    let seed = Bound::new(py, Seed(Mutex::new(Some(Box::new(value)))))?;
    let object = subclass.class.bind(py).call1((seed,))?.cast_into::<T>()?;
    let (ufunc, function) = match object.get().direct() {
        // SAFETY: a NumPy ufunc; the field holds a function of this type or null.
        Some(ufunc) => unsafe {
            let fields = &(*ufunc.as_ptr().cast::<PyUFuncObject>()).fields;
            (ufunc.as_ptr(), std::mem::transmute::<*mut c_void, Option<ffi::vectorcallfunc>>(fields.vectorcall))
        },
        None => (std::ptr::null_mut(), None),
    };
    // SAFETY: instances of the subclass have room for the tail there. The ufunc lives as long as the kernel, which owns it.
    unsafe { tail(object.as_ptr(), subclass.offset).write(Tail { vectorcall: Some(vectorcall::<T>), ufunc, function }) };
    Ok(object)
}

fn tail(object: *mut PyObject, offset: usize) -> *mut Tail {
    object.cast::<u8>().wrapping_add(offset).cast()
}

/// A subclass whose instances have a tail.
fn subclass<T: Called>(py: Python<'_>) -> PyResult<Subclass> {
    const READ_ONLY: c_int = 1;
    const SSIZE: c_int = 19;
    let base = T::type_object(py);
    let size: usize = base.getattr("__basicsize__")?.extract()?;
    let offset = size.next_multiple_of(align_of::<Tail>());
    let member = |name: *const c_char, offset| ffi::PyMemberDef { name, type_code: SSIZE, offset, flags: READ_ONLY, doc: std::ptr::null() };
    let mut members = [member(c"__vectorcalloffset__".as_ptr(), offset as isize), ffi::PyMemberDef::default()];
    let mut slots = [
        ffi::PyType_Slot { slot: ffi::Py_tp_members, pfunc: members.as_mut_ptr().cast() },
        ffi::PyType_Slot { slot: 0, pfunc: std::ptr::null_mut() },
    ];
    let name = std::ffi::CString::new(format!("lanecraft.{}", T::NAME)).map_err(|e| PyRuntimeError::new_err(e.to_string()))?;
    let mut spec = ffi::PyType_Spec {
        name: name.into_raw(),
        basicsize: (offset + size_of::<Tail>()) as c_int,
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT | HAVE_VECTORCALL) as u32,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: a specification as Python asks for; it copies the members, and the name lives for ever.
    let class = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpecWithBases(&mut spec, base.as_ptr()))? };
    // Python gives each class these two, which would hide the properties of the base.
    for (name, property) in [("__doc__", DOC), ("__module__", "__module__")] {
        class.setattr(name, base.getattr("__dict__")?.get_item(property)?)?;
    }
    Ok(Subclass { class: class.cast_into::<PyType>()?.unbind(), offset })
}

/// Calls a kernel with arguments as they lie on Python's stack: `count` positional ones, then those that `names` names.
///
/// # Safety
/// Called by Python, with the GIL, for an object that [`object`] made.
unsafe extern "C" fn vectorcall<T: Called>(
    object: *mut PyObject,
    args: *const *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: Python's promise: the object has a tail, and as many arguments as `count`, less a flag, and `names` say.
    unsafe {
        let py = Python::assume_attached();
        let Some(subclass) = T::subclass().get(py) else { return std::ptr::null_mut() };
        let tail = &*tail(object, subclass.offset);
        let positional = count & !ARGUMENTS_OFFSET;
        let named = if names.is_null() { 0 } else { ffi::PyTuple_Size(names) as usize };
        let values = if positional + named == 0 { &[] } else { std::slice::from_raw_parts(args, positional + named) };
        let mut refused = false;
        if let Some(function) = tail.function
            && is_plain(Types::get(py), values)
            && !limits_threads(names)
        {
            let done = match out(&values[positional..], names) {
                Some(out) => {
                    let kernel = Bound::from_borrowed_ptr(py, object).cast_into_unchecked::<T>();
                    kernel.get().without_ufunc(py, &values[..positional], out)
                }
                None => None,
            };
            let result = done.unwrap_or_else(|| function(tail.ufunc, args, count, names));
            if !result.is_null() {
                return result;
            }
            refused = true;
        }
        long_way::<T>(object, values, positional, names, refused)
    }
}

/// The value of `out`, the only keyword if there is any; `None` where there are others.
///
/// # Safety
/// `names` is null, or a tuple of as many strings as there are `values`.
unsafe fn out(values: &[*mut PyObject], names: *mut PyObject) -> Option<Option<*mut PyObject>> {
    match values {
        [] => Some(None),
        // SAFETY: the caller's promise.
        [value] => unsafe {
            let is_out = ffi::PyUnicode_CompareWithASCIIString(ffi::PyTuple_GetItem(names, 0), c"out".as_ptr()) == 0;
            is_out.then_some(Some(*value))
        },
        _ => None,
    }
}

/// Whether there is a keyword that is not the ufunc's: `threads`.
///
/// # Safety
/// Null, or a tuple of strings.
unsafe fn limits_threads(names: *mut PyObject) -> bool {
    // SAFETY: the caller's promise.
    let count = if names.is_null() { 0 } else { unsafe { ffi::PyTuple_Size(names) } };
    // SAFETY: the index is below the size, and the item a string.
    (0..count).any(|k| unsafe { ffi::PyUnicode_CompareWithASCIIString(ffi::PyTuple_GetItem(names, k), c"threads".as_ptr()) == 0 })
}

/// Whether the arguments are NumPy arrays and scalars, numbers and words, and no result of theirs is large.
///
/// # Safety
/// They are Python objects.
unsafe fn is_plain(types: &Types, values: &[*mut PyObject]) -> bool {
    let mut extent = Extent::new();
    for value in values {
        // SAFETY: a Python object; of NumPy's array type it is an array.
        unsafe {
            let of = ffi::Py_TYPE(*value);
            if of == types.array() {
                extent.add(*value);
            } else if of != &raw mut ffi::PyFloat_Type
                && of != &raw mut ffi::PyLong_Type
                && of != &raw mut ffi::PyBool_Type
                && of != &raw mut ffi::PyUnicode_Type
                && *value != ffi::Py_None()
                && types.scalar(of).is_none()
            {
                return false;
            }
        }
    }
    !extent.is_large()
}

/// The call with a tuple and a dict; after the ufunc has `refused`, the error alone.
///
/// # Safety
/// As for [`vectorcall`].
#[cold]
unsafe fn long_way<T: Called>(
    object: *mut PyObject,
    values: &[*mut PyObject],
    positional: usize,
    names: *mut PyObject,
    refused: bool,
) -> *mut PyObject {
    let call = |py: Python<'_>| -> PyResult<*mut PyObject> {
        // SAFETY: the caller's promise.
        let (object, values, names) = unsafe {
            let values: Vec<_> = values.iter().map(|value| Bound::from_borrowed_ptr(py, *value)).collect();
            (Bound::from_borrowed_ptr(py, object), values, Bound::from_borrowed_ptr_or_opt(py, names))
        };
        let error = if refused { PyErr::take(py) } else { None };
        let object = object.cast_into::<T>()?;
        let args = PyTuple::new(py, &values[..positional])?;
        let kwargs = match names {
            Some(names) => {
                let kwargs = PyDict::new(py);
                for (name, value) in names.cast::<PyTuple>()?.iter().zip(&values[positional..]) {
                    kwargs.set_item(name, value)?;
                }
                Some(kwargs)
            }
            None => None,
        };
        match error {
            Some(error) => Err(object.get().refused(error, &args, kwargs.as_ref())),
            None => object.get().call(&args, kwargs.as_ref()).map(Bound::into_ptr),
        }
    };
    Python::attach(|py| {
        let result = catch_unwind(AssertUnwindSafe(|| call(py)));
        let result = result.unwrap_or_else(|_| Err(PyRuntimeError::new_err("a panic in Lanecraft itself")));
        result.unwrap_or_else(|error| {
            error.restore(py);
            std::ptr::null_mut()
        })
    })
}
