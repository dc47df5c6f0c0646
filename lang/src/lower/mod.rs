//! From the tree to tokens.
//!
//! [`body`] lowers a function's body in either of two modes that differ in little: over single values ([`Mode::Plain`], the
//! reference) with Rust's own control flow, and over lanes ([`Mode::Lane`]), where both sides of an `if` are computed and
//! blended. [`item`] puts the items around it.

pub mod body;
pub mod item;
mod lane_flow;
mod plain_flow;

/// What a body is lowered to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Single values.
    Plain,
    /// Lanes.
    Lane,
}
