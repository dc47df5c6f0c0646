//! Operands as generated code sees them.

use super::item::Memory;
use crate::cx::{Cx, FaultCell, MAX_RANK, OutOfRange};
use crate::debug::shadow::{self, Access};
use crate::debug::{ElementOf, Finding, find};
use crate::dtype::Dtype;
use crate::isa::{Isa, Registers, Single, Varying};
use crate::stream::Stores;
use core::marker::PhantomData;

/// An operand of `N` axes. On the last one its elements lie side by side: whoever runs the kernel sees to that.
#[derive(Clone, Copy, Debug)]
pub struct Raw<T, const N: usize> {
    pub(super) at: *mut u8,
    pub(super) shape: [u64; N],
    /// Bytes from element to element.
    pub(super) steps: [isize; N],
    /// Its number, for messages.
    pub(super) operand: usize,
    /// 0 where what is written once goes past the caches, else 1: so that one test of an address tells whether it does.
    pub(super) cached: usize,
    /// Bytes from an element to one that is worth prefetching meanwhile; 0 in small arrays.
    pub(super) ahead: isize,
    elements: PhantomData<*mut T>,
}

impl<T: Dtype, const N: usize> Raw<T, N> {
    /// # Safety
    /// Every index within `shape` leads to an element, readable, and writable where the kernel writes the operand, for as
    /// long as the view is used. On the last axis the elements lie side by side.
    #[inline(always)]
    pub unsafe fn new(at: *mut u8, shape: [u64; N], steps: [isize; N], operand: usize) -> Self {
        const { assert!(N >= 1 && N <= MAX_RANK) };
        Self { at, shape, steps, operand, cached: 1, ahead: 0, elements: PhantomData }
    }

    /// The same, used as `memory` says.
    #[inline(always)]
    pub(super) fn of(self, memory: Memory) -> Self {
        Self { cached: usize::from(memory.stores == Stores::Cache), ahead: memory.ahead, ..self }
    }

    /// The operand of another item.
    #[inline(always)]
    pub(super) fn moved_to(self, at: *mut u8) -> Self {
        Self { at, ..self }
    }

    /// Where the first element is, the shape, and the bytes from element to element.
    pub fn parts(&self) -> (*mut u8, [u64; N], [isize; N]) {
        (self.at, self.shape, self.steps)
    }

    /// The address of an index, which may be out of range.
    #[inline(always)]
    pub(super) fn address(&self, index: [u64; N]) -> *mut u8 {
        self.from(self.at, index)
    }

    /// The address of what is worth prefetching at an access to an index: `later` bytes on. How far that lies ahead is added to the view's address, once for a loop: to
    /// an element's it would be added at each.
    #[inline(always)]
    pub(super) fn ahead_of(&self, index: [u64; N], later: isize) -> *mut u8 {
        self.from(self.at.wrapping_offset(later), index)
    }

    #[inline(always)]
    fn from(&self, at: *mut u8, index: [u64; N]) -> *mut u8 {
        let row = fold_axes!(N - 1, d => self.steps[d].wrapping_mul(index[d] as isize), isize::wrapping_add, 0);
        at.wrapping_offset(row.wrapping_add((index[N - 1] as isize).wrapping_mul(size_of::<T>() as isize)))
    }

    /// Whether an index is within the shape.
    #[inline(always)]
    pub(super) fn holds(&self, index: [u64; N]) -> bool {
        fold_axes!(N, d => index[d] < self.shape[d], core::ops::BitAnd::bitand, true)
    }

    /// In debug mode, notes an access to an element within the shape.
    pub(super) fn note<I: Isa>(&self, cx: Cx<'_, I>, index: [u64; N], access: Access) {
        let mut element = ElementOf { operand: self.operand, index: [0; MAX_RANK], rank: N };
        element.index[..N].copy_from_slice(&index);
        shadow::access(cx.isa.place(), element, access);
    }

    /// The same, put together anew: what a function that is not inlined gets, so that the original is not in memory for its sake. There, gangs
    /// with checks would wait for its copies.
    #[inline(always)]
    pub(super) fn anew(&self) -> Self {
        let (mut shape, mut steps) = ([0; N], [0; N]);
        axes!(N, d => {
            (shape[d], steps[d]) = (self.shape[d], self.steps[d]);
        });
        Self { at: self.at, shape, steps, operand: self.operand, cached: self.cached, ahead: self.ahead, elements: PhantomData }
    }

    /// Notes an index that is out of range.
    #[inline(always)]
    pub(super) fn note_beyond<I: Isa>(&self, cx: Cx<'_, I>, index: [u64; N]) {
        if <I as Registers>::CHECKED {
            find(Finding::OutOfRange(out_of_range(self.operand, index, self.shape)), cx.isa.place());
        }
        self.note_in(cx.fault, index);
    }

    /// Notes an index that is out of range.
    #[inline(always)]
    pub(super) fn note_in(&self, fault: &FaultCell, index: [u64; N]) {
        let mut shape = [0; N];
        axes!(N, d => {
            shape[d] = self.shape[d];
        });
        note(fault, self.operand, index, shape);
    }
}

/// It takes what it needs, and no view: at each place that may note an index all of that is put together.
#[cold]
#[inline(never)]
fn note<const N: usize>(fault: &FaultCell, operand: usize, index: [u64; N], shape: [u64; N]) {
    fault.note(out_of_range(operand, index, shape));
}

/// What to say of an index that is out of range.
fn out_of_range<const N: usize>(operand: usize, index: [u64; N], shape: [u64; N]) -> OutOfRange {
    let mut what = OutOfRange { operand, rank: N, index: [0; MAX_RANK], shape: [0; MAX_RANK] };
    for ((to, shape), (index, len)) in what.index.iter_mut().zip(&mut what.shape).zip(index.iter().zip(&shape)) {
        (*to, *shape) = (*index as i64, *len);
    }
    what
}

/// A slice as a view, for the plain function.
#[inline(always)]
pub fn slice<T: Dtype>(x: &[T]) -> Raw<T, 1> {
    // SAFETY: the elements of the slice; the plain function only reads it, and its body ends before the borrow does.
    unsafe { Raw::new(x.as_ptr().cast_mut().cast(), [x.len() as u64], [size_of::<T>() as isize], 0) }
}

/// A slice as a view that is written, for the plain function.
#[inline(always)]
pub fn slice_mut<T: Dtype>(x: &mut [T]) -> Raw<T, 1> {
    // SAFETY: the elements of the slice; the body of the plain function ends before the borrow does.
    unsafe { Raw::new(x.as_mut_ptr().cast(), [x.len() as u64], [size_of::<T>() as isize], 0) }
}

/// What has axes: an operand, or an array of the kernel's own.
pub trait Shaped: Copy {
    /// The length of an axis.
    fn length(&self, axis: usize) -> u64;
}

impl<T: Dtype, const N: usize> Shaped for Raw<T, N> {
    #[inline(always)]
    fn length(&self, axis: usize) -> u64 {
        self.shape[axis]
    }
}

/// `x.len()`, `x.dim(axis)`
#[inline(always)]
pub fn len<X: Shaped, S: Single>(_: Cx<'_, S>, x: X, axis: usize) -> Varying<u64, S> {
    S::of(x.length(axis))
}
