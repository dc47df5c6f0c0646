//! Real NumPy gufuncs from block kernels.

use super::arrays::{MAX_WITH_GIL, Released};
use super::fp_status::FpStatus;
use super::trace::{self, Loop};
use super::{debug, descr, fault, fresh, promote, text};
use lanecraft_backends::block::variant::Call;
use lanecraft_backends::{BlockInfo, BlockVariant, RunError, interruptible};
use lanecraft_core::DtypeId;
use numpy::PY_UFUNC_API;
use numpy::npyffi::{PyUFuncGenericFunction, npy_intp};
use pyo3::exceptions::{PyAttributeError, PyImportError};
use pyo3::prelude::*;
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a loop's data pointer leads to.
struct Entry {
    info: &'static BlockInfo,
    variant: &'static BlockVariant,
}

/// The loop of every variant of every block kernel, in the shape of a gufunc's: `dimensions` are the number of items and the core
/// dimensions, `steps` the bytes from item to item of each operand, then from element to element on each core axis.
///
/// # Safety
/// Called by NumPy with the pointers of an operation of the entry's signature, and the `data` that [`create`] gave.
unsafe extern "C" fn run(args: *mut *mut c_char, dimensions: *mut npy_intp, steps: *mut npy_intp, data: *mut c_void) {
    // SAFETY: `create` passed a leaked `Entry` with this loop, and NumPy hands over as many pointers, sizes and steps as its signature has.
    let (entry, args, dimensions, steps) = unsafe {
        let entry = &*data.cast::<Entry>();
        let signature = &entry.info.signature;
        let operands = signature.operands.len();
        let axes: usize = signature.operands.iter().map(|dims| dims.len()).sum();
        (
            entry,
            std::slice::from_raw_parts(args.cast::<*mut u8>(), operands),
            std::slice::from_raw_parts(dimensions.cast::<usize>(), 1 + signature.dims.len()),
            std::slice::from_raw_parts(steps.cast::<isize>(), operands + axes),
        )
    };
    if fault::is_pending() {
        return;
    }
    let status = FpStatus::save();
    let (steps, core_steps) = steps.split_at(args.len());
    trace::note(entry.info.name, || Loop {
        count: dimensions[0],
        addresses: args.iter().map(|arg| arg.addr()).collect(),
        steps: steps.to_vec(),
        dims: dimensions[1..].to_vec(),
        core_steps: core_steps.to_vec(),
        dtypes: entry.variant.operands().to_vec(),
    });
    let fresh = fresh::outputs(entry.info);
    let call = Call { args, count: dimensions[0], steps, dims: &dimensions[1..], core_steps, fresh: fresh.unwrap_or(0) };
    // SAFETY: NumPy's promise, as below.
    unsafe { fresh::fill(entry.info, entry.variant, &call, fresh.unwrap_or(!0)) };
    let released = keeps_gil(entry.info, &call).then(Released::if_held).flatten();
    // SAFETY: NumPy's promise: aligned elements of the variant's dtypes in native byte order; operands that overlap come as copies.
    let result = catch_unwind(AssertUnwindSafe(|| unsafe {
        debug::run(|| interruptible(fault::is_interrupted, || entry.variant.run(&entry.info.signature, &call)))
    }));
    drop(released);
    drop(status);
    // A kernel's own panic comes as an error; this one would be of the run time around it. Neither may reach C.
    if let Err(error) = result.unwrap_or_else(|_| Err(RunError::Panic("in Lanecraft itself".to_owned()))) {
        fault::raise_in_item(entry.info, dimensions[0], &error);
    }
}

/// Whether NumPy may have kept the GIL in spite of much work. It goes by the length of its iteration, which is over the items and the axes of all
/// outputs: reductions have few results.
fn keeps_gil(info: &BlockInfo, call: &Call<'_>) -> bool {
    let elements = |count: usize, dims: &&[usize]| dims.iter().fold(count, |count, dim| count.saturating_mul(call.dims[*dim]));
    let operands = info.signature.operands;
    let results = operands.iter().skip(info.arguments.len()).fold(call.count, elements);
    results <= MAX_WITH_GIL && operands.iter().any(|dims| elements(call.count, dims) > MAX_WITH_GIL)
}

/// Makes the gufunc. `module` is where users find the kernel, `attribute` its name there.
///
/// # Errors
/// `ImportError` when NumPy refuses the table of loops.
pub(super) fn create<'py>(py: Python<'py>, info: &'static BlockInfo, module: &str, attribute: &str) -> PyResult<Bound<'py, PyAny>> {
    let mut variants: Vec<&'static BlockVariant> = info.variants.iter().collect();
    // The order of loops is semantics, as it is for ufuncs.
    variants.sort_by_key(|v| v.inputs());
    let loops_of = variants.iter().map(|v| promote::Loop { inputs: v.inputs(), outputs: v.outputs() }).collect();
    type Variants = Vec<&'static BlockVariant>;
    let (extended, variants): (Variants, Variants) = variants.into_iter().partition(|v| v.operands().contains(&DtypeId::Bf16));
    let numbers = |v: &BlockVariant| v.operands().iter().map(|d| descr::number(py, *d)).collect::<Option<Vec<c_int>>>();
    let types: Vec<Vec<c_int>> = variants
        .iter()
        .map(|v| numbers(v))
        .collect::<Option<_>>()
        .ok_or_else(|| PyImportError::new_err("NumPy lacks one of its own dtypes"))?;
    let types: Vec<c_char> = types.into_iter().flatten().map(|number| number as c_char).collect();
    let entry =
        |variant: &'static BlockVariant| std::ptr::from_ref(Box::leak(Box::new(Entry { info, variant }))).cast_mut().cast::<c_void>();
    let entries: Vec<*mut c_void> = variants.iter().copied().map(entry).collect();
    let loops: Vec<PyUFuncGenericFunction> = vec![Some(run); variants.len()];
    let c_string = |text: &str| {
        let text = CString::new(text).map_err(|_| PyImportError::new_err(format!("{text:?} holds a NUL character")))?;
        PyResult::Ok(CString::into_raw(text).cast_const())
    };
    let doc = text::block_docstring(info);
    // As for ufuncs: by this name pickles find it.
    let path = format!("{}.{attribute}", info.name);
    let (name, c_doc, signature) = (c_string(&path)?, c_string(&doc)?, c_string(info.signature.text)?);
    // SAFETY: NumPy keeps all pointers for the ufunc's life, and ufuncs may outlive the module: what they point to is leaked. The
    // tables have `ntypes` rows of the length that the signature says. -1 is PyUFunc_None: no identity.
    let ufunc = unsafe {
        let ufunc = PY_UFUNC_API.PyUFunc_FromFuncAndDataAndSignature(
            py,
            loops.leak().as_mut_ptr(),
            entries.leak().as_mut_ptr(),
            types.leak().as_mut_ptr(),
            variants.len() as c_int,
            info.arguments.len() as c_int,
            info.outputs.len() as c_int,
            -1,
            name,
            c_doc,
            0,
            signature,
        );
        Bound::from_owned_ptr_or_err(py, ufunc)?
    };
    if let Some(bf16) = descr::number(py, DtypeId::Bf16) {
        for variant in extended {
            let Some(types) = numbers(variant) else { continue };
            // SAFETY: a ufunc; one type number per operand; what the data pointer leads to lives for ever, as `run` asks.
            let code = unsafe {
                PY_UFUNC_API.PyUFunc_RegisterLoopForType(
                    py,
                    ufunc.as_ptr().cast(),
                    bf16,
                    Some(run),
                    types.leak().as_mut_ptr(),
                    entry(variant),
                )
            };
            if code < 0 {
                return Err(PyErr::fetch(py));
            }
        }
    }
    fresh::keep(&ufunc, info);
    promote::add(&ufunc, loops_of, 0)?;
    // NumPy gives a new ufunc no home. It lets attributes be set from 2.2 on; before that the names stay as they are.
    for (attribute, value) in [("__module__", module), ("__qualname__", path.as_str()), ("__doc__", &doc)] {
        match ufunc.setattr(attribute, value) {
            Err(error) if !error.is_instance_of::<PyAttributeError>(py) => return Err(error),
            _ => {}
        }
    }
    Ok(ufunc)
}
