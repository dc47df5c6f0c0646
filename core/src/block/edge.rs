//! Loads beyond the edge of an array: `x.at_clamp([i - 1, j])` and its kin.

use super::GANG;
use super::access::{At, Indices, gang_is_within, is_contiguous, load, plain};
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
    fn map_all<T, const N: usize>(self, x: &Raw<T, N>, index: [u64; N]) -> [u64; N] {
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
    let at = edge.map_all(&x, plain(at));
    if x.holds(at) {
        if <S as Registers>::CHECKED {
            x.note(cx, at, Access::Read);
        }
        // SAFETY: within the shape.
        return S::of(unsafe { T::read(x.address(at).cast()) }.widen());
    }
    if edge != Edge::Or && cx.active_bits() != 0 {
        cx.note(x.out_of_range(at));
    }
    or
}

/// The elements of `at`, `at + stride`, ... With `fast` those on the axes that move with the lane are all within the shape.
#[inline(always)]
pub fn load_at<T: Dtype, I: Isa, const N: usize>(
    cx: Cx<'_, I>,
    edge: Edge,
    fast: bool,
    x: Raw<T, N>,
    at: At<N>,
    stride: [i64; N],
    or: Varying<T, I>,
) -> Varying<T, I> {
    // What does not move with the lane is mapped once.
    let mut first = plain(at);
    let mut d = 0;
    while d < N {
        if stride[d] == 0 {
            first[d] = edge.map(first[d], x.shape[d]);
        }
        d += 1;
    }
    if fast || (is_contiguous(stride) && gang_is_within(&x, first)) {
        let mut at = at;
        let mut d = 0;
        while d < N {
            at[d] = Varying(first[d]);
            d += 1;
        }
        return load(cx, true, x, at, stride);
    }
    let mut gang = [T::default(); GANG as usize];
    // SAFETY: room for a gang.
    unsafe { T::store(cx.isa, gang.as_mut_ptr(), or.0) };
    lane_by_lane(cx.fault, edge, &x, first, stride, cx.active_bits(), &mut gang);
    // SAFETY: a gang of elements.
    Varying(unsafe { T::load(cx.isa, gang.as_ptr()) })
}

#[inline(never)]
fn lane_by_lane<T: Dtype, const N: usize>(
    fault: &FaultCell,
    edge: Edge,
    x: &Raw<T, N>,
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
            fault.note(x.out_of_range(own));
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
    gather_by_lane(cx.fault, edge, &x, &index, cx.active_bits(), &mut gang);
    // SAFETY: a gang of elements.
    Varying(unsafe { T::load(cx.isa, gang.as_ptr()) })
}

#[inline(never)]
fn gather_by_lane<T: Dtype, const N: usize>(
    fault: &FaultCell,
    edge: Edge,
    x: &Raw<T, N>,
    index: &[Indices; N],
    active: u64,
    gang: &mut [T; GANG as usize],
) {
    for (k, slot) in gang.iter_mut().enumerate() {
        let own = edge.map_all(x, index.map(|axis| axis[k]));
        if x.holds(own) {
            // SAFETY: within the shape.
            *slot = unsafe { T::read(x.address(own).cast()) };
        } else if edge != Edge::Or && active & (1 << k) != 0 {
            fault.note(x.out_of_range(own));
        }
    }
}
