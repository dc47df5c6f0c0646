//! Arguments that are not accepted.

use crate::runtime::explain::what::{article, shape_text};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Why a value is not accepted: in a box, so that what is accepted costs nothing.
pub struct Refused(Box<Why>);

struct Why {
    kind: Kind,
    /// Inside of which items of a list, tuple or dict it stands, the innermost first.
    path: Vec<String>,
    /// `is a str`
    came: String,
    /// `int`
    accepted: String,
    cause: Option<PyErr>,
}

enum Kind {
    Type,
    Value,
    Overflow,
    Memory,
    /// Neither its type nor its value is at fault.
    Other(PyErr),
}

impl Refused {
    /// A value of another type.
    pub(in crate::runtime) fn type_(value: &Bound<'_, PyAny>, accepted: impl Into<String>) -> Self {
        Self::new(Kind::Type, format!("is {}", came(value)), accepted)
    }

    /// A value of the right type that does not do; `why`: `is read-only`.
    pub(in crate::runtime) fn value(why: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self::new(Kind::Value, why.into(), accepted)
    }

    /// An integer that is too large or too small.
    pub(in crate::runtime) fn overflow(value: &Bound<'_, PyAny>, accepted: impl Into<String>) -> Self {
        let text = value.str().map_or_else(|_| "too large".to_owned(), |text| text.to_string());
        Self::new(Kind::Overflow, format!("is {text}"), accepted)
    }

    /// A value of which there cannot be a copy of so many bytes.
    pub(in crate::runtime) fn memory(bytes: usize) -> Self {
        Self::new(Kind::Memory, format!("takes {bytes} bytes as a copy, which there are not"), "what fits into memory")
    }

    /// An exception that the value itself has raised.
    pub(in crate::runtime) fn raised(error: PyErr) -> Self {
        Self::new(Kind::Other(error), String::new(), "")
    }

    fn new(kind: Kind, came: String, accepted: impl Into<String>) -> Self {
        Self(Box::new(Why { kind, path: Vec::new(), came, accepted: accepted.into(), cause: None }))
    }

    /// The same, as part of a collection: `item 3`.
    pub(in crate::runtime) fn inside(mut self, part: String) -> Self {
        self.0.path.push(part);
        self
    }

    /// The same, with the exception that led to it.
    pub(in crate::runtime) fn because(mut self, error: PyErr) -> Self {
        self.0.cause = Some(error);
        self
    }

    /// The same, with more that would be accepted.
    pub(in crate::runtime) fn or(mut self, accepted: &str) -> Self {
        if self.0.path.is_empty() && !self.0.accepted.is_empty() {
            self.0.accepted = format!("{} or {accepted}", self.0.accepted);
        }
        self
    }

    /// The exception; `what`: `argument 'x'`.
    pub(in crate::runtime) fn into_error(self, py: Python<'_>, function: &str, what: &str) -> PyErr {
        let why = *self.0;
        let mut place = vec![what];
        place.extend(why.path.iter().rev().map(String::as_str));
        let comma = if why.path.is_empty() { "" } else { "," };
        let text = format!("{function}: {}{comma} {}; accepted: {}", place.join(", "), why.came, why.accepted);
        let error = match why.kind {
            Kind::Type => PyTypeError::new_err(text),
            Kind::Value => PyValueError::new_err(text),
            Kind::Overflow => PyOverflowError::new_err(text),
            Kind::Memory => PyMemoryError::new_err(text),
            Kind::Other(error) => return error,
        };
        if why.cause.is_some() {
            error.set_cause(py, why.cause);
        }
        error
    }
}

/// `None`, `an array of dtype float64 and shape (3, 4)`, `a str`
fn came(value: &Bound<'_, PyAny>) -> String {
    if value.is_none() {
        return "None".to_owned();
    }
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return format!("an array of dtype {} and shape {}", array.dtype(), shape_text(array.shape()));
    }
    let class = value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    format!("{} {class}", article(&class))
}
