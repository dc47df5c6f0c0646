//! The table of the elementary functions, and what a float dtype has by it.

use crate::cx::Cx;
use crate::isa::half::HalfLanes;
use crate::isa::{DtypeLanes, Isa, Varying};
use half::{bf16, f16};

/// Calls `$m!` with every elementary function: its doc, its name and operands, and the function of each dtype. The bounds are
/// those that tests/ulp holds the functions to; docs/accuracy.md has what it measures.
macro_rules! for_each_function {
    ($m:ident) => {
        $m! {
            /// The angle from 0 to pi whose cosine is `x`; NaN beyond 1. Within 1.25 ULP.
            acos(x) => acos_f32, acos_f64;
            /// The number at least 0 whose hyperbolic cosine is `x`; NaN below 1. Within 1.25 ULP.
            acosh(x) => acosh_f32, acosh_f64;
            /// The angle from -pi/2 to pi/2 whose sine is `x`; NaN beyond 1. Within 1.25 ULP.
            asin(x) => asin_f32, asin_f64;
            /// The number whose hyperbolic sine is `x`. Within 1.5 ULP.
            asinh(x) => asinh_f32, asinh_f64;
            /// The angle from -pi/2 to pi/2 whose tangent is `x`. Within 1.5 ULP (f32), 2 ULP (f64).
            atan(x) => atan_f32, atan_f64;
            /// The angle of the point (`x`, `y`), from -pi to pi, with C's values at zeros and infinities. Within 2 ULP.
            atan2(y, x) => atan2_f32, atan2_f64;
            /// The number whose hyperbolic tangent is `x`; +-inf at +-1, NaN beyond. Within 1 ULP.
            atanh(x) => atanh_f32, atanh_f64;
            /// The real cube root. Within 1.1 ULP (f32), 0.55 ULP (f64).
            cbrt(x) => cbrt_f32, cbrt_f64;
            /// The cosine. Within 1.5 ULP, also of large angles.
            cos(x) => cos_f32, cos_f64;
            /// The hyperbolic cosine. Within 1.5 ULP.
            cosh(x) => cosh_f32, cosh_f64;
            /// The error function. Within 1.5 ULP.
            erf(x) => erf_f32, erf_f64;
            /// `1 - x.erf()`, accurate where that is small. Within 2 ULP.
            erfc(x) => erfc_f32, erfc_f64;
            /// e to the power of `x`. Within 1 ULP (f32), 1.5 ULP (f64).
            exp(x) => exp_f32, exp_f64;
            /// 2 to the power of `x`; exact for integers. Within 1 ULP (f32), 1.5 ULP (f64).
            exp2(x) => exp2_f32, exp2_f64;
            /// e to the power of `x`, less 1, accurate near 0. Within 1.5 ULP (f32), 2 ULP (f64).
            exp_m1(x) => expm1_f32, expm1_f64;
            /// The square root of `x * x + y * y`, without overflow in between; infinite if either is. Within 1.5 ULP.
            hypot(x, y) => hypot_f32, hypot_f64;
            /// The natural logarithm; -inf at zero, NaN below. Within 1 ULP.
            ln(x) => ln_f32, ln_f64;
            /// The natural logarithm of `1 + x`, accurate near 0; -inf at -1, NaN below. Within 1.5 ULP.
            ln_1p(x) => log1p_f32, log1p_f64;
            /// The logarithm to base 10; -inf at zero, NaN below. Within 1 ULP (f32), 1.5 ULP (f64).
            log10(x) => log10_f32, log10_f64;
            /// The logarithm to base 2; exact for powers of two; -inf at zero, NaN below. Within 1 ULP.
            log2(x) => log2_f32, log2_f64;
            /// `x` to the power of `y`, with C's values at zeros, infinities and NaN. Within 1.5 ULP.
            powf(x, y) => pow_f32, pow_f64;
            /// The nearest integer, ties away from zero.
            round(x) => round_f32, round_f64;
            /// The logistic function `1 / (1 + e^-x)`. Within 1 ULP (f32), 1.5 ULP (f64).
            sigmoid(x) => sigmoid_f32, sigmoid_f64;
            /// The sine. Within 1.5 ULP, also of large angles.
            sin(x) => sin_f32, sin_f64;
            /// The hyperbolic sine. Within 1.5 ULP.
            sinh(x) => sinh_f32, sinh_f64;
            /// The tangent. Within 2 ULP, also of large angles.
            tan(x) => tan_f32, tan_f64;
            /// The hyperbolic tangent. Within 1.5 ULP.
            tanh(x) => tanh_f32, tanh_f64;
        }
    };
}
pub(crate) use for_each_function;

/// The same with the quick variants of a kernel with `fast_math`: within 4 ULP.
macro_rules! for_each_fast_function {
    ($m:ident) => {
        $m! {
            /// `acosh` within 4 ULP; for f64 the exact one, since leaving corrections out gains too little.
            acosh_fast(x) => acosh_fast_f32, acosh_f64;
            /// `asinh` within 4 ULP; for f64 as `acosh`.
            asinh_fast(x) => asinh_fast_f32, asinh_f64;
            /// `erfc` within 4 ULP.
            erfc_fast(x) => erfc_fast_f32, erfc_fast_f64;
            /// `sigmoid` within 4 ULP.
            sigmoid_fast(x) => sigmoid_fast_f32, sigmoid_fast_f64;
        }
    };
}
pub(crate) use for_each_fast_function;

macro_rules! dispatch {
    (@trait $(#[$trait_doc:meta])* $Trait:ident, $(#[$names_doc:meta])* $NAMES:ident;
     $($(#[$doc:meta])* $name:ident($($a:ident),*) => $f32:ident, $f64:ident;)*) => {
        $(#[$trait_doc])*
        pub trait $Trait: Sized + crate::Dtype {
            $(
                #[doc(hidden)]
                fn $name<I: Isa>(cx: Cx<'_, I>, $($a: Varying<Self, I>),*) -> Varying<Self, I>;
            )*
        }
        dispatch!(@impl $Trait f32 $($name($($a),*) => $f32;)*);
        dispatch!(@impl $Trait f64 $($name($($a),*) => $f64;)*);
        dispatch!(@half $Trait f16 $($name($($a),*);)*);
        dispatch!(@half $Trait bf16 $($name($($a),*);)*);
        $(#[$names_doc])*
        #[doc(hidden)]
        pub const $NAMES: &[&str] = &[$(stringify!($name)),*];
    };
    (@impl $Trait:ident $t:ident $($name:ident($($a:ident),*) => $f:ident;)*) => {
        impl $Trait for $t {
            $(
                #[inline(always)]
                fn $name<I: Isa>(cx: Cx<'_, I>, $($a: Varying<Self, I>),*) -> Varying<Self, I> {
                    super::$f::lanes(cx, $($a),*)
                }
            )*
        }
    };
    // Those of f32, not rounded.
    (@half $Trait:ident $t:ident $($name:ident($($a:ident),*);)*) => {
        impl $Trait for $t {
            $(
                #[inline(always)]
                fn $name<I: Isa>(cx: Cx<'_, I>, $($a: Varying<Self, I>),*) -> Varying<Self, I> {
                    let y = <f32 as $Trait>::$name(cx, $(Varying(<Self as DtypeLanes>::to_f32(cx.isa, $a.0))),*);
                    Varying(Self::of_f32(cx.isa, y.0))
                }
            )*
        }
    };
    ($($rows:tt)*) => {
        dispatch! {
            @trait /// The elementary functions of a float dtype, over lanes.
            Elementary, /// Their names, for the tests.
            FUNCTIONS; $($rows)*
        }
    };
}
for_each_function!(dispatch);

macro_rules! dispatch_fast {
    ($($rows:tt)*) => {
        dispatch! {
            @trait /// The quick variants of elementary functions that `fast_math` takes.
            Fast, /// Their names, for the tests.
            FAST_FUNCTIONS; $($rows)*
        }
    };
}
for_each_fast_function!(dispatch_fast);
