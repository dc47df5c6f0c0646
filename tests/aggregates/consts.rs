//! Constants, const generics, and loops over them.

use super::{compare, integers};
use lanecraft::prelude::*;
use lanecraft::{Error, Kernel};

const STEPS: usize = 3;

#[always_inline]
fn sum<T: Num, const N: usize>(a: [T; N]) -> T {
    let mut s = T::ZERO;
    for k in 0..N {
        s += a[k];
    }
    s
}

#[always_inline]
fn filled<const N: usize>(x: i32) -> i32 {
    let mut a = [x; N];
    a[N - 1] = N as i32;
    sum(a)
}

#[kernel]
fn constants(x: i32) -> i32 {
    const WEIGHTS: [i32; STEPS] = [1, 10, 100];
    let mut s = 0;
    for k in 0..STEPS {
        s += WEIGHTS[k] * x;
    }
    s + filled::<5>(x) + sum([x, 1, 2]) + STEPS as i32 + i32::MAX % 7 + WEIGHTS.len() as i32
}

#[test]
fn constants_and_helpers_with_const_generics() {
    let x = integers(-150);
    let want = |x: i32| 111 * x + (4 * x + 5) + (x + 3) + 3 + i32::MAX % 7 + 3;
    compare(&constants::INFO.variants[0], &[&x], |i| want(x[i]));
    assert_eq!(constants(9), want(9));
    assert_eq!(filled::<3>(4), 11);
}

#[kernel]
fn computed_lengths(x: i32) -> i32 {
    let mut a = [x; 2 * STEPS + 1];
    let b: [i32; (STEPS << 1) / 3] = [x, 1];
    a[2 * STEPS] = 5;
    sum(a) + sum(b) + (a.len() + b.len()) as i32
}

#[test]
fn lengths_that_are_computed() {
    let x = integers(-150);
    let want = |x: i32| 6 * x + 5 + x + 1 + 9;
    compare(&computed_lengths::INFO.variants[0], &[&x], |i| want(x[i]));
    assert_eq!(computed_lengths(4), want(4));
}

/// A moving sum of powers.
#[kernel(dtypes(f32, i32))]
fn powers<T: Num, #[parameter(2, 4, 8)] const N: usize>(x: T, #[parameter(true, false)] negate: bool) -> T {
    let mut a = [x; N];
    for k in 1..N {
        a[k] = a[k - 1] * x;
    }
    let s = sum(a);
    if negate { T::ZERO - s } else { s }
}

#[kernel]
fn flagged<#[parameter(true, false)] const WIDE: bool, #[parameter(-1, 3)] const K: i8>(x: i32) -> i32 {
    if WIDE { x * 1000 } else { x + K as i32 }
}

#[test]
fn const_generics_of_kernels() -> Result<(), Error> {
    assert_eq!(powers::INFO.variants.len(), 3 * 2 * 2);
    assert_eq!(powers::INFO.parameters[0].name, "N");
    assert_eq!(powers::INFO.parameters[0].accepted(), "2, 4, 8");
    let x: Vec<i32> = integers(-150);
    let want = |x: i32, n: u32, negate: bool| {
        let s = (1..=n).fold(0_i32, |s, k| s.wrapping_add(x.wrapping_pow(k)));
        if negate { s.wrapping_neg() } else { s }
    };
    for (k, choice) in [(2, true), (2, false), (4, true), (4, false), (8, true), (8, false)].iter().enumerate() {
        // For each choice of values the dtypes.
        compare(&powers::INFO.variants[2 * k + 1], &[&x], |i| want(x[i], choice.0, choice.1));
    }
    let mut out = vec![0; x.len()];
    powers::map::<_, 4>(&x, false, &mut out)?;
    assert_eq!(out, x.iter().map(|x| want(*x, 4, false)).collect::<Vec<_>>());
    assert_eq!(powers::<i32, 8>(3, true), want(3, 8, true));
    let error = powers::map::<i32, 3>(&x, false, &mut out).unwrap_err();
    assert_eq!(error.to_string(), "powers: parameter `N` came as 3; accepted are 2, 4, 8");
    flagged::map::<false, -1>(&x, &mut out)?;
    assert_eq!(out, x.iter().map(|x| x - 1).collect::<Vec<_>>());
    flagged::map::<true, 3>(&x, &mut out)?;
    assert_eq!(out, x.iter().map(|x| x * 1000).collect::<Vec<_>>());
    Ok(())
}

type Real = f32;

#[always_inline]
fn through_an_alias(x: Real) -> Option<Real> {
    let y: Real = x * 2.0;
    if y > 3.0 { Some(y) } else { None }
}

#[kernel]
fn calls(x: f32, k: i32) -> f32 {
    let a = [x, 1.0, 2.0];
    let near = k >= 0 && k < 3 && a[k] > 0.5 || k == -7;
    let mut total = 0.0;
    let mut add = |i, v| total += a[i] * v;
    if near {
        add(0, 2.0);
    }
    add(2, 0.5);
    total + lanecraft_test_helpers::mean_of_powers::<_, 2>(x) + through_an_alias(x).unwrap_or(0.0)
}

#[test]
fn kernels_and_closures_that_are_called() {
    let x: Vec<f32> = (0..309).map(|i| (i % 9) as f32 * 0.25).collect();
    let k: Vec<i32> = (0..309).map(|i| i % 23 - 11).collect();
    let mut out = vec![0.0; 309];
    calls::map(&x, &k, &mut out).unwrap();
    for i in 0..309 {
        let (x, k) = (x[i], k[i]);
        let a = [x, 1.0, 2.0];
        let near = (0..3).contains(&k) && a[k as usize] > 0.5 || k == -7;
        let want = (if near { x * 2.0 } else { 0.0 }) + 1.0 + (x + x * x) / 2.0 + (if x * 2.0 > 3.0 { x * 2.0 } else { 0.0 });
        assert_eq!((out[i], calls(x, k)), (want, want), "{i}");
    }
}
