//! Real NumPy ufuncs from kernels.

use super::fp_status::FpStatus;
use super::trace::{self, Loop};
use super::{c_api, debug, descr, fault, promote, text};
use lanecraft_backends::{KernelInfo, Reduction, RunError, Variant, interruptible};
use lanecraft_core::DtypeId;
use numpy::PY_UFUNC_API;
use numpy::npyffi::{PyUFuncGenericFunction, npy_intp};
use pyo3::exceptions::{PyAttributeError, PyImportError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a loop's data pointer leads to.
struct Entry {
    info: &'static KernelInfo,
    variant: &'static Variant,
    /// How many of the last inputs are values of parameters.
    run_time: usize,
}

impl Entry {
    /// Runs the variant. It takes the values of parameters from the first element, for all of them; where they differ within a strip,
    /// which only a caller of the ufunc itself can bring about, each stretch of equal ones is run by itself.
    ///
    /// # Safety
    /// As for [`Variant::run`].
    unsafe fn run(&self, args: &[*mut u8], len: usize, steps: &[isize]) -> Result<(), RunError> {
        let nin = self.variant.inputs.len();
        let values = || nin - self.run_time..nin;
        if values().all(|k| steps[k] == 0) {
            // SAFETY: the caller's promise.
            return unsafe { self.variant.run(args, len, steps) };
        }
        let element = |k: usize, i: usize| args[k].wrapping_offset(i as isize * steps[k]);
        let bytes = |k: usize, i: usize| {
            // SAFETY: element `i` of an input, of its dtype's size; it is compared before anything is written.
            unsafe { std::slice::from_raw_parts(element(k, i).cast_const(), self.variant.inputs[k].size()) }
        };
        let mut start = 0;
        while start < len {
            let end = (start + 1..len).find(|&i| values().any(|k| bytes(k, i) != bytes(k, start))).unwrap_or(len);
            let at: Vec<*mut u8> = (0..args.len()).map(|k| element(k, start)).collect();
            // SAFETY: the caller's promise, for these elements.
            unsafe { self.variant.run(&at, end - start, steps) }.map_err(|error| error.further(start))?;
            start = end;
        }
        Ok(())
    }
}

/// The loop of every variant of every kernel: NumPy's shape, `args[k]` moves by `steps[k]` bytes, `dimensions[0]` times.
///
/// # Safety
/// Called by NumPy with the pointers of an operation on as many operands as the variant has, and the `data` that [`create`] gave.
unsafe extern "C" fn run(args: *mut *mut c_char, dimensions: *mut npy_intp, steps: *mut npy_intp, data: *mut c_void) {
    // SAFETY: `create` passed a leaked `Entry` with this loop, and NumPy hands over one pointer and one step per operand.
    let (entry, args, len, steps) = unsafe {
        let entry = &*data.cast::<Entry>();
        let operands = entry.variant.inputs.len() + entry.variant.outputs.len();
        let args = std::slice::from_raw_parts(args.cast::<*mut u8>(), operands);
        (entry, args, *dimensions as usize, std::slice::from_raw_parts(steps.cast::<isize>(), operands))
    };
    if fault::is_pending() {
        return;
    }
    trace::note(entry.info.name, || Loop {
        count: len,
        addresses: args.iter().map(|arg| arg.addr()).collect(),
        steps: steps.to_vec(),
        dims: Vec::new(),
        core_steps: Vec::new(),
        dtypes: [entry.variant.inputs, entry.variant.outputs].concat(),
    });
    let status = FpStatus::save();
    // SAFETY: NumPy's promise on `args`, `len`, `steps`: aligned elements of the variant's dtypes in native byte order; an output is
    // an input's memory only element by element.
    let result =
        catch_unwind(AssertUnwindSafe(|| unsafe { debug::run(|| interruptible(fault::is_interrupted, || entry.run(args, len, steps))) }));
    drop(status);
    // A kernel's own panic comes as an error; this one would be of the run time around it. Neither may reach C.
    if let Err(error) = result.unwrap_or_else(|_| Err(RunError::Panic("in Lanecraft itself".to_owned()))) {
        fault::raise(entry.info.name, len, &error);
    }
}

/// Makes the ufunc. `module` is where users find the kernel, `attribute` its name there; `run_time` of its last arguments are values of parameters.
///
/// # Errors
/// `ImportError` when NumPy refuses the table of loops.
pub(super) fn create<'py>(
    py: Python<'py>,
    info: &'static KernelInfo,
    run_time: usize,
    module: &str,
    attribute: &str,
) -> PyResult<Bound<'py, PyAny>> {
    type Variants = Vec<&'static Variant>;
    let (extended, variants): (Variants, Variants) = in_resolution_order(info.variants).into_iter().partition(|v| is_extended(v));
    let numbers = variants.iter().map(|v| descr::of_all(py, v)).collect::<Option<Vec<_>>>();
    let numbers = numbers.ok_or_else(|| PyImportError::new_err("NumPy lacks one of its own dtypes"))?;
    let types = numbers.into_iter().flatten().map(|number| number as c_char).collect();
    let entries =
        variants.iter().map(|variant| std::ptr::from_ref(leak_one(Entry { info, variant, run_time })).cast_mut().cast()).collect();
    let loops: Vec<PyUFuncGenericFunction> = vec![Some(run); variants.len()];
    // A ufunc is pickled by its name, dots included: where it is, rather than what the kernel is called, which is another object.
    let path = format!("{}.{attribute}", info.name);
    let name = c_string(&path)?;
    let doc = c_string(&text::docstring(info))?;
    let (kind, identity) = reduction(py, info.reduction)?;
    // SAFETY: the slot of a function of this type. NumPy keeps all pointers for the ufunc's life, and ufuncs may outlive the module: what they
    // point to is leaked. The tables have `ntypes` rows of the length that `nin` and `nout` say. Without a signature it is a ufunc; it holds
    // the identity itself.
    let ufunc = unsafe {
        let slot = c_api::table(py, c"_UFUNC_API")?.add(c_api::FROM_FUNC_AND_IDENTITY);
        let from_func = *slot.cast::<FromFuncAndIdentity>();
        let ufunc = from_func(
            leak(loops),
            leak(entries),
            leak(types),
            variants.len() as c_int,
            info.arguments.len() as c_int,
            info.outputs as c_int,
            kind,
            name,
            doc,
            0,
            std::ptr::null(),
            identity.as_ptr(),
        );
        Bound::from_owned_ptr_or_err(py, ufunc)?
    };
    register(&ufunc, info, &extended, run_time)?;
    let loops = in_resolution_order(info.variants).into_iter().map(|v| promote::Loop { inputs: v.inputs, outputs: v.outputs });
    promote::add(&ufunc, loops.collect(), run_time)?;
    // NumPy gives a new ufunc no home. It lets attributes be set from 2.2 on; before that the names stay as they are.
    for (attribute, value) in [("__module__", module), ("__qualname__", path.as_str()), ("__doc__", &text::docstring(info))] {
        match ufunc.setattr(attribute, value) {
            Err(error) if !error.is_instance_of::<PyAttributeError>(py) => return Err(error),
            _ => {}
        }
    }
    Ok(ufunc)
}

/// `PyUFunc_FromFuncAndDataAndSignatureAndIdentity`
type FromFuncAndIdentity = unsafe extern "C" fn(
    *mut PyUFuncGenericFunction,
    *mut *mut c_void,
    *mut c_char,
    c_int,
    c_int,
    c_int,
    c_int,
    *const c_char,
    *const c_char,
    c_int,
    *const c_char,
    *mut pyo3::ffi::PyObject,
) -> *mut pyo3::ffi::PyObject;

/// NumPy's word for how a kernel reduces, and the value that it begins with: PyUFunc_None, PyUFunc_ReorderableNone, PyUFunc_IdentityValue.
fn reduction(py: Python<'_>, reduction: Reduction) -> PyResult<(c_int, Bound<'_, PyAny>)> {
    Ok(match reduction {
        Reduction::InOrder => (-1, py.None().into_bound(py)),
        Reduction::AnyOrder => (-2, py.None().into_bound(py)),
        Reduction::FromInt(value) => (-3, value.into_pyobject(py)?.into_any()),
        Reduction::FromFloat(value) => (-3, value.into_pyobject(py)?.into_any()),
        Reduction::FromBool(value) => (-3, PyBool::new(py, value).to_owned().into_any()),
    })
}

/// Whether NumPy has a dtype of the variant from another package: those come by number, not in the table of a ufunc's loops.
fn is_extended(variant: &Variant) -> bool {
    variant.inputs.iter().chain(variant.outputs).any(|dtype| *dtype == DtypeId::Bf16)
}

/// Adds the loops on dtypes of other packages, where these are installed.
fn register(ufunc: &Bound<'_, PyAny>, info: &'static KernelInfo, variants: &[&'static Variant], run_time: usize) -> PyResult<()> {
    let py = ufunc.py();
    let Some(bf16) = descr::number(py, DtypeId::Bf16) else { return Ok(()) };
    for variant in variants {
        let Some(types) = descr::of_all(py, variant) else { continue };
        let data = std::ptr::from_ref(leak_one(Entry { info, variant, run_time })).cast_mut().cast();
        // SAFETY: a ufunc; one type number per operand; what `data` leads to lives for ever, as `run` asks.
        let code = unsafe { PY_UFUNC_API.PyUFunc_RegisterLoopForType(py, ufunc.as_ptr().cast(), bf16, Some(run), leak(types), data) };
        if code < 0 {
            return Err(PyErr::fetch(py));
        }
    }
    Ok(())
}

/// The order of loops is semantics: NumPy takes the exact match, and else the first loop that all inputs cast to safely. Bool, signed,
/// unsigned, float, each from small to large (the order of [`DtypeId`]), leads each dtype to the narrowest one that holds its values.
pub(super) fn in_resolution_order(variants: &'static [Variant]) -> Vec<&'static Variant> {
    let mut variants: Vec<_> = variants.iter().collect();
    variants.sort_by_key(|v| v.inputs);
    variants
}

fn leak<T>(items: Vec<T>) -> *mut T {
    items.leak().as_mut_ptr()
}

fn leak_one<T>(item: T) -> &'static T {
    Box::leak(Box::new(item))
}

fn c_string(text: &str) -> PyResult<*const c_char> {
    let text = CString::new(text).map_err(|_| PyImportError::new_err(format!("{text:?} holds a NUL character")))?;
    Ok(CString::into_raw(text))
}
