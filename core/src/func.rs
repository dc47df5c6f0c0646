//! The function forms of the built-in methods: `exp(x)` for `x.exp()`, in kernels and outside.

use crate::cx::Cx;
use crate::dtype::{Float, Num, Signed};
use crate::isa::{Isa, Varying};
use crate::math::for_each_function;
use crate::{lane, plain};

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident: $bound:ident($($a:ident),*);)*) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name<T: $bound>($($a: T),*) -> T {
            plain::call(#[inline(always)] |cx| lane::$name(cx, $(lane::splat(cx, $a)),*))
        }

        #[doc(hidden)]
        #[allow(non_camel_case_types, reason = "it stands beside the function of its name")]
        #[derive(Debug)]
        pub enum $name {}
        impl $name {
            #[doc(hidden)]
            pub const __LANECRAFT_CALLS: () = ();
            #[doc(hidden)]
            #[cfg(feature = "cuda")]
            pub const __LANECRAFT_CUDA: &'static crate::cuda::Item = &crate::cuda::Item::written(
                stringify!($name),
                module_path!(),
                concat!(
                    "template <class ...A>\nLC_FN auto $n$(lc::Cx &cx, A ...a) {\n    return lc::", stringify!($name), "(cx, a...);\n}\n"
                ),
                crate::cuda::elementary_of(stringify!($name)),
            );
            #[doc(hidden)]
            #[inline(always)]
            pub fn lanes<T: $bound, I: Isa>(cx: Cx<'_, I>, $($a: Varying<T, I>),*) -> Varying<T, I> {
                lane::$name(cx, $($a),*)
            }
            #[doc(hidden)]
            #[inline(always)]
            pub fn plain<T: $bound, I: Isa>(cx: Cx<'_, I>, $($a: Varying<T, I>),*) -> Varying<T, I> {
                lane::$name(cx, $($a),*)
            }
        }
    )*};
}

macro_rules! elementary {
    ($($(#[$doc:meta])* $name:ident($($a:ident),*) => $f32:ident, $f64:ident;)*) => {
        functions! { $($(#[$doc])* $name: Float($($a),*);)* }
    };
}
for_each_function!(elementary);

functions! {
    /// The absolute value; an integer's `MIN` wraps.
    abs: Signed(x);
    /// The smallest integer not below `x`.
    ceil: Float(x);
    /// `x.max(lo).min(hi)`
    clamp: Num(x, lo, hi);
    /// The magnitude of `x` with the sign of `sign`.
    copysign: Float(x, sign);
    /// The largest integer not above `x`.
    floor: Float(x);
    /// The larger value; a NaN loses; of -0 and +0, `y`.
    max: Num(x, y);
    /// The smaller value; a NaN loses; of -0 and +0, `y`.
    min: Num(x, y);
    /// `x * y + z` with one rounding.
    mul_add: Float(x, y, z);
    /// The nearest integer, ties to even.
    round_ties_even: Float(x);
    /// `1 / x.sqrt()`, each rounded: within 1.5 ULP.
    rsqrt: Float(x);
    /// The square root, correctly rounded; NaN below zero.
    sqrt: Float(x);
    /// The integer part.
    trunc: Float(x);
}
