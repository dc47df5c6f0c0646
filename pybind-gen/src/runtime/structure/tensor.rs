//! Array fields as arrays of NumPy.

use super::cell::State;
use crate::runtime::explain::what::shape_text;
use crate::runtime::function::{ArrayRef, Holder, Refused, Wanted, require};
use lanecraft_core::half::{bf16, f16};
use numpy::ndarray::{Array, ArrayView, ArrayViewD, Dimension, IxDyn};
use numpy::{Element, PyArray, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// A bit of a set of fields.
pub(super) const fn bit(at: usize) -> u64 {
    1_u64.unbounded_shl(at as u32)
}

/// What a view rests on: the object, lent. It ends the borrow when the last array that sees the elements goes.
#[pyclass(frozen, module = "lanecraft")]
pub struct Lent {
    _object: Py<PyAny>,
    state: NonNull<State>,
}

// SAFETY: the state lies in the object, which lives as long as this does, and may be used by any thread.
unsafe impl Send for Lent {}
// SAFETY: as above.
unsafe impl Sync for Lent {}

impl Lent {
    /// For a borrow that has begun.
    pub(super) fn new(object: &Bound<'_, PyAny>, state: &State) -> Self {
        Self { _object: object.clone().unbind(), state: NonNull::from(state) }
    }

    pub(super) fn into_bound(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(Bound::new(py, self)?.into_any())
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // SAFETY: in the object, which is dropped after this.
        unsafe { self.state.as_ref() }.end();
    }
}

/// An array field.
pub trait Tensor {
    /// A NumPy array over its elements.
    ///
    /// # Safety
    /// The elements stay where they are as long as `owner` lives, and nobody writes to them unless the array alone sees them.
    #[doc(hidden)]
    unsafe fn view<'py>(&self, owner: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>;
}

/// An array field that owns its elements elsewhere.
pub trait Buffer {
    /// Moves it out. What stays behind has no elements.
    #[doc(hidden)]
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
}

/// An array field of a new object.
pub trait Copied: Sized {
    /// A copy of an array of Python.
    #[doc(hidden)]
    fn copied(value: &Bound<'_, PyAny>) -> Result<Self, Refused>;
}

/// An element of an array of fixed length: a number, or an array of them.
pub trait Item: Copy {
    /// The number.
    type Element: Element + Copy + 'static;
    /// Adds the lengths of its axes.
    fn add_shape(shape: &mut Vec<usize>);
}

macro_rules! items {
    ($($ty:ident)*) => {$(
        impl Item for $ty {
            type Element = Self;
            fn add_shape(_: &mut Vec<usize>) {}
        }
    )*};
}
items!(bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64);

impl<I: Item, const N: usize> Item for [I; N] {
    type Element = I::Element;

    fn add_shape(shape: &mut Vec<usize>) {
        shape.push(N);
        I::add_shape(shape);
    }
}

fn shape_of<I: Item>() -> Vec<usize> {
    let mut shape = Vec::new();
    I::add_shape(&mut shape);
    shape
}

impl<I: Item, const N: usize> Tensor for [I; N] {
    unsafe fn view<'py>(&self, owner: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        require::<I::Element>(owner.py())?;
        // SAFETY: arrays in arrays lie side by side; the rest is the caller's promise.
        unsafe {
            let view = ArrayViewD::from_shape_ptr(IxDyn(&shape_of::<Self>()), self.as_ptr().cast::<I::Element>());
            Ok(PyArray::borrow_from_array(&view, owner).into_any())
        }
    }
}

impl<I: Item, const N: usize> Copied for [I; N] {
    fn copied(value: &Bound<'_, PyAny>) -> Result<Self, Refused> {
        let shape = shape_of::<Self>();
        let wanted = Wanted::<I::Element, IxDyn>::read(shape.len()).side_by_side();
        let array = wanted.of(value)?;
        if array.shape() != shape {
            let why = format!("has shape {}", shape_text(array.shape()));
            return Err(Refused::value(why, format!("{} and shape {}", wanted.accepted(value.py()), shape_text(&shape))));
        }
        let mut to = MaybeUninit::<Self>::uninit();
        // SAFETY: side by side here and there, as many elements of one type, and all of them are written.
        unsafe {
            std::ptr::copy_nonoverlapping(array.data().cast_const(), to.as_mut_ptr().cast(), array.len());
            Ok(to.assume_init())
        }
    }
}

impl<T: Element + 'static, D: Dimension> Tensor for Array<T, D> {
    unsafe fn view<'py>(&self, owner: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        require::<T>(owner.py())?;
        // SAFETY: the caller's promise.
        Ok(unsafe { PyArray::borrow_from_array(self, owner) }.into_any())
    }
}

impl<T: Element + Default + 'static, D: Dimension> Buffer for Array<T, D> {
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        require::<T>(py)?;
        Ok(PyArray::from_owned_array(py, std::mem::take(self)).into_any())
    }
}

impl<T: Element + Copy + 'static, D: Dimension> Copied for Array<T, D> {
    fn copied(value: &Bound<'_, PyAny>) -> Result<Self, Refused> {
        owned(ArrayRef::<T, D>::hold(value)?.get())
    }
}

/// The same elements in memory of their own, in the order in which they lie.
fn owned<T: Copy, D: Dimension>(view: ArrayView<'_, T, D>) -> Result<Array<T, D>, Refused> {
    let is_fortran = view.t().is_standard_layout() && !view.is_standard_layout();
    let view = if is_fortran { view.reversed_axes() } else { view };
    let mut elements = Vec::new();
    // A view that is broadcast may have far more elements than memory has, of which `to_owned` would make an end of the process.
    if elements.try_reserve_exact(view.len()).is_err() {
        return Err(Refused::memory(view.len().saturating_mul(size_of::<T>())));
    }
    elements.extend(view.iter().copied());
    let array = Array::from_shape_vec(view.raw_dim(), elements);
    let array = array.map_err(|error| Refused::raised(PyRuntimeError::new_err(error.to_string())))?;
    Ok(if is_fortran { array.reversed_axes() } else { array })
}
