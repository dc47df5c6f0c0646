//! What a Rust user writes without Lanecraft: a plain loop over slices. `benches/run.py` calls it through the C interface;
//! the limits of the machine; and math functions with and without `fast_math`, which is measured against itself.

mod quick;
mod roofs;

/// Steps until the point leaves the circle, as the kernel `mandelbrot` of fastops counts them.
fn mandelbrot_point(cx: f32, cy: f32, max_iter: i32) -> i32 {
    let (mut x, mut y) = (0.0_f32, 0.0_f32);
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

/// `out[i]` from `cx[i]` and `cy[i]`, for `i` below `n`.
///
/// # Safety
/// `cx` and `cy` point to `n` numbers, `out` to `n` that nothing else uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mandelbrot(cx: *const f32, cy: *const f32, n: usize, max_iter: i32, out: *mut i32) {
    // SAFETY: as the caller promises.
    let (cx, cy, out) =
        unsafe { (std::slice::from_raw_parts(cx, n), std::slice::from_raw_parts(cy, n), std::slice::from_raw_parts_mut(out, n)) };
    for ((out, cx), cy) in out.iter_mut().zip(cx).zip(cy) {
        *out = mandelbrot_point(*cx, *cy, max_iter);
    }
}
