//! Running block kernels: on one item or many, from typed arrays or in the shape of a NumPy gufunc's loop.
//!
//! - [`info`]: [`BlockInfo`] and [`Signature`], what is known of a kernel at run time;
//! - [`variant`]: [`BlockVariant`], one choice of dtypes, types erased;
//! - `entry`: one function per variant and level;
//! - `crew`: several threads on one item;
//! - `memory`: what is written past the caches, what is prefetched;
//! - `pack`: copies of operands whose elements do not lie side by side;
//! - [`run`](mod@run): typed arrays, checked against the signature.

mod crew;
mod entry;
pub mod info;
mod memory;
mod pack;
pub mod run;
pub mod variant;

pub use info::{BlockFunction, BlockInfo, Dim, Signature};
pub use run::run_block;
pub use variant::{BlockFault, BlockVariant};
