//! Reductions by an operation of the kernel's own, over several values at once: `acc = reduce(acc, value, |a, b| ..)`.
//!
//! The order is that of [`reduce`](mod@super::reduce). The value that the variable has in front of the loop takes the place of the identity.

use super::GANG;
use super::known::Known;
use super::lanes::CHUNK;
use super::span::Span;
use crate::cx::Cx;
use crate::dtype::Dtype;
use crate::isa::scalar::Scalar;
use crate::isa::{Isa, Single, Varying};

/// Values that are reduced together: one, or a tuple.
pub trait Folded: Copy {
    /// Their level.
    type Level: Single;
    /// Those of each lane.
    type Lanes<I: Isa>: Copy;
    /// How many accumulators a chunk has.
    const ACCUMULATORS: usize;
    /// The same in all lanes.
    fn spread<I: Isa>(self, isa: I) -> Self::Lanes<I>;
    /// One lane after the other.
    fn spill<I: Isa>(isa: I, x: Self::Lanes<I>, to: &mut [Self; GANG as usize]);
}

impl<T: Dtype, S: Single> Folded for Varying<T, S> {
    type Level = S;
    type Lanes<I: Isa> = Varying<T, I>;
    const ACCUMULATORS: usize = super::reduce::accumulators::<T>();
    #[inline(always)]
    fn spread<I: Isa>(self, isa: I) -> Varying<T, I> {
        Varying(T::splat(isa, S::value(self)))
    }
    #[inline(always)]
    fn spill<I: Isa>(isa: I, x: Varying<T, I>, to: &mut [Self; GANG as usize]) {
        let mut values = [T::default().widen(); GANG as usize];
        T::spill(isa, x.0, &mut values);
        for (to, value) in to.iter_mut().zip(values) {
            *to = S::of(value);
        }
    }
}

macro_rules! tuple {
    ($($T:ident $k:tt),*) => {
        impl<S: Single, $($T: Folded<Level = S>),*> Folded for ($($T,)*) {
            type Level = S;
            type Lanes<I: Isa> = ($($T::Lanes<I>,)*);
            const ACCUMULATORS: usize = {
                let mut fewest = 64;
                $(if $T::ACCUMULATORS < fewest { fewest = $T::ACCUMULATORS; })*
                fewest
            };
            #[inline(always)]
            fn spread<I: Isa>(self, isa: I) -> Self::Lanes<I> {
                ($(self.$k.spread(isa),)*)
            }
            #[inline(always)]
            fn spill<I: Isa>(isa: I, x: Self::Lanes<I>, to: &mut [Self; GANG as usize]) {
                $({
                    let mut own = [to[0].$k; GANG as usize];
                    $T::spill(isa, x.$k, &mut own);
                    let mut lane = 0;
                    while lane < GANG as usize {
                        to[lane].$k = own[lane];
                        lane += 1;
                    }
                })*
            }
        }
    };
}
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);

/// The operation over single values: tells type inference what the closure takes.
#[inline(always)]
pub fn combine_one<V: Folded, F: Fn(Cx<'_, V::Level>, V, V) -> V>(_: V, f: F) -> F {
    f
}

/// The operation over lanes.
#[inline(always)]
pub fn combine_lanes<I: Isa, V: Folded<Level = Scalar>, F: Fn(Cx<'_, I>, V::Lanes<I>, V::Lanes<I>) -> V::Lanes<I>>(
    _: Cx<'_, I>,
    _: V,
    f: F,
) -> F {
    f
}

/// The results of chunks, combined pairwise as they come: a partial result of each power of two in their number.
#[derive(Clone, Copy, Debug)]
pub struct FoldTotal<V> {
    chunks: u64,
    partial: [V; 48],
}

/// No results yet; `identity` is the variable.
#[inline(always)]
pub fn fold_total<V: Folded>(identity: V) -> FoldTotal<V> {
    FoldTotal { chunks: 0, partial: [identity; 48] }
}

impl<V: Folded> FoldTotal<V> {
    /// Adds `1 << level` chunks.
    #[inline(always)]
    fn push(&mut self, chunks: V, level: usize, one: &impl Fn(V, V) -> V) {
        let (mut value, mut at) = (chunks, level);
        while self.chunks & (1 << at) != 0 {
            value = one(self.partial[at], value);
            at += 1;
        }
        self.partial[at] = value;
        self.chunks += 1 << level;
    }

    /// Adds the chunks of another thread, which come after these. These are a multiple of a power of two that is not less than they are.
    #[inline(always)]
    fn append(&mut self, other: &Self, one: &impl Fn(V, V) -> V) {
        let mut rest = other.chunks;
        while rest != 0 {
            let level = 63 - rest.leading_zeros() as usize;
            self.push(other.partial[level], level, one);
            rest &= !(1 << level);
        }
    }

    /// All chunks, or `identity` where there are none.
    #[inline(always)]
    fn get(&self, identity: V, one: &impl Fn(V, V) -> V) -> V {
        let mut rest = self.chunks;
        if rest == 0 {
            return identity;
        }
        let mut value = self.partial[rest.trailing_zeros() as usize];
        rest &= rest - 1;
        while rest != 0 {
            value = one(self.partial[rest.trailing_zeros() as usize], value);
            rest &= rest - 1;
        }
        value
    }
}

/// The accumulators of a chunk, combined by halves.
#[inline(always)]
fn halves<V: Copy>(values: &mut [V], one: &impl Fn(V, V) -> V) -> V {
    let mut half = values.len() / 2;
    while half > 0 {
        let mut j = 0;
        while j < half {
            values[j] = one(values[j], values[j + half]);
            j += 1;
        }
        half /= 2;
    }
    values[0]
}

/// Runs a body on every gang of a row, with the accumulators of the gang; the row's chunks go to `totals`. See
/// [`reduce`](super::lanes::reduce).
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "generated code calls it; two of them are the loop's bodies")]
pub fn fold_row<I: Isa, V: Folded<Level = Scalar>>(
    cx: Cx<'_, I>,
    span: Span,
    identity: V,
    totals: &mut FoldTotal<V>,
    lanes: &impl Fn(Cx<'_, I>, V::Lanes<I>, V::Lanes<I>) -> V::Lanes<I>,
    one: &impl Fn(Cx<'_, Scalar>, V, V) -> V,
    fast: impl Fn(Cx<'_, I>, Known<true>, Varying<u64, Scalar>, V::Lanes<I>) -> V::Lanes<I>,
    checked: impl Fn(Cx<'_, I>, Known<false>, Varying<u64, Scalar>, V::Lanes<I>) -> V::Lanes<I>,
) {
    if cx.failed() {
        return;
    }
    let number = |gang: usize| gang % (V::ACCUMULATORS / GANG as usize);
    let one = |a, b| one(cx.scalar(), a, b);
    let mut chunk = span.from;
    while chunk < span.to {
        let end = span.to.min(chunk + CHUNK);
        cx.poll(end - chunk);
        let (lo, hi) = span.fast_gangs(chunk, end);
        let mut accumulators = [identity.spread(cx.isa); 4];
        let mut k = chunk;
        loop {
            if k >= lo && (k - chunk).is_multiple_of(4 * GANG) {
                let mut own = accumulators;
                while k + 4 * GANG <= hi {
                    own[number(0)] = fast(cx, Known, span.at(k), own[number(0)]);
                    own[number(1)] = fast(cx, Known, span.at(k + GANG), own[number(1)]);
                    own[number(2)] = fast(cx, Known, span.at(k + 2 * GANG), own[number(2)]);
                    own[number(3)] = fast(cx, Known, span.at(k + 3 * GANG), own[number(3)]);
                    k += 4 * GANG;
                }
                accumulators = own;
            }
            if k >= end {
                break;
            }
            let gang = number(((k - chunk) / GANG) as usize);
            accumulators[gang] = checked(cx.first(end - k), Known, span.at(k), accumulators[gang]);
            k += GANG;
        }
        let [a, b, c, d] = accumulators;
        let whole = if V::ACCUMULATORS == 64 { lanes(cx, lanes(cx, a, c), lanes(cx, b, d)) } else { lanes(cx, a, b) };
        let mut values = [identity; GANG as usize];
        V::spill(cx.isa, whole, &mut values);
        let value = halves(&mut values, &one);
        totals.push(value, 0, &one);
        chunk += CHUNK;
    }
}

/// The variable after a loop; `identity` is what it was before.
#[inline(always)]
pub fn fold_finish<I: Isa, V: Folded<Level = Scalar>>(
    cx: Cx<'_, I>,
    totals: FoldTotal<V>,
    identity: V,
    one: &impl Fn(Cx<'_, Scalar>, V, V) -> V,
) -> V {
    let one = |a, b| one(cx.scalar(), a, b);
    let Some(member) = cx.member else { return totals.get(identity, &one) };
    let mut all = fold_total(identity);
    super::crew::exchange(cx.fault, member, &totals, |other| all.append(other, &one));
    all.get(identity, &one)
}

/// The same by a loop over single elements, for the plain function.
#[derive(Debug)]
pub struct SequentialFold<V> {
    /// The accumulators of the chunk.
    slots: [V; 64],
    /// Iterations of the chunk so far.
    iterations: u64,
    total: FoldTotal<V>,
    identity: V,
}

/// Before the first iteration.
#[inline(always)]
pub fn sequential_fold<V: Folded>(identity: V) -> SequentialFold<V> {
    SequentialFold { slots: [identity; 64], iterations: 0, total: fold_total(identity), identity }
}

impl<V: Folded> SequentialFold<V> {
    fn slot(&mut self) -> &mut V {
        &mut self.slots[self.iterations as usize % V::ACCUMULATORS]
    }

    /// The accumulator of the next iteration.
    #[inline]
    pub fn take(&mut self) -> V {
        *self.slot()
    }

    /// The accumulator after the iteration.
    #[inline]
    pub fn put(&mut self, cx: Cx<'_, V::Level>, value: V, one: &impl Fn(Cx<'_, V::Level>, V, V) -> V) {
        *self.slot() = value;
        self.iterations += 1;
        if self.iterations == CHUNK {
            self.end_row(cx, one);
        }
    }

    /// Ends the row, and its last chunk.
    #[inline]
    pub fn end_row(&mut self, cx: Cx<'_, V::Level>, one: &impl Fn(Cx<'_, V::Level>, V, V) -> V) {
        if self.iterations == 0 {
            return;
        }
        let one = |a, b| one(cx, a, b);
        let value = halves(&mut self.slots[..V::ACCUMULATORS], &one);
        self.total.push(value, 0, &one);
        self.slots = [self.identity; 64];
        self.iterations = 0;
    }

    /// The variable after the loop.
    #[inline]
    pub fn finish(self, cx: Cx<'_, V::Level>, one: &impl Fn(Cx<'_, V::Level>, V, V) -> V) -> V {
        self.total.get(self.identity, &|a, b| one(cx, a, b))
    }
}
