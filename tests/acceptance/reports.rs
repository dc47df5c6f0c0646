//! The shapes of bugs that users of other kernel compilers reported, each with its right value.

use crate::harness::{agrees, run};
use lanecraft::prelude::*;
use lanecraft::{Error, FaultKind, Kernel, Level};

/// cubecl#1351, #1355: constants on both sides of a condition known at run time alone.
#[kernel(dtypes(A: [u8, i64, f32], B: [i8, u16, f64]))]
fn constants_on_both_sides<A: Num, B: Num>(c: A, s: B) -> (u8, B) {
    let value = if c != 0 { 30u8 } else { 50u8 };
    (value, if s > 3 { 1 } else { 2 })
}

/// The same as a `match`.
#[kernel]
fn constants_in_arms(s: i32) -> (u8, f32) {
    let a = match s {
        0 => 30u8,
        1 | 2 => 50,
        _ => 70,
    };
    let b = match s {
        0 => 1.5,
        1 | 2 => 2.5,
        _ => 3.5,
    };
    (a, b)
}

#[test]
fn cubecl_1351_a_constant_obeys_its_condition() {
    agrees!(constants_on_both_sides(c: u8, s: i8) -> (u8, i8) { (if c != 0 { 30 } else { 50 }, if s > 3 { 1 } else { 2 }) });
    agrees!(constants_on_both_sides(c: i64, s: u16) -> (u8, u16) { (if c != 0 { 30 } else { 50 }, if s > 3 { 1 } else { 2 }) });
    agrees!(constants_on_both_sides(c: f32, s: f64) -> (u8, f64) { (if c != 0.0 { 30 } else { 50 }, if s > 3.0 { 1.0 } else { 2.0 }) });
    agrees!(constants_in_arms(s: i32) -> (u8, f32) {
        if s == 0 { (30, 1.5) } else if s == 1 || s == 2 { (50, 2.5) } else { (70, 3.5) }
    });
}

/// cubecl#1348: the right side of `||` is not evaluated where the left decides: here it would divide by zero.
#[kernel]
fn first_or_far(i: i32, x: i32) -> i32 {
    let mut calls = 0;
    if i == 0 || {
        calls += 1;
        x / i > 3
    } {
        calls += 100;
    }
    calls
}

#[test]
fn cubecl_1348_the_right_side_waits_for_the_left() {
    agrees!(first_or_far(i: i32, x: i32) -> i32 {
        let calls = i32::from(i != 0);
        if i == 0 || x.wrapping_div(i) > 3 { calls + 100 } else { calls }
    });
    for level in Level::available() {
        let rows: Vec<(i32, i32)> = (0..40).map(|k| (k % 3, 7)).collect();
        let out: Vec<(i32,)> = run::<first_or_far, _, _>(level, &rows).unwrap();
        assert_eq!(out[..3], [(100,), (101,), (1,)], "{level}");
    }
}

/// The report's own form: the left side guards an index.
const TABLE: [i32; 6] = [4, 4, 7, 7, 7, 1];
#[kernel]
fn starts_a_run(i: u32) -> i32 {
    if i == 0 || TABLE[i - 1] != TABLE[i] { 1 } else { 0 }
}

#[test]
fn cubecl_1348_an_index_waits_for_its_guard() {
    let rows: Vec<(u32,)> = (0..42).map(|k| (k % 6,)).collect();
    for level in Level::available() {
        let out: Vec<(i32,)> = run::<starts_a_run, _, _>(level, &rows).unwrap();
        assert_eq!(out[..6], [(1,), (0,), (1,), (0,), (0,), (1,)], "{level}");
        // Unguarded, the same index is a fault.
        let fault = run::<starts_a_run, _, (i32,)>(level, &[(1_u32,), (6,)]).unwrap_err();
        assert_eq!((fault.index, fault.kind), (1, FaultKind::IndexOutOfRange { index: 6, len: 6 }), "{level}");
    }
    assert_eq!(starts_a_run(0), 1);
}

/// cubecl#1350: all four pairs.
#[kernel]
fn either(a: bool, b: bool) -> (bool, bool, bool, bool) {
    (a | b, a || b, a & b, a ^ b)
}

#[test]
fn cubecl_1350_or_is_or() {
    agrees!(either(a: bool, b: bool) -> (bool, bool, bool, bool) {
        match (a, b) {
            (false, false) => (false, false, false, false),
            (true, true) => (true, true, true, false),
            _ => (true, true, false, true),
        }
    });
}

/// cubecl#1222, #228, #485: a bit per iteration. The loop of a parameter is unrolled.
#[kernel]
fn four_of_twenty(x: u32, #[parameter(20, ..)] n: u32) -> u32 {
    let mut done = x & 0;
    for j in 0..n {
        if j > 3 {
            break;
        }
        done |= 1 << j;
    }
    done
}

#[test]
fn cubecl_485_a_break_ends_an_unrolled_loop() -> Result<(), Error> {
    for (n, bits) in [(20, 0b1111), (3, 0b111), (0, 0), (21, 0b1111)] {
        let mut out = [7; 37];
        four_of_twenty::map(&[9; 37], n, &mut out)?;
        assert_eq!((out, four_of_twenty(9, n)), ([bits; 37], bits));
    }
    Ok(())
}

/// cubecl#728, cuda-oxide#110: a const generic as the bound of a loop and the length of an array.
#[kernel(dtypes(f32, i32))]
fn const_generic<T: Num, #[parameter(2, 4)] const N: usize>(x: T) -> T {
    let mut a = [x; N];
    for i in 1..N {
        a[i] = a[i - 1] + x;
    }
    a[N - 1]
}

#[test]
fn cubecl_728_a_const_generic_is_a_bound_and_a_length() -> Result<(), Error> {
    let mut out = [0; 21];
    const_generic::map::<_, 2>(&[5; 21], &mut out)?;
    assert_eq!((out, const_generic::<i32, 2>(5)), ([10; 21], 10));
    let mut out = [0.0; 21];
    const_generic::map::<_, 4>(&[0.5; 21], &mut out)?;
    assert_eq!((out, const_generic::<f32, 4>(0.5)), ([2.0; 21], 2.0));
    Ok(())
}

/// cubecl#1349, burn#4093, #5310: nothing in, nothing out, and the next call is as good as ever.
#[test]
fn cubecl_1349_an_empty_array_is_no_work() -> Result<(), Error> {
    four_of_twenty::map(&[], 20, &mut [])?;
    let (mut a, mut b) = ([], []);
    constants_in_arms::map(&Vec::new(), &mut a, &mut b)?;
    let (mut a, mut b) = ([0], [0.0]);
    constants_in_arms::map(&[2], &mut a, &mut b)?;
    assert_eq!((a, b), ([50], [2.5]));
    Ok(())
}

/// cuda-oxide#124.
#[kernel(dtypes(float))]
fn is_unequal_to_itself<T: Float>(x: T) -> (i32, bool, bool) {
    (if x != x { 1 } else { 0 }, x == x, !(x < x) && !(x >= x))
}

/// The same with `fast_math`, which reorders sums and assumes nothing.
#[kernel(dtypes(f32, f64), fast_math)]
fn is_unequal_fast<T: Float>(x: T) -> (i32, bool, bool) {
    (if x != x { 1 } else { 0 }, x - x == 0.0, x * 0.0 + x == x)
}

#[test]
fn cuda_oxide_124_fast_math_keeps_nans_and_infinities() {
    agrees!(is_unequal_fast(x: f64) -> (i32, bool, bool) { (i32::from(x.is_nan()), x.is_finite(), x.is_finite()) });
    agrees!(is_unequal_fast(x: f32) -> (i32, bool, bool) { (i32::from(x.is_nan()), x.is_finite(), x.is_finite()) });
}

#[test]
fn cuda_oxide_124_a_nan_is_unequal_to_itself() {
    let rows = [f32::NAN, 1.0, 0.0, -1.0, f32::INFINITY].map(|x| (x,));
    for level in Level::available() {
        let out: Vec<(i32, bool, bool)> = run::<is_unequal_to_itself, _, _>(level, &rows).unwrap();
        assert_eq!(out.iter().map(|row| row.0).collect::<Vec<_>>(), [1, 0, 0, 0, 0], "{level}");
        assert_eq!(out[0], (1, false, true));
    }
    agrees!(is_unequal_to_itself(x: f64) -> (i32, bool, bool) { (i32::from(x.is_nan()), !x.is_nan(), x.is_nan()) });
    assert_eq!(is_unequal_to_itself(f16::NAN), (1, false, true));
}

/// cubecl#1033, #1036: through a float the low bits would be lost.
#[kernel(dtypes(i32, i64, u64))]
fn remainders<T: Int>(x: T) -> (T, T, T) {
    (x % 3, x % 7, x % (T::ONE * 3 << 8))
}

#[test]
fn cubecl_1033_remainders_are_exact() {
    agrees!(remainders(x: i32) -> (i32, i32, i32) { (x % 3, x % 7, x % 768) });
    agrees!(remainders(x: i64) -> (i64, i64, i64) { (x % 3, x % 7, x % 768) });
    agrees!(remainders(x: u64) -> (u64, u64, u64) { (x % 3, x % 7, x % 768) });
    let rows = [-8, -7, -1, (1 << 24) + 1, (1 << 53) + 1, -(1 << 53) - 1, i64::MAX, i64::MIN].map(|x| (x,));
    for level in Level::available() {
        let out: Vec<(i64, i64, i64)> = run::<remainders, _, _>(level, &rows).unwrap();
        assert_eq!(out[..4], [(-2, -1, -8), (-1, 0, -7), (-1, -1, -1), (2, 2, 257)], "{level}");
        assert_eq!(out[6], (1, 0, 511), "{level}");
    }
}

/// cubecl#1585, #91, #930: on f16 and bf16.
#[kernel(dtypes(f16, bf16))]
fn on_half<T: Float>(x: T) -> (T, T, T) {
    (x + x, x.powi(3), x.tanh())
}
#[kernel]
fn there_and_back(x: f16) -> f16 {
    let b = x as bf16;
    b as f16
}

#[test]
fn cubecl_1585_half_types_compute_in_f32() -> Result<(), Error> {
    let x: Vec<f16> = (-40..40).map(|k| f16::from_f32(k as f32 / 8.0)).collect();
    let out = || vec![f16::ZERO; x.len()];
    let (mut sum, mut cube, mut tanh, mut back) = (out(), out(), out(), out());
    on_half::map(&x, &mut sum, &mut cube, &mut tanh)?;
    there_and_back::map(&x, &mut back)?;
    for (k, x) in x.iter().enumerate() {
        let x = x.to_f32();
        assert_eq!(sum[k], f16::from_f32(x + x));
        // A negative base has a negative cube.
        assert_eq!(cube[k], f16::from_f32(x * x * x));
        assert!((f64::from(tanh[k].to_f32()) - f64::from(x).tanh()).abs() <= 4.9e-4);
        assert_eq!(back[k], f16::from_f32(bf16::from_f32(x).to_f32()));
    }
    assert_eq!(on_half(bf16::from_f32(-3.0)).1, bf16::from_f32(-27.0));
    Ok(())
}

/// cubecl#1374: a sign in front of a call.
#[always_inline]
fn three_times(x: f32) -> f32 {
    x * 3.0
}
#[kernel]
fn negated_call(x: f32) -> f32 {
    -three_times(x) - -three_times(-x)
}

#[test]
fn cubecl_1374_a_call_can_be_negated() {
    agrees!(negated_call(x: f32) -> f32 { -(x * 3.0) - -(-x * 3.0) });
}

/// A chain of casts, which the macro of cubecl made one of.
#[kernel]
fn cast_twice(x: u32, y: f32) -> (u32, i64, u32) {
    (x as u8 as u32, x as i8 as i64, y as i8 as u8 as u32)
}

#[test]
fn every_cast_of_a_chain_counts() {
    agrees!(cast_twice(x: u32, y: f32) -> (u32, i64, u32) { (x as u8 as u32, x as i8 as i64, y as i8 as u8 as u32) });
    assert_eq!(cast_twice(256, -1.5), (0, 0, 255));
}

/// A label that was lost: the inner loop alone would end.
#[kernel]
fn labelled(x: i32) -> i32 {
    let mut n = 0;
    'outer: for i in 0..10 {
        for j in 0..10 {
            if i * j > x {
                break 'outer;
            }
            n += 1;
        }
    }
    n
}

#[test]
fn a_label_is_kept() {
    agrees!(labelled(x: i32) -> i32 {
        let mut n = 0;
        'outer: for i in 0..10 {
            for j in 0..10 {
                if i * j > x {
                    break 'outer;
                }
                n += 1;
            }
        }
        n
    });
    // 10 of the first row, 6 of the second: 1 * 6 is above 5.
    assert_eq!(labelled(5), 16);
}

/// A local of the macro's own name, a guard and a range: one shadowed the macro's variable, two made it panic.
#[kernel]
fn scope_guard_and_range(x: i32) -> i32 {
    let scope = x & 7;
    match scope {
        0..=3 => scope + 10,
        s if s % 2 == 0 => 2 * s,
        _ => scope,
    }
}

#[test]
fn a_guard_and_a_range_are_patterns() {
    agrees!(scope_guard_and_range(x: i32) -> i32 {
        let s = x & 7;
        if s <= 3 { s + 10 } else if s % 2 == 0 { 2 * s } else { s }
    });
}

/// Promotion to a wider type, saturating casts, wrapping sums (cuda-oxide#146, #228, Rust-CUDA#155).
#[kernel]
fn narrow_sums(a: u8, b: u8, x: f32, n: i32) -> (u8, bool, i32, u8, i32) {
    (a + b, a + b < a, x as i32, x as u8, n + 1 - a as i32)
}

#[test]
fn sums_wrap_at_their_own_width() {
    agrees!(narrow_sums(a: u8, b: u8, x: f32, n: i32) -> (u8, bool, i32, u8, i32) {
        let sum = a.wrapping_add(b);
        (sum, sum < a, x as i32, x as u8, n.wrapping_add(1).wrapping_sub(a.into()))
    });
    assert_eq!(narrow_sums(200, 100, f32::NAN, i32::MAX), (44, true, 0, 0, (i32::MIN).wrapping_sub(200)));
    assert_eq!(narrow_sums(0, 0, 3e9, 0), (0, false, i32::MAX, 255, 1));
    assert!(narrow_sums::INFO.variants.len() == 1);
}
