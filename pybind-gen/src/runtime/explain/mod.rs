//! From NumPy's errors to messages that name the function, the argument, what came and what is accepted.
//!
//! NumPy checks a call once, on the way; only when it has refused are the arguments looked at here, so a good call pays nothing.
//! Each check proves its own finding. What none of them finds (an error out of an `__array__` method, say) stays NumPy's
//! error, with a note that names the function.

mod call;
pub(super) mod inputs;
pub(super) mod keywords;
pub(super) mod outputs;
mod shapes;
pub(super) mod what;

pub(super) use what::is_python_number;

use super::choice::Choice;
use super::{Kernel, text};
use lanecraft_backends::KernelInfo;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The call that failed.
struct Call<'a, 'py> {
    info: &'static KernelInfo,
    /// The names of the inputs in Python.
    arguments: Vec<String>,
    /// The compile-time parameters: keywords that are no longer among `kwargs`.
    parameters: Vec<String>,
    /// How many of the last inputs are values of parameters: they are in no need of a check, and users did not give them so.
    run_time: usize,
    ufunc: &'a Bound<'py, PyAny>,
    numpy: Bound<'py, PyModule>,
    args: &'a Bound<'py, PyTuple>,
    kwargs: Option<&'a Bound<'py, PyDict>>,
}

impl<'py> Call<'_, 'py> {
    fn py(&self) -> Python<'py> {
        self.args.py()
    }

    fn nin(&self) -> usize {
        self.arguments.len()
    }

    /// The inputs that users gave as such.
    fn visible(&self) -> &[String] {
        &self.arguments[..self.arguments.len() - self.run_time]
    }

    /// A keyword's value; `None` where it is absent or Python's `None`.
    fn keyword(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(kwargs) = self.kwargs else { return Ok(None) };
        Ok(kwargs.get_item(name)?.filter(|value| !value.is_none()))
    }

    /// `casting=`, or its default.
    fn casting(&self) -> PyResult<String> {
        self.keyword("casting")?.map_or_else(|| Ok("same_kind".to_owned()), |casting| casting.extract())
    }

    /// The dtypes that inputs and outputs have in the loop, as NumPy resolves them; `None` with `signature=`, which says it all.
    fn resolved_dtypes(&self) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let (py, nin, nout) = (self.py(), self.nin(), self.info.outputs);
        let mut operands = Vec::new();
        for value in self.args.iter().take(nin) {
            // A Python number stands for its kind, an array for its dtype.
            operands.push(if is_python_number(&value) { value.get_type().into_any() } else { self.as_array(&value)?.getattr("dtype")? });
        }
        operands.resize(nin + nout, py.None().into_bound(py));
        let kwargs = PyDict::new(py);
        if let Some(dtype) = self.keyword("dtype")? {
            let mut signature = vec![py.None().into_bound(py); nin];
            signature.resize(nin + nout, dtype);
            kwargs.set_item("signature", PyTuple::new(py, signature)?)?;
            kwargs.set_item("casting", "unsafe")?;
        } else if self.keyword("signature")?.is_some() {
            return Ok(None);
        }
        let resolved = self.ufunc.call_method("resolve_dtypes", (PyTuple::new(py, operands)?,), Some(&kwargs))?;
        Ok(Some(resolved.cast_into::<PyTuple>()?))
    }

    fn is_array(&self, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        value.is_instance(&self.numpy.getattr("ndarray")?)
    }

    /// Whether the value runs ufuncs in its own way, so that the error may be about something inside it.
    fn is_foreign(&self, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        let Some(hook) = value.get_type().getattr_opt("__array_ufunc__")? else { return Ok(false) };
        Ok(!hook.is(&self.numpy.getattr("ndarray")?.getattr("__array_ufunc__")?))
    }

    /// The finding of the first check that has one.
    fn finding(&self) -> PyResult<Option<String>> {
        if let Some(text) = call::check(self)? {
            return Ok(Some(text));
        }
        for value in self.args {
            if self.is_foreign(&value)? {
                return Ok(None);
            }
        }
        if let Some(text) = inputs::check_sequences(self.arguments.iter().map(String::as_str), self.args)? {
            return Ok(Some(text));
        }
        if let Some(text) = call::check_signature(self)? {
            return Ok(Some(text));
        }
        if let Some(text) = inputs::check(self)? {
            return Ok(Some(text));
        }
        if let Some(text) = outputs::check(self)? {
            return Ok(Some(text));
        }
        if let Some(text) = shapes::check_inputs(self)? {
            return Ok(Some(text));
        }
        shapes::check_outputs(self)
    }
}

/// The error to raise for NumPy's `error`: of the same kind, with NumPy's as its cause.
pub(super) fn explain(
    kernel: &Kernel,
    choice: &Choice,
    error: PyErr,
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> PyErr {
    let (py, info) = (args.py(), choice.info);
    let ufunc = choice.ufunc.bind(py);
    let (value, r#type) = (error.is_instance_of::<PyValueError>(py), error.is_instance_of::<PyTypeError>(py));
    let overflow = error.is_instance_of::<PyOverflowError>(py);
    if !(value || r#type || overflow) {
        return error;
    }
    let finding = || -> PyResult<Option<String>> {
        let (arguments, parameters) = (text::arguments(info), text::parameters(kernel.info.parameters));
        let call = Call { info, arguments, parameters, run_time: choice.run_time, ufunc, numpy: py.import("numpy")?, args, kwargs };
        if overflow { inputs::check_range(&call) } else { call.finding() }
    };
    // An error while looking is of no interest to the user: NumPy's is the one to show.
    if let Ok(Some(text)) = finding() {
        let text = format!("{}(): {text}", info.name);
        let new = match () {
            () if value => PyValueError::new_err(text),
            () if overflow => PyOverflowError::new_err(text),
            () => PyTypeError::new_err(text),
        };
        new.set_cause(py, Some(error));
        return new;
    }
    let note = format!("while calling {}.{}({})", kernel.module, info.name, text::arguments(kernel.info).join(", "));
    // A note is a courtesy; an exception that takes none is raised as it is.
    let _ = error.value(py).call_method1("add_note", (note,));
    error
}
