//! The kernels that are compared: those of `examples/fastops`, and forms of the language.

use crate::fastops;
use crate::values::Range;
use anyhow::{Result, ensure};
use lanecraft::cuda::{CudaBlockInfo, CudaInfo};

/// The sources of fastops, to see that none is left out.
const SOURCES: &[&str] = &[
    include_str!("../../../examples/fastops/src/activations.rs"),
    include_str!("../../../examples/fastops/src/arithmetic.rs"),
    include_str!("../../../examples/fastops/src/images.rs"),
    include_str!("../../../examples/fastops/src/iterations.rs"),
    include_str!("../../../examples/fastops/src/math.rs"),
    include_str!("../../../examples/fastops/src/matrices.rs"),
    include_str!("../../../examples/fastops/src/numbers.rs"),
    include_str!("../../../examples/fastops/src/random.rs"),
    include_str!("../../../examples/fastops/src/rows.rs"),
];

macro_rules! kernels {
    ($($name:ident: $module:ident { $($kernel:ident)* })*) => {$(
        const $name: &[CudaInfo] = &[$(CudaInfo::of::<fastops::$module::$kernel>()),*];
    )*};
}
kernels! {
    ACTIVATIONS: activations { gelu sigmoid leaky_relu }
    ARITHMETIC: arithmetic { axpy exp clip_scale hypot3 }
    IMAGES: images { normalize_u8 srgb_to_linear srgb_to_linear_f16 }
    ITERATIONS: iterations { mandelbrot collatz }
    MATH: math {
        abs acos acosh asin asinh atan atan2 atanh cbrt ceil clamp copysign cos cosh erf erfc exp exp2 expm1 floor fma fmax fmin fmod hypot
        log log10 log1p log2 pow rint round rsqrt sigmoid sin sinh sqrt tan tanh trunc powi
    }
    NUMBERS: numbers { quantize classify }
    RANDOM: random { random_uniform random_normal }
}

macro_rules! blocks {
    ($($name:ident: $module:ident { $($kernel:ident)* })*) => {$(
        const $name: &[CudaBlockInfo] = &[$(CudaBlockInfo::of::<fastops::$module::$kernel>()),*];
    )*};
}
blocks! {
    IMAGE_BLOCKS: images { jacobi gaussian_blur hwc_u8_to_chw_f32 transpose resize_bilinear resize_normalize }
    MATRICES: matrices { matmul pairwise_sqdist }
    ROWS: rows { softmax log_softmax layernorm rmsnorm sum mean_var argmax cumsum histogram cross_entropy top_k }
}

/// Kernels that belong together: where they come from, map kernels, block kernels.
pub type Group = (&'static str, &'static [CudaInfo], &'static [CudaBlockInfo]);

/// The kernels of fastops, by module.
const FASTOPS: &[Group] = &[
    ("activations", ACTIVATIONS, &[]),
    ("arithmetic", ARITHMETIC, &[]),
    ("images", IMAGES, IMAGE_BLOCKS),
    ("iterations", ITERATIONS, &[]),
    ("math", MATH, &[]),
    ("matrices", &[], MATRICES),
    ("numbers", NUMBERS, &[]),
    ("random", RANDOM, &[]),
    ("rows", &[], ROWS),
];

/// The kernels of the other tests.
#[allow(
    unused,
    unexpected_cfgs,
    unused_qualifications,
    private_interfaces,
    clippy::all,
    missing_docs,
    nonstandard_style,
    reason = "taken from the tests by the build script"
)]
mod tests {
    include!(concat!(env!("OUT_DIR"), "/tests.rs"));
}

/// All kernels, by where they come from.
pub fn groups() -> impl Iterator<Item = &'static Group> {
    FASTOPS.iter().chain(tests::GROUPS)
}

/// Which operands the kernels of a group are tried on.
pub fn range(group: &str) -> Range {
    if FASTOPS.iter().any(|(name, ..)| *name == group) { Range::All } else { Range::Small }
}

/// Whether every kernel of fastops is in the lists.
pub fn all_of_fastops() -> Result<()> {
    let is_kernel = |line: &&str| line.trim_start().starts_with("#[kernel");
    let written: usize = SOURCES.iter().map(|source| source.lines().filter(is_kernel).count()).sum();
    let listed: usize = FASTOPS.iter().map(|(_, maps, blocks)| maps.len() + blocks.len()).sum();
    ensure!(listed == written, "fastops has {written} kernels, and {listed} are listed in tests/cuda/src/kernels.rs");
    Ok(())
}
