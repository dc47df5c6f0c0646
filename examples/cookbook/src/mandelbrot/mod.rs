//! A loop that ends at another step in each lane.

use lanecraft::prelude::*;

/// Steps until `z = z * z + c` leaves the circle of radius 16, smoothed to a fraction of a step; `max_iter` where it does not in so many.
#[kernel(dtypes(f32, f64))]
#[python_export]
pub fn mandelbrot<T: Float>(cx: T, cy: T, #[parameter(256, ..)] max_iter: i32) -> T {
    let (steps, square) = escape(cx, cy, max_iter);
    if steps == max_iter { max_iter as T } else { steps as T + 1.0 - (0.5 * square.log2()).log2() }
}

/// The step at which `z` is outside, and its square there. A function of its own, so that the logarithms are taken once: within the loop they
/// would be at each step where any lane leaves.
#[always_inline]
fn escape<T: Float>(cx: T, cy: T, max_iter: i32) -> (i32, T) {
    let (mut x, mut y) = (T::ZERO, T::ZERO);
    for n in 0..max_iter {
        let (xx, yy) = (x * x, y * y);
        if xx + yy > 256.0 {
            return (n, xx + yy);
        }
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
    }
    (max_iter, T::ZERO)
}
