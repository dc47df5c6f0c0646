//! The elementary functions, written in the kernel language: one source for every level, and for plain values.
//!
//! Each is one polynomial per dtype, with every `fma` written out and no table, so that all levels give the same bits. The
//! coefficients come from `core/fit/fit.py`; `cargo xtask ulp` measures the bounds.

mod exp;
mod hyperbolic;
mod log;
mod round;

pub use exp::{exp_f32, exp_f64};
pub use hyperbolic::{tanh_f32, tanh_f64};
pub use log::{ln_f32, ln_f64};
pub use round::{round_f32, round_f64};
