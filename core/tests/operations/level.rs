//! The levels under test, and how their code is entered.

use lanecraft_core::DtypeId;
use lanecraft_core::isa::Isa;
use lanecraft_core::isa::fearless::Lanes;
use lanecraft_core::isa::half::HalfSimd;
use lanecraft_core::isa::scalar::Scalar;

/// The dtypes of which the methods are tested on a level. They are made of operations that are tested for every dtype on every
/// level, and each takes long to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Methods {
    /// All.
    All,
    /// Floats, and integers of each width, of either sign.
    Widths,
    /// Floats.
    Floats,
}

impl Methods {
    /// Whether this dtype is one of them.
    pub const fn has(self, dtype: DtypeId) -> bool {
        match dtype {
            DtypeId::F32 | DtypeId::F64 => true,
            DtypeId::I8 | DtypeId::U16 | DtypeId::I32 | DtypeId::U64 => !matches!(self, Self::Floats),
            _ => matches!(self, Self::All),
        }
    }
}

/// A level with what a test has to know of it.
pub trait Level: Isa {
    /// Whether `fma` rounds once.
    const FUSED: bool;
    /// The dtypes of which the methods are tested.
    const METHODS: Methods;
    /// For messages.
    fn name() -> &'static str {
        core::any::type_name::<Self>()
    }
}

impl Level for Scalar {
    const FUSED: bool = true;
    const METHODS: Methods = Methods::All;
}

#[cfg(feature = "portable")]
impl Level for lanecraft_core::isa::portable::Portable {
    const FUSED: bool = true;
    const METHODS: Methods = Methods::All;
}

/// Whether the CPU level has the instruction.
trait HasFma {
    const HAS_FMA: bool;
}
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86 {
    impl super::HasFma for fearless_simd::Sse2 {
        const HAS_FMA: bool = false;
    }
    impl super::HasFma for fearless_simd::Avx2 {
        const HAS_FMA: bool = true;
    }
    impl super::HasFma for fearless_simd::Avx512 {
        const HAS_FMA: bool = true;
    }
}
#[cfg(target_arch = "aarch64")]
impl HasFma for fearless_simd::Neon {
    const HAS_FMA: bool = true;
}

impl<S: HalfSimd + HasFma, const EXACT: bool> Level for Lanes<S, EXACT> {
    const FUSED: bool = EXACT || S::HAS_FMA;
    const METHODS: Methods = if EXACT { Methods::Floats } else { Methods::Widths };
}

/// Calls the generic function `$f` with every level of this machine, the scalar reference among them.
macro_rules! on_every_level {
    ($f:ident $(, $more:expr)*) => {{
        $f(lanecraft_core::isa::scalar::Scalar $(, $more)*);
        #[cfg(feature = "portable")]
        $f(lanecraft_core::isa::portable::Portable $(, $more)*);
        let level = fearless_simd::Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            use lanecraft_core::isa::fearless::Lanes;
            let sse2 = level.as_sse2().expect("x86-64 has SSE2");
            $f(Lanes::<_, false>(sse2) $(, $more)*);
            $f(Lanes::<_, true>(sse2) $(, $more)*);
            if let Some(avx2) = level.as_avx2() {
                $f(Lanes::<_, false>(avx2) $(, $more)*);
            }
            if let Some(avx512) = level.as_avx512() {
                $f(Lanes::<_, false>(avx512) $(, $more)*);
            }
        }
        #[cfg(target_arch = "aarch64")]
        $f(lanecraft_core::isa::fearless::Lanes::<_, false>(level.as_neon().expect("aarch64 has NEON")) $(, $more)*);
    }};
}
pub(crate) use on_every_level;
