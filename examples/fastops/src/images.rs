//! Pixels, images and grids.

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
    LINEAR[x]
}

/// `srgb_to_linear` with results of 16 bits.
#[kernel]
#[python_export]
pub fn srgb_to_linear_f16(x: u8) -> f16 {
    LINEAR[x] as f16
}

/// The transfer function at every pixel, made when this file is compiled.
const LINEAR: [f32; 256] = {
    let mut table = [0.0; 256];
    let mut k = 0;
    while k < table.len() {
        let c = k as f64 / 255.0;
        table[k] = if c <= 0.04045 { c / 12.92 } else { to_the_2_4((c + 0.055) / 1.055) } as f32;
        k += 1;
    }
    table
};

/// `c` to the power of 2.4, for `c` up to 1: `c * c` times the square of the fifth root, which Newton's method finds.
const fn to_the_2_4(c: f64) -> f64 {
    let mut root = 1.0;
    let mut k = 0;
    while k < 12 {
        let fourth = root * root * root * root;
        root -= (fourth * root - c) / (5.0 * fourth);
        k += 1;
    }
    c * c * root * root
}

/// One step of Jacobi's method for the Laplace equation: the mean of the four neighbours. Beyond the edge stands the edge.
#[kernel(dtypes(f32, f64), signature = "(h,w)->(h,w)")]
#[python_export]
pub fn jacobi<T: Float>(x: View<T, 2>, y: ViewMut<T, 2>) {
    for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) {
        let sides = x.at_clamp([i, j - 1]) + x.at_clamp([i, j + 1]);
        y[[i, j]] = 0.25 * (x.at_clamp([i - 1, j]) + x.at_clamp([i + 1, j]) + sides);
    }
}

/// Gaussian blur with standard deviation `radius / 2`, by the `2 * radius + 1` pixels nearest on each axis; the image goes on mirrored beyond
/// its edge.
#[kernel(dtypes(f32, f64), signature = "(h,w),()->(h,w),(h,w)")]
#[python_export]
pub fn gaussian_blur<T: Float>(img: View<T, 2>, radius: u32, rows: ViewMut<T, 2>, out: ViewMut<T, 2>) {
    let sigma = 0.5 * radius as T + 1e-6;
    let r = radius as usize;
    let mut total = T::ZERO;
    for k in 0..2 * r + 1 {
        let d = k as T - radius as T;
        total += (-0.5 * d * d / (sigma * sigma)).exp();
    }
    for (i, j) in lanes((0..img.dim(0), 0..img.dim(1))) {
        let mut s = T::ZERO;
        for k in 0..2 * r + 1 {
            let d = k as T - radius as T;
            s += (-0.5 * d * d / (sigma * sigma)).exp() * img.at_mirror([i, j + k - r]);
        }
        rows[[i, j]] = s / total;
    }
    for (i, j) in lanes((0..img.dim(0), 0..img.dim(1))) {
        let mut s = T::ZERO;
        for k in 0..2 * r + 1 {
            let d = k as T - radius as T;
            s += (-0.5 * d * d / (sigma * sigma)).exp() * rows.at_mirror([i + k - r, j]);
        }
        out[[i, j]] = s / total;
    }
}

/// Pixels of an image, height by width by channels, to a network's input, channels first: `(x / 255 - mean) / std`.
#[kernel(signature = "(h,w,c),(c),(c)->(c,h,w)")]
#[python_export]
pub fn hwc_u8_to_chw_f32(img: View<u8, 3>, mean: &[f32], std: &[f32], out: ViewMut<f32, 3>) {
    for c in 0..img.dim(2) {
        let scale = 1.0 / (255.0 * std[c]);
        let shift = -mean[c] / std[c];
        for (i, j) in lanes((0..img.dim(0), 0..img.dim(1))) {
            out[[c, i, j]] = (img[[i, j, c]] as f32).mul_add(scale, shift);
        }
    }
}

/// The matrix with its axes swapped.
#[kernel(dtypes(float, i32, i64, u8), signature = "(m,n)->(n,m)")]
#[python_export]
pub fn transpose<T: Num>(x: View<T, 2>, y: ViewMut<T, 2>) {
    for (i, j) in lanes((0..x.dim(1), 0..x.dim(0))) {
        y[[i, j]] = x[[j, i]];
    }
}

/// The image in another size, each pixel from the four nearest; pixels are areas, with their centres at halves. The output says the size:
/// `resize_bilinear(img, out=small)`.
#[kernel(dtypes(u8, f32), signature = "(h,w,c)->(H,W,c)")]
#[python_export]
pub fn resize_bilinear<T: Num>(img: View<T, 3>, out: ViewMut<f32, 3>) {
    let (h, w) = (img.dim(0), img.dim(1));
    let (sy, sx) = (h as f32 / out.dim(0) as f32, w as f32 / out.dim(1) as f32);
    for (i, j) in lanes((0..out.dim(0), 0..out.dim(1))) {
        let (y, x) = (source(i as f32, sy), source(j as f32, sx));
        let (y0, x0) = (y as usize, x as usize);
        let (y1, x1) = ((y0 + 1).min(h - 1), (x0 + 1).min(w - 1));
        let (b, a) = (y - y0 as f32, x - x0 as f32);
        for c in 0..img.dim(2) {
            let top = mix(img[[y0, x0, c]] as f32, img[[y0, x1, c]] as f32, a);
            let bottom = mix(img[[y1, x0, c]] as f32, img[[y1, x1, c]] as f32, a);
            out[[i, j, c]] = mix(top, bottom, b);
        }
    }
}

/// `hwc_u8_to_chw_f32` of the image in another size, in one pass: `resize_normalize(img, mean, std, out=input)`.
#[kernel(signature = "(h,w,c),(c),(c)->(c,H,W)")]
#[python_export]
pub fn resize_normalize(img: View<u8, 3>, mean: &[f32], std: &[f32], out: ViewMut<f32, 3>) {
    let (h, w) = (img.dim(0), img.dim(1));
    let (sy, sx) = (h as f32 / out.dim(1) as f32, w as f32 / out.dim(2) as f32);
    for c in 0..img.dim(2) {
        let scale = 1.0 / (255.0 * std[c]);
        let shift = -mean[c] / std[c];
        for (i, j) in lanes((0..out.dim(1), 0..out.dim(2))) {
            let (y, x) = (source(i as f32, sy), source(j as f32, sx));
            let (y0, x0) = (y as usize, x as usize);
            let (y1, x1) = ((y0 + 1).min(h - 1), (x0 + 1).min(w - 1));
            let (b, a) = (y - y0 as f32, x - x0 as f32);
            let top = mix(img[[y0, x0, c]] as f32, img[[y0, x1, c]] as f32, a);
            let bottom = mix(img[[y1, x0, c]] as f32, img[[y1, x1, c]] as f32, a);
            out[[c, i, j]] = mix(top, bottom, b).mul_add(scale, shift);
        }
    }
}

/// Where the centre of pixel `i` lies among the source's pixels.
#[always_inline]
fn source(i: f32, scale: f32) -> f32 {
    ((i + 0.5) * scale - 0.5).max(0.0)
}

/// From `a` to `b`, by the part `t` of the way.
#[always_inline]
fn mix(a: f32, b: f32, t: f32) -> f32 {
    (b - a).mul_add(t, a)
}
