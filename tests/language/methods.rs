//! The methods of integers and floats, against those of Rust's standard library.

use crate::harness::{agrees, run};
use lanecraft::prelude::*;
use lanecraft::{FaultKind, Level};

#[kernel(dtypes(i8, u32, i64))]
fn wrapping<T: Int>(x: T, y: T) -> (T, T, T, T) {
    (x.wrapping_add(y), T::wrapping_sub(x, y), x.wrapping_mul(y), x.wrapping_neg())
}

#[kernel(dtypes(i8, u32, i64))]
fn shifted<T: Int>(x: T, n: u32) -> (T, T, T, T, T, T) {
    (x.wrapping_shl(n), x.wrapping_shr(n), x.rotate_left(n), x.rotate_right(n), x.pow(n), x.wrapping_pow(3))
}

#[kernel(dtypes(i8, u32, i64))]
fn saturating<T: Int>(x: T, y: T) -> (T, T, T) {
    (x.saturating_add(y), x.saturating_sub(y), x.saturating_mul(y))
}

#[kernel(dtypes(i8, u32, i64))]
fn overflowing<T: Int>(x: T, y: T) -> (T, bool, T, bool, T, bool) {
    let (sum, a) = x.overflowing_add(y);
    let difference = x.overflowing_sub(y);
    let (product, c) = T::overflowing_mul(x, y);
    (sum, a, difference.0, difference.1, product, c)
}

#[kernel(dtypes(i8, u32, i64))]
fn counts<T: Int>(x: T) -> (u32, u32, u32, u32, u32, u32) {
    (x.count_ones(), x.count_zeros(), x.leading_zeros(), x.trailing_zeros(), x.leading_ones(), x.trailing_ones())
}

#[kernel(dtypes(i8, u32, i64))]
fn reordered<T: Int>(x: T) -> (T, T) {
    (x.swap_bytes(), x.reverse_bits())
}

#[kernel(dtypes(i8, u32, i64))]
fn divided<T: Int>(x: T, y: T) -> (T, T, T, T) {
    let d = if y == 0 { 3 } else { y };
    (x.wrapping_div(d), x.wrapping_rem(d), x.div_euclid(d), x.rem_euclid(d))
}

#[test]
fn integers() {
    macro_rules! each {
        ($($t:ident)*) => {$(
            agrees!(wrapping(x: $t, y: $t) -> ($t, $t, $t, $t) {
                (x.wrapping_add(y), x.wrapping_sub(y), x.wrapping_mul(y), x.wrapping_neg())
            });
            agrees!(shifted(x: $t, n: u32) -> ($t, $t, $t, $t, $t, $t) {
                (x.wrapping_shl(n), x.wrapping_shr(n), x.rotate_left(n), x.rotate_right(n), x.wrapping_pow(n), x.wrapping_pow(3))
            });
            agrees!(saturating(x: $t, y: $t) -> ($t, $t, $t) { (x.saturating_add(y), x.saturating_sub(y), x.saturating_mul(y)) });
            agrees!(overflowing(x: $t, y: $t) -> ($t, bool, $t, bool, $t, bool) {
                let (a, b, c) = (x.overflowing_add(y), x.overflowing_sub(y), x.overflowing_mul(y));
                (a.0, a.1, b.0, b.1, c.0, c.1)
            });
            agrees!(counts(x: $t) -> (u32, u32, u32, u32, u32, u32) {
                (x.count_ones(), x.count_zeros(), x.leading_zeros(), x.trailing_zeros(), x.leading_ones(), x.trailing_ones())
            });
            agrees!(reordered(x: $t) -> ($t, $t) { (x.swap_bytes(), x.reverse_bits()) });
            agrees!(divided(x: $t, y: $t) -> ($t, $t, $t, $t) {
                let d = if y == 0 { 3 } else { y };
                (x.wrapping_div(d), x.wrapping_rem(d), x.wrapping_div_euclid(d), x.wrapping_rem_euclid(d))
            });
        )*};
    }
    each!(i8 u32 i64);
}

#[kernel(dtypes(i16, i64))]
fn signs<T: Int>(x: T) -> (bool, bool, T) {
    (x.is_negative(), x.is_positive(), x.wrapping_abs())
}

#[kernel(dtypes(i16, i64, float))]
fn unit<T: Signed>(x: T) -> T {
    x.signum()
}

#[kernel(dtypes(u16, u64))]
fn is_power<T: Int>(x: T) -> bool {
    x.is_power_of_two()
}

/// The unsigned types, by name and by inference.
#[kernel]
fn distances(a: i8, b: i8, c: i64, d: u16) -> (u8, u64, u8, u16) {
    let size = c.unsigned_abs();
    let sum = a.abs_diff(b) | 0;
    (sum, size, a.unsigned_abs(), d.abs_diff(300))
}

#[test]
fn signed_and_unsigned() {
    macro_rules! each {
        ($($t:ident $u:ident)*) => {$(
            agrees!(signs(x: $t) -> (bool, bool, $t) { (x.is_negative(), x.is_positive(), x.wrapping_abs()) });
            agrees!(unit(x: $t) -> $t { x.signum() });
            agrees!(is_power(x: $u) -> bool { x.is_power_of_two() });
        )*};
    }
    each!(i16 u16 i64 u64);
    agrees!(distances(a: i8, b: i8, c: i64, d: u16) -> (u8, u64, u8, u16) {
        (a.abs_diff(b), c.unsigned_abs(), a.unsigned_abs(), d.abs_diff(300))
    });
}

#[kernel(dtypes(float))]
fn classes<T: Float>(x: T) -> (bool, bool, bool, bool, bool, bool, bool) {
    (x.is_nan(), x.is_infinite(), x.is_finite(), x.is_normal(), x.is_subnormal(), x.is_sign_negative(), x.is_sign_positive())
}

#[kernel(dtypes(float))]
fn simple<T: Float>(x: T, y: T) -> (T, T, T, T, T, T) {
    (x.fract(), x.recip(), x.to_degrees(), x.to_radians(), x.rem_euclid(y), x.div_euclid(y))
}

#[kernel(dtypes(float))]
fn powers<T: Float>(x: T, n: i32) -> (T, T, T) {
    (x.powi(n), x.powi(3), T::powi(x, -2))
}

#[test]
fn floats() {
    macro_rules! each {
        ($($t:ident)*) => {$(
            agrees!(unit(x: $t) -> $t { x.signum() });
            agrees!(classes(x: $t) -> (bool, bool, bool, bool, bool, bool, bool) {
                let signs = (x.is_sign_negative(), x.is_sign_positive());
                (x.is_nan(), x.is_infinite(), x.is_finite(), x.is_normal(), x.is_subnormal(), signs.0, signs.1)
            });
            agrees!(simple(x: $t, y: $t) -> ($t, $t, $t, $t, $t, $t) {
                (x.fract(), x.recip(), x.to_degrees(), x.to_radians(), x.rem_euclid(y), x.div_euclid(y))
            });
            agrees!(powers(x: $t, n: i32) -> ($t, $t, $t) {
                let mut y = 1.0;
                let (mut square, mut left) = (x, n.unsigned_abs());
                loop {
                    if left & 1 == 1 {
                        y *= square;
                    }
                    left >>= 1;
                    if left == 0 {
                        break;
                    }
                    square *= square;
                }
                (if n < 0 { 1.0 / y } else { y }, x * (x * x), 1.0 / (x * x))
            });
        )*};
    }
    each!(f32 f64);
}

/// Where all lanes have the same operands, and where none may be active.
#[kernel]
fn places(x: u32, n: u32) -> (u32, u32, bool, u32) {
    const BASE: u32 = 5;
    let (y, wrapped) = BASE.overflowing_mul(1 << 30);
    let mut count = 0;
    if n > 3 {
        count = x.pow(n).leading_zeros();
    }
    (BASE.pow(3), y, wrapped, count)
}

#[test]
fn anywhere() {
    agrees!(places(x: u32, n: u32) -> (u32, u32, bool, u32) {
        (125, 1 << 30, true, if n > 3 { x.wrapping_pow(n).leading_zeros() } else { 0 })
    });
}

#[kernel]
fn remainder(x: i32, y: i32) -> i32 {
    if x > 0 { x.rem_euclid(y) } else { 7_i32.wrapping_div(2) }
}

#[test]
fn a_division_by_zero_is_a_fault_of_its_element() {
    for level in Level::available() {
        let out = run::<remainder, _, (i32,)>(level, &[(5, -3), (0, 0), (7, 0), (9, 0)]);
        assert_eq!(out.map_err(|f| (f.kind, f.index)), Err((FaultKind::DivisionByZero, 2)), "{level}");
        assert_eq!(run::<remainder, _, (i32,)>(level, &[(5, -3), (0, 0)]), Ok(vec![(2,), (3,)]), "{level}");
    }
}
