//! Errors that happen inside the loop, and the index they are reported at.

use lanecraft_backends::{KernelInfo, RunError};
use pyo3::exceptions::{PyRuntimeError, PyZeroDivisionError};
use pyo3::ffi;
use pyo3::prelude::*;
use std::cell::Cell;

/// A division by zero, as the loop saw it. NumPy hands the loop strips of the arrays, so the loop knows an index within the strip and
/// the address of the element; [`Kernel`](super::Kernel), which has the arrays, finds the index from the address.
#[derive(Clone, Copy)]
pub(super) struct Fault {
    /// Addresses of the element in each input.
    pub(super) address: [usize; lanecraft_core::map::MAX_OPERANDS],
    pub(super) kind: lanecraft_core::FaultKind,
}

thread_local! {
    /// The fault behind the Python exception now set on this thread.
    static LAST: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// Takes the fault behind the exception that was just fetched.
pub(super) fn take() -> Option<Fault> {
    LAST.take()
}

/// Runs `f` with the GIL, whether this thread holds it or not.
///
/// `Python::attach` would not do: PyO3 counts its own attachments, finds that this thread is inside a call of PyO3's
/// ([`Kernel`](super::Kernel)), and takes it that the GIL is held. But NumPy has released it in between.
fn with_gil(f: impl FnOnce(Python<'_>)) {
    // SAFETY: the interpreter runs, for it called the ufunc. `Ensure` and `Release` come in a pair on this thread, and `f` does not
    // unwind past `Release`: it formats a message and sets an exception.
    unsafe {
        let state = ffi::PyGILState_Ensure();
        f(Python::assume_attached());
        ffi::PyGILState_Release(state);
    }
}

/// What the loop was working on.
pub(super) struct Strip<'a> {
    pub(super) info: &'a KernelInfo,
    pub(super) args: &'a [*mut u8],
    pub(super) steps: &'a [isize],
    pub(super) len: usize,
}

impl Strip<'_> {
    /// Sets the Python exception for an error. NumPy runs long loops without the GIL.
    pub(super) fn raise(&self, error: RunError) {
        let name = self.info.name;
        with_gil(|py| {
            // A buffered operation may call the loop again after an error: the first one is the one to report.
            if PyErr::occurred(py) {
                return;
            }
            match error {
                RunError::Fault(fault) => {
                    let mut address = [0; lanecraft_core::map::MAX_OPERANDS];
                    for ((to, from), step) in address.iter_mut().zip(self.args).zip(self.steps) {
                        *to = from.wrapping_offset(step.wrapping_mul(fault.index as isize)) as usize;
                    }
                    LAST.set(Some(Fault { address, kind: fault.kind }));
                    let at = format!("element {} of a strip of {}", fault.index, self.len);
                    PyZeroDivisionError::new_err(format!("{name}(): {} at {at}", fault.kind)).restore(py);
                }
                RunError::Panic(message) => panicked(name, &message).restore(py),
                // The environment asks for what this machine or build cannot do.
                error => PyRuntimeError::new_err(format!("{name}(): {error}")).restore(py),
            }
        });
    }
}

fn panicked(name: &str, message: &str) -> PyErr {
    PyRuntimeError::new_err(format!("{name}(): the kernel panicked: {message}"))
}

/// The same fault with the index in the user's arrays, where an address lies in one of them.
///
/// NumPy works on copies of what it has to cast, byte-swap or align; then the address is the copy's and the strip index stays.
pub(super) fn located(info: &KernelInfo, fault: &Fault, args: &Bound<'_, PyAny>) -> PyResult<Option<PyErr>> {
    let numpy = args.py().import("numpy")?;
    let shape: Vec<usize> = numpy.call_method1("broadcast_shapes", shapes(&numpy, info, args)?)?.extract()?;
    for (k, address) in fault.address.iter().enumerate().take(info.arguments.len()) {
        let array = args.get_item(k)?;
        if array.is_instance(&numpy.getattr("ndarray")?)?
            && array.getattr("shape")?.extract::<Vec<usize>>()? == shape
            && let Some(index) = index_of(&array, &shape, *address)?
        {
            let index = index.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let shape = shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let message = format!("{}(): {} at index [{index}] of shape [{shape}]", info.name, fault.kind);
            return Ok(Some(PyZeroDivisionError::new_err(message)));
        }
    }
    Ok(None)
}

fn shapes<'py>(numpy: &Bound<'py, PyModule>, info: &KernelInfo, args: &Bound<'py, PyAny>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
    let shapes = (0..info.arguments.len()).map(|k| numpy.call_method1("shape", (args.get_item(k)?,))).collect::<PyResult<Vec<_>>>()?;
    pyo3::types::PyTuple::new(numpy.py(), shapes)
}

/// The index of the element at an address, if it is one of the array's and the only one there.
fn index_of(array: &Bound<'_, PyAny>, shape: &[usize], address: usize) -> PyResult<Option<Vec<usize>>> {
    let strides: Vec<isize> = array.getattr("strides")?.extract()?;
    let start: usize = array.getattr("ctypes")?.getattr("data")?.extract()?;
    // Axes from the widest stride down. A reversed axis counts from its other end, which makes every step positive.
    let mut axes: Vec<_> = (0..shape.len()).filter(|&k| shape[k] > 1).collect();
    axes.sort_by_key(|&k| std::cmp::Reverse(strides[k].unsigned_abs()));
    let lowest: isize = axes.iter().map(|&k| if strides[k] < 0 { strides[k] * (shape[k] as isize - 1) } else { 0 }).sum();
    let Some(mut rest) = address.checked_sub(start.wrapping_add_signed(lowest)) else { return Ok(None) };
    let mut index = vec![0; shape.len()];
    for k in axes {
        let step = strides[k].unsigned_abs();
        if step == 0 || rest / step >= shape[k] {
            return Ok(None);
        }
        let steps = rest / step;
        rest %= step;
        index[k] = if strides[k] < 0 { shape[k] - 1 - steps } else { steps };
    }
    Ok((rest == 0).then_some(index))
}
