//! How a value that came is named in a message.

use super::Call;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt};

impl<'py> Call<'_, 'py> {
    /// `an array of dtype complex128`, `a Python str`, `a list (as an array, of dtype object)`
    pub(super) fn what(&self, value: &Bound<'py, PyAny>) -> PyResult<String> {
        let class = value.get_type().name()?.to_string();
        if self.is_array(value)? {
            return Ok(format!("an array of dtype {}", self.dtype_text(&value.getattr("dtype")?)?));
        }
        if value.is_instance(&self.numpy.getattr("generic")?)? {
            return Ok(format!("a NumPy scalar of dtype {}", self.dtype_text(&value.getattr("dtype")?)?));
        }
        if value.is_none() {
            return Ok("None".to_owned());
        }
        if is_python_number(value) || value.is_instance_of::<PyComplex>() || value.is_instance_of::<pyo3::types::PyString>() {
            return Ok(format!("a Python {class}"));
        }
        let dtype = self.as_array(value)?.getattr("dtype")?;
        Ok(format!("{} {class} (as an array, of dtype {})", article(&class), self.dtype_text(&dtype)?))
    }

    /// The dtype's name, with a word on the families that are often met by accident.
    pub(super) fn dtype_text(&self, dtype: &Bound<'py, PyAny>) -> PyResult<String> {
        let name = dtype.str()?.to_string();
        Ok(match dtype.getattr("kind")?.extract::<String>()?.as_str() {
            "O" => format!("{name} (Python objects)"),
            "U" | "S" | "T" => format!("{name} (strings)"),
            "M" => format!("{name} (dates)"),
            "m" => format!("{name} (time spans)"),
            // Dtypes of other packages are of this kind too.
            "V" if dtype.getattr("type")?.is(&self.numpy.getattr("void")?) => format!("{name} (records)"),
            _ => name,
        })
    }

    /// What NumPy makes of the value. Where it makes nothing, NumPy's own error is the clearest.
    pub(super) fn as_array(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.numpy.call_method1("asanyarray", (value,))
    }
}

/// A bool, int or float of Python's own: it has no dtype and takes the arrays'. NumPy's float64 is a subclass of `float` and does have one.
pub(in crate::runtime) fn is_python_number(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyBool>() || value.is_exact_instance_of::<PyInt>() || value.is_exact_instance_of::<PyFloat>()
}

pub(in crate::runtime) fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" }
}

/// `(3, 4)` as Python prints it.
pub(in crate::runtime) fn shape_text(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}
