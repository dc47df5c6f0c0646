//! Calls of functions of the same module that are no helpers or take other arguments, and kernels inside of an `impl` or a `trait`.

use lanecraft::prelude::*;

/// One without the attribute.
#[inline]
fn not_a_helper(x: f32) -> f32 {
    x
}

// Hides the prelude's.
fn max(a: f32, _: f32) -> f32 {
    a
}

#[kernel]
fn calls_a_plain_function(x: f32) -> f32 {
    not_a_helper(x)
}

#[kernel]
fn calls_more(x: f32) -> f32 {
    let a = self::not_a_helper(x);
    let b = max(x, 1.0);
    a + b
}

#[always_inline]
fn helper<T: Float>(x: T) -> T {
    let inner = |v: T| generic::<T>(v);
    inner(x)
}

pub(crate) const fn generic<T>(x: T) -> T
where
    T: Copy,
{
    x
}

#[always_inline]
pub fn clamped<T: Num>(x: T, low: [T; 2], _high: (T, T)) -> T {
    x.max(low[0])
}

#[kernel]
fn too_few(x: f32) -> f32 {
    clamped(x, [x, x]) + too_many(x)
}

#[lanecraft::kernel]
#[allow(dead_code)]
fn too_many(x: f32, #[parameter(1, 2)] k: i32) -> f32 {
    helper(x, k) + x
}

#[kernel(signature = "(n)->(n)")]
fn block(x: &[f32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        y[i] = not_a_helper(x[i]);
    }
}

#[cfg(all())]
mod inner {
    use lanecraft::prelude::*;

    #[kernel]
    fn in_a_module(x: f32) -> f32 {
        of_the_module(x)
    }

    fn of_the_module(x: f32) -> f32 {
        x
    }
}

struct Filter;

impl Filter {
    #[kernel]
    fn apply(x: f32) -> f32 {
        x
    }

    /// A helper.
    #[always_inline]
    pub fn half(x: f32) -> f32 {
        0.5 * x
    }
}

trait Filters {
    #[kernel(dtypes(f32))]
    fn apply<T: Float>(x: T) -> T {
        x
    }
}

// What had errors can be called.
fn callers() -> f32 {
    calls_a_plain_function(1.0) + Filter::apply(1.0) + helper(1.0)
}

fn main() {}
