//! Rows as one: a loop over two ranges whose rows lie side by side in all views is a loop over one long row.
//!
//! A long row begins and ends once, so that hardly any of its gangs need checks, and those between can begin where cache lines do.

use super::view::Raw;
use crate::dtype::Dtype;
use crate::isa::Varying;
use crate::isa::scalar::Scalar;

type One = Varying<u64, Scalar>;

/// The ranges of the rows and of their lanes, and whether they are one.
#[derive(Clone, Copy, Debug)]
pub struct Flat {
    row: u64,
    end: u64,
    lane: u64,
    lanes_end: u64,
    together: bool,
}

/// The ranges of the rows and of their lanes. They can be one if the range between, where there is one, has a `single` value.
#[inline(always)]
pub fn flat(row: One, end: One, lane: One, lanes_end: One, single: bool) -> Flat {
    let together = single && row.0 < end.0 && lane.0 < lanes_end.0;
    Flat { row: row.0, end: end.0, lane: lane.0, lanes_end: lanes_end.0, together }
}

impl Flat {
    /// The lanes of all rows.
    #[inline(always)]
    fn lanes(&self) -> Option<u64> {
        (self.end - self.row).checked_mul(self.lanes_end - self.lane)?.checked_add(self.lane)
    }

    /// They are one if a row of `x` also begins where the one before ends, and none has an index out of range.
    #[inline(always)]
    pub fn over<T: Dtype, const N: usize>(self, x: Raw<T, N>, row_axis: usize, lane_axis: usize) -> Self {
        let step = |axis: usize| if axis == N - 1 { size_of::<T>() as isize } else { x.steps[axis] };
        let row = step(lane_axis).wrapping_mul(self.lanes_end.wrapping_sub(self.lane) as isize);
        let within = self.end <= x.shape[row_axis] && self.lanes_end <= x.shape[lane_axis];
        Self { together: self.together && within && step(row_axis) == row && self.lanes().is_some(), ..self }
    }

    /// `x`, its axis of lanes as long as all rows.
    #[inline(always)]
    pub fn view<T: Dtype, const N: usize>(&self, x: Raw<T, N>, lane_axis: usize) -> Raw<T, N> {
        let mut x = x;
        x.shape[lane_axis] = if self.together { self.lanes().unwrap_or(0) } else { x.shape[lane_axis] };
        x
    }

    /// The ends of both ranges: of one row, if they are one.
    #[inline(always)]
    pub fn ends(&self) -> (One, One) {
        let (end, lanes_end) = if self.together { (self.row + 1, self.lanes().unwrap_or(0)) } else { (self.end, self.lanes_end) };
        (Varying(end), Varying(lanes_end))
    }
}
