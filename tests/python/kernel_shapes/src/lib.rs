//! Kernels of every shape that the Python side has to handle: several type parameters, dtypes of several kinds, several results,
//! concrete types, awkward names, faults.

#![deny(warnings, missing_docs, unsafe_op_in_unsafe_fn)]

use lanecraft::prelude::*;

mod by_hand;
mod checks;
mod reductions;
mod renamed;

lanecraft::python_module!(kernel_shapes);

/// One dtype.
#[kernel]
#[python_export]
pub fn half(x: f32) -> f32 {
    0.5 * x
}

/// The first argument, on every dtype.
#[kernel(dtypes(all))]
#[python_export]
pub fn same<T: Dtype>(x: T) -> T {
    x
}

/// Two type parameters over the same dtypes.
#[kernel(dtypes(A: [f32, f64], B: [f32, f64]))]
#[python_export]
pub fn scaled<A: Float, B: Float>(x: A, k: B) -> A {
    x * (k as A)
}

/// A type parameter of several kinds beside one of one.
///
/// # Details
/// A "quoted" word, a `\` and
///     an indented line.
#[kernel(dtypes(A: [u8, i16, f32], B: [i32, i64]))]
#[python_export]
pub fn mixed<A: Num, B: Int>(lambda: A, out: B) -> B {
    lambda as B + out
}

/// Types of storage: bfloat16 is there with `ml_dtypes`.
#[kernel]
#[python_export]
pub fn brain(x: bf16, k: f16) -> bf16 {
    (x as f32 * k as f32) as bf16
}

/// Several results.
#[kernel(dtypes(float))]
#[python_export]
pub fn split<T: Float>(x: T) -> (T, bool) {
    (x.floor(), x < 0.0)
}

/// Several results of one dtype.
#[kernel(dtypes(float))]
#[python_export]
pub fn ends<T: Float>(a: T, b: T) -> (T, T) {
    (a.min(b), a.max(b))
}

/// A comparison.
#[kernel(dtypes(i8, u8, i64))]
#[python_export]
pub fn is_below<T: Int>(x: T, limit: T) -> bool {
    x < limit
}

/// Collides with a name of the stub's own.
#[kernel]
#[python_export]
pub fn keywords(yes: bool) -> bool {
    !yes
}

/// Integer division: a zero is an error.
#[kernel(dtypes(i32, u8))]
#[python_export]
pub fn quotient<T: Int>(a: T, b: T) -> T {
    a / b
}

/// What happens beyond the ends.
#[derive(Clone, Copy, Debug)]
pub enum Edge {
    /// The last value goes on.
    Clamp,
    /// It starts anew.
    Wrap,
}

/// Every `lambda`-th of `n` places: parameters of an enum, which has no run-time variant, and of a name that Python has.
#[kernel]
#[python_export]
pub fn place(x: i32, #[parameter(Edge::Clamp, Edge::Wrap)] mode: Edge, n: i32, #[parameter(1, 2, 4)] lambda: i32) -> i32 {
    let at = x * lambda;
    match mode {
        Edge::Clamp => at.clamp(0, n - 1),
        Edge::Wrap => (at % n + n) % n,
    }
}

/// A sum of powers: parameters of an integer, with a run-time variant, and of a bool.
#[kernel(dtypes(float))]
#[python_export]
pub fn powers<T: Float>(x: T, #[parameter(1, 2, 4, ..)] degree: i32, #[parameter(true, false)] negate: bool) -> T {
    let mut sum = T::ZERO;
    let mut p = T::ONE;
    for _ in 0..degree {
        p *= x;
        sum += p;
    }
    if negate { -sum } else { sum }
}

/// Faults in a run-time variant, and more results than one.
#[kernel(dtypes(i32, i64))]
#[python_export]
pub fn shifted<T: Int>(a: T, b: T, #[parameter(0, ..)] by: u8) -> (T, T) {
    let sum = a + by as T;
    (sum / b, sum % b)
}

#[kernel]
#[python_export]
fn undocumented(x: f64) -> f64 {
    x
}

/// The sum of `N` entries of a table from entry `k` on: a const generic, and an index that may be out of range.
#[kernel]
#[python_export]
pub fn looked_up<#[parameter(1, 2, 4)] const N: usize>(k: i32) -> f64 {
    const TABLE: [f64; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
    let mut sum = 0.0;
    for j in 0..N {
        sum += TABLE[k as usize + j];
    }
    sum
}

/// The elements of `x` at indices.
#[kernel(dtypes(T: [f32, i16], K: [i32, i64]), signature = "(n),(k)->(k)")]
#[python_export]
pub fn take<T: Num, K: Int>(x: &[T], at: &[K], y: &mut [T]) {
    for i in lanes(0..at.len()) {
        y[i] = x[at[i] as usize];
    }
}

/// The cross product of vectors: a core dimension of fixed size.
#[kernel(signature = "(3),(3)->(3)")]
#[python_export]
pub fn cross(a: &[f64], b: &[f64], c: &mut [f64]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

const SECOND: usize = 2;

/// Every second element. The others are not written.
#[kernel(signature = "(n)->(n)")]
#[python_export]
pub fn every_second(x: &[f64], y: &mut [f64]) {
    for i in lanes((0..x.len()).step_by(SECOND)) {
        y[i] = x[i];
    }
}

/// The first of so many parts. The others are not written.
#[kernel(signature = "(n)->(n)")]
#[python_export]
pub fn first_part(x: &[f64], #[parameter(2, 3)] parts: usize, y: &mut [f64]) {
    for i in lanes(0..x.len() / parts) {
        y[i] = x[i];
    }
}

/// The quotients along the last axis, and their sum.
#[kernel(signature = "(n),(n)->(n),()")]
#[python_export]
pub fn quotients(a: &[i32], b: &[i32], q: &mut [i32]) -> i32 {
    let mut s = 0;
    for i in lanes(0..a.len()) {
        q[i] = a[i] / b[i];
        s += q[i];
    }
    s
}

/// The sum of the neighbours on each side, with parameters of both kinds.
#[kernel(dtypes(f32, f64), signature = "(n)->(n)")]
#[python_export]
pub fn neighbours<T: Float, #[parameter(true, false)] const MEAN: bool>(x: &[T], #[parameter(1, 3)] radius: usize, y: &mut [T]) {
    for i in lanes(0..x.len()) {
        let mut s = T::ZERO;
        for k in 0..2 * radius + 1 {
            s += x.at_clamp(i + k - radius);
        }
        y[i] = if MEAN { s / (2 * radius + 1) as T } else { s };
    }
}

/// Elements at given places, each place once, and in `last` the last one of each bin.
#[kernel(dtypes(f32, i64), signature = "(n),(n),(n)->(n),(b)")]
#[python_export]
pub fn scattered<T: Num>(x: &[T], at: &[i64], bin: &[u8], y: &mut [T], last: &mut [T]) {
    for b in lanes(0..last.len()) {
        last[b] = T::ZERO;
    }
    for i in lanes(0..x.len()) {
        y[unsafe { disjoint(at[i] as usize) }] = x[i];
        scatter_last(last, bin[i] as usize, x[i]);
    }
}

/// The product of matrices, or of vectors: each may lack its outer axis.
#[kernel(dtypes(f64, i32), signature = "(m?,k),(k,n?)->(m?,n?)")]
#[python_export]
pub fn product<T: Num>(a: View<T, 2>, b: View<T, 2>, c: ViewMut<T, 2>) {
    for (i, j) in lanes((0..a.dim(0), 0..b.dim(1))) {
        let mut s = T::ZERO;
        for k in 0..a.dim(1) {
            s += a[[i, k]] * b[[k, j]];
        }
        c[[i, j]] = s;
    }
}

/// The least value of a matrix that has elements, and of its last row.
#[kernel(signature = "(m,n)->(),()", nonempty(m, n))]
#[python_export]
pub fn least(x: View<f32, 2>) -> (f32, f32) {
    let (mut all, mut last) = (f32::INFINITY, f32::INFINITY);
    for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) {
        all = all.min(x[[i, j]]);
    }
    let row = x.dim(0) - 1;
    for j in lanes(0..x.dim(1)) {
        last = last.min(x[[row, j]]);
    }
    (all, last)
}
