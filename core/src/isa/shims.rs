//! Instructions that `fearless_simd` does not name, and what stands for them on levels without: looks into tables of 16 numbers, which
//! stay in registers (one instruction with AVX-512, three with AVX2), and scaling by powers of two (one with AVX-512, six elsewhere).

use super::fearless::Lanes;
use super::{MemoryOps, Registers, V};
use fearless_simd::{Simd, f32x16, f64x8, prelude::*, u32x16, u64x8};

/// 1.5 * 2^23 + 254: twice the exponent bias on top of what rounds to an integer, so that halving the low bits of the sum of it and n
/// gives the exponents of two factors of 2^n.
pub const SCALE_F32: f32 = 12583166.0;
/// The same for f64: 1.5 * 2^52 + 2046.
pub const SCALE_F64: f64 = 6755399441057790.0;

/// In each lane, the element that the low four bits of `at` name: by memory.
#[inline(always)]
pub(super) fn by_lane<I: MemoryOps<u32> + MemoryOps<f32>>(isa: I, table: &[f32; 16], at: V<u32, I>) -> V<f32, I> {
    const { assert!(<I as Registers>::LANES <= 16, "a gang of one register set") };
    let (mut index, mut values) = ([0_u32; 16], [0.0_f32; 16]);
    // SAFETY: the array holds the lanes.
    unsafe { MemoryOps::<u32>::store(isa, index.as_mut_ptr(), at) };
    let mut k = 0;
    while k < <I as Registers>::LANES {
        values[k] = table[(index[k] & 15) as usize];
        k += 1;
    }
    // SAFETY: the array holds the lanes.
    unsafe { MemoryOps::<f32>::load(isa, values.as_ptr()) }
}

/// The instructions of a level: by default none.
pub trait Shims: Simd {
    /// In each lane, the element that the low four bits of `at` name.
    #[inline(always)]
    fn look_up<const EXACT: bool>(lanes: Lanes<Self, EXACT>, table: &[f32; 16], at: u32x16<Self>) -> f32x16<Self> {
        by_lane(lanes, table, at)
    }
    /// `a 2^n`, rounded once, for `t` = n + [`SCALE_F32`]. Of two factors of 2^n only the last can leave the normal range.
    #[inline(always)]
    fn scale_f32(a: f32x16<Self>, t: f32x16<Self>) -> f32x16<Self> {
        let u = t.bitcast::<u32x16<Self>>();
        let half = u >> 1;
        a * (half << 23).bitcast::<f32x16<Self>>() * ((u - half) << 23).bitcast::<f32x16<Self>>()
    }
    /// The same for f64.
    #[inline(always)]
    fn scale_f64(a: f64x8<Self>, t: f64x8<Self>) -> f64x8<Self> {
        let u = t.bitcast::<u64x8<Self>>();
        let half = u >> 1;
        a * (half << 52).bitcast::<f64x8<Self>>() * ((u - half) << 52).bitcast::<f64x8<Self>>()
    }
}

#[cfg(target_arch = "aarch64")]
impl Shims for fearless_simd::Neon {}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86 {
    #[cfg(target_arch = "x86")]
    use core::arch::x86::*;
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64::*;

    use super::{Lanes, SCALE_F32, SCALE_F64, Shims};
    use fearless_simd::{Avx2, Avx512, Sse2, f32x8, f32x16, f64x8, prelude::*, u32x16};

    impl Shims for Sse2 {}

    impl Shims for Avx2 {
        #[inline(always)]
        fn look_up<const EXACT: bool>(Lanes(token): Lanes<Self, EXACT>, table: &[f32; 16], at: u32x16<Self>) -> f32x16<Self> {
            let (a, b) = at.split();
            // SAFETY: the token is proof of AVX2; both loads are within the table.
            let (a, b) = unsafe {
                let (low, high) = (_mm256_loadu_ps(table.as_ptr()), _mm256_loadu_ps(table.as_ptr().add(8)));
                let half = |i: __m256i| {
                    // Bit 3 says which half; `blendv` looks at the sign.
                    let upper = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(i));
                    _mm256_blendv_ps(_mm256_permutevar8x32_ps(low, i), _mm256_permutevar8x32_ps(high, i), upper)
                };
                (half(a.into()), half(b.into()))
            };
            f32x8::simd_from(token, a).combine(f32x8::simd_from(token, b))
        }
    }

    impl Shims for Avx512 {
        #[inline(always)]
        fn look_up<const EXACT: bool>(Lanes(token): Lanes<Self, EXACT>, table: &[f32; 16], at: u32x16<Self>) -> f32x16<Self> {
            // SAFETY: the token is proof of AVX-512F; the load is of the whole table.
            f32x16::simd_from(token, unsafe { _mm512_permutexvar_ps(at.into(), _mm512_loadu_ps(table.as_ptr())) })
        }
        #[inline(always)]
        fn scale_f32(a: f32x16<Self>, t: f32x16<Self>) -> f32x16<Self> {
            // SAFETY: the token is proof of AVX-512F.
            f32x16::simd_from(a.token(), unsafe { _mm512_scalef_ps(a.into(), (t - SCALE_F32).into()) })
        }
        #[inline(always)]
        fn scale_f64(a: f64x8<Self>, t: f64x8<Self>) -> f64x8<Self> {
            // SAFETY: the token is proof of AVX-512F.
            f64x8::simd_from(a.token(), unsafe { _mm512_scalef_pd(a.into(), (t - SCALE_F64).into()) })
        }
    }
}
