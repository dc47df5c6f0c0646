//! A kernel that panics. The kernel language has no panics, so what `#[kernel]` would make of one is written out.

use lanecraft::__private::{Cx, Gang16, Isa, Kernel, KernelInfo, MapKernel, Pack, Reduction, Variant};

#[allow(non_camel_case_types, reason = "named like the function that it would stand beside")]
pub(crate) enum panicking {}

impl MapKernel<(f64,)> for panicking {
    type In = (f64,);
    type Out = (f64,);
    type Gang = Gang16;
    fn gang<I: Isa>(_: Cx<'_, I>, _: <Self::In as Pack>::Lanes<I>) -> <Self::Out as Pack>::Lanes<I> {
        panic!("as it should")
    }
}

impl Kernel for panicking {
    const INFO: KernelInfo = KernelInfo {
        name: "panicking",
        doc: "Panics, whatever comes.",
        source: "",
        arguments: &["x"],
        outputs: 1,
        reduction: Reduction::InOrder,
        parameters: &[],
        variants: &[Variant::of::<Self, (f64,)>()],
    };
}

lanecraft::__submit_export! { panicking, "", "panicking" }
