//! The object that a kernel is in Python.

use super::choice::{self, Choice};
use super::foreign::{self, Callee};
use super::registry::Registry;
use super::vectorcall::{Called, Seed, Subclass};
use super::{arrays, explain, fault, parameter, pickle, text, threads, trace, ufunc, variants};
use lanecraft_backends::KernelInfo;
use pyo3::exceptions::PyAttributeError;
use pyo3::ffi::PyObject;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

// An elementwise function over arrays: a NumPy ufunc (with compile-time parameters one per choice of their values), with errors that name
// function and argument.
//
// No doc comment: it would become the docstring of the class, which hides that of the instance.
#[pyclass(frozen, subclass, weakref, module = "lanecraft", name = "Kernel")]
pub(super) struct Kernel {
    /// One or more, the most special first.
    pub(super) choices: Vec<Choice>,
    /// The names of the compile-time parameters in Python.
    pub(super) parameters: Vec<Py<PyString>>,
    pub(super) info: &'static KernelInfo,
    pub(super) module: String,
    registry: Py<Registry>,
}

impl Kernel {
    /// Registers the ufuncs. `module` is where users find the object, `registry` that of the whole module.
    pub(super) fn new(registry: &Bound<'_, Registry>, info: &'static KernelInfo, module: &str) -> PyResult<Self> {
        let py = registry.py();
        let parameters = text::parameters(info.parameters).iter().map(|name| PyString::intern(py, name).unbind()).collect();
        Ok(Self {
            choices: Choice::all(py, info, module)?,
            parameters,
            info,
            module: module.to_owned(),
            registry: registry.clone().unbind(),
        })
    }

    /// The choice of the first value of each parameter: no value is left to the run time.
    pub(super) fn first(&self) -> &Choice {
        &self.choices[0]
    }

    /// A call with what NumPy takes.
    fn call_numpy<'py>(&self, args: &Bound<'py, PyTuple>, kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        if self.info.parameters.is_empty() {
            return self.run(self.first(), args, kwargs);
        }
        let picked = parameter::pick(self, args, kwargs)?;
        self.run(picked.choice, &picked.args, picked.kwargs.as_ref())
    }

    /// Calls a choice: directly where that may be, else its ufunc.
    fn run<'py>(&self, choice: &Choice, args: &Bound<'py, PyTuple>, kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let py = args.py();
        let result = match directly(choice, args, kwargs) {
            Some(result) => result,
            None => foreign::dask::call(choice.ufunc.bind(py), args, kwargs),
        };
        let result = result.map_err(|error| self.error(choice, error, args, kwargs))?;
        trace::note_operands(choice.info.name, args, choice.info.arguments.len(), choice.info.outputs, &result)?;
        Ok(result)
    }

    /// The error to raise in place of NumPy's.
    #[cold]
    fn error(&self, choice: &Choice, error: PyErr, args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> PyErr {
        let py = args.py();
        if fault::is_fault(py, &error) {
            return fault::located(choice, &error, args, kwargs).ok().flatten().unwrap_or(error);
        }
        explain::explain(self, choice, error, args, kwargs)
    }
}

/// [`arrays::call`], with a tuple and a dict.
fn directly<'py>(choice: &Choice, args: &Bound<'py, PyTuple>, kwargs: Option<&Bound<'py, PyDict>>) -> Option<PyResult<Bound<'py, PyAny>>> {
    let py = args.py();
    let out = match kwargs {
        Some(kwargs) if !kwargs.is_empty() => {
            let out = kwargs.get_item(intern!(py, "out")).ok().flatten()?;
            (kwargs.len() == 1).then_some(Some(out))?
        }
        _ => None,
    };
    let args: Vec<_> = args.iter_borrowed().map(|arg| arg.as_ptr()).collect();
    // SAFETY: the tuple and the dict hold the objects.
    unsafe {
        let result = arrays::call(py, choice.info, choice.run_time, &args, out.as_ref().map(Bound::as_ptr))?;
        Some(Bound::from_owned_ptr_or_err(py, result))
    }
}

impl Called for Kernel {
    fn subclass() -> &'static PyOnceLock<Subclass> {
        static SUBCLASS: PyOnceLock<Subclass> = PyOnceLock::new();
        &SUBCLASS
    }

    fn direct(&self) -> Option<&Py<PyAny>> {
        self.info.parameters.is_empty().then(|| &self.first().ufunc)
    }

    unsafe fn without_ufunc(&self, py: Python<'_>, args: &[*mut PyObject], out: Option<*mut PyObject>) -> Option<*mut PyObject> {
        let choice = self.first();
        // SAFETY: the caller's promise.
        unsafe { arrays::call(py, choice.info, choice.run_time, args, out) }
    }

    fn call<'py>(&self, args: &Bound<'py, PyTuple>, kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let callee = Callee { name: self.info.name, inputs: self.info.arguments, map: Some(self.info) };
        threads::limited(self.info.name, kwargs, |kwargs| foreign::call(callee, args, kwargs, |args, kwargs| self.call_numpy(args, kwargs)))
    }

    fn refused(&self, error: PyErr, args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> PyErr {
        self.error(self.first(), error, args, kwargs)
    }
}

#[pymethods]
impl Kernel {
    #[new]
    fn new_object(seed: &Bound<'_, Seed>) -> PyResult<Self> {
        seed.get().take()
    }

    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(&self, args: &Bound<'py, PyTuple>, kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        self.call(args, kwargs)
    }

    /// The NumPy ufunc behind this function.
    #[getter]
    fn ufunc(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if self.info.parameters.is_empty() {
            return Ok(self.first().ufunc.clone_ref(py));
        }
        let (module, name) = (&self.module, self.info.name);
        Err(PyAttributeError::new_err(format!(
            "{module}.{name} has no attribute 'ufunc', because it has a ufunc for each choice of parameter values; use `{name}.ufuncs`"
        )))
    }

    /// The NumPy ufuncs behind this function, by the values of its parameters, None for any other value. A ufunc takes such a
    /// value as one more input, after the others.
    #[getter]
    fn ufuncs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for choice in &self.choices {
            dict.set_item(choice.key(py, self.info)?, &choice.ufunc)?;
        }
        Ok(dict)
    }

    /// `ufunc_0`, `ufunc_1`, ...: the ufuncs of a kernel with parameters have these names, by which pickles find them.
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let named = self.choices.iter().enumerate().find(|(k, _)| !self.info.parameters.is_empty() && choice::attribute(Some(*k)) == name);
        match named {
            Some((_, choice)) => Ok(choice.ufunc.clone_ref(py)),
            // Python asks here again after the property has raised.
            None if name == "ufunc" => self.ufunc(py),
            None => Err(PyAttributeError::new_err(format!("{}.{} has no attribute '{name}'", self.module, self.info.name))),
        }
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
        self.first().ufunc.bind(py).getattr("types")
    }

    /// The dtypes of each variant: those of the inputs, those of the outputs. bfloat16 is there where `ml_dtypes` is installed.
    #[getter]
    fn dtypes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let first = self.first().info;
        let nin = self.info.arguments.len();
        variants::dtypes(py, ufunc::in_resolution_order(first.variants).into_iter().map(|v| (&v.inputs[..nin], v.outputs)))
    }

    /// Core dimensions; None, as the function works element by element.
    #[getter]
    fn signature<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.first().ufunc.bind(py).getattr("signature")
    }

    /// This function's rows of the module's `variants()`.
    #[getter]
    fn variants<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        variants::add_rows(&list, self.info, "")?;
        Ok(list)
    }

    /// The module, for the package `lanecraft`.
    #[getter]
    fn __lanecraft__(&self, py: Python<'_>) -> Py<Registry> {
        self.registry.clone_ref(py)
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

    /// `__doc__`: see `vectorcall`.
    #[getter]
    fn __lanecraft_doc__(&self) -> String {
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
        for name in text::parameters(self.info.parameters) {
            parameters.append(class.call1((name, class.getattr("KEYWORD_ONLY")?))?)?;
        }
        for (name, default) in text::KEYWORDS {
            let default = py.import("ast")?.call_method1("literal_eval", (*default,))?;
            add(name, "KEYWORD_ONLY", default)?;
        }
        inspect.getattr("Signature")?.call1((parameters,))
    }

    /// Pickled by name, like a function, with the versions.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce(self.registry.bind(py), &self.module, self.info.name, pickle::of_kernel(self.info))
    }

    fn __repr__(&self) -> String {
        format!("<kernel '{}.{}'>", self.module, self.info.name)
    }
}
