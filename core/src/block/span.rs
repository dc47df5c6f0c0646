//! The iterations of a loop over lanes.

use super::GANG;
use super::access::{At, plain};
use super::item::LONG_ROW;
use super::view::{Raw, Shaped};
use crate::debug::shadow;
use crate::dtype::Dtype;
use crate::isa::scalar::Scalar;
use crate::isa::{Registers, Single, Varying};
use core::marker::PhantomData;
use core::ptr;

/// A plain loop inside: what its variable is multiplied by, its first value, its end, and whether that is a value too.
pub type Inner = (i64, Varying<u64, Scalar>, Varying<u64, Scalar>, bool);

/// The iterations of a loop over lanes: `start`, `start + step`, ... below `end`. Some of them, by number, are known to stay within
/// every view at the indices that move with the lane.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub(super) start: u64,
    pub(super) step: u64,
    /// The iterations to run, by number.
    pub(super) from: u64,
    pub(super) to: u64,
    /// The first iteration that needs no checks, and the first after them that does.
    pub(super) lo: u64,
    pub(super) hi: u64,
    /// Iterations whose number plus this is a multiple of a gang are where whole gangs begin.
    pub(super) phase: u64,
    /// 0 where what is written once can go past the caches if there are no edges, else 1.
    pub(super) cached: usize,
    /// A byte of the cache line that the end of a later row shares with the row after it; null where there is none.
    pub(super) shared: *const u8,
    /// How many operands are read where, to the CPU, the loop writes before it comes there, less those where it has been: see [`Span::away`].
    pub(super) awaits: i64,
    /// Whether its rows are long ones.
    pub(super) long: bool,
}

/// The fewest iterations for which whole gangs begin where memory has them: in front stands a shorter one, which takes longer.
const ALIGNED: u64 = 256;
/// The fewest bytes that are written past the caches where their first and last cache lines are not theirs alone.
const STREAMED: u64 = 4096;
/// The fewest iterations that are, where some are beyond an edge: those go by way of memory, which waits there for all that is on its way past the
/// caches.
const STREAMED_TO_EDGES: u64 = 4096;
/// The bits of an address that a load does not compare with those of stores on their way.
const NOT_COMPARED: u32 = u64::BITS - 12;

/// `start..end`, by `step`
#[inline(always)]
pub fn span(start: Varying<u64, Scalar>, end: Varying<u64, Scalar>, step: u64) -> Span {
    let (start, end) = (start.0, end.0);
    let count = if start < end { if step == 1 { end - start } else { (end - start).div_ceil(step) } } else { 0 };
    Span { start, step, from: 0, to: count, lo: 0, hi: count, phase: 0, cached: 1, shared: ptr::null(), awaits: 0, long: false }
}

/// The step of a range that has a name.
#[inline(always)]
pub fn step<S: Single>(x: Varying<u64, S>) -> u64 {
    S::value(x)
}

/// By how much an index moves from lane to lane, in which the lane's variable is multiplied by `factor`.
#[inline(always)]
pub fn moves(step: u64, factor: i64) -> i64 {
    factor.wrapping_mul(step as i64)
}

/// A constant summand of an index.
#[inline(always)]
pub fn constant(x: i64) -> Varying<u64, Scalar> {
    Varying(x as u64)
}

/// `sum + times * x`, wrapping.
#[inline(always)]
pub fn times(sum: Varying<u64, Scalar>, x: Varying<u64, Scalar>, times: i64) -> Varying<u64, Scalar> {
    Varying(sum.0.wrapping_add(x.0.wrapping_mul(times as u64)))
}

/// The values of a loop's variable, one by one.
#[derive(Clone, Copy, Debug)]
pub struct Rows<S = Scalar> {
    pub(super) at: u64,
    pub(super) left: u64,
    pub(super) step: u64,
    /// In debug mode, how many ranges are around.
    pub(super) depth: usize,
    pub(super) level: PhantomData<S>,
}

/// `start..end`, by `step`
#[inline(always)]
pub fn rows<S: Single>(start: Varying<u64, S>, end: Varying<u64, S>, step: u64) -> Rows<S> {
    let (at, end) = (S::value(start), S::value(end));
    let left = span(Varying(at), Varying(end), step).to;
    Rows { at, left, step, depth: if <S as Registers>::CHECKED { shadow::enter_range() } else { 0 }, level: PhantomData }
}

impl<S: Single> Rows<S> {
    /// The next value.
    #[inline(always)]
    #[allow(clippy::should_implement_trait, reason = "generated code calls it without the trait in scope")]
    pub fn next(&mut self) -> Option<Varying<u64, S>> {
        if <S as Registers>::CHECKED {
            shadow::next_in_range(self.depth, (self.left > 0).then_some(self.at));
        }
        if self.left == 0 {
            return None;
        }
        let at = self.at;
        (self.at, self.left) = (at.wrapping_add(self.step), self.left - 1);
        Some(S::of(at))
    }
}

/// Whether the indices of `count` iterations are all below `len`. Rare, and so a function of its own, which kernels do not compile.
#[inline(never)]
fn all_within(first: i64, by: i64, count: u64, len: i64) -> bool {
    let last = first.checked_add(by.checked_mul(count.saturating_sub(1) as i64).unwrap_or(i64::MAX)).unwrap_or(-1);
    first >= 0 && first < len && last >= 0 && last < len
}

/// The first iterations from which on, and up to which, an index is one of `len`. Small, and made so once, before LLVM inlines it.
#[inline]
fn within(first: i64, by: i64, count: u64, len: i64) -> (u64, u64) {
    if by == 1 {
        let lo = if first < 0 { first.unsigned_abs() } else { 0 };
        return (lo, if first < len { len.abs_diff(first) } else { 0 });
    }
    (0, if all_within(first, by, count, len) { u64::MAX } else { 0 })
}

/// `Ord::max`, small before it is inlined, as what follows.
#[inline]
fn larger(a: u64, b: u64) -> u64 {
    if a > b { a } else { b }
}

#[inline]
fn smaller(a: u64, b: u64) -> u64 {
    if a < b { a } else { b }
}

/// Those of `lo..hi` and `base..end`, as whole gangs counted from `base`: first and end.
#[inline]
fn fast_gangs(lo: u64, hi: u64, base: u64, end: u64) -> (u64, u64) {
    let (lo, hi) = (lo.max(base) - base, hi.min(end).max(base) - base);
    let lo = lo.div_ceil(GANG) * GANG;
    let hi = hi / GANG * GANG;
    (base + lo, base + hi.max(lo))
}

/// What `offset` becomes with the multiples that loops inside add.
enum Reach {
    /// There are none.
    Nowhere,
    /// The lowest and the highest one.
    Between(u64, u64),
    /// More than an index holds.
    Anywhere,
}

/// Long, so LLVM makes it small before it is inlined.
#[inline]
fn reach<const K: usize>(offset: u64, inner: [Inner; K]) -> Reach {
    // Not wrapping: what is between two indices of an axis is one, too.
    let (mut low, mut high) = (i128::from(offset as i64), i128::from(offset as i64));
    for (factor, first, end, inclusive) in inner {
        let (factor, first) = (i128::from(factor), i128::from(first.0));
        let last = i128::from(end.0) - i128::from(!inclusive);
        if first > last {
            return Reach::Nowhere;
        }
        let (a, b) = (factor * first, factor * last);
        low += a.min(b);
        high += a.max(b);
    }
    match (i64::try_from(low), i64::try_from(high), i64::try_from(high - low)) {
        (Ok(low), Ok(high), Ok(_)) => Reach::Between(low as u64, high as u64),
        _ => Reach::Anywhere,
    }
}

impl Span {
    /// Without the iterations where the lane's variable times `stride`, plus `offset`, is no index of an axis of `x`.
    #[inline(always)]
    pub fn within<X: Shaped>(mut self, x: X, axis: usize, offset: Varying<u64, Scalar>, stride: i64) -> Self {
        // The index at the first iteration, and by how much it moves.
        let first = (self.start as i64).wrapping_mul(stride).wrapping_add(offset.0 as i64);
        let by = (self.step as i64).wrapping_mul(stride);
        let (lo, hi) = within(first, by, self.to, x.length(axis) as i64);
        (self.lo, self.hi) = (larger(self.lo, lo), smaller(self.hi, hi));
        self
    }

    /// [`within`](Self::within), where loops inside add multiples of their variables.
    #[inline(always)]
    pub fn through<X: Shaped, const K: usize>(
        self,
        x: X,
        axis: usize,
        offset: Varying<u64, Scalar>,
        stride: i64,
        inner: [Inner; K],
    ) -> Self {
        match reach(offset.0, inner) {
            Reach::Nowhere => self,
            Reach::Anywhere => Self { hi: 0, ..self },
            Reach::Between(low, high) => {
                let low = self.within(x, axis, Varying(low), stride);
                low.within(x, axis, Varying(high), stride)
            }
        }
    }

    /// Whether there is a single iteration.
    #[inline(always)]
    pub fn is_single(self) -> bool {
        self.to == 1
    }

    /// Without any iterations, if an axis of `x` is empty.
    #[inline(always)]
    pub fn nonempty<X: Shaped>(self, x: X, axis: usize) -> Self {
        if x.length(axis) != 0 { self } else { Self { hi: 0, ..self } }
    }

    /// Without any iterations, if `index` is no index of an axis of `x`.
    #[inline(always)]
    pub fn holds<X: Shaped>(self, x: X, axis: usize, index: Varying<u64, Scalar>) -> Self {
        if index.0 < x.length(axis) { self } else { Self { hi: 0, ..self } }
    }

    /// Begins whole gangs where those of a written operand do not straddle cache lines; `first` is its index at the first iteration.
    ///
    /// Which iterations make a gang hangs on addresses then. So not where an index may be out of range, of which the first one in a gang is told.
    #[inline(always)]
    pub fn aligned<T: Dtype, const N: usize>(self, x: Raw<T, N>, first: At<N>) -> Self {
        let address = x.address(plain(first)) as u64;
        let size = size_of::<T>() as u64;
        if self.lo > 0 || self.hi < self.to || !address.is_multiple_of(size) {
            return self;
        }
        let phase = address / size % GANG;
        // A cache line that is written in part has to be read, and what goes past the caches waits for that.
        let whole = phase == 0 && self.to.is_multiple_of(GANG);
        let bytes = self.to * size;
        let cached = if whole || bytes >= STREAMED { x.cached } else { 1 };
        // Of a short row, that of a later one: it takes as long to come as a row to be written.
        let later = if bytes < 4 * STREAMED { x.ahead } else { 0 };
        let end = x.address(plain(first)).wrapping_add(bytes as usize).wrapping_offset(later).cast_const();
        let shared = if whole { ptr::null() } else { end };
        Self { phase: if self.to >= ALIGNED { phase } else { 0 }, cached, shared, ..self }
    }

    /// Goes away from what the CPU takes for the elements of `x` that are read: a load whose address has the last 12 bits of a store that is still
    /// on its way waits for it. Where the gang that is written lies behind the one that is read, modulo 4096, those are loads of the next
    /// gangs, and in front of it of the ones before. `first` is the index of the first lane in `y`, `middle` of those in `x`.
    #[inline(always)]
    pub fn away<T: Dtype, U: Dtype, const N: usize, const M: usize>(self, y: Raw<T, N>, first: At<N>, x: Raw<U, M>, middle: At<M>) -> Self {
        // As in `aligned`; and operands that move at different paces have no distance.
        if self.lo > 0 || self.hi < self.to || self.to < ALIGNED || size_of::<T>() != size_of::<U>() {
            return self;
        }
        let behind = (y.address(plain(first)) as u64).wrapping_sub(x.address(plain(middle)) as u64);
        let awaits = self.awaits + ((behind << NOT_COMPARED) as i64).signum();
        Self { awaits, long: self.to * size_of::<T>() as u64 >= LONG_ROW as u64, ..self }
    }

    /// Whether whole gangs without checks run from the last one to the first.
    #[inline(always)]
    pub(super) fn is_downwards(&self) -> bool {
        self.awaits > 0
    }

    /// 0 where what is written once can go past the caches, else 1.
    #[inline(always)]
    pub(super) fn cached(&self) -> usize {
        let edges = self.lo > 0 || self.hi < self.to;
        if edges && self.to < STREAMED_TO_EDGES { 1 } else { self.cached }
    }

    /// The first iteration from which on whole gangs lie where memory has them.
    #[inline(always)]
    pub(super) fn first_whole(&self) -> u64 {
        smaller(self.to, (self.from + self.phase).next_multiple_of(GANG) - self.phase)
    }

    /// The lane's variable at an iteration.
    #[inline(always)]
    pub(super) fn at(&self, iteration: u64) -> Varying<u64, Scalar> {
        Varying(self.start.wrapping_add(if self.step == 1 { iteration } else { iteration.wrapping_mul(self.step) }))
    }

    /// The iterations that need no checks, as whole gangs counted from `base`: first and end.
    #[inline(always)]
    pub(super) fn fast_gangs(&self, base: u64, end: u64) -> (u64, u64) {
        fast_gangs(self.lo, self.hi, base, end)
    }
}
