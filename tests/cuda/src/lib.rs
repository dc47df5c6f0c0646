//! The CUDA text of kernels under the host's C++ compiler: for this package's own check, and for the random programs.

pub mod host;
