//! Debug mode from Python: a context variable of the package `lanecraft` says whether it is on where a loop is called, and what it finds
//! becomes an exception.

use lanecraft_backends::debug::{self, Finding, Report, Settings};
use lanecraft_core::FaultKind;
use pyo3::exceptions::{PyFloatingPointError, PyIndexError, PyOverflowError, PyRuntimeError, PyZeroDivisionError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many blocks of `with lanecraft.debug():` there are in the process: where there is none, nobody is asked.
static BLOCKS: AtomicUsize = AtomicUsize::new(0);

/// The context variable. Its value is None, or whether NaN is looked for.
static VARIABLE: Mutex<Option<Py<PyAny>>> = Mutex::new(None);

/// Notes that a block begins.
pub(super) fn enter(variable: Bound<'_, PyAny>) {
    *VARIABLE.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(variable.unbind());
    BLOCKS.fetch_add(1, Ordering::Relaxed);
}

/// Notes that a block ends.
pub(super) fn exit() {
    // More ends than begins are a mistake of the caller's, which leaves the number at 0.
    let _ = BLOCKS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |blocks| blocks.checked_sub(1));
}

/// Whether debug mode may be on where a loop is called now: the caller's context is not asked.
pub(super) fn may_be_on() -> bool {
    BLOCKS.load(Ordering::Relaxed) != 0 || !matches!(debug::active(), Ok(None))
}

/// Runs `f`, in debug mode where the caller's context says so.
#[inline]
pub(super) fn run<R>(f: impl FnOnce() -> R) -> R {
    if BLOCKS.load(Ordering::Relaxed) == 0 {
        return f();
    }
    match super::fault::with_gil(settings) {
        Some(settings) => debug::with(settings, f),
        None => f(),
    }
}

#[cold]
fn settings(py: Python<'_>) -> Option<Settings> {
    let variable = VARIABLE.lock().unwrap_or_else(std::sync::PoisonError::into_inner).as_ref().map(|variable| variable.clone_ref(py))?;
    let nan: Option<bool> = variable.bind(py).call_method0("get").ok()?.extract().ok()?;
    nan.map(|nan| Settings { nan, ..Settings::default() })
}

/// Has the lines of `dbg!` go to Python's `sys.stderr`, which notebooks and tests show.
pub(super) fn print_to_python() {
    lanecraft_core::debug::print_by(|line| {
        super::fault::with_gil(|py| {
            let written =
                py.import("sys").and_then(|sys| sys.getattr("stderr")).and_then(|e| e.call_method1("write", (format!("{line}\n"),)));
            // Without a place to write to there is nobody to tell.
            drop(written);
        });
    });
}

/// The exception's class.
fn class<'py>(py: Python<'py>, finding: &Finding) -> Bound<'py, PyType> {
    match finding {
        Finding::Fault(FaultKind::DivisionByZero) => py.get_type::<PyZeroDivisionError>(),
        Finding::Fault(FaultKind::IndexOutOfRange { .. }) | Finding::OutOfRange(_) => py.get_type::<PyIndexError>(),
        Finding::Overflow { .. } => py.get_type::<PyOverflowError>(),
        Finding::Nan(_) => py.get_type::<PyFloatingPointError>(),
        Finding::Race { .. } => of_package(py, "RaceError"),
        Finding::Unwritten(_) | Finding::Left { .. } => of_package(py, "UnwrittenError"),
        _ => py.get_type::<PyRuntimeError>(),
    }
}

/// A class of the package; without it (`LANECRAFT_DEBUG=1` needs none) the `RuntimeError` that it is derived from.
fn of_package<'py>(py: Python<'py>, name: &str) -> Bound<'py, PyType> {
    let class = py.import("lanecraft").and_then(|package| package.getattr(name)).ok().and_then(|class| class.cast_into().ok());
    class.unwrap_or_else(|| py.get_type::<PyRuntimeError>())
}

/// The exception for a finding, with a text.
pub(super) fn exception(py: Python<'_>, report: &Report, text: String) -> PyErr {
    PyErr::from_type(class(py, &report.finding), (text,))
}
