//! Calls with arrays on a CUDA device: the kernel runs there, on the library's current stream, and its results are the library's own arrays.
//!
//! What NumPy would cast is refused here: dtypes are those of a variant, and Python numbers take them.

mod array;
mod deferred;
mod graph;
mod number;
mod operands;
mod stream;

pub(in crate::runtime) use graph::Captured;

use super::Callee;
use super::import::{Place, torch_checks, torch_writes};
use super::library::{self, Class, Library};
use array::Array;
use lanecraft_backends::cuda::run::{cache, nvrtc};
use lanecraft_backends::cuda::{AnyKernel, Call, Error, Stream};
use lanecraft_core::{DtypeId, FaultKind};
use operands::{Given, Options};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError, PyValueError, PyZeroDivisionError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The CUDA text of a kernel that `#[python_export]` names.
pub struct CudaExport {
    /// The kernel.
    pub kernel: AnyKernel,
    /// `module_path!()` of the kernel.
    pub path: &'static str,
}

inventory::collect!(CudaExport);

/// The crate of this module.
static CRATE: OnceLock<String> = OnceLock::new();

/// Tells where PTX lies beside the module, and where Python packages are, NVRTC perhaps among them.
///
/// # Errors
/// Python's.
pub(in crate::runtime) fn prepare(module: &Bound<'_, PyModule>, crate_name: &str) -> PyResult<()> {
    let _ = CRATE.set(crate_name.to_owned());
    let py = module.py();
    for path in py.import("sys")?.getattr("path")?.try_iter()? {
        if let Ok(path) = path?.extract::<PathBuf>()
            && path.join("nvidia").is_dir()
        {
            nvrtc::look_in(&path);
        }
    }
    // A module that is being imported has its file's name there.
    let file = module.getattr("__spec__").and_then(|spec| spec.getattr("origin")).and_then(|file| file.extract::<PathBuf>());
    if let Some(folder) = file.ok().as_deref().and_then(|file| file.parent()) {
        cache::use_packed(&folder.join("ptx"));
    }
    Ok(())
}

/// The kernels of this module that have CUDA texts.
pub(super) fn kernels() -> impl Iterator<Item = AnyKernel> {
    let own = |export: &&CudaExport| CRATE.get().is_some_and(|name| export.path.split("::").next() == Some(name));
    inventory::iter::<CudaExport>().filter(own).map(|export| export.kernel)
}

/// Compiles the texts of this module's kernels into a folder: NVRTC's version, and why kernels have no text.
///
/// # Errors
/// `RuntimeError` without NVRTC, or for what it refuses; `OSError`.
pub(in crate::runtime) fn pack(folder: &Path, architectures: &[u32]) -> PyResult<((u32, u32), Vec<String>)> {
    let refused = |error: Error| PyRuntimeError::new_err(error.to_string());
    let nvrtc = nvrtc::Nvrtc::find(None).map_err(refused)?;
    let mut without = Vec::new();
    for kernel in kernels() {
        let text = match kernel.source() {
            Ok(source) => source.text,
            Err(missing) => {
                without.push(missing.to_string());
                continue;
            }
        };
        for architecture in architectures {
            let ptx = nvrtc.compile(kernel.name(), &text, *architecture).map_err(refused)?;
            cache::pack(folder, &text, *architecture, &ptx)?;
        }
    }
    Ok((nvrtc.version(), without))
}

/// Whether an argument is on a CUDA device.
pub(super) fn is_wanted(args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<bool> {
    let is = |value: &Bound<'_, PyAny>| match library::class(value)? {
        Class::Foreign(..) => Ok(array::device(value)?.is_some()),
        _ => PyResult::Ok(false),
    };
    for value in args.iter() {
        if is(&value)? {
            return Ok(true);
        }
    }
    match kwargs.map(|kwargs| kwargs.get_item("out")).transpose()?.flatten() {
        Some(out) => match out.cast_exact::<PyTuple>() {
            Ok(several) => several.iter().try_fold(false, |found, value| Ok(found || is(&value)?)),
            Err(_) => is(&out),
        },
        None => Ok(false),
    }
}

/// Calls a kernel on the device of its arrays.
///
/// # Errors
/// `TypeError` and `ValueError` for arguments that do not fit, `RuntimeError` for what is missing on this machine and for the driver's, and the errors of elements.
pub(super) fn call<'py>(
    callee: Callee,
    library: &'static Library,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = args.py();
    let kernel = find(callee)?;
    let options = Options::of(callee, kernel, args, kwargs)?;
    let device = operands::device(callee, library, args, &options.outputs)?;
    let on = graph::stream(stream::current(py, callee.name, library, device)?)?;
    let inputs = take_inputs(callee, library, args, &on.stream)?;
    let (dtypes_in, dtypes_out) = operands::variant(callee, kernel, &inputs)?;
    let is_given = options.outputs.is_some();
    let outputs = match options.outputs {
        Some(given) => given,
        None => {
            let shapes = operands::result_shapes(callee, kernel, &inputs)?;
            graph::no_allocation(callee)?;
            let model = operands::first_array(args, &inputs)?;
            shapes
                .iter()
                .zip(&dtypes_out)
                .map(|(shape, dtype)| operands::allocate(&model, library, device, shape, *dtype))
                .collect::<PyResult<_>>()?
        }
    };
    let written = take_outputs(callee, library, kernel, &outputs, &inputs, &on.stream)?;
    let mut call = Call::new(kernel, &on.stream);
    for ((k, input), dtype) in inputs.iter().enumerate().zip(&dtypes_in) {
        call = match input {
            // SAFETY: on the stream's device; the library keeps the memory for work on its stream, or the call waits.
            Given::Array(array) => unsafe { call.input_at(array.dtype, array.at, &array.shape, &array.steps) },
            Given::Number(value) => call.input_value(*dtype, number::bytes(callee, k, value, *dtype)?),
        };
    }
    for array in &written {
        // SAFETY: as above; an output shares no memory with another element of an input.
        call = unsafe { call.output_at(array.dtype, array.at, &array.shape, &array.steps) };
    }
    for (name, value) in &options.parameters {
        call = call.parameter(name, *value);
    }
    if let Some(blocks) = options.grid {
        call = call.grid(blocks);
    }
    if let Some(threads) = options.block {
        call = call.block(threads);
    }
    if library.is_torch() && is_given {
        outputs.iter().try_for_each(torch_writes)?;
    }
    let captured = graph::keep(args.iter().chain(outputs.iter().cloned()));
    let waits = !on.is_theirs && !captured;
    let is_deferred = !captured && deferred::takes(&on);
    let call = OverThreads(call);
    let ran = py.detach(|| {
        let call = call;
        if is_deferred { call.0.launch() } else { call.0.run() }?;
        if waits { on.stream.synchronize() } else { Ok(()) }
    });
    ran.map_err(|error| raise(callee.name, error))?;
    match <[Bound<'py, PyAny>; 1]>::try_from(outputs) {
        Ok([one]) => Ok(one),
        Err(several) => Ok(PyTuple::new(py, several)?.into_any()),
    }
}

/// Takes the inputs over, ready on a stream.
fn take_inputs<'py>(callee: Callee, library: &'static Library, args: &Bound<'py, PyTuple>, on: &Stream) -> PyResult<Vec<Given<'py>>> {
    let mut inputs = Vec::new();
    for (k, value) in args.iter().take(callee.inputs.len()).enumerate() {
        let name = || callee.position(k);
        let place = Place { callee, library, output: false, name: &name };
        inputs.push(match library::class(&value)? {
            Class::Foreign(..) => {
                if library.is_torch() {
                    torch_checks(&value, &place)?;
                }
                Given::Array(Array::of(&value, on, &place)?)
            }
            _ => Given::Number(value),
        });
    }
    Ok(inputs)
}

/// Takes the outputs over.
fn take_outputs(
    callee: Callee,
    library: &'static Library,
    kernel: AnyKernel,
    outputs: &[Bound<'_, PyAny>],
    inputs: &[Given<'_>],
    on: &Stream,
) -> PyResult<Vec<Array>> {
    let mut written = Vec::new();
    for (k, value) in outputs.iter().enumerate() {
        let name = || if outputs.len() == 1 { "argument 'out'".to_owned() } else { format!("argument 'out[{k}]'") };
        let place = Place { callee, library, output: true, name: &name };
        let array = Array::of(value, on, &place)?;
        operands::check_apart(&place, kernel, &array, inputs)?;
        written.push(array);
    }
    Ok(written)
}

/// A call, on its way out of the GIL.
struct OverThreads<T>(T);

// SAFETY: the addresses in it are the device's, and the same thread goes on.
unsafe impl<T> Send for OverThreads<T> {}

/// The CUDA C++ text of a kernel of this module, with these inputs.
///
/// # Errors
/// `RuntimeError`, where it has none.
pub(in crate::runtime) fn text(name: &'static str, inputs: &'static [&'static str]) -> PyResult<String> {
    let source = find(Callee { name, inputs, map: None })?.source();
    source.map(|source| source.text).map_err(|error| PyRuntimeError::new_err(format!("{name}(): {error}")))
}

/// Names in Rust by names in Python, where `pybind-gen.toml` has other ones: texts are found by the former.
struct Names(Mutex<Vec<(&'static str, &'static str)>>);

static NAMES: Names = Names(Mutex::new(Vec::new()));

impl Names {
    fn get(&self, python: &'static str) -> &'static str {
        let names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.iter().find(|(_, renamed)| *renamed == python).map_or(python, |(rust, _)| rust)
    }
}

/// Notes that a kernel has another name in Python.
pub(in crate::runtime) fn note_name(rust: &'static str, python: &'static str) {
    NAMES.0.lock().unwrap_or_else(PoisonError::into_inner).push((rust, python));
}

/// The CUDA text of the kernel that is called.
fn find(callee: Callee) -> PyResult<AnyKernel> {
    let arguments = |kernel: AnyKernel| match kernel {
        AnyKernel::Map(kernel) => kernel.info.arguments,
        AnyKernel::Block(kernel) => kernel.info.arguments,
    };
    let name = NAMES.get(callee.name);
    let mut found = kernels().filter(|kernel| kernel.name() == name && arguments(*kernel) == callee.inputs);
    match (found.next(), found.next()) {
        (Some(kernel), None) => Ok(kernel),
        (None, _) => {
            Err(PyRuntimeError::new_err(format!("{}(): this kernel has no CUDA form; accepted: arrays in CPU memory", callee.name)))
        }
        // Of two submodules: rename one.
        (Some(_), Some(_)) => Err(PyRuntimeError::new_err(format!(
            "{}(): two kernels of this module have this name and these arguments, so that CUDA arrays cannot be given to either; accepted: arrays in CPU \
             memory",
            callee.name
        ))),
    }
}

/// Bytes from element to element of an array whose elements lie side by side.
fn compact(shape: &[usize], dtype: DtypeId) -> Vec<isize> {
    let mut steps = vec![dtype.size() as isize; shape.len()];
    for axis in (1..shape.len()).rev() {
        steps[axis - 1] = steps[axis] * shape[axis] as isize;
    }
    steps
}

/// A CUDA error as Python's, in the words of Python's callers: `gelu(): ..`.
fn raise(name: &str, error: Error) -> PyErr {
    let text = error.to_string();
    let text = format!("{name}(): {}", text.strip_prefix(&format!("{name}: ")).unwrap_or(&text));
    if let Error::Kernel(error) = &error {
        return match **error {
            lanecraft_backends::Error::Fault { kind: FaultKind::DivisionByZero, .. } => PyZeroDivisionError::new_err(text),
            lanecraft_backends::Error::Fault { .. } | lanecraft_backends::Error::OutOfRange { .. } => PyIndexError::new_err(text),
            _ => PyValueError::new_err(text),
        };
    }
    match error {
        Error::OutOfRange { .. } => PyIndexError::new_err(text),
        Error::Geometry { .. } | Error::Device { .. } | Error::Elsewhere { .. } => PyValueError::new_err(text),
        Error::Dtypes { .. } => PyTypeError::new_err(text),
        _ => PyRuntimeError::new_err(text),
    }
}
