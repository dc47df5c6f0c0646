//! The elementary functions, written in the kernel language: one source for every level, and for plain values.
#![allow(missing_docs, non_camel_case_types)]
macro_rules! tmp { ($($n:ident $t:ty),*) => {$( pub enum $n {} impl $n { #[inline(always)] pub fn lanes<I: crate::Isa>(_: crate::Cx<'_, I>, x: crate::Varying<$t, I>) -> crate::Varying<$t, I> { x } } )*} }
tmp!(exp_f32 f32, ln_f32 f32, tanh_f32 f32, round_f32 f32, exp_f64 f64, ln_f64 f64, tanh_f64 f64, round_f64 f64);
