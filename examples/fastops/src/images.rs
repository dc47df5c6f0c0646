//! Pixels.

use lanecraft::prelude::*;

/// Pixels to a network's input: `(x / 255 - mean) / std`.
#[kernel]
#[python_export]
pub fn normalize_u8(x: u8, mean: f32, std: f32) -> f32 {
    (x as f32 / 255.0 - mean) / std
}

/// Pixels of an sRGB image to linear light from 0 to 1, the inverse of the transfer function of IEC 61966-2-1.
#[kernel]
#[python_export]
pub fn srgb_to_linear(x: u8) -> f32 {
    linear(x)
}

/// `srgb_to_linear` with results of 16 bits.
#[kernel]
#[python_export]
pub fn srgb_to_linear_f16(x: u8) -> f16 {
    linear(x) as f16
}

#[always_inline]
fn linear(x: u8) -> f32 {
    let c = x as f32 / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}
