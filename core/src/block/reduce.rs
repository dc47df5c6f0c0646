//! Reductions in the canonical order.
//!
//! A row is split into chunks of 4096 iterations. In a chunk, iteration k goes to accumulator k mod 64 (mod 32 for types of 8
//! bytes), in increasing k. The accumulators of a chunk are combined by halves: j with j + 32, then j + 16, and so on. The chunks'
//! results, of all rows in order, are combined pairwise, each with its neighbour, then those results, and so on.

use super::GANG;
use super::crew::Member;
use super::known::Known;
use crate::cx::{Cx, FaultCell};
use crate::debug::arithmetic::Operation;
use crate::dtype::{Dtype, Logic, Num};
use crate::isa::scalar::Scalar;
use crate::isa::{Isa, Single, V, Varying};
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// An operation that a reduction combines values by.
pub trait Combine<T: Dtype>: Copy {
    /// What leaves the other operand as it is.
    fn identity() -> T;
    /// Whether the order of values makes no difference where they are integers.
    const ORDERLESS: bool = true;
    /// The operation, if integers may overflow in it.
    const OPERATION: Option<Operation> = None;
    /// `a` and `b` combined.
    fn combine<I: Isa>(isa: I, a: V<T, I>, b: V<T, I>) -> V<T, I>;
}

macro_rules! combine {
    ($($(#[$doc:meta])* $name:ident, $T:ident: $bound:ident, $identity:expr, $f:ident $(, $operation:expr)?;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl<$T: $bound> Combine<$T> for $name {
            $(const OPERATION: Option<Operation> = Some($operation);)?
            #[inline(always)]
            fn identity() -> $T { $identity }
            #[inline(always)]
            fn combine<I: Isa>(isa: I, a: V<$T, I>, b: V<$T, I>) -> V<$T, I> { $T::$f(isa, a, b) }
        }
    )*};
}
combine! {
    /// `+=`
    Sum, T: Num, T::SUM_IDENTITY, add, Operation::Add;
    /// `*=`
    Product, T: Num, T::ONE, mul, Operation::Mul;
    /// `min`
    Min, T: Num, T::MIN_IDENTITY, min;
    /// `max`
    Max, T: Num, T::MAX_IDENTITY, max;
    /// `|=`
    Or, T: Logic, T::default(), or;
    /// `^=`
    Xor, T: Logic, T::default(), xor;
}
/// `&=`
#[derive(Clone, Copy, Debug)]
pub struct And;
impl<T: Logic> Combine<T> for And {
    #[inline(always)]
    fn identity() -> T {
        T::narrow(T::not(Scalar, T::default().widen()))
    }
    #[inline(always)]
    fn combine<I: Isa>(isa: I, a: V<T, I>, b: V<T, I>) -> V<T, I> {
        T::and(isa, a, b)
    }
}

/// `scatter_last`: of two values the later one.
#[derive(Clone, Copy, Debug)]
pub struct Last;
impl<T: Dtype> Combine<T> for Last {
    const ORDERLESS: bool = false;
    #[inline(always)]
    fn identity() -> T {
        T::default()
    }
    #[inline(always)]
    fn combine<I: Isa>(_: I, _: V<T, I>, b: V<T, I>) -> V<T, I> {
        b
    }
}

/// A reduction of a variable: which operation, over which dtype.
#[derive(Clone, Copy, Debug)]
pub struct Reduction<T, R>(PhantomData<(T, R)>);

/// The reduction of the variable `x`, by the operation `by`.
#[inline(always)]
pub fn reduction<T: Dtype, R: Combine<T>, S: Single>(_x: Varying<T, S>, _by: R) -> Reduction<T, R> {
    Reduction(PhantomData)
}

/// How many accumulators a chunk has.
#[inline(always)]
pub(super) const fn accumulators<T>() -> usize {
    if size_of::<T>() == 8 { 32 } else { 64 }
}

/// A combination of two values, one at a time.
#[inline(always)]
pub(super) fn one<T: Dtype, R: Combine<T>>(a: T::Scalar, b: T::Scalar) -> T::Scalar {
    R::combine(Scalar, a, b)
}

/// The results of chunks, combined pairwise as they come: a partial result of each power of two in their number.
#[derive(Clone, Copy, Debug)]
pub struct Total<T: Dtype, R> {
    chunks: u64,
    /// Written where `chunks` has a bit: a kernel of short rows would write them all for each row.
    partial: [MaybeUninit<T::Scalar>; 48],
    by: PhantomData<R>,
}

impl<T: Dtype, R: Combine<T>> Total<T, R> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { chunks: 0, partial: [const { MaybeUninit::uninit() }; 48], by: PhantomData }
    }

    /// The result of `1 << level` chunks; there is one.
    #[inline(always)]
    fn partial(&self, level: usize) -> T::Scalar {
        debug_assert!(self.chunks & (1 << level) != 0);
        // SAFETY: written when the number of chunks got the bit.
        unsafe { self.partial[level].assume_init() }
    }

    /// Adds `1 << level` chunks.
    #[inline(always)]
    fn add(&mut self, chunks: T::Scalar, level: usize) {
        let (mut value, mut at) = (chunks, level);
        while self.chunks & (1 << at) != 0 {
            value = one::<T, R>(self.partial(at), value);
            at += 1;
        }
        self.partial[at] = MaybeUninit::new(value);
        self.chunks += 1 << level;
    }

    /// Adds a chunk. Most rows have one: what more need is the same on all levels, and not compiled with each.
    #[inline(always)]
    pub(super) fn push(&mut self, chunk: T::Scalar) {
        if self.chunks > 0 {
            return self.push_more(chunk);
        }
        self.partial[0] = MaybeUninit::new(chunk);
        self.chunks = 1;
    }

    #[inline(never)]
    fn push_more(&mut self, chunk: T::Scalar) {
        self.add(chunk, 0);
    }

    /// Adds the chunks of another thread, which come after these. These are a multiple of a power of two that is not less than they are.
    pub(super) fn append(&mut self, other: &Self) {
        let mut rest = other.chunks;
        while rest != 0 {
            let level = 63 - rest.leading_zeros() as usize;
            self.add(other.partial(level), level);
            rest &= !(1 << level);
        }
    }

    /// All chunks; the identity where there are none.
    #[inline(always)]
    pub(super) fn get(&self) -> T::Scalar {
        match self.chunks {
            0 => R::identity().widen(),
            1 => self.partial(0),
            _ => self.get_all(),
        }
    }

    #[inline(never)]
    fn get_all(&self) -> T::Scalar {
        let mut rest = self.chunks;
        let mut value = self.partial(rest.trailing_zeros() as usize);
        rest &= rest - 1;
        while rest != 0 {
            value = one::<T, R>(self.partial(rest.trailing_zeros() as usize), value);
            rest &= rest - 1;
        }
        value
    }
}

/// The reductions of one loop: a tuple of [`Reduction`]s.
pub trait Reductions<I: Isa>: Copy {
    /// Their accumulators.
    type Accumulators: Accumulators<I, Totals = Self::Totals>;
    /// Their results so far.
    type Totals;
    /// Their results, combined with the variables.
    type Values;
    /// No results yet.
    fn totals(self) -> Self::Totals;
    /// The variables' values after the loop.
    fn finish(self, cx: Cx<'_, I>, totals: &Self::Totals, before: Self::Values) -> Self::Values;
}

/// The accumulators of one chunk, of all reductions of a loop.
pub trait Accumulators<I: Isa>: Copy {
    /// One register of each.
    type Gang: Copy;
    /// The results of the chunks before.
    type Totals;
    /// Identities.
    fn new(isa: I) -> Self;
    /// The registers of a gang, by its number mod 4.
    fn get(&self, gang: usize) -> Self::Gang;
    /// Sets the registers of a gang.
    fn set(&mut self, gang: usize, values: Self::Gang);
    /// Combines them, and gives the chunk's results to `totals`.
    fn give(self, isa: I, totals: &mut Self::Totals);
}

/// The accumulators of one reduction: four registers, of which types of 8 bytes use two.
pub struct Registers<T: Dtype, R, I: Isa>([V<T, I>; 4], PhantomData<R>);
impl<T: Dtype, R, I: Isa> Clone for Registers<T, R, I> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: Dtype, R, I: Isa> Copy for Registers<T, R, I> {}

impl<T: Dtype, R: Combine<T>, I: Isa> Registers<T, R, I> {
    #[inline(always)]
    fn new(isa: I) -> Self {
        Self([T::splat(isa, R::identity().widen()); 4], PhantomData)
    }
    #[inline(always)]
    fn number(gang: usize) -> usize {
        gang % (accumulators::<T>() / GANG as usize)
    }
    #[inline(always)]
    fn total(self, isa: I) -> T::Scalar {
        let [a, b, c, d] = self.0;
        let whole =
            if accumulators::<T>() == 64 { R::combine(isa, R::combine(isa, a, c), R::combine(isa, b, d)) } else { R::combine(isa, a, b) };
        let mut lanes = [T::default().widen(); GANG as usize];
        T::spill(isa, whole, &mut lanes);
        let mut half = GANG as usize / 2;
        while half > 0 {
            let mut j = 0;
            while j < half {
                lanes[j] = one::<T, R>(lanes[j], lanes[j + half]);
                j += 1;
            }
            half /= 2;
        }
        lanes[0]
    }
}

macro_rules! tuple {
    ($($T:ident $R:ident $k:tt),*) => {
        impl<I: Isa, $($T: Dtype, $R: Combine<$T>),*> Reductions<I> for ($(Reduction<$T, $R>,)*) {
            type Accumulators = ($(Registers<$T, $R, I>,)*);
            type Totals = ($(Total<$T, $R>,)*);
            type Values = ($(Varying<$T, Scalar>,)*);
            #[inline(always)]
            fn totals(self) -> Self::Totals {
                ($(Total::<$T, $R>::new(),)*)
            }
            #[inline(always)]
            fn finish(self, cx: Cx<'_, I>, totals: &Self::Totals, before: Self::Values) -> Self::Values {
                let Some(member) = cx.member else {
                    return ($(Varying(one::<$T, $R>(before.$k.0, totals.$k.get())),)*);
                };
                let all = together(cx.fault, member, totals, <Self as Reductions<I>>::totals(self), |all, other| {
                    $(all.$k.append(&other.$k);)*
                });
                ($(Varying(one::<$T, $R>(before.$k.0, all.$k.get())),)*)
            }
        }
        impl<I: Isa, $($T: Dtype, $R: Combine<$T>),*> Accumulators<I> for ($(Registers<$T, $R, I>,)*) {
            type Gang = ($(Varying<$T, I>,)*);
            type Totals = ($(Total<$T, $R>,)*);
            #[inline(always)]
            fn new(isa: I) -> Self {
                ($(Registers::<$T, $R, I>::new(isa),)*)
            }
            #[inline(always)]
            fn get(&self, gang: usize) -> Self::Gang {
                ($(Varying(self.$k.0[Registers::<$T, $R, I>::number(gang)]),)*)
            }
            #[inline(always)]
            fn set(&mut self, gang: usize, values: Self::Gang) {
                $(self.$k.0[Registers::<$T, $R, I>::number(gang)] = values.$k.0;)*
            }
            #[inline(always)]
            fn give(self, isa: I, totals: &mut Self::Totals) {
                $(totals.$k.push(self.$k.total(isa));)*
            }
        }
    };
}
tuple!(A RA 0);
tuple!(A RA 0, B RB 1);
tuple!(A RA 0, B RB 1, C RC 2);
tuple!(A RA 0, B RB 1, C RC 2, D RD 3);
tuple!(A RA 0, B RB 1, C RC 2, D RD 3, E RE 4);
tuple!(A RA 0, B RB 1, C RC 2, D RD 3, E RE 4, F RF 5);

/// The results of all members of a crew; `none` is those of none. The same on all levels, so there is one of it.
#[inline(never)]
fn together<T>(fault: &FaultCell, member: Member<'_>, own: &T, none: T, append: fn(&mut T, &T)) -> T {
    let mut all = none;
    super::crew::exchange(fault, member, own, |other| append(&mut all, other));
    all
}

/// The results of a loop's reductions, before its first row.
#[inline(always)]
pub fn totals<I: Isa, R: Reductions<I>>(_: Cx<'_, I>, reductions: R) -> R::Totals {
    reductions.totals()
}

/// The accumulators of a gang.
type Gang<I, R> = <<R as Reductions<I>>::Accumulators as Accumulators<I>>::Gang;

/// [`reduce`](super::lanes::reduce) for a tuple of reductions.
#[inline(always)]
pub fn reduce_row<I: Isa, R: Reductions<I>>(
    cx: Cx<'_, I>,
    _: R,
    span: super::span::Span,
    totals: &mut R::Totals,
    fast: impl Fn(Cx<'_, I>, Known<true>, Varying<u64, Scalar>, Gang<I, R>) -> Gang<I, R>,
    checked: impl Fn(Cx<'_, I>, Known<false>, Varying<u64, Scalar>, Gang<I, R>) -> Gang<I, R>,
) {
    super::lanes::reduce::<I, R::Accumulators>(cx, span, totals, fast, checked);
}

/// The variables after a loop.
#[inline(always)]
pub fn finish<I: Isa, R: Reductions<I>>(cx: Cx<'_, I>, reductions: R, totals: &R::Totals, before: R::Values) -> R::Values {
    reductions.finish(cx, totals, before)
}
