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

/// What rustc or syn says of what is no Rust, or of its own rules, in `tests/ui/fail`.
const OTHERS: &[&str] =
    &["`self` parameter is only allowed", "cannot find macro", "number too large", "should have a snake case name", "aborting due to"];

/// "What cannot be; do this; because": each message tells a next step and a reason.
#[test]
fn each_message_says_why() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/fail");
    let mut count = 0;
    for file in std::fs::read_dir(folder).expect("it is there") {
        let file = file.expect("it is readable").path();
        if file.extension().is_none_or(|e| e != "stderr") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("it is text");
        for message in text.lines().filter_map(|line| line.strip_prefix("error: ")) {
            if OTHERS.iter().all(|other| !message.contains(other)) {
                assert!(message.contains("because"), "{}: no reason in: {message}", file.display());
                count += 1;
            }
        }
    }
    assert!(count > 400, "{count}");
}
