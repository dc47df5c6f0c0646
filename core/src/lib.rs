//! What generated kernels call: dtypes, lanes of every CPU level, math, and the inner loop of a map kernel.
//!
//! The layers, bottom up:
//! - [`dtype`]: the element types and the traits a kernel names in its bounds ([`Float`], [`Int`], [`Num`], ...);
//! - [`isa`]: [`Isa`], the proof that a CPU level is present, and its registers: 16 lanes of every dtype;
//! - [`lane`]: the operations of the kernel language, over lanes and over single values alike;
//! - [`value`]: what variables hold: dtypes, and tuples, arrays, `Option`s and structs of them;
//! - [`plain`]: the entry to single values, by which the plain function, the reference, is called;
//! - [`math`] and [`random`]: the elementary functions and random numbers, written in the kernel language;
//! - [`block`]: views, loops over lanes and reductions, for block kernels;
//! - [`debug`](mod@debug): what the checked form of a kernel finds;
//! - [`map`]: [`MapKernel`](map::MapKernel), one kernel on one choice of dtypes, and its loop over a strip of elements;
//! - `cuda`: what carries the CUDA C++ text of functions, with the feature `cuda`;
//! - [`stream`]: stores that go past the caches.
//!
//! # Invariants
//! - Every function on the path from a level's entry to an operation is `#[inline(always)]` and has no
//!   `#[target_feature]` of its own. Otherwise LLVM compiles it once at the crate's baseline, and the vector code is
//!   gone without a word (ten times slower). `cargo xtask asm-gate` looks for that in object code. The operation is a function
//!   with the level's instructions ([`apart`](isa::Registers::apart)).
//! - An operation gives the same bits on every level, but for `fma` on SSE2 outside its exact mode.

extern crate self as lanecraft_core;

pub mod block;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod cx;
pub mod debug;
pub mod dtype;
pub mod func;
pub mod isa;
pub mod lane;
pub mod map;
pub mod math;
pub mod plain;
pub mod random;
pub mod stream;
pub mod value;

pub use cx::{Answer, Cx, Fault, FaultKind, NoMemory, OutOfRange};
pub use dtype::{Dtype, DtypeId, Float, Int, Logic, Num, Signed};
pub use half;
pub use isa::{Isa, Varying};

/// Its tokens, where the feature `cuda` is on.
#[cfg(feature = "cuda")]
#[doc(hidden)]
#[macro_export]
macro_rules! __cuda_only {
    ($($tokens:tt)*) => { $($tokens)* };
}
/// Nothing: the feature `cuda` is off.
#[cfg(not(feature = "cuda"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __cuda_only {
    ($($tokens:tt)*) => {};
}

/// What generated code names: `crate = crate` in this crate, `::lanecraft` elsewhere.
#[doc(hidden)]
pub mod __private {
    pub use crate::__cuda_only as cuda_only;
    pub use crate::block;
    #[cfg(feature = "cuda")]
    pub use crate::cuda;
    pub use crate::cx::Cx;
    pub use crate::isa::checked::Checked;
    pub use crate::isa::scalar::Scalar;
    pub use crate::isa::{Isa, Single, Varying};
    pub use crate::map::{Choice, Gang16, Gang32, Gang64, MapKernel, Pack, Uniform};
    pub use crate::value::{Blend, Enter, Leave, Maybe};
    pub use crate::{lane, plain};
    pub use half::{bf16, f16};
}
