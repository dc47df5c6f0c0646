//! The plain function, the reference: the kernel's body over single values, in Rust's own control flow.

use crate::cx::{Cx, FaultCell};
use crate::isa::scalar::Scalar;
use crate::value::Leave;

/// Runs a body on single values.
///
/// # Panics
/// On a fault, as Rust does.
#[inline(always)]
pub fn call<R: Leave>(body: impl FnOnce(Cx<'_, Scalar>) -> R) -> R::Value {
    let fault = FaultCell::panicking();
    body(Cx::new(Scalar, &fault)).leave()
}
