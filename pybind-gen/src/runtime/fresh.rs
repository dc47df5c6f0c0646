//! Outputs of block kernels that may leave elements as they are: where such an output is new, it is filled with zeros first, since NumPy gives
//! memory as it finds it; where the caller gives it, it stays as it is.
//!
//! A gufunc's loop cannot tell one from the other. For a call of the kernel's object it is noted ([`Given`]). Where the gufunc is called on its own,
//! by a user or by dask on a worker, all such outputs are filled.

use lanecraft_backends::block::variant::Call;
use lanecraft_backends::{BlockInfo, BlockVariant};
use numpy::npyffi::{PyUFuncObject, flags};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::cell::Cell;
use std::ptr;

/// What NumPy asks of its iterator for the outputs of a gufunc, but that they are read too.
const KEEPING: u32 = flags::NPY_ITER_READWRITE
    | flags::NPY_ITER_UPDATEIFCOPY
    | flags::NPY_ITER_ALIGNED
    | flags::NPY_ITER_ALLOCATE
    | flags::NPY_ITER_NO_SUBTYPE
    | flags::NPY_ITER_NO_BROADCAST;

/// A kernel, and which of its outputs a call has made anew, as bits.
type Outputs = (*const BlockInfo, u64);

thread_local! {
    /// Those of the call on this thread. The kernel is named, since a call may run others: in hooks of array classes, say.
    static FRESH: Cell<Outputs> = const { Cell::new((ptr::null(), 0)) };
}

/// While it lives, the loops of a kernel's gufunc on this thread know which outputs the caller gave.
pub(super) struct Given(Outputs);

impl Given {
    /// Of a call of a kernel.
    pub(super) fn of(info: &BlockInfo, args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let out = kwargs.map(|kwargs| kwargs.get_item("out")).transpose()?.flatten();
        let given = |k: usize| -> PyResult<bool> {
            if args.len() > info.arguments.len() + k {
                return Ok(!args.get_item(info.arguments.len() + k)?.is_none());
            }
            match &out {
                None => Ok(false),
                Some(out) => match out.cast::<PyTuple>() {
                    Ok(outs) => Ok(k < outs.len() && !outs.get_item(k)?.is_none()),
                    // A single array is the first output.
                    Err(_) => Ok(k == 0 && !out.is_none()),
                },
            }
        };
        let mut fresh = 0;
        for k in 0..info.outputs.len() {
            fresh |= u64::from(!given(k)?) << k;
        }
        Ok(Self(FRESH.replace((info, fresh))))
    }
}

impl Drop for Given {
    fn drop(&mut self) {
        FRESH.set(self.0);
    }
}

/// The outputs that the call on this thread has made anew; None where the gufunc is called on its own.
pub(super) fn outputs(info: &BlockInfo) -> Option<u64> {
    let (kernel, fresh) = FRESH.get();
    ptr::eq(kernel, info).then_some(fresh)
}

/// Has NumPy copy what an output holds into the memory that it puts in its place, where the dtype is another, or the elements lie otherwise:
/// the kernel may leave elements as they are.
pub(super) fn keep(ufunc: &Bound<'_, PyAny>, info: &BlockInfo) {
    for (k, _) in info.covered.iter().enumerate().filter(|(_, covered)| !**covered) {
        // SAFETY: a ufunc, which has flags for each operand, zeros so far; nobody has called it yet.
        unsafe { *(*ufunc.as_ptr().cast::<PyUFuncObject>()).fields.op_flags.add(info.arguments.len() + k) = KEEPING };
    }
}

/// Fills with zeros those of some outputs that the kernel is not shown to write as a whole.
///
/// # Safety
/// Every element of the call's outputs is writable.
pub(super) unsafe fn fill(info: &BlockInfo, variant: &BlockVariant, call: &Call<'_>, outputs: u64) {
    if info.covered.iter().all(|covered| *covered) {
        return;
    }
    let mut core_steps = call.core_steps;
    for (k, (at, step)) in call.args.iter().zip(call.steps).enumerate() {
        let dims = info.signature.operands[k];
        let (own, rest) = core_steps.split_at(dims.len());
        core_steps = rest;
        let Some(output) = k.checked_sub(info.arguments.len()) else { continue };
        if info.covered[output] || outputs >> output & 1 == 0 {
            continue;
        }
        let axes: Vec<(usize, isize)> =
            std::iter::once((call.count, *step)).chain(dims.iter().zip(own).map(|(dim, step)| (call.dims[*dim], *step))).collect();
        // SAFETY: the caller's promise.
        unsafe { zero(*at, &axes, variant.operands()[k].size()) };
    }
}

/// Fills the elements of some axes, each a number and a step in bytes.
///
/// # Safety
/// They are writable.
unsafe fn zero(at: *mut u8, axes: &[(usize, isize)], size: usize) {
    match axes {
        [] => {
            // SAFETY: the caller's promise.
            unsafe { at.write_bytes(0, size) }
        }
        [(count, step)] if *step == size as isize => {
            // SAFETY: the caller's promise; the elements lie side by side.
            unsafe { at.write_bytes(0, count * size) }
        }
        [(count, step), rest @ ..] => {
            for k in 0..*count {
                // SAFETY: the caller's promise, for a part of the elements.
                unsafe { zero(at.wrapping_offset(step * k as isize), rest, size) };
            }
        }
    }
}
