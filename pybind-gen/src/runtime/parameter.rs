//! A call of a kernel with compile-time parameters: which choice of values it means, and what that choice's ufunc gets.

use super::Kernel;
use super::choice::Choice;
use super::explain::is_python_number;
use crate::runtime::text;
use lanecraft_backends::{Parameter, ParameterValue};
use lanecraft_core::DtypeId;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString, PyTuple};

/// A call without its parameters.
pub(super) struct Picked<'k, 'py> {
    /// The choice that it means.
    pub(super) choice: &'k Choice,
    /// The positional arguments, with the values that are left to the run time after the inputs.
    pub(super) args: Bound<'py, PyTuple>,
    /// The keywords, if there are any.
    pub(super) kwargs: Option<Bound<'py, PyDict>>,
}

/// Takes the parameters out of a call and picks the first choice that fits: the most special one.
///
/// # Errors
/// `TypeError` for a parameter that is missing or of another type, `ValueError` for a value that is not accepted.
pub(super) fn pick<'k, 'py>(
    kernel: &'k Kernel,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Picked<'k, 'py>> {
    let py = args.py();
    let kwargs = kwargs.map_or_else(|| Ok(PyDict::new(py)), |kwargs| kwargs.copy())?;
    let of = Of { module: &kernel.module, kernel: kernel.info.name };
    let given = take(&kwargs, of, kernel.info.parameters, &kernel.parameters)?;
    let fits = |choice: &&Choice| choice.values.iter().zip(&given).all(|(built, given)| built.is_none() || *built == given.listed);
    // With a wrong number of arguments there is no place for the run-time values: any choice will report it.
    let countable = (kernel.info.arguments.len()..=kernel.info.arguments.len() + kernel.info.outputs).contains(&args.len());
    let choice = kernel.choices.iter().find(|choice| fits(choice) && (countable || choice.run_time == 0));
    let choice = choice.unwrap_or_else(|| kernel.first());
    let mut picked = Picked { choice, args: args.clone(), kwargs: None };
    if choice.run_time > 0 {
        let left = choice.values.iter().zip(given).filter(|(built, _)| built.is_none()).map(|(_, given)| given.value);
        picked.args = with_run_time_values(args, kernel.info.arguments.len(), left.collect())?;
        widen_signature(&kwargs, kernel, choice)?;
    }
    picked.kwargs = (!kwargs.is_empty()).then_some(kwargs);
    Ok(picked)
}

/// What came for a parameter.
struct Given<'py> {
    /// The index among the listed values.
    listed: Option<usize>,
    /// The value; a 0-d array where it is not listed.
    value: Bound<'py, PyAny>,
}

/// A kernel, for messages.
#[derive(Clone, Copy)]
pub(super) struct Of<'k> {
    /// Where users find it.
    pub(super) module: &'k str,
    /// Its name.
    pub(super) kernel: &'k str,
}

/// Takes the parameters out of the keywords.
fn take<'py>(
    kwargs: &Bound<'py, PyDict>,
    of: Of<'_>,
    parameters: &'static [Parameter],
    names: &[Py<PyString>],
) -> PyResult<Vec<Given<'py>>> {
    let py = kwargs.py();
    let mut given = Vec::with_capacity(parameters.len());
    for (parameter, name) in parameters.iter().zip(names) {
        let name = name.bind(py);
        let value = kwargs.get_item(name)?;
        if value.is_some() {
            kwargs.del_item(name)?;
        }
        given.push(Asked { of, parameter, name }.read(value)?);
    }
    Ok(given)
}

/// Takes the parameters of a block kernel out of the keywords: the index of each one's value.
///
/// # Errors
/// As for [`pick`].
pub(super) fn listed(
    kwargs: &Bound<'_, PyDict>,
    of: Of<'_>,
    parameters: &'static [Parameter],
    names: &[Py<PyString>],
) -> PyResult<Vec<Option<usize>>> {
    Ok(take(kwargs, of, parameters, names)?.into_iter().map(|given| given.listed).collect())
}

/// A parameter and whose it is.
struct Asked<'k, 'py> {
    of: Of<'k>,
    parameter: &'static Parameter,
    name: &'k Bound<'py, PyString>,
}

impl<'py> Asked<'_, 'py> {
    fn read(&self, value: Option<Bound<'py, PyAny>>) -> PyResult<Given<'py>> {
        let Some(value) = value else {
            return Err(PyTypeError::new_err(self.text("is missing")));
        };
        let values = self.parameter.values;
        // The values of a parameter are of one kind.
        let (listed, value) = match values.first() {
            Some(ParameterValue::Bool(_)) => {
                let Ok(flag) = value.extract::<bool>() else { return Err(self.wrong_type(&value)) };
                (values.iter().position(|v| *v == ParameterValue::Bool(flag)), PyBool::new(value.py(), flag).to_owned().into_any())
            }
            Some(ParameterValue::Name(_)) => {
                let Ok(name) = value.cast::<PyString>() else { return Err(self.wrong_type(&value)) };
                // A lone surrogate is in no name.
                let name = name.to_cow().ok();
                let is_it = |v: &ParameterValue| matches!((v, &name), (ParameterValue::Name(listed), Some(name)) if *listed == *name);
                (values.iter().position(is_it), value.clone())
            }
            Some(ParameterValue::Int(_)) | None => {
                let value = self.index(value)?;
                // What `i128` does not hold is no value of any dtype.
                let number = value.extract::<i128>().ok();
                (values.iter().position(|v| number.is_some_and(|n| *v == ParameterValue::Int(n))), value)
            }
        };
        match (listed, self.parameter.run_time) {
            (Some(_), _) => Ok(Given { listed, value }),
            (None, Some(dtype)) => Ok(Given { listed, value: self.array(&value, dtype)? }),
            (None, None) => Err(self.refused(&value)),
        }
    }

    /// The value as `operator.index` gives it. A bool is not a number here.
    fn index(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if value.is_exact_instance_of::<PyInt>() {
            return Ok(value);
        }
        let index = if value.is_instance_of::<PyBool>() {
            None
        } else {
            value.py().import(intern!(value.py(), "operator"))?.call_method1("index", (&value,)).ok()
        };
        index.ok_or_else(|| self.wrong_type(&value))
    }

    /// The value as a 0-d array: it has a dtype of its own, and does not take that of the arrays beside it.
    fn array(&self, value: &Bound<'py, PyAny>, dtype: DtypeId) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        py.import(intern!(py, "numpy"))?.call_method1("array", (value, descr_of(py, dtype)?)).map_err(|error| {
            let refused = self.refused(value);
            refused.set_cause(py, Some(error));
            refused
        })
    }

    fn refused(&self, value: &Bound<'_, PyAny>) -> PyErr {
        PyValueError::new_err(self.text(&format!("came as {}", short_repr(value))))
    }

    #[cold]
    fn wrong_type(&self, value: &Bound<'_, PyAny>) -> PyErr {
        let class = value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
        PyTypeError::new_err(self.text(&format!("came as {} of type {class}", short_repr(value))))
    }

    fn text(&self, what: &str) -> String {
        let Of { module, kernel } = self.of;
        format!("{module}.{kernel}: parameter `{}` {what}; accepted are {}", self.name, text::accepted(self.parameter))
    }
}

/// The value as Python prints it, cut to a line.
fn short_repr(value: &Bound<'_, PyAny>) -> String {
    const MAX: usize = 60;
    let Ok(text) = value.repr() else { return "a value".to_owned() };
    let text = text.to_string_lossy().split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > MAX { format!("{}...", text.chars().take(MAX).collect::<String>()) } else { text }
}

/// Puts the run-time values after the inputs. The ufunc sees arrays among its operands then, which Python numbers would take the dtype of;
/// where the user gave nothing but Python numbers they are made what NumPy makes of them on their own.
fn with_run_time_values<'py>(args: &Bound<'py, PyTuple>, nin: usize, values: Vec<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyTuple>> {
    let py = args.py();
    let mut all: Vec<Bound<'py, PyAny>> = args.iter().collect();
    let outputs = all.split_off(nin);
    if all.iter().all(is_python_number) {
        let numpy = py.import(intern!(py, "numpy"))?;
        for value in &mut all {
            *value = numpy.call_method1("asarray", (&*value,))?.get_item(PyTuple::empty(py))?;
        }
    }
    all.extend(values);
    all.extend(outputs);
    PyTuple::new(py, all)
}

/// `signature=` names the operands that users know of: the run-time values are added.
fn widen_signature(kwargs: &Bound<'_, PyDict>, kernel: &Kernel, choice: &Choice) -> PyResult<()> {
    let py = kwargs.py();
    let Some(signature) = kwargs.get_item("signature")? else { return Ok(()) };
    let nin = kernel.info.arguments.len();
    if let Ok(tuple) = signature.cast::<PyTuple>() {
        let mut dtypes: Vec<_> = tuple.iter().collect();
        if dtypes.len() == nin + kernel.info.outputs {
            dtypes.splice(nin..nin, vec![py.None().into_bound(py); choice.run_time]);
        }
        return kwargs.set_item("signature", PyTuple::new(py, dtypes)?);
    }
    let Ok(text) = signature.extract::<String>() else { return Ok(()) };
    let Some((inputs, outputs)) = text.split_once("->") else { return Ok(()) };
    let mut inputs = inputs.to_owned();
    for (parameter, _) in kernel.info.parameters.iter().zip(choice.values).filter(|(_, value)| value.is_none()) {
        if let Some(dtype) = parameter.run_time {
            inputs.push_str(&descr_of(py, dtype)?.getattr("char")?.extract::<String>()?);
        }
    }
    kwargs.set_item("signature", format!("{inputs}->{outputs}"))
}

/// NumPy's descriptor of a parameter's dtype, an integer or `bool`.
fn descr_of(py: Python<'_>, dtype: DtypeId) -> PyResult<Bound<'_, numpy::PyArrayDescr>> {
    super::descr::of(py, dtype).ok_or_else(|| pyo3::exceptions::PyImportError::new_err(format!("NumPy has no dtype {dtype}")))
}
