//! Block kernels: the parts that their generated code is made of.
//!
//! A block kernel is a function of whole arrays, the item: code that runs once, around loops over lanes.
//! - [`mod@view`]: [`Raw`], an operand as generated code sees it;
//! - [`mod@array`]: [`View`] and [`ViewMut`], arrays of several axes as the user's function takes them;
//! - [`mod@tile`]: arrays of the kernel's own that the lanes share;
//! - [`mod@edge`]: loads beyond the edge of an array;
//! - [`mod@access`]: loads and stores, by one index and by one index per lane;
//! - [`mod@known`]: what is known of an access when a kernel is compiled;
//! - [`mod@span`]: the iterations of a loop over lanes, and the part of them that needs no checks;
//! - [`mod@flat`]: rows that lie side by side as one;
//! - [`mod@lanes`]: the loops, in gangs;
//! - [`mod@reduce`]: reductions, in the canonical order;
//! - [`mod@fold`]: the same by operations of the kernel's own;
//! - [`mod@sequential`]: the same order by a loop over single elements, for the plain function;
//! - [`mod@crew`]: several threads on one item;
//! - [`mod@serial`]: what the lanes of a gang do one after the other;
//! - [`mod@item`]: [`BlockKernel`], and running it on one item after the other.

/// The body for each axis, written out: a loop in each access would be much of what a kernel takes to compile.
macro_rules! axes {
    ($n:ident, $d:ident => $body:block) => {
        const { assert!($n <= crate::cx::MAX_RANK) };
        axes!(@ $n, $d, $body, 0 1 2 3);
    };
    (@ $n:ident, $d:ident, $body:block, $($k:literal)*) => {
        $(if const { $n > $k } {
            let $d = $k;
            $body
        })*
    };
}

/// The terms of the first `$n` axes, put together by `$f`; `$none` of no axes. Not by a variable that each axis changes: it would be in memory until the
/// optimiser has seen it.
macro_rules! fold_axes {
    ($n:expr, $d:ident => $term:expr, $f:path, $none:expr) => {
        match const { $n } {
            0 => $none,
            1 => fold_axes!(@ $d, $term, 0),
            2 => $f(fold_axes!(@ $d, $term, 0), fold_axes!(@ $d, $term, 1)),
            3 => $f($f(fold_axes!(@ $d, $term, 0), fold_axes!(@ $d, $term, 1)), fold_axes!(@ $d, $term, 2)),
            _ => $f(
                $f($f(fold_axes!(@ $d, $term, 0), fold_axes!(@ $d, $term, 1)), fold_axes!(@ $d, $term, 2)),
                fold_axes!(@ $d, $term, 3),
            ),
        }
    };
    (@ $d:ident, $term:expr, $k:literal) => {{
        let $d = $k;
        $term
    }};
}

pub mod access;
pub mod array;
pub mod crew;
pub mod edge;
pub mod flat;
pub mod fold;
pub mod item;
pub mod known;
pub mod lanes;
pub mod reduce;
pub mod sequential;
pub mod serial;
pub mod span;
pub mod tile;
pub mod view;

pub use access::{At, Indices, gather, indices, indices_at, load, load_one, load_same, scatter, store, store_once, store_one};
pub use array::{View, ViewError, ViewMut};
pub use crew::*;
pub use edge::*;
pub use flat::{Flat, flat};
pub use fold::*;
pub use item::*;
pub use known::{Known, SideBySide, Strides};
pub use lanes::*;
pub use reduce::*;
pub use sequential::*;
pub use serial::*;
pub use span::*;
pub use tile::*;
pub use view::*;

use crate::cx::Cx;
use crate::dtype::Dtype;
use crate::isa::scalar::Scalar;
use crate::isa::{DtypeLanes, Isa, MemoryLanes, NumLanes, Single, V, Varying};

/// Elements of a gang, on every level.
pub const GANG: u64 = 16;

/// The number of each lane.
#[inline(always)]
pub(crate) fn lane_numbers<I: Isa>(isa: I) -> V<u32, I> {
    const NUMBERS: [u32; GANG as usize] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    // SAFETY: a gang of elements.
    unsafe { u32::load(isa, NUMBERS.as_ptr()) }
}

/// The variable of a loop over lanes, as a value per lane: `start`, `start + step`, ...
#[inline(always)]
pub fn index<I: Isa>(cx: Cx<'_, I>, start: Varying<u64, Scalar>, step: u64) -> Varying<u64, I> {
    let lane = u32::to_u64(cx.isa, lane_numbers(cx.isa));
    let lane = if step == 1 { lane } else { u64::mul(cx.isa, lane, u64::splat(cx.isa, step)) };
    Varying(u64::add(cx.isa, lane, u64::splat(cx.isa, start.0)))
}

/// A value of a level of one lane, as that of another.
#[inline(always)]
pub fn scalar<T: Dtype, S: Single>(x: Varying<T, S>) -> Varying<T, Scalar> {
    Varying(S::value(x))
}

/// What is computed once for all lanes, as a value of Rust's.
#[inline(always)]
pub fn value<T: Dtype>(x: Varying<T, Scalar>) -> T::Scalar {
    x.0
}
