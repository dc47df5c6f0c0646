//! What the lanes of a gang do one after the other: updates of elements that iterations share, and running sums.

use super::GANG;
use super::access::{At, plain};
use super::reduce::{Combine, one};
use super::view::Raw;
use crate::cx::Cx;
use crate::dtype::{Dtype, Num};
use crate::isa::scalar::Scalar;
use crate::isa::{Isa, Varying};
use core::cell::Cell;

/// `atomic_add(&mut x[at], value)` and its kin, at one index.
#[inline(always)]
pub fn update_one<T: Dtype, R: Combine<T>, const N: usize>(cx: Cx<'_, Scalar>, _: R, x: Raw<T, N>, at: At<N>, value: Varying<T, Scalar>) {
    let at = plain(at);
    if !x.holds(at) {
        if cx.active_bits() != 0 {
            cx.fault.note(x.out_of_range(at));
        }
        return;
    }
    let p = x.address(at).cast::<T>();
    // SAFETY: within the shape, and writable, for the kernel writes it.
    unsafe { p.write_unaligned(T::narrow(one::<T, R>(T::read(p).widen(), value.0))) };
}

/// `atomic_add(&mut x[at], value)` and its kin: an index per lane, in the order of the lanes.
#[inline(always)]
pub fn update<T: Dtype, R: Combine<T>, I: Isa, const N: usize>(
    cx: Cx<'_, I>,
    _: R,
    x: Raw<T, N>,
    at: [Varying<u64, I>; N],
    value: Varying<T, I>,
) {
    let mut index = [[0_u64; GANG as usize]; N];
    let mut d = 0;
    while d < N {
        u64::spill(cx.isa, at[d].0, &mut index[d]);
        d += 1;
    }
    let mut values = [T::default().widen(); GANG as usize];
    T::spill(cx.isa, value.0, &mut values);
    let active = cx.active_bits();
    let mut k = 0;
    while k < GANG as usize {
        let mut own = [0; N];
        let mut d = 0;
        while d < N {
            own[d] = index[d][k];
            d += 1;
        }
        if active & (1 << k) != 0 {
            if x.holds(own) {
                let p = x.address(own).cast::<T>();
                // SAFETY: within the shape, and writable, for the kernel writes it.
                unsafe { p.write_unaligned(T::narrow(one::<T, R>(T::read(p).widen(), values[k]))) };
            } else {
                cx.fault.note(x.out_of_range(own));
            }
        }
        k += 1;
    }
}

/// A running sum over the iterations of a loop, in their order.
#[derive(Debug)]
pub struct Scan<T: Dtype>(Cell<T::Scalar>);

/// A running sum that starts from a variable.
#[inline(always)]
pub fn scan<T: Num>(start: Varying<T, Scalar>) -> Scan<T> {
    Scan(Cell::new(start.0))
}

impl<T: Num> Scan<T> {
    /// The sum after each lane.
    #[inline(always)]
    pub fn step<I: Isa>(&self, cx: Cx<'_, I>, x: Varying<T, I>) -> Varying<T, I> {
        let mut values = [T::default().widen(); GANG as usize];
        T::spill(cx.isa, x.0, &mut values);
        let active = cx.active_bits();
        let mut sum = self.0.get();
        let mut k = 0;
        while k < GANG as usize {
            if active & (1 << k) != 0 {
                sum = T::add(Scalar, sum, values[k]);
            }
            values[k] = sum;
            k += 1;
        }
        self.0.set(sum);
        Varying(T::fill(cx.isa, &values))
    }

    /// The sum so far.
    #[inline(always)]
    pub fn get(&self) -> Varying<T, Scalar> {
        Varying(self.0.get())
    }
}
