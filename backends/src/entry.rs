//! Entries: the one function per kernel variant and level that is compiled with the level's instructions.
//!
//! An entry hands a closure to the level's `vectorize`, a `#[target_feature]` function. Everything the closure calls is
//! `#[inline(always)]`, so that all of it lands inside that function; see the invariants of `lanecraft_core`.

use crate::level::Level;
use lanecraft_core::debug::Settings;
use lanecraft_core::map::{Gang, MAX_OPERANDS, MapKernel};
use lanecraft_core::stream::Stores;
use lanecraft_core::{Fault, Isa};

/// Runs whole gangs on one level: [`run_gangs`](lanecraft_core::map::run_gangs) without its type parameters.
///
/// # Safety
/// What `run_gangs` asks, and the CPU has the level.
pub(crate) type Entry =
    unsafe fn(at: &[*mut u8; MAX_OPERANDS], step: &[isize; MAX_OPERANDS], gangs: usize, stores: Stores) -> Result<(), Fault>;

/// The entries of one kernel variant, at the place of their level's discriminant.
pub(crate) type Entries = [Option<Entry>; Level::COUNT];

/// The entries of `K` for `A` on every level that is compiled in.
#[allow(unused_mut, clippy::extra_unused_type_parameters, reason = "no level is compiled in")]
pub(crate) const fn entries<K: MapKernel<A>, A: 'static>() -> Entries {
    let mut entries: Entries = [None; Level::COUNT];
    #[cfg(feature = "portable")]
    {
        entries[Level::Portable as usize] = Some(portable::<K, A>);
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        #[cfg(feature = "sse2")]
        {
            entries[Level::Sse2 as usize] = Some(sse2::<K, A>);
            entries[Level::Sse2Exact as usize] = Some(sse2_exact::<K, A>);
        }
        #[cfg(feature = "avx2")]
        {
            entries[Level::Avx2 as usize] = Some(avx2::<K, A>);
        }
        #[cfg(feature = "avx512")]
        {
            entries[Level::Avx512 as usize] = Some(avx512::<K, A>);
        }
    }
    #[cfg(all(feature = "neon", target_arch = "aarch64"))]
    {
        entries[Level::Neon as usize] = Some(neon::<K, A>);
    }
    entries
}

/// Runs elements in debug mode: [`run_checked`](lanecraft_core::map::run_checked) without its type parameters.
///
/// # Safety
/// What `run_checked` asks.
pub(crate) type CheckedEntry =
    unsafe fn(settings: Settings, at: &[*mut u8; MAX_OPERANDS], step: &[isize; MAX_OPERANDS], first: usize, count: usize);

/// The checked entry, where the feature `debug` is on.
#[allow(clippy::extra_unused_type_parameters, reason = "feature `debug` is off")]
pub(crate) const fn checked<K: MapKernel<A>, A: 'static>() -> Option<CheckedEntry> {
    #[cfg(feature = "debug")]
    {
        Some(lanecraft_core::map::run_checked::<K, A>)
    }
    #[cfg(not(feature = "debug"))]
    {
        None
    }
}

/// `run_gangs`, for levels whose gang is the 16 elements that strips are cut into, with wide gangs `G`.
///
/// # Safety
/// As for `run_gangs`.
#[allow(dead_code, reason = "no level is compiled in")]
#[inline(always)]
unsafe fn run_gangs<K: MapKernel<A>, A, G: Gang, I: Isa>(
    isa: I,
    at: &[*mut u8; MAX_OPERANDS],
    step: &[isize; MAX_OPERANDS],
    gangs: usize,
    stores: Stores,
) -> Result<(), Fault> {
    const { assert!(<I as lanecraft_core::isa::Registers>::LANES == crate::strip::GANG) };
    // SAFETY: the caller's promise.
    unsafe { lanecraft_core::map::run_gangs::<K, A, G, I>(isa, at, step, gangs, stores) }
}

/// The entry of a level of `fearless_simd`. Gangs are as wide as pays: one of 16 fills a quarter of SSE2's registers by itself, as does one of 32
/// AVX2's, and wider ones gain little there, at several times the compile time.
#[allow(unused_macros, reason = "no such level is compiled in")]
macro_rules! entry {
    ($(#[$attribute:meta])* $name:ident: $token:path, exact: $exact:literal, gang: $gang:ty) => {
        $(#[$attribute])*
        #[inline(never)]
        unsafe fn $name<K: MapKernel<A>, A: 'static>(
            at: &[*mut u8; MAX_OPERANDS],
            step: &[isize; MAX_OPERANDS],
            gangs: usize,
            stores: Stores,
        ) -> Result<(), Fault> {
            // SAFETY: the caller's promise: the CPU has the level.
            let token = unsafe { <$token>::assume_supported() };
            let isa = lanecraft_core::isa::fearless::Lanes::<_, $exact>(token);
            lanecraft_core::isa::Registers::enter(
                isa,
                #[inline(always)]
                || {
                    // SAFETY: the caller's promise.
                    unsafe { run_gangs::<K, A, $gang, _>(isa, at, step, gangs, stores) }
                },
            )
        }
    };
}

entry! {
    #[cfg(all(feature = "sse2", any(target_arch = "x86", target_arch = "x86_64")))]
    sse2: fearless_simd::Sse2, exact: false, gang: lanecraft_core::map::Gang16
}
entry! {
    #[cfg(all(feature = "sse2", any(target_arch = "x86", target_arch = "x86_64")))]
    sse2_exact: fearless_simd::Sse2, exact: true, gang: lanecraft_core::map::Gang16
}
entry! {
    #[cfg(all(feature = "avx2", any(target_arch = "x86", target_arch = "x86_64")))]
    avx2: fearless_simd::Avx2, exact: false, gang: <K::Gang as Gang>::AtMost32
}
entry! {
    #[cfg(all(feature = "avx512", any(target_arch = "x86", target_arch = "x86_64")))]
    avx512: fearless_simd::Avx512, exact: false, gang: K::Gang
}
entry! {
    #[cfg(all(feature = "neon", target_arch = "aarch64"))]
    neon: fearless_simd::Neon, exact: false, gang: <K::Gang as Gang>::AtMost32
}

/// The entry of the level without instructions of its own.
#[cfg(feature = "portable")]
#[inline(never)]
unsafe fn portable<K: MapKernel<A>, A: 'static>(
    at: &[*mut u8; MAX_OPERANDS],
    step: &[isize; MAX_OPERANDS],
    gangs: usize,
    stores: Stores,
) -> Result<(), Fault> {
    // SAFETY: the caller's promise.
    unsafe { run_gangs::<K, A, lanecraft_core::map::Gang16, _>(lanecraft_core::isa::portable::Portable, at, step, gangs, stores) }
}
