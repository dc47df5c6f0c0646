//! The largest values and where they are.

use lanecraft::prelude::*;

/// The most chunks that a row is cut into.
const CHUNKS: usize = 1024;

/// The largest values along the last axis and their indices, the largest first, of equal ones that of the lowest index first. The outputs say how
/// many: `top_k(x, out=(values, indices))`. A NaN is none of them, and is an error where there are not enough numbers.
///
/// Each chunk's largest value is found once; then only the chunks that values are taken from are looked at again.
#[kernel(dtypes(f32, f64), signature = "(n)->(k),(k)")]
#[python_export]
pub fn top_k<T: Float>(x: &[T], values: &mut [T], indices: &mut [i64]) {
    let n = x.len();
    let size = ((n + CHUNKS - 1) / CHUNKS).max(64);
    let chunks = (n + size - 1) / size;
    let mut tops = [T::NEG_INFINITY; CHUNKS];
    for c in 0..chunks {
        let mut top = T::NEG_INFINITY;
        for i in lanes(c * size..((c + 1) * size).min(n)) {
            top = top.max(x[i]);
        }
        tops[c] = top;
    }
    // What was found last: the next one is smaller, or equal and further on.
    let (mut last, mut last_at) = (T::NEG_INFINITY, 0);
    for r in 0..values.len() {
        let mut largest = T::NEG_INFINITY;
        for c in lanes(0..chunks) {
            largest = largest.max(tops[c]);
        }
        let mut chunk = chunks;
        for c in lanes(0..chunks) {
            if tops[c] == largest {
                chunk = chunk.min(c);
            }
        }
        // Minus infinity is also the top of a chunk that has no more: then it may be anywhere.
        let anywhere = largest == T::NEG_INFINITY;
        let (start, end) = if anywhere { (0, n) } else { (chunk * size, ((chunk + 1) * size).min(n)) };
        // Of equal values those up to the last one are taken.
        let from = if r > 0 && largest == last { last_at + 1 } else { 0 };
        // Where it is, how many of it are left in its chunk, and what is next below.
        let (mut at, mut left, mut below) = (n, 0_u32, T::NEG_INFINITY);
        for i in lanes(start..end) {
            if x[i] == largest && i >= from {
                at = at.min(i);
                left += 1;
            }
            if x[i] < largest {
                below = below.max(x[i]);
            }
        }
        values[r] = x[at]; // beyond the end where there was none
        indices[r] = at as i64;
        last = largest;
        last_at = at;
        if !anywhere {
            tops[chunk] = if left > 1 { largest } else { below };
        }
    }
}
