//! What kernels need to run.

pub use lanecraft_backends::{
    BlockFunction, BlockInfo, BlockVariant, Error, InPlace, Input, Kernel, KernelInfo, Level, LevelError, Output, Parameter,
    ParameterValue, Variant, with_threads,
};
pub use lanecraft_core::block::{View, ViewError, ViewMut};
pub use lanecraft_core::half::{self, bf16, f16};
pub use lanecraft_core::random;
pub use lanecraft_core::{Dtype, DtypeId, Fault, FaultKind, Float, Int, Logic, Num, Signed};
pub use lanecraft_macros::{always_inline, kernel, parameter, python_export};

/// What a kernel's file imports: the attributes, the bounds of type parameters, the function forms of the math methods, and
/// random numbers.
pub mod prelude {
    pub use crate::{
        Dtype, Float, InPlace, Int, Logic, Num, Signed, View, ViewMut, always_inline, bf16, f16, kernel, parameter, python_export,
    };
    pub use lanecraft_core::func::*;
    pub use lanecraft_core::random::*;
}

/// Block kernels as data, and running them in the shape of a gufunc's loop: for tools and tests.
pub mod block {
    pub use lanecraft_backends::block::run::run_on;
    pub use lanecraft_backends::block::variant::{BlockFault, Call};
    pub use lanecraft_backends::{BlockFunction, BlockInfo, BlockVariant, Dim, Level, Signature};
}

/// Debug mode: kernels run as checked code, and end with the first thing that is wrong, at a line of the source.
///
/// ```
/// use lanecraft::debug::{self, Settings};
/// use lanecraft::prelude::*;
///
/// #[kernel]
/// fn next(x: i32) -> i32 {
///     x + 1
/// }
///
/// let mut out = [0; 2];
/// let found = debug::with(Settings::default(), || next::map(&[1, i32::MAX], &mut out)).unwrap_err();
/// assert!(found.to_string().starts_with("next: 2147483647 + 1 overflows i32 ("), "{found}");
/// assert!(found.to_string().ends_with(") at index [1] of shape [2]"), "{found}");
/// ```
pub mod debug {
    pub use lanecraft_backends::debug::{
        DebugError, ElementOf, Finding, Iteration, Operation, Place, Report, Settings, active, print_by, with,
    };
}

/// The CUDA C++ text of kernels, and running it.
#[cfg(feature = "cuda")]
pub use lanecraft_backends::cuda;

/// What generated code names.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "cuda")]
    pub use lanecraft_backends::cuda::{CudaBlockKernel, CudaKernel};
    pub use lanecraft_backends::{
        BlockFunction, BlockInfo, BlockVariant, Dim, Error, Input, Kernel, KernelInfo, Output, OutputOperand, Parameter, ParameterValue,
        Reduction, Signature, Variant, map, run_block,
    };
    pub use lanecraft_core::__private::*;
    pub use lanecraft_core::DtypeId;
}

/// Hands an exported kernel's CUDA text to the Python module of its crate: without the features `python` and `cuda`, to nobody.
#[cfg(not(all(feature = "python", feature = "cuda")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_cuda {
    ($($kernel:tt)*) => {};
}

/// Hands an exported kernel to the Python module of its crate: without feature `python`, to nobody.
#[cfg(not(feature = "python"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_export {
    ($name:ident, $module:literal, $published:literal) => {};
}

/// [`__submit_export`] for block kernels.
#[cfg(not(feature = "python"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_block_export {
    ($name:ident, $module:literal, $published:literal) => {};
}

/// What is generated for functions and structs: without feature `python`, nothing.
#[cfg(not(feature = "python"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __export {
    ($($items:tt)*) => {};
}
