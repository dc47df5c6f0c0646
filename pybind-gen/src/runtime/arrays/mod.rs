//! The direct way into a map kernel: it runs on NumPy's arrays where they lie, without the ufunc around it.
//!
//! NumPy's iterator copies operands that are broadcast over short rows, hands out transposed ones element by element, and takes longer for a few
//! elements than they do. None of that is needed for native, aligned arrays of the dtypes of a variant, numbers beside them, and outputs that are fresh,
//! or given and apart from all inputs but those that they replace. Whatever else there may be (casts, overlaps, `where=`, debug mode, nothing to
//! compute, errors) is the ufunc's: kernels are pure, so that it may run one again.

mod operands;

pub(super) use operands::Types;

use super::fp_status::FpStatus;
use super::pick::{self, Came};
use super::trace::{self, Loop};
use super::{debug, fault};
use lanecraft_backends::{KernelInfo, RunError, Variant, interruptible};
use lanecraft_core::DtypeId;
use lanecraft_core::map::MAX_OPERANDS;
use numpy::PY_ARRAY_API;
use numpy::npyffi::flags::NPY_ARRAY_F_CONTIGUOUS;
use numpy::npyffi::npy_intp;
use numpy::npyffi::objects::PyArrayObject;
use operands::{Layout, MAX_RANK, Operands, Steps};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// Up to this many elements the GIL is kept, as NumPy does.
pub(super) const MAX_WITH_GIL: usize = 500;
/// More elements than this, of any dtype, are more bytes than memory has.
const MOST: usize = isize::MAX as usize / 8;

/// Runs the kernel on what NumPy's ufunc would be called with, if it may: `out` is the argument of that name, and the last `run_time` inputs are values of
/// parameters. Null with an exception set for what it fails on; `None` where the ufunc is to be called.
///
/// # Safety
/// Python objects that outlive the call, with the GIL.
pub(super) unsafe fn call(
    py: Python<'_>,
    info: &KernelInfo,
    run_time: usize,
    args: &[*mut PyObject],
    out: Option<*mut PyObject>,
) -> Option<*mut PyObject> {
    let (inputs, outputs) = (info.arguments.len(), info.outputs);
    if args.len() != inputs || inputs + outputs > MAX_OPERANDS || debug::may_be_on() {
        return None;
    }
    let types = Types::get(py);
    let mut operands = Operands::new(inputs, outputs);
    let mut came = [Came::Dtype(DtypeId::Bool); MAX_OPERANDS];
    for (k, arg) in args.iter().enumerate() {
        // SAFETY: the caller's promise.
        came[k] = unsafe { operands.add_input(types, k, *arg)? };
    }
    // Values of parameters are the same for all elements.
    if !(inputs - run_time..inputs).all(|k| operands.is_single(k)) {
        return None;
    }
    let variant = pick::variant(info, &came[..inputs])?;
    let mut numbers = [[0_u8; 8]; MAX_OPERANDS];
    for (k, dtype) in variant.inputs.iter().chain(variant.outputs).enumerate() {
        operands.sizes[k] = dtype.size();
        if let Came::Number(number) = came[k] {
            numbers[k] = number.element(*dtype)?;
            operands.at[k] = numbers[k].as_mut_ptr();
        }
    }

    let mut results = Results { objects: [ptr::null_mut(); MAX_OPERANDS] };
    let objects = &mut results.objects[..outputs];
    if let Some(out) = out {
        // SAFETY: the caller's promise.
        unsafe { given(out, objects)? };
    }
    for (k, object) in objects.iter().enumerate().filter(|(_, object)| !object.is_null()) {
        // SAFETY: an object of which `results` has a reference.
        unsafe { operands.add_output(types, inputs + k, *object, variant.outputs[k])? };
    }
    // What is larger than memory is the ufunc's error.
    let count = operands.shape().iter().try_fold(1_usize, |count, n| count.checked_mul(*n)).filter(|count| *count <= MOST)?;
    if operands.shape().is_empty() || count == 0 || !(inputs..inputs + outputs).all(|k| operands.may_be_written(k)) {
        return None;
    }
    let layout = operands.layout();
    let mut steps = operands.steps(layout);
    // SAFETY: the objects are null or arrays.
    if !unsafe { make(py, types, &mut operands, variant, layout, &mut steps, objects)? } {
        return Some(ptr::null_mut());
    }

    let line = [count];
    let shape = if layout == Layout::Any { operands.shape() } else { &line[..] };
    trace::note(info.name, || Loop {
        count,
        addresses: operands.at[..operands.count].iter().map(|at| at.addr()).collect(),
        steps: steps[shape.len() - 1][..operands.count].to_vec(),
        dims: Vec::new(),
        core_steps: Vec::new(),
        dtypes: [variant.inputs, variant.outputs].concat(),
    });
    let status = FpStatus::save();
    let released = (count > MAX_WITH_GIL).then(Released::new);
    // SAFETY: elements of the variant's dtypes, of arrays and numbers that the caller keeps; a number is read again and again. Outputs are fresh, or were
    // looked at by `may_be_written`.
    let run = || unsafe { variant.run_axes(shape, &operands.at, |axis| steps[axis]) };
    let ran = catch_unwind(AssertUnwindSafe(|| interruptible(fault::is_interrupted, run)));
    drop(released);
    drop(status);
    let Err(error) = ran.unwrap_or_else(|_| Err(RunError::Panic("in Lanecraft itself".to_owned()))) else {
        return Some(results.take(outputs));
    };
    let replaces = |k: usize| operands.at[..inputs].contains(&operands.at[k]);
    if matches!(error, RunError::Fault(_)) && !(inputs..inputs + outputs).any(replaces) {
        // The ufunc finds it again, and with that its place.
        return None;
    }
    fault::raise(info.name, count, &error);
    Some(ptr::null_mut())
}

/// Makes the outputs that were not given, with axes in the order in memory that NumPy would give them. `false` with an exception set where there is no memory; `None` where NumPy lacks a dtype.
///
/// # Safety
/// With the GIL; `objects` are null or Python objects.
unsafe fn make(
    py: Python<'_>,
    types: &Types,
    operands: &mut Operands<'_>,
    variant: &Variant,
    layout: Layout,
    steps: &mut Steps,
    objects: &mut [*mut PyObject],
) -> Option<bool> {
    let shape = operands.shape();
    let mut dims = [0 as npy_intp; MAX_RANK];
    for (dim, n) in dims.iter_mut().zip(shape) {
        *dim = *n as npy_intp;
    }
    let rank = shape.len();
    let order = if layout == Layout::Any { operands.axes_by_stride(steps) } else { [0; MAX_RANK] };
    for (k, object) in objects.iter_mut().enumerate().filter(|(_, object)| object.is_null()) {
        let operand = variant.inputs.len() + k;
        let mut strides = [0 as npy_intp; MAX_RANK];
        let mut own = ptr::null_mut();
        if layout == Layout::Any {
            let mut next = operands.sizes[operand] as npy_intp;
            for axis in order.iter().copied().take(rank) {
                steps[axis][operand] = if dims[axis] == 1 { 0 } else { next };
                strides[axis] = next;
                next *= dims[axis];
            }
            own = strides.as_mut_ptr();
        }
        let flags = if layout == Layout::Fortran { NPY_ARRAY_F_CONTIGUOUS } else { 0 };
        let descr = types.descr(variant.outputs[k])?;
        // SAFETY: a descriptor, of which the call takes a reference; as many sizes and strides as axes. What it gives is an array.
        unsafe {
            ffi::Py_INCREF(descr.cast());
            let null = ptr::null_mut();
            *object = PY_ARRAY_API.PyArray_NewFromDescr(
                py,
                types.array(),
                descr,
                rank as c_int,
                dims.as_mut_ptr(),
                own,
                null,
                flags,
                null.cast(),
            );
            if object.is_null() {
                return Some(false);
            }
            operands.at[operand] = (*object.cast::<PyArrayObject>()).fields.data.cast();
        }
    }
    Some(true)
}

/// The outputs that `out` gives, each with a reference, null where there is none; `None` for what is not one for each output.
///
/// # Safety
/// A Python object, with the GIL.
unsafe fn given(out: *mut PyObject, objects: &mut [*mut PyObject]) -> Option<()> {
    // SAFETY: the caller's promise; a tuple's items are asked for within its size.
    unsafe {
        let give = |to: &mut *mut PyObject, object: *mut PyObject| {
            if object != ffi::Py_None() {
                ffi::Py_INCREF(object);
                *to = object;
            }
        };
        if ffi::Py_TYPE(out) == &raw mut ffi::PyTuple_Type {
            if ffi::PyTuple_Size(out) as usize != objects.len() {
                return None;
            }
            objects.iter_mut().enumerate().for_each(|(k, to)| give(to, ffi::PyTuple_GetItem(out, k as isize)));
            return Some(());
        }
        match objects {
            [to] => give(to, out),
            _ if out == ffi::Py_None() => {}
            _ => return None,
        }
        Some(())
    }
}

/// The results of a call, each with a reference, or null.
struct Results {
    objects: [*mut PyObject; MAX_OPERANDS],
}

impl Results {
    /// What the call returns: the result, or a tuple of several. Null with an exception set where there is no memory.
    fn take(mut self, count: usize) -> *mut PyObject {
        let take = |object: &mut *mut PyObject| std::mem::replace(object, ptr::null_mut());
        if count == 1 {
            return take(&mut self.objects[0]);
        }
        // SAFETY: with the GIL; the tuple takes the references.
        unsafe {
            let tuple = ffi::PyTuple_New(count as isize);
            if !tuple.is_null() {
                self.objects.iter_mut().enumerate().take(count).for_each(|(k, object)| {
                    ffi::PyTuple_SetItem(tuple, k as isize, take(object));
                });
            }
            tuple
        }
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        for object in self.objects {
            // SAFETY: a reference of ours, or null, with the GIL.
            unsafe { ffi::Py_XDECREF(object) };
        }
    }
}

/// As long as it lives, other threads may have the GIL.
///
/// PyO3's `detach` would not do: it counts attachments, and does not know of this call.
pub(super) struct Released(*mut ffi::PyThreadState);

impl Released {
    fn new() -> Self {
        // SAFETY: this thread has the GIL.
        Self(unsafe { ffi::PyEval_SaveThread() })
    }

    /// Where this thread has the GIL.
    pub(super) fn if_held() -> Option<Self> {
        // SAFETY: a pair on this thread. The stable ABI has no other way to ask; who does not have it gets it for a moment, and waits if another thread has.
        let held = unsafe {
            let state = ffi::PyGILState_Ensure();
            ffi::PyGILState_Release(state);
            state == ffi::PyGILState_STATE::PyGILState_LOCKED
        };
        held.then(Self::new)
    }
}

impl Drop for Released {
    fn drop(&mut self) {
        // SAFETY: the state that `new` got, on the same thread.
        unsafe { ffi::PyEval_RestoreThread(self.0) };
    }
}
