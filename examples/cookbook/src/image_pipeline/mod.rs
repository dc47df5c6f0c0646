//! Several steps over an image in one call.

use crate::grayscale::brightness;
use lanecraft::prelude::*;

/// An RGB image to its edges: brightness, a blur by the mean of 3 x 3 pixels, the length of Sobel's gradient, and 255 where that is above `threshold`.
/// The image goes on beyond its edge as it is there. What lies between the steps, brightness and blur, are outputs too.
#[kernel(signature = "(h,w,3),()->(h,w),(h,w),(h,w)")]
#[python_export]
pub fn edges(rgb: View<u8, 3>, threshold: f32, edges: ViewMut<u8, 2>, gray: ViewMut<f32, 2>, blurred: ViewMut<f32, 2>) {
    let (h, w) = (rgb.dim(0), rgb.dim(1));
    for (i, j) in lanes((0..h, 0..w)) {
        gray[[i, j]] = brightness(rgb[[i, j, 0]], rgb[[i, j, 1]], rgb[[i, j, 2]]) as f32;
    }
    for (i, j) in lanes((0..h, 0..w)) {
        let mut s = 0.0;
        for di in 0..3 {
            for dj in 0..3 {
                s += gray.at_clamp([i + di - 1, j + dj - 1]);
            }
        }
        blurred[[i, j]] = s / 9.0;
    }
    for (i, j) in lanes((0..h, 0..w)) {
        let (mut dx, mut dy) = (0.0, 0.0);
        for k in 0..3 {
            let weight = SOBEL[k];
            dx += weight * (blurred.at_clamp([i + k - 1, j + 1]) - blurred.at_clamp([i + k - 1, j - 1]));
            dy += weight * (blurred.at_clamp([i + 1, j + k - 1]) - blurred.at_clamp([i - 1, j + k - 1]));
        }
        edges[[i, j]] = if dx * dx + dy * dy > threshold * threshold { 255 } else { 0 };
    }
}

/// Sobel's weights along an edge.
const SOBEL: [f32; 3] = [1.0, 2.0, 1.0];
