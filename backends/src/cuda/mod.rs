//! The CUDA C++ text of kernels: `#[kernel]` has made it beside the kernel, in pieces that name each other; here the pieces are put together.
//!
//! ```text
//! prelude.h        what Rust means by `+`, `as`, `max`, .. in C++
//! items            each function that a kernel needs, once, callees first
//! entries          per variant two `extern "C" __global__` functions: operands side by side, and operands at any strides
//! ```
//!
//! The text needs no header. Compile it as C++17 with `--fmad=false`, and without `--use_fast_math`. host.h makes it compile with a host compiler, for
//! tests. [`run`] compiles and starts kernels.

mod assemble;
mod block;
mod entry;
pub mod run;

pub use assemble::{Missing, Program};
pub use block::{BlockEntry, CudaBlockInfo};
pub use entry::{Entry, Source};
pub use lanecraft_core::cuda::{Argument, BlockShape, Item, Kind, Shape};
pub use run::{AnyKernel, Call, Device, DeviceArray, DeviceInput, Error, Graph, Limits, Replacement, Stream, call, call_block};

use crate::block::{BlockFunction, BlockInfo};
use crate::variant::{Kernel, KernelInfo};

/// Lanecraft's operations in CUDA C++, the beginning of every text.
pub const PRELUDE: &str = include_str!("prelude.h");

/// What stands for CUDA's declarations where a host compiler takes the text.
pub const HOST: &str = include_str!("host.h");

/// A kernel with a CUDA text. `#[kernel]` implements it for map kernels.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no map kernel with a CUDA text",
    note = "of a block kernel ask for `block_source`; the kernel's crate needs the feature `cuda` of `lanecraft`"
)]
pub trait CudaKernel: Kernel {
    /// How its entries call its function.
    const SHAPE: Shape;
}

/// A block kernel with a CUDA text. `#[kernel]` implements it.
pub trait CudaBlockKernel: BlockFunction {
    /// How its entries call its function.
    const SHAPE: BlockShape;
}

/// The text of all variants of a block kernel.
///
/// # Errors
/// A construct that has no CUDA text yet, in the kernel or in a function that it calls.
pub fn block_source<K: CudaBlockKernel>() -> Result<Source, Missing> {
    let mut program = Program::new();
    program.block_kernel(&CudaBlockInfo::of::<K>())?;
    Ok(program.finish())
}

/// A kernel and its text, types erased.
#[derive(Clone, Copy, Debug)]
pub struct CudaInfo {
    /// The kernel.
    pub info: KernelInfo,
    /// How its entries call its function.
    pub shape: Shape,
}

impl CudaInfo {
    /// Of kernel `K`.
    pub const fn of<K: CudaKernel>() -> Self {
        Self { info: K::INFO, shape: K::SHAPE }
    }
}

/// The text of all variants of a kernel.
///
/// # Errors
/// A construct that has no CUDA text yet, in the kernel or in a function that it calls.
pub fn source<K: CudaKernel>() -> Result<Source, Missing> {
    let mut program = Program::new();
    program.kernel(&CudaInfo::of::<K>())?;
    Ok(program.finish())
}
