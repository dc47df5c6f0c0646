//! Colours to brightness.

use lanecraft::prelude::*;

/// The brightness of each pixel of an RGB image by ITU-R BT.601, in fixed point of 16 bits, rounded: the bits of Pillow's `convert("L")`.
#[kernel(signature = "(h,w,3)->(h,w)")]
#[python_export]
pub fn grayscale(rgb: View<u8, 3>, gray: ViewMut<u8, 2>) {
    for (i, j) in lanes((0..rgb.dim(0), 0..rgb.dim(1))) {
        gray[[i, j]] = brightness(rgb[[i, j, 0]], rgb[[i, j, 1]], rgb[[i, j, 2]]);
    }
}

/// The brightness of one pixel.
#[always_inline]
pub fn brightness(r: u8, g: u8, b: u8) -> u8 {
    // 0.299, 0.587 and 0.114 times 2^16, and a half.
    ((19595 * r as u32 + 38470 * g as u32 + 7471 * b as u32 + 0x8000) >> 16) as u8
}
