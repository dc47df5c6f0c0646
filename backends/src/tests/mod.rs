//! Kernels written by hand, as the macro would write them, and tests against plain loops.

#[cfg(feature = "ndarray")]
mod arrays;
mod kernels;
mod levels;
mod maps;
mod strips;
mod threading;
