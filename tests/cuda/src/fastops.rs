//! The modules of `examples/fastops`, as they are.

#[path = "../../../examples/fastops/src/activations.rs"]
pub mod activations;
#[path = "../../../examples/fastops/src/arithmetic.rs"]
pub mod arithmetic;
#[path = "../../../examples/fastops/src/images.rs"]
pub mod images;
#[path = "../../../examples/fastops/src/iterations.rs"]
pub mod iterations;
#[path = "../../../examples/fastops/src/math.rs"]
pub mod math;
#[path = "../../../examples/fastops/src/matrices.rs"]
pub mod matrices;
#[path = "../../../examples/fastops/src/numbers.rs"]
pub mod numbers;
#[path = "../../../examples/fastops/src/random.rs"]
pub mod random;
#[path = "../../../examples/fastops/src/rows.rs"]
pub mod rows;
