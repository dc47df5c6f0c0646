//! From the tree to tokens.
//!
//! [`body`] lowers a function's body in either of two modes, to the same operations: over single values ([`Mode::Plain`], the
//! reference) with Rust's own control flow, and over lanes ([`Mode::Lane`]), where both sides of an `if` are computed and
//! blended. `forms` makes functions of them, [`item`] puts the items around these.

mod aggregate;
pub mod body;
pub(crate) mod choice;
mod fast;
pub(crate) mod forms;
pub mod item;
mod lane_flow;
mod literals;
mod plain_flow;
pub mod structure;
mod types;

/// What a body is lowered to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Single values.
    Plain,
    /// Lanes.
    Lane,
}
