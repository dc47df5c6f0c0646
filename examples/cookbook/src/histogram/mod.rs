//! Elements that iterations share.

use lanecraft::prelude::*;

/// How often each byte occurs along the last axis.
#[kernel(signature = "(n)->(256)")]
#[python_export]
pub fn histogram(x: &[u8], counts: &mut [i64]) {
    for b in lanes(0..counts.len()) {
        counts[b] = 0;
    }
    for i in lanes(0..x.len()) {
        atomic_add(&mut counts[x[i] as usize], 1);
    }
}
