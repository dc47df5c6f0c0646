//! A kernel in a Rust program: `cargo run --release -p quickstart`.

use lanecraft::prelude::*;
use std::time::Instant;

/// Logistic growth: the share that a spreading thing has reached at time `t`.
#[kernel(dtypes(f32, f64))]
fn logistic<T: Float>(t: T, rate: T, midpoint: T) -> T {
    1.0 / (1.0 + (-rate * (t - midpoint)).exp())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let times: Vec<f32> = (0..1_000_000).map(|i| i as f32 * 1e-5).collect();
    let mut shares = vec![0.0; times.len()];

    let start = Instant::now();
    logistic::map(&times, 1.5, 5.0, &mut shares)?; // every element; arrays and scalars broadcast
    let vector = start.elapsed();

    let start = Instant::now();
    let reference: Vec<f32> = times.iter().map(|t| logistic(*t, 1.5, 5.0)).collect(); // the function itself
    let scalar = start.elapsed();

    println!("level {}: {vector:.2?} for {} elements; one by one: {scalar:.2?}", lanecraft::Level::active()?, times.len());
    println!("share at t = 5: {}; same bits as the function: {}", shares[500_000], shares == reference);
    Ok(())
}
