//! What the lanes of a gang do one after the other: updates of elements that iterations share, and running sums.

use super::GANG;
use super::access::{At, Indices, of_lane, plain};
use super::crew::meet;
use super::known::{Strides, are_side_by_side};
use super::reduce::{Combine, Sum, one};
use super::span::Span;
use super::view::Raw;
use crate::cx::{Cx, FaultCell};
use crate::debug::shadow::Access;
use crate::dtype::{Dtype, DtypeId, Num};
use crate::isa::scalar::Scalar;
use crate::isa::{Isa, Registers, Single, Varying};
use core::cell::{Cell, UnsafeCell};
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// `atomic_add(&mut x[at], value)` and its kin, at one index.
#[inline(always)]
pub fn update_one<T: Dtype, R: Combine<T>, S: Single, const N: usize>(
    cx: Cx<'_, S>,
    _: R,
    x: Raw<T, N>,
    at: At<N, S>,
    value: Varying<T, S>,
) {
    let at = plain(at);
    if !x.holds(at) {
        if cx.active_bits() != 0 {
            x.note_beyond(cx, at);
        }
        return;
    }
    if <S as Registers>::CHECKED {
        x.note(cx, at, Access::Update);
    }
    let p = x.address(at).cast::<T>();
    // SAFETY: within the shape, and writable, for the kernel writes it.
    unsafe { p.write_unaligned(T::narrow(one::<T, R>(T::read(p).widen(), S::value(value)))) };
}

/// The most elements of an operand that has private copies.
const PRIVATE: usize = 512;
/// How many copies: an update need not wait for the one before it to be in memory.
const COPIES: usize = 4;

/// Elements from copy to copy: not a power of two, or one element's copies would look alike to the CPU.
const STRIDE: usize = PRIVATE + 8;

/// The fewest iterations that are counted: to begin and to end takes as long as some thousands of updates.
const COUNTED: u64 = 8192;
/// The most that are counted in one go, between two questions whether to stop: a tenth of a millisecond.
const COUNTED_AT_ONCE: u64 = 1 << 20;

/// Room for the private copies of an operand. It stands apart from [`Updates`], which are in registers that way.
pub struct Copies<T>(UnsafeCell<[MaybeUninit<T>; STRIDE * COPIES]>);

/// Room for the private copies of `x`.
#[inline(always)]
pub fn copies<T: Dtype, const N: usize>(_: Raw<T, N>) -> Copies<T> {
    Copies(UnsafeCell::new([MaybeUninit::uninit(); STRIDE * COPIES]))
}

/// The updates of an operand by one loop over lanes.
///
/// Those of a small operand of integers go to copies of its own, combined at the end: the order of combining makes no difference to
/// integers. Those of floats go to the operand itself, in the order of the loop.
pub struct Updates<'a, T: Dtype, R, const N: usize> {
    x: Raw<T, N>,
    private: bool,
    copies: *mut T,
    room: PhantomData<&'a Copies<T>>,
    by: PhantomData<R>,
}

/// The updates of `x` in a loop of some iterations.
#[inline(always)]
pub fn updates<T: Dtype, R: Combine<T>, const N: usize>(x: Raw<T, N>, _: R, span: Span, room: &Copies<T>) -> Updates<'_, T, R, N> {
    let len = if N == 1 { x.shape[0] as usize } else { usize::MAX };
    let private = R::ORDERLESS && T::ID.is_int() && len <= PRIVATE && span.to >= 16 * len as u64;
    let this = Updates { x, private, copies: room.0.get().cast(), room: PhantomData, by: PhantomData };
    if private {
        for (copy, k) in (0..COPIES).flat_map(|copy| (0..len).map(move |k| (copy, k))) {
            // SAFETY: room for that many elements.
            unsafe { this.of_copy(copy, k).write(R::identity()) };
        }
    }
    this
}

impl<T: Dtype, R: Combine<T>, const N: usize> Updates<'_, T, R, N> {
    /// An element of a copy.
    #[inline(always)]
    fn of_copy(&self, copy: usize, k: usize) -> *mut T {
        self.copies.wrapping_add(copy * STRIDE + k)
    }

    /// An index per lane, in the order of the lanes.
    #[inline(always)]
    pub fn update<I: Isa>(&self, cx: Cx<'_, I>, index: [Indices; N], value: Varying<T, I>) {
        let mut values = [T::default().widen(); GANG as usize];
        T::spill(cx.isa, value.0, &mut values);
        let active = cx.active_bits();
        if self.private && active == (1 << GANG) - 1 {
            let len = self.x.shape[0];
            let mut within = true;
            if index[0].most >= len {
                let mut k = 0;
                while k < GANG as usize {
                    within &= index[0].lanes[k] < len;
                    k += 1;
                }
            }
            if within {
                let mut k = 0;
                while k < GANG as usize {
                    let p = self.of_copy(k % COPIES, index[0].lanes[k] as usize);
                    // SAFETY: within the copies, which are initialised.
                    unsafe { p.write(T::narrow(one::<T, R>(T::read(p).widen(), values[k]))) };
                    k += 1;
                }
                return;
            }
        }
        // Put together anew: else indices and values would be in memory in each iteration, for the sake of a call that hardly ever comes.
        let mut own = [Indices { lanes: [0; GANG as usize], most: 0 }; N];
        let mut own_values = [T::default().widen(); GANG as usize];
        let mut k = 0;
        while k < GANG as usize {
            let mut d = 0;
            while d < N {
                own[d].lanes[k] = index[d].lanes[k];
                d += 1;
            }
            own_values[k] = values[k];
            k += 1;
        }
        self.lane_by_lane(cx.fault, &own, &own_values, active);
    }

    /// Where an element within the shape is updated, or the copy of it that a lane has.
    #[inline(always)]
    fn place(&self, own: [u64; N], lane: usize) -> *mut T {
        if self.private { self.of_copy(lane % COPIES, own[0] as usize) } else { self.x.address(own).cast() }
    }

    #[inline(never)]
    fn lane_by_lane(&self, fault: &FaultCell, index: &[Indices; N], values: &[T::Scalar; GANG as usize], active: u64) {
        for (k, value) in values.iter().copied().enumerate().filter(|(k, _)| active & (1 << k) != 0) {
            let own = of_lane(index, k);
            if self.x.holds(own) {
                let p = self.place(own, k);
                // SAFETY: within the shape, and writable, for the kernel writes it; or within the copies, which are initialised.
                unsafe { p.write_unaligned(T::narrow(one::<T, R>(T::read(p).widen(), value))) };
            } else {
                self.x.note_in(fault, own);
            }
        }
    }

    /// The iterations of one of several threads: with copies its part, else all or none.
    #[inline(always)]
    pub fn part<I: Isa>(&self, cx: Cx<'_, I>, span: Span) -> Span {
        if self.private { span.part(cx) } else { span.for_one(cx) }
    }

    /// Combines the copies, of one thread after the other.
    #[inline(always)]
    pub fn end<I: Isa>(self, cx: Cx<'_, I>) {
        let Some(member) = cx.member else { return self.combine() };
        let mut turn = 0;
        while turn < member.crew.count() {
            if turn == member.index {
                self.combine();
            }
            meet(cx);
            turn += 1;
        }
    }

    #[inline(always)]
    fn combine(&self) {
        if !self.private {
            return;
        }
        for k in 0..self.x.shape[0] as usize {
            let mut own = [0; N];
            own[0] = k as u64;
            let p = self.x.address(own).cast::<T>();
            for copy in 0..COPIES {
                // SAFETY: within the shape, and writable, for the kernel writes it; within the copies, which are initialised.
                unsafe { p.write_unaligned(T::narrow(one::<T, R>(T::read(p).widen(), T::read(self.of_copy(copy, k)).widen()))) };
            }
        }
    }
}

impl<T: Num> Updates<'_, T, Sum, 1> {
    /// Runs those first iterations of a loop that can be counted: each adds `value` to the element whose index is a byte, `x` at `at` of
    /// its variable; the bytes lie side by side. Gives the iterations that are left, which are all of them if a byte is out of range.
    #[inline(always)]
    pub fn count<K: Dtype, I: Isa, W: Strides<M>, const M: usize>(
        &self,
        cx: Cx<'_, I>,
        span: Span,
        x: Raw<K, M>,
        at: impl FnOnce(Varying<u64, Scalar>) -> At<M>,
        stride: W,
        value: Varying<T, Scalar>,
    ) -> Span {
        let can = <I as Registers>::COUNTS_BYTES && K::ID == DtypeId::U8 && T::ID.is_int() && (W::SIDE_BY_SIDE || are_side_by_side(stride));
        if !can || span.lo > span.from || span.hi.min(span.to) < span.from + COUNTED {
            return span;
        }
        let (from, count) = (x.address(plain(at(span.at(span.from)))), span.hi.min(span.to) - span.from);
        let (mut counts, mut done) = ([0; 256], 0);
        while done < count {
            let piece = COUNTED_AT_ONCE.min(count - done);
            cx.poll(piece);
            if cx.failed() {
                return span;
            }
            // SAFETY: these iterations need no checks: their bytes are within the shape of `x`, and lie side by side.
            let now = unsafe { cx.isa.count_bytes(from.wrapping_add(done as usize), piece as usize, &mut counts) };
            if now == 0 {
                break;
            }
            done += now as u64;
        }
        if self.add_counts(&counts, value.0) { Span { from: span.from + done, ..span } } else { span }
    }

    /// Adds `value`, each element as often as its count says. Not if one of them is beyond the operand.
    #[inline(never)]
    fn add_counts(&self, counts: &[u64; 256], value: T::Scalar) -> bool {
        let len = counts.len().min(self.x.shape[0] as usize);
        if counts[len..].iter().any(|count| *count != 0) {
            return false;
        }
        for (k, count) in counts[..len].iter().enumerate() {
            let (p, times) = (self.place([k as u64], 0), T::from_int_literal(i128::from(*count)));
            // SAFETY: within the shape, and writable, for the kernel writes it; or within the copies, which are initialised.
            unsafe { p.write_unaligned(T::narrow(T::add(Scalar, T::read(p).widen(), T::mul(Scalar, value, times)))) };
        }
        true
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
