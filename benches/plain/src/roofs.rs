//! What the machine can do at most, on one thread: bytes per second from memory, and operations per second.

/// Moves memory as quickly as we know how, `times` over: `out` by `way` from `a` and `b`, of `n` numbers each. How many bytes that were; 0 of a way that
/// there is not here.
/// `0`: `a` is read. `1`: it is copied; `3`: past the caches. `2`: `out[i] = a[i] + 3 b[i]`, STREAM's triad; `4`: past the caches.
///
/// # Safety
/// `a` and `b` point to `n` numbers, `out` to `n` that nothing else uses, all aligned to 64 bytes; `n` is a multiple of 128.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moves(way: usize, a: *const f32, b: *const f32, out: *mut f32, n: usize, times: usize) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        if std::is_x86_feature_detected!("avx512f") {
            // SAFETY: the CPU has AVX-512F; the rest is the caller's promise.
            return unsafe { avx512::moves(way, a, b, out, n, times) };
        }
        if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
            // SAFETY: the CPU has AVX2 and FMA; the rest is the caller's promise.
            return unsafe { avx2::moves(way, a, b, out, n, times) };
        }
    }
    if way != 2 {
        return 0;
    }
    for _ in 0..times {
        let (a, b, out) = std::hint::black_box((a, b, out));
        for i in 0..n {
            // SAFETY: the caller's promise.
            unsafe { *out.add(i) = *a.add(i) + 3.0 * *b.add(i) }
        }
    }
    12 * n * times
}

/// Runs `rounds` of multiply-adds that do not wait for each other. How many operations that were, a multiply-add being two.
#[unsafe(no_mangle)]
pub extern "C" fn multiply_adds(rounds: usize) -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        if std::is_x86_feature_detected!("avx512f") {
            // SAFETY: the CPU has AVX-512F.
            return unsafe { avx512::multiply_adds(rounds) };
        }
        if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
            // SAFETY: the CPU has AVX2 and FMA.
            return unsafe { avx2::multiply_adds(rounds) };
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

/// The same by vectors of a level. Eight are loaded before the first is stored.
#[cfg(target_arch = "x86_64")]
macro_rules! level {
    ($level:ident, $features:literal, $lanes:literal, $set:ident, $fma:ident, $max:ident, $load:ident, $store:ident, $stream:ident) => {
        mod $level {
            use core::arch::x86_64::*;
            use std::array::from_fn;
            use std::hint::black_box;

            /// # Safety
            /// As [`super::moves`].
            #[target_feature(enable = $features)]
            pub(super) unsafe fn moves(way: usize, a: *const f32, b: *const f32, out: *mut f32, n: usize, times: usize) -> usize {
                let (mut largest, three) = ([$set(0.0); 8], $set(3.0));
                for _ in 0..times {
                    let (a, b, out) = black_box((a, b, out));
                    for i in (0..n).step_by(8 * $lanes) {
                        // SAFETY: `n` is a multiple of 128, and the arrays hold as many numbers, from a cache line on.
                        unsafe {
                            let values: [_; 8] = from_fn(|k| $load(a.add(i + k * $lanes)));
                            let values = match way {
                                0 => {
                                    largest = from_fn(|k| $max(largest[k], values[k]));
                                    continue;
                                }
                                2 | 4 => from_fn(|k| $fma($load(b.add(i + k * $lanes)), three, values[k])),
                                _ => values,
                            };
                            for (k, value) in values.into_iter().enumerate() {
                                let at = out.add(i + k * $lanes);
                                if way < 3 { $store(at, value) } else { $stream(at, value) }
                            }
                        }
                    }
                }
                _mm_sfence();
                black_box(largest);
                4 * n * times * [1, 2, 3, 2, 3][way]
            }

            // 16 sums: more than the product of an operation's duration and the number of units.
            #[target_feature(enable = $features)]
            pub(super) fn multiply_adds(rounds: usize) -> f64 {
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
        }
    };
}
#[cfg(target_arch = "x86_64")]
level!(avx512, "avx512f", 16, _mm512_set1_ps, _mm512_fmadd_ps, _mm512_max_ps, _mm512_load_ps, _mm512_store_ps, _mm512_stream_ps);
#[cfg(target_arch = "x86_64")]
level!(avx2, "avx2,fma", 8, _mm256_set1_ps, _mm256_fmadd_ps, _mm256_max_ps, _mm256_load_ps, _mm256_store_ps, _mm256_stream_ps);
