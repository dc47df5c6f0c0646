//! Random numbers, each a function of a seed and an index.

use lanecraft::prelude::*;

/// A uniform random number in [0, 1) for each seed and index: the same one every time, in any order. A multiple of 2**-53.
///
/// Philox-4x32-10 of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
#[kernel(dtypes(i64, u64))]
#[python_export]
pub fn random_uniform<T: Int>(seed: T, index: T) -> f64 {
    let (a, b, _, _) = philox(seed as u64, index as u64);
    uniform_f64(a, b)
}

/// A normal random number (mean 0, variance 1) for each seed and index: the same one every time, in any order.
///
/// Philox-4x32-10, and the method of Box and Muller.
#[kernel(dtypes(i64, u64))]
#[python_export]
pub fn random_normal<T: Int>(seed: T, index: T) -> f64 {
    let (a, b, c, d) = philox(seed as u64, index as u64);
    let (z, _) = normal_f64(a, b, c, d);
    z
}
