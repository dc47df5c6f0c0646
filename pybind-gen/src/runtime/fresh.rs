//! Fresh outputs of block kernels that may leave elements as they are: filled with zeros, where NumPy gives memory as it finds it.

use lanecraft_backends::block::variant::Call;
use lanecraft_backends::{BlockInfo, BlockVariant};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::cell::Cell;
use std::ptr;

/// A kernel, and some of its outputs as bits.
type Outputs = (*const BlockInfo, u64);

thread_local! {
    /// What the call on this thread is to fill first. The kernel is named, since a call may run others: in hooks of array classes, say.
    static FILLED: Cell<Outputs> = const { Cell::new((ptr::null(), 0)) };
}

/// While it lives, the loops of a kernel's gufunc on this thread fill some outputs first.
pub(super) struct Filling(Outputs);

impl Filling {
    /// For a call of a kernel: of the outputs that the caller does not give, those that the kernel is not shown to write as a whole.
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
        let mut outputs = 0;
        for k in 0..info.outputs.len() {
            if !info.covered[k] && !given(k)? {
                outputs |= 1 << k;
            }
        }
        Ok(Self(FILLED.replace((info, outputs))))
    }
}

impl Drop for Filling {
    fn drop(&mut self) {
        FILLED.set(self.0);
    }
}

/// Fills outputs with zeros, if the call on this thread is to.
///
/// # Safety
/// Every element of the call's outputs is writable.
pub(super) unsafe fn fill(info: &BlockInfo, variant: &BlockVariant, call: &Call<'_>) {
    let (kernel, outputs) = FILLED.get();
    if outputs == 0 || !ptr::eq(kernel, info) {
        return;
    }
    let mut core_steps = call.core_steps;
    for (k, (at, step)) in call.args.iter().zip(call.steps).enumerate() {
        let dims = info.signature.operands[k];
        let (own, rest) = core_steps.split_at(dims.len());
        core_steps = rest;
        if k < info.arguments.len() || outputs & (1 << (k - info.arguments.len())) == 0 {
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
