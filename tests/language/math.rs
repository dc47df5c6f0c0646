//! The math methods.

use crate::harness::{Rng, Sample as _, agrees, run};
use lanecraft::Level;
use lanecraft::prelude::*;

#[kernel(dtypes(float))]
fn rounding<T: Float>(x: T, y: T) -> (T, T, T, T, T, T, T, bool) {
    (x.floor(), x.ceil(), x.trunc(), x.round(), x.round_ties_even(), x.sqrt(), x.copysign(y), x.is_nan())
}

#[kernel(dtypes(i8, u16, i64, float))]
fn extremes<T: Num>(x: T, y: T, z: T) -> (T, T, T) {
    (x.min(y), x.max(y), x.clamp(y, z))
}

#[kernel(dtypes(float))]
fn fused<T: Float>(x: T, y: T, z: T) -> T {
    x.mul_add(y, z)
}

#[kernel]
fn bits(x: f32, y: f64) -> (u32, u64, f32, f64) {
    (x.to_bits(), f64::to_bits(y), f32::from_bits(x.to_bits() ^ 1), f64::from_bits(y.to_bits() >> 1))
}

#[test]
fn exact_methods() {
    macro_rules! floats {
        ($($t:ty)*) => {$(
            agrees!(rounding(x: $t, y: $t) -> ($t, $t, $t, $t, $t, $t, $t, bool) {
                (x.floor(), x.ceil(), x.trunc(), x.round(), x.round_ties_even(), x.sqrt(), x.copysign(y), x.is_nan())
            });
            agrees!(fused fused(x: $t, y: $t, z: $t) -> $t { x.mul_add(y, z) });
            agrees!(extremes(x: $t, y: $t, z: $t) -> ($t, $t, $t) {
                // A NaN loses; of two equal values the second.
                let min = |a: $t, b: $t| if b.is_nan() || a < b { a } else { b };
                let max = |a: $t, b: $t| if b.is_nan() || a > b { a } else { b };
                (min(x, y), max(x, y), min(max(x, y), z))
            });
        )*};
    }
    floats!(f32 f64);
    macro_rules! ints {
        ($($t:ty)*) => {$( agrees!(extremes(x: $t, y: $t, z: $t) -> ($t, $t, $t) { (x.min(y), x.max(y), x.max(y).min(z)) }); )*};
    }
    ints!(i8 u16 i64);
    agrees!(bits(x: f32, y: f64) -> (u32, u64, f32, f64) {
        (x.to_bits(), y.to_bits(), f32::from_bits(x.to_bits() ^ 1), f64::from_bits(y.to_bits() >> 1))
    });
}

#[kernel(dtypes(float))]
fn elementary<T: Float>(x: T) -> (T, T, T) {
    (x.exp(), ln(x), T::tanh(x))
}

/// The distance in units of the right value's last place.
macro_rules! ulps {
    ($t:ident, $came:expr, $right:expr) => {{
        let (came, right): ($t, f64) = ($came, $right);
        let rounded = right as $t;
        if came.to_bits() == rounded.to_bits() || came.is_nan() && rounded.is_nan() {
            0.0
        } else {
            let exponent = (rounded.abs().max($t::MIN_POSITIVE) as f64).log2().floor() as i32;
            (f64::from(came) - right).abs() / 2f64.powi(exponent - ($t::MANTISSA_DIGITS as i32 - 1)).max(f64::MIN_POSITIVE)
        }
    }};
}

/// The same bits; one NaN is as good as another.
macro_rules! same {
    ($a:expr, $b:expr) => {
        $a.to_bits() == $b.to_bits() || $a.is_nan() && $b.is_nan()
    };
}

#[test]
fn elementary_functions_stay_within_their_bounds() {
    let mut rng = Rng(3);
    let rows: Vec<(f32,)> = (0..2000).map(|_| (f32::sample(&mut rng),)).collect();
    let doubles: Vec<(f64,)> = (0..2000).map(|_| (f64::sample(&mut rng),)).collect();
    for level in Level::available() {
        let out = run::<elementary, _, (f32, f32, f32)>(level, &rows).unwrap();
        for ((x,), (exp, ln, tanh)) in rows.iter().zip(out) {
            let wide = f64::from(*x);
            let off = [ulps!(f32, exp, wide.exp()), ulps!(f32, ln, wide.ln()), ulps!(f32, tanh, wide.tanh())];
            // Without fused multiply-add the polynomials lose a little more.
            let slack = if level == Level::Sse2 { 2.0 } else { 0.0 };
            let bounds = [0.9, 0.95, 1.35];
            assert!(off.iter().zip(bounds).all(|(off, bound)| *off <= bound + slack), "{x:e} on {level}: {off:?} ULP");
            let plain = elementary(*x);
            assert!(level == Level::Sse2 || (same!(exp, plain.0)) && (same!(ln, plain.1)) && (same!(tanh, plain.2)), "{x:e} on {level}");
        }
        let out = run::<elementary, _, (f64, f64, f64)>(level, &doubles).unwrap();
        for ((x,), (exp, ln, tanh)) in doubles.iter().zip(out) {
            let plain = elementary(*x);
            assert!(level == Level::Sse2 || (same!(exp, plain.0)) && (same!(ln, plain.1)) && (same!(tanh, plain.2)), "{x:e} on {level}");
        }
    }
    let _ = ulps!(f64, 1.0, 1.0);
}
