//! Stores that go past the caches.
//!
//! An ordinary store first reads the cache line that it changes. For outputs larger than the caches this is a third of the
//! memory traffic of `a * x + y`; non-temporal stores save it. For anything that is read again soon they are harmful.

use crate::isa::{MAX_LANES, Registers};
use core::mem::MaybeUninit;

/// How the outputs of a kernel are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// Into the cache.
    Cache,
    /// Past the caches, where the target can; an ordinary store elsewhere.
    Stream,
}

/// Bytes of a cache line.
pub const LINE: usize = 64;

/// Bytes of the widest gang.
const WIDEST: usize = MAX_LANES * size_of::<u64>();

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
    /// They are initialised, at most a gang, and a multiple of 8; `to` is writable for as many and aligned to them, or to a
    /// [`LINE`] if they are more.
    #[inline(always)]
    pub(crate) unsafe fn stream<I: Registers>(&mut self, isa: I, to: *mut u8, bytes: usize) {
        debug_assert!(bytes.is_multiple_of(8) && bytes <= WIDEST);
        let (from, to) = (self.start(), to.cast::<u64>());
        let lines = bytes / LINE;
        // SAFETY: the caller's promise.
        unsafe {
            for line in 0..lines {
                let at = line * (LINE / 8);
                isa.stream_line(from.add(at), to.add(at));
            }
            let at = lines * (LINE / 8);
            words(from.add(at), to.add(at), bytes / 8 - at);
        }
    }
}

/// Copies words past the caches.
///
/// # Safety
/// `from` is readable and `to` writable for `count` words.
#[inline(always)]
pub(crate) unsafe fn words(from: *const u64, to: *mut u64, count: usize) {
    for k in 0..count {
        // SAFETY: the caller's promise.
        unsafe { store(to.add(k), from.add(k).read()) };
    }
}

/// From a general register: the vector form of the baseline would stall older CPUs among AVX code.
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

/// Asks for the cache lines of some bytes.
#[inline(always)]
pub(crate) fn prefetch(at: *const u8, bytes: usize) {
    let mut done = 0;
    while done < bytes {
        // SAFETY: SSE is part of x86-64; where there is no memory, nothing happens.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(at.wrapping_add(done).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = at;
        done += LINE;
    }
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
