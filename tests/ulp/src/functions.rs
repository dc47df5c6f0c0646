//! The functions, as kernels, with the bounds that the documentation promises.

use crate::oracle::{self, Exact};
use lanecraft::prelude::*;
use lanecraft::{Kernel, KernelInfo};

/// A function of one variable, and what is promised of it.
#[derive(Debug)]
pub struct Function {
    /// The kernel.
    pub info: KernelInfo,
    /// What it is held against.
    pub reference: Reference,
    /// Where its arguments matter most: f64 samples lie there more densely.
    pub interval: (f64, f64),
    /// Arguments at which something changes: limits of the result, and of the method's cases.
    pub edges: &'static [f64],
}

/// What a function's results are held against.
#[derive(Clone, Copy, Debug)]
pub enum Reference {
    /// Results may be off by so much.
    Bounded {
        /// For f32 the function in f64.
        f64: fn(f64) -> f64,
        /// For f64 the value with twice the digits.
        exact: fn(f64) -> Exact,
        /// The bounds.
        bounds: Bounds,
    },
    /// Results are these, bit for bit (any NaN for NaN).
    Equal {
        /// For f32.
        f32: fn(f32) -> f32,
        /// For f64.
        f64: fn(f64) -> f64,
    },
}

/// Bounds in ULP, of f32 and f64.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// With a fused multiply-add: every level but the next.
    pub fused: [f64; 2],
    /// On level `sse2`, where a fused multiply-add is rounded twice.
    pub sse2: [f64; 2],
}

#[kernel(dtypes(f32, f64))]
fn exp<T: Float>(x: T) -> T {
    x.exp()
}
#[kernel(dtypes(f32, f64))]
fn ln<T: Float>(x: T) -> T {
    x.ln()
}
#[kernel(dtypes(f32, f64))]
fn tanh<T: Float>(x: T) -> T {
    x.tanh()
}
#[kernel(dtypes(f32, f64))]
fn sqrt<T: Float>(x: T) -> T {
    x.sqrt()
}
#[kernel(dtypes(f32, f64))]
fn floor<T: Float>(x: T) -> T {
    x.floor()
}
#[kernel(dtypes(f32, f64))]
fn ceil<T: Float>(x: T) -> T {
    x.ceil()
}
#[kernel(dtypes(f32, f64))]
fn round<T: Float>(x: T) -> T {
    x.round()
}

/// The edges of the functions that round to integers.
const ROUNDING: &[f64] = &[0.5, 1.0, 1.5, 2.5, 8_388_608.0, 4_503_599_627_370_496.0, 9_007_199_254_740_992.0, 2_147_483_648.0, 9.3e18];

/// All of them.
pub static FUNCTIONS: [Function; 7] = [
    Function {
        info: exp::INFO,
        reference: Reference::Bounded { f64: f64::exp, exact: oracle::exp, bounds: Bounds { fused: [1.0, 1.5], sse2: [2.0, 2.0] } },
        interval: (-746.0, 710.0),
        // Overflow, the smallest normal and subnormal results, and where 2^n changes.
        edges: &[709.782712893384, -708.3964185322641, -745.1332191019411, 0.34657359027997264],
    },
    Function {
        info: ln::INFO,
        reference: Reference::Bounded { f64: f64::ln, exact: oracle::ln, bounds: Bounds { fused: [1.0, 1.5], sse2: [2.0, 2.0] } },
        interval: (0.5, 2.0),
        edges: &[1.0, std::f64::consts::SQRT_2, std::f64::consts::FRAC_1_SQRT_2, f64::MIN_POSITIVE],
    },
    Function {
        info: tanh::INFO,
        reference: Reference::Bounded { f64: f64::tanh, exact: oracle::tanh, bounds: Bounds { fused: [1.5, 1.5], sse2: [3.0, 3.0] } },
        interval: (-20.0, 20.0),
        // Where a result rounds to 1, and where 2^n changes.
        edges: &[19.061547465398498, 0.17328679513998632, 0.5198603854199589],
    },
    Function {
        info: sqrt::INFO,
        reference: Reference::Equal { f32: f32::sqrt, f64: f64::sqrt },
        interval: (0.0, 4.0),
        edges: &[1.0, 2.0, f64::MIN_POSITIVE],
    },
    Function {
        info: floor::INFO,
        reference: Reference::Equal { f32: f32::floor, f64: f64::floor },
        interval: (-9.0, 9.0),
        edges: ROUNDING,
    },
    Function { info: ceil::INFO, reference: Reference::Equal { f32: f32::ceil, f64: f64::ceil }, interval: (-9.0, 9.0), edges: ROUNDING },
    Function {
        info: round::INFO,
        reference: Reference::Equal { f32: f32::round, f64: f64::round },
        interval: (-9.0, 9.0),
        edges: ROUNDING,
    },
];
