//! What keeps an argument while the function runs.

use super::refused::Refused;
use super::value::{Value, text_of};
use crate::runtime::foreign;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::convert::Infallible;
use std::ptr::NonNull;

/// Keeps what an argument borrows from.
pub trait Holder<'py>: Sized {
    /// The argument.
    type Out<'a>
    where
        Self: 'a;
    /// What a default value is written as; [`Infallible`] where there is none.
    type Default;
    /// Of an array, which other libraries have too, whether it is written.
    #[doc(hidden)]
    const WRITTEN: Option<bool> = None;

    /// Takes hold of a value.
    #[doc(hidden)]
    fn hold(value: &Bound<'py, PyAny>) -> Result<Self, Refused>;

    /// Holds a default value.
    fn of_default(value: Self::Default) -> Self;

    /// The argument, once.
    fn get(&mut self) -> Self::Out<'_>;
}

/// An argument that a call may leave out.
pub struct Given<'py>(Option<Bound<'py, PyAny>>);

impl Given<'_> {
    /// It was left out.
    pub const fn missing() -> Self {
        Self(None)
    }
}

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = Infallible;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self(Some(value.to_owned())))
    }
}

/// Takes hold of an argument.
///
/// # Errors
/// The value is not accepted: the message says why.
pub fn hold<'py, H: Holder<'py>>(function: &'static str, argument: &str, value: &Bound<'py, PyAny>) -> PyResult<H> {
    let view = match H::WRITTEN {
        Some(is_written) => foreign::argument(function, argument, value, is_written)?,
        None => None,
    };
    let held = H::hold(view.as_ref().unwrap_or(value));
    held.map_err(|refused| refused.into_error(value.py(), &format!("{}()", function), &format!("argument '{argument}'")))
}

/// Takes hold of an argument, or of its default value.
///
/// # Errors
/// As for [`hold`].
pub fn hold_or<'py, H: Holder<'py>>(
    function: &'static str,
    argument: &str,
    value: Given<'py>,
    default: impl FnOnce() -> H::Default,
) -> PyResult<H> {
    value.0.map_or_else(|| Ok(H::of_default(default())), |value| hold(function, argument, &value))
}

/// A value that is copied.
pub struct Owned<T>(Option<T>);

impl<'py, T: Value> Holder<'py> for Owned<T> {
    type Out<'a>
        = T
    where
        Self: 'a;
    type Default = T;

    fn hold(value: &Bound<'py, PyAny>) -> Result<Self, Refused> {
        T::from_python(value).map(|value| Self(Some(value)))
    }

    fn of_default(value: T) -> Self {
        Self(Some(value))
    }

    fn get(&mut self) -> T {
        self.0.take().unwrap_or_else(|| unreachable!("generated code takes an argument once"))
    }
}

/// The text of a `str`, which Python keeps as UTF-8: it is not copied.
pub enum Text<'py> {
    /// Of a call, and where it keeps its text.
    Python(Bound<'py, PyString>, NonNull<str>),
    /// A default value.
    Default(&'static str),
}

impl<'py> Holder<'py> for Text<'py> {
    type Out<'a>
        = &'a str
    where
        Self: 'a;
    type Default = &'static str;

    fn hold(value: &Bound<'py, PyAny>) -> Result<Self, Refused> {
        let text = value.cast::<PyString>().map_err(|_| Refused::type_(value, String::accepted()))?;
        let utf8 = NonNull::from(text_of(text)?);
        Ok(Self::Python(text.clone(), utf8))
    }

    fn of_default(value: &'static str) -> Self {
        Self::Default(value)
    }

    fn get(&mut self) -> &str {
        match self {
            // SAFETY: the text lies in the `str`, which does not change and lives as long as this does.
            Self::Python(_, utf8) => unsafe { utf8.as_ref() },
            Self::Default(text) => text,
        }
    }
}

impl<'py, H: Holder<'py>> Holder<'py> for Option<H> {
    type Out<'a>
        = Option<H::Out<'a>>
    where
        Self: 'a;
    type Default = Option<H::Default>;
    const WRITTEN: Option<bool> = H::WRITTEN;

    fn hold(value: &Bound<'py, PyAny>) -> Result<Self, Refused> {
        if value.is_none() { Ok(None) } else { H::hold(value).map(Some).map_err(|e| e.or("None")) }
    }

    fn of_default(value: Self::Default) -> Self {
        value.map(H::of_default)
    }

    fn get(&mut self) -> Self::Out<'_> {
        self.as_mut().map(H::get)
    }
}
