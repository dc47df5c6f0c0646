//! What is copied: numbers, texts, collections.

use lanecraft::prelude::*;
use std::collections::HashMap;
use std::num::ParseIntError;

/// All integers, added up as they come.
#[python_export]
#[allow(clippy::too_many_arguments)]
pub fn integers(a: i8, b: i16, c: i32, d: i64, e: u8, f: u16, g: u32, h: u64, i: usize, j: isize) -> (i64, u64) {
    let signed = i64::from(a) + i64::from(b) + i64::from(c) + d + j as i64;
    (signed, u64::from(e) + u64::from(f) + u64::from(g) + h + i as u64)
}

/// `x` as a 32-bit float, `y` as it is, and whether `flag`.
#[python_export]
pub fn floats(x: f32, y: f64, flag: bool) -> (f32, f64, bool) {
    (x, y, flag)
}

/// `x` as a float16, `y` as a bfloat16, `z` as a float16 with a default value, and a list of bfloat16s, if there is one.
#[python_export(signature(x, y, *, z = -0.1, more = None))]
pub fn halves(x: f16, y: bf16, z: f16, more: Option<Vec<bf16>>) -> (f16, bf16, f16, Option<Vec<bf16>>) {
    (x, y, z, more)
}

/// `text`, `times` times, with `between` between.
///
/// Repeats nothing as often as you like.
#[python_export(signature(text, /, times = 2, *, between = ", ", reverse = false))]
pub fn repeat(text: &str, times: usize, between: String, reverse: bool) -> String {
    let text = if reverse { text.chars().rev().collect() } else { text.to_owned() };
    vec![text; times].join(&between)
}

/// The bytes in the opposite order.
#[python_export]
pub fn backwards(data: &[u8]) -> Vec<u8> {
    data.iter().rev().copied().collect()
}

/// The bytes, copied in and out.
#[python_export]
pub fn same_bytes(data: Vec<u8>) -> Vec<u8> {
    data
}

/// The mean of some numbers, if there are any.
#[python_export]
pub fn mean(numbers: Vec<f64>) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// How often each word comes.
#[python_export]
pub fn count_words(words: Vec<String>) -> HashMap<String, u32> {
    let mut counts = HashMap::new();
    for word in words {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

/// The keys by value.
#[python_export]
pub fn inverse(table: HashMap<String, (i64, bool)>) -> Vec<((i64, bool), String)> {
    let mut list: Vec<_> = table.into_iter().map(|(key, value)| (value, key)).collect();
    list.sort();
    list
}

/// The length of a text that may be missing.
#[python_export(signature(text = None))]
pub fn length(text: Option<&str>) -> Option<usize> {
    text.map(str::len)
}

/// `limit`, which is 10 where it is left out, and none where it is `None`.
#[python_export(signature(*, limit = 10))]
pub fn limited(limit: Option<i64>) -> Option<i64> {
    limit
}

/// The number that a text spells.
#[python_export(raises = ValueError, module = "parsing")]
pub fn number(text: &str) -> Result<i64, ParseIntError> {
    text.parse()
}

/// Fails, or not.
#[python_export(raises = KeyError)]
pub fn fails(message: Option<String>) -> Result<(), String> {
    message.map_or(Ok(()), Err)
}

/// Panics with its message.
#[python_export]
pub fn panics(message: &str) {
    std::panic::panic_any(message.to_owned());
}

/// Sleeps for this many seconds.
#[python_export]
pub fn sleeps(seconds: f64) {
    std::thread::sleep(std::time::Duration::from_secs_f64(seconds));
}

/// A name that the argument has too.
#[python_export]
pub fn py(py: i64) -> i64 {
    py
}

/// Exported, and kept out of the module by pybind-gen.toml.
#[python_export]
pub fn hidden() {}

/// The same, in a submodule.
#[python_export(module = "parsing")]
pub fn buried() {}

/// One more, with the GIL.
#[python_export(keep_gil)]
pub fn next(n: i64) -> i64 {
    n + 1
}

/// `x + by`, or an error: `parsing.name_in_python`.
#[python_export(raises = ValueError, signature(x, *, by = 1))]
pub fn name_in_rust(x: i64, by: i64) -> Result<i64, &'static str> {
    x.checked_add(by).ok_or("the sum is too large")
}
