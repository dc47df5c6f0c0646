//! `LANECRAFT_REPORT=1`: what is built of each kernel, on standard error while the crate compiles.

use lanecraft_lang::report::Levels;
use proc_macro::TokenStream;

/// Prints the lines on a kernel.
pub(crate) fn print(attr: &TokenStream, item: &TokenStream) {
    let crate_name = std::env::var("CARGO_CRATE_NAME").unwrap_or_default();
    if let Some(text) = lanecraft_lang::report_kernel(attr.clone().into(), item.clone().into(), &crate_name, &levels()) {
        eprint!("{text}");
    }
}

/// The levels that are compiled in, by Cargo features. A macro is not told the target: those of every family.
fn levels() -> [Levels; 2] {
    let all = [
        ("portable", cfg!(feature = "portable")),
        ("sse2", cfg!(feature = "sse2")),
        ("sse2-exact", cfg!(feature = "sse2")),
        ("avx2", cfg!(feature = "avx2")),
        ("avx512", cfg!(feature = "avx512")),
        ("neon", cfg!(feature = "neon")),
    ];
    let of = |target, has: fn(&str) -> bool| Levels {
        target,
        names: all.iter().filter(|(name, is_on)| *is_on && has(name)).map(|(name, _)| *name).collect(),
    };
    [of("x86-64", |name| name != "neon"), of("64-bit ARM", |name| matches!(name, "portable" | "neon"))]
}
