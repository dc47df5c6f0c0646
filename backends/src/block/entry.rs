//! The one function per block kernel, dtypes and level that is compiled with the level's instructions. See [`crate::entry`].

use crate::level::Level;
use lanecraft_core::block::{BlockKernel, ItemFault, Items};
use lanecraft_core::debug::Settings;

/// Runs items on one level: [`run_items`] without its type parameters.
///
/// # Safety
/// What `run_items` asks, and the CPU has the level.
pub(super) type Entry = unsafe fn(items: &Items<'_>) -> Result<(), (usize, ItemFault)>;

/// The entries of one variant, at the place of their level's discriminant.
pub(super) type Entries = [Option<Entry>; Level::COUNT];

/// The entries on every level that is compiled in.
#[allow(unused_mut, clippy::extra_unused_type_parameters, reason = "no level is compiled in")]
pub(super) const fn entries<K: BlockKernel<A>, A: 'static>() -> Entries {
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

/// Runs items in debug mode: [`run_checked`](lanecraft_core::block::run_checked) without its type parameters.
///
/// # Safety
/// What `run_checked` asks.
pub(super) type CheckedEntry = unsafe fn(settings: Settings, items: &Items<'_>, first: usize);

/// The checked entry, where the feature `debug` is on.
#[allow(clippy::extra_unused_type_parameters, reason = "feature `debug` is off")]
pub(super) const fn checked<K: BlockKernel<A>, A: 'static>() -> Option<CheckedEntry> {
    #[cfg(feature = "debug")]
    {
        Some(lanecraft_core::block::run_checked::<K, A>)
    }
    #[cfg(not(feature = "debug"))]
    {
        None
    }
}

/// The entry of a level of `fearless_simd`.
#[allow(unused_macros, reason = "no such level is compiled in")]
macro_rules! entry {
    ($(#[$attribute:meta])* $name:ident: $token:path, exact: $exact:literal) => {
        $(#[$attribute])*
        #[inline(never)]
        unsafe fn $name<K: BlockKernel<A>, A: 'static>(items: &Items<'_>) -> Result<(), (usize, ItemFault)> {
            // SAFETY: the caller's promise: the CPU has the level.
            let token = unsafe { <$token>::assume_supported() };
            let isa = lanecraft_core::isa::fearless::Lanes::<_, $exact>(token);
            lanecraft_core::isa::Registers::enter(
                isa,
                #[inline(always)]
                || {
                    // SAFETY: the caller's promise.
                    unsafe { lanecraft_core::block::run_items::<K, A, _>(isa, items) }
                },
            )
        }
    };
}

entry! {
    #[cfg(all(feature = "sse2", any(target_arch = "x86", target_arch = "x86_64")))]
    sse2: fearless_simd::Sse2, exact: false
}
entry! {
    #[cfg(all(feature = "sse2", any(target_arch = "x86", target_arch = "x86_64")))]
    sse2_exact: fearless_simd::Sse2, exact: true
}
entry! {
    #[cfg(all(feature = "avx2", any(target_arch = "x86", target_arch = "x86_64")))]
    avx2: fearless_simd::Avx2, exact: false
}
entry! {
    #[cfg(all(feature = "avx512", any(target_arch = "x86", target_arch = "x86_64")))]
    avx512: fearless_simd::Avx512, exact: false
}
entry! {
    #[cfg(all(feature = "neon", target_arch = "aarch64"))]
    neon: fearless_simd::Neon, exact: false
}

/// The entry of the level without instructions of its own.
#[cfg(feature = "portable")]
#[inline(never)]
unsafe fn portable<K: BlockKernel<A>, A: 'static>(items: &Items<'_>) -> Result<(), (usize, ItemFault)> {
    // SAFETY: the caller's promise.
    unsafe { lanecraft_core::block::run_items::<K, A, _>(lanecraft_core::isa::portable::Portable, items) }
}
