//! Sound at another volume and another rate.

use lanecraft::prelude::*;
use std::f32::consts::PI;

/// Zeros of the sinc on each side.
const ZEROS: f32 = 8.0;
/// Taps whose sines and cosines are made together.
const TAPS: usize = 64;

/// The samples at another rate, `gain` decibels louder, by a sinc in a Hann window with 8 zeros on each side; beyond the ends is silence. The output says
/// how many samples come: `gain_resample(x, -6.0, out=y)` is at the rate `y.size / x.size` times that of `x`.
///
/// The sine of a tap's angle is put together from that of its distance in whole samples, which is the same for all samples (a table), and that of the
/// part beyond, which is the same for all taps: `sin(a + b) = sin a cos b + cos a sin b`.
#[kernel(signature = "(n),()->(m)", nonempty(n))]
#[python_export]
pub fn gain_resample(x: &[f32], gain: f32, y: &mut [f32]) {
    let volume = 10.0f32.powf(gain / 20.0);
    let step = x.len() as f64 / y.len() as f64;
    // What the lower of both rates cannot carry is cut off.
    let cutoff = 1.0f32.min(1.0 / step as f32);
    let reach = (ZEROS / cutoff).ceil() as usize;
    let taps = 2 * reach + 1;
    let mut sines = [0.0f32; TAPS];
    let mut cosines = [0.0f32; TAPS];
    let mut window_sines = [0.0f32; TAPS];
    let mut window_cosines = [0.0f32; TAPS];
    for i in lanes(0..y.len()) {
        y[i] = 0.0;
    }
    for first in (0..taps).step_by(64) {
        let together = (taps - first).min(TAPS);
        for k in lanes(0..together) {
            let angle = PI * cutoff * ((first + k) as f32 - reach as f32);
            sines[k] = angle.sin();
            cosines[k] = angle.cos();
            window_sines[k] = (angle / ZEROS).sin();
            window_cosines[k] = (angle / ZEROS).cos();
        }
        for i in lanes(0..y.len()) {
            let position = i as f64 * step;
            let whole = (position + 0.5).floor();
            // From -1/2 to 1/2, so that angles near 0 are those of the middle tap, whose sine is exactly that of the part.
            let part = (whole - position) as f32;
            let angle = PI * cutoff * part;
            let (sine, cosine) = (angle.sin(), angle.cos());
            let (window_sine, window_cosine) = ((angle / ZEROS).sin(), (angle / ZEROS).cos());
            let mut s = 0.0;
            for k in 0..together {
                let t = ((first + k) as f32 - reach as f32 + part) * cutoff;
                let sinc = sine.mul_add(cosines[k], cosine * sines[k]) / (PI * t);
                let window = 0.5 + 0.5 * window_cosine.mul_add(window_cosines[k], -(window_sine * window_sines[k]));
                let weight = if t == 0.0 { 1.0 } else { sinc * window };
                // Before the beginning the difference wraps, and is beyond the end.
                let at = whole as usize + first + k - reach;
                let sample = if at < x.len() { x[at] } else { 0.0 };
                s += if t.abs() < ZEROS { weight * sample } else { 0.0 };
            }
            y[i] += s;
        }
    }
    for i in lanes(0..y.len()) {
        y[i] *= volume * cutoff;
    }
}
