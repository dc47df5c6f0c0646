//! What the context of a lane computation does in debug mode alone.

use super::arithmetic::{self, Operation};
use super::print;
use crate::cx::Cx;
use crate::dtype::{Dtype, Float};
use crate::isa::{Isa, MAX_LANES, Varying};

impl<I: Isa> Cx<'_, I> {
    /// In debug mode, checks an operation of the user's on `a` and `b` (of one operand, twice the same) that gave `y`.
    pub(crate) fn check<T: Dtype, U: Dtype>(self, operation: Operation, a: Varying<T, I>, b: Varying<U, I>, y: Varying<T, I>) {
        if let Some(place) = self.isa.place() {
            arithmetic::check::<T, U>(place, operation, self.single(a), self.single(b), self.single(y));
        }
    }

    /// In debug mode, checks a method of floats.
    pub(crate) fn check_method<T: Float, const N: usize>(self, name: &'static str, args: [Varying<T, I>; N], y: Varying<T, I>) {
        if let Some(place) = self.isa.place() {
            let of_nan = args.iter().any(|a| arithmetic::is_nan::<T>(self.single(*a)));
            arithmetic::check_nan::<T>(place, Operation::Method(name), of_nan, self.single(y));
        }
    }

    /// In debug mode, prints a value.
    pub(crate) fn print<T: Dtype>(self, text: &str, x: Varying<T, I>) {
        print(self.isa.place(), text, &self.single(x).widen());
    }

    /// The value of the only lane, as memory has it.
    fn single<T: Dtype>(self, x: Varying<T, I>) -> T {
        let mut lanes = [T::default(); MAX_LANES];
        // SAFETY: the array holds the lanes of any level.
        unsafe { T::store(self.isa, lanes.as_mut_ptr(), x.0) };
        lanes[0]
    }
}
