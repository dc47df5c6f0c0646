//! Structs: their literals and patterns, which Rust checks on the user's own struct.

use crate::cx::Cx;
use crate::isa::Isa;
use crate::value::{Blend, Enter};

/// In a literal of the user's struct that is never evaluated, what stands for a field's lanes.
#[inline(always)]
pub fn witness<B: Blend<I>, I: Isa>(_: Cx<'_, I>, _: &B) -> B::Memory {
    unreachable!("a literal that is there for its type alone")
}

/// Lanes to put the fields of a literal into; `literal` tells the struct and is not called.
#[inline(always)]
pub fn fields_of<P: Enter, I: Isa>(cx: Cx<'_, I>, _literal: impl FnOnce() -> P) -> P::Lanes<I> {
    Blend::zero(cx)
}

/// `P { field: .., ..base }`: the base.
#[inline(always)]
pub fn fields_of_base<P: Enter, I: Isa>(_: Cx<'_, I>, base: P::Lanes<I>, _literal: impl FnOnce() -> P) -> P::Lanes<I> {
    base
}

/// Checks that the lanes are those of the struct that a pattern names; `pattern` is not called.
#[inline(always)]
pub fn shape<P: Enter, I: Isa>(_: Cx<'_, I>, _: &P::Lanes<I>, _pattern: impl FnOnce(P)) {}
