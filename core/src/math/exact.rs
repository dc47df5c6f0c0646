//! The multiply-add that is rounded once on every level.
//!
//! `mul_add` of the kernel language is rounded twice on SSE2 outside its exact mode. Most places can bear that; where the
//! sum cancels (what a product lost, the rest of a range reduction) nothing right would remain. Those call this function.

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
