//! What the library needs of every level beyond the kernel language, called like its functions.
//!
//! [`fma_once`]: `mul_add` of the kernel language is rounded twice on SSE2 outside its exact mode. Most places can bear that; where the
//! sum cancels (what a product lost, the rest of a range reduction) nothing right would remain. Those call this function.
//! [`scale_f32`]: an instruction of AVX-512.

use crate::cx::Cx;
use crate::dtype::Float;
use crate::isa::{Isa, Varying};
use crate::lane;

/// Callable from a kernel, as what `#[always_inline]` makes of a function: `fma_once(a, b, c)` is a b + c.
#[allow(non_camel_case_types, reason = "called like a function")]
pub(crate) enum fma_once {}

impl fma_once {
    pub(crate) const __LANECRAFT_CALLS: () = ();

    #[cfg(feature = "cuda")]
    pub(crate) const __LANECRAFT_CUDA: &'static crate::cuda::Item = &crate::cuda::Item::written(
        "fma_once",
        module_path!(),
        "template <class A, class B, class C>\nLC_FN auto $n$(lc::Cx &cx, A a, B b, C c) {\n    return lc::mul_add(cx, a, b, c);\n}\n",
        &[],
    );

    #[inline(always)]
    pub(crate) fn lanes<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>, c: Varying<T, I>) -> Varying<T, I> {
        lane::fma_once(cx, a, b, c)
    }

    #[inline(always)]
    pub(crate) fn plain<T: Float, I: Isa>(cx: Cx<'_, I>, a: Varying<T, I>, b: Varying<T, I>, c: Varying<T, I>) -> Varying<T, I> {
        lane::fma_once(cx, a, b, c)
    }
}

macro_rules! scale {
    ($(#[$doc:meta])* $name:ident, $t:ident, $op:ident, $bits:literal, $fraction:literal) => {
        $(#[$doc])*
        #[allow(non_camel_case_types, reason = "called like a function")]
        pub(crate) enum $name {}

        impl $name {
            pub(crate) const __LANECRAFT_CALLS: () = ();

            #[cfg(feature = "cuda")]
            pub(crate) const __LANECRAFT_CUDA: &'static crate::cuda::Item = &crate::cuda::Item::written(
                stringify!($name),
                module_path!(),
                concat!(
                    "LC_FN ", stringify!($t), " $n$(lc::Cx &, ", stringify!($t), " a, ", stringify!($t), " t) {\n    const ", $bits,
                    " u = lc::bits(t), half = u >> 1;\n    return a * lc::from_bits<", stringify!($t), ">(half << ", $fraction,
                    ") * lc::from_bits<", stringify!($t), ">((u - half) << ", $fraction, ");\n}\n",
                ),
                &[],
            );

            #[inline(always)]
            pub(crate) fn lanes<I: Isa>(cx: Cx<'_, I>, a: Varying<$t, I>, t: Varying<$t, I>) -> Varying<$t, I> {
                Varying(cx.isa.apart(#[inline(always)] || cx.isa.$op(a.0, t.0)))
            }

            #[inline(always)]
            pub(crate) fn plain<I: Isa>(cx: Cx<'_, I>, a: Varying<$t, I>, t: Varying<$t, I>) -> Varying<$t, I> {
                Varying(cx.isa.$op(a.0, t.0))
            }
        }
    };
}
scale! {
    /// `scale_f32(a, t)` is a 2^n, rounded once, for t = n + [`SCALE_F32`](crate::isa::shims::SCALE_F32).
    scale_f32, f32, f32_scale, "u32", "23"
}
scale! {
    /// `scale_f64(a, t)` is a 2^n, rounded once, for t = n + [`SCALE_F64`](crate::isa::shims::SCALE_F64).
    scale_f64, f64, f64_scale, "u64", "52"
}

/// A function of two numbers that is not inlined on levels of the baseline's instructions, where code that is not has these too.
macro_rules! apart {
    ($name:ident, $all:ident, $t:ident) => {
        impl $name {
            pub(crate) const __LANECRAFT_CALLS: () = ();
            #[cfg(feature = "cuda")]
            pub(crate) const __LANECRAFT_CUDA: &'static crate::cuda::Item = $all::__LANECRAFT_CUDA;

            #[inline(always)]
            pub(crate) fn lanes<I: crate::Isa>(
                cx: crate::Cx<'_, I>,
                x: crate::Varying<$t, I>,
                y: crate::Varying<$t, I>,
            ) -> crate::Varying<$t, I> {
                #[inline(never)]
                fn apart<I: crate::Isa>(cx: crate::Cx<'_, I>, x: crate::Varying<$t, I>, y: crate::Varying<$t, I>) -> crate::Varying<$t, I> {
                    $all::lanes(cx, x, y)
                }
                if <I as crate::isa::Registers>::BASELINE { apart(cx, x, y) } else { $all::lanes(cx, x, y) }
            }

            #[inline(always)]
            pub(crate) fn plain<I: crate::Isa>(
                cx: crate::Cx<'_, I>,
                x: crate::Varying<$t, I>,
                y: crate::Varying<$t, I>,
            ) -> crate::Varying<$t, I> {
                $all::plain(cx, x, y)
            }
        }
    };
}
pub(crate) use apart;
