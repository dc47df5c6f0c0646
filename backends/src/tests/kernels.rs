//! The kernels of the tests.

use crate::{Kernel, KernelInfo, Reduction, Variant};
use lanecraft_core::map::{Gang16, MapKernel};
use lanecraft_core::{Cx, Isa, Num, Varying, lane};

/// `a * x + y`
pub(super) enum Axpy {}
impl<T: Num> MapKernel<(T,)> for Axpy {
    type In = (T, T, T);
    type Out = (T,);
    type Gang = Gang16;
    #[inline(always)]
    fn gang<I: Isa>(cx: Cx<'_, I>, (a, x, y): (Varying<T, I>, Varying<T, I>, Varying<T, I>)) -> (Varying<T, I>,) {
        (lane::add(cx, lane::mul(cx, a, x), y),)
    }
}
impl Kernel for Axpy {
    const INFO: KernelInfo = KernelInfo {
        name: "axpy",
        doc: "",
        source: "",
        arguments: &["a", "x", "y"],
        outputs: 1,
        reduction: Reduction::InOrder,
        parameters: &[],
        variants: &[Variant::of::<Self, (f32,)>(), Variant::of::<Self, (f64,)>()],
    };
}

/// `a - b`, which knows its first operand from its second.
pub(super) enum Sub {}
impl<T: Num> MapKernel<(T,)> for Sub {
    type In = (T, T);
    type Out = (T,);
    type Gang = Gang16;
    #[inline(always)]
    fn gang<I: Isa>(cx: Cx<'_, I>, (a, b): (Varying<T, I>, Varying<T, I>)) -> (Varying<T, I>,) {
        (lane::sub(cx, a, b),)
    }
}
impl Kernel for Sub {
    const INFO: KernelInfo = KernelInfo {
        name: "sub",
        doc: "",
        source: "",
        arguments: &["a", "b"],
        outputs: 1,
        reduction: Reduction::InOrder,
        parameters: &[],
        variants: &[Variant::of::<Self, (f32,)>(), Variant::of::<Self, (i32,)>()],
    };
}

/// Quotient and remainder; faults where `b` is 0.
pub(super) enum DivRem {}
impl MapKernel<(i32,)> for DivRem {
    type In = (i32, i32);
    type Out = (i32, i32);
    type Gang = Gang16;
    #[inline(always)]
    fn gang<I: Isa>(cx: Cx<'_, I>, (a, b): (Varying<i32, I>, Varying<i32, I>)) -> (Varying<i32, I>, Varying<i32, I>) {
        (lane::div(cx, a, b), lane::rem(cx, a, b))
    }
}
impl Kernel for DivRem {
    const INFO: KernelInfo = KernelInfo {
        name: "divrem",
        doc: "",
        source: "",
        arguments: &["a", "b"],
        outputs: 2,
        reduction: Reduction::InOrder,
        parameters: &[],
        variants: &[Variant::of::<Self, (i32,)>()],
    };
}

/// `x as f32 * scale`: operands of different sizes.
pub(super) enum Scale {}
impl MapKernel<(u8, f32)> for Scale {
    type In = (u8, f32);
    type Out = (f32,);
    type Gang = Gang16;
    #[inline(always)]
    fn gang<I: Isa>(cx: Cx<'_, I>, (x, scale): (Varying<u8, I>, Varying<f32, I>)) -> (Varying<f32, I>,) {
        (lane::mul(cx, lane::cast(cx, x), scale),)
    }
}
impl Kernel for Scale {
    const INFO: KernelInfo = KernelInfo {
        name: "scale",
        doc: "",
        source: "",
        arguments: &["x", "scale"],
        outputs: 1,
        reduction: Reduction::InOrder,
        parameters: &[],
        variants: &[Variant::of::<Self, (u8, f32)>()],
    };
}

/// Panics, as no kernel should.
pub(super) enum Panics {}
impl MapKernel<(f32,)> for Panics {
    type In = (f32,);
    type Out = (f32,);
    type Gang = Gang16;
    fn gang<I: Isa>(_: Cx<'_, I>, _: (Varying<f32, I>,)) -> (Varying<f32, I>,) {
        panic!("as no kernel should")
    }
}
impl Kernel for Panics {
    const INFO: KernelInfo = KernelInfo {
        name: "panics",
        doc: "",
        source: "",
        arguments: &["x"],
        outputs: 1,
        reduction: Reduction::InOrder,
        parameters: &[],
        variants: &[Variant::of::<Self, (f32,)>()],
    };
}
