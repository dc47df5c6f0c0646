//! A call as it happened: what `lanecraft.explain` reports.
//!
//! Whether NumPy copies an operand follows from many rules of its own (casts, byte order, alignment, overlap, buffers). They are not retold
//! here: the loops of a traced call note the addresses that they get, and who compares them with those of the arrays sees the copies.

use super::descr;
use lanecraft_core::DtypeId;
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Loops that are noted one by one; of the others the number.
const MAX_LOOPS: usize = 1000;

/// How many threads trace a call.
static TRACING: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static TRACE: RefCell<Option<Trace>> = const { RefCell::new(None) };
}

/// A call of a loop.
pub(super) struct Loop {
    /// Elements, or items of a block kernel.
    pub(super) count: usize,
    /// Where each operand begins, inputs first.
    pub(super) addresses: Vec<usize>,
    /// Bytes from element to element, or from item to item.
    pub(super) steps: Vec<isize>,
    /// The sizes of a block kernel's core dimensions.
    pub(super) dims: Vec<usize>,
    /// Bytes from element to element on each core axis, operand by operand.
    pub(super) core_steps: Vec<isize>,
    /// The dtypes of the operands.
    pub(super) dtypes: Vec<DtypeId>,
}

#[derive(Default)]
struct Trace {
    /// The kernel that is called. Its call may run others: in hooks of array classes, say.
    kernel: &'static str,
    loops: Vec<Loop>,
    count: usize,
    elements: usize,
    /// NumPy's arrays among the operands, as [`describe`] describes them.
    operands: Option<Py<PyList>>,
}

/// Whether some thread traces a call.
pub(super) fn is_active() -> bool {
    TRACING.load(Ordering::Relaxed) != 0
}

/// Notes a call of a loop of a kernel, if this thread traces that one. Costs a load where nobody does.
#[inline]
pub(super) fn note(kernel: &str, happened: impl FnOnce() -> Loop) {
    if !is_active() {
        return;
    }
    TRACE.with_borrow_mut(|trace| {
        let Some(trace) = trace.as_mut().filter(|trace| trace.kernel == kernel) else { return };
        let happened = happened();
        trace.count += 1;
        trace.elements += happened.count;
        if trace.loops.len() < MAX_LOOPS {
            trace.loops.push(happened);
        }
    });
}

/// Notes the operands of a call of a kernel's ufunc, if this thread traces that one: the first `inputs` of `args`, and as many results as it has `outputs`.
#[inline]
pub(super) fn note_operands(
    kernel: &str,
    args: &Bound<'_, PyTuple>,
    inputs: usize,
    outputs: usize,
    result: &Bound<'_, PyAny>,
) -> PyResult<()> {
    if !is_active() || TRACE.with_borrow(|trace| trace.as_ref().is_none_or(|trace| trace.kernel != kernel)) {
        return Ok(());
    }
    let list = PyList::empty(args.py());
    for value in args.iter().take(inputs) {
        list.append(describe(&value)?)?;
    }
    match result.cast::<PyTuple>() {
        Ok(several) if several.len() == outputs && outputs > 1 => several.iter().try_for_each(|result| list.append(describe(&result)?))?,
        _ if outputs == 1 => list.append(describe(result)?)?,
        // An object among the arguments has run the ufunc in its own way.
        _ => (0..outputs).try_for_each(|_| list.append(args.py().None()))?,
    }
    TRACE.with_borrow_mut(|trace| {
        if let Some(trace) = trace {
            trace.operands = Some(list.unbind());
        }
    });
    Ok(())
}

/// An array's `__array_interface__`, dtype and whether it is aligned; None for anything else. It holds no reference to the array.
fn describe<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyTuple>>> {
    if !value.is_instance_of::<PyUntypedArray>() {
        return Ok(None);
    }
    let interface = value.getattr("__array_interface__")?.cast_into::<PyDict>()?;
    if interface.contains("__ref")? {
        interface.del_item("__ref")?;
    }
    let aligned = value.getattr("flags")?.getattr("aligned")?;
    Ok(Some(PyTuple::new(value.py(), [interface.into_any(), value.getattr("dtype")?, aligned])?))
}

/// Ends the trace of this thread, whatever happens in between, and goes on with the one that it is inside of.
struct Tracing(Option<Trace>);

impl Tracing {
    fn begin(kernel: &'static str) -> Self {
        TRACING.fetch_add(1, Ordering::Relaxed);
        Self(TRACE.replace(Some(Trace { kernel, ..Trace::default() })))
    }
}

impl Drop for Tracing {
    fn drop(&mut self) {
        TRACE.set(self.0.take());
        TRACING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs a call of a kernel and adds to `report` what happened: `loops`, `loop_count`, `elements`, `operands`.
pub(super) fn run<'py>(
    report: &Bound<'py, PyDict>,
    kernel: &'static str,
    call: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<()> {
    let py = report.py();
    let tracing = Tracing::begin(kernel);
    let result = call()?;
    let trace = TRACE.take().unwrap_or_default();
    drop(tracing);
    let loops = PyList::empty(py);
    for happened in &trace.loops {
        let entry = PyDict::new(py);
        entry.set_item("count", happened.count)?;
        entry.set_item("addresses", &happened.addresses)?;
        entry.set_item("steps", &happened.steps)?;
        entry.set_item("dims", &happened.dims)?;
        entry.set_item("core_steps", &happened.core_steps)?;
        let dtypes: Vec<_> = happened.dtypes.iter().map(|dtype| descr::of(py, *dtype)).collect();
        entry.set_item("dtypes", dtypes)?;
        loops.append(entry)?;
    }
    report.set_item("loops", loops)?;
    report.set_item("loop_count", trace.count)?;
    report.set_item("elements", trace.elements)?;
    report.set_item("operands", trace.operands)?;
    report.set_item("result", result)
}
