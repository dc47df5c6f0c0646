//! What kernels cannot be, with the exact messages: `tests/ui/*/*.rs` beside their `.stderr`.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the messages anew; the diff is the review.

/// The rustc whose words stand in `tests/ui/rustc`.
const RUSTC: &str = "rustc 1.95";

#[test]
fn rejected() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/fail/*.rs");
    // Messages that rustc words itself differ from release to release.
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = std::process::Command::new(rustc).arg("-V").output().expect("rustc tells its version").stdout;
    let version = String::from_utf8_lossy(&version);
    if version.starts_with(RUSTC) {
        cases.compile_fail("tests/ui/rustc/*.rs");
    } else {
        println!("tests/ui/rustc is skipped: its messages are those of {RUSTC}, this is {version}");
    }
}
