//! What the kernel language means where Rust's std leaves a choice or has no such method.
#![allow(dead_code, reason = "not every batch of programs uses all")]

macro_rules! floats {
    ($($t:ident $min:ident $max:ident $clamp:ident;)*) => {$(
        /// A NaN loses; of two equal values it is the second.
        pub fn $min(a: $t, b: $t) -> $t {
            if b.is_nan() || a < b { a } else { b }
        }
        /// A NaN loses; of two equal values it is the second.
        pub fn $max(a: $t, b: $t) -> $t {
            if b.is_nan() || a > b { a } else { b }
        }
        pub fn $clamp(x: $t, lo: $t, hi: $t) -> $t {
            $min($max(x, lo), hi)
        }
    )*};
}
floats! { f32 min_f32 max_f32 clamp_f32; f64 min_f64 max_f64 clamp_f64; }

/// Without std's panic where `lo > hi`.
pub fn clamp<T: Ord>(x: T, lo: T, hi: T) -> T {
    x.max(lo).min(hi)
}
