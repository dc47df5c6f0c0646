//! What has another name in Python: `pybind-gen.toml`.

use lanecraft::prelude::*;

/// Two times `x`: `twice`.
#[kernel(dtypes(float))]
#[python_export(module = "inner")]
pub fn doubled<T: Float>(x: T) -> T {
    x + x
}

/// The elements in the opposite order: `elsewhere.backwards`, as the submodule has another name.
#[kernel(dtypes(f32, i64), signature = "(n)->(n)")]
#[python_export(module = "inner")]
pub fn backwards<T: Num>(x: &[T], y: &mut [T]) {
    for i in lanes(0..x.len()) {
        y[i] = x[x.len() - 1 - i];
    }
}
