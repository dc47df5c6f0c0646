//! The Rust blocks of the book and of the README, as rustdoc's tests; and the book's form.

/// The chapters in order, as modules with their text: `cargo test --doc` runs it.
macro_rules! chapters {
    ($($name:ident $file:literal)*) => {
        $(#[doc = include_str!(concat!("../../../", $file))] mod $name {})*

        /// The files whose Rust is tested here.
        #[cfg(test)]
        const TESTED: &[&str] = &[$($file),*];
    };
}

chapters! {
    start "docs/start.md"
    language "docs/language.md"
    blocks "docs/blocks.md"
    accuracy "docs/accuracy.md"
    tuning "docs/tuning.md"
    performance "docs/performance.md"
    python "docs/python.md"
    border "docs/border.md"
    cuda "docs/cuda.md"
    gpu "docs/gpu.md"
    packaging "docs/packaging.md"
    debugging "docs/debugging.md"
    comparison "docs/comparison.md"
    limits "docs/limits.md"
    architecture "docs/architecture.md"
}

#[cfg(test)]
mod form;
