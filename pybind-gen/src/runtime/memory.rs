//! The memory of results.
//!
//! A fresh array of 64 MiB costs more than most kernels: the kernel of the system has to find and clear its pages first. So large
//! blocks are kept when their array goes, up to [`LIMIT`] bytes, and given out again. NumPy takes its memory from here while [`Ours`]
//! is installed: its own way to have arrays of other allocators, each of which remembers where it came from.
//!
//! The same way serves other libraries. What an array of ours points to can be [taken](Buffer::take) from it, and then belongs to whoever holds the
//! [`Buffer`]: no Python object, so that it may be freed on any thread, with or without the GIL, at any time.

use super::c_api;
use numpy::npyffi::flags::NPY_ARRAY_OWNDATA;
use numpy::npyffi::objects::PyArrayObject;
use numpy::npyffi::{NpyTypes, get_type_object};
use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use std::alloc::{Layout, alloc, dealloc};
use std::ffi::{c_char, c_void};
use std::ptr::NonNull;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Blocks of this size and more are kept.
pub(super) const LARGE: usize = 1 << 20;
/// Bytes that are kept at most.
const LIMIT: usize = 256 << 20;
/// Alignment of the data, and the room of the header in front of it. JAX copies what is aligned to less.
const ALIGN: usize = 64;
/// Blocks of this size and more lie on huge pages, where the system has them.
const HUGE: usize = 4 << 20;
const HUGE_PAGE: usize = 2 << 20;

/// What stands in front of a block's data.
#[repr(C)]
struct Header {
    /// Bytes of the data.
    capacity: usize,
}

/// Blocks that are free, the oldest first.
static FREE: Mutex<Vec<Block>> = Mutex::new(Vec::new());
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static NEW: AtomicUsize = AtomicUsize::new(0);
static REUSED: AtomicUsize = AtomicUsize::new(0);

/// A block that nobody uses.
struct Block(NonNull<u8>);

// SAFETY: a block is memory and nothing else.
unsafe impl Send for Block {}

impl Block {
    fn capacity(&self) -> usize {
        // SAFETY: `allocate` put a header in front of each block's data.
        unsafe { header(self.0).read().capacity }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: `allocate` got the block with this layout, and nobody uses it.
        unsafe { dealloc(header(self.0).cast(), layout(self.capacity())) }
    }
}

fn header(data: NonNull<u8>) -> *mut Header {
    // Within the block, whose start it is.
    data.as_ptr().wrapping_sub(ALIGN).cast()
}

fn layout(capacity: usize) -> Layout {
    let align = if capacity >= HUGE { HUGE_PAGE } else { ALIGN };
    // SAFETY: a power of two; `allocate` has checked the size.
    unsafe { Layout::from_size_align_unchecked(capacity + ALIGN, align) }
}

/// Sizes of large blocks are rounded up, by at most an eighth, so that they fit more often.
fn capacity_for(size: usize) -> Option<usize> {
    if size < LARGE {
        return Some(size);
    }
    let step = size.checked_next_power_of_two()? / 16;
    size.checked_add(ALIGN)?.checked_next_multiple_of(step)?.checked_sub(ALIGN).filter(|n| *n < isize::MAX as usize - HUGE_PAGE)
}

fn allocate(size: usize) -> Option<NonNull<u8>> {
    let capacity = capacity_for(size)?;
    if capacity >= LARGE {
        IN_USE.fetch_add(capacity, Ordering::Relaxed);
        // A lock that is held is not waited for: after a fork it may be held for ever.
        let kept = FREE.try_lock().ok().and_then(|mut free| {
            let at = free.iter().rposition(|block| block.capacity() == capacity)?;
            Some(free.remove(at))
        });
        if let Some(block) = kept {
            REUSED.fetch_add(1, Ordering::Relaxed);
            let data = block.0;
            std::mem::forget(block);
            return Some(data);
        }
        NEW.fetch_add(1, Ordering::Relaxed);
    }
    let layout = layout(capacity);
    // SAFETY: the size is not zero.
    let start = NonNull::new(unsafe { alloc(layout) });
    let Some(start) = start else {
        if capacity >= LARGE {
            IN_USE.fetch_sub(capacity, Ordering::Relaxed);
        }
        return None;
    };
    #[cfg(target_os = "linux")]
    if capacity >= HUGE {
        // SAFETY: advice on memory that is ours; where it is refused nothing changes.
        unsafe { libc::madvise(start.as_ptr().cast(), layout.size() & !(HUGE_PAGE - 1), libc::MADV_HUGEPAGE) };
    }
    // SAFETY: the block has room for the header and as many bytes of data behind it.
    unsafe {
        start.cast::<Header>().write(Header { capacity });
        Some(start.add(ALIGN))
    }
}

/// # Safety
/// `data` is from [`allocate`], and nobody uses it any more.
unsafe fn free(data: NonNull<u8>) {
    let block = Block(data);
    let capacity = block.capacity();
    if capacity < LARGE {
        return;
    }
    IN_USE.fetch_sub(capacity, Ordering::Relaxed);
    let mut gone = Vec::new();
    if let Ok(mut free) = FREE.try_lock() {
        free.push(block);
        let mut kept: usize = free.iter().map(Block::capacity).sum();
        while kept > LIMIT {
            let oldest = free.remove(0);
            kept -= oldest.capacity();
            gone.push(oldest);
        }
    }
    // Given back to the system without the lock.
    drop(gone);
}

/// Whether a result of these arguments may be a large block: a guess from above, by the shape that they broadcast to.
#[inline]
pub(super) fn is_large(args: &Bound<'_, PyTuple>) -> bool {
    const AXES: usize = 16;
    // SAFETY: NumPy's type object.
    let class = unsafe { get_type_object(args.py(), NpyTypes::PyArray_Type) };
    let mut shape = [1; AXES];
    for value in args.iter_borrowed() {
        if value.get_type_ptr() != class {
            continue;
        }
        // SAFETY: a NumPy array, with as many sizes as it has axes.
        let sizes = unsafe {
            let fields = &(*value.as_ptr().cast::<PyArrayObject>()).fields;
            let rank = fields.nd as usize;
            if rank == 0 { &[] } else { std::slice::from_raw_parts(fields.dimensions, rank) }
        };
        for (to, n) in shape.iter_mut().zip(sizes.iter().rev()) {
            *to = (*to).max(*n);
        }
    }
    // Elements of four bytes, say: the handler is asked for small blocks too.
    shape.iter().fold(1_usize, |product, n| product.saturating_mul(*n as usize)) >= LARGE / 4
}

/// What [`report`] says: bytes, and numbers of blocks.
pub(super) struct Report {
    pub(super) in_use: usize,
    pub(super) kept: usize,
    pub(super) limit: usize,
    pub(super) new: usize,
    pub(super) reused: usize,
}

/// The large blocks of this module.
pub(super) fn report() -> Report {
    let kept = FREE.lock().map_or(0, |free| free.iter().map(Block::capacity).sum());
    let load = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    Report { in_use: load(&IN_USE), kept, limit: LIMIT, new: load(&NEW), reused: load(&REUSED) }
}

/// Gives what is kept back to the system. How many bytes that were.
pub(super) fn release() -> usize {
    let kept = FREE.lock().map(|mut free| std::mem::take(&mut *free)).unwrap_or_default();
    kept.iter().map(Block::capacity).sum()
}

/// The data of an array that was made while [`Ours`] was installed.
pub(super) struct Buffer(NonNull<u8>);

// SAFETY: memory without an owner in Python; shared access to it is not offered.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// Takes an array's data away, if it is an array of ours that nobody else sees. The array must not be used after that.
    pub(super) fn take(array: &Bound<'_, PyAny>) -> Option<Self> {
        let handler = HANDLER_CAPSULE.get(array.py())?.as_ptr();
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

    pub(super) fn as_ptr(&self) -> *mut c_void {
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

// SAFETY: it is only read, and its context is null.
unsafe impl Sync for Handler {}

static HANDLER: Handler = Handler {
    name: handler_name(),
    version: 1,
    context: std::ptr::null_mut(),
    malloc: numpy_malloc,
    calloc: numpy_calloc,
    realloc: numpy_realloc,
    free: numpy_free,
};

static HANDLER_CAPSULE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

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

unsafe extern "C" fn numpy_malloc(_: *mut c_void, size: usize) -> *mut c_void {
    or_null(allocate(size))
}

unsafe extern "C" fn numpy_calloc(_: *mut c_void, count: usize, size: usize) -> *mut c_void {
    let data = count.checked_mul(size).and_then(|size| Some((allocate(size)?, size)));
    // SAFETY: fresh memory of this size.
    or_null(data.map(|(data, size)| unsafe {
        data.as_ptr().write_bytes(0, size);
        data
    }))
}

/// # Safety
/// Called by NumPy with null or what these functions gave.
unsafe extern "C" fn numpy_realloc(_: *mut c_void, old: *mut c_void, size: usize) -> *mut c_void {
    let new = allocate(size);
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
pub(super) struct Ours<'py> {
    py: Python<'py>,
    set: SetHandler,
    before: *mut ffi::PyObject,
}

type SetHandler = unsafe extern "C" fn(*mut ffi::PyObject) -> *mut ffi::PyObject;

impl<'py> Ours<'py> {
    pub(super) fn install(py: Python<'py>) -> PyResult<Self> {
        static SET: PyOnceLock<SetHandler> = PyOnceLock::new();
        let set = *SET.get_or_try_init(py, || {
            // SAFETY: NumPy 2's table holds a function of this type in this slot.
            PyResult::Ok(unsafe {
                std::mem::transmute::<*const c_void, SetHandler>(*c_api::table(py, c"_ARRAY_API")?.add(c_api::SET_HANDLER))
            })
        })?;
        let capsule = HANDLER_CAPSULE.get_or_try_init(py, || {
            let handler = (&raw const HANDLER).cast_mut().cast();
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
