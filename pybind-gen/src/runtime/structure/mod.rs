//! Structs: a class with a property per field.
//!
//! The object owns the value, and lends it as Rust does, at run time ([`Cell`]): to many that read or to one that writes, functions
//! and views of arrays alike. A view keeps the object alive. What `take()` has moved out is gone: the object is no longer whole, and
//! no function gets it.

mod cell;
mod tensor;

pub use cell::{Cell, StructMut, StructRef};
pub use tensor::{Buffer, Copied, Tensor};

use super::foreign;
use super::function::{Holder, Value};
use cell::Why;
use pyo3::PyClass;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{PyString, PyType};
use tensor::Lent;

/// A struct that `#[python_export]` names.
pub struct StructInfo {
    /// The names of its public fields.
    pub fields: &'static [&'static str],
    /// The class.
    pub make: for<'py> fn(Python<'py>) -> Bound<'py, PyType>,
}

/// A struct that is a class in Python.
#[diagnostic::on_unimplemented(message = "`{Self}` is no class in Python", note = "put `#[python_export]` on the struct")]
pub trait Structure: Sized + Send + Sync + 'static {
    /// The class.
    type Class: PyClass<Frozen = True> + Sync + Send + Into<PyClassInitializer<Self::Class>>;
    /// The class's name.
    const NAME: &'static str;
    /// Its array fields.
    const ARRAYS: &'static [&'static str];
    /// Those that own their elements elsewhere.
    const BUFFERS: &'static [&'static str];

    /// The value of an object.
    fn cell(class: &Self::Class) -> &Cell<Self>;
    /// An object's value.
    fn class(self) -> Self::Class;
    /// An array field, by its place in `ARRAYS`.
    fn array(&self, at: usize) -> &dyn Tensor;
    /// The same, to write.
    fn array_mut(&mut self, at: usize) -> &mut dyn Tensor;
    /// A buffer, by its place in `BUFFERS`.
    fn buffer(&mut self, at: usize) -> &mut dyn Buffer;
}

/// An array field as a NumPy array over the same memory, which keeps `object` alive.
///
/// # Errors
/// There is no such field; the object is written to, or for a writable view, used; the field was taken.
pub fn as_tensor<'py, S: Structure>(
    cell: &Cell<S>,
    object: &Bound<'py, PyAny>,
    field: &Bound<'py, PyAny>,
    writable: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let function = format!("{}.as_tensor()", S::NAME);
    let flag = |value| bool::from_python(value).map_err(|refused| refused.into_error(object.py(), &function, "argument 'writable'"));
    let writable = writable.map(flag).transpose()?.unwrap_or(false);
    let at = place(&function, S::ARRAYS, field)?;
    let what = format!("field '{}'", S::ARRAYS[at]);
    if cell.has_taken(S::ARRAYS[at]) {
        return Err(Why::Taken(S::ARRAYS[at]).into_error(&function, &what));
    }
    // SAFETY: the view ends the borrow when it goes, and holds the object until then.
    let array = unsafe {
        if writable {
            let value = cell.borrow_mut().map_err(|why| why.into_error(&function, &what))?;
            value.array_mut(at).view(Lent::new(object, cell.state()).into_bound(object.py())?)?
        } else {
            let value = cell.borrow().map_err(|why| why.into_error(&function, &what))?;
            value.array(at).view(Lent::new(object, cell.state()).into_bound(object.py())?)?
        }
    };
    if !writable {
        array.getattr("flags")?.setattr("writeable", false)?;
    }
    Ok(array)
}

/// Moves a buffer out into a NumPy array that owns it.
///
/// # Errors
/// There is no such field; the object is in use; the field was taken before.
pub fn take<'py, S: Structure>(cell: &Cell<S>, field: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let function = format!("{}.take()", S::NAME);
    let at = place(&function, S::BUFFERS, field)?;
    let what = format!("field '{}'", S::BUFFERS[at]);
    cell.take(field.py(), at).map_err(|why| why.into_error(&function, &what))?
}

/// The place of a field that a call names.
fn place(function: &str, fields: &[&'static str], name: &Bound<'_, PyAny>) -> PyResult<usize> {
    let accepted = fields.iter().map(|field| format!("'{field}'")).collect::<Vec<_>>().join(", ");
    let Ok(text) = name.cast::<PyString>() else {
        let class = name.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{function}: argument 'field' is of type {class}; accepted: {accepted}")));
    };
    let found = text.to_str().ok().and_then(|text| fields.iter().position(|field| *field == text));
    found.ok_or_else(|| PyValueError::new_err(format!("{function}: argument 'field' is {}; accepted: {accepted}", shown(text))))
}

fn shown(text: &Bound<'_, PyString>) -> String {
    text.repr().map_or_else(|_| "another text".to_owned(), |repr| repr.to_string())
}

/// A field of a new object.
///
/// # Errors
/// The value is not accepted.
pub fn value<T: Value>(class: &str, field: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    T::from_python(value).map_err(|refused| refused.into_error(value.py(), &format!("{class}()"), &format!("argument '{field}'")))
}

/// An array field of a new object: a copy.
///
/// # Errors
/// The value is no array of the field's dtype and rank, or shape.
pub fn copied<T: Copied>(class: &'static str, field: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    let view = foreign::argument(class, field, value, false)?;
    let value = view.as_ref().unwrap_or(value);
    T::copied(value).map_err(|refused| refused.into_error(value.py(), &format!("{class}()"), &format!("argument '{field}'")))
}

/// By value: a copy of the object's value, and a new object.
impl<S: Structure + Clone> Value for S {
    fn accepted() -> String {
        S::NAME.to_owned()
    }

    fn from_python(value: &Bound<'_, PyAny>) -> Result<Self, super::function::Refused> {
        StructRef::<S>::of(value).map(|held| held.value().clone())
    }

    fn to_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(Bound::new(py, self.class())?.into_any())
    }
}

/// Generated code asks for places within `ARRAYS` and `BUFFERS` alone.
pub fn no_field() -> ! {
    unreachable!("a field of no class")
}

/// What keeps `&S`.
impl<'py, S: Structure> Holder<'py> for StructRef<'py, S> {
    type Out<'a>
        = &'a S
    where
        Self: 'a;
    type Default = std::convert::Infallible;

    fn hold(value: &Bound<'py, PyAny>) -> Result<Self, super::function::Refused> {
        Self::of(value)
    }

    fn of_default(value: Self::Default) -> Self {
        match value {}
    }

    fn get(&mut self) -> &S {
        self.value()
    }
}

/// What keeps `&mut S`.
impl<'py, S: Structure> Holder<'py> for StructMut<'py, S> {
    type Out<'a>
        = &'a mut S
    where
        Self: 'a;
    type Default = std::convert::Infallible;

    fn hold(value: &Bound<'py, PyAny>) -> Result<Self, super::function::Refused> {
        Self::of(value)
    }

    fn of_default(value: Self::Default) -> Self {
        match value {}
    }

    fn get(&mut self) -> &mut S {
        self.value_mut()
    }
}
