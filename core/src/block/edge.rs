//! Loads beyond the edge of an array: `x.at_clamp([i - 1, j])` and its kin.

use super::GANG;
use super::access::{At, Indices, load, load_active, of_lane, plain};
use super::known::{Known, Strides, are_side_by_side};
use super::view::Raw;
use crate::cx::{Cx, FaultCell};
use crate::debug::shadow::Access;
use crate::dtype::Dtype;
use crate::isa::{Isa, Registers, Single, Varying};

/// What stands for an element beyond the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The nearest element.
    Clamp,
    /// The element at the other side, as if the array were repeated.
    Wrap,
    /// The element as far from the edge on the other side, the edge itself in between: -1 is 1.
    Mirror,
    /// A value.
    Or,
}

impl Edge {
    /// The index that stands for `index` on an axis of `len` elements; itself, out of range, where there is none.
    #[inline(always)]
    fn map(self, index: u64, len: u64) -> u64 {
        if index < len || len == 0 {
            return index;
        }
        let (i, n) = (index as i64, len as i64);
        let j = match self {
            Self::Clamp => i.clamp(0, n - 1),
            Self::Wrap => i.rem_euclid(n),
            Self::Mirror if n == 1 => 0,
            Self::Mirror => {
                let k = i.rem_euclid(2 * n - 2);
                k.min(2 * n - 2 - k)
            }
            Self::Or => i,
        };
        j as u64
    }

    #[inline(always)]
    fn map_all<T, const N: usize>(self, x: Raw<T, N>, index: [u64; N]) -> [u64; N] {
        let mut out = index;
        let mut d = 0;
        while d < N {
            out[d] = self.map(index[d], x.shape[d]);
            d += 1;
        }
        out
    }
}

/// The element of one index, for all lanes.
#[inline(always)]
pub fn load_one_at<T: Dtype, S: Single, const N: usize>(
    cx: Cx<'_, S>,
    edge: Edge,
    x: Raw<T, N>,
    at: At<N, S>,
    or: Varying<T, S>,
) -> Varying<T, S> {
    let at = edge.map_all(x, plain(at));
    if x.holds(at) {
        if <S as Registers>::CHECKED {
            x.note(cx, at, Access::Read);
        }
        // SAFETY: within the shape.
        return S::of(unsafe { T::read(x.address(at).cast()) }.widen());
    }
    if edge != Edge::Or && cx.active_bits() != 0 {
        x.note_beyond(cx, at);
    }
    or
}

/// The elements of `at`, `at + stride`, ... With `FAST` those on the axes that move with the lane are all within the shape; `LEADS` as in
/// [`load`].
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "generated code calls it; two of them are types")]
pub fn load_at<T: Dtype, I: Isa, W: Strides<N>, const FAST: bool, const LEADS: bool, const N: usize>(
    cx: Cx<'_, I>,
    edge: Edge,
    fast: Known<FAST>,
    leads: Known<LEADS>,
    x: Raw<T, N>,
    at: At<N>,
    strides: W,
    or: Varying<T, I>,
) -> Varying<T, I> {
    // What does not move with the lane is mapped once.
    let (mut first, stride) = (plain(at), strides.on_axes());
    axes!(N, d => {
        if stride[d] == 0 {
            first[d] = edge.map(first[d], x.shape[d]);
        }
    });
    if FAST {
        let mut at = at;
        axes!(N, d => {
            at[d] = Varying(first[d]);
        });
        return load(cx, fast, leads, x, at, strides);
    }
    if (W::SIDE_BY_SIDE || are_side_by_side(strides))
        && let Some(all) = load_active(cx, x, first)
    {
        return all;
    }
    let mut gang = [T::default(); GANG as usize];
    // SAFETY: room for a gang.
    unsafe { T::store(cx.isa, gang.as_mut_ptr(), or.0) };
    if (W::SIDE_BY_SIDE || are_side_by_side(strides)) && row_is_within(x, first) {
        across(edge, x.anew(), first, cx.active_bits(), &mut gang);
    } else {
        lane_by_lane(cx.fault, edge, x.anew(), first, stride, cx.active_bits(), &mut gang);
    }
    // SAFETY: a gang of elements.
    Varying(unsafe { T::load(cx.isa, gang.as_ptr()) })
}

/// Whether elements that differ from `at` on the last axis alone are within the shape, but for that axis.
#[inline(always)]
fn row_is_within<T: Dtype, const N: usize>(x: Raw<T, N>, at: [u64; N]) -> bool {
    let mut first = at;
    first[N - 1] = 0;
    x.holds(first)
}

/// A gang of elements side by side of which the first or last ones are beyond the edge of the last axis. Of [`Edge::Or`], those lanes stay as
/// they are.
#[inline(never)]
fn across<T: Dtype, const N: usize>(edge: Edge, x: Raw<T, N>, at: [u64; N], active: u64, gang: &mut [T; GANG as usize]) {
    let (first, len) = (at[N - 1] as i64, x.shape[N - 1] as i64);
    let address = |lane: usize| {
        let mut index = at;
        index[N - 1] = edge.map(at[N - 1].wrapping_add(lane as u64), len as u64);
        x.address(index).cast::<T>()
    };
    // The lanes that are within.
    let from = first.saturating_neg().clamp(0, GANG as i64) as usize;
    let to = len.saturating_sub(first).clamp(from as i64, GANG as i64) as usize;
    if from < to {
        // SAFETY: the elements are within the shape, side by side; of a `bool` any byte may come, which `load` reads as such.
        unsafe {
            core::ptr::copy_nonoverlapping(address(from).cast::<u8>(), gang.as_mut_ptr().add(from).cast(), (to - from) * size_of::<T>())
        };
    }
    let mut beyond = if edge == Edge::Or { 0 } else { active & !((1 << to) - (1 << from)) };
    while beyond != 0 {
        let lane = beyond.trailing_zeros() as usize;
        beyond &= beyond - 1;
        // SAFETY: within the shape, as what stands for an element beyond the edge is, on an axis that is not empty.
        gang[lane] = unsafe { T::read(address(lane)) };
    }
}

#[inline(never)]
fn lane_by_lane<T: Dtype, const N: usize>(
    fault: &FaultCell,
    edge: Edge,
    x: Raw<T, N>,
    at: [u64; N],
    stride: [i64; N],
    active: u64,
    gang: &mut [T; GANG as usize],
) {
    let mut index = at;
    for (k, slot) in gang.iter_mut().enumerate() {
        let own = edge.map_all(x, index);
        if x.holds(own) {
            // SAFETY: within the shape.
            *slot = unsafe { T::read(x.address(own).cast()) };
        } else if edge != Edge::Or && active & (1 << k) != 0 {
            x.note_in(fault, own);
        }
        for d in 0..N {
            index[d] = index[d].wrapping_add_signed(stride[d]);
        }
    }
}

/// The elements of an index per lane.
#[inline(always)]
pub fn gather_at<T: Dtype, I: Isa, const N: usize>(
    cx: Cx<'_, I>,
    edge: Edge,
    x: Raw<T, N>,
    index: [Indices; N],
    or: Varying<T, I>,
) -> Varying<T, I> {
    let mut gang = [T::default(); GANG as usize];
    // SAFETY: room for a gang.
    unsafe { T::store(cx.isa, gang.as_mut_ptr(), or.0) };
    gather_by_lane(cx.fault, edge, x.anew(), &index, cx.active_bits(), &mut gang);
    // SAFETY: a gang of elements.
    Varying(unsafe { T::load(cx.isa, gang.as_ptr()) })
}

#[inline(never)]
fn gather_by_lane<T: Dtype, const N: usize>(
    fault: &FaultCell,
    edge: Edge,
    x: Raw<T, N>,
    index: &[Indices; N],
    active: u64,
    gang: &mut [T; GANG as usize],
) {
    for (k, slot) in gang.iter_mut().enumerate() {
        let own = edge.map_all(x, of_lane(index, k));
        if x.holds(own) {
            // SAFETY: within the shape.
            *slot = unsafe { T::read(x.address(own).cast()) };
        } else if edge != Edge::Or && active & (1 << k) != 0 {
            x.note_in(fault, own);
        }
    }
}
