//! A user's crate of helpers, as strict as a crate can be: what the attributes generate raises no lint.
#![deny(warnings, missing_docs, unsafe_op_in_unsafe_fn, clippy::all)]
#![deny(
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    let_underscore_drop,
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_debug_implementations,
    non_ascii_idents,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unsafe_code,
    unused_crate_dependencies,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![warn(clippy::pedantic)]

use lanecraft::prelude::*;

/// A constant that helpers here and kernels elsewhere use.
pub const WEIGHT: f32 = 0.25;

mod private {
    use lanecraft::prelude::*;

    #[always_inline]
    pub(crate) fn twice<T: Num>(x: T) -> T {
        x + x
    }
}

/// Helpers in a module.
pub mod shapes {
    use lanecraft::prelude::*;

    /// `3 x^2 - 2 x^3` between 0 and 1.
    #[always_inline]
    #[must_use]
    pub fn smooth<T: Float>(x: T) -> T {
        let x = x.clamp(0.0, 1.0);
        x * x * (3.0 - super::private::twice(x))
    }
}

/// The square.
#[always_inline]
#[must_use]
pub fn square<T: Num>(x: T) -> T {
    x * x
}

/// A concrete helper, which calls another and a function of the prelude.
#[always_inline]
#[must_use]
pub fn norm(x: f32, y: f32) -> f32 {
    sqrt(square(x) + square::<f32>(y)) * WEIGHT
}

/// The smaller and the larger of two.
#[always_inline]
#[must_use]
pub fn ordered<T: Num>(a: T, b: T) -> (T, T) {
    if a < b { (a, b) } else { (b, a) }
}

/// A kernel over arrays that other kernels call too.
#[kernel(dtypes(f32, f64))]
#[must_use]
pub fn leaky<T: Float>(x: T, slope: T) -> T {
    if x > 0.0 { x } else { slope * x }
}

/// A kernel of concrete types, with several results.
#[kernel]
#[must_use]
pub fn parts(x: f32, bits: u32) -> (u32, u32, bool) {
    let b = x.to_bits() ^ bits;
    (b >> 23, b & 0x007f_ffff, x.is_nan())
}

#[cfg(any())]
mod absent {
    compile_error!("not compiled");
}

/// A kernel that is not there: what stands beside the function goes with it.
#[kernel]
#[cfg(any())]
pub fn absent(x: f32) -> f32 {
    x
}

/// A helper that is not there.
#[always_inline]
#[cfg(any())]
pub fn absent_helper(x: f32) -> f32 {
    x
}

/// A struct that kernels elsewhere hold.
#[kernel]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Complex<T: Num> {
    /// The real part.
    pub re: T,
    /// The imaginary part.
    pub im: T,
}

/// A struct of another, of an array and an `Option`.
#[kernel]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signal<T: Num, const N: usize>(
    /// The samples.
    pub [Complex<T>; N],
    /// A limit.
    pub Option<T>,
);

/// Weights that kernels elsewhere index.
pub const WEIGHTS: [f32; 4] = [1.0, 0.5, 0.25, 0.125];

/// The product.
#[always_inline]
#[must_use]
pub fn product<T: Num>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    let Complex { re, im } = b;
    Complex { re: a.re * re - a.im * im, im: a.re * im + a.im * re }
}

/// The sum of the samples, not above the limit.
#[always_inline]
#[must_use]
pub fn limited<T: Num, const N: usize>(signal: Signal<T, N>) -> Complex<T> {
    let Signal(samples, limit) = signal;
    let mut sum = Complex { re: T::ZERO, im: T::ZERO };
    for sample in samples {
        sum.re += sample.re;
        sum.im += sample.im;
    }
    match limit {
        Some(limit) => Complex { re: sum.re.min(limit), ..sum },
        None => sum,
    }
}

/// A kernel with a const generic.
#[kernel(dtypes(f32))]
#[must_use]
pub fn mean_of_powers<T: Float, #[parameter(2, 3)] const N: usize>(x: T) -> T {
    let mut p = [x; N];
    for k in 1..N {
        p[k] = p[k - 1] * x;
    }
    let mut sum = T::ZERO;
    for v in p {
        sum += v;
    }
    sum / N as T
}
