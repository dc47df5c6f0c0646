//! Keywords: which there are, and those whose values are few.

use crate::runtime::text::one_of;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

/// Keywords whose values are from a list.
const CHOICES: &[(&str, &[&str])] = &[("casting", &["no", "equiv", "safe", "same_kind", "unsafe"]), ("order", &["C", "F", "A", "K"])];
/// Keywords that are bools, of which NumPy takes Python's own alone.
const FLAGS: &[&str] = &["subok", "keepdims"];

/// A keyword that is none of these.
pub(in crate::runtime) fn unknown<'a>(
    kwargs: &Bound<'_, PyDict>,
    known: impl Iterator<Item = &'a str> + Clone,
) -> PyResult<Option<String>> {
    for name in kwargs.keys() {
        let name = name.cast::<PyString>()?.to_string_lossy().into_owned();
        if !known.clone().any(|known| known == name) {
            return Ok(Some(format!("keyword '{name}' came; accepted: {}", known.collect::<Vec<_>>().join(", "))));
        }
    }
    Ok(None)
}

/// A keyword with a value that is none of its few.
pub(in crate::runtime) fn value(kwargs: &Bound<'_, PyDict>) -> PyResult<Option<String>> {
    let refused = |name: &str, value: &Bound<'_, PyAny>, accepted: &str| {
        let came = value.repr()?;
        Ok(Some(format!("argument '{name}' is {}; accepted: {accepted}", came.to_string_lossy())))
    };
    for (name, accepted) in CHOICES {
        if let Some(value) = kwargs.get_item(name)?.filter(|value| !value.is_none())
            && !value.extract::<String>().is_ok_and(|value| accepted.contains(&value.as_str()))
        {
            let quoted: Vec<_> = accepted.iter().map(|choice| format!("'{choice}'")).collect();
            return refused(name, &value, &one_of(&quoted));
        }
    }
    for name in FLAGS {
        if let Some(value) = kwargs.get_item(name)?
            && !value.is_instance_of::<PyBool>()
        {
            return refused(name, &value, "True or False");
        }
    }
    match kwargs.get_item("axis")?.filter(|value| !value.is_none()) {
        Some(value) if value.call_method0("__index__").is_err() => refused("axis", &value, "an integer"),
        _ => Ok(None),
    }
}
