//! A kernel's choices of parameter values, each a ufunc of its own.

use super::{text, ufunc};
use lanecraft_backends::{KernelInfo, Parameter, ParameterValue, Variant};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString, PyTuple};

/// The ufunc of one choice of parameter values. A kernel without parameters has one, with an empty choice.
pub(super) struct Choice {
    /// For each parameter the index of its value, or `None` for the run-time variant.
    pub(super) values: &'static [Option<usize>],
    /// This choice as a kernel without parameters. Those that are left to the run time are its last arguments.
    pub(super) info: &'static KernelInfo,
    /// How many they are.
    pub(super) run_time: usize,
    pub(super) ufunc: Py<PyAny>,
}

impl Choice {
    /// Registers the ufuncs of a kernel, the most special choices first. `module` is where users find the kernel.
    ///
    /// # Errors
    /// `ImportError` when NumPy refuses one.
    pub(super) fn all(py: Python<'_>, info: &'static KernelInfo, module: &str) -> PyResult<Vec<Self>> {
        let number = |k: usize| (!info.parameters.is_empty()).then_some(k);
        by_choice(info).enumerate().map(|(k, variants)| Self::new(py, info, variants, module, number(k))).collect()
    }

    fn new(py: Python<'_>, info: &'static KernelInfo, variants: &'static [Variant], module: &str, number: Option<usize>) -> PyResult<Self> {
        let values = variants.first().map_or(&[][..], |variant| variant.choice);
        let left = info.parameters.iter().zip(values).filter(|(_, value)| value.is_none()).map(|(parameter, _)| parameter.name);
        let arguments: Vec<&str> = info.arguments.iter().copied().chain(left).collect();
        let run_time = arguments.len() - info.arguments.len();
        let own = if info.parameters.is_empty() {
            info
        } else {
            // A ufunc is never freed, and neither is what it points to.
            let doc = format!("{}\n\nFor {}.", info.doc.trim(), text::choice(info.parameters, values));
            Box::leak(Box::new(KernelInfo {
                doc: doc.trim_start().to_owned().leak(),
                arguments: arguments.leak(),
                parameters: &[],
                variants,
                ..*info
            }))
        };
        let ufunc = ufunc::create(py, own, run_time, module, &attribute(number))?.unbind();
        Ok(Self { values, info: own, run_time, ufunc })
    }

    /// The values in Python, `None` for the run-time variant.
    pub(super) fn key<'py>(&self, py: Python<'py>, info: &KernelInfo) -> PyResult<Bound<'py, PyTuple>> {
        key(py, info.parameters, self.values)
    }
}

/// The attribute of a kernel that is the ufunc of a choice, by its number where there are several. Pickles find the ufunc by it.
pub(super) fn attribute(number: Option<usize>) -> String {
    number.map_or_else(|| "ufunc".to_owned(), |k| format!("ufunc_{k}"))
}

/// A choice of values in Python, `None` for the run-time variant.
pub(super) fn key<'py>(py: Python<'py>, parameters: &[Parameter], values: &[Option<usize>]) -> PyResult<Bound<'py, PyTuple>> {
    let values = parameters.iter().zip(values).map(|(parameter, value)| match value.and_then(|at| parameter.values.get(at)) {
        Some(value) => python(py, value),
        None => Ok(py.None().into_bound(py)),
    });
    PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)
}

/// The values that parameters are built for, by name.
pub(super) fn values<'py>(py: Python<'py>, parameters: &[Parameter]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for parameter in parameters {
        let values = parameter.values.iter().map(|value| python(py, value)).collect::<PyResult<Vec<_>>>()?;
        dict.set_item(crate::names::parameter(parameter.name), PyTuple::new(py, values)?)?;
    }
    Ok(dict)
}

/// The variants of a kernel by choice: they stand together.
pub(super) fn by_choice(info: &'static KernelInfo) -> impl Iterator<Item = &'static [Variant]> {
    info.variants.chunk_by(|a, b| a.choice == b.choice)
}

/// A parameter's value in Python: int, bool, or the name of an enum's variant.
pub(super) fn python<'py>(py: Python<'py>, value: &ParameterValue) -> PyResult<Bound<'py, PyAny>> {
    Ok(match *value {
        ParameterValue::Int(value) => py.get_type::<PyInt>().call1((value,))?,
        ParameterValue::Bool(value) => PyBool::new(py, value).to_owned().into_any(),
        ParameterValue::Name(name) => PyString::new(py, name).into_any(),
    })
}
