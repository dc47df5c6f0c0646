//! Random kernels against the same programs in plain Rust, on every level, bit for bit.
//!
//! The build script writes the programs (`generator/`); `cargo run -p lanecraft-differential -- --seed S --count N` builds
//! and runs more of them.

#[allow(unused, clippy::excessive_precision, reason = "shared with tests/language")]
#[path = "../../language/harness.rs"]
mod harness;
mod plain;
#[allow(missing_docs, unused_comparisons, clippy::all, reason = "random programs, written by the build script")]
mod programs {
    include!(concat!(env!("OUT_DIR"), "/programs.rs"));
}

/// What went wrong with a program.
#[derive(Debug)]
pub struct Mismatch {
    /// Its index.
    pub program: u64,
    /// The first difference.
    pub message: String,
}

/// Runs the programs that were built. Gives how many there were, and those whose forms disagree.
pub fn run() -> (usize, Vec<Mismatch>) {
    let mut mismatches = Vec::new();
    for (program, check) in programs::PROGRAMS {
        if let Err(panic) = std::panic::catch_unwind(check) {
            let message = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            mismatches.push(Mismatch { program: *program, message: message.unwrap_or_default() });
        }
    }
    (programs::PROGRAMS.len(), mismatches)
}
