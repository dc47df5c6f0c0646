//! What is known of an access when a kernel is compiled, as types: rustc leaves out the code of all other cases then, most of what a body is before
//! the optimiser has seen it.

/// Whether something is so.
#[derive(Clone, Copy, Debug)]
pub struct Known<const YES: bool>;

/// By how much an index moves from lane to lane, on each axis.
pub trait Strides<const N: usize>: Copy {
    /// Whether lanes are known to lie side by side.
    const SIDE_BY_SIDE: bool;
    /// On each axis.
    fn on_axes(self) -> [i64; N];
}

impl<const N: usize> Strides<N> for [i64; N] {
    const SIDE_BY_SIDE: bool = false;
    #[inline(always)]
    fn on_axes(self) -> [i64; N] {
        self
    }
}

/// By one element of the last axis.
#[derive(Clone, Copy, Debug)]
pub struct SideBySide;

impl<const N: usize> Strides<N> for SideBySide {
    const SIDE_BY_SIDE: bool = true;
    #[inline(always)]
    fn on_axes(self) -> [i64; N] {
        let mut strides = [0; N];
        strides[N - 1] = 1;
        strides
    }
}

/// Whether lanes lie side by side, where that is not known.
#[inline(always)]
pub(super) fn are_side_by_side<const N: usize>(strides: impl Strides<N>) -> bool {
    let strides = strides.on_axes();
    fold_axes!(N, d => strides[d] == i64::from(d == N - 1), core::ops::BitAnd::bitand, true)
}
