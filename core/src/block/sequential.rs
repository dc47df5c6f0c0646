//! Reductions in the canonical order by a loop over single elements: what the plain function does. It shares no loop with the lanes, so
//! that each is a check of the other.

use super::lanes::CHUNK;
use super::reduce::{Combine, Reduction, Total, accumulators, one};
use crate::dtype::Dtype;
use crate::isa::Varying;
use crate::isa::scalar::Scalar;

/// One reduction of a loop.
#[derive(Debug)]
pub struct Sequential<T: Dtype, R> {
    /// The accumulators of the chunk.
    slots: [T::Scalar; 64],
    /// Iterations of the chunk so far.
    iterations: u64,
    total: Total<T, R>,
}

/// Before the first iteration.
#[inline(always)]
pub fn sequential<T: Dtype, R: Combine<T>>(_: Reduction<T, R>) -> Sequential<T, R> {
    Sequential { slots: [R::identity().widen(); 64], iterations: 0, total: Total::new() }
}

impl<T: Dtype, R: Combine<T>> Sequential<T, R> {
    fn slot(&mut self) -> &mut T::Scalar {
        &mut self.slots[self.iterations as usize % accumulators::<T>()]
    }

    /// The accumulator of the next iteration.
    #[inline]
    pub fn take(&mut self) -> Varying<T, Scalar> {
        Varying(*self.slot())
    }

    /// The accumulator after the iteration.
    #[inline]
    pub fn put(&mut self, value: Varying<T, Scalar>) {
        *self.slot() = value.0;
        self.iterations += 1;
        if self.iterations == CHUNK {
            self.end_row();
        }
    }

    /// Ends the row, and its last chunk.
    #[inline]
    pub fn end_row(&mut self) {
        if self.iterations == 0 {
            return;
        }
        let mut count = accumulators::<T>();
        while count > 1 {
            count /= 2;
            for j in 0..count {
                self.slots[j] = one::<T, R>(self.slots[j], self.slots[j + count]);
            }
        }
        self.total.push(self.slots[0]);
        self.slots = [R::identity().widen(); 64];
        self.iterations = 0;
    }

    /// The variable after the loop; `before` is its value before.
    #[inline]
    pub fn finish(self, before: Varying<T, Scalar>) -> Varying<T, Scalar> {
        Varying(one::<T, R>(before.0, self.total.get()))
    }
}
