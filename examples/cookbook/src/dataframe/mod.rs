//! Columns of a table to features of a model, all in one pass.

use lanecraft::prelude::*;

/// Seconds of a day.
const DAY: i64 = 86_400;
/// Values of the feature `cross`.
const BUCKETS: u64 = 1 << 20;

/// Features of a purchase: the logarithm of the amount; the time of day as a point on a circle; a hash of customer and article together, below 2**20.
#[kernel]
#[python_export]
pub fn features(price: f64, count: i64, time: i64, customer: i64, article: i64) -> (f32, f32, f32, i32) {
    let amount = (price * count as f64).ln_1p();
    let angle = time.rem_euclid(DAY) as f64 / DAY as f64 * std::f64::consts::TAU;
    let (sin, cos) = angle.sin_cos();
    let cross = mixed(customer as u64 ^ mixed(article as u64)) % BUCKETS;
    (amount as f32, sin as f32, cos as f32, cross as i32)
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
#[always_inline]
fn mixed(x: u64) -> u64 {
    let z = x + 0x9E37_79B9_7F4A_7C15;
    let z = (z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9;
    let z = (z ^ (z >> 27)) * 0x94D0_49BB_1331_11EB;
    z ^ (z >> 31)
}
