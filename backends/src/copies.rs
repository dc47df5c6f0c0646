//! Elements on their way between the user's memory and buffers.

use crate::strip::GANG;
use std::ptr;

/// Calls `$f::<unsigned integer of $size bytes>`. Elements are moved as bits; the dtype does not matter.
macro_rules! by_size {
    ($size:expr, $f:ident($($a:expr),*)) => {
        match $size {
            1 => $f::<u8>($($a),*),
            2 => $f::<u16>($($a),*),
            4 => $f::<u32>($($a),*),
            _ => $f::<u64>($($a),*),
        }
    };
}

/// Fills the gang at `to` with the element at `from`.
///
/// # Safety
/// `from` is readable, `to` holds a gang, `size` is 1, 2, 4 or 8.
#[inline]
pub(crate) unsafe fn splat(to: *mut u8, from: *const u8, size: usize) {
    #[inline(always)]
    unsafe fn splat_as<U: Copy>(to: *mut u8, from: *const u8) {
        // SAFETY: the caller's promise.
        unsafe { to.cast::<[U; GANG]>().write_unaligned([from.cast::<U>().read_unaligned(); GANG]) }
    }
    // SAFETY: the caller's promise.
    unsafe { by_size!(size, splat_as(to, from)) }
}

/// Copies `count` elements, `step` bytes apart at `from`, side by side to `to`.
///
/// # Safety
/// The elements are readable, `to` holds `count`, `size` is 1, 2, 4 or 8.
pub(crate) unsafe fn gather(to: *mut u8, from: *const u8, step: isize, size: usize, count: usize) {
    #[inline(always)]
    unsafe fn gather_as<U: Copy>(to: *mut u8, from: *const u8, step: isize, count: usize) {
        let (mut to, mut from) = (to.cast::<U>(), from);
        for _ in 0..count {
            // SAFETY: the caller's promise, for this element.
            unsafe { to.write_unaligned(from.cast::<U>().read_unaligned()) };
            (to, from) = (to.wrapping_add(1), from.wrapping_offset(step));
        }
    }
    if step == size as isize {
        // SAFETY: the caller's promise.
        return unsafe { ptr::copy_nonoverlapping(from, to, count * size) };
    }
    // SAFETY: the caller's promise.
    unsafe { by_size!(size, gather_as(to, from, step, count)) }
}

/// Copies `count` elements, side by side at `from`, to places `step` bytes apart at `to`.
///
/// # Safety
/// The elements are writable, `from` holds `count`, `size` is 1, 2, 4 or 8.
pub(crate) unsafe fn scatter(to: *mut u8, from: *const u8, step: isize, size: usize, count: usize) {
    #[inline(always)]
    unsafe fn scatter_as<U: Copy>(to: *mut u8, from: *const u8, step: isize, count: usize) {
        let (mut to, mut from) = (to, from.cast::<U>());
        for _ in 0..count {
            // SAFETY: the caller's promise, for this element.
            unsafe { to.cast::<U>().write_unaligned(from.read_unaligned()) };
            (to, from) = (to.wrapping_offset(step), from.wrapping_add(1));
        }
    }
    if step == size as isize {
        // SAFETY: the caller's promise.
        return unsafe { ptr::copy_nonoverlapping(from, to, count * size) };
    }
    // SAFETY: the caller's promise.
    unsafe { by_size!(size, scatter_as(to, from, step, count)) }
}

/// Where elements of two axes lie: the first one, and bytes from one to the next down the rows and along the columns.
#[derive(Clone, Copy)]
pub(crate) struct Plane {
    pub(crate) at: *mut u8,
    pub(crate) row: isize,
    pub(crate) column: isize,
}

/// Copies a tile of elements. By columns of a few at a time, so that where one side lies along the rows and the other along the columns, the lines
/// of the cache that both are in stay there.
///
/// # Safety
/// The elements are readable at `from` and writable at `to`, `size` is 1, 2, 4 or 8.
pub(crate) unsafe fn copy_tile(to: Plane, from: Plane, size: usize, rows: usize, columns: usize) {
    const TOGETHER: usize = 16;
    #[inline(always)]
    unsafe fn copy_as<U: Copy>(to: Plane, from: Plane, columns: usize) {
        for column in 0..columns as isize {
            // SAFETY: the caller's promise, for this element.
            unsafe {
                let element = from.at.wrapping_offset(column * from.column).cast::<U>().read_unaligned();
                to.at.wrapping_offset(column * to.column).cast::<U>().write_unaligned(element);
            }
        }
    }
    let side_by_side = to.column == size as isize && from.column == size as isize;
    let together = if side_by_side { columns } else { TOGETHER };
    for first in (0..columns).step_by(together.max(1)) {
        for row in 0..rows as isize {
            let start = |plane: Plane| Plane { at: plane.at.wrapping_offset(row * plane.row + first as isize * plane.column), ..plane };
            let (to, from) = (start(to), start(from));
            let count = together.min(columns - first);
            // SAFETY: the caller's promise.
            unsafe {
                if side_by_side {
                    ptr::copy_nonoverlapping(from.at, to.at, count * size);
                } else if count == TOGETHER {
                    by_size!(size, copy_as(to, from, TOGETHER))
                } else {
                    by_size!(size, copy_as(to, from, count))
                }
            }
        }
    }
}
