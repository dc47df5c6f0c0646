//! Structs: classes whose arrays Python sees in place.

use lanecraft::ndarray::{Array1, Array2};
use lanecraft::prelude::*;

/// Some bodies.
#[python_export]
#[repr(C)]
pub struct Bodies {
    /// What they are called.
    pub name: String,
    /// The step in time.
    pub dt: f64,
    /// A mark, if there is one.
    pub mark: Option<u8>,
    /// Where space ends.
    pub bounds: [[f32; 3]; 2],
    /// Masses.
    pub masses: Array1<f64>,
    /// A row per body.
    pub positions: Array2<f64>,
}

/// What a run has cost.
#[python_export(module = "parsing")]
#[repr(C)]
pub struct Cost {
    /// In seconds.
    pub seconds: f64,
    /// Python sees no private field, and makes no such object.
    steps: u64,
}

/// The number of bodies.
#[python_export]
pub fn body_count(bodies: &Bodies) -> usize {
    bodies.masses.len()
}

/// Moves all bodies.
#[python_export]
pub fn shift(bodies: &mut Bodies, by: f64) {
    bodies.positions += by;
}

/// Bodies of mass 1 in a row, and where their positions lie.
#[python_export]
pub fn in_a_row(n: usize) -> (Bodies, usize) {
    let positions = Array2::from_shape_fn((n, 3), |(i, axis)| if axis == 0 { i as f64 } else { 0.0 });
    let at = positions.as_ptr() as usize;
    let bounds = [[0.0; 3], [n as f32; 3]];
    (Bodies { name: format!("row of {n}"), dt: 0.5, mark: None, bounds, masses: Array1::ones(n), positions }, at)
}

/// What so many steps cost.
#[python_export]
pub fn cost_of(steps: u64) -> Cost {
    Cost { seconds: 0.25 * steps as f64, steps }
}

/// The steps of a cost.
#[python_export]
pub fn steps_of(cost: Option<&Cost>) -> Option<u64> {
    cost.map(|cost| cost.steps)
}

/// A point.
#[python_export]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Up.
    pub y: f64,
}

/// A line between points, which are values of its own.
#[python_export]
#[repr(C)]
#[derive(Clone)]
pub struct Line {
    /// Where it begins.
    pub start: Point,
    /// Where it ends.
    pub end: Point,
    /// A point on it, if one is marked.
    pub mark: Option<Point>,
    /// Values along it.
    pub values: Array1<f16>,
}

/// The point in the middle.
#[python_export]
pub fn middle(a: Point, b: &Point) -> Point {
    Point { x: (a.x + b.x) / 2.0, y: (a.y + b.y) / 2.0 }
}

/// The line from its end to its start.
#[python_export]
pub fn turned(line: Line) -> Line {
    Line { start: line.end, end: line.start, values: line.values.iter().rev().copied().collect(), ..line }
}

/// Lines from each point to the next one.
#[python_export]
pub fn path(points: Vec<Point>) -> Vec<Line> {
    let line = |pair: &[Point]| Line { start: pair[0], end: pair[1], mark: None, values: Array1::default(0) };
    points.windows(2).map(line).collect()
}

/// What an instrument showed: `parsing.Reading` in Python.
#[python_export]
#[repr(C)]
#[derive(Clone)]
pub struct Sample {
    /// What it showed.
    pub value: f16,
    /// Where it stood.
    pub at: Point,
    /// All that it showed before.
    pub history: Array1<f32>,
}

/// The sample with the larger value.
#[python_export]
pub fn larger(a: &Sample, b: Sample) -> Sample {
    if a.value > b.value { a.clone() } else { b }
}

/// How many samples there are.
#[python_export(module = "parsing")]
pub fn how_many(samples: Vec<Sample>) -> usize {
    samples.len()
}
