//! Arrays of other libraries: what goes in comes out.
//!
//! A tensor of torch, an array of JAX or of whatever speaks DLPack becomes a NumPy array over the same memory (`import`), the
//! kernel's ufunc runs, and its results become arrays of that library, again over the same memory (`export`). So everything that
//! a ufunc can do (broadcasting, `out=`, `where=`, any strides, messages) holds for them too. A NumPy array that goes in never comes here.
//!
//! Order of attempts:
//! 1. the type is NumPy's, a Python number, or has `__array_ufunc__`: NumPy's own way;
//! 2. exactly `torch.Tensor` or `torch.nn.Parameter`: DLPack's C exchange API, and checks of our own, since it makes none;
//! 3. a type with `__dlpack__` whose library has a `from_dlpack`: the DLPack protocol in Python;
//! 4. arrays on a CUDA device, by DLPack or `__cuda_array_interface__`: with the feature `cuda` the kernel runs there (`cuda`), without it an error;
//! 5. anything else: NumPy's own way.

#[cfg(feature = "cuda")]
pub(super) mod cuda;
pub(super) mod dask;
mod direct;
mod export;
mod import;
mod library;

use library::{Class, Library};

use super::memory::{Extent, For, Ours};
use lanecraft_backends::KernelInfo;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

/// The kernel that is called, for messages.
#[derive(Clone, Copy)]
pub(super) struct Callee {
    /// Its name.
    pub(super) name: &'static str,
    /// The Rust names of its inputs.
    pub(super) inputs: &'static [&'static str],
    /// The kernel itself, if it works element by element.
    pub(super) map: Option<&'static KernelInfo>,
}

impl Callee {
    fn error(self, text: impl std::fmt::Display) -> PyErr {
        PyTypeError::new_err(format!("{}(): {text}", self.name))
    }

    /// A positional argument in messages.
    fn position(self, k: usize) -> String {
        match self.inputs.get(k) {
            Some(name) => format!("argument '{}'", crate::names::parameter(name)),
            None => format!("argument {} (output)", k + 1),
        }
    }
}

/// The library whose arrays are among the arguments, if it is not NumPy.
#[inline]
fn library(args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Option<&'static Library>> {
    for value in args.iter_borrowed() {
        if let Class::Foreign(library, _) = library::class(&value)? {
            return Ok(Some(library));
        }
    }
    let Some(kwargs) = kwargs else { return Ok(None) };
    for (_, value) in kwargs {
        if let Ok(several) = value.cast_exact::<PyTuple>() {
            if let found @ Some(_) = library(several, None)? {
                return Ok(found);
            }
        } else if let Class::Foreign(library, _) = library::class(&value)? {
            return Ok(Some(library));
        }
    }
    Ok(None)
}

/// A call of a kernel: `run`, with NumPy arrays in place of other libraries', and with memory of ours for large results.
///
/// # Errors
/// `TypeError` for what cannot be taken over, and those of `run`.
#[inline]
pub(super) fn call<'py>(
    callee: Callee,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
    run: impl FnOnce(&Bound<'py, PyTuple>, Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(library) = library(args, kwargs)? {
        if let Some(info) = callee.map
            && let Some(result) = direct::call(callee, info, library, args, kwargs)?
        {
            return Ok(result);
        }
        #[cfg(feature = "cuda")]
        if cuda::is_wanted(args, kwargs)? {
            return cuda::call(callee, library, args, kwargs);
        }
        return by_way_of_numpy(callee, library, args, kwargs, run);
    }
    let _ours = if Extent::of(args).is_large() { Some(Ours::install(args.py(), For::NumPy)?) } else { None };
    run(args, kwargs)
}

/// NumPy's view of an argument of an ordinary function that is an array of another library; None if it is not.
///
/// # Errors
/// `TypeError` for an array that cannot be taken over, and `ValueError` for one that cannot be written, though it is to be.
pub(super) fn argument<'py>(
    function: &'static str,
    argument: &str,
    value: &Bound<'py, PyAny>,
    is_written: bool,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Class::Foreign(library, exchange) = library::class(value)? else { return Ok(None) };
    let callee = Callee { name: function, inputs: &[], map: None };
    let view =
        import::view(value, exchange, &import::Place { callee, library, output: is_written, name: &|| format!("argument '{argument}'") })?;
    if is_written && library.is_torch() {
        import::torch_writes(value)?;
    }
    Ok(Some(view))
}

/// A call with arrays of `library`.
#[inline(never)]
fn by_way_of_numpy<'py>(
    callee: Callee,
    library: &'static Library,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
    run: impl FnOnce(&Bound<'py, PyTuple>, Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = args.py();
    let mut operands = Operands { callee, library, outputs: Vec::new() };
    for (k, value) in args.iter_borrowed().enumerate() {
        operands.of_library(library::class(&value)?, || callee.position(k))?;
    }
    let mut positional = Vec::with_capacity(args.len());
    for (k, value) in args.iter().enumerate() {
        positional.push(operands.array(value, k >= callee.inputs.len(), || callee.position(k))?);
    }
    let kwargs = match kwargs {
        Some(kwargs) => Some(operands.keywords(kwargs)?),
        None => None,
    };
    if library.is_torch() {
        for (_, tensor) in &operands.outputs {
            import::torch_writes(tensor)?;
        }
    }
    let ours = Ours::install(py, For::Others)?;
    let result = run(&PyTuple::new(py, positional)?, kwargs.as_ref())?;
    let give = |result: Bound<'py, PyAny>| match operands.outputs.iter().find(|(view, _)| view.is(&result)) {
        Some((_, original)) => Ok(original.clone()),
        None => export::give(library, result),
    };
    let result = match result.cast_into_exact::<PyTuple>() {
        Ok(several) => {
            let mut results: Vec<Bound<'py, PyAny>> = several.iter().collect();
            // Who shares an array cannot give its memory away.
            drop(several);
            results.reverse();
            let mut given = Vec::with_capacity(results.len());
            while let Some(result) = results.pop() {
                given.push(give(result)?);
            }
            PyTuple::new(py, given)?.into_any()
        }
        Err(error) => give(error.into_inner())?,
    };
    drop(ours);
    Ok(result)
}

/// The operands of a call on the way to NumPy.
struct Operands<'py> {
    callee: Callee,
    library: &'static Library,
    /// The outputs: NumPy's view of each, and what the caller gave.
    outputs: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
}

impl<'py> Operands<'py> {
    /// An array as NumPy's; anything else as it is. `name` is the argument in messages.
    fn array(&mut self, value: Bound<'py, PyAny>, output: bool, name: impl Fn() -> String) -> PyResult<Bound<'py, PyAny>> {
        let Some(exchange) = self.of_library(library::class(&value)?, &name)? else { return Ok(value) };
        let place = import::Place { callee: self.callee, library: self.library, output, name: &name };
        let view = import::view(&value, exchange, &place)?;
        if output {
            self.outputs.push((view.clone(), value));
        }
        Ok(view)
    }

    /// Whether an argument is an array of the library, and if so of a type that its exchange API is for.
    ///
    /// # Errors
    /// It is an array of another library.
    fn of_library(&self, class: Class, name: impl Fn() -> String) -> PyResult<Option<bool>> {
        let came = match class {
            Class::Plain | Class::Dask => return Ok(None),
            Class::Foreign(library, exchange) if std::ptr::eq(library, self.library) => return Ok(Some(exchange)),
            Class::NumPy => "numpy",
            Class::Foreign(library, _) => &library.name,
        };
        let (name, library) = (name(), &self.library.name);
        Err(self.callee.error(format!(
            "arrays of two libraries came: {name} is of {came}, another one of {library}; accepted: arrays of one library, and Python numbers \
             beside them"
        )))
    }

    fn keywords(&mut self, kwargs: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyDict>> {
        let py = kwargs.py();
        let new = PyDict::new(py);
        for (key, value) in kwargs {
            let name = key.cast::<PyString>()?;
            let value = if name == "out" {
                self.out(value)?
            } else if name == "dtype" {
                library::numpy_dtype(value)?
            } else {
                self.array(value, false, || format!("argument '{name}'"))?
            };
            new.set_item(key, value)?;
        }
        Ok(new)
    }

    fn out(&mut self, out: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let Ok(several) = out.cast_exact::<PyTuple>() else {
            return self.array(out, true, || "argument 'out'".to_owned());
        };
        let views = several.iter().enumerate().map(|(k, value)| self.array(value, true, || format!("argument 'out[{k}]'")));
        Ok(PyTuple::new(out.py(), views.collect::<PyResult<Vec<_>>>()?)?.into_any())
    }
}
