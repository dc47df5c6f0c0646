//! Stores that go past the caches.
//!
//! An ordinary store first reads the cache line that it changes. For outputs larger than the caches this is a third of the
//! memory traffic of `a * x + y`; non-temporal stores save it. For anything that is read again soon they are harmful.

use core::mem::MaybeUninit;

/// How the outputs of a kernel are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// Into the cache.
    Cache,
    /// Past the caches, where the target can; an ordinary store elsewhere.
    Stream,
}

/// Where gangs that are streamed must begin: at a multiple of so many bytes.
pub const ALIGN: usize = 8;

/// Bytes of the widest gang: 16 elements of 8 bytes.
const WIDEST: usize = 128;

/// Memory for a gang of any dtype, on its way past the caches.
#[repr(align(64))]
pub(crate) struct Gang([MaybeUninit<u64>; WIDEST / 8]);

impl Gang {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self([MaybeUninit::uninit(); WIDEST / 8])
    }

    #[inline(always)]
    pub(crate) fn start(&mut self) -> *mut u64 {
        self.0.as_mut_ptr().cast()
    }

    /// Writes the first `bytes` bytes to `to`.
    ///
    /// # Safety
    /// They are initialised, at most a gang, and a multiple of 8; `to` is writable for as many and aligned to [`ALIGN`].
    #[inline(always)]
    pub(crate) unsafe fn stream(&mut self, to: *mut u8, bytes: usize) {
        debug_assert!(bytes.is_multiple_of(8) && bytes <= WIDEST);
        let to: *mut u64 = to.cast();
        for k in 0..bytes / 8 {
            // SAFETY: the caller's promise.
            unsafe { store(to.add(k), self.0[k].assume_init()) };
        }
    }
}

/// From a general register: the vector forms in `core::arch` are of the baseline, and mixing those with AVX code stalls
/// older CPUs.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn store(to: *mut u64, word: u64) {
    // SAFETY: the caller's promise; SSE2 is part of x86-64.
    unsafe { core::arch::x86_64::_mm_stream_si64(to.cast(), word.cast_signed()) }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
unsafe fn store(to: *mut u64, word: u64) {
    // SAFETY: the caller's promise.
    unsafe { to.write(word) }
}

/// Makes streamed stores visible to other threads before what this thread writes later. Due after streaming, before any other
/// use of the memory.
#[inline]
pub fn fence() {
    // SAFETY: SSE is part of x86-64.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}
