//! Literals and constants.

use crate::harness::agrees;
use lanecraft::prelude::*;

const SCALE: f32 = 1.25;
const COUNT: usize = 12;
static OFFSET: i32 = -5;

mod inner {
    pub const DEPTH: i32 = 40;
}

#[kernel]
fn suffixes(x: f64) -> (f32, f64, u8, i64, u64, u8) {
    (1.5f32, x + 2f64, 0xff_u8, -9_223_372_036_854_775_808i64, 18_446_744_073_709_551_615, b'a')
}

#[kernel]
fn extremes(x: i8) -> (i8, i16, i32, i64, i8, i32) {
    let lowest = -128;
    (x & lowest, -32768, -2_147_483_648, -9_223_372_036_854_775_808, -128i8, 0b1010 + 0o17 + 0x1F)
}

#[kernel]
fn floats(x: f32) -> (f32, f32, f32, f32, f64, f64) {
    (x * 0.1, 1e40, -1e40, -0.0, 1e40, 1_000.5e-1_0)
}

#[kernel(dtypes(float))]
fn of_a_parameter<T: Float>(x: T) -> T {
    let third = 0.333333333333333333;
    if x > 0.1 { third * x } else { -0.7978845608 }
}

#[kernel(dtypes(u8, i64, f32))]
fn ints_of_a_parameter<T: Num>(x: T) -> T {
    let three = 3;
    x * three + 1
}

#[kernel]
fn meets_later(x: u64, n: i16) -> (u64, i16) {
    let a = 7;
    let b = if n > 0 { 100 } else { -100 };
    let (c, d) = (1, 2);
    (x + a + c, b - n + d)
}

#[kernel]
fn alone(x: i32) -> (i32, f64, bool) {
    let i = 2_147_483_647;
    let f = 0.1;
    (i + 1 + x * 0, f, true || false)
}

#[kernel]
fn constants(x: f32, n: i32) -> (f32, i32, f32, f32) {
    const LOCAL: i32 = 3;
    let a = x * SCALE + std::f32::consts::PI;
    let b = n + OFFSET + inner::DEPTH + LOCAL + i32::MAX + EARLIER;
    let c = COUNT as f32 + f32::EPSILON;
    const EARLIER: i32 = 17;
    (a, b, c, f32::INFINITY)
}

#[kernel(dtypes(float))]
fn associated<T: Float>(x: T) -> (T, T, T, T, bool) {
    (x * T::PI, T::EPSILON, T::NEG_INFINITY, T::MAX, T::NAN != T::NAN)
}

#[kernel(dtypes(i8, u64))]
fn associated_ints<T: Int>(x: T) -> (T, T, T) {
    (T::MIN, T::ONE + x, x ^ T::MAX)
}

#[kernel]
fn hidden_by_a_constant(x: f32) -> f32 {
    let k = x;
    let y = {
        let y = k;
        // In sight in the whole block, above its line too.
        #[allow(non_upper_case_globals)]
        const k: f32 = 2.0;
        y * k
    };
    y + k
}

#[test]
fn literals_and_constants() {
    agrees!(suffixes(x: f64) -> (f32, f64, u8, i64, u64, u8) { (1.5, x + 2.0, 255, i64::MIN, u64::MAX, 97) });
    agrees!(extremes(x: i8) -> (i8, i16, i32, i64, i8, i32) { (x & i8::MIN, i16::MIN, i32::MIN, i64::MIN, i8::MIN, 10 + 15 + 31) });
    agrees!(floats(x: f32) -> (f32, f32, f32, f32, f64, f64) { (x * 0.1, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1e40, 1000.5e-10) });
    agrees!(of_a_parameter(x: f32) -> f32 { if x > 0.1 { 0.333_333_34 * x } else { -0.797_884_6 } });
    agrees!(of_a_parameter(x: f64) -> f64 { if x > 0.1 { 0.333_333_333_333_333_3 * x } else { -0.7978845608 } });
    agrees!(ints_of_a_parameter(x: u8) -> u8 { x.wrapping_mul(3).wrapping_add(1) });
    agrees!(ints_of_a_parameter(x: i64) -> i64 { x.wrapping_mul(3).wrapping_add(1) });
    agrees!(ints_of_a_parameter(x: f32) -> f32 { x * 3.0 + 1.0 });
    agrees!(meets_later(x: u64, n: i16) -> (u64, i16) {
        (x.wrapping_add(8), (if n > 0 { 100i16 } else { -100 }).wrapping_sub(n).wrapping_add(2))
    });
    agrees!(alone(x: i32) -> (i32, f64, bool) { let _ = x; (i32::MIN, 0.1, true) });
    agrees!(constants(x: f32, n: i32) -> (f32, i32, f32, f32) {
        (x * 1.25 + core::f32::consts::PI, n.wrapping_add(55).wrapping_add(i32::MAX), 12.0 + f32::EPSILON, f32::INFINITY)
    });
    agrees!(associated(x: f32) -> (f32, f32, f32, f32, bool) {
        (x * core::f32::consts::PI, f32::EPSILON, f32::NEG_INFINITY, f32::MAX, true)
    });
    agrees!(associated(x: f64) -> (f64, f64, f64, f64, bool) {
        (x * core::f64::consts::PI, f64::EPSILON, f64::NEG_INFINITY, f64::MAX, true)
    });
    agrees!(hidden_by_a_constant(x: f32) -> f32 { 4.0 + x });
    agrees!(associated_ints(x: i8) -> (i8, i8, i8) { (i8::MIN, x.wrapping_add(1), x ^ i8::MAX) });
    agrees!(associated_ints(x: u64) -> (u64, u64, u64) { (0, x.wrapping_add(1), !x) });
}
