//! Kernels inside `impl` and `trait`.

use lanecraft::prelude::*;

struct Filter;

impl Filter {
    #[kernel]
    fn apply(x: f32) -> f32 {
        x
    }
}

fn main() {}
