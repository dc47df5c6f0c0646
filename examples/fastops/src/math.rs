//! The math functions, as they are: `fastops.math`.
//!
//! Names are those of Python's `math` and of C. The bounds are errors in units in the last place (ULP) of the exact value, over
//! the whole range, and are what `cargo xtask ulp` holds the functions to.

use lanecraft::prelude::*;

/// The absolute value.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn abs<T: Float>(x: T) -> T {
    x.abs()
}

/// The angle from 0 to pi whose cosine is `x`; NaN unless -1 <= x <= 1. Within 1.25 ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn acos<T: Float>(x: T) -> T {
    x.acos()
}

/// The number at least 0 whose hyperbolic cosine is `x`; NaN unless x >= 1. Within 1.25 ULP.
#[kernel(dtypes(float), gang = 32)]
#[python_export(module = "math")]
pub fn acosh<T: Float>(x: T) -> T {
    x.acosh()
}

/// The angle from -pi/2 to pi/2 whose sine is `x`; NaN unless -1 <= x <= 1. Within 1.25 ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn asin<T: Float>(x: T) -> T {
    x.asin()
}

/// The number whose hyperbolic sine is `x`, for all x. Within 1.5 ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn asinh<T: Float>(x: T) -> T {
    x.asinh()
}

/// The angle from -pi/2 to pi/2 whose tangent is `x`, for all x. Within 1.5 ULP (float32), 2 ULP (float64).
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn atan<T: Float>(x: T) -> T {
    x.atan()
}

/// The angle of the point (`x`, `y`), from -pi to pi, for all x and y, with the values of C at zeros and infinities. Within 2
/// ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn atan2<T: Float>(y: T, x: T) -> T {
    y.atan2(x)
}

/// The number whose hyperbolic tangent is `x`; infinite at -1 and 1, NaN beyond. Within 1 ULP.
#[kernel(dtypes(float), gang = 32)]
#[python_export(module = "math")]
pub fn atanh<T: Float>(x: T) -> T {
    x.atanh()
}

/// The real cube root, for all x. Within 1.1 ULP (float32), 0.55 ULP (float64).
#[kernel(dtypes(float), gang = 32)]
#[python_export(module = "math")]
pub fn cbrt<T: Float>(x: T) -> T {
    x.cbrt()
}

/// The smallest integer not below `x`.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn ceil<T: Float>(x: T) -> T {
    x.ceil()
}

/// `x` between `lo` and `hi`: `fmin(fmax(x, lo), hi)`.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn clamp<T: Float>(x: T, lo: T, hi: T) -> T {
    x.clamp(lo, hi)
}

/// The magnitude of `x` with the sign of `sign`.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn copysign<T: Float>(x: T, sign: T) -> T {
    x.copysign(sign)
}

/// The cosine of an angle in radians, however large; NaN for infinities. Within 1.5 ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn cos<T: Float>(x: T) -> T {
    x.cos()
}

/// The hyperbolic cosine, for all x. Within 1.5 ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn cosh<T: Float>(x: T) -> T {
    x.cosh()
}

/// The error function, for all x. Within 1.5 ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn erf<T: Float>(x: T) -> T {
    x.erf()
}

/// `1 - erf(x)`, accurate where that is small, for all x. Within 2 ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn erfc<T: Float>(x: T) -> T {
    x.erfc()
}

/// e to the power of `x`, for all x. Within 1 ULP (float32), 1.5 ULP (float64).
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn exp<T: Float>(x: T) -> T {
    x.exp()
}

/// 2 to the power of `x`, for all x; exact for integers. Within 1 ULP (float32), 1.5 ULP (float64).
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn exp2<T: Float>(x: T) -> T {
    x.exp2()
}

/// e to the power of `x`, less 1, accurate near 0, for all x. Within 1.5 ULP (float32), 2 ULP (float64).
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn expm1<T: Float>(x: T) -> T {
    x.exp_m1()
}

/// The largest integer not above `x`.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn floor<T: Float>(x: T) -> T {
    x.floor()
}

/// `x * y + z`, rounded once (twice on plain SSE2).
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn fma<T: Float>(x: T, y: T, z: T) -> T {
    x.mul_add(y, z)
}

/// The larger value; a NaN loses; of -0 and 0, `y`.
#[kernel(dtypes(float))]
#[python_export(module = "math", reorderable)]
pub fn fmax<T: Float>(x: T, y: T) -> T {
    x.max(y)
}

/// The smaller value; a NaN loses; of -0 and 0, `y`.
#[kernel(dtypes(float))]
#[python_export(module = "math", reorderable)]
pub fn fmin<T: Float>(x: T, y: T) -> T {
    x.min(y)
}

/// The remainder of `x / y` with the sign of `x`, as in C; NaN where y is 0 or x infinite.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn fmod<T: Float>(x: T, y: T) -> T {
    x % y
}

/// The square root of `x * x + y * y`, without overflow in between; infinite if either is. Within 1.5 ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math", identity = 0)]
pub fn hypot<T: Float>(x: T, y: T) -> T {
    x.hypot(y)
}

/// The natural logarithm; -inf at 0, NaN below. Within 1 ULP.
#[kernel(dtypes(float), gang = 32)]
#[python_export(module = "math")]
pub fn log<T: Float>(x: T) -> T {
    x.ln()
}

/// The logarithm to base 10; -inf at 0, NaN below. Within 1 ULP (float32), 1.5 ULP (float64).
#[kernel(dtypes(float), gang = 32)]
#[python_export(module = "math")]
pub fn log10<T: Float>(x: T) -> T {
    x.log10()
}

/// The natural logarithm of `1 + x`, accurate near 0; -inf at -1, NaN below. Within 1.5 ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn log1p<T: Float>(x: T) -> T {
    x.ln_1p()
}

/// The logarithm to base 2; exact for powers of two; -inf at 0, NaN below. Within 1 ULP.
#[kernel(dtypes(float), gang = 32)]
#[python_export(module = "math")]
pub fn log2<T: Float>(x: T) -> T {
    x.log2()
}

/// `x` to the power of `y`, with the values of C at zeros, infinities and NaN; NaN for x < 0 unless y is an integer. Within 1.5
/// ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn pow<T: Float>(x: T, y: T) -> T {
    x.powf(y)
}

/// The nearest integer, ties to even.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn rint<T: Float>(x: T) -> T {
    x.round_ties_even()
}

/// The nearest integer, ties away from zero, as in C. (NumPy and Python round ties to even: `rint`.)
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn round<T: Float>(x: T) -> T {
    x.round()
}

/// `1 / sqrt(x)`; infinite at 0, NaN below. Within 1.5 ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn rsqrt<T: Float>(x: T) -> T {
    x.rsqrt()
}

/// The logistic function `1 / (1 + exp(-x))`, for all x. Within 1 ULP (float32), 1.5 ULP (float64).
#[kernel(dtypes(float), gang = 32)]
#[python_export(module = "math")]
pub fn sigmoid<T: Float>(x: T) -> T {
    x.sigmoid()
}

/// The sine of an angle in radians, however large; NaN for infinities. Within 1.5 ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn sin<T: Float>(x: T) -> T {
    x.sin()
}

/// The hyperbolic sine, for all x. Within 1.5 ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn sinh<T: Float>(x: T) -> T {
    x.sinh()
}

/// The square root, correctly rounded; NaN below 0.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn sqrt<T: Float>(x: T) -> T {
    x.sqrt()
}

/// The tangent of an angle in radians, however large; NaN for infinities. Within 2 ULP.
#[kernel(dtypes(float), gang = 32)]
#[python_export(module = "math")]
pub fn tan<T: Float>(x: T) -> T {
    x.tan()
}

/// The hyperbolic tangent, for all x. Within 1.5 ULP.
#[kernel(dtypes(float), gang = 32)]
#[python_export(module = "math")]
pub fn tanh<T: Float>(x: T) -> T {
    x.tanh()
}

/// The integer part.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn trunc<T: Float>(x: T) -> T {
    x.trunc()
}

/// `x` to the power of the integer `n`, by repeated multiplication: within about `n` ULP.
#[kernel(dtypes(float))]
#[python_export(module = "math")]
pub fn powi<T: Float>(x: T, n: i32) -> T {
    x.powi(n)
}
