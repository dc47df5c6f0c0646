//! `lanecraft.cuda.graph()`: what the package asks of a module.

use super::super::import::Place;
use super::super::library::{self, Class, Library};
use super::array::Array;
use super::stream::{self, On};
use super::{Callee, raise};
use lanecraft_backends::cuda::{Graph, Replacement};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

thread_local! {
    /// The capture of this thread, if there is one.
    static CAPTURE: RefCell<Option<Capturing>> = const { RefCell::new(None) };
}

/// Calls on their way into a graph.
#[derive(Default)]
struct Capturing {
    /// The stream of the first call, and so of all.
    on: Option<On>,
    /// The arrays of the calls.
    kept: Vec<Py<PyAny>>,
}

/// The name of the graph in messages.
const NAME: &str = "graph";

/// The stream of a call: while calls are captured, that of the first one.
pub(super) fn stream(on: On) -> PyResult<On> {
    CAPTURE.with_borrow_mut(|capture| {
        let Some(capture) = capture else { return Ok(on) };
        if let Some(known) = &capture.on {
            if known.stream.handle() != on.stream.handle() || known.stream.device().ordinal() != on.stream.device().ordinal() {
                return Err(PyRuntimeError::new_err(
                    "graph(): a call is on another stream than the first one; accepted: calls on one stream",
                ));
            }
            return Ok(known.clone());
        }
        Graph::begin(&on.stream).map_err(|error| raise(NAME, error))?;
        capture.on = Some(on.clone());
        Ok(on)
    })
}

/// An error while calls are captured: a result cannot be allocated.
pub(super) fn no_allocation(callee: Callee) -> PyResult<()> {
    if CAPTURE.with_borrow(Option::is_none) {
        return Ok(());
    }
    let text = format!("{}(): a result cannot be allocated while a graph is captured; accepted: a call with 'out'", callee.name);
    Err(PyRuntimeError::new_err(text))
}

/// Keeps the arrays of a call that is captured; whether it is.
pub(super) fn keep<'py>(arrays: impl Iterator<Item = Bound<'py, PyAny>>) -> bool {
    CAPTURE.with_borrow_mut(|capture| match capture {
        Some(capture) => {
            capture.kept.extend(arrays.map(Bound::unbind));
            true
        }
        None => false,
    })
}

/// Kernel calls that are replayed together.
#[pyclass(module = "lanecraft", name = "CudaGraph", frozen)]
pub(in crate::runtime) struct Captured {
    graph: Mutex<Graph>,
    on: On,
    kept: Mutex<Vec<Py<PyAny>>>,
}

#[pymethods]
impl Captured {
    /// Begins a capture on this thread.
    #[staticmethod]
    fn begin() -> PyResult<()> {
        CAPTURE.with_borrow_mut(|capture| {
            if capture.is_some() {
                return Err(PyRuntimeError::new_err("graph(): a graph is being captured already; accepted: one at a time"));
            }
            *capture = Some(Capturing::default());
            Ok(())
        })
    }

    /// Ends it: the graph, or None if no kernel was called.
    #[staticmethod]
    fn end() -> PyResult<Option<Self>> {
        let Some(Capturing { on, kept }) = CAPTURE.with_borrow_mut(Option::take) else {
            return Err(PyRuntimeError::new_err("graph(): no graph is being captured"));
        };
        let Some(on) = on else { return Ok(None) };
        let graph = Graph::end(&on.stream).map_err(|error| raise(NAME, error))?;
        Ok(Some(Self { graph: Mutex::new(graph), on, kept: Mutex::new(kept) }))
    }

    /// Forgets it.
    #[staticmethod]
    fn cancel() {
        if let Some(Capturing { on: Some(on), .. }) = CAPTURE.with_borrow_mut(Option::take) {
            Graph::cancel(&on.stream);
        }
    }

    /// From here on calls of this thread do not wait for faults.
    #[staticmethod]
    fn defer() {
        super::deferred::begin();
    }

    /// Waits for what was called since the last `defer()`, and raises the first fault.
    #[staticmethod]
    fn settle(py: Python<'_>) -> PyResult<()> {
        super::deferred::end(py)
    }

    /// Runs the calls in their order, with `new` in the place of `old` for each pair, from now on.
    #[pyo3(signature = (*pairs))]
    fn replay(&self, py: Python<'_>, pairs: &Bound<'_, PyTuple>) -> PyResult<()> {
        for pair in pairs {
            let (old, new): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
                pair.extract().map_err(|_| PyTypeError::new_err("replay(): accepted are pairs (old, new) of arrays"))?;
            self.replace(&old, &new)?;
        }
        // What the first array's library does at the moment comes before.
        let on = self.current(py)?;
        py.detach(|| {
            let mut graph = self.graph.lock().unwrap_or_else(PoisonError::into_inner);
            graph.launch(&on.stream)?;
            if graph.may_fault() || !on.is_theirs { on.stream.synchronize() } else { Ok(()) }
        })
        .map_err(|error| raise("replay", error))
    }

    /// How many calls it has.
    fn __len__(&self) -> usize {
        self.graph.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl Captured {
    /// The library's current stream.
    fn current(&self, py: Python<'_>) -> PyResult<On> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        for value in kept.iter() {
            if let Class::Foreign(library, _) = library::class(value.bind(py))? {
                return stream::current(py, "replay", library, self.on.stream.device().ordinal());
            }
        }
        Ok(self.on.clone())
    }

    fn replace(&self, old: &Bound<'_, PyAny>, new: &Bound<'_, PyAny>) -> PyResult<()> {
        let of = |value: &Bound<'_, PyAny>| {
            let Class::Foreign(library, _) = library::class(value)? else {
                return Err(PyTypeError::new_err("replay(): accepted are pairs (old, new) of arrays on a CUDA device"));
            };
            let callee = Callee { name: "replay", inputs: &[], map: None };
            let name = || "an array".to_owned();
            array(value, &self.on, &Place { callee, library: library as &'static Library, output: false, name: &name })
        };
        let (was, is) = (of(old)?, of(new)?);
        let mut graph = self.graph.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the new array is kept from here on, as long as the graph has it.
        unsafe { graph.replace_at(&was, &is) }.map_err(|error| raise("replay", error))?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|value| !value.is(old));
        kept.push(new.clone().unbind());
        Ok(())
    }
}

fn array(value: &Bound<'_, PyAny>, on: &On, place: &Place<'_>) -> PyResult<Replacement> {
    let Array { dtype, at, shape, steps, .. } = Array::of(value, &on.stream, place)?;
    Ok(Replacement { dtype, at, shape, steps })
}
