//! The largest values and where they are.

use lanecraft::prelude::*;

/// The largest values along the last axis and their indices, the largest first, of equal ones that of the lowest index first. The outputs say how
/// many: `top_k(x, out=(values, indices))`. A NaN is none of them, and is an error where there are not enough numbers.
#[kernel(dtypes(f32, f64), signature = "(n)->(k),(k)")]
#[python_export]
pub fn top_k<T: Float>(x: &[T], values: &mut [T], indices: &mut [i64]) {
    let n = x.len();
    // What was found last: the next one is smaller, or equal and further on.
    let (mut last, mut last_at) = (T::INFINITY, 0);
    for r in 0..values.len() {
        let mut largest = T::NEG_INFINITY;
        for i in lanes(0..n) {
            if r == 0 || x[i] < last || x[i] == last && i > last_at {
                largest = largest.max(x[i]);
            }
        }
        let mut at = n;
        for i in lanes(0..n) {
            if x[i] == largest && (r == 0 || x[i] < last || i > last_at) {
                at = at.min(i);
            }
        }
        values[r] = x[at]; // beyond the end where there was none
        indices[r] = at as i64;
        last = largest;
        last_at = at;
    }
}
