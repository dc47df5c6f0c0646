//! The kernels of the seed that is set, the first few of seed 1 by default.

#[test]
fn same_bits() {
    match lanecraft_block_fuzz::run() {
        Ok(comparisons) => assert!(comparisons > 0),
        Err(message) => panic!("{message}"),
    }
}
