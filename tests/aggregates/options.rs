//! `Option`s and the `checked_` methods.

use super::{compare, run};
use lanecraft::Kernel;
use lanecraft::prelude::*;

#[kernel(dtypes(int, uint))]
fn checked<T: Int>(a: T, b: T, which: T) -> T {
    let n = b as u32;
    let r = match which {
        0 => a.checked_add(b),
        1 => a.checked_sub(b),
        2 => a.checked_mul(b),
        3 => a.checked_div(b),
        4 => a.checked_rem(b),
        5 => a.checked_neg(),
        6 => a.checked_shl(n),
        _ => a.checked_shr(n),
    };
    r.unwrap_or(77)
}

macro_rules! reference {
    ($($t:ident $k:literal),*) => {$({
        let special = [0, 1, 2, 3, 5, 7, 8, 9, 31, 32, 33, 63, 64, 77, 100, $t::MAX, $t::MAX - 1, $t::MIN, $t::MIN + 1, $t::MAX / 2, $t::MAX / 3];
        for which in 0..8 {
            let pairs: Vec<($t, $t)> = special.iter().flat_map(|a| special.map(|b| (*a, b))).chain(special.map(|a| (a, (0 as $t).wrapping_sub(1)))).collect();
            let (a, b): (Vec<$t>, Vec<$t>) = pairs.into_iter().unzip();
            let w = vec![which; a.len()];
            let want = |i: usize| {
                let (a, b) = (a[i], b[i]);
                let r = match which {
                    0 => a.checked_add(b),
                    1 => a.checked_sub(b),
                    2 => a.checked_mul(b),
                    3 => a.checked_div(b),
                    4 => a.checked_rem(b),
                    5 => a.checked_neg(),
                    6 => a.checked_shl(b as u32),
                    _ => a.checked_shr(b as u32),
                };
                r.unwrap_or(77)
            };
            compare(&checked::INFO.variants[$k], &[&a, &b, &w], want);
            assert_eq!(checked(a[7], b[7], which), want(7));
        }
    })*};
}

#[test]
fn checked_methods() {
    reference!(i8 0, i16 1, i32 2, i64 3, u8 4, u16 5, u32 6, u64 7);
}

#[always_inline]
fn half(x: i32) -> Option<i32> {
    if x % 2 != 0 {
        return None;
    }
    Some(x / 2)
}

#[kernel]
fn halves(x: i32) -> i32 {
    let mut left = Some(x);
    let mut count = 0;
    while let Some(v) = left {
        if v == 0 {
            break;
        }
        left = half(v);
        count += 1;
    }
    let Some(quarter) = half(x).unwrap_or(1).checked_mul(1000) else { return -count };
    match (half(quarter), left.is_none()) {
        (Some(0..=10_000), true) => count,
        (Some(q), _) if q % 3 == 0 => q,
        (None, _) => 5,
        (Some(_), false) => 6,
        (_, true) => 7,
    }
}

#[test]
fn option_locals_and_helpers() {
    let x: Vec<i32> = (-150..150).map(|i| i * 1_000_003 / 7).chain(-20..21).collect();
    let half = |x: i32| (x % 2 == 0).then_some(x / 2);
    let want = |x: i32| {
        let (mut left, mut count) = (Some(x), 0);
        while let Some(v) = left {
            if v == 0 {
                break;
            }
            left = half(v);
            count += 1;
        }
        let Some(quarter) = half(x).unwrap_or(1).checked_mul(1000) else { return -count };
        match (half(quarter), left.is_none()) {
            (Some(0..=10_000), true) => count,
            (Some(q), _) if q % 3 == 0 => q,
            (None, _) => 5,
            (Some(_), false) => 6,
            (_, true) => 7,
        }
    };
    compare(&halves::INFO.variants[0], &[&x], |i| want(x[i]));
    assert_eq!(super::options::half(5), None);
    assert_eq!(super::options::half(8), Some(4));
    for (i, x) in x.iter().enumerate() {
        assert_eq!(halves(*x), want(*x), "{i}");
    }
}

#[kernel]
fn quotient(a: i32, b: i32) -> i32 {
    if let Some(q) = a.checked_div(b) { q } else { -1 }
}

#[test]
fn a_checked_division_by_zero_is_no_fault() {
    for (level, out) in run::<i32, i32>(&quotient::INFO.variants[0], &[&[7; 33], &[0; 33]]) {
        assert_eq!(out, Ok(vec![-1; 33]), "{level}");
    }
}
