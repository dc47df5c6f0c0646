//! The math functions that `fast_math` makes quicker, as kernels with and without it.

use lanecraft::prelude::*;
use lanecraft::{Kernel, KernelInfo};

macro_rules! pairs {
    ($($function:ident: $exact:ident, $quick:ident;)*) => {
        $(
            #[kernel(dtypes(f32, f64))]
            fn $exact<T: Float>(x: T) -> T {
                x.$function()
            }
            #[kernel(dtypes(f32, f64), fast_math)]
            fn $quick<T: Float>(x: T) -> T {
                x.$function()
            }
        )*
        /// Without and with `fast_math`.
        const PAIRS: &[[KernelInfo; 2]] = &[$([$exact::INFO, $quick::INFO]),*];
    };
}
// In the order of `FastMath.FUNCTIONS` of benches/peers/of_rust.py.
pairs! {
    acosh: acosh_exact, acosh_quick;
    asinh: asinh_exact, asinh_quick;
    erfc: erfc_exact, erfc_quick;
    sigmoid: sigmoid_exact, sigmoid_quick;
}

/// `out[i]` from `x[i]`, for `i` below `n`, by a function of `PAIRS`, for elements of `size` bytes. Whether it ran.
///
/// # Safety
/// `x` points to `n` numbers of 4 (f32) or 8 (f64) bytes, `out` to as many that nothing else uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quick(function: usize, is_quick: bool, size: usize, x: *mut u8, n: usize, out: *mut u8) -> bool {
    let Some(info) = PAIRS.get(function).map(|pair| &pair[usize::from(is_quick)]) else { return false };
    let step = size as isize;
    // SAFETY: as the caller promises; the variants are f32 and f64.
    unsafe { info.variants[usize::from(size == 8)].run(&[x, out], n, &[step, step]) }.is_ok()
}
