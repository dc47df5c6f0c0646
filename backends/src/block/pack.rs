//! Copies of operands whose elements do not lie side by side on the last axis, as the kernel's code has them.

use crate::interrupt::{self, CHUNK};
use lanecraft_core::NoMemory;
use lanecraft_core::block::Axes;
use std::mem::MaybeUninit;

/// An operand's item, copied into memory of our own.
pub(super) struct Packed {
    /// Written by `read`, all of it.
    memory: Vec<MaybeUninit<u64>>,
    /// How it lies in the user's memory.
    theirs: Axes,
    /// How it lies here.
    pub(super) own: Axes,
    rank: usize,
    size: usize,
    count: usize,
}

impl Packed {
    /// Whether an operand of these axes cannot be used where it lies.
    pub(super) fn is_needed(axes: &Axes, rank: usize, size: usize) -> bool {
        rank.checked_sub(1).is_some_and(|last| axes.shape[last] > 1 && axes.steps[last] != size as isize)
    }

    /// Memory for operand `k`, of these axes.
    pub(super) fn new(k: usize, axes: &Axes, rank: usize, size: usize) -> Self {
        let mut own = *axes;
        let mut step = size as isize;
        for d in (0..rank).rev() {
            own.steps[d] = step;
            step = step.wrapping_mul(axes.shape[d] as isize);
        }
        let count = axes.shape[..rank].iter().try_fold(1_usize, |count, n| count.checked_mul(*n as usize));
        let bytes = count.and_then(|count| count.checked_mul(size)).unwrap_or(usize::MAX);
        let words = bytes.div_ceil(8);
        let mut memory = Vec::new();
        // An operand that is broadcast may have far more elements than memory has.
        if memory.try_reserve_exact(words).is_err() {
            NoMemory { operand: k, bytes, why: "a copy, as elements of its last axis do not lie side by side" }.raise();
        }
        // SAFETY: there is room for as many, which need no value.
        unsafe { memory.set_len(words) };
        Self { memory, theirs: *axes, own, rank, size, count: count.unwrap_or_default() }
    }

    /// Where the copy is.
    pub(super) fn at(&mut self) -> *mut u8 {
        self.memory.as_mut_ptr().cast()
    }

    /// Copies the elements of the item at `from`. `false` where the host has said to stop.
    ///
    /// # Safety
    /// They are readable.
    pub(super) unsafe fn read(&mut self, from: *const u8) -> bool {
        let (size, to) = (self.size, self.at());
        self.each(from.cast_mut(), |k, p| {
            // SAFETY: the caller's promise; the memory holds every element.
            unsafe { std::ptr::copy_nonoverlapping(p.cast_const(), to.wrapping_add(k * size), size) }
        })
    }

    /// Copies the elements to the item at `to`. `false` where the host has said to stop.
    ///
    /// # Safety
    /// They are writable.
    pub(super) unsafe fn write(&mut self, to: *mut u8) -> bool {
        let (size, from) = (self.size, self.at());
        self.each(to, |k, p| {
            // SAFETY: the caller's promise; the memory holds every element.
            unsafe { std::ptr::copy_nonoverlapping(from.wrapping_add(k * size).cast_const(), p, size) }
        })
    }

    /// Calls `f` with the number of each element, in order, and its place in the user's memory. `false` where the host has said to stop.
    fn each(&self, start: *mut u8, f: impl Fn(usize, *mut u8)) -> bool {
        if self.count == 0 {
            return true;
        }
        let mut work = 0;
        let last = self.rank - 1;
        let (row, step) = (self.theirs.shape[last] as usize, self.theirs.steps[last]);
        for r in 0..self.count / row {
            let (mut rest, mut at) = (r, start);
            for d in (0..last).rev() {
                let n = self.theirs.shape[d] as usize;
                at = at.wrapping_offset((rest % n) as isize * self.theirs.steps[d]);
                rest /= n;
            }
            for first in (0..row).step_by(CHUNK) {
                let end = row.min(first + CHUNK);
                for i in first..end {
                    f(r * row + i, at.wrapping_offset(i as isize * step));
                }
                work += end - first;
                if work >= CHUNK {
                    if interrupt::is_due(work) {
                        return false;
                    }
                    work = 0;
                }
            }
        }
        true
    }
}
