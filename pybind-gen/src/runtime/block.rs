//! The object that a block kernel is in Python.

use super::explain::{self, is_python_number};
use super::foreign::{self, Callee};
use super::fresh::Given;
use super::parameter::{self, Of};
use super::registry::Registry;
use super::vectorcall::{Called, Seed, Subclass};
use super::{choice, gufunc, pickle, text, threads, trace, variants};
use lanecraft_backends::{BlockInfo, BlockVariant};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyAttributeError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

/// The gufunc of one choice of parameter values. A kernel without parameters has one, with an empty choice.
struct BlockChoice {
    /// For each parameter the index of its value.
    values: &'static [Option<usize>],
    /// The kernel with the variants of this choice.
    info: &'static BlockInfo,
    ufunc: Py<PyAny>,
}

// A function of whole arrays: a NumPy gufunc (with compile-time parameters one per choice of their values), with errors that name function and argument.
//
// No doc comment: it would become the docstring of the class, which hides that of the instance.
#[pyclass(frozen, subclass, weakref, module = "lanecraft", name = "BlockKernel")]
pub(super) struct BlockKernel {
    pub(super) info: &'static BlockInfo,
    /// One or more.
    choices: Vec<BlockChoice>,
    /// The names of the compile-time parameters in Python.
    parameters: Vec<Py<PyString>>,
    module: String,
    registry: Py<Registry>,
}

impl BlockKernel {
    /// Registers the gufuncs. `module` is where users find the object, `registry` that of the whole module.
    pub(super) fn new(registry: &Bound<'_, Registry>, info: &'static BlockInfo, module: &str) -> PyResult<Self> {
        let py = registry.py();
        let number = |k: usize| (!info.parameters.is_empty()).then_some(k);
        let choice = |(k, variants): (usize, &'static [BlockVariant])| {
            let values = variants.first().map_or(&[][..], |variant| variant.choice);
            let own = if info.parameters.is_empty() {
                info
            } else {
                // A gufunc is never freed, and neither is what it points to.
                let doc = format!("{}\n\nFor {}.", info.doc.trim(), text::choice(info.parameters, values));
                Box::leak(Box::new(BlockInfo { doc: doc.trim_start().to_owned().leak(), parameters: &[], variants, ..*info }))
            };
            PyResult::Ok(BlockChoice { values, info: own, ufunc: gufunc::create(py, own, module, &choice::attribute(number(k)))?.unbind() })
        };
        let choices = info.variants.chunk_by(|a, b| a.choice == b.choice).enumerate().map(choice).collect::<PyResult<_>>()?;
        let parameters = text::parameters(info.parameters).iter().map(|name| PyString::intern(py, name).unbind()).collect();
        Ok(Self { info, choices, parameters, module: module.to_owned(), registry: registry.clone().unbind() })
    }

    /// The choice that a call means, and its keywords without the parameters.
    fn pick<'py>(&self, py: Python<'py>, kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<(&BlockChoice, Option<Bound<'py, PyDict>>)> {
        let kwargs = kwargs.map_or_else(|| Ok(PyDict::new(py)), |kwargs| kwargs.copy())?;
        let of = Of { module: &self.module, kernel: self.info.name };
        let listed = parameter::listed(&kwargs, of, self.info.parameters, &self.parameters)?;
        let choice = self.choices.iter().find(|choice| choice.values == listed).unwrap_or(&self.choices[0]);
        Ok((choice, (!kwargs.is_empty()).then_some(kwargs)))
    }

    /// A call with what NumPy takes.
    fn call_numpy<'py>(&self, args: &Bound<'py, PyTuple>, kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let py = args.py();
        let (choice, picked);
        let kwargs = if self.info.parameters.is_empty() {
            choice = &self.choices[0];
            kwargs
        } else {
            (choice, picked) = self.pick(py, kwargs)?;
            picked.as_ref()
        };
        let _given = Given::of(choice.info, args, kwargs)?;
        let result = foreign::dask::call(choice.ufunc.bind(py), args, kwargs).map_err(|error| self.error(error, args, kwargs))?;
        trace::note_operands(self.info.name, args, self.info.arguments.len(), self.info.outputs.len(), &result)?;
        Ok(result)
    }

    /// NumPy's error, with the names of function and argument.
    #[cold]
    fn error(&self, error: PyErr, args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> PyErr {
        let py = args.py();
        let new: fn(String) -> PyErr = match &error {
            e if e.is_instance_of::<PyValueError>(py) => PyValueError::new_err::<String>,
            e if e.is_instance_of::<PyTypeError>(py) => PyTypeError::new_err::<String>,
            e if e.is_instance_of::<PyOverflowError>(py) => PyOverflowError::new_err::<String>,
            _ => return error,
        };
        let Ok(text) = error.value(py).str().map(|s| s.to_string()) else { return error };
        let (name, signature) = (self.info.name, self.info.signature.text);
        if text.starts_with(&format!("{name}(): ")) {
            // One of ours.
            return error;
        }
        let refused = text.contains("did not contain a loop") || text.contains("not supported for the input types");
        let text = match self.finding(args, kwargs) {
            Ok(Some(text)) => text,
            _ if refused => self.no_variant(py, args),
            _ => self.reworded(&text),
        };
        let hint = if text.contains(signature) { String::new() } else { format!("; the signature is {signature}") };
        let new = new(format!("{name}(): {text}{hint}"));
        new.set_cause(py, Some(error));
        new
    }

    /// What is wrong with the call, where that can be shown.
    fn finding(&self, args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Option<String>> {
        if let Some(text) = explain::inputs::check_sequences(self.info.arguments.iter().copied(), args)? {
            return Ok(Some(text));
        }
        let outputs = args.iter().skip(self.info.arguments.len()).map(|array| ("an output".to_owned(), array));
        let mut outputs: Vec<_> = outputs.collect();
        if let Some(kwargs) = kwargs {
            let parameters = text::parameters(self.info.parameters);
            let known = parameters.iter().map(String::as_str).chain(["out", "axis", "axes", "keepdims"]);
            // A gufunc has no `where`.
            let known = known.chain(text::KEYWORDS.iter().map(|(known, _)| *known).filter(|known| *known != "where"));
            if let Some(text) = explain::keywords::unknown(kwargs, known)? {
                return Ok(Some(text));
            }
            if let Some(text) = explain::keywords::value(kwargs)? {
                return Ok(Some(text));
            }
            if let Some(out) = kwargs.get_item("out")? {
                match out.cast_into::<PyTuple>() {
                    Ok(tuple) => outputs.extend(tuple.iter().enumerate().map(|(k, array)| (format!("argument 'out[{k}]'"), array))),
                    Err(out) => outputs.push(("argument 'out'".to_owned(), out.into_inner())),
                }
            }
        }
        for (name, array) in outputs.iter().filter(|(_, array)| !array.is_none()) {
            if array.is_instance_of::<PyUntypedArray>() {
                if let Some(text) = explain::outputs::read_only(name, array)? {
                    return Ok(Some(text));
                }
            } else if array.get_type().getattr_opt("__array_ufunc__")?.is_none() {
                let class = array.get_type().name()?.to_string();
                return Ok(Some(format!("{name} is {} {class}; accepted: a NumPy array or None", explain::what::article(&class))));
            }
        }
        Ok(None)
    }

    /// NumPy's text, which begins with the name of the gufunc and counts operands.
    fn reworded(&self, text: &str) -> String {
        let (name, info) = (self.info.name, self.info);
        let named = text.split_once(": ").filter(|(prefix, _)| prefix.split('.').next() == Some(name));
        let text = named.map_or(text, |(_, text)| text).replace(&format!("{name}.ufunc()"), &format!("{name}()"));
        let mut text = text.strip_prefix(&format!("{name}() ")).unwrap_or(&text).to_owned();
        for (k, argument) in info.arguments.iter().enumerate() {
            text = text.replace(&format!("Input operand {k} "), &format!("argument '{argument}' "));
        }
        for (k, output) in info.outputs.iter().enumerate() {
            text = text.replace(&format!("Output operand {k} "), &format!("output '{output}' "));
        }
        if text.contains("No loop matching the specified signature") {
            let variants = text::block_variants(info).join("; ");
            text = format!("no variant fits `dtype=` or `signature=`, or what they ask for cannot be cast to; the variants are {variants}");
        }
        if text.contains("positional argument") {
            text = format!("{text}; the inputs are {}, by position", info.arguments.join(", "));
        }
        if text.contains("unspecified") {
            let outputs = info.outputs.join(", ");
            let outputs = if info.outputs.len() == 1 { outputs } else { format!("({outputs})") };
            text = format!("{text}: only an output says how large it is, so pass `out={outputs}`");
        }
        text
    }

    fn no_variant(&self, py: Python<'_>, args: &Bound<'_, PyTuple>) -> String {
        let dtype = |value: &Bound<'_, PyAny>| -> PyResult<String> {
            if is_python_number(value) {
                return Ok(format!("Python's {}", value.get_type().name()?));
            }
            let array = py.import("numpy")?.call_method1("asanyarray", (value,))?;
            Ok(array.getattr("dtype")?.str()?.to_string())
        };
        let came = args.iter().zip(self.info.arguments).map(|(value, argument)| {
            let dtype = dtype(&value).unwrap_or_else(|_| "?".to_owned());
            format!("'{argument}' of {dtype}")
        });
        let came: Vec<String> = came.collect();
        format!("no variant takes {}; the variants are {}", came.join(", "), text::block_variants(self.info).join("; "))
    }
}

impl Called for BlockKernel {
    fn subclass() -> &'static PyOnceLock<Subclass> {
        static SUBCLASS: PyOnceLock<Subclass> = PyOnceLock::new();
        &SUBCLASS
    }

    fn direct(&self) -> Option<&Py<PyAny>> {
        // Where outputs that are given stay as they are, `call` notes which these are.
        (self.info.parameters.is_empty() && self.info.covered.iter().all(|covered| *covered)).then(|| &self.choices[0].ufunc)
    }

    unsafe fn without_ufunc(&self, _: Python<'_>, _: &[*mut PyObject], _: Option<*mut PyObject>) -> Option<*mut PyObject> {
        None
    }

    fn call<'py>(&self, args: &Bound<'py, PyTuple>, kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let callee = Callee { name: self.info.name, inputs: self.info.arguments, map: None };
        threads::limited(self.info.name, kwargs, |kwargs| foreign::call(callee, args, kwargs, |args, kwargs| self.call_numpy(args, kwargs)))
    }

    fn refused(&self, error: PyErr, args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> PyErr {
        self.error(error, args, kwargs)
    }
}

#[pymethods]
impl BlockKernel {
    #[new]
    fn new_object(seed: &Bound<'_, Seed>) -> PyResult<Self> {
        seed.get().take()
    }

    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(&self, args: &Bound<'py, PyTuple>, kwargs: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        self.call(args, kwargs)
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

    /// `ufunc_0`, `ufunc_1`, ...: the gufuncs of a kernel with parameters have these names, by which pickles find them.
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

    /// The dtypes of each variant: those of the inputs, those of the outputs. bfloat16 is there where `ml_dtypes` is installed.
    #[getter]
    fn dtypes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let first = self.info.variants.first().map(|variant| variant.choice);
        let variants = self.info.variants.iter().take_while(|variant| Some(variant.choice) == first);
        variants::dtypes(py, variants.map(|v| (v.inputs(), v.outputs())))
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

    /// Pickled by name, like a function, with the versions.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce(self.registry.bind(py), &self.module, self.info.name, pickle::of_block(self.info))
    }

    fn __repr__(&self) -> String {
        format!("<block kernel '{}.{}'>", self.module, self.info.name)
    }
}
