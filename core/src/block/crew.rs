//! Several threads on one item.
//!
//! Each member of a crew runs the whole kernel: uniform code all of it, of a loop over lanes its part of the iterations. At the end of
//! a loop they meet, so that what one wrote the others may read; the results of reductions are put together in order, so that
//! each member goes on with the same values. Kernels that this does not suit say so: [`BlockKernel::WIDE`](super::BlockKernel::WIDE).

use super::GANG;
use super::lanes::CHUNK;
use super::span::{Rows, Span};
use crate::cx::{Cx, FaultCell};
use crate::isa::Isa;

/// Threads that work on one item.
pub trait Crew: Sync {
    /// How many there are.
    fn count(&self) -> u64;
    /// Waits for the others. Gives whether any of them has `failed`.
    fn meet(&self, failed: bool) -> bool;
    /// Tells the others to stop, before they meet again.
    fn stop(&self);
    /// Whether one of them said so.
    fn is_stopped(&self) -> bool;
    /// Shows the others where something of this member is.
    fn publish(&self, member: u64, at: *const ());
    /// Where that of another is; after a meeting.
    fn published(&self, member: u64) -> *const ();
}

/// One of a crew.
#[derive(Clone, Copy)]
pub struct Member<'a> {
    /// The crew.
    pub crew: &'a dyn Crew,
    /// Its number.
    pub index: u64,
}

/// The part of `0..count` of a member, in whole `unit`s. Asked where there is a crew, and not compiled with kernels, as what follows.
#[inline(never)]
fn part(member: Member<'_>, count: u64, unit: u64) -> (u64, u64) {
    let own = count.div_ceil(unit).div_ceil(member.crew.count()) * unit;
    let from = count.min(own * member.index);
    (from, count.min(from + own))
}

/// The same in chunks, a power of two of them.
#[inline(never)]
fn part_in_chunks(member: Member<'_>, count: u64) -> (u64, u64) {
    let own = count.div_ceil(CHUNK).div_ceil(member.crew.count()).next_power_of_two() * CHUNK;
    let from = count.min(own * member.index);
    (from, count.min(from + own))
}

impl Span {
    /// A member's part.
    #[inline(always)]
    pub fn part<I: Isa>(self, cx: Cx<'_, I>) -> Self {
        let Some(member) = cx.member else { return self };
        let (from, to) = part(member, self.to, GANG);
        Self { from, to, ..self }
    }

    /// A member's part of a row, where the outermost range has a `single` value, so that its members cannot share that out.
    #[inline(always)]
    pub fn part_of<I: Isa>(self, cx: Cx<'_, I>, single: bool) -> Self {
        if single { self.part(cx) } else { self }
    }

    /// A member's part of a loop with reductions: chunks, a power of two of them, so that the tree of all is made of the members'.
    #[inline(always)]
    pub fn chunks<I: Isa>(self, cx: Cx<'_, I>) -> Self {
        let Some(member) = cx.member else { return self };
        let (from, to) = part_in_chunks(member, self.to);
        Self { from, to, ..self }
    }

    /// All of it for the first member, nothing for the others.
    #[inline(always)]
    pub(super) fn for_one<I: Isa>(self, cx: Cx<'_, I>) -> Self {
        match cx.member {
            Some(member) if member.index > 0 => Self { to: self.from, ..self },
            _ => self,
        }
    }
}

impl Rows {
    /// A member's part. A single row is shared out itself: see [`Span::part_of`].
    #[inline(always)]
    pub fn part<I: Isa>(self, cx: Cx<'_, I>) -> Self {
        let Some(member) = cx.member.filter(|_| self.left != 1) else { return self };
        let (from, to) = part(member, self.left, 1);
        Self { at: self.at.wrapping_add(from * self.step), left: to - from, ..self }
    }
}

/// The end of a loop over lanes.
#[inline(always)]
pub fn meet<I: Isa>(cx: Cx<'_, I>) {
    if let Some(member) = cx.member {
        meet_crew(cx.fault, member);
    }
}

/// A meeting. Not compiled with kernels, since it takes long in any case.
#[inline(never)]
fn meet_crew(fault: &FaultCell, member: Member<'_>) {
    if member.crew.meet(fault.failed()) {
        fault.stop();
    }
}

/// Hands a value to the others, and calls `each` with that of every member in order.
#[inline(always)]
pub(super) fn exchange<T>(fault: &FaultCell, member: Member<'_>, own: &T, mut each: impl FnMut(&T)) {
    member.crew.publish(member.index, core::ptr::from_ref(own).cast());
    meet_crew(fault, member);
    let mut k = 0;
    while k < member.crew.count() {
        let other = member.crew.published(k).cast::<T>();
        // SAFETY: each member runs the same kernel and published a `T` in front of the meeting, which lives until the next one.
        // After a panic there may be none.
        if let Some(other) = unsafe { other.as_ref() } {
            each(other);
        }
        k += 1;
    }
    meet_crew(fault, member);
}
