//! Copies of operands whose elements do not lie side by side on the last axis, as the kernel's code has them.

use lanecraft_core::block::Axes;

/// An operand's item, copied into memory of our own.
pub(super) struct Packed {
    memory: Vec<u64>,
    /// How it lies in the user's memory.
    theirs: Axes,
    /// How it lies here.
    pub(super) own: Axes,
    rank: usize,
    size: usize,
    count: usize,
}

impl Packed {
    /// Memory for an operand of these axes, or `None` where it can be used where it lies.
    pub(super) fn new(axes: &Axes, rank: usize, size: usize) -> Option<Self> {
        let last = rank.checked_sub(1)?;
        if axes.shape[last] <= 1 || axes.steps[last] == size as isize {
            return None;
        }
        let mut own = *axes;
        let mut step = size as isize;
        for d in (0..rank).rev() {
            own.steps[d] = step;
            step *= axes.shape[d] as isize;
        }
        let count = axes.shape[..rank].iter().product::<u64>() as usize;
        Some(Self { memory: vec![0; (count * size).div_ceil(8)], theirs: *axes, own, rank, size, count })
    }

    /// Where the copy is.
    pub(super) fn at(&mut self) -> *mut u8 {
        self.memory.as_mut_ptr().cast()
    }

    /// Copies the elements of the item at `from`.
    ///
    /// # Safety
    /// They are readable.
    pub(super) unsafe fn read(&mut self, from: *const u8) {
        let (size, to) = (self.size, self.at());
        self.each(from.cast_mut(), |k, p| {
            // SAFETY: the caller's promise; the memory holds every element.
            unsafe { std::ptr::copy_nonoverlapping(p.cast_const(), to.wrapping_add(k * size), size) }
        });
    }

    /// Copies the elements to the item at `to`.
    ///
    /// # Safety
    /// They are writable.
    pub(super) unsafe fn write(&mut self, to: *mut u8) {
        let (size, from) = (self.size, self.at());
        self.each(to, |k, p| {
            // SAFETY: the caller's promise; the memory holds every element.
            unsafe { std::ptr::copy_nonoverlapping(from.wrapping_add(k * size).cast_const(), p, size) }
        });
    }

    /// Calls `f` with the number of each element, in order, and its place in the user's memory.
    fn each(&self, start: *mut u8, f: impl Fn(usize, *mut u8)) {
        if self.count == 0 {
            return;
        }
        let last = self.rank - 1;
        let (row, step) = (self.theirs.shape[last] as usize, self.theirs.steps[last]);
        for r in 0..self.count / row {
            let (mut rest, mut at) = (r, start);
            for d in (0..last).rev() {
                let n = self.theirs.shape[d] as usize;
                at = at.wrapping_offset((rest % n) as isize * self.theirs.steps[d]);
                rest /= n;
            }
            for i in 0..row {
                f(r * row + i, at.wrapping_offset(i as isize * step));
            }
        }
    }
}
