//! What the machine can do at most, on one thread: bytes per second from memory, and operations per second.

/// `out[i] = a[i] + 3 b[i]` for `n` numbers, a multiple of 16, past the caches where the CPU can (STREAM's triad).
///
/// # Safety
/// `a` and `b` point to `n` numbers, `out` to `n` that nothing else uses, aligned to 64 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn triad(a: *const f32, b: *const f32, out: *mut f32, n: usize) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2; the rest is the caller's promise.
        return unsafe { x86::triad(a, b, out, n) };
    }
    for i in 0..n {
        // SAFETY: the caller's promise.
        unsafe { *out.add(i) = *a.add(i) + 3.0 * *b.add(i) }
    }
}

/// Runs `rounds` of multiply-adds that do not wait for each other. How many operations that were, a multiply-add being two.
#[unsafe(no_mangle)]
pub extern "C" fn multiply_adds(rounds: usize) -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        if std::is_x86_feature_detected!("avx512f") {
            // SAFETY: the CPU has AVX-512F.
            return unsafe { x86::multiply_adds_512(rounds) };
        }
        if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
            // SAFETY: the CPU has AVX2 and FMA.
            return unsafe { x86::multiply_adds_256(rounds) };
        }
    }
    let mut sums = [1.0_f32; 64];
    for _ in 0..rounds {
        for s in &mut sums {
            *s = s.mul_add(0.999, 0.001);
        }
        std::hint::black_box(&mut sums);
    }
    (rounds * 64 * 2) as f64
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;
    use std::hint::black_box;

    /// # Safety
    /// As [`super::triad`].
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn triad(a: *const f32, b: *const f32, out: *mut f32, n: usize) {
        let three = _mm256_set1_ps(3.0);
        for i in (0..n).step_by(8) {
            // SAFETY: `n` is a multiple of 16, and the arrays hold as many.
            unsafe {
                let sum = _mm256_fmadd_ps(_mm256_loadu_ps(b.add(i)), three, _mm256_loadu_ps(a.add(i)));
                _mm256_stream_ps(out.add(i), sum);
            }
        }
        _mm_sfence();
    }

    // 16 sums: more than the product of an operation's duration and the number of units.
    macro_rules! multiply_adds {
        ($name:ident, $features:literal, $lanes:literal, $set:ident, $fma:ident) => {
            #[target_feature(enable = $features)]
            pub(super) fn $name(rounds: usize) -> f64 {
                let mut sums = [$set(1.0); 16];
                let (a, b) = ($set(black_box(0.999)), $set(black_box(0.001)));
                for _ in 0..rounds {
                    for s in &mut sums {
                        *s = $fma(*s, a, b);
                    }
                }
                black_box(sums);
                (rounds * 16 * $lanes * 2) as f64
            }
        };
    }
    multiply_adds!(multiply_adds_512, "avx512f", 16, _mm512_set1_ps, _mm512_fmadd_ps);
    multiply_adds!(multiply_adds_256, "avx2,fma", 8, _mm256_set1_ps, _mm256_fmadd_ps);
}
