//! Running kernels on CUDA devices.
//!
//! ```text
//! call       operands, parameters, geometry: what the user writes
//! map, block checks as on the CPU, then the arguments that the entries take
//! stream     launches in order; words for faults and scalars
//! graph      launches that are noted, and replayed
//! module     text -> PTX (packed in a wheel, cached, or made by nvrtc) -> functions of a device
//! device     the primary context, which torch uses too; current for the length of each call of the driver
//! driver     the driver's library, which may be missing: then there is an error value
//! ```
//!
//! What is created is given back by `Drop`, on every way out.

mod block;
pub mod cache;
mod call;
mod device;
mod driver;
mod error;
mod fault;
mod graph;
mod launch;
mod map;
mod memory;
mod module;
pub mod nvrtc;
mod stream;

pub use call::{Call, DeviceInput, call, call_block};
pub use device::{Device, Limits};
pub use error::Error;
pub use graph::{Graph, Replacement};
pub use memory::DeviceArray;
pub use module::AnyKernel;
pub use stream::Stream;
