//! Tiles: arrays of the kernel's own, declared outside of a loop over lanes, which its lanes share.
//!
//! They hold single values as the body computes with them: of f16 and bf16, `f32`.

use super::GANG;
use super::access::{At, Indices, of_lane, plain};
use super::known::{Known, Strides, are_side_by_side};
use super::view::Shaped;
use crate::cx::{Cx, FaultCell};
use crate::dtype::Dtype;
use crate::isa::scalar::Scalar;
use crate::isa::{DtypeLanes, Isa, Single, Varying};

/// An array of `N` axes of the kernel's own, its elements in row-major order.
#[derive(Debug)]
pub struct Tile<T: Dtype, const N: usize> {
    at: *mut T::Scalar,
    shape: [u64; N],
}

impl<T: Dtype, const N: usize> Clone for Tile<T, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: Dtype, const N: usize> Copy for Tile<T, N> {}

impl<T: Dtype, const N: usize> Shaped for Tile<T, N> {
    #[inline(always)]
    fn length(&self, axis: usize) -> u64 {
        self.shape[axis]
    }
}

/// An array of arrays of single values.
pub trait Values {
    /// A view of it.
    type Tile;
    /// # Safety
    /// The array is there for as long as the view is used; it is used by the view alone, and not written if it was borrowed for reading.
    #[doc(hidden)]
    unsafe fn view(at: *mut Self) -> Self::Tile;
}

macro_rules! values {
    ($rank:literal, $array:ty, $($n:ident),*) => {
        impl<T: Dtype, S: Single, $(const $n: usize),*> Values for $array {
            type Tile = Tile<T, $rank>;
            #[inline(always)]
            unsafe fn view(at: *mut Self) -> Self::Tile {
                const { assert!(size_of::<Varying<T, S>>() == size_of::<T::Scalar>()) };
                // A `Varying` of one lane is its value.
                Tile { at: at.cast(), shape: [$($n as u64),*] }
            }
        }
    };
}
values!(1, [Varying<T, S>; A], A);
values!(2, [[Varying<T, S>; B]; A], A, B);
values!(3, [[[Varying<T, S>; C]; B]; A], A, B, C);
values!(4, [[[[Varying<T, S>; D]; C]; B]; A], A, B, C, D);

/// A view of an array that a loop reads.
#[inline(always)]
pub fn tile<A: Values>(array: &A) -> A::Tile {
    // SAFETY: the loop over lanes lies within the scope of the array, and reads it alone.
    unsafe { A::view(core::ptr::from_ref(array).cast_mut()) }
}

/// A view of an array that a loop may write.
#[inline(always)]
pub fn tile_mut<A: Values>(array: &mut A) -> A::Tile {
    // SAFETY: the loop over lanes lies within the scope of the array, and uses it by its view alone.
    unsafe { A::view(core::ptr::from_mut(array)) }
}

impl<T: Dtype, const N: usize> Tile<T, N> {
    #[inline(always)]
    fn address(&self, index: [u64; N]) -> *mut T::Scalar {
        let mut at = 0_u64;
        axes!(N, d => {
            at = at.wrapping_mul(self.shape[d]).wrapping_add(index[d]);
        });
        self.at.wrapping_add(at as usize)
    }

    #[inline(always)]
    fn holds(&self, index: [u64; N]) -> bool {
        fold_axes!(N, d => index[d] < self.shape[d], core::ops::BitAnd::bitand, true)
    }

    /// An index that is out of range, where it is so first, and the length there.
    #[cold]
    #[inline(never)]
    fn beyond(self, index: [u64; N]) -> (u64, u64) {
        index.into_iter().zip(self.shape).find(|(index, len)| index >= len).unwrap_or_default()
    }

    /// This view, put together anew, as [`Raw`](super::view::Raw) is for a function that is not inlined.
    #[inline(always)]
    fn anew(&self) -> Self {
        let mut shape = [0; N];
        axes!(N, d => {
            shape[d] = self.shape[d];
        });
        Self { at: self.at, shape }
    }

    /// Whether a gang of lanes side by side is within the shape.
    #[inline(always)]
    fn holds_gang(&self, at: [u64; N]) -> bool {
        self.holds(at) & (self.shape[N - 1] - at[N - 1].min(self.shape[N - 1]) >= GANG)
    }
}

/// The element of one index, for all lanes.
#[inline(always)]
pub fn tile_load_one<T: Dtype, I: Isa, S: Single, const N: usize>(cx: Cx<'_, I>, x: Tile<T, N>, at: At<N, S>) -> Varying<T, S> {
    let at = plain(at);
    if x.holds(at) {
        // SAFETY: within the shape, whose elements are initialised.
        return S::of(unsafe { x.address(at).read() });
    }
    if cx.active_bits() != 0 {
        let (index, len) = x.beyond(at);
        cx.note_own(index, len);
    }
    S::of(T::default().widen())
}

/// The element of one index, for all lanes. With `fast` it is within the shape.
#[inline(always)]
pub fn tile_load_same<T: Dtype, I: Isa, const FAST: bool, const N: usize>(
    cx: Cx<'_, I>,
    _fast: Known<FAST>,
    x: Tile<T, N>,
    at: At<N>,
) -> Varying<T, Scalar> {
    if FAST {
        // SAFETY: within the shape, whose elements are initialised.
        return Varying(unsafe { x.address(plain(at)).read() });
    }
    tile_load_one(cx, x, at)
}

/// Writes the element of one index.
#[inline(always)]
pub fn tile_store_one<T: Dtype, S: Single, const N: usize>(cx: Cx<'_, S>, x: Tile<T, N>, at: At<N, S>, value: Varying<T, S>) {
    let at = plain(at);
    if x.holds(at) {
        // SAFETY: within the shape; a loop that writes borrows the array for writing.
        return unsafe { x.address(at).write(S::value(value)) };
    }
    if cx.active_bits() != 0 {
        let (index, len) = x.beyond(at);
        cx.note_own(index, len);
    }
}

/// Calls `each` with the number and the address of every active lane of `at`, `at + stride`, ... that is within the shape, and notes the first that is
/// not. A function of its own: it is rarely called, and there are many places that might, each of which would be long to compile.
#[inline(never)]
fn lane_by_lane<T: Dtype, const N: usize>(
    fault: &FaultCell,
    x: Tile<T, N>,
    at: [u64; N],
    stride: [i64; N],
    active: u64,
    each: &mut dyn FnMut(usize, *mut T::Scalar),
) {
    let mut index = at;
    for k in 0..GANG as usize {
        if active & (1 << k) != 0 {
            if x.holds(index) {
                each(k, x.address(index));
            } else {
                let (index, len) = x.beyond(index);
                fault.note_own(index, len);
            }
        }
        step(&mut index, stride);
    }
}

/// The next lane's index.
#[inline(always)]
fn step<const N: usize>(index: &mut [u64; N], stride: [i64; N]) {
    for (index, stride) in index.iter_mut().zip(stride) {
        *index = index.wrapping_add_signed(stride);
    }
}

/// The elements of `at`, `at + stride`, ... With `FAST` they are all within the shape. Nothing is asked for: a tile is in the cache.
#[inline(always)]
pub fn tile_load<T: Dtype, I: Isa, W: Strides<N>, const FAST: bool, const LEADS: bool, const N: usize>(
    cx: Cx<'_, I>,
    _fast: Known<FAST>,
    _leads: Known<LEADS>,
    x: Tile<T, N>,
    at: At<N>,
    strides: W,
) -> Varying<T, I> {
    let (at, stride) = (plain(at), strides.on_axes());
    if (W::SIDE_BY_SIDE || are_side_by_side(strides)) && (FAST || x.holds_gang(at)) {
        // SAFETY: all lanes are within the shape, and lie side by side.
        return Varying(unsafe { T::fill(cx.isa, &*x.address(at).cast()) });
    }
    let x = x.anew();
    cx.isa.apart(
        #[inline(always)]
        move || {
            let mut gang = [T::default().widen(); GANG as usize];
            // SAFETY: within the shape, whose elements are initialised.
            lane_by_lane(cx.fault, x, at, stride, cx.active_bits(), &mut |k, at| gang[k] = unsafe { at.read() });
            Varying(T::fill(cx.isa, &gang))
        },
    )
}

/// Writes the elements of `at`, `at + stride`, ... With `FAST` they are all within the shape; with `ALL` every lane is active.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "generated code calls it; three of them are types")]
pub fn tile_store<T: Dtype, I: Isa, W: Strides<N>, const FAST: bool, const LEADS: bool, const ALL: bool, const N: usize>(
    cx: Cx<'_, I>,
    _fast: Known<FAST>,
    _leads: Known<LEADS>,
    _all: Known<ALL>,
    x: Tile<T, N>,
    at: At<N>,
    strides: W,
    value: Varying<T, I>,
) {
    let (at, stride) = (plain(at), strides.on_axes());
    if (W::SIDE_BY_SIDE || are_side_by_side(strides)) && (FAST || x.holds_gang(at)) {
        let p = x.address(at).cast::<[T::Scalar; GANG as usize]>();
        // SAFETY: all lanes are within the shape, and lie side by side; those that are not active get what they have.
        return unsafe {
            let new = if FAST && ALL { value.0 } else { <T as DtypeLanes>::select(cx.isa, cx.active().0, value.0, T::fill(cx.isa, &*p)) };
            T::spill(cx.isa, new, &mut *p);
        };
    }
    let x = x.anew();
    cx.isa.apart(
        #[inline(always)]
        move || {
            let mut gang = [T::default().widen(); GANG as usize];
            T::spill(cx.isa, value.0, &mut gang);
            // SAFETY: within the shape; a loop that writes borrows the array for writing.
            lane_by_lane(cx.fault, x, at, stride, cx.active_bits(), &mut |k, at| unsafe { at.write(gang[k]) });
        },
    );
}

/// The elements of an index per lane.
#[inline(always)]
pub fn tile_gather<T: Dtype, I: Isa, const N: usize>(cx: Cx<'_, I>, x: Tile<T, N>, index: [Indices; N]) -> Varying<T, I> {
    let mut gang = [T::default().widen(); GANG as usize];
    let mut bad = 0_u64;
    let mut k = 0;
    while k < GANG as usize {
        let own = of_lane(&index, k);
        let within = x.holds(own);
        bad |= u64::from(!within) << k;
        if within {
            // SAFETY: within the shape, whose elements are initialised.
            gang[k] = unsafe { x.address(own).read() };
        }
        k += 1;
    }
    let bad = bad & cx.active_bits();
    if bad != 0 {
        let (index, len) = x.beyond(of_lane(&index, bad.trailing_zeros() as usize));
        cx.note_own(index, len);
    }
    Varying(T::fill(cx.isa, &gang))
}

/// Writes the elements of an index per lane, in the order of the lanes.
#[inline(always)]
pub fn tile_scatter<T: Dtype, I: Isa, const N: usize>(cx: Cx<'_, I>, x: Tile<T, N>, index: [Indices; N], value: Varying<T, I>) {
    let mut gang = [T::default().widen(); GANG as usize];
    T::spill(cx.isa, value.0, &mut gang);
    let active = cx.active_bits();
    let mut k = 0;
    while k < GANG as usize {
        if active & (1 << k) != 0 {
            let own = of_lane(&index, k);
            if x.holds(own) {
                // SAFETY: within the shape; a loop that writes borrows the array for writing.
                unsafe { x.address(own).write(gang[k]) };
            } else {
                let (index, len) = x.beyond(own);
                cx.note_own(index, len);
            }
        }
        k += 1;
    }
}
