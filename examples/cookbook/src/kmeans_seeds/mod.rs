//! First centres for k-means.

use lanecraft::prelude::*;

/// The indices of points to start k-means with, by k-means++ (Arthur and Vassilvitskii, 2007): each next one at random, in proportion to the squared
/// distance from the nearest that was chosen before. `x` has a column for each point. The output says how many:
/// `kmeans_seeds(x, seed, out=(indices, None))`. The second output has the squared distances that are left.
#[kernel(signature = "(d,n),()->(k),(n)", nonempty(n))]
#[python_export]
pub fn kmeans_seeds(x: View<f32, 2>, seed: u64, seeds: &mut [i64], distances: &mut [f32]) {
    let (depth, n) = (x.dim(0), x.dim(1));
    let (a, b, _, _) = philox(seed, 0);
    let mut at = (uniform_f64(a, b) * n as f64) as usize;
    for j in lanes(0..n) {
        distances[j] = f32::INFINITY;
    }
    for c in 0..seeds.len() {
        seeds[c] = at as i64;
        for j in lanes(0..n) {
            let mut s = 0.0;
            for k in 0..depth {
                let d = x[[k, j]] - x[[k, at]];
                s += d * d;
            }
            distances[j] = distances[j].min(s);
        }
        let mut total = 0.0;
        for j in lanes(0..n) {
            total += distances[j] as f64;
        }
        let (a, b, _, _) = philox(seed, c as u64 + 1);
        let target = uniform_f64(a, b) * total;
        // The first point where the running sum is above the target.
        let mut running = 0.0;
        let mut before = 0;
        for j in lanes(0..n) {
            if scan(&mut running, distances[j] as f64) <= target {
                before += 1;
            }
        }
        at = before.min(n - 1);
    }
}
