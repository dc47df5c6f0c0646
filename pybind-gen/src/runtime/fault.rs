//! Errors that happen inside the loop, and the index they are reported at.

use super::choice::Choice;
use super::debug;
use super::explain::is_python_number;
use lanecraft_backends::block::BlockFault;
use lanecraft_backends::{BlockInfo, RunError};
use lanecraft_core::block::ItemFault;
use lanecraft_core::debug::quietly;
use lanecraft_core::{FaultKind, NoMemory};
use pyo3::exceptions::{
    PyFloatingPointError, PyIndexError, PyMemoryError, PyOverflowError, PyRuntimeError, PyValueError, PyZeroDivisionError,
};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyTuple};
use std::cell::Cell;

thread_local! {
    /// Whether the last loop on this thread ended in an error.
    static FAILED: Cell<bool> = const { Cell::new(false) };
}

/// Whether the operation that this thread is in has failed already: NumPy goes on through the strips of a buffered operation.
pub(super) fn is_pending() -> bool {
    if !FAILED.get() {
        return false;
    }
    let pending = with_gil(PyErr::occurred);
    FAILED.set(pending);
    pending
}

/// Sets the Python exception for an error of kernel `name` on a strip of `len` elements.
pub(super) fn raise(name: &str, len: usize, error: &RunError) {
    FAILED.set(true);
    if matches!(error, RunError::Interrupted) {
        // The handler of the signal has raised.
        return;
    }
    with_gil(|py| {
        let exception = match error {
            RunError::Fault(fault) => {
                let text = format!("{name}(): {} at element {} of a strip of {len}", fault.kind, fault.index);
                match fault.kind {
                    FaultKind::DivisionByZero => PyZeroDivisionError::new_err(text),
                    FaultKind::IndexOutOfRange { .. } => PyIndexError::new_err(text),
                }
            }
            RunError::Found(report) => {
                debug::exception(py, report, format!("{name}(): {report} at element {} of a strip of {len}", report.element))
            }
            RunError::Panic(message) => PyRuntimeError::new_err(format!("{name}(): the kernel panicked: {message}")),
            // The environment asks for what this machine or build cannot do.
            error => PyRuntimeError::new_err(format!("{name}(): {error}")),
        };
        exception.restore(py);
    });
}

/// Sets the Python exception for an error of a block kernel in a loop over `items` items.
pub(super) fn raise_in_item(info: &BlockInfo, items: usize, error: &RunError) {
    FAILED.set(true);
    if matches!(error, RunError::Interrupted) {
        return;
    }
    let name = info.name;
    with_gil(|py| {
        let exception = match error {
            RunError::Item(BlockFault { fault: ItemFault::OutOfRange(what), .. }) => {
                let rank = what.rank.min(what.index.len());
                let (index, shape) = (&what.index[..rank], &what.shape[..rank]);
                let argument = info.operand(what.operand);
                PyIndexError::new_err(format!("{name}(): index {index:?} of argument '{argument}' is out of range for shape {shape:?}"))
            }
            RunError::Item(BlockFault { fault: ItemFault::Fault(kind), .. }) => {
                let text = format!("{name}(): {kind}");
                match kind {
                    FaultKind::DivisionByZero => PyZeroDivisionError::new_err(text),
                    FaultKind::IndexOutOfRange { .. } => PyIndexError::new_err(text),
                }
            }
            RunError::Found(report) => {
                let text = report.text(&|operand| crate::names::parameter(info.operand(operand)));
                let item = if items > 1 { format!(", in item {} of {items}", report.element) } else { String::new() };
                debug::exception(py, report, format!("{name}(): {text}{item}"))
            }
            RunError::Panic(message) => PyRuntimeError::new_err(format!("{name}(): the kernel panicked: {message}")),
            RunError::Empty(dim) => {
                let argument = info.operand(info.signature.operand_of(*dim));
                let dim = info.signature.dims[*dim].name;
                PyValueError::new_err(format!(
                    "{name}(): dimension {dim} of argument '{argument}' is empty; it has to hold an element at least"
                ))
            }
            RunError::Memory(NoMemory { operand, bytes, why }) => {
                let argument = crate::names::parameter(info.operand(*operand));
                PyMemoryError::new_err(format!(
                    "{name}(): argument '{argument}' takes {bytes} bytes of memory besides, which there are not: {why}"
                ))
            }
            // The environment asks for what this machine or build cannot do.
            error => PyRuntimeError::new_err(format!("{name}(): {error}")),
        };
        exception.restore(py);
    });
}

/// Whether a signal has come whose handler raises: Ctrl-C. Python runs handlers on the main thread alone.
pub(super) fn is_interrupted() -> bool {
    // SAFETY: with the GIL.
    with_gil(|_| unsafe { ffi::PyErr_CheckSignals() } != 0)
}

/// Runs `f` with the GIL, whether this thread holds it or not: NumPy runs long loops without it.
///
/// `Python::attach` would not do: PyO3 counts its own attachments, finds that this thread is inside a call of PyO3's (`Kernel`), and
/// takes it that the GIL is held. But NumPy has released it in between.
pub(super) fn with_gil<R>(f: impl FnOnce(Python<'_>) -> R) -> R {
    // SAFETY: the interpreter runs, for it called the ufunc. `Ensure` and `Release` come in a pair on this thread, and `f` does not
    // unwind past `Release`: it formats a message and sets an exception.
    unsafe {
        let state = ffi::PyGILState_Ensure();
        let result = f(Python::assume_attached());
        ffi::PyGILState_Release(state);
        result
    }
}

/// The error of a fault (a division by zero, an index out of range, what debug mode finds in an element), with the index in place of the strip.
///
/// NumPy hands the loop strips of the arrays, or of copies that it has cast or gathered; where a strip comes from it does not tell. So
/// the first index, in C order, is searched by bisection, axis by axis: kernels are pure, running one again does no harm. `None` where the
/// inputs are no longer what they were, or not NumPy's to slice.
pub(super) fn located<'py>(
    choice: &Choice,
    error: &PyErr,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<PyErr>> {
    let (py, info) = (args.py(), choice.info);
    let text = error.value(py).str()?.to_string();
    let Some((what, _)) = text.split_once(" at element ").filter(|(what, _)| what.starts_with(info.name)) else { return Ok(None) };
    let numpy = py.import("numpy")?;
    let inputs = args.get_slice(0, info.arguments.len());
    let (mut outputs, keywords) = (args.get_slice(info.arguments.len(), args.len()).to_list(), PyDict::new(py));
    let mut mask = true.into_pyobject(py)?.to_owned().into_any();
    for (name, value) in kwargs.into_iter().flatten() {
        match name.extract::<&str>()? {
            "out" => outputs = PyTuple::new(py, outputs.iter().chain([value]).collect::<Vec<_>>())?.to_list(),
            "where" => mask = value,
            _ => keywords.set_item(name, value)?,
        }
    }
    for output in outputs {
        let several = output.cast::<PyTuple>().map(|tuple| tuple.iter().collect()).unwrap_or_else(|_| vec![output.clone()]);
        for (output, input) in several.iter().flat_map(|output| inputs.iter().map(move |input| (output, input))) {
            if !output.is_none() && numpy.call_method1("may_share_memory", (output, input))?.extract()? {
                return Ok(None);
            }
        }
    }
    // Python numbers stay what they are: as arrays they would have a dtype.
    let mut arrays: Vec<Bound<'_, PyAny>> = inputs.iter().chain([mask]).collect();
    let shapes = arrays.iter().map(|array| numpy.call_method1("shape", (array,))).collect::<PyResult<Vec<_>>>()?;
    let shape: Vec<isize> = numpy.getattr("broadcast_shapes")?.call1(PyTuple::new(py, shapes)?)?.extract()?;
    for array in arrays.iter_mut().filter(|array| !is_python_number(array)) {
        *array = numpy.call_method1("broadcast_to", (&*array, &shape))?;
    }
    let slice = |arrays: &[Bound<'py, PyAny>], at: &Bound<'py, PyAny>| -> PyResult<Vec<Bound<'py, PyAny>>> {
        arrays.iter().map(|array| if is_python_number(array) { Ok(array.clone()) } else { array.get_item(at) }).collect()
    };
    let fails = |arrays: &[Bound<'py, PyAny>]| -> PyResult<Option<PyErr>> {
        let Some((mask, inputs)) = arrays.split_last() else { return Ok(None) };
        let keywords = keywords.copy()?;
        keywords.set_item("where", mask)?;
        // NumPy wants `out` beside `where`; None says that unset elements do not matter.
        keywords.set_item("out", PyTuple::new(py, vec![py.None().into_bound(py); info.outputs])?)?;
        let call = || choice.ufunc.bind(py).call(PyTuple::new(py, inputs)?, Some(&keywords));
        // What has been printed is not printed again.
        match quietly(call) {
            Ok(_) => Ok(None),
            Err(error) if is_fault(py, &error) => Ok(Some(error)),
            Err(error) => Err(error),
        }
    };
    let mut index = Vec::new();
    for &n in &shape {
        // The first failing element is in `low..high`.
        let (mut low, mut high) = (0, n);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if fails(&slice(&arrays, &PySlice::new(py, low, middle, 1))?)?.is_some() { high = middle } else { low = middle }
        }
        index.push(low);
        arrays = slice(&arrays, &(low, py.Ellipsis()).into_pyobject(py)?.into_any())?;
    }
    // Someone else may have changed the arrays meanwhile.
    let located = |first: PyErr| -> PyResult<PyErr> {
        // The fault that comes first in C order need not be that of the strip.
        let text = first.value(py).str()?.to_string();
        let what = text.split_once(" at element ").map_or(what, |(what, _)| what);
        let text = format!("{what} at index {index:?} of shape {shape:?}");
        Ok(PyErr::from_type(first.get_type(py), (text,)))
    };
    fails(&arrays)?.map(located).transpose()
}

/// Whether an error is that of an element.
pub(super) fn is_fault(py: Python<'_>, error: &PyErr) -> bool {
    if error.is_instance_of::<PyZeroDivisionError>(py) || error.is_instance_of::<PyIndexError>(py) {
        return true;
    }
    // NumPy has its own errors of these classes.
    let may_be = error.is_instance_of::<PyOverflowError>(py) || error.is_instance_of::<PyFloatingPointError>(py);
    may_be && error.value(py).str().is_ok_and(|text| text.to_string_lossy().contains(" at element "))
}
