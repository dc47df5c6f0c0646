//! Local arrays and tables.

use super::{compare, integers, run};
use lanecraft::prelude::*;
use lanecraft::{Error, Fault, FaultKind, Kernel};
use std::panic::catch_unwind;

const TABLE: [f32; 16] = [1.5, -2.0, 3.25, 0.0, 4.0, 5.5, -6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0];
const PAIRS: [(i32, f32); 3] = [(1, 0.5), (20, 1.5), (300, 2.5)];
static ROWS: [[i32; 3]; 4] = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]];

#[kernel]
fn polynomial(x: f32) -> f32 {
    let c = [1.0, -0.5, 0.25, 0.125];
    let mut sum = 0.0;
    for k in (0..4).rev() {
        sum = sum * x + c[k];
    }
    sum
}

#[test]
fn uniform_indexes() {
    let x: Vec<f32> = (0..309).map(|i| i as f32 * 0.125 - 20.0).collect();
    let want = |x: f32| ((0.125 * x + 0.25) * x - 0.5) * x + 1.0;
    compare(&polynomial::INFO.variants[0], &[&x], |i| want(x[i]));
    assert_eq!(polynomial(3.0), want(3.0));
}

#[kernel(dtypes(all))]
fn reverse<T: Dtype>(x: T, y: T, k: i8) -> T {
    let a = [x, y, x, y, y];
    a[k]
}

#[kernel(dtypes(i32, f64, i8))]
fn histogram<T: Num>(x: T, k: i32) -> T {
    let mut bins = [T::ZERO; 5];
    bins[k as usize] = x;
    bins[(k + 1) % 5] += x;
    for j in 0..5 {
        if j > k {
            bins[j] = T::ONE;
            continue;
        }
        bins[j] -= 1;
    }
    let mut sum = T::ZERO;
    let mut weight = T::ONE;
    for v in bins {
        sum += v * weight;
        weight += T::ONE;
    }
    sum
}

#[test]
fn per_lane_indexes() {
    let k: Vec<i32> = (0..309).map(|i| i % 5).collect();
    let x = integers(-100);
    let want = |x: i32, k: i32| {
        let mut bins = [0; 5];
        bins[k as usize] = x;
        bins[(k as usize + 1) % 5] += x;
        for (j, bin) in bins.iter_mut().enumerate() {
            if j as i32 > k { *bin = 1 } else { *bin -= 1 }
        }
        bins.iter().zip(1..).map(|(v, w)| v * w).sum::<i32>()
    };
    compare(&histogram::INFO.variants[0], &[&x, &k], |i| want(x[i], k[i]));
    for i in 0..5 {
        assert_eq!(histogram(f64::from(x[i]), k[i]), f64::from(want(x[i], k[i])));
    }
    let (x, y, k): (Vec<i8>, Vec<i8>, Vec<i8>) =
        ((0..100).collect(), (0..100).map(|i| -i).collect(), (0..100).map(|i| (i % 5 * 7) % 5).collect());
    compare(&reverse::INFO.variants[1], &[&x, &y, &k], |i| if k[i] % 2 == 0 && k[i] != 4 { x[i] } else { y[i] });
    let bools: Vec<bool> = (0..100).map(|i| i % 3 == 0).collect();
    let mut out = vec![false; 100];
    reverse::map(&bools, true, &k, &mut out).unwrap();
    assert_eq!(out, (0..100).map(|i| k[i] % 2 == 1 || k[i] == 4 || bools[i]).collect::<Vec<_>>());
}

#[kernel]
fn looked_up(k: i32) -> f32 {
    const SQUARES: [f32; 4] = [0.0, 1.0, 4.0, 9.0];
    let low = k & 3;
    let (number, half) = PAIRS[k % 3];
    TABLE[k & 15] + SQUARES[low] + TABLE[2] + half * number as f32 + (ROWS[low][k % 3] - ROWS[1][2]) as f32
}

#[test]
fn tables() {
    let k = integers(0);
    let want = |k: i32| {
        let k = k as usize;
        let (number, half) = PAIRS[k % 3];
        TABLE[k & 15] + ((k & 3) * (k & 3)) as f32 + 3.25 + half * number as f32 + (ROWS[k & 3][k % 3] - 6) as f32
    };
    compare(&looked_up::INFO.variants[0], &[&k], |i| want(k[i]));
    assert_eq!(looked_up(7), want(7));
}

#[always_inline]
fn sorted<T: Num>(a: [T; 3]) -> [T; 3] {
    let mut a = a;
    for _ in 0..2 {
        for j in 0..2 {
            if a[j] > a[j + 1] {
                let t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
        }
    }
    a
}

#[kernel(dtypes(i32, f32))]
fn median<T: Num>(x: T, y: T, z: T) -> T {
    let [_, middle, _] = sorted([x, y, z]);
    middle
}

#[always_inline]
fn transposed(m: [[f32; 2]; 2]) -> [[f32; 2]; 2] {
    let mut t = [[0.0; 2]; 2];
    for (i, row) in m.iter().enumerate() {
        for j in 0..row.len() {
            t[j][i] = row[j];
        }
    }
    t
}

#[kernel]
fn nested(x: f32, k: i32) -> f32 {
    let mut m = [[x, 2.0], [3.0, 4.0]];
    let j = k & 1;
    m[j][1 - j] *= 10.0;
    let m = if x > 0.0 { transposed(m) } else { m };
    m[0][1] + m[1][0] * 100.0
}

#[test]
fn through_helpers_and_branches() {
    let (x, y, z): (Vec<i32>, Vec<i32>, Vec<i32>) =
        ((0..309).map(|i| i * 37 % 101).collect(), (0..309).map(|i| i * 53 % 97).collect(), (0..309).map(|i| i * 11 % 89).collect());
    let want = |i: usize| {
        let mut a = [x[i], y[i], z[i]];
        a.sort_unstable();
        a[1]
    };
    compare(&median::INFO.variants[0], &[&x, &y, &z], want);
    assert_eq!(sorted([3.0, 1.0, 2.0]), [1.0, 2.0, 3.0]);
    for x in [-1.0_f32, 1.0] {
        for k in 0..4 {
            let (upper, lower) = if k & 1 == 0 { (20.0, 3.0) } else { (2.0, 30.0) };
            let want = if x > 0.0 { lower + upper * 100.0 } else { upper + lower * 100.0 };
            assert_eq!(nested(x, k), want, "{x} {k}");
            let mut out = [0.0; 20];
            nested::map(x, k, &mut out).unwrap();
            assert_eq!(out, [want; 20]);
        }
    }
}

#[kernel]
fn guarded(x: i32, k: i32) -> i32 {
    let a = [10, 20, 30];
    let mut b = [x; 2];
    if k >= 0 && k < 3 {
        if k < 2 {
            b[k] = a[k + 1];
        }
        return a[k] + b[1];
    }
    if x == 1000 { a[k] } else { -1 }
}

#[kernel]
fn written(x: i32, k: i64) -> i32 {
    let mut a = [0; 4];
    a[k as usize] += x;
    a[3]
}

#[kernel]
fn divided(x: i32, k: i32) -> i32 {
    let a = [0, 1];
    10 / a[k] + x
}

#[test]
fn an_index_out_of_range_is_a_fault() {
    let k = integers(-100);
    let mut x = vec![7; k.len()];
    let want = |k: i32| if (0..3).contains(&k) { 10 * (k + 1) + if k == 1 { 30 } else { 7 } } else { -1 };
    // Lanes that are not active use no index.
    compare(&guarded::INFO.variants[0], &[&x, &k], |i| want(k[i]));
    x[200] = 1000;
    x[50] = 1000;
    for (level, out) in run::<i32, i32>(&guarded::INFO.variants[0], &[&x, &k]) {
        let kind = FaultKind::IndexOutOfRange { index: -50, len: 3 };
        assert_eq!(out, Err(Fault { kind, index: 50 }), "{level}");
    }
    let error = guarded::map(&x, &k, &mut vec![0; x.len()]).unwrap_err();
    let text = "guarded: index -50 is out of range for an array of length 3 at index [50] of shape [309]";
    assert!(matches!(error, Error::Fault { .. }));
    assert_eq!(error.to_string(), text);
    let panic = catch_unwind(|| guarded(1000, 3)).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("index 3 is out of range for an array of length 3"));

    let ks: Vec<i64> = (0..100).map(|i| if i == 77 { i64::MIN + 3 } else { i % 4 }).collect();
    let error = written::map(5, &ks, &mut [0; 100]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "written: index -9223372036854775805 is out of range for an array of length 4 at index [77] of shape [100]"
    );
    let mut out = [0; 77];
    written::map(5, &ks[..77], &mut out).unwrap();
    assert_eq!(out, std::array::from_fn::<i32, 77, _>(|i| if i % 4 == 3 { 5 } else { 0 }));
    // Of two faults in one element the first one counts.
    for (k, kind) in [(0, FaultKind::DivisionByZero), (2, FaultKind::IndexOutOfRange { index: 2, len: 2 })] {
        let mut ks = [1; 40];
        ks[33] = k;
        for (level, out) in run::<i32, i32>(&divided::INFO.variants[0], &[&[1; 40], &ks]) {
            assert_eq!(out, Err(Fault { kind, index: 33 }), "{level}");
        }
    }
}

#[kernel]
fn wide_array(x: i8, k: i8) -> i8 {
    let mut a = [x; 300];
    a[k] = 5;
    a[0]
}

#[test]
fn an_index_type_that_cannot_reach_the_end() {
    let (x, k) = ([3_i8; 128], std::array::from_fn::<i8, 128, _>(|i| i as i8));
    compare::<i8, i8>(&wide_array::INFO.variants[0], &[&x, &k], |i| if i == 0 { 5 } else { 3 });
}

#[kernel(gang = 64)]
fn wide_gang(x: i32, k: i32) -> i32 {
    let mut a = [x, 1, 2];
    a[k] += 10;
    const POWERS: [i32; 4] = [1, 10, 100, 1000];
    a[0] + a[(k + 1) % 3] * POWERS[k]
}

#[test]
fn wider_gangs() {
    let x = integers(0);
    let mut k: Vec<i32> = x.iter().map(|i| i % 3).collect();
    let want = |x: i32, k: i32| {
        let mut a = [x, 1, 2];
        a[k as usize] += 10;
        a[0] + a[(k as usize + 1) % 3] * [1, 10, 100][k as usize]
    };
    compare(&wide_gang::INFO.variants[0], &[&x, &k], |i| want(x[i], k[i]));
    k[250] = 3;
    k[299] = -1;
    for (level, out) in run::<i32, i32>(&wide_gang::INFO.variants[0], &[&x, &k]) {
        assert_eq!(out, Err(Fault { kind: FaultKind::IndexOutOfRange { index: 3, len: 3 }, index: 250 }), "{level}");
    }
}
