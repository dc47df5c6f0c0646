//! What the tests of CUDA calls share: the stand-in for the driver, and kernels.

pub mod fake;
pub mod kernels;

pub use fake::Fake;
