//! The smallest kernel.

use lanecraft::prelude::*;

/// The sum of two numbers. Integers wrap.
#[kernel(dtypes(u8, i32, f16, f32, f64))]
#[python_export]
pub fn add<T: Num>(x: T, y: T) -> T {
    x + y
}
