//! Loops that end after another number of steps at each element.

use lanecraft::prelude::*;

/// Steps until `z = z * z + c`, from `z = 0`, leaves the circle of radius 2 around 0, where `c = cx + i * cy`; `max_iter` if it
/// does not in so many.
#[kernel(dtypes(f32, f64))]
#[python_export]
pub fn mandelbrot<T: Float>(cx: T, cy: T, #[parameter(64, 256, 1000, ..)] max_iter: i32) -> i32 {
    let mut x = T::ZERO;
    let mut y = T::ZERO;
    for n in 0..max_iter {
        let (xx, yy) = (x * x, y * y);
        if xx + yy > 4.0 {
            return n;
        }
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
    }
    max_iter
}

/// What `collatz` gives where there is no answer.
const ENDLESS: u32 = u32::MAX;

/// Steps of `n / 2` for even and `3 * n + 1` for odd numbers until 1. It is 2**32 - 1 for 0, which never comes to 1, and where a
/// number on the way does not fit into 64 bits.
#[kernel(dtypes(u32, u64))]
#[python_export]
pub fn collatz<T: Int>(n: T) -> u32 {
    let mut x = n as u64;
    let mut steps = 0;
    loop {
        match x {
            0 => return ENDLESS,
            1 => return steps,
            even if even % 2 == 0 => x = even >> 1,
            odd if odd > (u64::MAX - 1) / 3 => return ENDLESS,
            odd => x = 3 * odd + 1,
        }
        steps += 1;
    }
}
