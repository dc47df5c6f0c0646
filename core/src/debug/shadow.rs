//! Who wrote which element of an item's outputs.
//!
//! Every loop over lanes has a number, every iteration one within its loop; an element remembers the last of each that wrote it, and that read it.

use super::{ELEMENT, ElementOf, Finding, Iteration, Place, SHADOW, find};
use crate::cx::{MAX_RANK, NoMemory};

/// A loop and an iteration of it, both from 1 on; code outside of loops is iteration 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stamp {
    run: u64,
    iteration: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Element {
    is_written: bool,
    write: Stamp,
    read: Stamp,
}

#[derive(Debug, Default)]
struct Output {
    shape: [u64; MAX_RANK],
    elements: Vec<Element>,
}

impl Output {
    /// The first element that is not written, if this is operand `operand`.
    fn left(&self, operand: usize) -> Option<Finding> {
        let mut at = self.elements.iter().position(|element| !element.is_written)? as u64;
        let rank = self.shape.iter().take_while(|len| **len > 0).count();
        let mut index = [0; MAX_RANK];
        for axis in (0..rank).rev() {
            index[axis] = at % self.shape[axis];
            at /= self.shape[axis];
        }
        Some(Finding::Left { element: ElementOf { operand, index, rank }, shape: self.shape })
    }
}

/// The outputs of an item, and where its loops are.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    /// By the operands' numbers; inputs are not there.
    outputs: Vec<Option<Output>>,
    now: Stamp,
    at: Iteration,
    /// The iterations of this loop so far.
    iterations: Vec<Iteration>,
}

/// What happens to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// It is read and written, by `atomic_add` or its kin: iterations may share it.
    Update,
}

impl Shadow {
    /// The iteration that the run is in.
    pub(super) fn iteration(&self) -> Option<Iteration> {
        (self.at.depth > 0).then_some(self.at)
    }

    fn of(&self, stamp: Stamp) -> Iteration {
        self.iterations.get((stamp.iteration as usize).wrapping_sub(1)).copied().unwrap_or_default()
    }

    /// Notes an access, and says what is wrong with it.
    fn access(&mut self, element: ElementOf, access: Access) -> Option<Finding> {
        let now = self.now;
        let output = self.outputs.get_mut(element.operand)?.as_mut()?;
        let flat = element.index().iter().zip(&output.shape).fold(0, |at, (index, len)| at * len + index);
        let own = output.elements.get_mut(flat as usize)?;
        let before = *own;
        let others = |stamp: Stamp| stamp.run == now.run && now.iteration > 0 && stamp.iteration > 0 && stamp.iteration != now.iteration;
        match access {
            Access::Read => own.read = now,
            Access::Write => (own.write, own.is_written) = (now, true),
            Access::Update => {}
        }
        if access != Access::Write && !before.is_written {
            return Some(Finding::Unwritten(element));
        }
        let writes = access == Access::Write;
        let race = |stamp, wrote| Finding::Race { element, first: (self.of(stamp), wrote), second: (self.of(now), writes) };
        match access {
            Access::Update => None,
            _ if others(before.write) => Some(race(before.write, true)),
            Access::Write if others(before.read) => Some(race(before.read, false)),
            _ => None,
        }
    }
}

/// Begins item number `item`: `shapes` are those of its outputs, None for an input.
pub(crate) fn item(item: usize, shapes: impl Iterator<Item = Option<[u64; MAX_RANK]>>) {
    ELEMENT.set(item);
    let output = |(k, shape): (usize, Option<_>)| shape.map(|shape| Output { shape, elements: notes(k, elements(shape)) });
    SHADOW.set(Shadow { outputs: shapes.enumerate().map(output).collect(), ..Shadow::default() });
}

/// Ends the item: of its fresh outputs, which are not empty, every element is written. `inputs`: the operands in front of the outputs.
pub(crate) fn finish(inputs: usize, fresh: u64) {
    let left = SHADOW.with_borrow(|shadow| {
        let outputs = shadow.outputs.iter().enumerate().skip(inputs).filter(|(k, _)| fresh >> (k - inputs) & 1 == 1);
        outputs.filter_map(|(k, output)| Some((k, output.as_ref()?))).find_map(|(k, output)| output.left(k))
    });
    if let Some(finding) = left {
        find(finding, None);
    }
}

/// Room for notes on so many elements of an operand.
fn notes(operand: usize, elements: usize) -> Vec<Element> {
    let mut notes = Vec::new();
    if notes.try_reserve_exact(elements).is_err() {
        let bytes = elements.saturating_mul(size_of::<Element>());
        NoMemory { operand, bytes, why: "debug mode's notes on its elements" }.raise();
    }
    notes.resize(elements, Element::default());
    notes
}

/// The elements of a shape, whose axes beyond the operand's own are 0.
fn elements(shape: [u64; MAX_RANK]) -> usize {
    shape.iter().take_while(|len| **len > 0).product::<u64>() as usize
}

/// Notes an access to an element within the shape.
pub(crate) fn access(place: Option<Place>, element: ElementOf, access: Access) {
    if let Some(finding) = SHADOW.with_borrow_mut(|shadow| shadow.access(element, access)) {
        find(finding, place);
    }
}

/// Enters the range of a loop over lanes, inside of those entered before: how many these are.
pub(crate) fn enter_range() -> usize {
    SHADOW.with_borrow_mut(|shadow| {
        let depth = shadow.at.depth;
        if depth == 0 {
            shadow.now = Stamp { run: shadow.now.run + 1, iteration: 0 };
            shadow.iterations.clear();
        }
        depth
    })
}

/// The range inside of `depth` others has a next value; None: it has no more.
pub(crate) fn next_in_range(depth: usize, value: Option<u64>) {
    SHADOW.with_borrow_mut(|shadow| {
        shadow.at.depth = depth;
        shadow.now.iteration = 0;
        let (Some(value), Some(slot)) = (value, shadow.at.at.get_mut(depth)) else { return };
        *slot = value;
        shadow.at.depth = depth + 1;
        shadow.iterations.push(shadow.at);
        shadow.now.iteration = shadow.iterations.len() as u64;
    });
}

#[cfg(test)]
mod tests {
    use super::notes;
    use crate::NoMemory;

    #[test]
    fn notes_that_memory_does_not_hold_end_the_call() {
        assert_eq!(notes(1, 3).len(), 3);
        let done = std::panic::catch_unwind(|| notes(1, 1 << 60));
        let lacking = *done.err().unwrap().downcast::<NoMemory>().unwrap();
        assert_eq!((lacking.operand, lacking.why), (1, "debug mode's notes on its elements"));
    }
}
