//! Strips whose elements lie side by side or are broadcast: run where they lie.

use super::{GANG, GANG_BYTES, Gangs, Layout, Strip};
use lanecraft_core::Fault;
use lanecraft_core::map::MAX_OPERANDS;
use lanecraft_core::stream::Stores;
use std::ptr;

/// Strips of the same length and strides, of at least a gang of operands side by side or broadcast, one after the other.
pub(crate) struct InPlace<'a> {
    strip: Strip<'a>,
    layout: Layout,
    n: usize,
    /// [`Gangs`]: what is broadcast, and outputs that wait.
    gangs: *mut u8,
    /// Where the operands' whole gangs begin.
    at: [*mut u8; MAX_OPERANDS],
    /// Where a gang that overlaps those lies.
    from: [*mut u8; MAX_OPERANDS],
    /// What `gangs` hold of the inputs that are broadcast.
    spread: [*mut u8; MAX_OPERANDS],
}

impl<'a> InPlace<'a> {
    pub(super) fn new(strip: Strip<'a>, layout: Layout, n: usize, gangs: &'a mut Gangs) -> Self {
        let nowhere = [ptr::null_mut(); MAX_OPERANDS];
        Self { strip, layout, n, gangs: gangs.start(), at: nowhere, from: nowhere, spread: nowhere }
    }

    fn is_broadcast(&self, k: usize) -> bool {
        self.layout.broadcast & (1 << k) != 0
    }

    fn gang(&self, k: usize) -> *mut u8 {
        self.gangs.wrapping_add(k * GANG_BYTES)
    }

    /// Runs a strip whose operands begin at `args`.
    ///
    /// # Safety
    /// As for [`Strip::run_as`]; what is broadcast from the same place as before is the same.
    pub(crate) unsafe fn run(&mut self, args: &[*mut u8], stores: Stores) -> Result<(), Fault> {
        let (strip, n) = (self.strip, self.n);
        let head = if stores == Stores::Cache { strip.before_line(args, self.layout.broadcast, n) } else { 0 };
        for (k, arg) in args.iter().copied().enumerate() {
            if !self.is_broadcast(k) {
                self.at[k] = arg.wrapping_add(head * strip.size(k));
            } else if self.spread[k] != arg {
                self.spread[k] = arg;
                self.at[k] = self.gang(k);
                // SAFETY: `n > 0`: the one element is readable; the buffer holds the widest gang.
                unsafe { strip.splat(k, self.at[k], arg) };
            }
        }
        let (rest, last) = ((n - head) % GANG, n - GANG);
        // What is left beside whole gangs is computed in gangs that overlap them. They come first, while no output has taken the place of an input, and
        // their outputs wait.
        let (first_place, last_place) = (GANG_BYTES / 2, 0);
        if head > 0 {
            // SAFETY: elements `0..GANG` of the inputs, the buffers as outputs.
            unsafe { self.run_waiting(args, 0, first_place) }?;
        }
        let mut done = Ok(());
        if rest > 0 {
            // SAFETY: elements `last..n` of the inputs, the buffers as outputs.
            done = unsafe { self.run_waiting(args, last, last_place) };
        }
        // SAFETY: whole gangs, side by side or one of equal elements.
        unsafe { (strip.entry)(&self.at, &self.layout.step, (n - head) / GANG, stores) }
            .map_err(|fault| Fault { index: fault.index + head, ..fault })?;
        // Elements before have no fault, so this one is of the rest.
        done.map_err(|fault| Fault { index: fault.index + last, ..fault })?;
        if head + rest > 0 {
            for (k, output) in args.iter().copied().enumerate().skip(strip.inputs) {
                let (size, buffer) = (strip.size(k), self.gang(k));
                // SAFETY: the first and the last elements are writable, and the entry has filled the buffers with the gangs that they are in.
                unsafe {
                    ptr::copy_nonoverlapping(buffer.add(first_place), output, head * size);
                    ptr::copy_nonoverlapping(buffer.add(last_place + (GANG - rest) * size), output.add((n - rest) * size), rest * size);
                }
            }
        }
        Ok(())
    }

    /// Runs the gang from element `first` on, its outputs into the buffers, at a place in them.
    ///
    /// # Safety
    /// The elements of the inputs are readable.
    unsafe fn run_waiting(&mut self, args: &[*mut u8], first: usize, place: usize) -> Result<(), Fault> {
        // (Each address is written by itself: a copy of the whole array would wait for those that were.)
        for (k, arg) in args.iter().enumerate() {
            self.from[k] = if k >= self.strip.inputs {
                self.gang(k).wrapping_add(place)
            } else if self.is_broadcast(k) {
                self.at[k]
            } else {
                arg.wrapping_add(first * self.strip.size(k))
            };
        }
        // SAFETY: the caller's promise; the buffers hold a gang.
        unsafe { (self.strip.entry)(&self.from, &self.layout.step, 1, Stores::Cache) }
    }
}
