//! The object that a block kernel is in Python.

use super::parameter::{self, Of};
use super::{choice, gufunc, text, threads, variants};
use lanecraft_backends::{BlockInfo, BlockVariant};
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

/// The gufunc of one choice of parameter values. A kernel without parameters has one, with an empty choice.
struct BlockChoice {
    /// For each parameter the index of its value.
    values: &'static [Option<usize>],
    ufunc: Py<PyAny>,
}

// A function of whole arrays: a NumPy gufunc (with compile-time parameters one per choice of their values), with errors that name function and argument.
//
// No doc comment: it would become the docstring of the class, which hides that of the instance.
#[pyclass(frozen, module = "lanecraft", name = "BlockKernel")]
pub(super) struct BlockKernel {
    pub(super) info: &'static BlockInfo,
    /// One or more.
    choices: Vec<BlockChoice>,
    /// The names of the compile-time parameters in Python.
    parameters: Vec<Py<PyString>>,
    module: String,
}

impl BlockKernel {
    /// Registers the gufuncs. `module` is where users find the object.
    pub(super) fn new(py: Python<'_>, info: &'static BlockInfo, module: &str) -> PyResult<Self> {
        let choice = |variants: &'static [BlockVariant]| {
            let values = variants.first().map_or(&[][..], |variant| variant.choice);
            let own = if info.parameters.is_empty() {
                info
            } else {
                // A gufunc is never freed, and neither is what it points to.
                let doc = format!("{}\n\nFor {}.", info.doc.trim(), text::choice(info.parameters, values));
                Box::leak(Box::new(BlockInfo { doc: doc.trim_start().to_owned().leak(), parameters: &[], variants, ..*info }))
            };
            PyResult::Ok(BlockChoice { values, ufunc: gufunc::create(py, own, module)?.unbind() })
        };
        let choices = info.variants.chunk_by(|a, b| a.choice == b.choice).map(choice).collect::<PyResult<_>>()?;
        let parameters = text::parameters(info.parameters).iter().map(|name| PyString::intern(py, name).unbind()).collect();
        Ok(Self { info, choices, parameters, module: module.to_owned() })
    }

    /// The choice that a call means, and its keywords without the parameters.
    fn pick<'py>(&self, py: Python<'py>, kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<(&BlockChoice, Option<Bound<'py, PyDict>>)> {
        let kwargs = kwargs.map_or_else(|| Ok(PyDict::new(py)), |kwargs| kwargs.copy())?;
        let of = Of { module: &self.module, kernel: self.info.name };
        let listed = parameter::listed(&kwargs, of, self.info.parameters, &self.parameters)?;
        let choice = self.choices.iter().find(|choice| choice.values == listed).unwrap_or(&self.choices[0]);
        Ok((choice, (!kwargs.is_empty()).then_some(kwargs)))
    }

    /// NumPy's error, with the names of function and argument.
    #[cold]
    fn error(&self, py: Python<'_>, error: PyErr, args: &Bound<'_, PyTuple>) -> PyErr {
        let value_error = error.is_instance_of::<PyValueError>(py);
        if !value_error && !error.is_instance_of::<PyTypeError>(py) {
            return error;
        }
        let Ok(text) = error.value(py).str().map(|s| s.to_string()) else { return error };
        let (name, signature) = (self.info.name, self.info.signature.text);
        if text.starts_with(&format!("{name}(): ")) {
            // One of ours.
            return error;
        }
        let prefix = format!("{name}: ");
        let text = text.strip_prefix(&prefix).unwrap_or(&text);
        let mut text = text.to_owned();
        for (k, argument) in self.info.arguments.iter().enumerate() {
            text = text.replace(&format!("Input operand {k} "), &format!("argument '{argument}' "));
        }
        for (k, output) in self.info.outputs.iter().enumerate() {
            text = text.replace(&format!("Output operand {k} "), &format!("output '{output}' "));
        }
        let accepted = text.contains("did not contain a loop") || text.contains("not supported for the input types");
        if accepted {
            let came: Vec<String> = args
                .iter()
                .take(self.info.arguments.len())
                .zip(self.info.arguments)
                .map(|(value, argument)| {
                    let dtype = py.import("numpy").and_then(|np| np.call_method1("asanyarray", (&value,))).and_then(|a| a.getattr("dtype"));
                    let dtype = dtype.and_then(|d| d.str()).map_or_else(|_| "?".to_owned(), |d| d.to_string());
                    format!("'{argument}' of {dtype}")
                })
                .collect();
            text = format!("no variant takes {}; the variants are {}", came.join(", "), text::block_variants(self.info).join("; "));
        }
        let hint = if text.contains(signature) { String::new() } else { format!("; the signature is {signature}") };
        let message = format!("{name}(): {text}{hint}");
        let new = if value_error { PyValueError::new_err(message) } else { PyTypeError::new_err(message) };
        new.set_cause(py, Some(error));
        new
    }
}

#[pymethods]
impl BlockKernel {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(&self, args: &Bound<'py, PyTuple>, kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let py = args.py();
        threads::limited(self.info.name, kwargs, |kwargs| {
            let (choice, picked);
            let kwargs = if self.info.parameters.is_empty() {
                choice = &self.choices[0];
                kwargs
            } else {
                (choice, picked) = self.pick(py, kwargs)?;
                picked.as_ref()
            };
            choice.ufunc.bind(py).call(args, kwargs).map_err(|error| self.error(py, error, args))
        })
    }

    /// The NumPy gufunc behind this function.
    #[getter]
    fn ufunc(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if self.info.parameters.is_empty() {
            return Ok(self.choices[0].ufunc.clone_ref(py));
        }
        let (module, name) = (&self.module, self.info.name);
        Err(PyAttributeError::new_err(format!(
            "{module}.{name} has no attribute 'ufunc', because it has a gufunc for each choice of parameter values; use `{name}.ufuncs`"
        )))
    }

    /// The NumPy gufuncs behind this function, by the values of its parameters.
    #[getter]
    fn ufuncs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for choice in &self.choices {
            dict.set_item(choice::key(py, self.info.parameters, choice.values)?, &choice.ufunc)?;
        }
        Ok(dict)
    }

    /// The compile-time parameters, and the values that they are built for.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        choice::values(py, self.info.parameters)
    }

    /// Number of inputs.
    #[getter]
    fn nin(&self) -> usize {
        self.info.arguments.len()
    }

    /// Number of outputs.
    #[getter]
    fn nout(&self) -> usize {
        self.info.outputs.len()
    }

    /// Number of inputs and outputs.
    #[getter]
    fn nargs(&self) -> usize {
        self.info.signature.operands.len()
    }

    /// Type characters of each variant, as NumPy prints them: 'f->f'.
    #[getter]
    fn types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.choices[0].ufunc.bind(py).getattr("types")
    }

    /// Core dimensions: '(n)->(n)'.
    #[getter]
    fn signature(&self) -> &'static str {
        self.info.signature.text
    }

    /// This function's rows of the module's `variants()`.
    #[getter]
    fn variants<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        variants::add_block_rows(&list, self.info, "")?;
        Ok(list)
    }

    #[getter]
    fn __name__(&self) -> &str {
        self.info.name
    }

    #[getter]
    fn __qualname__(&self) -> &str {
        self.info.name
    }

    #[getter]
    fn __module__(&self) -> &str {
        &self.module
    }

    #[getter]
    fn __doc__(&self) -> String {
        text::block_docstring(self.info)
    }

    #[getter]
    fn __text_signature__(&self) -> String {
        text::block_signature(self.info)
    }

    /// For `inspect.signature`, which does not read `__text_signature__` of an instance.
    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inspect = py.import("inspect")?;
        let class = inspect.getattr("Parameter")?;
        let parameters = PyList::empty(py);
        for name in self.info.arguments {
            parameters.append(class.call1((crate::names::parameter(name), class.getattr("POSITIONAL_ONLY")?))?)?;
        }
        let out = PyDict::new(py);
        out.set_item("default", py.None())?;
        parameters.append(class.call(("out", class.getattr("POSITIONAL_OR_KEYWORD")?), Some(&out))?)?;
        for name in &self.parameters {
            parameters.append(class.call1((name, class.getattr("KEYWORD_ONLY")?))?)?;
        }
        parameters.append(class.call1(("kwargs", class.getattr("VAR_KEYWORD")?))?)?;
        inspect.getattr("Signature")?.call1((parameters,))
    }

    /// Pickled by name, like a function.
    fn __reduce__(&self) -> &str {
        self.info.name
    }

    fn __repr__(&self) -> String {
        format!("<block kernel '{}.{}'>", self.module, self.info.name)
    }
}
