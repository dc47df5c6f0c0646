//! What kernels need to run.

pub use lanecraft_backends::{Error, InPlace, Input, Kernel, KernelInfo, Level, LevelError, Output, Parameter, ParameterValue, Variant};
pub use lanecraft_core::half::{self, bf16, f16};
pub use lanecraft_core::random;
pub use lanecraft_core::{Dtype, DtypeId, Fault, FaultKind, Float, Int, Logic, Num, Signed};
pub use lanecraft_macros::{always_inline, kernel, parameter, python_export};

/// What a kernel's file imports: the attributes, the bounds of type parameters, the function forms of the math methods, and
/// random numbers.
pub mod prelude {
    pub use crate::{Dtype, Float, InPlace, Int, Logic, Num, Signed, always_inline, bf16, f16, kernel, parameter, python_export};
    pub use lanecraft_core::func::*;
    pub use lanecraft_core::random::*;
}

/// What generated code names.
#[doc(hidden)]
pub mod __private {
    pub use lanecraft_backends::{Error, Input, Kernel, KernelInfo, Output, Parameter, ParameterValue, Variant, map};
    pub use lanecraft_core::__private::*;
    pub use lanecraft_core::DtypeId;
}

/// Hands an exported kernel to the Python module of its crate: without feature `python`, to nobody.
#[cfg(not(feature = "python"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_export {
    ($name:ident $(, $module:literal)?) => {};
}
