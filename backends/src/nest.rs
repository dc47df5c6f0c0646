//! Operands on several axes, planned into strips: as few and as long ones as the strides allow.

use crate::debug;
use crate::error::RunError;
use crate::interrupt::CHUNK;
use crate::level::Level;
use crate::strip::{Gangs, Strip};
use crate::threads;
use crate::tile::Tiles;
use crate::variant::Variant;
use lanecraft_core::Fault;
use lanecraft_core::map::MAX_OPERANDS;
use lanecraft_core::stream::{self, Stores};

/// Rows at least so long are streamed where the whole call is long enough: where two of them share a cache line, its stores wait for each other.
const LONG: usize = 1024;

/// Loops over axes, the innermost of which is a strip.
#[derive(Debug)]
pub(crate) struct Nest {
    /// The first element of each operand.
    pub(crate) at: [*mut u8; MAX_OPERANDS],
    pub(crate) operands: usize,
    /// The axes of the loops around the strip, outermost first.
    pub(crate) outer: Vec<Axis>,
    pub(crate) inner: Axis,
}

// SAFETY: threads derive from the addresses those of strips that no two of them share.
unsafe impl Sync for Nest {}
// SAFETY: as above.
unsafe impl Send for Nest {}

/// One axis, or several merged into one.
#[derive(Debug)]
pub(crate) struct Axis {
    pub(crate) len: usize,
    /// Bytes from element to element of each operand.
    pub(crate) steps: [isize; MAX_OPERANDS],
    members: Vec<Member>,
}

/// An axis of the outputs' shape.
#[derive(Debug)]
struct Member {
    axis: usize,
    len: usize,
    /// It is walked from the end.
    flipped: bool,
}

impl Axis {
    /// Takes `inside` in, if this axis goes on where that one ends, in each of the operands.
    fn merge(&mut self, inside: Self, operands: usize) -> Option<Self> {
        let goes_on = (0..operands).all(|k| self.steps[k] == inside.steps[k].wrapping_mul(inside.len as isize));
        if !goes_on {
            return Some(inside);
        }
        self.len *= inside.len;
        self.steps = inside.steps;
        self.members.extend(inside.members);
        None
    }
}

impl Nest {
    /// Plans `operands` operands of one shape, which has no axis of length 0. `steps(axis)` are their bytes from element to
    /// element; `leader` is the operand whose order in memory is followed.
    pub(crate) fn new(
        shape: &[usize],
        mut at: [*mut u8; MAX_OPERANDS],
        operands: usize,
        leader: usize,
        steps: impl Fn(usize) -> [isize; MAX_OPERANDS],
    ) -> Self {
        let mut axes = Vec::with_capacity(shape.len());
        for (axis, len) in shape.iter().copied().enumerate().filter(|(_, len)| *len != 1) {
            let mut steps = steps(axis);
            let flipped = steps[leader] < 0;
            if flipped {
                for k in 0..operands {
                    at[k] = at[k].wrapping_offset(steps[k].wrapping_mul(len as isize - 1));
                    steps[k] = -steps[k];
                }
            }
            axes.push(Axis { len, steps, members: vec![Member { axis, len, flipped }] });
        }
        axes.sort_by_key(|axis| std::cmp::Reverse(axis.steps[leader]));

        let mut outer: Vec<Axis> = Vec::with_capacity(axes.len());
        for axis in axes {
            let rest = match outer.last_mut() {
                Some(last) => last.merge(axis, operands),
                None => Some(axis),
            };
            outer.extend(rest);
        }
        let inner = outer.pop().unwrap_or(Axis { len: 1, steps: [0; MAX_OPERANDS], members: Vec::new() });
        Self { at, operands, outer, inner }
    }

    /// One axis, as it stands.
    #[cfg(feature = "cuda")]
    pub(crate) fn line(at: [*mut u8; MAX_OPERANDS], operands: usize, len: usize, steps: [isize; MAX_OPERANDS]) -> Self {
        let inner = Axis { len, steps, members: vec![Member { axis: 0, len, flipped: false }] };
        Self { at, operands, outer: Vec::new(), inner }
    }

    /// The first element of each operand, and the axes, outermost first: their lengths, and bytes from element to element of each operand.
    #[cfg(feature = "cuda")]
    pub(crate) fn axes(&self) -> (&[*mut u8], Vec<(usize, &[isize])>) {
        let axes = self.outer.iter().chain([&self.inner]).map(|axis| (axis.len, &axis.steps[..self.operands])).collect();
        (&self.at[..self.operands], axes)
    }

    /// Where an element, counted in the order of the loops, lies in each operand.
    #[cfg(feature = "cuda")]
    pub(crate) fn place(&self, element: usize) -> Vec<*mut u8> {
        let (strip, within) = (element / self.inner.len, (element % self.inner.len) as isize);
        let at = self.start(strip);
        at.iter().zip(&self.inner.steps).take(self.operands).map(|(at, step)| at.wrapping_offset(within * step)).collect()
    }

    /// Runs every element. A fault's index counts elements in the order of the loops; see [`index`](Self::index).
    ///
    /// # Safety
    /// As for [`Variant::run_unordered`], for every strip.
    pub(crate) unsafe fn run(&self, variant: &Variant, level: Level) -> Result<(), RunError> {
        let strips: usize = self.outer.iter().map(|axis| axis.len).product();
        let (len, steps) = (self.inner.len, &self.inner.steps[..self.operands]);
        if len > threads::MIN_ELEMENTS || strips == 1 || debug::active()?.is_some() {
            for strip in 0..strips {
                let at = self.start(strip);
                // SAFETY: the caller's promise.
                unsafe { variant.run_unordered(level, &at[..self.operands], len, steps) }.map_err(|error| error.further(strip * len))?;
            }
            return Ok(());
        }
        let elements = strips.saturating_mul(len);
        let team = if elements > threads::MIN_ELEMENTS { threads::team()? } else { None };
        if let Some(tiles) = Tiles::plan(self, variant.strip(level)) {
            let strip = variant.strip(level);
            // What waits in a buffer is read soon.
            let runner = Strip { call: if tiles.is_buffered(strip.inputs) { 0 } else { elements }, ..strip };
            let done = threads::split(team, tiles.count(), (CHUNK / tiles.size()).max(1), &|start, count| {
                // SAFETY: the caller's promise, for these tiles, which no other part touches.
                unsafe { tiles.run(runner, start, count) }
            });
            let is_input = |out: usize| (0..runner.inputs).any(|k| self.at[k] == self.at[out]);
            if !matches!(done, Err(RunError::Fault(_))) || (runner.inputs..self.operands).any(is_input) {
                return done;
            }
            // The fault that comes first is found row by row.
        }
        let runner = Strip { call: if len < LONG { 0 } else { elements }, ..variant.strip(level) };
        threads::split(team, strips, (CHUNK / len.max(1)).max(1), &|start, count| {
            // SAFETY: the caller's promise, for these strips, which no other part touches.
            unsafe { self.run_strips(runner, start, count) }
        })
    }

    /// Runs `count` strips from `start` on.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    unsafe fn run_strips(&self, runner: Strip<'_>, start: usize, count: usize) -> Result<(), Fault> {
        let (len, steps) = (self.inner.len, &self.inner.steps[..self.operands]);
        let mut at = self.start(start);
        let mut index = self.counters(start);
        let mut gangs = Gangs::new();
        let mut in_place = runner.in_place(len, steps, &mut gangs);
        let mut run = |strip: usize| {
            let at_strip = &at[..self.operands];
            let done = match &mut in_place {
                // SAFETY: the caller's promise: no input, also none that is broadcast, shares memory with what another strip writes.
                Some(in_place) => unsafe { in_place.run(at_strip, Stores::Cache) },
                // SAFETY: the caller's promise.
                None => unsafe { runner.run_unfenced(at_strip, len, steps) },
            };
            done.map_err(|fault| Fault { index: fault.index + strip * len, ..fault })?;
            for (axis, count) in self.outer.iter().zip(&mut index).rev() {
                *count += 1;
                let wraps = *count == axis.len;
                let by = if wraps { 1 - axis.len as isize } else { 1 };
                for (at, step) in at.iter_mut().zip(&axis.steps).take(self.operands) {
                    *at = at.wrapping_offset(step.wrapping_mul(by));
                }
                if !wraps {
                    break;
                }
                *count = 0;
            }
            Ok(())
        };
        let done = (start..start + count).try_for_each(&mut run);
        if runner.may_stream(len) {
            stream::fence();
        }
        done
    }

    /// The loop counters of a strip.
    fn counters(&self, mut strip: usize) -> Vec<usize> {
        let mut index = vec![0; self.outer.len()];
        for (axis, count) in self.outer.iter().zip(&mut index).rev() {
            (strip, *count) = (strip / axis.len, strip % axis.len);
        }
        index
    }

    /// The first element of each operand in a strip.
    fn start(&self, strip: usize) -> [*mut u8; MAX_OPERANDS] {
        let mut at = self.at;
        for (axis, count) in self.outer.iter().zip(self.counters(strip)) {
            for (at, step) in at.iter_mut().zip(&axis.steps).take(self.operands) {
                *at = at.wrapping_offset(step.wrapping_mul(count as isize));
            }
        }
        at
    }

    /// The index, in a shape of `rank` axes, of an element counted in the order of the loops.
    pub(crate) fn index(&self, rank: usize, mut element: usize) -> Vec<usize> {
        let mut index = vec![0; rank];
        for member in self.outer.iter().chain([&self.inner]).flat_map(|axis| &axis.members).rev() {
            let count = element % member.len;
            element /= member.len;
            index[member.axis] = if member.flipped { member.len - 1 - count } else { count };
        }
        index
    }
}
