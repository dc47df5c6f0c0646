//! Arrays of NumPy, whose elements the function sees where they are. Those of other libraries have become NumPy's before (`foreign`).
//!
//! `numpy`'s views take the array's word for much: alignment, byte order, strides that are multiples of the element's size, bytes of
//! `bool`s. All of it is checked here before there is a view. What does not fit is copied where it is read, and refused where it is written.
//! Its borrow checks hold between all modules of the process: no array is written while another argument, or another call, has it. They go by the object
//! that owns the memory; where several do, [`Lent`] sees to it.

use super::dtype;
use super::holder::Holder;
use super::lent::Lent;
use super::refused::Refused;
use numpy::ndarray::{ArrayView, ArrayViewMut, Dimension, Ix1};
use numpy::{
    Element, PyArray, PyArrayDescr, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray, PyReadwriteArray, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::convert::Infallible;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// An array that is read: `ArrayView2<f32>`.
pub enum ArrayRef<'py, T: Element, D: Dimension> {
    /// It has elements.
    Full(PyReadonlyArray<'py, T, D>, Lent),
    /// It has none: only its shape counts.
    Empty(D),
}

/// An array that is written: `ArrayViewMut2<f32>`.
pub enum ArrayMut<'py, T: Element, D: Dimension> {
    /// It has elements.
    Full(PyReadwriteArray<'py, T, D>, Lent),
    /// It has none: only its shape counts.
    Empty(D),
}

/// An array whose elements lie side by side: `&[f32]`.
pub struct Slice<'py, T: Element>(ArrayRef<'py, T, Ix1>);

/// The same, to write: `&mut [f32]`.
pub struct SliceMut<'py, T: Element>(ArrayMut<'py, T, Ix1>);

/// Bytes, or an array of uint8: `&[u8]`.
pub enum Bytes<'py> {
    /// They do not change.
    Python(Bound<'py, PyBytes>),
    /// An array.
    Array(Slice<'py, u8>),
}

/// What an argument wants.
pub(in crate::runtime) struct Wanted<T, D> {
    rank: usize,
    is_slice: bool,
    is_written: bool,
    types: PhantomData<(T, D)>,
}

impl<T: Element + Copy + 'static, D: Dimension> Wanted<T, D> {
    /// To be read, of any strides.
    pub(in crate::runtime) const fn read(rank: usize) -> Self {
        Self { rank, is_slice: false, is_written: false, types: PhantomData }
    }

    /// To be written, of any strides.
    const fn written(rank: usize) -> Self {
        Self { is_written: true, ..Self::read(rank) }
    }

    /// The same, with elements that lie side by side.
    pub(in crate::runtime) const fn side_by_side(self) -> Self {
        Self { is_slice: true, ..self }
    }

    pub(in crate::runtime) fn accepted(&self, py: Python<'_>) -> String {
        // What is read may lie anyhow.
        let writable = match (self.is_written, self.is_slice) {
            (true, true) => "writable, contiguous ",
            (true, false) => "writable ",
            _ => "",
        };
        let (rank, dtype) = (self.rank, dtype::name::<T>(py));
        format!("{writable}array of dtype {dtype} with {rank} {}", if rank == 1 { "axis" } else { "axes" })
    }

    /// The array, or a copy of it that can be seen.
    pub(in crate::runtime) fn of<'py>(&self, value: &Bound<'py, PyAny>) -> Result<Bound<'py, PyArray<T, D>>, Refused> {
        let py = value.py();
        let array = value.cast::<PyUntypedArray>().map_err(|_| Refused::type_(value, self.accepted(py)))?;
        // Without its package there is no array of the dtype.
        let Some(wanted) = dtype::of::<T>(py) else { return Err(Refused::type_(value, self.accepted(py))) };
        let dtype = array.dtype();
        if !dtype::is_same(&dtype, &wanted) || array.ndim() != self.rank {
            return Err(Refused::type_(value, self.accepted(py)));
        }
        if value.hasattr(intern!(py, "mask")).map_err(Refused::raised)? {
            return Err(Refused::value("is a masked array, whose mask would be lost", self.accepted(py)));
        }
        let why_not = self.why_not(array, dtype.is_native_byteorder() == Some(false));
        let array = match why_not {
            None => value.clone(),
            Some(why) if self.is_written => return Err(Refused::value(why, self.accepted(py))),
            Some(_) => copy(value, &wanted).map_err(Refused::raised)?,
        };
        // SAFETY: an array of this dtype, in the machine's byte order, and of this rank.
        let array = unsafe { array.cast_into_unchecked::<PyArray<T, D>>() };
        if wanted.kind() == b'b' && !holds_bools(&array).map_err(Refused::raised)? {
            return Err(Refused::value("is an array of bool with bytes that are neither 0 nor 1", self.accepted(py)));
        }
        Ok(array)
    }

    /// What keeps the elements from being seen where they are.
    fn why_not(&self, array: &Bound<'_, PyUntypedArray>, is_swapped: bool) -> Option<&'static str> {
        if is_swapped {
            return Some("has its bytes in the other order");
        }
        if !array.is_aligned() || array.strides().iter().any(|step| step % size_of::<T>() as isize != 0) {
            return Some("is not aligned");
        }
        if self.is_written && !is_writable(array) {
            return Some("is read-only");
        }
        (self.is_slice && !array.is_c_contiguous()).then_some("is not contiguous")
    }

    fn busy(&self, py: Python<'_>) -> Refused {
        let why = if self.is_written {
            "is in use, by way of another argument or by another call"
        } else {
            "is written to, by way of another argument or by another call"
        };
        Refused::value(why, format!("{} that nothing else uses", self.accepted(py)))
    }
}

/// The number of axes of a type with a fixed one.
fn rank<D: Dimension>() -> usize {
    D::NDIM.unwrap_or_default()
}

fn is_writable(array: &Bound<'_, PyUntypedArray>) -> bool {
    // SAFETY: an array of NumPy.
    unsafe { (*array.as_array_ptr()).fields.flags & numpy::npyffi::flags::NPY_ARRAY_WRITEABLE != 0 }
}

/// The same elements side by side, aligned, in the machine's byte order.
fn copy<'py>(value: &Bound<'py, PyAny>, dtype: &Bound<'py, PyArrayDescr>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let options = PyDict::new(py);
    options.set_item("dtype", dtype)?;
    options.set_item("order", "C")?;
    options.set_item("copy", true)?;
    py.import("numpy")?.getattr("array")?.call((value,), Some(&options))
}

/// Whether all bytes are 0 or 1: a view of other data can have any.
fn holds_bools<T: Element, D: Dimension>(array: &Bound<'_, PyArray<T, D>>) -> PyResult<bool> {
    if array.is_empty() {
        return Ok(true);
    }
    let bytes = array.call_method1("view", ("uint8",))?;
    Ok(bytes.call_method0("max")?.extract::<u8>()? <= 1)
}

/// No elements of this shape.
fn empty<D: Dimension>(array: &Bound<'_, PyUntypedArray>) -> D {
    let mut shape = D::zeros(array.ndim());
    shape.slice_mut().copy_from_slice(array.shape());
    shape
}

impl<'py, T: Element + Copy + 'static, D: Dimension> ArrayRef<'py, T, D> {
    fn of(value: &Bound<'py, PyAny>, wanted: &Wanted<T, D>) -> Result<Self, Refused> {
        let array = wanted.of(value)?;
        if array.is_empty() {
            return Ok(Self::Empty(empty(array.as_untyped())));
        }
        let lent = Lent::of(array.as_untyped(), false);
        lent.and_then(|lent| Some(Self::Full(array.try_readonly().ok()?, lent))).ok_or_else(|| wanted.busy(value.py()))
    }
}

impl<'py, T: Element + Copy + 'static, D: Dimension> ArrayMut<'py, T, D> {
    fn of(value: &Bound<'py, PyAny>, wanted: &Wanted<T, D>) -> Result<Self, Refused> {
        let array = wanted.of(value)?;
        if array.is_empty() {
            return Ok(Self::Empty(empty(array.as_untyped())));
        }
        let lent = Lent::of(array.as_untyped(), true);
        lent.and_then(|lent| Some(Self::Full(array.try_readwrite().ok()?, lent))).ok_or_else(|| wanted.busy(value.py()))
    }
}

impl<'py, T: Element + Copy + 'static, D: Dimension> Holder<'py> for ArrayRef<'py, T, D> {
    type Out<'a>
        = ArrayView<'a, T, D>
    where
        Self: 'a;
    type Default = Infallible;
    const WRITTEN: Option<bool> = Some(false);

    fn hold(value: &Bound<'py, PyAny>) -> Result<Self, Refused> {
        Self::of(value, &Wanted::read(rank::<D>()))
    }

    fn of_default(value: Infallible) -> Self {
        match value {}
    }

    fn get(&mut self) -> ArrayView<'_, T, D> {
        match self {
            Self::Full(array, _) => array.as_array(),
            // SAFETY: there is no element that the address could be wrong for.
            Self::Empty(shape) => unsafe { ArrayView::from_shape_ptr(shape.clone(), NonNull::dangling().as_ptr()) },
        }
    }
}

impl<'py, T: Element + Copy + 'static, D: Dimension> Holder<'py> for ArrayMut<'py, T, D> {
    type Out<'a>
        = ArrayViewMut<'a, T, D>
    where
        Self: 'a;
    type Default = Infallible;
    const WRITTEN: Option<bool> = Some(true);

    fn hold(value: &Bound<'py, PyAny>) -> Result<Self, Refused> {
        Self::of(value, &Wanted::written(rank::<D>()))
    }

    fn of_default(value: Infallible) -> Self {
        match value {}
    }

    fn get(&mut self) -> ArrayViewMut<'_, T, D> {
        match self {
            Self::Full(array, _) => array.as_array_mut(),
            // SAFETY: there is no element that the address could be wrong for.
            Self::Empty(shape) => unsafe { ArrayViewMut::from_shape_ptr(shape.clone(), NonNull::dangling().as_ptr()) },
        }
    }
}

impl<'py, T: Element + Copy + 'static> Holder<'py> for Slice<'py, T> {
    type Out<'a>
        = &'a [T]
    where
        Self: 'a;
    type Default = Infallible;
    const WRITTEN: Option<bool> = Some(false);

    fn hold(value: &Bound<'py, PyAny>) -> Result<Self, Refused> {
        ArrayRef::of(value, &Wanted::read(1).side_by_side()).map(Self)
    }

    fn of_default(value: Infallible) -> Self {
        match value {}
    }

    fn get(&mut self) -> &[T] {
        let view = self.0.get();
        // SAFETY: the elements of the view, which lie side by side and are borrowed as long as `self` is.
        unsafe { std::slice::from_raw_parts(view.as_ptr(), view.len()) }
    }
}

impl<'py, T: Element + Copy + 'static> Holder<'py> for SliceMut<'py, T> {
    type Out<'a>
        = &'a mut [T]
    where
        Self: 'a;
    type Default = Infallible;
    const WRITTEN: Option<bool> = Some(true);

    fn hold(value: &Bound<'py, PyAny>) -> Result<Self, Refused> {
        ArrayMut::of(value, &Wanted::written(1).side_by_side()).map(Self)
    }

    fn of_default(value: Infallible) -> Self {
        match value {}
    }

    fn get(&mut self) -> &mut [T] {
        let mut view = self.0.get();
        // SAFETY: the elements of the view, which lie side by side and are borrowed as long as `self` is.
        unsafe { std::slice::from_raw_parts_mut(view.as_mut_ptr(), view.len()) }
    }
}

impl<'py> Holder<'py> for Bytes<'py> {
    type Out<'a>
        = &'a [u8]
    where
        Self: 'a;
    type Default = Infallible;
    const WRITTEN: Option<bool> = Some(false);

    fn hold(value: &Bound<'py, PyAny>) -> Result<Self, Refused> {
        match value.cast::<PyBytes>() {
            Ok(bytes) => Ok(Self::Python(bytes.clone())),
            Err(_) => Slice::hold(value).map(Self::Array).map_err(|e| e.or("bytes")),
        }
    }

    fn of_default(value: Infallible) -> Self {
        match value {}
    }

    fn get(&mut self) -> &[u8] {
        match self {
            Self::Python(bytes) => bytes.as_bytes(),
            Self::Array(array) => array.get(),
        }
    }
}
