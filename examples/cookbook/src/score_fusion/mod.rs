//! Several ranked lists to one.

use lanecraft::prelude::*;

/// The scores of all items by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): a list with weight `w` adds `w / (60 + rank)` to the item at
/// each rank, from 1 on. A negative item ends a shorter list. The output says how many items there are: `fuse(lists, weights, out=scores)`.
#[kernel(signature = "(l,k),(l)->(n)")]
#[python_export]
pub fn fuse(lists: View<i64, 2>, weights: &[f32], scores: &mut [f32]) {
    for i in lanes(0..scores.len()) {
        scores[i] = 0.0;
    }
    for (list, r) in lanes((0..lists.dim(0), 0..lists.dim(1))) {
        let item = lists[[list, r]];
        if item >= 0 {
            atomic_add(&mut scores[item as usize], weights[list] / (61.0 + r as f32));
        }
    }
}
