//! The object that a kernel is in Python.

use super::{explain, fault, text, ufunc, variants};
use lanecraft_backends::KernelInfo;
use pyo3::exceptions::PyZeroDivisionError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

// An elementwise function over arrays: a NumPy ufunc, with errors that name function and argument.
//
// No doc comment: it would become the docstring of the class, which hides that of the instance.
#[pyclass(frozen, module = "lanecraft", name = "Kernel")]
pub(super) struct Kernel {
    pub(super) ufunc: Py<PyAny>,
    pub(super) info: &'static KernelInfo,
    pub(super) module: String,
}

impl Kernel {
    /// Registers the ufunc. `module` is where users find the object.
    pub(super) fn new(py: Python<'_>, info: &'static KernelInfo, module: &str) -> PyResult<Self> {
        Ok(Self { ufunc: ufunc::create(py, info, module)?.unbind(), info, module: module.to_owned() })
    }

    /// The error to raise in place of NumPy's.
    #[cold]
    fn error(&self, error: PyErr, args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> PyErr {
        let py = args.py();
        if error.is_instance_of::<PyZeroDivisionError>(py) {
            return fault::located(self, &error, args, kwargs).ok().flatten().unwrap_or(error);
        }
        explain::explain(self, error, args, kwargs)
    }
}

#[pymethods]
impl Kernel {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(&self, args: &Bound<'py, PyTuple>, kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        self.ufunc.bind(args.py()).call(args, kwargs).map_err(|error| self.error(error, args, kwargs))
    }

    /// The NumPy ufunc behind this function.
    #[getter]
    fn ufunc(&self, py: Python<'_>) -> Py<PyAny> {
        self.ufunc.clone_ref(py)
    }

    /// Number of inputs.
    #[getter]
    fn nin(&self) -> usize {
        self.info.arguments.len()
    }

    /// Number of outputs.
    #[getter]
    fn nout(&self) -> usize {
        self.info.outputs
    }

    /// Number of inputs and outputs.
    #[getter]
    fn nargs(&self) -> usize {
        self.info.arguments.len() + self.info.outputs
    }

    /// Type characters of each variant, as NumPy prints them: 'ff->f'.
    #[getter]
    fn types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ufunc.bind(py).getattr("types")
    }

    /// Core dimensions; None, as the function works element by element.
    #[getter]
    fn signature<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ufunc.bind(py).getattr("signature")
    }

    /// This function's rows of the module's `variants()`.
    #[getter]
    fn variants<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        variants::add_rows(&list, self.info)?;
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
        text::docstring(self.info)
    }

    #[getter]
    fn __text_signature__(&self) -> String {
        text::signature(self.info)
    }

    /// For `inspect.signature`, which does not read `__text_signature__` of an instance.
    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inspect = py.import("inspect")?;
        let class = inspect.getattr("Parameter")?;
        let parameters = PyList::empty(py);
        for name in text::arguments(self.info) {
            parameters.append(class.call1((name, class.getattr("POSITIONAL_ONLY")?))?)?;
        }
        let add = |name: &str, kind: &str, default: Bound<'py, PyAny>| -> PyResult<()> {
            let kwargs = PyDict::new(py);
            kwargs.set_item("default", default)?;
            parameters.append(class.call((name, class.getattr(kind)?), Some(&kwargs))?)
        };
        add("out", "POSITIONAL_OR_KEYWORD", py.None().into_bound(py))?;
        for (name, default) in text::KEYWORDS {
            let default = py.import("ast")?.call_method1("literal_eval", (*default,))?;
            add(name, "KEYWORD_ONLY", default)?;
        }
        inspect.getattr("Signature")?.call1((parameters,))
    }

    /// Pickled by name, like a function.
    fn __reduce__(&self) -> &str {
        self.info.name
    }

    fn __repr__(&self) -> String {
        format!("<kernel '{}.{}'>", self.module, self.info.name)
    }
}
