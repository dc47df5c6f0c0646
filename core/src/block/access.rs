//! Loads and stores.
//!
//! Three kinds, told apart when the kernel is compiled: one index for all lanes; an index that moves by the same amount
//! from lane to lane (`at`, the first lane's, and `stride`, by how much on each axis); an index per lane. An index that is
//! out of range is noted, where an active lane has it, and then stands for no element.

use super::GANG;
use super::known::{Known, Strides, are_side_by_side};
use super::view::Raw;
use crate::cx::{Cx, FaultCell};
use crate::debug::shadow::Access;
use crate::dtype::{Dtype, DtypeId};
use crate::isa::scalar::Scalar;
use crate::isa::{DtypeLanes, Isa, Registers, Single, Varying};
use crate::map::Element;
use crate::stream::{LINE, Stores, prefetch};

/// An index that is the same for all lanes.
pub type At<const N: usize, S = Scalar> = [Varying<u64, S>; N];

const EVERY: u64 = (1 << GANG) - 1;

#[inline(always)]
pub(super) fn plain<S: Single, const N: usize>(at: At<N, S>) -> [u64; N] {
    const { assert!(size_of::<Varying<u64, S>>() == size_of::<u64>()) };
    // SAFETY: a `Varying` of one lane is its value.
    unsafe { core::mem::transmute_copy(&at) }
}

/// The element of one index, for all lanes.
#[inline(always)]
pub fn load_one<T: Dtype, I: Isa, S: Single, const N: usize>(cx: Cx<'_, I>, x: Raw<T, N>, at: At<N, S>) -> Varying<T, S> {
    let at = plain(at);
    if x.holds(at) {
        if <I as Registers>::CHECKED {
            x.note(cx, at, Access::Read);
        }
        // SAFETY: within the shape.
        return S::of(unsafe { T::read(x.address(at).cast()) }.widen());
    }
    if cx.active_bits() != 0 {
        x.note_beyond(cx, at);
    }
    S::of(T::default().widen())
}

/// The element of one index, for all lanes. With `fast` it is within the shape.
#[inline(always)]
pub fn load_same<T: Dtype, I: Isa, const FAST: bool, const N: usize>(
    cx: Cx<'_, I>,
    _fast: Known<FAST>,
    x: Raw<T, N>,
    at: At<N>,
) -> Varying<T, Scalar> {
    if FAST {
        // SAFETY: within the shape.
        return Varying(unsafe { T::read(x.address(plain(at)).cast()) }.widen());
    }
    load_one(cx, x, at)
}

/// Writes the element of one index.
#[inline(always)]
pub fn store_one<T: Dtype, S: Single, const N: usize>(cx: Cx<'_, S>, x: Raw<T, N>, at: At<N, S>, value: Varying<T, S>) {
    let at = plain(at);
    if x.holds(at) {
        if <S as Registers>::CHECKED {
            x.note(cx, at, Access::Write);
        }
        // SAFETY: within the shape, and writable, for the kernel writes it.
        return unsafe { x.address(at).cast::<T>().write_unaligned(T::narrow(S::value(value))) };
    }
    if cx.active_bits() != 0 {
        x.note_beyond(cx, at);
    }
}

/// Whether a gang of lanes side by side is within the shape.
#[inline(always)]
pub(super) fn gang_is_within<T: Dtype, const N: usize>(x: Raw<T, N>, at: [u64; N]) -> bool {
    let len = x.shape[N - 1];
    x.holds(at) & (len - at[N - 1].min(len) >= GANG)
}

/// Bytes from lane to lane.
#[inline(always)]
fn step<T: Dtype, const N: usize>(x: Raw<T, N>, stride: [i64; N]) -> isize {
    let row = fold_axes!(N - 1, d => x.steps[d].wrapping_mul(stride[d] as isize), isize::wrapping_add, 0);
    row.wrapping_add((stride[N - 1] as isize).wrapping_mul(size_of::<T>() as isize))
}

/// Asks for the elements of a later gang.
#[inline(always)]
fn ahead<T: Dtype, I: Isa, const N: usize>(cx: Cx<'_, I>, x: Raw<T, N>, at: [u64; N]) {
    prefetch(x.ahead_of(at, cx.later(x.ahead)), GANG as usize * size_of::<T>());
}

/// The elements of `at`, `at + stride`, ... With `FAST` they are all within the shape; with `LEADS` this access is the first to come to an
/// operand's elements, and asks for those of a later gang.
#[inline(always)]
pub fn load<T: Dtype, I: Isa, W: Strides<N>, const FAST: bool, const LEADS: bool, const N: usize>(
    cx: Cx<'_, I>,
    _fast: Known<FAST>,
    _leads: Known<LEADS>,
    x: Raw<T, N>,
    at: At<N>,
    stride: W,
) -> Varying<T, I> {
    const { assert!(<I as Registers>::LANES == GANG as usize) };
    let at = plain(at);
    if FAST {
        let from = x.address(at);
        if W::SIDE_BY_SIDE || are_side_by_side(stride) {
            if LEADS {
                ahead(cx, x, at);
            }
            // SAFETY: all lanes are within the shape, and lie side by side.
            return Varying(unsafe { T::load(cx.isa, from.cast()) });
        }
        if LEADS {
            // Where lanes are so far apart that a gang has several lines, most of them are asked for by the gangs beside it.
            prefetch(x.ahead_of(at, cx.later(x.ahead)), 1);
        }
        return load_apart(cx, from, step(x, stride.on_axes()), GANG);
    }
    if (W::SIDE_BY_SIDE || are_side_by_side(stride))
        && let Some(all) = load_active(cx, x, at)
    {
        return all;
    }
    let x = x.anew();
    cx.isa.apart(
        #[inline(always)]
        move || load_checked(cx, x, at, stride),
    )
}

/// [`load`] of elements that may be beyond the shape.
#[inline(always)]
fn load_checked<T: Dtype, I: Isa, W: Strides<N>, const N: usize>(cx: Cx<'_, I>, x: Raw<T, N>, at: [u64; N], strides: W) -> Varying<T, I> {
    let stride = strides.on_axes();
    if !(W::SIDE_BY_SIDE || are_side_by_side(strides)) {
        // Between two lanes that are within the shape, all are.
        let count = cx.active_count();
        let last = moved(at, stride, count.saturating_sub(1));
        if x.holds(at) && x.holds(last) {
            return load_apart(cx, x.address(at), step(x, stride), count);
        }
    }
    let mut gang = [T::default(); GANG as usize];
    lane_by_lane(cx.fault, x, at, stride, cx.active_bits(), &mut |k, p| {
        // SAFETY: within the shape.
        gang[k] = unsafe { T::read(p.cast()) };
    });
    // SAFETY: a gang of elements.
    Varying(unsafe { T::load(cx.isa, gang.as_ptr()) })
}

/// An index, so many lanes on.
#[inline(always)]
fn moved<const N: usize>(at: [u64; N], stride: [i64; N], lanes: u64) -> [u64; N] {
    let mut moved = at;
    axes!(N, d => {
        moved[d] = at[d].wrapping_add(stride[d].cast_unsigned().wrapping_mul(lanes));
    });
    moved
}

/// The first `count` elements from `from` on, `step` bytes apart, all of them within the shape.
#[inline(always)]
fn load_apart<T: Dtype, I: Isa>(cx: Cx<'_, I>, from: *const u8, step: isize, count: u64) -> Varying<T, I> {
    let mut gang = [T::default(); GANG as usize];
    // SAFETY: all lanes are within the shape, and what lies between is in their pages; of a `bool` any byte may come, which `load` reads as such.
    if unsafe { cx.isa.load_apart(from, step, gang.as_mut_ptr().cast(), count as usize, size_of::<T>()) } {
        // SAFETY: a gang of elements.
        return Varying(unsafe { T::load(cx.isa, gang.as_ptr()) });
    }
    let mut gang = [T::default(); GANG as usize];
    let mut k = 0;
    while k < count as usize {
        // SAFETY: all lanes are within the shape.
        gang[k] = unsafe { T::read(from.wrapping_offset(step.wrapping_mul(k as isize)).cast()) };
        k += 1;
    }
    // SAFETY: a gang of elements.
    Varying(unsafe { T::load(cx.isa, gang.as_ptr()) })
}

/// Elements side by side from `at` on, as far as there are active lanes, if they are all within the shape.
#[inline(always)]
pub(super) fn load_active<T: Dtype, I: Isa, const N: usize>(cx: Cx<'_, I>, x: Raw<T, N>, at: [u64; N]) -> Option<Varying<T, I>> {
    let count = cx.active_count();
    let len = x.shape[N - 1];
    if !x.holds(at) || len - at[N - 1] < count {
        return None;
    }
    if count == GANG {
        // SAFETY: all lanes are within the shape.
        return Some(Varying(unsafe { T::load(cx.isa, x.address(at).cast()) }));
    }
    let mut gang = [T::default(); GANG as usize];
    // SAFETY: these lanes are within the shape; of a `bool` any byte may come, which `load` reads as such.
    Some(Varying(unsafe {
        cx.isa.load_first(x.address(at), gang.as_mut_ptr().cast(), count as usize, size_of::<T>());
        T::load(cx.isa, gang.as_ptr())
    }))
}

/// How many lanes are active, if they are the first ones, side by side and within the shape: the tail of a loop.
#[inline(always)]
fn first_lanes<T: Dtype, const N: usize>(x: Raw<T, N>, at: [u64; N], active: u64) -> Option<usize> {
    let count = active.trailing_ones();
    let len = x.shape[N - 1];
    let few = active == (1 << count) - 1 && x.holds(at) && len - at[N - 1] >= u64::from(count);
    few.then_some(count as usize)
}

/// Writes the elements of `at`, `at + stride`, ... With `FAST` they are all within the shape; with `ALL` every lane is active; `LEADS` as in
/// [`load`].
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "generated code calls it; three of them are types")]
pub fn store<T: Dtype, I: Isa, W: Strides<N>, const FAST: bool, const LEADS: bool, const ALL: bool, const N: usize>(
    cx: Cx<'_, I>,
    _fast: Known<FAST>,
    _leads: Known<LEADS>,
    _all: Known<ALL>,
    x: Raw<T, N>,
    at: At<N>,
    strides: W,
    value: Varying<T, I>,
) {
    let (at, stride) = (plain(at), strides.on_axes());
    if FAST && ALL {
        let to = x.address(at);
        if !(W::SIDE_BY_SIDE || are_side_by_side(strides)) {
            return store_apart(cx, to, step(x, stride), value);
        }
        if LEADS {
            ahead(cx, x, at);
        }
        // SAFETY: all lanes are within the shape, and lie side by side.
        return unsafe { T::store(cx.isa, to.cast(), value.0) };
    }
    // What is loaded and stored unchanged: not so f16, whose NaN become quiet, and bool, whose bytes become 0 and 1.
    if FAST && (W::SIDE_BY_SIDE || are_side_by_side(strides)) && !matches!(T::ID, DtypeId::Bool | DtypeId::F16 | DtypeId::Bf16) {
        let p = x.address(at).cast::<T>();
        // SAFETY: all lanes are within the shape; those that are not active get what they have.
        return unsafe {
            let old = T::load(cx.isa, p);
            T::store(cx.isa, p, <T as DtypeLanes>::select(cx.isa, cx.active().0, value.0, old));
        };
    }
    let active = cx.active_bits();
    if W::SIDE_BY_SIDE || are_side_by_side(strides) {
        if active == EVERY && gang_is_within(x, at) {
            // SAFETY: all lanes are within the shape, and lie side by side.
            return unsafe { T::store(cx.isa, x.address(at).cast(), value.0) };
        }
        if let Some(count) = first_lanes(x, at, active) {
            let mut gang = [T::default(); GANG as usize];
            // SAFETY: room for a gang; the lanes are within the shape, side by side, and writable, for the kernel writes the operand.
            return unsafe {
                T::store(cx.isa, gang.as_mut_ptr(), value.0);
                cx.isa.store_first(gang.as_ptr().cast(), x.address(at), count, size_of::<T>());
            };
        }
    }
    let x = x.anew();
    cx.isa.apart(
        #[inline(always)]
        move || {
            let mut gang = [T::default(); GANG as usize];
            // SAFETY: room for a gang.
            unsafe { T::store(cx.isa, gang.as_mut_ptr(), value.0) };
            lane_by_lane(cx.fault, x, at, stride, active, &mut |k, p| {
                // SAFETY: within the shape, and writable, for the kernel writes it.
                unsafe { p.cast::<T>().write_unaligned(gang[k]) };
            });
        },
    );
}

/// Writes the elements from `to` on, `step` bytes apart, all of them within the shape.
#[inline(always)]
fn store_apart<T: Dtype, I: Isa>(cx: Cx<'_, I>, to: *mut u8, step: isize, value: Varying<T, I>) {
    let mut gang = [T::default(); GANG as usize];
    // SAFETY: room for a gang.
    unsafe { T::store(cx.isa, gang.as_mut_ptr(), value.0) };
    let mut k = 0;
    while k < GANG as usize {
        // SAFETY: all lanes are within the shape, and writable, for the kernel writes the operand.
        unsafe { to.wrapping_offset(step.wrapping_mul(k as isize)).cast::<T>().write_unaligned(gang[k]) };
        k += 1;
    }
}

/// [`store`] of an operand whose elements are written once and not read: past the caches where it is large.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "generated code calls it; three of them are types")]
pub fn store_once<T: Dtype, I: Isa, W: Strides<N>, const FAST: bool, const LEADS: bool, const ALL: bool, const N: usize>(
    cx: Cx<'_, I>,
    fast: Known<FAST>,
    leads: Known<LEADS>,
    all: Known<ALL>,
    x: Raw<T, N>,
    at: At<N>,
    strides: W,
    value: Varying<T, I>,
) {
    if FAST && ALL && (W::SIDE_BY_SIDE || are_side_by_side(strides)) {
        let (to, gang) = (x.address(plain(at)), GANG as usize * size_of::<T>());
        if x.cached | cx.cached == 0 && to.addr().is_multiple_of(if gang < LINE { gang } else { LINE }) {
            return cx.isa.apart(
                #[inline(always)]
                // SAFETY: all lanes are within the shape, side by side, from a multiple of their bytes or of a cache line on.
                move || unsafe { T::store_gang(cx.isa, to, value, Stores::Stream) },
            );
        }
    }
    store(cx, fast, leads, all, x, at, strides, value);
}

/// Calls `each` with the number and the address of every active lane that is within the shape, and notes the first that is not.
#[inline(never)]
fn lane_by_lane<T: Dtype, const N: usize>(
    fault: &FaultCell,
    x: Raw<T, N>,
    at: [u64; N],
    stride: [i64; N],
    active: u64,
    each: &mut dyn FnMut(usize, *mut u8),
) {
    let mut index = at;
    for k in 0..GANG as usize {
        if active & (1 << k) != 0 {
            if x.holds(index) {
                each(k, x.address(index));
            } else {
                x.note_in(fault, index);
            }
        }
        for d in 0..N {
            index[d] = index[d].wrapping_add_signed(stride[d]);
        }
    }
}

/// The elements of an index per lane.
#[inline(always)]
pub fn gather<T: Dtype, I: Isa, const N: usize>(cx: Cx<'_, I>, x: Raw<T, N>, index: [Indices; N]) -> Varying<T, I> {
    let active = cx.active_bits();
    let mut gang = [T::default(); GANG as usize];
    let mut bad = 0_u64;
    let mut k = 0;
    while k < GANG as usize {
        let own = of_lane(&index, k);
        let within = x.holds(own);
        bad |= ((!within) as u64) << k;
        if within {
            // SAFETY: within the shape.
            gang[k] = unsafe { T::read(x.address(own).cast()) };
        }
        k += 1;
    }
    if bad & active != 0 {
        x.note_in(cx.fault, of_lane(&index, (bad & active).trailing_zeros() as usize));
    }
    // SAFETY: a gang of elements.
    Varying(unsafe { T::load(cx.isa, gang.as_ptr()) })
}

/// Writes the elements of an index per lane, in the order of the lanes.
#[inline(always)]
pub fn scatter<T: Dtype, I: Isa, const N: usize>(cx: Cx<'_, I>, x: Raw<T, N>, index: [Indices; N], value: Varying<T, I>) {
    let mut gang = [T::default(); GANG as usize];
    // SAFETY: room for a gang.
    unsafe { T::store(cx.isa, gang.as_mut_ptr(), value.0) };
    let active = cx.active_bits();
    let mut k = 0;
    while k < GANG as usize {
        if active & (1 << k) != 0 {
            let own = of_lane(&index, k);
            if x.holds(own) {
                // SAFETY: within the shape, and writable, for the kernel writes it.
                unsafe { x.address(own).cast::<T>().write_unaligned(gang[k]) };
            } else {
                x.note_in(cx.fault, own);
            }
        }
        k += 1;
    }
}

/// An index per lane.
#[derive(Clone, Copy, Debug)]
pub struct Indices {
    pub(super) lanes: [u64; GANG as usize],
    /// None is more, whatever the data.
    pub(super) most: u64,
}

/// The largest `x as usize`.
#[inline(always)]
const fn most<K: Dtype>() -> u64 {
    match K::ID {
        DtypeId::Bool => 1,
        DtypeId::U8 => u8::MAX as u64,
        DtypeId::U16 => u16::MAX as u64,
        DtypeId::U32 => u32::MAX as u64,
        _ => u64::MAX,
    }
}

/// `x as usize` of each lane. The conversion is of single values: a wide one of lanes would be taken apart again.
#[inline(always)]
pub fn indices<K: Dtype, I: Isa>(cx: Cx<'_, I>, x: Varying<K, I>) -> Indices {
    let mut values = [K::default().widen(); GANG as usize];
    K::spill(cx.isa, x.0, &mut values);
    let mut lanes = [0; GANG as usize];
    let mut k = 0;
    while k < GANG as usize {
        lanes[k] = K::to_u64(Scalar, values[k]);
        k += 1;
    }
    Indices { lanes, most: most::<K>() }
}

/// [`indices`] of the elements of `at`, `at + stride`, ...: one by one, where that is all that happens to them.
#[inline(always)]
pub fn indices_at<K: Dtype, I: Isa, W: Strides<N>, const FAST: bool, const LEADS: bool, const N: usize>(
    cx: Cx<'_, I>,
    fast: Known<FAST>,
    leads: Known<LEADS>,
    x: Raw<K, N>,
    at: At<N>,
    stride: W,
) -> Indices {
    if !FAST || !(W::SIDE_BY_SIDE || are_side_by_side(stride)) {
        return indices(cx, load(cx, fast, leads, x, at, stride));
    }
    let at = plain(at);
    if LEADS {
        ahead(cx, x, at);
    }
    let from = x.address(at).cast::<K>();
    let mut lanes = [0; GANG as usize];
    let mut k = 0;
    while k < GANG as usize {
        // Volatile: LLVM would load bytes together, and take that apart again.
        let bytes = matches!(K::ID, DtypeId::U8 | DtypeId::I8);
        // SAFETY: all lanes are within the shape, and lie side by side; bytes are aligned.
        let x = unsafe { if bytes { from.wrapping_add(k).read_volatile() } else { K::read(from.wrapping_add(k)) } };
        lanes[k] = K::to_u64(Scalar, x.widen());
        k += 1;
    }
    Indices { lanes, most: most::<K>() }
}

#[inline(always)]
pub(super) fn of_lane<const N: usize>(index: &[Indices; N], k: usize) -> [u64; N] {
    let mut own = [0; N];
    axes!(N, d => {
        own[d] = index[d].lanes[k];
    });
    own
}
