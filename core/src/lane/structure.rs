//! Structs: their literals and patterns, which Rust checks on the user's own struct.
//!
//! A literal is written twice: on the user's struct, in a closure that is never called, where Rust finds fault with it; and as assignments
//! to the fields of the lanes' struct. So that a fault is told once, a [`Field`] carries what rustc thinks of a field from the one to the
//! other: its type, or the error type, and of what is beside that in a tuple rustc says nothing more.

use crate::cx::Cx;
use crate::isa::Isa;
use crate::value::{Blend, Enter};
use core::marker::PhantomData;

/// A struct that kernels can hold.
#[diagnostic::on_unimplemented(
    message = "struct `{Self}` cannot be used in a kernel; put `#[kernel]` on its declaration, because lanes need a struct of their own",
    label = "a struct without `#[kernel]`"
)]
pub trait Struct: Enter {
    /// Its lanes.
    type Fields<I: Isa>: Blend<I>;
}

/// A field of a literal, of a type to be found: `X` in the user's struct.
#[derive(Debug)]
pub struct Field<X>(PhantomData<X>);

/// One of them.
#[inline(always)]
pub fn field<X, I: Isa>(_: Cx<'_, I>) -> Field<X> {
    Field(PhantomData)
}

/// In a literal of the user's struct that is never evaluated, what stands for a field.
#[inline(always)]
pub fn value_of<X, I: Isa>(_: Cx<'_, I>, _: &Field<X>) -> X {
    unreachable!("a literal that is there for its type alone")
}

/// The same for the lanes that a field is given.
#[inline(always)]
pub fn witness<B: Blend<I>, I: Isa>(_: Cx<'_, I>, _: &B) -> B::Memory {
    unreachable!("a literal that is there for its type alone")
}

/// `both` are a field's type and the type of what it is given, one and the same; where they are not, rustc tells the user that the elements
/// of an array differ, and `X` is its error type.
#[inline(always)]
pub fn agree<X, I: Isa>(_: Cx<'_, I>, _: &Field<X>, _both: [X; 2]) {}

/// `_part` of a pattern's value is of the field's type.
#[inline(always)]
pub fn is<X, I: Isa>(_: Cx<'_, I>, _: &Field<X>, _part: X) {}

/// Lanes to put the fields of a literal into; `literal` tells the struct and is not called.
#[inline(always)]
pub fn fields_of<P: Struct, I: Isa>(cx: Cx<'_, I>, _literal: impl FnOnce() -> P) -> P::Fields<I> {
    Blend::zero(cx)
}

/// `P { field: .., ..base }`: the base, of which `_start` tells the type.
#[inline(always)]
pub fn based<B: Blend<I>, I: Isa>(_: Cx<'_, I>, _start: B, base: B) -> B {
    base
}

/// The lanes of the struct that a pattern names; `_pattern` is not called.
#[inline(always)]
pub fn shape_of<P: Struct, I: Isa>(_: Cx<'_, I>, _pattern: impl FnOnce(P)) -> Field<P::Fields<I>> {
    Field(PhantomData)
}

/// Checks that a value is of that shape.
#[inline(always)]
pub fn shaped<B, I: Isa>(_: Cx<'_, I>, _: Field<B>, _: &B) {}
