//! Reductions in the canonical order by a loop over single elements: what the plain function does. It shares no loop with the lanes, so
//! that each is a check of the other.

use super::lanes::CHUNK;
use super::reduce::{Combine, Reduction, Total, accumulators, one};
use crate::cx::Cx;
use crate::debug::arithmetic::check;
use crate::dtype::Dtype;
use crate::isa::{Registers, Single, Varying};

/// One reduction of a loop.
#[derive(Debug)]
pub struct Sequential<T: Dtype, R, S> {
    /// The accumulators of the chunk.
    slots: [T::Scalar; 64],
    /// Iterations of the chunk so far.
    iterations: u64,
    total: Total<T, R>,
    /// The level; in debug mode it knows the loop's place.
    isa: S,
}

/// Before the first iteration.
#[inline(always)]
pub fn sequential<T: Dtype, R: Combine<T>, S: Single>(cx: Cx<'_, S>, _: Reduction<T, R>) -> Sequential<T, R, S> {
    Sequential { slots: [R::identity().widen(); 64], iterations: 0, total: Total::new(), isa: cx.isa }
}

impl<T: Dtype, R: Combine<T>, S: Single> Sequential<T, R, S> {
    /// Two partial results, combined.
    #[inline]
    fn combined(&self, a: T::Scalar, b: T::Scalar) -> T::Scalar {
        let y = one::<T, R>(a, b);
        if <S as Registers>::CHECKED
            && let (Some(place), Some(operation)) = (self.isa.place(), R::OPERATION)
        {
            check::<T, T>(place, operation, T::narrow(a), T::narrow(b), T::narrow(y));
        }
        y
    }

    fn slot(&mut self) -> &mut T::Scalar {
        &mut self.slots[self.iterations as usize % accumulators::<T>()]
    }

    /// The accumulator of the next iteration.
    #[inline]
    pub fn take(&mut self) -> Varying<T, S> {
        S::of(*self.slot())
    }

    /// The accumulator after the iteration.
    #[inline]
    pub fn put(&mut self, value: Varying<T, S>) {
        *self.slot() = S::value(value);
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
                self.slots[j] = self.combined(self.slots[j], self.slots[j + count]);
            }
        }
        self.total.push(self.slots[0]);
        self.slots = [R::identity().widen(); 64];
        self.iterations = 0;
    }

    /// The variable after the loop; `before` is its value before.
    #[inline]
    pub fn finish(self, before: Varying<T, S>) -> Varying<T, S> {
        S::of(self.combined(S::value(before), self.total.get()))
    }
}
