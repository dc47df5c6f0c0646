//! Rows run several at once, as tiles of two axes, where a strip of each by itself would waste time or memory:
//!
//! - rows of few elements (the three channels of a pixel) are put together into one long strip;
//! - an operand whose elements lie side by side along another axis (a transposed array) is read by tiles, so that all of a cache line is used while
//!   it is in the cache, rather than one element of it per row.
//!
//! Operands that do not lie as the strip needs them go through a buffer. What is broadcast over the rows is put there once for all of them.

use crate::copies::{Plane, copy_tile};
use crate::nest::{Axis, Nest};
use crate::strip::{GANG, Strip};
use lanecraft_core::Fault;
use lanecraft_core::map::MAX_OPERANDS;
use lanecraft_core::stream;
use std::mem::MaybeUninit;
use std::ptr;

/// Rows shorter than this are put together.
const SHORT: usize = 64;
/// Bytes of all buffers: they stay in the first cache, beside what is in place.
const BYTES: usize = 24 << 10;
/// Elements of a tile at most.
const MOST: usize = 4096;
/// Rows of a transposed tile at most, and its columns if there is room: some lines of the cache each.
const ROWS: usize = 64;
const COLUMNS: usize = 128;

#[repr(align(64))]
struct Buffer(#[expect(dead_code, reason = "used through a pointer")] [MaybeUninit<u8>; BYTES]);

/// Loops over axes, the two innermost of which are a tile.
pub(crate) struct Tiles<'a> {
    nest: &'a Nest,
    /// The axes of the loops around the tile's columns, outermost first, the last that of its rows; and how many elements lie between two of each in the order of the nest.
    outer: Vec<(&'a Axis, usize)>,
    rows: usize,
    columns: usize,
    /// Where in the buffer an operand has its part, if it does not lie as it is needed.
    buffers: [Option<usize>; MAX_OPERANDS],
    /// Whether a tile is one strip: its rows follow each other in all operands.
    in_one: bool,
}

impl<'a> Tiles<'a> {
    /// Plans tiles, if they pay.
    pub(crate) fn plan(nest: &'a Nest, strip: Strip<'_>) -> Option<Self> {
        let (inner, operands) = (&nest.inner, nest.operands);
        let last = nest.outer.len().checked_sub(1)?;
        let in_one = inner.len < SHORT;
        let rows = if in_one {
            // Axes that are short together are one long one's columns, which lie apart.
            let near = inner.len * nest.outer[last].len >= SHORT;
            if near { last } else { (0..=last).max_by_key(|k| nest.outer[*k].len)? }
        } else {
            // The axis on which some operand lies closer than within the rows.
            let closer = |axis: &Axis| {
                (0..operands).filter(|k| axis.steps[*k] != 0 && axis.steps[*k].unsigned_abs() < inner.steps[*k].unsigned_abs()).count()
            };
            (0..=last).filter(|k| closer(&nest.outer[*k]) > 0).max_by_key(|k| closer(&nest.outer[*k]))?
        };
        let row = &nest.outer[rows];
        let needs_buffer = |k: usize| {
            let (step, size) = (inner.steps[k], strip.size(k) as isize);
            let follows = row.steps[k] == step * inner.len as isize;
            let in_place = step == size || (step == 0 && k < strip.inputs);
            !(in_place && (follows || !in_one))
        };
        let total: usize = (0..operands).filter(|k| needs_buffer(*k)).map(|k| strip.size(k)).sum();
        let most = (BYTES / total.max(1)).min(MOST);
        let (rows_of_tile, columns) = if in_one {
            (most / inner.len, inner.len)
        } else {
            let columns = COLUMNS.min(most / GANG / 2).next_multiple_of(GANG).min(inner.len);
            ((most / columns).min(ROWS), columns)
        };
        // Of whole gangs, if they may be.
        let rows_of_tile = if rows_of_tile > GANG { rows_of_tile - rows_of_tile % GANG } else { rows_of_tile };
        let (mut buffers, mut used) = ([None; MAX_OPERANDS], 0);
        for k in (0..operands).filter(|k| needs_buffer(*k)) {
            buffers[k] = Some(used);
            used += most * strip.size(k);
        }
        debug_assert!(used <= BYTES && rows_of_tile > 0);
        let mut outer = Vec::with_capacity(nest.outer.len());
        let mut apart = inner.len;
        for axis in nest.outer.iter().rev() {
            outer.push((axis, apart));
            apart *= axis.len;
        }
        outer.reverse();
        let row = outer.remove(rows);
        outer.push(row);
        Some(Self { nest, outer, rows: rows_of_tile.min(row.0.len), columns, buffers, in_one })
    }

    /// Whether an operand from `k` on goes through a buffer.
    pub(crate) fn is_buffered(&self, k: usize) -> bool {
        self.buffers[k..].iter().any(Option::is_some)
    }

    /// Elements of a tile.
    pub(crate) fn size(&self) -> usize {
        self.rows * self.columns
    }

    /// How many tiles there are.
    pub(crate) fn count(&self) -> usize {
        let (others, rows, columns) = self.counts();
        others * rows * columns
    }

    /// How many, on the axes around, down the rows, and along the columns.
    fn counts(&self) -> (usize, usize, usize) {
        let (row, others) =
            self.outer.split_last().map_or((1, 1), |(row, others)| (row.0.len, others.iter().map(|(axis, _)| axis.len).product()));
        (others, row.div_ceil(self.rows), self.nest.inner.len.div_ceil(self.columns))
    }

    /// Runs `count` tiles from `first` on. A fault's index counts elements in the order of the nest, and is the first one of a tile.
    ///
    /// # Safety
    /// As for [`Nest::run`].
    pub(crate) unsafe fn run(&self, strip: Strip<'_>, first: usize, count: usize) -> Result<(), Fault> {
        let mut buffer = MaybeUninit::<Buffer>::uninit();
        let mut tile = Tile { buffer: buffer.as_mut_ptr().cast(), filled: [ptr::null_mut(); MAX_OPERANDS], rows: 0, columns: 0 };
        let done = (first..first + count).try_for_each(|number| {
            // SAFETY: the caller's promise, for one tile.
            unsafe { self.run_one(strip, &mut tile, number) }
        });
        if strip.may_stream(0) {
            stream::fence();
        }
        done
    }

    /// # Safety
    /// As for [`run`](Self::run).
    unsafe fn run_one(&self, strip: Strip<'_>, tile: &mut Tile, number: usize) -> Result<(), Fault> {
        let (inner, operands) = (&self.nest.inner, self.nest.operands);
        let Some(((row, apart), others)) = self.outer.split_last() else { return Ok(()) };
        let (_, down, along) = self.counts();
        let (mut other, first_row, first_column) =
            (number / along / down, number / along % down * self.rows, number % along * self.columns);
        let (rows, columns) = (self.rows.min(row.len - first_row), self.columns.min(inner.len - first_column));
        let mut element = first_row * apart + first_column;
        let mut at = self.nest.at;
        let mut go = |axis: &Axis, by: usize| {
            for (at, step) in at.iter_mut().zip(&axis.steps).take(operands) {
                *at = at.wrapping_offset(step.wrapping_mul(by as isize));
            }
        };
        for (axis, apart) in others.iter().rev() {
            go(axis, other % axis.len);
            element += other % axis.len * apart;
            other /= axis.len;
        }
        go(row, first_row);
        go(inner, first_column);

        let (mut args, mut steps, mut row_steps) = (at, inner.steps, row.steps);
        let lies = |k: usize| Plane { at: at[k], row: row.steps[k], column: inner.steps[k] };
        let side_by_side = |k: usize, at: *mut u8| Plane { at, row: (columns * strip.size(k)) as isize, column: strip.size(k) as isize };
        for (k, offset) in self.buffers.iter().enumerate().take(operands).filter_map(|(k, offset)| offset.map(|offset| (k, offset))) {
            let plane = side_by_side(k, tile.buffer.wrapping_add(offset));
            // What all rows share is there already, if it is of the tile before.
            let kept = row.steps[k] == 0 && tile.filled[k] == at[k] && tile.columns == columns && tile.rows >= rows;
            if k < strip.inputs && !kept {
                // SAFETY: the tile's elements are readable, and `plan` has made room for them.
                unsafe { copy_tile(plane, lies(k), strip.size(k), rows, columns) };
                tile.filled[k] = at[k];
            }
            (args[k], steps[k], row_steps[k]) = (plane.at, plane.column, plane.row);
        }
        (tile.rows, tile.columns) = (rows, columns);
        let (runs, len) = if self.in_one { (1, rows * columns) } else { (rows, columns) };
        for run in 0..runs {
            // SAFETY: the caller's promise: the elements of the tile, or of one of its rows, in place or in the buffer.
            unsafe { strip.run_unfenced(&args[..operands], len, &steps[..operands]) }.map_err(|fault| {
                let (down, along) = (run + fault.index / columns, fault.index % columns);
                Fault { index: element + down * apart + along, ..fault }
            })?;
            for (arg, step) in args.iter_mut().zip(&row_steps).take(operands) {
                *arg = arg.wrapping_offset(*step);
            }
        }
        for (k, offset) in self.buffers.iter().enumerate().take(operands).skip(strip.inputs) {
            if let Some(offset) = offset {
                // SAFETY: the tile's elements are writable, and the strips have filled the buffer.
                unsafe { copy_tile(lies(k), side_by_side(k, tile.buffer.wrapping_add(*offset)), strip.size(k), rows, columns) };
            }
        }
        Ok(())
    }
}

/// What goes from tile to tile.
struct Tile {
    buffer: *mut u8,
    /// The place that the part of the buffer of an operand was filled from last.
    filled: [*mut u8; MAX_OPERANDS],
    /// And how many rows of it there are, of how many columns.
    rows: usize,
    columns: usize,
}
