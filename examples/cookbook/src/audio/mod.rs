//! Sound at another volume and another rate.

use lanecraft::prelude::*;
use std::f32::consts::PI;

/// Zeros of the sinc on each side.
const ZEROS: f32 = 8.0;

/// The samples at another rate, `gain` decibels louder, by a sinc in a Hann window with 8 zeros on each side; beyond the ends is silence. The output says
/// how many samples come: `gain_resample(x, -6.0, out=y)` is at the rate `y.size / x.size` times that of `x`.
#[kernel(signature = "(n),()->(m)", nonempty(n))]
#[python_export]
pub fn gain_resample(x: &[f32], gain: f32, y: &mut [f32]) {
    let volume = 10.0f32.powf(gain / 20.0);
    let step = x.len() as f64 / y.len() as f64;
    // What the lower of both rates cannot carry is cut off.
    let cutoff = 1.0f32.min(1.0 / step as f32);
    let reach = (ZEROS / cutoff).ceil();
    let taps = 2 * reach as usize;
    for i in lanes(0..y.len()) {
        let position = i as f64 * step;
        let whole = position.floor();
        let part = (position - whole) as f32;
        let mut s = 0.0;
        for k in 0..taps {
            // From `reach - 1` samples before to `reach` samples after.
            let t = (k as f32 + 1.0 - reach - part) * cutoff;
            s += kernel(t) * x.at_or(whole as usize + k + 1 - reach as usize, 0.0);
        }
        y[i] = volume * cutoff * s;
    }
}

/// The sinc in its window, at `t` zeros from its middle.
#[always_inline]
fn kernel(t: f32) -> f32 {
    if t.abs() >= ZEROS {
        0.0
    } else if t == 0.0 {
        1.0
    } else {
        let angle = PI * t;
        angle.sin() / angle * (0.5 + 0.5 * (angle / ZEROS).cos())
    }
}
