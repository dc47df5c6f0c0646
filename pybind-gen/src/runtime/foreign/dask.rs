//! Arrays of dask among the arguments.
//!
//! dask takes ufuncs by itself, but finds the dtypes of results by trying: with arrays of one element, whatever lies there, or of none.
//! A division may find a zero there, and a core dimension of fixed size is of another. And of a ufunc with several results it knows NumPy's own alone. So it
//! is told what it would try to find.

use super::library::{self, Class};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyTuple};

/// Calls a ufunc or gufunc, of arrays of dask in the way that dask understands.
///
/// # Errors
/// The ufunc's.
pub(in crate::runtime) fn call<'py>(
    ufunc: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    for value in args.iter_borrowed() {
        if let Class::Dask = library::class(&value)? {
            return call_dask(ufunc, args, kwargs);
        }
    }
    ufunc.call(args, kwargs)
}

fn call_dask<'py>(
    ufunc: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = args.py();
    let said = |word: &str| kwargs.is_some_and(|kwargs| kwargs.contains(word).unwrap_or(true));
    let nin: usize = ufunc.getattr("nin")?.extract()?;
    // Who names dtypes or outputs is left alone, and a wrong call is an error as it is.
    let dtypes = if ["dtype", "out", "signature"].into_iter().any(said) || args.len() != nin { None } else { results(ufunc, args).ok() };
    let Some(dtypes) = dtypes else { return ufunc.call(args, kwargs) };
    let kwargs = kwargs.map_or_else(|| Ok(PyDict::new(py)), |kwargs| kwargs.copy())?;
    let signature = ufunc.getattr("signature")?;
    let signature: String = match dtypes.len() {
        _ if !signature.is_none() => signature.extract()?,
        1 => {
            kwargs.set_item("dtype", dtypes.get_item(0)?)?;
            return ufunc.call(args, Some(&kwargs));
        }
        // Elementwise is what has no core dimensions.
        several => format!("{}->{}", vec!["()"; nin].join(","), vec!["()"; several].join(",")),
    };
    kwargs.set_item("output_dtypes", if dtypes.len() > 1 { dtypes.to_list().into_any() } else { dtypes.get_item(0)? })?;
    let first = [ufunc.clone(), signature.into_pyobject(py)?.into_any()];
    let args = PyTuple::new(py, first.into_iter().chain(args.iter()).collect::<Vec<_>>())?;
    // The ufunc itself would refuse `output_dtypes` before it asks dask.
    py.import("dask.array")?.getattr("apply_gufunc")?.call(args, Some(&kwargs))
}

/// The dtypes of the results, as NumPy resolves them.
fn results<'py>(ufunc: &Bound<'py, PyAny>, args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
    let py = args.py();
    let nout: usize = ufunc.getattr("nout")?.extract()?;
    let mut operands = Vec::new();
    for value in args {
        let number =
            value.is_exact_instance_of::<PyBool>() || value.is_exact_instance_of::<PyInt>() || value.is_exact_instance_of::<PyFloat>();
        operands.push(match value.getattr_opt("dtype")? {
            Some(dtype) => dtype,
            // A Python number stands for its kind.
            None if number => value.get_type().into_any(),
            None => py.import("numpy")?.call_method1("asarray", (value,))?.getattr("dtype")?,
        });
    }
    operands.resize(operands.len() + nout, py.None().into_bound(py));
    let resolved = ufunc.call_method1("resolve_dtypes", (PyTuple::new(py, operands)?,))?.cast_into::<PyTuple>()?;
    Ok(resolved.get_slice(args.len(), args.len() + nout))
}
