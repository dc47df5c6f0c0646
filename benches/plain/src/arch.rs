//! AVX-512 by hand.

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{exp, gelu, is_there, saxpy, sum};

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use super::loops::{exp, gelu, saxpy, sum};

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn is_there() -> bool {
    false
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    pub(crate) fn is_there() -> bool {
        is_x86_feature_detected!("avx512f")
    }

    /// From this many bytes of output on, it is written past the caches.
    const STREAMS_FROM: usize = 32 << 20;

    /// Safe names: they check the CPU.
    macro_rules! entries {
        ($($name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? = $function:ident;)*) => {
            $(
                pub(crate) fn $name($($argument: $kind),*) $(-> $result)? {
                    assert!(is_there());
                    // SAFETY: the CPU has AVX-512F.
                    unsafe { $function($($argument),*) }
                }
            )*
        };
    }
    entries! {
        saxpy(a: f32, x: &[f32], y: &[f32], out: &mut [f32]) = saxpy_512;
        exp(x: &[f32], out: &mut [f32]) = exp_512;
        gelu(x: &[f32], out: &mut [f32]) = gelu_512;
        sum(x: &[f32]) -> f32 = sum_512;
    }

    /// The mask of the first `n` lanes, 16 at most.
    fn first(n: usize) -> __mmask16 {
        ((1_u32 << n.min(16)) - 1) as u16
    }

    #[target_feature(enable = "avx512f")]
    fn saxpy_512(a: f32, x: &[f32], y: &[f32], out: &mut [f32]) {
        let n = out.len().min(x.len()).min(y.len());
        let (x, y, out, factor) = (x.as_ptr(), y.as_ptr(), out.as_mut_ptr(), _mm512_set1_ps(a));
        let streams = 4 * n >= STREAMS_FROM;
        // Elements in front of the output's first whole cache line.
        let head = ((64 - out.addr() % 64) % 64 / 4).min(n);
        let step = |i: usize, mask: __mmask16| {
            // SAFETY: lanes of the mask lie below `n`.
            unsafe {
                let value = _mm512_fmadd_ps(factor, _mm512_maskz_loadu_ps(mask, x.add(i)), _mm512_maskz_loadu_ps(mask, y.add(i)));
                _mm512_mask_storeu_ps(out.add(i), mask, value);
            }
        };
        step(0, first(head));
        let whole = head + (n - head) / 16 * 16;
        for i in (head..whole).step_by(16) {
            // SAFETY: 16 elements from `i` on lie below `n`, those of `out` in one cache line.
            unsafe {
                let value = _mm512_fmadd_ps(factor, _mm512_loadu_ps(x.add(i)), _mm512_loadu_ps(y.add(i)));
                if streams { _mm512_stream_ps(out.add(i), value) } else { _mm512_store_ps(out.add(i), value) }
            }
        }
        step(whole, first(n - whole));
        _mm_sfence();
    }

    #[target_feature(enable = "avx512f")]
    fn exp_512(x: &[f32], out: &mut [f32]) {
        map(x, out, |x| e_to_the(x));
    }

    #[target_feature(enable = "avx512f")]
    fn gelu_512(x: &[f32], out: &mut [f32]) {
        let (cubed, linear, one) = (_mm512_set1_ps(-0.071_354_816), _mm512_set1_ps(-1.595_769), _mm512_set1_ps(1.0));
        map(x, out, |x| {
            let power = _mm512_mul_ps(x, _mm512_fmadd_ps(_mm512_mul_ps(x, x), cubed, linear));
            _mm512_div_ps(x, _mm512_add_ps(one, e_to_the(power)))
        });
    }

    /// Four vectors at a time, since each waits for itself. (A closure takes on the features of the function that it stands in.)
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn map(x: &[f32], out: &mut [f32], f: impl Fn(__m512) -> __m512) {
        let n = out.len().min(x.len());
        let (x, out) = (x.as_ptr(), out.as_mut_ptr());
        let fours = n / 64 * 64;
        for i in (0..fours).step_by(64) {
            // SAFETY: 64 elements from `i` on lie below `n`.
            unsafe {
                let values = [0, 16, 32, 48].map(|k| f(_mm512_loadu_ps(x.add(i + k))));
                for (k, value) in values.into_iter().enumerate() {
                    _mm512_storeu_ps(out.add(i + 16 * k), value);
                }
            }
        }
        for i in (fours..n).step_by(16) {
            let mask = first(n - i);
            // SAFETY: lanes of the mask lie below `n`.
            unsafe { _mm512_mask_storeu_ps(out.add(i), mask, f(_mm512_maskz_loadu_ps(mask, x.add(i)))) }
        }
    }

    /// `e**x`: 2 to a whole power, times a polynomial of what is left (Cephes' `expf`, Moshier). Too large and too small come out as infinity and 0.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn e_to_the(x: __m512) -> __m512 {
        const POLYNOMIAL: [f32; 6] = [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5];
        let whole = _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(_mm512_mul_ps(
            x,
            _mm512_set1_ps(std::f32::consts::LOG2_E),
        ));
        let rest = _mm512_fnmadd_ps(whole, _mm512_set1_ps(0.693_359_4), x);
        let rest = _mm512_fnmadd_ps(whole, _mm512_set1_ps(-2.121_944_4e-4), rest);
        let mut value = _mm512_set1_ps(POLYNOMIAL[0]);
        for c in &POLYNOMIAL[1..] {
            value = _mm512_fmadd_ps(value, rest, _mm512_set1_ps(*c));
        }
        value = _mm512_fmadd_ps(value, _mm512_mul_ps(rest, rest), rest);
        _mm512_scalef_ps(_mm512_add_ps(value, _mm512_set1_ps(1.0)), whole)
    }

    #[target_feature(enable = "avx512f")]
    fn sum_512(x: &[f32]) -> f32 {
        let mut sums = [_mm512_setzero_ps(); 8];
        let (gangs, rest) = x.as_chunks::<128>();
        for gang in gangs {
            for (k, sum) in sums.iter_mut().enumerate() {
                // SAFETY: a gang has 8 times 16 elements.
                *sum = _mm512_add_ps(*sum, unsafe { _mm512_loadu_ps(gang.as_ptr().add(16 * k)) });
            }
        }
        sums.into_iter().map(|sum| _mm512_reduce_add_ps(sum)).sum::<f32>() + rest.iter().sum::<f32>()
    }
}
