//! Choosing a level.

use crate::level::{Level, choose};

const X86: &[Level] = &[Level::Portable, Level::Sse2Exact, Level::Sse2, Level::Avx2];

#[test]
fn the_best_level_is_active_unless_one_is_forced() {
    assert_eq!(choose(None, None, X86), Ok(Level::Avx2));
    assert_eq!(choose(Some("sse2"), None, X86), Ok(Level::Sse2));
    assert_eq!(choose(Some("sse2"), Some("0"), X86), Ok(Level::Sse2));
    assert_eq!(choose(Some("sse2"), Some("1"), X86), Ok(Level::Sse2Exact));
    assert_eq!(choose(None, Some("1"), X86), Ok(Level::Avx2));
    assert_eq!(choose(None, Some("1"), &X86[..3]), Ok(Level::Sse2Exact));
    assert_eq!(choose(Some("portable"), None, X86), Ok(Level::Portable));
}

#[test]
fn the_active_level_is_available() {
    let available = Level::available();
    // Tests may run under LANECRAFT_ISA.
    if let Ok(active) = Level::active() {
        assert!(available.contains(&active));
    }
    #[cfg(all(target_arch = "x86_64", feature = "sse2"))]
    assert!(available.contains(&Level::Sse2) && available.contains(&Level::Sse2Exact));
    assert!(!(available.contains(&Level::Neon) && available.contains(&Level::Sse2)));
}

#[test]
fn errors_name_the_variable_the_value_and_what_is_valid() {
    let text = |isa, exact, available| choose(isa, exact, available).unwrap_err().to_string();
    assert_eq!(
        text(Some("AVX2"), None, X86),
        "environment variable LANECRAFT_ISA is `AVX2`, which is not a CPU level; the valid values are sse2, avx2, avx512, neon, portable; \
         of these this program can use sse2, avx2, portable here"
    );
    assert_eq!(text(None, Some("yes"), X86), "environment variable LANECRAFT_EXACT is `yes`; the valid values are 0 and 1");
    #[cfg(all(target_arch = "x86_64", feature = "avx512"))]
    {
        assert!(text(Some("avx512"), None, X86).contains("`avx512`, which this CPU does not have; the valid values"));
        assert!(text(Some("neon"), None, X86).contains("`neon`, which x86_64 processors do not have; the valid values"));
        assert!(text(Some("avx512"), None, &[]).ends_with("of these this program can use none here"));
        assert_eq!(
            text(None, None, &[]),
            "no CPU level to run on: this program is built without the levels of this x86_64 machine; turn on one of the Cargo features \
             of `lanecraft`: sse2, avx2, avx512, portable"
        );
    }
    #[cfg(not(feature = "portable"))]
    assert!(
        text(Some("portable"), None, &[])
            .contains("`portable`, which this program is built without (Cargo feature `portable` of `lanecraft`)")
    );
}
