//! What a Rust user writes without Lanecraft, built with `target-cpu=native`: plain loops over slices, which LLVM makes vectors of where it can,
//! loops over the crate `wide`'s vectors, and `core::arch` by hand. And the limits of the machine. `benches/peers/of_rust.py` calls all of it through
//! the C interface.

mod arch;
mod loops;
mod roofs;
mod vectors;

/// Functions of the C interface for functions over slices.
///
/// # Safety
/// Each pointer in points to `n` elements, `out` to `n` that nothing else uses.
macro_rules! exports {
    (unary: $($name:ident = $function:path;)*) => {
        $(
            /// # Safety
            /// `x` points to `n` numbers, `out` to `n` that nothing else uses.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(x: *const f32, out: *mut f32, n: usize) {
                // SAFETY: as the caller promises.
                unsafe { $function(std::slice::from_raw_parts(x, n), std::slice::from_raw_parts_mut(out, n)) }
            }
        )*
    };
    (saxpy: $($name:ident = $function:path;)*) => {
        $(
            /// # Safety
            /// `x` and `y` point to `n` numbers, `out` to `n` that nothing else uses.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(a: f32, x: *const f32, y: *const f32, out: *mut f32, n: usize) {
                // SAFETY: as the caller promises.
                unsafe {
                    let (x, y) = (std::slice::from_raw_parts(x, n), std::slice::from_raw_parts(y, n));
                    $function(a, x, y, std::slice::from_raw_parts_mut(out, n));
                }
            }
        )*
    };
    (sum: $($name:ident = $function:path;)*) => {
        $(
            /// # Safety
            /// `x` points to `n` numbers.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(x: *const f32, n: usize) -> f32 {
                // SAFETY: as the caller promises.
                unsafe { $function(std::slice::from_raw_parts(x, n)) }
            }
        )*
    };
}
exports! { unary:
    plain_exp = loops::exp;
    plain_gelu = loops::gelu;
    wide_exp = vectors::exp;
    wide_gelu = vectors::gelu;
    arch_exp = arch::exp;
    arch_gelu = arch::gelu;
}
exports! { saxpy:
    plain_saxpy = loops::saxpy;
    wide_saxpy = vectors::saxpy;
    arch_saxpy = arch::saxpy;
}
exports! { sum:
    plain_sum = loops::sum;
    wide_sum = vectors::sum;
    arch_sum = arch::sum;
}

/// Whether the functions `arch_..` can run here.
#[unsafe(no_mangle)]
pub extern "C" fn has_arch() -> bool {
    arch::is_there()
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
    loops::mandelbrot(cx, cy, max_iter, out);
}

/// Counts of the values of `x`.
///
/// # Safety
/// `x` points to `n` numbers, `out` to 256 that nothing else uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn histogram(x: *const u8, n: usize, out: *mut [i64; 256]) {
    // SAFETY: as the caller promises.
    unsafe { loops::histogram(std::slice::from_raw_parts(x, n), &mut *out) }
}

/// `loops::jacobi` of `h` by `w` numbers.
///
/// # Safety
/// `x` points to `h * w` numbers, `out` to as many that nothing else uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jacobi(x: *const f32, h: usize, w: usize, out: *mut f32) {
    // SAFETY: as the caller promises.
    unsafe { loops::jacobi(std::slice::from_raw_parts(x, h * w), w, std::slice::from_raw_parts_mut(out, h * w)) }
}

/// `loops::layernorm` of rows of `w` numbers.
///
/// # Safety
/// `x` points to `h * w` numbers, `gamma` and `beta` to `w`, `out` to `h * w` that nothing else uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn layernorm(x: *const f32, h: usize, w: usize, gamma: *const f32, beta: *const f32, out: *mut f32) {
    // SAFETY: as the caller promises.
    unsafe {
        let (x, gamma, beta) =
            (std::slice::from_raw_parts(x, h * w), std::slice::from_raw_parts(gamma, w), std::slice::from_raw_parts(beta, w));
        loops::layernorm(x, gamma, beta, std::slice::from_raw_parts_mut(out, h * w));
    }
}
