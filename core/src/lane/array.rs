//! Arrays and tables. An index beyond the end is a fault of the lanes that use it.
//!
//! An array is a Rust array of lanes. An index that is the same for all lanes picks an element; one that differs blends all elements, which
//! for the few that a local array has is faster than a way through memory.

use super::{eq, int_literal};
use crate::cx::Cx;
use crate::dtype::Int;
use crate::isa::scalar::Scalar;
use crate::isa::{Isa, Registers, Varying};
use crate::value::{Blend, Enter};

/// `a.len()`
#[inline(always)]
pub fn len<B, I: Isa, const N: usize>(cx: Cx<'_, I>, _: &[B; N]) -> Varying<u64, I> {
    super::splat(cx, N as u64)
}

/// `a[i]` for an index that is the same for all lanes.
#[inline(always)]
pub fn index_uniform<B: Blend<I>, U: Int, I: Isa, const N: usize>(cx: Cx<'_, I>, a: &[B; N], i: Varying<U, Scalar>) -> B {
    match cx.check_uniform_index::<U>(i.0, N) {
        Some(k) => a[k],
        None => B::zero(cx),
    }
}

/// `a[i]`
#[inline(always)]
pub fn index<B: Blend<I>, U: Int, I: Isa, const N: usize>(cx: Cx<'_, I>, a: &[B; N], i: Varying<U, I>) -> B {
    if N == 0 {
        cx.check_index::<U>(i.0, N);
        return B::zero(cx);
    }
    if <I as Registers>::LANES == 1 {
        return a[cx.lane_indexes::<U>(i.0, N)[0]];
    }
    let i = Varying(cx.check_index::<U>(i.0, N));
    let mut value = a[0];
    let mut k = 1;
    while k < reach::<U>(N) {
        value = B::blend(cx, eq(cx, i, int_literal(cx, k as i128)), a[k], value);
        k += 1;
    }
    value
}

/// How many of `len` elements an index of this type can name.
#[inline(always)]
const fn reach<U: Int>(len: usize) -> usize {
    let values = 1_u128 << (U::BITS - U::SIGNED as u32);
    if (len as u128) < values { len } else { values as usize }
}

/// `TABLE[i]` of a constant, for an index that is the same for all lanes.
#[inline(always)]
pub fn look_up_uniform<C: Enter + Copy, U: Int, I: Isa, const N: usize>(
    cx: Cx<'_, I>,
    table: &[C; N],
    i: Varying<U, Scalar>,
) -> C::Lanes<I> {
    match cx.check_uniform_index::<U>(i.0, N) {
        Some(k) => table[k].enter(cx),
        None => Blend::zero(cx),
    }
}

/// `TABLE[i]` of a constant: 16 numbers stay in registers, of other tables each lane reads memory.
#[inline(always)]
pub fn look_up<C: Enter, U: Int, I: Isa, const N: usize>(cx: Cx<'_, I>, table: &[C; N], i: Varying<U, I>) -> C::Lanes<I> {
    if let Ok(table) = <&[C; 16]>::try_from(&table[..]) {
        let at = Varying(U::to_u32(cx.isa, cx.check_index::<U>(i.0, N)));
        if let Some(value) = C::look_up(cx, table, at) {
            return value;
        }
    }
    let at = cx.lane_indexes::<U>(i.0, N);
    if N == 0 {
        return Blend::zero(cx);
    }
    C::collect(
        cx,
        #[inline(always)]
        |lane| &table[at[lane]],
    )
}

/// The place of `a[i] = ..` for an index that is the same for all lanes; `None`, with a fault, beyond the end.
#[inline(always)]
pub fn place_uniform<B, U: Int, I: Isa, const N: usize>(cx: Cx<'_, I>, _: &[B; N], i: Varying<U, Scalar>) -> Option<usize> {
    cx.check_uniform_index::<U>(i.0, N)
}

/// The place of `a[i] = ..` for a single lane; `None`, with a fault, beyond the end.
#[inline(always)]
pub fn place<B, U: Int, I: Isa, const N: usize>(cx: Cx<'_, I>, _: &[B; N], i: Varying<U, I>) -> Option<usize> {
    const { assert!(<I as Registers>::LANES == 1, "one lane") };
    let within = Varying(cx.check_index::<U>(i.0, N));
    super::holds(cx, eq(cx, within, i)).then(|| cx.lane_indexes::<U>(within.0, N)[0]).filter(|k| *k < N)
}

/// The places of `a[i] = ..`: for each element in turn, the lanes whose index it is get to assign it.
#[inline(always)]
pub fn places<B, U: Int, I: Isa, const N: usize>(cx: Cx<'_, I>, _: &[B; N], i: Varying<U, I>) -> Places<U, I> {
    let within = Varying(cx.check_index::<U>(i.0, N));
    // Where the index is beyond the end, no element is assigned.
    Places { i: within, lanes: cx.and(eq(cx, within, i)).active(), reach: reach::<U>(N) }
}

/// What [`places`] gives.
#[derive(Clone, Copy)]
pub struct Places<U: Int, I: Isa> {
    i: Varying<U, I>,
    lanes: Varying<bool, I>,
    reach: usize,
}

impl<U: Int, I: Isa> Places<U, I> {
    /// How many elements an index can name.
    #[inline(always)]
    pub fn reach(self) -> usize {
        self.reach
    }

    /// The context of the lanes whose index is `k`.
    #[inline(always)]
    pub fn at<'a>(self, cx: Cx<'a, I>, k: usize) -> Cx<'a, I> {
        cx.with(self.lanes).and(eq(cx, self.i, int_literal(cx, k as i128)))
    }
}
