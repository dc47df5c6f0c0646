//! `match` and its kin, per lane.

use crate::harness::agrees;
use lanecraft::prelude::*;

const LOW: i32 = -3;

/// Integers, ranges with open ends, constants, alternatives, bindings, guards.
#[kernel]
fn integers(x: i32, y: i32) -> i32 {
    match x {
        LOW => 1,
        i32::MIN..=-100 => 2,
        n @ (-99..=-50 | -9) => n,
        0 if y > 0 => 4,
        0 | 1 if y < 0 => 5,
        2..10 => {
            let double = x * 2;
            double - y
        }
        n if n == y => 7,
        100.. => 8,
        _ => 9,
    }
}

#[test]
fn integers_match() {
    agrees!(integers(x: i32, y: i32) -> i32 {
        match x {
            -3 => 1,
            i32::MIN..=-100 => 2,
            n @ (-99..=-50 | -9) => n,
            0 if y > 0 => 4,
            0 | 1 if y < 0 => 5,
            2..10 => (x * 2).wrapping_sub(y),
            n if n == y => 7,
            100.. => 8,
            _ => 9,
        }
    });
}

/// Tuples, nested, of bools and integers, with a binding in a part.
#[kernel]
fn tuples(a: bool, b: u8, c: i8) -> (u8, bool) {
    match (a, (b, c)) {
        (true, (0, _)) => (1, a),
        (true, (n, -1)) => (n, false),
        (false, (n @ 1..=9, k)) if k > 0 => (n + k as u8, true),
        (false, (_, k)) => (k as u8, k < 0),
        (_, (n, _)) => (n - 1, a),
    }
}

#[test]
fn tuples_match() {
    agrees!(tuples(a: bool, b: u8, c: i8) -> (u8, bool) {
        match (a, (b, c)) {
            (true, (0, _)) => (1, a),
            (true, (n, -1)) => (n, false),
            (false, (n @ 1..=9, k)) if k > 0 => (n.wrapping_add(k as u8), true),
            (false, (_, k)) => (k as u8, k < 0),
            (_, (n, _)) => (n.wrapping_sub(1), a),
        }
    });
}

/// A guard sees the bindings, and what it does is done where its pattern matched, in order.
#[kernel]
fn guards_in_order(x: i32) -> (i32, i32) {
    let mut asked = 0;
    let value = match x & 3 {
        n if {
            asked += 1;
            n == 0
        } =>
        {
            10
        }
        1 | 2
            if {
                asked += 10;
                x > 0
            } =>
        {
            20
        }
        _ => 30,
    };
    (value, asked)
}

#[test]
fn guards_are_asked_in_order() {
    agrees!(guards_in_order(x: i32) -> (i32, i32) {
        match x & 3 {
            0 => (10, 1),
            3 => (30, 1),
            _ => (if x > 0 { 20 } else { 30 }, 11),
        }
    });
}

/// `if let`, `while let`, `let else`, with what they bind.
#[kernel]
fn let_forms(x: u8) -> (u8, u8, u8) {
    let mut sum = 0;
    if let n @ 10..=99 = x {
        sum += n;
    } else if let 0 | 255 = x {
        sum = 1;
    }
    let mut rest = x;
    while let 1..=200 = rest {
        rest /= 3;
        sum += 1;
        if let 7 = rest {
            break;
        }
    }
    let (n @ 3.., other) = (x >> 1, sum) else {
        return (sum, rest, 0);
    };
    (sum, rest, n + other)
}

#[test]
fn let_forms_match() {
    agrees!(let_forms(x: u8) -> (u8, u8, u8) {
        let mut sum = 0u8;
        if (10..=99).contains(&x) {
            sum += x;
        } else if x == 0 || x == 255 {
            sum = 1;
        }
        let mut rest = x;
        while (1..=200).contains(&rest) {
            rest /= 3;
            sum = sum.wrapping_add(1);
            if rest == 7 {
                break;
            }
        }
        if x >> 1 < 3 { (sum, rest, 0) } else { (sum, rest, (x >> 1).wrapping_add(sum)) }
    });
}

/// Floats, by guards alone.
#[kernel(dtypes(f32, f64))]
fn floats<T: Float>(x: T) -> i32 {
    match x {
        v if v.is_nan() => -1,
        v if v < 0.0 => 0,
        v if v > 1.0 && v.is_finite() => 2,
        _ => 1,
    }
}

#[test]
fn floats_match_by_guards() {
    agrees!(floats(x: f32) -> i32 {
        if x.is_nan() { -1 } else if x < 0.0 { 0 } else if x > 1.0 && x.is_finite() { 2 } else { 1 }
    });
    agrees!(floats(x: f64) -> i32 {
        if x.is_nan() { -1 } else if x < 0.0 { 0 } else if x > 1.0 && x.is_finite() { 2 } else { 1 }
    });
}

/// A binding that the guard alone uses raises no warning (this crate denies them); assignments in arms are of their lanes.
#[kernel]
fn arms_assign(x: i32, y: i32) -> (i32, i32) {
    let (mut a, mut b) = (x, y);
    match a & 3 {
        n if n == 0 => a += 1,
        1 => {
            b = a;
            a = y;
        }
        2 if b > 0 => {}
        n => b -= n,
    }
    (a, b)
}

#[test]
fn arms_may_assign() {
    agrees!(arms_assign(x: i32, y: i32) -> (i32, i32) {
        match x & 3 {
            0 => (x.wrapping_add(1), y),
            1 => (y, x),
            2 if y > 0 => (x, y),
            n => (x, y.wrapping_sub(n)),
        }
    });
}
