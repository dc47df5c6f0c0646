//! Built-in methods.

/// Those that are written in the kernel language, in core's `math`: their text is an item of its own. All others are in the prelude. One
/// that is missing here is missing in the text of `fastops.math`, which `tests/cuda` compiles.
pub const ELEMENTARY: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp2", "exp_m1", "hypot",
    "ln", "ln_1p", "log10", "log2", "powf", "round", "sigmoid", "sin", "sinh", "tan", "tanh",
];

/// The elementary functions that a method needs.
pub fn elementary(name: &str) -> &'static [&'static str] {
    if name == "sin_cos" {
        return &["sin_cos"];
    }
    ELEMENTARY.iter().position(|e| *e == name).and_then(|k| ELEMENTARY.get(k..=k)).unwrap_or_default()
}
