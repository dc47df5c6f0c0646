//! Values that are copied: numbers, texts, lists, dicts.

use super::refused::Refused;
use lanecraft_core::Dtype;
use lanecraft_core::half::{bf16, f16};
use lanecraft_core::isa::half::f64_to_f32_odd;
use lanecraft_core::isa::scalar::Scalar;
use pyo3::BoundObject;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyMapping, PySequence, PyString, PyTuple};
use std::collections::HashMap;
use std::hash::Hash;

/// A value that is copied from Python and to it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be copied between Rust and Python",
    note = "numbers, `bool`, `String`, `Vec`, `Option`, tuples and `HashMap` can, and structs with `#[python_export]` by reference"
)]
pub trait Value: Sized {
    /// What is accepted, for messages: `int`.
    #[doc(hidden)]
    fn accepted() -> String;

    /// From Python.
    #[doc(hidden)]
    fn from_python(value: &Bound<'_, PyAny>) -> Result<Self, Refused>;

    /// To Python.
    #[doc(hidden)]
    fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>>;

    /// What a `Vec` of them accepts. Bytes are no list.
    #[doc(hidden)]
    fn list_accepted() -> String {
        format!("sequence of {}", Self::accepted())
    }

    /// A `Vec` of them from Python.
    #[doc(hidden)]
    fn list_from_python(value: &Bound<'_, PyAny>) -> Result<Vec<Self>, Refused> {
        // A text is a sequence of texts, bytes are one of integers: hardly ever what is meant.
        let is_text = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>();
        let items = match value.cast::<PySequence>() {
            Ok(items) if !is_text => items.to_list().map_err(Refused::raised)?,
            _ => return Err(Refused::type_(value, Self::list_accepted())),
        };
        items.iter().enumerate().map(|(k, item)| Self::from_python(&item).map_err(|e| e.inside(format!("item {k}")))).collect()
    }

    /// A `Vec` of them to Python.
    #[doc(hidden)]
    fn list_to_python(list: Vec<Self>, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let items: Vec<_> = list.into_iter().map(|item| item.to_python(py)).collect::<PyResult<_>>()?;
        Ok(PyList::new(py, items)?.into_any())
    }
}

/// PyO3's own conversion to Python.
fn convert<'py, T: IntoPyObject<'py>>(value: T, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    value.into_pyobject(py).map(|object| object.into_any().into_bound()).map_err(Into::into)
}

/// An integer of PyO3's; `accepted` where it is none or does not fit.
fn integer<T>(value: &Bound<'_, PyAny>) -> Result<T, Refused>
where
    T: Value + for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>,
{
    value.extract::<T>().map_err(|error| {
        let py = value.py();
        if error.is_instance_of::<PyOverflowError>(py) {
            Refused::overflow(value, T::accepted())
        } else if error.is_instance_of::<PyTypeError>(py) {
            Refused::type_(value, T::accepted())
        } else {
            Refused::raised(error)
        }
    })
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Value for $ty {
            fn accepted() -> String {
                format!("int from {} to {}", $ty::MIN, $ty::MAX)
            }
            fn from_python(value: &Bound<'_, PyAny>) -> Result<Self, Refused> {
                integer(value)
            }
            fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
                convert(self, py)
            }
        }
    )*};
}
integers!(i8 i16 i32 i64 isize u16 u32 u64 usize);

/// A list of them is bytes.
impl Value for u8 {
    fn accepted() -> String {
        "int from 0 to 255".to_owned()
    }

    fn from_python(value: &Bound<'_, PyAny>) -> Result<Self, Refused> {
        integer(value)
    }

    fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        convert(self, py)
    }

    fn list_accepted() -> String {
        "bytes".to_owned()
    }

    fn list_from_python(value: &Bound<'_, PyAny>) -> Result<Vec<Self>, Refused> {
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(bytes.as_bytes().to_vec());
        }
        match value.cast::<PyByteArray>() {
            Ok(bytes) => Ok(bytes.to_vec()),
            Err(_) => Err(Refused::type_(value, Self::list_accepted())),
        }
    }

    fn list_to_python(list: Vec<Self>, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(PyBytes::new(py, &list).into_any())
    }
}

/// A float of Rust's that a Python float becomes by one rounding.
pub trait Narrow {
    /// The nearest one.
    #[doc(hidden)]
    fn rounded(x: f64) -> Self;
}

impl Narrow for f64 {
    fn rounded(x: f64) -> Self {
        x
    }
}

impl Narrow for f32 {
    fn rounded(x: f64) -> Self {
        x as f32
    }
}

macro_rules! halves {
    ($($ty:ident)*) => {$(
        /// As kernels cast, by way of an f32 that is rounded to odd: two roundings to nearest would differ from one.
        impl Narrow for $ty {
            fn rounded(x: f64) -> Self {
                <$ty as Dtype>::narrow(f64_to_f32_odd(Scalar, x))
            }
        }
    )*};
}
halves!(f16 bf16);

macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl Value for $ty {
            fn accepted() -> String {
                "float".to_owned()
            }
            fn from_python(value: &Bound<'_, PyAny>) -> Result<Self, Refused> {
                value.extract::<f64>().map($ty::rounded).map_err(|error| {
                    if error.is_instance_of::<PyOverflowError>(value.py()) {
                        Refused::value("is an int that is too large for a float", Self::accepted())
                    } else if error.is_instance_of::<PyTypeError>(value.py()) {
                        Refused::type_(value, Self::accepted())
                    } else {
                        Refused::raised(error)
                    }
                })
            }
            fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
                convert(f64::from(self), py)
            }
        }
    )*};
}
floats!(f16 bf16 f32 f64);

impl Value for bool {
    fn accepted() -> String {
        "bool".to_owned()
    }

    fn from_python(value: &Bound<'_, PyAny>) -> Result<Self, Refused> {
        value.extract().map_err(|_| Refused::type_(value, Self::accepted()))
    }

    fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        convert(self, py)
    }
}

impl Value for String {
    fn accepted() -> String {
        "str".to_owned()
    }

    fn from_python(value: &Bound<'_, PyAny>) -> Result<Self, Refused> {
        let text = value.cast::<PyString>().map_err(|_| Refused::type_(value, Self::accepted()))?;
        text_of(text).map(str::to_owned)
    }

    fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        convert(self, py)
    }
}

/// The text of a `str`, which may hold lone surrogates: no text in any encoding.
pub(super) fn text_of<'a>(text: &'a Bound<'_, PyString>) -> Result<&'a str, Refused> {
    text.to_str().map_err(|error| {
        let at = error.value(text.py()).getattr("start").and_then(|at| at.extract::<usize>());
        match at {
            Ok(at) => Refused::value(format!("has a lone surrogate at index {at}, which is no character"), "str that UTF-8 can encode")
                .because(error),
            Err(_) => Refused::raised(error),
        }
    })
}

impl<T: Value> Value for Vec<T> {
    fn accepted() -> String {
        T::list_accepted()
    }

    fn from_python(value: &Bound<'_, PyAny>) -> Result<Self, Refused> {
        T::list_from_python(value)
    }

    fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        T::list_to_python(self, py)
    }
}

impl<T: Value> Value for Option<T> {
    fn accepted() -> String {
        format!("{} or None", T::accepted())
    }

    fn from_python(value: &Bound<'_, PyAny>) -> Result<Self, Refused> {
        if value.is_none() { Ok(None) } else { T::from_python(value).map(Some).map_err(|e| e.or("None")) }
    }

    fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        self.map_or_else(|| Ok(py.None().into_bound(py)), |value| value.to_python(py))
    }
}

impl<K: Value + Eq + Hash, V: Value> Value for HashMap<K, V> {
    fn accepted() -> String {
        format!("mapping of {} to {}", K::accepted(), V::accepted())
    }

    fn from_python(value: &Bound<'_, PyAny>) -> Result<Self, Refused> {
        let mapping = value.cast::<PyMapping>().map_err(|_| Refused::type_(value, Self::accepted()))?;
        let entry = |item: Bound<'_, PyAny>| {
            let (key, value) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>().map_err(Refused::raised)?;
            let named = || key.repr().map_or_else(|_| "a value".to_owned(), |repr| format!("the value of {repr}"));
            let known = K::from_python(&key).map_err(|e| e.inside("a key".to_owned()))?;
            Ok((known, V::from_python(&value).map_err(|e| e.inside(named()))?))
        };
        mapping.items().map_err(Refused::raised)?.iter().map(entry).collect()
    }

    fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let dict = PyDict::new(py);
        for (key, value) in self {
            dict.set_item(key.to_python(py)?, value.to_python(py)?)?;
        }
        Ok(dict.into_any())
    }
}

macro_rules! tuples {
    ($($n:literal: $($T:ident $k:tt),+;)*) => {$(
        impl<$($T: Value),+> Value for ($($T,)+) {
            fn accepted() -> String {
                format!("tuple of {}", [$($T::accepted()),+].join(", "))
            }
            fn from_python(value: &Bound<'_, PyAny>) -> Result<Self, Refused> {
                let tuple = value.cast::<PyTuple>().map_err(|_| Refused::type_(value, Self::accepted()))?;
                if tuple.len() != $n {
                    return Err(Refused::value(format!("is a tuple of length {}", tuple.len()), Self::accepted()));
                }
                let item = |k: usize| tuple.get_item(k).map_err(Refused::raised);
                Ok(($($T::from_python(&item($k)?).map_err(|e| e.inside(format!("item {}", $k)))?,)+))
            }
            fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
                Ok(PyTuple::new(py, [$(self.$k.to_python(py)?),+])?.into_any())
            }
        }
    )*};
}
tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
}
