//! The elementary functions, written in the kernel language: one source for every level, and for plain values.
//!
//! Each is one polynomial per dtype, with every `fma` written out and no table, so that all levels give the same bits. The
//! coefficients come from `core/fit/fit.py`; `cargo xtask ulp` measures the bounds.

mod erf;
mod erf64;
mod exact;
mod exp;
mod fast;
mod hyperbolic;
mod inverse;
mod inverse_hyperbolic;
mod log;
mod log2;
mod pow;
mod pow64;
mod reduce;
mod root;
mod round;
mod sigmoid;
mod sinh;
mod table;
mod trig;

pub use erf::*;
pub use erf64::*;
pub use exp::*;
pub use fast::*;
pub use hyperbolic::*;
pub use inverse::*;
pub use inverse_hyperbolic::*;
pub use log::*;
pub use log2::*;
pub use pow::*;
pub use pow64::*;
pub use root::*;
pub use round::*;
pub use sigmoid::*;
pub use sinh::*;
pub use table::{Elementary, Fast};
#[doc(hidden)]
pub use table::{FAST_FUNCTIONS, FUNCTIONS};
pub(crate) use table::{for_each_fast_function, for_each_function};
pub use trig::*;
