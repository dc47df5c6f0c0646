//! Running kernels: which CPU level, strips of elements at any strides, threads, and arrays of any shape.
//!
//! The layers, bottom up:
//! - [`level`]: [`Level`], which levels this build and this CPU have, and which one is in use;
//! - `entry`: one function per kernel variant and level, compiled with the level's instructions;
//! - `strip`: n elements of every operand at any strides, brought into the whole gangs that an entry takes;
//! - `copies`: elements on their way between the user's memory and buffers;
//! - `tile`: short rows, and those of transposed operands, several at once;
//! - `threads`: long work split over threads;
//! - [`interrupt`]: stopping a long call;
//! - [`debug`](mod@debug): checked runs;
//! - [`variant`]: [`Variant`], a kernel on one choice of dtypes, behind a type-erased call of the shape of a NumPy loop;
//! - `cuda`: the CUDA C++ text of kernels, with the feature `cuda`;
//! - [`operand`] and [`map`](mod@map): typed arrays and scalars as operands, broadcast and planned into strips.
//!
//! # Invariants
//! - Nothing here is generic over kernels but `entry`, [`Variant::of`] and [`map()`], each a few instructions around the
//!   kernel's own code: a wheel holds many kernels.
//! - User memory is touched through raw pointers alone: NumPy may hand over one array as input and output.
//! - A call that fails gives an error value; it does not unwind.

pub mod block;
mod copies;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod debug;
mod entry;
pub mod error;
pub mod interrupt;
pub mod level;
pub mod map;
mod nest;
pub mod operand;
mod strip;
mod threads;
mod tile;
pub mod variant;

pub use block::{BlockFunction, BlockInfo, BlockVariant, Dim, Signature, run_block};
pub use error::{Error, RunError};
pub use interrupt::interruptible;
pub use level::{Level, LevelError};
pub use map::map;
pub use operand::{InPlace, Input, Operand, Output, OutputOperand};
pub use strip::REMAINDER;
pub use threads::{ThreadsError, with_threads};
pub use variant::{Kernel, KernelInfo, Parameter, ParameterValue, Reduction, Variant};

#[cfg(test)]
mod tests;
