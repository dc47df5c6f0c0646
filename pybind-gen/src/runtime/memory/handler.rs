//! NumPy's way to our memory, and away from it.

use super::{LARGE, Lie, allocate, free, header};
use crate::runtime::c_api;
use numpy::npyffi::flags::NPY_ARRAY_OWNDATA;
use numpy::npyffi::objects::PyArrayObject;
use numpy::npyffi::{NpyTypes, get_type_object};
use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use std::ffi::{c_char, c_void};
use std::ptr::NonNull;

/// The shape that arrays broadcast to, roughly: of each axis the longest, from the last one back.
pub(in crate::runtime) struct Extent([isize; Extent::AXES]);

impl Extent {
    const AXES: usize = 16;

    pub(in crate::runtime) fn new() -> Self {
        Self([1; Self::AXES])
    }

    /// # Safety
    /// `array` is a NumPy array.
    pub(in crate::runtime) unsafe fn add(&mut self, array: *mut ffi::PyObject) {
        // SAFETY: the caller's promise: it has as many sizes as axes.
        let sizes = unsafe {
            let fields = &(*array.cast::<PyArrayObject>()).fields;
            let rank = fields.nd as usize;
            if rank == 0 { &[] } else { std::slice::from_raw_parts(fields.dimensions, rank) }
        };
        for (to, n) in self.0.iter_mut().zip(sizes.iter().rev()) {
            *to = (*to).max(*n);
        }
    }

    /// Whether a result of this shape may be a large block. Elements of four bytes, say: the handler is asked for small blocks too.
    pub(in crate::runtime) fn is_large(&self) -> bool {
        self.0.iter().fold(1_usize, |product, n| product.saturating_mul(*n as usize)) >= LARGE / 4
    }

    /// Of all arrays among some arguments.
    pub(in crate::runtime) fn of(args: &Bound<'_, PyTuple>) -> Self {
        // SAFETY: NumPy's type object.
        let class = unsafe { get_type_object(args.py(), NpyTypes::PyArray_Type) };
        let mut extent = Self::new();
        for value in args.iter_borrowed().filter(|value| value.get_type_ptr() == class) {
            // SAFETY: it is of NumPy's type.
            unsafe { extent.add(value.as_ptr()) };
        }
        extent
    }
}

/// The data of an array that was made while [`Ours`] was installed.
pub(in crate::runtime) struct Buffer(NonNull<u8>);

// SAFETY: memory without an owner in Python; shared access to it is not offered.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// Memory for a result that no array of NumPy's has held.
    pub(in crate::runtime) fn new(size: usize) -> Option<Self> {
        allocate(size, Lie::Aligned).map(Self)
    }

    /// Takes an array's data away, if it is of [`For::Others`] and nobody else sees it. The array must not be used after that.
    pub(in crate::runtime) fn take(array: &Bound<'_, PyAny>) -> Option<Self> {
        let handler = For::Others.capsule().get(array.py())?.as_ptr();
        let object = array.as_ptr().cast::<ArrayObject>();
        // SAFETY: the caller's array is a NumPy array, which has these fields since NumPy 1.22 (numpy/ndarraytypes.h). With one
        // reference, no base and its own data from our handler, nobody else knows of the data; without the flag NumPy leaves it alone.
        unsafe {
            let fields = &mut (*object).array.fields;
            let mine = ffi::Py_REFCNT(array.as_ptr()) == 1 && fields.base.is_null() && fields.flags & NPY_ARRAY_OWNDATA != 0;
            if !mine || (*object).mem_handler != handler {
                return None;
            }
            fields.flags &= !NPY_ARRAY_OWNDATA;
            (*object).mem_handler = std::ptr::null_mut();
            ffi::Py_DECREF(handler);
            NonNull::new(fields.data.cast()).map(Self)
        }
    }

    pub(in crate::runtime) fn as_ptr(&self) -> *mut c_void {
        self.0.as_ptr().cast()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the data is from `allocate`, by our handler, and was taken from its array.
        unsafe { free(self.0) }
    }
}

/// A NumPy array with the two fields that the `numpy` crate leaves out.
#[repr(C)]
struct ArrayObject {
    array: PyArrayObject,
    buffer_info: *mut c_void,
    mem_handler: *mut ffi::PyObject,
}

/// NumPy's `PyDataMem_Handler` (numpy/ndarraytypes.h).
#[repr(C)]
struct Handler {
    name: [c_char; 127],
    version: u8,
    context: *mut c_void,
    malloc: unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void,
    calloc: unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void,
    realloc: unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void, *mut c_void, usize),
}

// SAFETY: it is only read, and its context is a number.
unsafe impl Sync for Handler {}

/// Who the results are for.
#[derive(Clone, Copy)]
pub(in crate::runtime) enum For {
    NumPy,
    /// Their data may be [taken](Buffer::take).
    Others,
}

impl For {
    fn handler(self) -> &'static Handler {
        static NUMPY: Handler = Handler::new(Lie::LikeNumPy);
        static OTHERS: Handler = Handler::new(Lie::Aligned);
        match self {
            Self::NumPy => &NUMPY,
            Self::Others => &OTHERS,
        }
    }

    fn capsule(self) -> &'static PyOnceLock<Py<PyAny>> {
        static NUMPY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        static OTHERS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        match self {
            Self::NumPy => &NUMPY,
            Self::Others => &OTHERS,
        }
    }
}

impl Handler {
    const fn new(lie: Lie) -> Self {
        Self {
            name: handler_name(),
            version: 1,
            // Not an address: which of the two it is.
            context: std::ptr::without_provenance_mut(lie as usize),
            malloc: numpy_malloc,
            calloc: numpy_calloc,
            realloc: numpy_realloc,
            free: numpy_free,
        }
    }
}

fn lie(context: *mut c_void) -> Lie {
    if context.addr() == Lie::Aligned as usize { Lie::Aligned } else { Lie::LikeNumPy }
}

const fn handler_name() -> [c_char; 127] {
    let (mut name, text) = ([0; 127], b"lanecraft");
    let mut k = 0;
    while k < text.len() {
        name[k] = text[k] as c_char;
        k += 1;
    }
    name
}

fn or_null(data: Option<NonNull<u8>>) -> *mut c_void {
    data.map_or(std::ptr::null_mut(), |data| data.as_ptr().cast())
}

unsafe extern "C" fn numpy_malloc(context: *mut c_void, size: usize) -> *mut c_void {
    or_null(allocate(size, lie(context)))
}

unsafe extern "C" fn numpy_calloc(context: *mut c_void, count: usize, size: usize) -> *mut c_void {
    let data = count.checked_mul(size).and_then(|size| Some((allocate(size, lie(context))?, size)));
    // SAFETY: fresh memory of this size.
    or_null(data.map(|(data, size)| unsafe {
        data.as_ptr().write_bytes(0, size);
        data
    }))
}

/// # Safety
/// Called by NumPy with null or what these functions gave.
unsafe extern "C" fn numpy_realloc(context: *mut c_void, old: *mut c_void, size: usize) -> *mut c_void {
    let new = allocate(size, lie(context));
    if let (Some(new), Some(old)) = (new, NonNull::new(old.cast::<u8>())) {
        // SAFETY: NumPy's promise; the header says how much the old block holds, and two blocks do not overlap.
        unsafe {
            let held = header(old).read().capacity;
            new.as_ptr().copy_from_nonoverlapping(old.as_ptr(), held.min(size));
            free(old);
        }
    }
    or_null(new)
}

/// # Safety
/// Called by NumPy with null or what these functions gave. The size that NumPy states is not used: it is wrong after some
/// changes of an array in place.
unsafe extern "C" fn numpy_free(_: *mut c_void, data: *mut c_void, _: usize) {
    if let Some(data) = NonNull::new(data.cast::<u8>()) {
        // SAFETY: NumPy's promise.
        unsafe { free(data) }
    }
}

/// As long as it lives, NumPy makes arrays of this thread (in fact of this context) from memory of ours.
pub(in crate::runtime) struct Ours<'py> {
    py: Python<'py>,
    set: SetHandler,
    before: *mut ffi::PyObject,
}

type SetHandler = unsafe extern "C" fn(*mut ffi::PyObject) -> *mut ffi::PyObject;

impl<'py> Ours<'py> {
    pub(in crate::runtime) fn install(py: Python<'py>, whose: For) -> PyResult<Self> {
        static SET: PyOnceLock<SetHandler> = PyOnceLock::new();
        let set = *SET.get_or_try_init(py, || {
            // SAFETY: NumPy 2's table holds a function of this type in this slot.
            PyResult::Ok(unsafe {
                std::mem::transmute::<*const c_void, SetHandler>(*c_api::table(py, c"_ARRAY_API")?.add(c_api::SET_HANDLER))
            })
        })?;
        let capsule = whose.capsule().get_or_try_init(py, || {
            let handler = std::ptr::from_ref(whose.handler()).cast_mut().cast();
            // SAFETY: a static, under the name that NumPy asks for.
            unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(handler, c"mem_handler".as_ptr(), None)).map(Bound::unbind) }
        })?;
        // SAFETY: a capsule of a handler. The one before comes with a reference.
        let before = unsafe { set(capsule.as_ptr()) };
        if before.is_null() {
            return Err(PyErr::take(py).unwrap_or_else(|| PyMemoryError::new_err("NumPy takes no memory handler")));
        }
        Ok(Self { py, set, before })
    }
}

impl Drop for Ours<'_> {
    fn drop(&mut self) {
        // An exception that is on its way stays on its way.
        let raised = PyErr::take(self.py);
        // SAFETY: the handler that was there before, with the reference that `install` got; what comes back is ours.
        unsafe {
            ffi::Py_XDECREF((self.set)(self.before));
            ffi::Py_DECREF(self.before);
        }
        if let Some(raised) = raised {
            raised.restore(self.py);
        }
    }
}
