//! What a kernel's `map` takes: slices, arrays and scalars, as operands whose types are erased.

#[cfg(feature = "ndarray")]
mod array;

use lanecraft_core::block::{Raw, View, ViewMut};
use lanecraft_core::half::{bf16, f16};
use lanecraft_core::{Dtype, DtypeId};
use std::marker::PhantomData;

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// What a kernel reads elements of type `T` from: a scalar `T` (each element is that value), `&[T]`, `&Vec<T>`, `&[T; N]`,
/// [`InPlace`], and with feature `ndarray` `&ArrayBase`, `ArrayView`, `&ArrayRef`.
///
/// It must broadcast to the outputs' shape by NumPy's rules: each axis, counted from the last, has their length or length 1.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an input of elements `{T}`",
    label = "not an input of elements `{T}`",
    note = "an input is a scalar `{T}`, `&[{T}]`, `&Vec<{T}>`, `&[{T}; N]` or `InPlace`; with feature `ndarray` also a reference to an array, or a view"
)]
pub trait Input<T: Dtype>: Sealed {
    #[doc(hidden)]
    fn into_operand<'a>(self) -> Operand<'a>
    where
        Self: 'a;
}

/// What a kernel writes elements of type `T` to: `&mut [T]`, `&mut Vec<T>`, `&mut [T; N]`, and with feature `ndarray`
/// `&mut ArrayBase`, `ArrayViewMut`, `&mut ArrayRef`. All outputs of a call have one shape.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an output of elements `{T}`",
    label = "not an output of elements `{T}`",
    note = "an output is `&mut [{T}]`, `&mut Vec<{T}>` or `&mut [{T}; N]`; with feature `ndarray` also a mutable reference to an array, or a mutable view"
)]
pub trait Output<T: Dtype>: Sealed {
    #[doc(hidden)]
    fn into_operand<'a>(self) -> OutputOperand<'a>
    where
        Self: 'a;
}

/// An input that reads the memory of the first output, so that the output's new values take the place of the old ones:
/// `axpy::map(2.0, InPlace, &ys, &mut xs)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InPlace;

/// An operand, its type erased. `'a` is how long its memory is borrowed.
#[doc(hidden)]
#[derive(Debug)]
pub struct Operand<'a> {
    pub(crate) dtype: DtypeId,
    pub(crate) source: Source,
    borrow: PhantomData<&'a ()>,
}

/// An operand that is written: its memory is borrowed mutably.
#[doc(hidden)]
#[derive(Debug)]
pub struct OutputOperand<'a>(pub(crate) Operand<'a>);

/// Where an operand's elements are.
#[derive(Debug)]
pub(crate) enum Source {
    /// One value for every element: its bytes.
    Scalar([u8; 8]),
    /// Side by side.
    Slice { at: *mut u8, len: usize },
    /// On axes, with bytes from element to element on each.
    Array { at: *mut u8, shape: Vec<usize>, steps: Vec<isize> },
    /// Where those of the first output are.
    InPlace,
}

impl<'a> OutputOperand<'a> {
    /// One element, without axes.
    pub fn scalar<T: Dtype>(x: &'a mut T) -> Self {
        Self(Operand::new::<T>(Source::Array { at: std::ptr::from_mut(x).cast(), shape: Vec::new(), steps: Vec::new() }))
    }
}

impl Operand<'_> {
    pub(crate) fn new<T: Dtype>(source: Source) -> Self {
        Self::of(T::ID, source)
    }

    /// Of elements of a dtype.
    pub(crate) fn of(dtype: DtypeId, source: Source) -> Self {
        Self { dtype, source, borrow: PhantomData }
    }

    /// The lengths of the axes. A scalar has none.
    pub(crate) fn shape(&self) -> &[usize] {
        match &self.source {
            Source::Scalar(_) | Source::InPlace => &[],
            Source::Slice { len, .. } => std::slice::from_ref(len),
            Source::Array { shape, .. } => shape,
        }
    }

    /// Bytes from element to element on an axis of [`shape`](Self::shape).
    pub(crate) fn step(&self, axis: usize) -> isize {
        match &self.source {
            Source::Scalar(_) | Source::InPlace => 0,
            Source::Slice { .. } => self.dtype.size() as isize,
            Source::Array { steps, .. } => steps[axis],
        }
    }

    /// The first element; of an operand in place, none.
    pub(crate) fn at(&self) -> *mut u8 {
        match &self.source {
            Source::Scalar(bytes) => bytes.as_ptr().cast_mut(),
            Source::Slice { at, .. } | Source::Array { at, .. } => *at,
            Source::InPlace => std::ptr::null_mut(),
        }
    }
}

impl<T, const N: usize> Sealed for View<'_, T, N> {}
impl<T: Dtype, const N: usize> Input<T> for View<'_, T, N> {
    fn into_operand<'a>(self) -> Operand<'a>
    where
        Self: 'a,
    {
        Operand::new::<T>(of_view(&self.__raw()))
    }
}

impl<T, const N: usize> Sealed for ViewMut<'_, T, N> {}
impl<T: Dtype, const N: usize> Output<T> for ViewMut<'_, T, N> {
    fn into_operand<'a>(self) -> OutputOperand<'a>
    where
        Self: 'a,
    {
        OutputOperand(Operand::new::<T>(of_view(&self.__raw())))
    }
}

fn of_view<T: Dtype, const N: usize>(raw: &Raw<T, N>) -> Source {
    let (at, shape, steps) = raw.parts();
    Source::Array { at, shape: shape.map(|n| n as usize).to_vec(), steps: steps.to_vec() }
}

macro_rules! scalar {
    ($($t:ty),*) => {$(
        impl Sealed for $t {}
        impl Input<$t> for $t {
            #[inline]
            fn into_operand<'a>(self) -> Operand<'a> {
                let mut bytes = [0; 8];
                // SAFETY: every dtype has at most 8 bytes, none of them padding.
                unsafe { bytes.as_mut_ptr().cast::<$t>().write_unaligned(self) };
                Operand::new::<$t>(Source::Scalar(bytes))
            }
        }
    )*};
}
scalar!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64);

impl Sealed for InPlace {}
impl<T: Dtype> Input<T> for InPlace {
    #[inline]
    fn into_operand<'a>(self) -> Operand<'a> {
        Operand::new::<T>(Source::InPlace)
    }
}

macro_rules! slice {
    ($($t:ty $(, const $n:ident)?);*) => {$(
        impl<T: Dtype $(, const $n: usize)?> Sealed for &$t {}
        impl<T: Dtype $(, const $n: usize)?> Input<T> for &$t {
            #[inline]
            fn into_operand<'a>(self) -> Operand<'a> where Self: 'a {
                Operand::new::<T>(Source::Slice { at: self.as_ptr().cast_mut().cast(), len: self.len() })
            }
        }
        impl<T: Dtype $(, const $n: usize)?> Sealed for &mut $t {}
        impl<T: Dtype $(, const $n: usize)?> Output<T> for &mut $t {
            #[inline]
            fn into_operand<'a>(self) -> OutputOperand<'a> where Self: 'a {
                OutputOperand(Operand::new::<T>(Source::Slice { at: self.as_mut_ptr().cast(), len: self.len() }))
            }
        }
    )*};
}
slice!([T]; Vec<T>; [T; N], const N);
