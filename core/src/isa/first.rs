//! Gangs that do not lie in memory side by side: the first few elements, where memory holds no more; elements apart.

/// Copies up to 128 bytes, in pieces.
///
/// # Safety
/// As for [`core::ptr::copy_nonoverlapping`].
#[inline(never)]
pub(super) unsafe fn copy_few(from: *const u8, to: *mut u8, bytes: usize) {
    let mut done = 0;
    // SAFETY: the caller's promise, piece by piece.
    unsafe {
        while done + 8 <= bytes {
            to.add(done).cast::<u64>().write_unaligned(from.add(done).cast::<u64>().read_unaligned());
            done += 8;
        }
        if bytes & 4 != 0 {
            to.add(done).cast::<u32>().write_unaligned(from.add(done).cast::<u32>().read_unaligned());
            done += 4;
        }
        if bytes & 2 != 0 {
            to.add(done).cast::<u16>().write_unaligned(from.add(done).cast::<u16>().read_unaligned());
            done += 2;
        }
        if bytes & 1 != 0 {
            to.add(done).write(from.add(done).read());
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod avx512 {
    //! Masked instructions: what the mask leaves out is not touched, and no fault.

    use core::arch::x86_64::*;

    /// Fills a buffer of 16 elements of `SIZE` bytes with `count` elements, and zeros.
    ///
    /// # Safety
    /// The CPU has the level; the elements are readable, the buffer writable; `count` is at most 16.
    #[inline(always)]
    pub(in crate::isa) unsafe fn load(from: *const u8, to: *mut u8, count: usize, size: usize) {
        let mask = (1_u32 << count) - 1;
        // SAFETY: the caller's promise.
        unsafe {
            match size {
                1 => _mm_storeu_epi8(to.cast(), _mm_maskz_loadu_epi8(mask as u16, from.cast())),
                2 => _mm256_storeu_epi16(to.cast(), _mm256_maskz_loadu_epi16(mask as u16, from.cast())),
                4 => _mm512_storeu_epi32(to.cast(), _mm512_maskz_loadu_epi32(mask as u16, from.cast())),
                _ => {
                    _mm512_storeu_epi64(to.cast(), _mm512_maskz_loadu_epi64(mask as u8, from.cast()));
                    let (from, to) = (from.wrapping_add(64), to.add(64));
                    _mm512_storeu_epi64(to.cast(), _mm512_maskz_loadu_epi64((mask >> 8) as u8, from.cast()));
                }
            }
        }
    }

    /// Where 16 bytes are that lie 2, 3 or 4 apart.
    static APART: [[u8; 16]; 3] = {
        let mut at = [[0; 16]; 3];
        let mut k = 0;
        while k < 48 {
            at[k / 16][k % 16] = (k % 16 * (k / 16 + 2)) as u8;
            k += 1;
        }
        at
    };

    /// Fills a buffer of 16 with `count` bytes that lie `step` bytes apart: 2, 3 or 4, the channels of a pixel.
    ///
    /// # Safety
    /// The CPU has the level; from the first to the last all bytes are readable, the buffer is writable; `step` is one of those, `count` at
    /// most 16.
    #[inline(always)]
    pub(in crate::isa) unsafe fn load_bytes_apart(from: *const u8, step: usize, to: *mut u8, count: usize) {
        let mask = (1_u64 << (count.saturating_sub(1) * step + usize::from(count > 0))) - 1;
        // SAFETY: the caller's promise.
        unsafe {
            let bytes = _mm512_maskz_loadu_epi8(mask, from.cast());
            let at = _mm512_castsi128_si512(_mm_loadu_epi8(APART[step - 2].as_ptr().cast()));
            _mm_storeu_epi8(to.cast(), _mm512_castsi512_si128(_mm512_permutexvar_epi8(at, bytes)));
        }
    }

    /// Writes the first `count` of a buffer of 16 elements of `SIZE` bytes.
    ///
    /// # Safety
    /// As for [`load`], with the buffer readable and the elements writable.
    #[inline(always)]
    pub(in crate::isa) unsafe fn store(from: *const u8, to: *mut u8, count: usize, size: usize) {
        let mask = (1_u32 << count) - 1;
        // SAFETY: the caller's promise.
        unsafe {
            match size {
                1 => _mm_mask_storeu_epi8(to.cast(), mask as u16, _mm_loadu_epi8(from.cast())),
                2 => _mm256_mask_storeu_epi16(to.cast(), mask as u16, _mm256_loadu_epi16(from.cast())),
                4 => _mm512_mask_storeu_epi32(to.cast(), mask as u16, _mm512_loadu_epi32(from.cast())),
                _ => {
                    _mm512_mask_storeu_epi64(to.cast(), mask as u8, _mm512_loadu_epi64(from.cast()));
                    let (from, to) = (from.add(64), to.wrapping_add(64));
                    _mm512_mask_storeu_epi64(to.cast(), (mask >> 8) as u8, _mm512_loadu_epi64(from.cast()));
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    //! As [`avx512`](super::avx512), but of elements of 4 and 8 bytes alone.

    use core::arch::x86_64::*;

    /// Read from `16 - count` on: as many lanes that are set as there are elements.
    static LANES_4: [i32; 32] =
        [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    static LANES_8: [i64; 32] =
        [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

    /// The mask of 32 bytes of a buffer.
    ///
    /// # Safety
    /// The CPU has AVX2; `count` is at most 16, and the buffer of 16 elements of `size` bytes has a `part` of that number.
    #[inline(always)]
    unsafe fn mask(count: usize, size: usize, part: usize) -> __m256i {
        let at = 16 - count + part * (32 / size);
        // SAFETY: `at` and the lanes after it are within the table: `part * (32 / size)` is at most 16 less those lanes.
        unsafe {
            if size == 4 {
                _mm256_loadu_si256(LANES_4.as_ptr().add(at).cast())
            } else {
                _mm256_loadu_si256(LANES_8.as_ptr().add(at).cast())
            }
        }
    }

    /// Fills a buffer of 16 elements of `size` bytes, 4 or 8, with `count` elements, and zeros.
    ///
    /// # Safety
    /// The CPU has AVX2; the elements are readable, the buffer writable; `count` is at most 16.
    #[inline(always)]
    pub(in crate::isa) unsafe fn load(from: *const u8, to: *mut u8, count: usize, size: usize) {
        let mut part = 0;
        while part < size / 2 {
            // SAFETY: the caller's promise; of elements of 8 bytes, the mask's lanes hold two of 4.
            unsafe {
                let x = _mm256_maskload_epi32(from.wrapping_add(part * 32).cast(), mask(count, size, part));
                _mm256_storeu_si256(to.add(part * 32).cast(), x);
            }
            part += 1;
        }
    }

    /// Writes the first `count` of a buffer of 16 elements of `size` bytes, 4 or 8.
    ///
    /// # Safety
    /// As for [`load`], with the buffer readable and the elements writable.
    #[inline(always)]
    pub(in crate::isa) unsafe fn store(from: *const u8, to: *mut u8, count: usize, size: usize) {
        let mut part = 0;
        while part < size / 2 {
            // SAFETY: the caller's promise; of elements of 8 bytes, the mask's lanes hold two of 4.
            unsafe {
                let x = _mm256_loadu_si256(from.add(part * 32).cast());
                _mm256_maskstore_epi32(to.wrapping_add(part * 32).cast(), mask(count, size, part), x);
            }
            part += 1;
        }
    }
}
