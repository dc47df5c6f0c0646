//! Compile-time parameters.

use lanecraft::prelude::*;
use lanecraft::{Error, Kernel, Level};

#[derive(Clone, Copy, Debug)]
enum Edge {
    Clamp,
    Wrap,
}

/// A sum of powers.
#[kernel(dtypes(f32, f64))]
fn powers<T: Float>(x: T, #[parameter(1, 2, 4, ..)] degree: i32, #[parameter(true, false)] negate: bool) -> T {
    let mut sum = T::ZERO;
    let mut p = T::ONE;
    for _ in 0..degree {
        p *= x;
        sum += p;
    }
    if negate { -sum } else { sum }
}

#[kernel]
fn edge(x: i32, #[parameter(Edge::Clamp, Edge::Wrap)] mode: Edge, n: i32) -> i32 {
    match mode {
        Edge::Clamp => x.clamp(0, n - 1),
        Edge::Wrap => (x % n + n) % n,
    }
}

#[test]
fn every_value_and_the_run_time_variant() -> Result<(), Error> {
    let xs: Vec<f32> = (0..37).map(|i| i as f32 * 0.1).collect();
    let mut ys = vec![0.0; xs.len()];
    for degree in [1, 2, 3, 4, 7, 0, -3] {
        for negate in [true, false] {
            powers::map(&xs, degree, negate, &mut ys)?;
            let want: Vec<f32> = xs
                .iter()
                .map(|x| {
                    let (mut sum, mut p) = (0.0f32, 1.0f32);
                    for _ in 0..degree {
                        p *= x;
                        sum += p;
                    }
                    if negate { -sum } else { sum }
                })
                .collect();
            assert_eq!(ys, want, "{degree} {negate}");
            assert_eq!(powers(xs[3], degree, negate), want[3]);
        }
    }
    assert_eq!(powers::INFO.variants.len(), 4 * 2 * 2);
    assert_eq!(powers::INFO.parameters[0].accepted(), "1, 2, 4 or any i32");
    let x: Vec<i32> = (-20..20).collect();
    let mut y = vec![0; x.len()];
    edge::map(&x, Edge::Wrap, 7, &mut y)?;
    assert_eq!(y, x.iter().map(|x| x.rem_euclid(7)).collect::<Vec<_>>());
    edge::map(&x, Edge::Clamp, 7, &mut y)?;
    assert_eq!(y, x.iter().map(|x| *x.clamp(&0, &6)).collect::<Vec<_>>());
    assert_eq!(edge(-1, Edge::Wrap, 7), 6);
    let _ = Level::available();
    Ok(())
}

#[kernel]
fn shift(x: u32, #[parameter(1, 2)] by: u32) -> u32 {
    x << by
}

#[test]
fn other_values_are_errors() {
    let e = shift::map(&[1], 3, &mut [0]).unwrap_err();
    assert_eq!(e.to_string(), "shift: parameter `by` came as 3; accepted are 1, 2");
    assert_eq!(shift(1, 3), 8);
}

#[kernel]
fn calls_powers(x: f32, k: i32, #[parameter(1, 3)] degree: i32) -> f32 {
    powers(x, k, k > 2) + powers(x, degree, false) * 1000.0 + powers(x, 2, true)
}

/// A kernel with parameters called from another: what is a parameter there may differ from element to element here.
#[test]
fn called_from_a_kernel() -> Result<(), Error> {
    let x: Vec<f32> = (0..309).map(|i| (i % 7) as f32 - 3.0).collect();
    let k: Vec<i32> = (0..309).map(|i| i % 5).collect();
    let sum = |x: f32, degree: i32| (1..=degree).map(|d| x.powi(d)).sum::<f32>();
    for degree in [1, 3] {
        let mut out = vec![0.0; x.len()];
        calls_powers::map(&x, &k, degree, &mut out)?;
        for i in 0..x.len() {
            let sign = if k[i] > 2 { -1.0 } else { 1.0 };
            let want = sign * sum(x[i], k[i]) + sum(x[i], degree) * 1000.0 - sum(x[i], 2);
            assert_eq!((out[i], calls_powers(x[i], k[i], degree)), (want, want), "{i}");
        }
    }
    Ok(())
}

#[kernel]
fn first(x: i32, #[parameter(1, 3, ..)] n: usize) -> i32 {
    let a = [x, 10, 100, 1000];
    let mut sum = 0;
    for k in 0..n {
        sum += a[k];
    }
    sum + n as i32
}

#[test]
fn sizes() -> Result<(), Error> {
    for n in [0, 1, 2, 3, 4] {
        let mut out = [0; 20];
        first::map(7, n, &mut out)?;
        let want = [7, 10, 100, 1000][..n].iter().sum::<i32>() + n as i32;
        assert_eq!((out, first(7, n)), ([want; 20], want));
    }
    let error = first::map(7, 5, &mut [0; 20]).unwrap_err();
    assert_eq!(error.to_string(), "first: index 4 is out of range for an array of length 4 at index [0] of shape [20]");
    Ok(())
}
