//! What a call says: keywords, the variant that its arrays mean, the shapes of its results.

use super::super::import::Place;
use super::super::library::{self, Class, Library};
use super::array::{Array, device as device_of};
use super::{Callee, number};
use lanecraft_backends::cuda::AnyKernel;
use lanecraft_backends::{Parameter, ParameterValue};
use lanecraft_core::DtypeId;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString, PyTuple};

/// An input.
pub(super) enum Given<'py> {
    Array(Array),
    /// Something else: a Python number, or it is refused later.
    Number(Bound<'py, PyAny>),
}

/// The keywords of a call, and its outputs, if there are any.
#[derive(Default)]
pub(super) struct Options<'py> {
    pub(super) outputs: Option<Vec<Bound<'py, PyAny>>>,
    pub(super) grid: Option<u32>,
    pub(super) block: Option<u32>,
    pub(super) parameters: Vec<(&'static str, ParameterValue)>,
}

impl<'py> Options<'py> {
    pub(super) fn of(callee: Callee, kernel: AnyKernel, args: &Bound<'py, PyTuple>, kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        let (nin, nout, known) = match kernel {
            AnyKernel::Map(kernel) => (kernel.info.arguments.len(), kernel.info.outputs, kernel.info.parameters),
            AnyKernel::Block(kernel) => (kernel.info.arguments.len(), kernel.info.outputs.len(), kernel.info.parameters),
        };
        if args.len() != nin && args.len() != nin + nout {
            return Err(callee.error(format!("{} positional arguments came; accepted: {nin}, or {} with outputs", args.len(), nin + nout)));
        }
        let mut options = Self::default();
        if args.len() > nin {
            options.outputs = Some(args.iter().skip(nin).collect());
        }
        for (key, value) in kwargs.into_iter().flatten() {
            let name = key.cast::<PyString>()?.to_string();
            let parameter = known.iter().find(|parameter| crate::names::parameter(parameter.name) == name);
            match (name.as_str(), parameter) {
                (_, Some(parameter)) => options.parameters.push((parameter.name, parameter_value(callee, parameter, &value)?)),
                ("out", _) if value.is_none() => {}
                ("out", _) if options.outputs.is_some() => {
                    return Err(callee.error("outputs came twice; accepted: once, by position or as 'out'"));
                }
                ("out", _) => {
                    let several: Vec<Bound<'py, PyAny>> =
                        value.cast_exact::<PyTuple>().map_or_else(|_| vec![value.clone()], |several| several.iter().collect());
                    if several.len() != nout || several.iter().any(|one| one.is_none()) {
                        return Err(callee.error(format!("argument 'out' has not one array for each output; accepted: {nout} of them")));
                    }
                    options.outputs = Some(several);
                }
                ("grid" | "block", _) => {
                    let number = value.extract::<u32>().ok().filter(|_| !value.is_instance_of::<PyBool>());
                    let refused = || callee.error(format!("{name}={}; accepted: a whole number", repr(&value)));
                    let number = Some(number.ok_or_else(refused)?);
                    if name == "grid" { options.grid = number } else { options.block = number }
                }
                _ => {
                    let own: String = known.iter().map(|parameter| format!(", '{}'", crate::names::parameter(parameter.name))).collect();
                    return Err(callee.error(format!(
                        "argument '{name}' is not for arrays on a CUDA device; accepted: 'out', 'grid', 'block', 'threads'{own}"
                    )));
                }
            }
        }
        Ok(options)
    }
}

fn repr(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| "a value".to_owned(), |repr| repr.to_string())
}

fn parameter_value(callee: Callee, parameter: &'static Parameter, value: &Bound<'_, PyAny>) -> PyResult<ParameterValue> {
    let named = |name: &str| parameter.values.iter().copied().find(|known| matches!(known, ParameterValue::Name(own) if *own == name));
    let found = if value.is_instance_of::<PyBool>() {
        value.extract().ok().map(ParameterValue::Bool)
    } else if let Ok(name) = value.cast::<PyString>() {
        named(&name.to_string())
    } else {
        value.extract().ok().map(ParameterValue::Int)
    };
    found.ok_or_else(|| callee.error(format!("{}={}; accepted: {}", parameter.name, repr(value), parameter.accepted())))
}

/// The device of the arrays.
///
/// # Errors
/// They are on several, or of several libraries.
pub(super) fn device(
    callee: Callee,
    library: &'static Library,
    args: &Bound<'_, PyTuple>,
    outputs: &Option<Vec<Bound<'_, PyAny>>>,
) -> PyResult<u32> {
    let mut first: Option<(u32, String)> = None;
    let outputs = outputs.iter().flatten().map(|value| (value.clone(), "argument 'out'".to_owned()));
    let inputs = args.iter().take(callee.inputs.len()).enumerate().map(|(k, value)| (value, callee.position(k)));
    for (value, name) in inputs.chain(outputs) {
        let came = match library::class(&value)? {
            Class::Foreign(own, _) if std::ptr::eq(own, library) => match device_of(&value)? {
                Some(device) => match &first {
                    None => {
                        first = Some((device, name));
                        continue;
                    }
                    Some((known, _)) if *known == device => continue,
                    Some(_) => format!("on device cuda:{device}"),
                },
                None => "in CPU memory".to_owned(),
            },
            Class::Foreign(other, _) => format!("of {}", other.name),
            Class::NumPy => "of numpy".to_owned(),
            Class::Dask => "of dask".to_owned(),
            Class::Plain => continue,
        };
        let accepted = first.as_ref().map_or_else(String::new, |(device, known)| format!(" cuda:{device}, as {known} is"));
        return Err(callee.error(format!("{name} is {came}; accepted: arrays of {} on one CUDA device{accepted}", library.name)));
    }
    Ok(first.map_or(0, |(device, _)| device))
}

/// The dtypes of the variant that the arrays mean, outputs too. Numbers take the first that they fit.
pub(super) fn variant(callee: Callee, kernel: AnyKernel, inputs: &[Given<'_>]) -> PyResult<(Vec<DtypeId>, Vec<DtypeId>)> {
    let nin = inputs.len();
    let all: Vec<(Vec<DtypeId>, Vec<DtypeId>)> = match kernel {
        AnyKernel::Map(kernel) => kernel.info.variants.iter().map(|v| (v.inputs[..nin].to_vec(), v.outputs.to_vec())).collect(),
        AnyKernel::Block(kernel) => kernel.info.variants.iter().map(|v| (v.inputs()[..nin].to_vec(), v.outputs().to_vec())).collect(),
    };
    let fits = |dtypes: &Vec<DtypeId>| {
        inputs.iter().zip(dtypes).all(|(input, dtype)| match input {
            Given::Array(array) => array.dtype == *dtype,
            Given::Number(value) => number::fits(value, *dtype),
        })
    };
    if let Some(found) = all.iter().find(|(dtypes, _)| fits(dtypes)) {
        return Ok(found.clone());
    }
    let came = inputs.iter().map(|input| match input {
        Given::Array(array) => array.dtype.numpy_name().to_owned(),
        Given::Number(value) => value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string()),
    });
    let list = |dtypes: &[DtypeId]| dtypes.iter().map(|dtype| dtype.numpy_name()).collect::<Vec<_>>().join(", ");
    let mut accepted: Vec<String> = all.iter().map(|(dtypes, _)| format!("({})", list(dtypes))).collect();
    accepted.dedup();
    Err(callee.error(format!(
        "({}) came; accepted on a CUDA device, where nothing is cast: {}",
        came.collect::<Vec<_>>().join(", "),
        accepted.join(", ")
    )))
}

/// The first array among the arguments, which says where results are allocated.
pub(super) fn first_array<'py>(args: &Bound<'py, PyTuple>, inputs: &[Given<'py>]) -> PyResult<Bound<'py, PyAny>> {
    let at = inputs.iter().position(|input| matches!(input, Given::Array(_))).unwrap_or(0);
    args.get_item(at)
}

/// The shapes of the results.
pub(super) fn result_shapes(callee: Callee, kernel: AnyKernel, inputs: &[Given<'_>]) -> PyResult<Vec<Vec<usize>>> {
    let none: &[usize] = &[];
    let shapes = inputs.iter().map(|input| if let Given::Array(array) = input { array.shape.as_slice() } else { none });
    let mut joint: Vec<usize> = Vec::new();
    match kernel {
        AnyKernel::Map(kernel) => {
            for (k, shape) in shapes.enumerate() {
                broadcast(callee, k, &mut joint, shape)?;
            }
            Ok(vec![joint; kernel.info.outputs])
        }
        AnyKernel::Block(kernel) => {
            let signature = &kernel.info.signature;
            let mut dims: Vec<Option<usize>> = signature.dims.iter().map(|dim| dim.size).collect();
            for (k, shape) in shapes.enumerate() {
                let core = signature.operands[k];
                // What has too few axes is told off by the call itself.
                let lead = shape.len().saturating_sub(core.len());
                core.iter().zip(&shape[lead..]).for_each(|(dim, len)| dims[*dim] = dims[*dim].or(Some(*len)));
                broadcast(callee, k, &mut joint, &shape[..lead])?;
            }
            let of = |k: usize| {
                let own = signature.operands[k].iter().map(|dim| {
                    let name = signature.dims[*dim].name;
                    dims[*dim].ok_or_else(|| {
                        callee.error(format!("no input has the dimension {name} of {}; accepted: a call with 'out'", signature.text))
                    })
                });
                joint.iter().copied().map(Ok).chain(own).collect()
            };
            (inputs.len()..signature.operands.len()).map(of).collect()
        }
    }
}

/// Broadcasts a shape into those of the inputs before it.
fn broadcast(callee: Callee, k: usize, joint: &mut Vec<usize>, shape: &[usize]) -> PyResult<()> {
    let before = joint.clone();
    while joint.len() < shape.len() {
        joint.insert(0, 1);
    }
    let skipped = joint.len() - shape.len();
    for (slot, len) in joint[skipped..].iter_mut().zip(shape) {
        match (*slot, *len) {
            (a, b) if a == b || b == 1 => {}
            (1, b) => *slot = b,
            _ => {
                let text = format!(
                    "{}(): {} is of shape {shape:?}; accepted: one that broadcasts with {before:?}, that of those before it",
                    callee.name,
                    callee.position(k)
                );
                return Err(PyValueError::new_err(text));
            }
        }
    }
    Ok(())
}

/// A new array of the library, beside `model`.
pub(super) fn allocate<'py>(
    model: &Bound<'py, PyAny>,
    library: &Library,
    device: u32,
    shape: &[usize],
    dtype: DtypeId,
) -> PyResult<Bound<'py, PyAny>> {
    let py = model.py();
    let refused = |why: &str| PyTypeError::new_err(format!("{} {why}; accepted: a call with 'out'", library.name));
    if library.immutable {
        return Err(refused("has arrays that never change, so that no kernel can write one"));
    }
    let Ok(module) = py.import(library.name.as_str()) else { return Err(refused("cannot be imported to allocate a result")) };
    let Ok(empty) = module.getattr("empty") else { return Err(refused("has no function 'empty' to allocate a result")) };
    let kwargs = PyDict::new(py);
    kwargs.set_item("dtype", module.getattr(dtype.numpy_name())?)?;
    let shape = PyTuple::new(py, shape)?;
    if library.name == "cupy" {
        // It allocates on the current device.
        let guard = module.getattr("cuda")?.call_method1("Device", (device,))?;
        guard.call_method0("__enter__")?;
        let made = empty.call((shape,), Some(&kwargs));
        guard.call_method1("__exit__", (py.None(), py.None(), py.None()))?;
        return made;
    }
    kwargs.set_item("device", model.getattr("device")?)?;
    empty.call((shape,), Some(&kwargs))
}

/// An output lies apart from all inputs, or of a map kernel exactly where one lies.
pub(super) fn check_apart(place: &Place<'_>, kernel: AnyKernel, output: &Array, inputs: &[Given<'_>]) -> PyResult<()> {
    let (start, end) = output.extent();
    for (k, input) in inputs.iter().enumerate() {
        let Given::Array(input) = input else { continue };
        let (other_start, other_end) = input.extent();
        let is_same = (input.at, &input.shape, &input.steps) == (output.at, &output.shape, &output.steps);
        let in_place = is_same && matches!(kernel, AnyKernel::Map(_));
        if start < other_end && other_start < end && !in_place {
            let accepted =
                if matches!(kernel, AnyKernel::Map(_)) { "one that lies apart, or the same array" } else { "one that lies apart" };
            return Err(PyValueError::new_err(format!(
                "{}(): {} shares memory with {}; accepted on a CUDA device: {accepted}",
                place.callee.name,
                (place.name)(),
                place.callee.position(k)
            )));
        }
    }
    Ok(())
}
