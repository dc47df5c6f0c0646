//! `ndarray` arrays as operands.

use super::{Input, Operand, Output, OutputOperand, Sealed, Source};
use lanecraft_core::Dtype;
use ndarray::{ArrayBase, ArrayRef, ArrayView, ArrayViewMut, Data, DataMut, Dimension, RawData};

/// Steps in bytes, of strides in elements.
fn source<T, D: Dimension>(array: &ArrayRef<T, D>, at: *mut T) -> Source {
    let steps = array.strides().iter().map(|stride| stride * size_of::<T>() as isize).collect();
    Source::Array { at: at.cast(), shape: array.shape().to_vec(), steps }
}

impl<S: RawData, D> Sealed for &ArrayBase<S, D> {}
impl<T: Dtype, S: Data<Elem = T>, D: Dimension> Input<T> for &ArrayBase<S, D> {
    fn into_operand<'a>(self) -> Operand<'a>
    where
        Self: 'a,
    {
        Operand::new::<T>(source(self, self.as_ptr().cast_mut()))
    }
}

impl<T, D> Sealed for &ArrayRef<T, D> {}
impl<T: Dtype, D: Dimension> Input<T> for &ArrayRef<T, D> {
    fn into_operand<'a>(self) -> Operand<'a>
    where
        Self: 'a,
    {
        Operand::new::<T>(source(self, self.as_ptr().cast_mut()))
    }
}

impl<T, D> Sealed for ArrayView<'_, T, D> {}
impl<T: Dtype, D: Dimension> Input<T> for ArrayView<'_, T, D> {
    fn into_operand<'a>(self) -> Operand<'a>
    where
        Self: 'a,
    {
        Operand::new::<T>(source(&self, self.as_ptr().cast_mut()))
    }
}

impl<S: RawData, D> Sealed for &mut ArrayBase<S, D> {}
impl<T: Dtype, S: DataMut<Elem = T>, D: Dimension> Output<T> for &mut ArrayBase<S, D> {
    fn into_operand<'a>(self) -> OutputOperand<'a>
    where
        Self: 'a,
    {
        // The pointer comes first: an array of shared memory makes its own copy for it, which may lie differently.
        let at = self.as_mut_ptr();
        OutputOperand(Operand::new::<T>(source(self, at)))
    }
}

impl<T, D> Sealed for &mut ArrayRef<T, D> {}
impl<T: Dtype, D: Dimension> Output<T> for &mut ArrayRef<T, D> {
    fn into_operand<'a>(self) -> OutputOperand<'a>
    where
        Self: 'a,
    {
        let at = self.as_mut_ptr();
        OutputOperand(Operand::new::<T>(source(self, at)))
    }
}

impl<T, D> Sealed for ArrayViewMut<'_, T, D> {}
impl<T: Dtype, D: Dimension> Output<T> for ArrayViewMut<'_, T, D> {
    fn into_operand<'a>(mut self) -> OutputOperand<'a>
    where
        Self: 'a,
    {
        let at = self.as_mut_ptr();
        OutputOperand(Operand::new::<T>(source(&self, at)))
    }
}
