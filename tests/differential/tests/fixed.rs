//! The programs of the first seed.

#[test]
fn programs_agree() {
    let (programs, mismatches) = lanecraft_differential::run();
    assert!(programs > 0);
    assert!(mismatches.is_empty(), "{mismatches:#?}");
}
