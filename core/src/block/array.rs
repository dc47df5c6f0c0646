//! Arrays of several axes, as the user's function takes them.

use super::view::Raw;
use crate::dtype::Dtype;
use core::fmt;
use core::marker::PhantomData;

/// An array of `N` axes that is read, its elements in row-major order: what a block kernel takes as `View<T, 2>`.
///
/// A kernel's `run` takes other arrays too, of any strides.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, T, const N: usize>(Raw<T, N>, PhantomData<&'a [T]>);

/// An array of `N` axes that is written, its elements in row-major order: what a block kernel takes as `ViewMut<T, 2>`.
#[derive(Debug)]
pub struct ViewMut<'a, T, const N: usize>(Raw<T, N>, PhantomData<&'a mut [T]>);

/// A slice that does not hold as many elements as a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewError {
    len: usize,
    shape: Vec<usize>,
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} elements do not make shape {:?}", self.len, self.shape)
    }
}

impl core::error::Error for ViewError {}

/// Row-major steps, if the shape holds as many elements.
fn layout<T, const N: usize>(len: usize, shape: [usize; N]) -> Result<([u64; N], [isize; N]), ViewError> {
    let count = shape.iter().try_fold(1_usize, |n, d| n.checked_mul(*d));
    if count != Some(len) {
        return Err(ViewError { len, shape: shape.to_vec() });
    }
    let (mut steps, mut step) = ([0; N], size_of::<T>() as isize);
    for d in (0..N).rev() {
        steps[d] = step;
        step *= shape[d] as isize;
    }
    Ok((shape.map(|n| n as u64), steps))
}

impl<'a, T: Dtype, const N: usize> View<'a, T, N> {
    /// A slice as an array of this shape.
    ///
    /// # Errors
    /// The slice holds more or fewer elements.
    pub fn new(elements: &'a [T], shape: [usize; N]) -> Result<Self, ViewError> {
        let (shape, steps) = layout::<T, N>(elements.len(), shape)?;
        // SAFETY: row-major steps within the slice, which is borrowed as long as the view lives.
        Ok(Self(unsafe { Raw::new(elements.as_ptr().cast_mut().cast(), shape, steps, 0) }, PhantomData))
    }

    #[doc(hidden)]
    pub fn __raw(&self) -> Raw<T, N> {
        self.0
    }
}

impl<'a, T: Dtype, const N: usize> ViewMut<'a, T, N> {
    /// A slice as an array of this shape.
    ///
    /// # Errors
    /// The slice holds more or fewer elements.
    pub fn new(elements: &'a mut [T], shape: [usize; N]) -> Result<Self, ViewError> {
        let (shape, steps) = layout::<T, N>(elements.len(), shape)?;
        // SAFETY: row-major steps within the slice, which is borrowed mutably as long as the view lives.
        Ok(Self(unsafe { Raw::new(elements.as_mut_ptr().cast(), shape, steps, 0) }, PhantomData))
    }

    #[doc(hidden)]
    pub fn __raw(&self) -> Raw<T, N> {
        self.0
    }
}
