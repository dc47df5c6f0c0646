//! How often each byte occurs, without a store for each: AVX-512.
//!
//! A CPU does one or two stores in a cycle, and so counts one or two bytes by `counts[x[i]] += 1`. Here 512 bytes are taken apart into
//! eight registers, one for each bit of a byte. Of the low four bits, sixteen registers are made that say which bytes have each value of
//! them; of the high four, too; a value's count is the number of bits in one of these and one of those. That is three instructions for
//! each value and 512 bytes, 0.4 cycles a byte, whatever the bytes are.

use core::arch::x86_64::*;

/// Bytes of which a register holds one bit each.
const BLOCK: usize = 512;
/// Blocks that are counted together: what is made of their bits stays in the first cache.
const BLOCKS: usize = 4;
/// The unit in which bytes are counted.
pub(super) const TILE: usize = BLOCK * BLOCKS;
/// Values whose counts are in registers meanwhile: this many of the low bits, as many of the high bits.
const SIDE: usize = 4;
/// How far ahead of a block bytes are fetched. (In between the blocks, the CPU's own prefetching comes too late.)
const AHEAD: usize = 8192;

/// Which bytes of a block have each value in their low bits, then in their high bits.
type Values = [[__m512i; 16]; 2];

/// Adds how often each byte occurs in `tiles` times [`TILE`] bytes.
///
/// # Safety
/// The CPU has AVX-512 with `bw`, `vpopcntdq` and `gfni`; the bytes are readable.
#[target_feature(enable = "avx512f,avx512bw,avx512vpopcntdq,gfni")]
pub(super) unsafe fn add(from: *const u8, tiles: usize, counts: &mut [u64; 256]) {
    let zero = _mm512_setzero_si512();
    let mut values = [[[zero; 16]; 2]; BLOCKS];
    let mut sums = [[zero; 16]; 16];
    for tile in 0..tiles {
        for (k, values) in values.iter_mut().enumerate() {
            let block = from.wrapping_add(tile * TILE + k * BLOCK);
            // SAFETY: the caller's promise.
            let bits = unsafe { bits(block) };
            *values = [of_four(bits[0], bits[1], bits[2], bits[3]), of_four(bits[4], bits[5], bits[6], bits[7])];
        }
        for high in (0..16).step_by(SIDE) {
            for low in (0..16).step_by(SIDE) {
                count(&values, high, low, &mut sums);
            }
        }
    }
    for (count, sum) in counts.iter_mut().zip(sums.as_flattened()) {
        *count += _mm512_reduce_add_epi64(*sum) as u64;
    }
}

/// The bits of a block's bytes, bit by bit; the same byte has the same place in each.
///
/// # Safety
/// The block is readable.
#[target_feature(enable = "avx512f,avx512bw,gfni")]
unsafe fn bits(block: *const u8) -> [__m512i; 8] {
    let mut x = [_mm512_setzero_si512(); 8];
    for (k, x) in x.iter_mut().enumerate() {
        let at = block.wrapping_add(64 * k);
        // SAFETY: the caller's promise; a prefetch of any address is allowed.
        let bytes = unsafe {
            _mm_prefetch::<_MM_HINT_T0>(at.wrapping_add(AHEAD).cast());
            _mm512_loadu_si512(at.cast())
        };
        // The product with the unit matrix, in this order, is the transpose: byte k of each eight has bit k of the eight.
        *x = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(0x8040_2010_0804_0201_u64.cast_signed()), bytes);
    }
    // Three rounds bring together what is of the same bit: pieces of 2 bytes, of 4, of 8.
    let mut pairs = x;
    for k in 0..4 {
        pairs[2 * k] = _mm512_unpacklo_epi8(x[2 * k], x[2 * k + 1]);
        pairs[2 * k + 1] = _mm512_unpackhi_epi8(x[2 * k], x[2 * k + 1]);
    }
    let mut fours = x;
    for k in 0..4 {
        fours[k] = _mm512_unpacklo_epi16(pairs[2 * k], pairs[2 * k + 1]);
        fours[4 + k] = _mm512_unpackhi_epi16(pairs[2 * k], pairs[2 * k + 1]);
    }
    let mut out = x;
    for half in [0, 4] {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| fours[half + k]);
        let (low, high) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
        let (low_too, high_too) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
        out[half] = _mm512_unpacklo_epi64(low, low_too);
        out[half + 1] = _mm512_unpackhi_epi64(low, low_too);
        out[half + 2] = _mm512_unpacklo_epi64(high, high_too);
        out[half + 3] = _mm512_unpackhi_epi64(high, high_too);
    }
    out
}

/// Which of the bytes have each value in these four bits, the lowest one first.
#[target_feature(enable = "avx512f")]
fn of_four(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> [__m512i; 16] {
    let two = [_mm512_ternarylogic_epi64::<0x11>(a, a, b), _mm512_andnot_si512(b, a), _mm512_andnot_si512(a, b), _mm512_and_si512(a, b)];
    let mut out = [a; 16];
    for (k, two) in two.into_iter().enumerate() {
        out[k] = _mm512_ternarylogic_epi64::<0x02>(d, c, two);
        out[4 + k] = _mm512_ternarylogic_epi64::<0x08>(d, c, two);
        out[8 + k] = _mm512_ternarylogic_epi64::<0x20>(d, c, two);
        out[12 + k] = _mm512_ternarylogic_epi64::<0x80>(d, c, two);
    }
    out
}

/// Adds the counts of some values in a tile: those from `high` and `low` on.
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn count(values: &[Values; BLOCKS], high: usize, low: usize, sums: &mut [[__m512i; 16]; 16]) {
    let mut own = [[_mm512_setzero_si512(); SIDE]; SIDE];
    for [lows, highs] in values {
        for (k, own) in own.iter_mut().enumerate() {
            for (j, own) in own.iter_mut().enumerate() {
                let both = _mm512_and_si512(highs[high + k], lows[low + j]);
                *own = _mm512_add_epi64(*own, _mm512_popcnt_epi64(both));
            }
        }
    }
    for (k, own) in own.into_iter().enumerate() {
        for (j, own) in own.into_iter().enumerate() {
            let sum = &mut sums[high + k][low + j];
            *sum = _mm512_add_epi64(*sum, own);
        }
    }
}
