//! Arithmetic, comparisons, logic, shifts.

use crate::harness::{agrees, run};
use lanecraft::prelude::*;
use lanecraft::{FaultKind, Level};

// Every operation on every dtype is tested in core; here, that kernels use the right one: a narrow and a wide dtype of each kind.
#[kernel(dtypes(i8, i64, u16, u32, float))]
fn arithmetic<T: Num>(a: T, b: T) -> (T, T, T) {
    (a + b, a - b, a * b)
}

#[test]
fn arithmetic_wraps() {
    macro_rules! ints {
        ($($t:ty)*) => {$(
            agrees!(arithmetic(a: $t, b: $t) -> ($t, $t, $t) { (a.wrapping_add(b), a.wrapping_sub(b), a.wrapping_mul(b)) });
        )*};
    }
    ints!(i8 i64 u16 u32);
    agrees!(arithmetic(a: f32, b: f32) -> (f32, f32, f32) { (a + b, a - b, a * b) });
    agrees!(arithmetic(a: f64, b: f64) -> (f64, f64, f64) { (a + b, a - b, a * b) });
}

#[kernel(dtypes(i16, i64, f32))]
fn signs<T: Signed>(a: T) -> (T, T) {
    (-a, a.abs())
}

#[test]
fn signs_wrap() {
    macro_rules! ints {
        ($($t:ty)*) => {$( agrees!(signs(a: $t) -> ($t, $t) { (a.wrapping_neg(), a.wrapping_abs()) }); )*};
    }
    ints!(i16 i64);
    agrees!(signs(a: f32) -> (f32, f32) { (-a, a.abs()) });
}

#[kernel(dtypes(i8, i32, u16, u64, f32))]
fn division<T: Num>(a: T, b: T) -> (T, T) {
    if b == T::ZERO { (a, b) } else { (a / b, a % b) }
}

#[test]
fn division_truncates() {
    macro_rules! ints {
        ($($t:ty)*) => {$(
            agrees!(division(a: $t, b: $t) -> ($t, $t) { if b == 0 { (a, b) } else { (a.wrapping_div(b), a.wrapping_rem(b)) } });
        )*};
    }
    ints!(i8 i32 u16 u64);
    agrees!(division(a: f32, b: f32) -> (f32, f32) { if b == 0.0 { (a, b) } else { (a / b, a % b) } });
}

#[kernel]
fn remainders(a: i32, b: i64, c: u64) -> (i32, i32, i32, i64, i64, u64) {
    (a % 3, a % 7, a % 768, b % 3, b % -768, c % 16_777_259)
}

#[test]
fn remainders_of_large_dividends() {
    agrees!(remainders(a: i32, b: i64, c: u64) -> (i32, i32, i32, i64, i64, u64) {
        (a % 3, a % 7, a % 768, b % 3, b % -768, c % 16_777_259)
    });
}

#[kernel]
fn quotient(a: i32, b: i32) -> i32 {
    a / b
}

#[test]
fn division_by_zero_is_a_fault_at_its_element() {
    let mut rows: Vec<(i32, i32)> = (1..100).map(|k| (k, k)).collect();
    rows[71].1 = 0;
    rows[83].1 = 0;
    for level in Level::available() {
        let fault = run::<quotient, _, (i32,)>(level, &rows).unwrap_err();
        assert_eq!((fault.kind, fault.index), (FaultKind::DivisionByZero, 71), "on {level}");
    }
    assert!(std::panic::catch_unwind(|| quotient(1, 0)).is_err());
}

#[kernel(dtypes(all))]
fn comparisons<T: Dtype>(a: T, b: T) -> (bool, bool, bool, bool, bool, bool) {
    (a == b, a != b, a < b, a <= b, a > b, a >= b)
}

#[test]
fn comparisons_as_in_rust() {
    macro_rules! all {
        ($($t:ty)*) => {$(
            agrees!(comparisons(a: $t, b: $t) -> (bool, bool, bool, bool, bool, bool) { (a == b, a != b, a < b, a <= b, a > b, a >= b) });
        )*};
    }
    all!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
}

#[kernel(dtypes(i8, u16, u64, bool))]
fn logic<T: Logic>(a: T, b: T) -> (T, T, T, T) {
    (a & b, a | b, a ^ b, !a)
}

#[test]
fn logic_as_in_rust() {
    macro_rules! all {
        ($($t:ty)*) => {$( agrees!(logic(a: $t, b: $t) -> ($t, $t, $t, $t) { (a & b, a | b, a ^ b, !a) }); )*};
    }
    all!(i8 u16 u64 bool);
}

#[kernel(dtypes(T: [i8, u16, i32, u64], N: [i8, u64]))]
fn shifts<T: Int, N: Int>(a: T, n: N) -> (T, T, T) {
    (a << n, a >> n, a >> 3)
}

#[test]
fn shift_amounts_wrap() {
    macro_rules! amounts {
        ($($t:ty)*) => {$(
            agrees!(shifts(a: $t, n: i8) -> ($t, $t, $t) { (a.wrapping_shl(n as u32), a.wrapping_shr(n as u32), a >> 3) });
            agrees!(shifts(a: $t, n: u64) -> ($t, $t, $t) { (a.wrapping_shl(n as u32), a.wrapping_shr(n as u32), a >> 3) });
        )*};
    }
    amounts!(i8 u16 i32 u64);
}

#[kernel]
fn circuits(a: bool, b: bool, c: bool) -> (bool, bool, bool, bool) {
    (a && b, a || b, a && b || c, !(a || b) && c)
}

#[kernel]
fn guarded(a: i32, b: i32) -> (bool, bool, bool) {
    let or = b == 0 || a / b > 2;
    let and = b != 0 && a % b == 1;
    // Inside a side that is not decided, a side that is.
    let nested = b == 0 || (a > 0 && a / b < 5);
    (or, and, nested)
}

#[kernel]
fn effects(a: i32, b: bool) -> (bool, i32) {
    let mut n = a;
    let and = b && {
        n = n + 1;
        n > 3
    };
    let or = and || {
        n = n * 2;
        n > 3
    };
    (or, n)
}

#[test]
fn circuits_are_short() {
    agrees!(circuits(a: bool, b: bool, c: bool) -> (bool, bool, bool, bool) { (a && b, a || b, a && b || c, !(a || b) && c) });
    agrees!(guarded(a: i32, b: i32) -> (bool, bool, bool) {
        let (q, r) = if b == 0 { (0, 0) } else { (a.wrapping_div(b), a.wrapping_rem(b)) };
        (b == 0 || q > 2, b != 0 && r == 1, b == 0 || (a > 0 && q < 5))
    });
    agrees!(effects(a: i32, b: bool) -> (bool, i32) {
        let mut n = a;
        let and = b && { n = n.wrapping_add(1); n > 3 };
        let or = and || { n = n.wrapping_mul(2); n > 3 };
        (or, n)
    });
}

#[kernel]
fn not_itself(x: f32) -> i32 {
    if x != x { 1 } else { 0 }
}

#[test]
fn a_nan_differs_from_itself() {
    agrees!(not_itself(x: f32) -> i32 { i32::from(x.is_nan()) });
}

#[kernel(dtypes(i8, u16, i32, u64))]
fn compound<T: Int>(a: T, b: T) -> T {
    let mut m = a;
    m += b;
    m *= a;
    m -= T::ONE;
    m &= b;
    m |= a;
    m ^= T::MAX;
    m <<= 3;
    m >>= b;
    m /= 7;
    m %= 5;
    m
}

#[test]
fn compound_assignments() {
    macro_rules! ints {
        ($($t:ty)*) => {$( agrees!(compound(a: $t, b: $t) -> $t {
            let m = a.wrapping_add(b).wrapping_mul(a).wrapping_sub(1);
            let m = ((m & b) | a) ^ <$t>::MAX;
            m.wrapping_shl(3).wrapping_shr(b as u32) / 7 % 5
        }); )*};
    }
    ints!(i8 u16 i32 u64);
}
