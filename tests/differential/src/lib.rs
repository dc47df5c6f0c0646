//! Random kernels against the same programs in plain Rust, on every level, bit for bit.
//!
//! The build script writes the programs (`generator/`); `cargo xtask fuzz` builds and runs them in batches, and makes one that
//! fails small.

pub mod check;
#[cfg(feature = "cuda")]
mod cuda;
mod plain;
#[allow(missing_docs, unused_comparisons, clippy::all, reason = "random programs, written by the build script")]
mod programs {
    include!(concat!(env!("OUT_DIR"), "/programs.rs"));
}

pub use programs::STEPS;

/// What went wrong with a program.
#[derive(Debug)]
pub struct Mismatch {
    /// Its number.
    pub program: u64,
    /// The first difference, or a panic.
    pub message: String,
    /// The kernel and its helpers.
    pub text: &'static str,
}

/// What the programs that were built gave.
#[derive(Debug)]
pub struct Outcome {
    /// How many there are.
    pub programs: usize,
    /// Those whose forms disagree.
    pub mismatches: Vec<Mismatch>,
    /// With the feature `cuda`: those that have no CUDA text, by number, and why.
    pub without_text: Vec<(u64, String)>,
}

/// Runs the programs that were built.
pub fn run() -> Outcome {
    let mut mismatches = Vec::new();
    for (program, check, text) in programs::PROGRAMS {
        let outcome = std::panic::catch_unwind(check).unwrap_or_else(|panic| {
            let message = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(format!("panic: {}", message.unwrap_or_default()))
        });
        if let Err(message) = outcome {
            mismatches.push(Mismatch { program: *program, message, text });
        }
    }
    #[cfg(feature = "cuda")]
    let without_text = cuda::without_text().collect();
    #[cfg(not(feature = "cuda"))]
    let without_text = Vec::new();
    Outcome { programs: programs::PROGRAMS.len(), mismatches, without_text }
}
