//! Loops, and what leaves them, per lane.

use crate::harness::{agrees, run};
use lanecraft::prelude::*;
use lanecraft::{FaultKind, Level};

/// Every form of range: the same for all lanes and per lane, empty, down to 0 and up to the ends of the type.
#[kernel]
fn ranges(n: u8, m: i8) -> (u32, u32, u32, u32, u32) {
    let (mut up, mut down, mut steps, mut ends, mut empty) = (0u32, 0u32, 0u32, 0u32, 0u32);
    for i in 0..n {
        up = up * 31 + i as u32;
    }
    for i in (0..=n).rev() {
        down = down * 31 + i as u32;
    }
    for i in (m..40).step_by(7) {
        steps = steps * 31 + i as u32;
    }
    for i in (m..=127).rev().step_by(50) {
        steps = steps * 37 + i as u32;
    }
    for i in 250..=255u8 {
        ends = ends * 31 + i as u32;
    }
    for i in (n..=255).step_by(100) {
        ends = ends * 31 + i as u32;
    }
    for i in n..3 {
        empty = empty * 31 + i as u32 + 1;
    }
    (up, down, steps, ends, empty)
}

#[test]
fn ranges_are_those_of_rust() {
    agrees!(ranges(n: u8, m: i8) -> (u32, u32, u32, u32, u32) {
        fn fold(by: u32, from: u32, values: impl Iterator<Item = u32>) -> u32 {
            values.fold(from, |sum, i| sum.wrapping_mul(by).wrapping_add(i))
        }
        let steps = fold(31, 0, (m..40).step_by(7).map(|i| i as u32));
        let ends = fold(31, 0, 250..=255);
        (
            fold(31, 0, (0..n).map(u32::from)),
            fold(31, 0, (0..=n).rev().map(u32::from)),
            fold(37, steps, (m..=127).rev().step_by(50).map(|i| i as u32)),
            fold(31, ends, (n..=255).step_by(100).map(u32::from)),
            fold(31, 0, (n..3).map(|i| u32::from(i) + 1)),
        )
    });
}

/// Three labels deep: every loop left and gone on with from every depth.
#[kernel]
fn three_deep(x: i32, y: i32) -> i32 {
    let mut n = 0;
    'a: for i in 0..4 {
        'b: for j in 0..4 {
            'c: for k in 0..4 {
                n += 1;
                match (x + i * 16 + j * 4 + k) & 31 {
                    0 => break 'a,
                    1 => break 'b,
                    2 => break 'c,
                    3 => continue 'a,
                    4 => continue 'b,
                    5 => continue 'c,
                    6 if y > 0 => return n * 1000,
                    _ => {}
                }
                n += 100;
            }
            n += 10000;
        }
        n += 1000000;
    }
    n
}

#[test]
fn labels_reach_every_depth() {
    agrees!(three_deep(x: i32, y: i32) -> i32 {
        let mut n = 0i32;
        'a: for i in 0..4 {
            'b: for j in 0..4 {
                'c: for k in 0..4 {
                    n += 1;
                    match x.wrapping_add(i * 16 + j * 4 + k) & 31 {
                        0 => break 'a,
                        1 => break 'b,
                        2 => break 'c,
                        3 => continue 'a,
                        4 => continue 'b,
                        5 => continue 'c,
                        6 if y > 0 => return (n * 1000,),
                        _ => {}
                    }
                    n += 100;
                }
                n += 10000;
            }
            n += 1000000;
        }
        n
    });
}

/// A `return` in a helper, inside a loop, inside a `match`: it leaves the helper only.
#[always_inline]
fn first_divisor(n: u16, kind: u16) -> u16 {
    match kind {
        0 => 1,
        1 | 2 => {
            for d in 2..20 {
                if n % d == 0 {
                    return d;
                }
            }
            0
        }
        _ => {
            let mut d = 20;
            loop {
                d -= 1;
                if d == 0 || n % d == 3 {
                    return d;
                }
            }
        }
    }
}
#[kernel]
fn helper_in_a_loop(n: u16) -> u16 {
    let mut sum = 0;
    for kind in 0..4 {
        let d = first_divisor(n, kind);
        if d == 0 {
            continue;
        }
        sum = sum * 20 + d;
    }
    sum
}

#[test]
fn a_return_leaves_its_helper_only() {
    agrees!(helper_in_a_loop(n: u16) -> u16 {
        let find = |kind: u16| match kind {
            0 => 1,
            1 | 2 => (2..20).find(|d| n % d == 0).unwrap_or(0),
            _ => (1..20).rev().find(|d| n % d == 3).unwrap_or(0),
        };
        (0..4).map(find).filter(|d| *d != 0).fold(0, |sum: u16, d| sum.wrapping_mul(20).wrapping_add(d))
    });
}

/// A value from the loop around the inner one, from inside both, of tuples and in the middle of an expression.
#[kernel]
fn break_with_value(x: i32) -> (i32, bool) {
    let mut n = x & 15;
    let (found, early) = 'outer: loop {
        let mut k = 0;
        while k < 5 {
            if n * k == 12 {
                break 'outer (k, true);
            }
            k += 1;
        }
        n += 1;
        if n > 20 {
            break (n, false);
        }
    };
    (
        10 * found
            + loop {
                n -= 2;
                if n < 4 {
                    break n;
                }
            },
        early,
    )
}

#[test]
fn a_loop_has_the_value_of_its_break() {
    agrees!(break_with_value(x: i32) -> (i32, bool) {
        let mut n = x & 15;
        let (found, early) = loop {
            if let Some(k) = (0..5).find(|k| n * k == 12) {
                break (k, true);
            }
            n += 1;
            if n > 20 {
                break (n, false);
            }
        };
        while {
            n -= 2;
            n >= 4
        } {}
        (10 * found + n, early)
    });
}

/// A condition with an effect, and a bound that changes inside: it was read before the loop.
#[kernel]
fn conditions(x: u32) -> (u32, u32) {
    let mut n = x & 7;
    let mut rounds = 0;
    while {
        rounds += 1;
        n < 5 && rounds < 10
    } {
        n += 1;
    }
    let mut sum = 0;
    for i in 0..n {
        n -= 1;
        sum += i + n;
    }
    (rounds, sum)
}

#[test]
fn conditions_may_have_effects() {
    agrees!(conditions(x: u32) -> (u32, u32) {
        let mut n = x & 7;
        let rounds = if n < 5 { 6 - n } else { 1 };
        n = n.max(5);
        let mut sum = 0;
        #[allow(clippy::mut_range_bound, reason = "that is the test")]
        for i in 0..n {
            n -= 1;
            sum += i + n;
        }
        (rounds, sum)
    });
}

/// Triangular: the inner bound is the outer variable; variables of the body are new in each iteration.
#[kernel(dtypes(f32, f64))]
fn triangle<T: Float>(x: T, n: i32) -> T {
    let mut sum = T::ZERO;
    for i in 0..(n & 7) {
        let mut row = x;
        for j in 0..i {
            if (i + j) % 3 == 1 {
                continue;
            }
            row = row * 0.5 + j as T;
        }
        let x = row + 1.0;
        sum += x;
    }
    sum
}

#[test]
fn bounds_may_be_loop_variables() {
    agrees!(triangle(x: f32, n: i32) -> f32 {
        let mut sum = 0.0;
        for i in 0..(n & 7) {
            let row = (0..i).filter(|j| (i + j) % 3 != 1).fold(x, |row, j| row * 0.5 + j as f32);
            sum += row + 1.0;
        }
        sum
    });
}

/// The variable of a `for` may be changed; the next iteration does not see it.
#[kernel]
fn mutable_variable(x: i32) -> i32 {
    let mut sum = 0;
    for mut i in 0..6 {
        if i < x {
            i *= 10;
        }
        sum = sum * 7 + i;
    }
    for mut i in (x & 3)..5 {
        i += 1;
        sum += i;
    }
    sum
}

#[test]
fn the_variable_of_a_loop_may_change() {
    agrees!(mutable_variable(x: i32) -> i32 {
        let sum = (0..6).fold(0, |sum, i| sum * 7 + if i < x { i * 10 } else { i });
        sum + ((x & 3)..5).map(|i| i + 1).sum::<i32>()
    });
}

/// Faults are those of the lanes that are there: who left, by whatever way, divides no more.
#[kernel]
fn divides_while_it_can(x: i32, n: i32) -> i32 {
    let mut d = n & 7;
    let mut y = x;
    for _ in 0..5 {
        if d == 0 {
            break;
        }
        y /= d;
        d -= 1;
    }
    loop {
        d -= 1;
        if d < -3 {
            return y;
        }
        if d == 0 {
            continue;
        }
        y += 100 / d;
    }
}

/// The same without a way out.
#[kernel]
fn divides_always(x: i32, n: i32) -> i32 {
    let mut y = x;
    for d in (0..(n & 7)).rev() {
        y += 100 / d;
    }
    y
}

#[test]
fn who_left_a_loop_divides_no_more() {
    agrees!(divides_while_it_can(x: i32, n: i32) -> i32 {
        let (mut d, mut y) = (n & 7, x);
        for _ in 0..5 {
            if d == 0 {
                break;
            }
            y = y.wrapping_div(d);
            d -= 1;
        }
        loop {
            d -= 1;
            if d < -3 {
                break y;
            }
            if d != 0 {
                y = y.wrapping_add(100 / d);
            }
        }
    });
    // 7 & 7 iterations end with a division by 0; 8 & 7 are none.
    let rows: Vec<(i32, i32)> = (0..40).map(|k| (k, if k == 33 { 7 } else { 8 })).collect();
    for level in Level::available() {
        let fault = run::<divides_always, _, (i32,)>(level, &rows).unwrap_err();
        assert_eq!((fault.kind, fault.index), (FaultKind::DivisionByZero, 33), "{level}");
        assert!(run::<divides_always, _, (i32,)>(level, &rows[..33]).is_ok());
    }
}

/// What is the same for all lanes stays a branch: the side that is not taken does not even divide.
#[kernel]
fn uniform_branch(x: i32, #[parameter(0, 2)] d: i32) -> i32 {
    if d == 0 { x } else { x / d }
}

#[test]
fn a_uniform_condition_is_a_branch() -> Result<(), lanecraft::Error> {
    for (d, right) in [(0, 9), (2, 4)] {
        let mut out = [0; 20];
        uniform_branch::map(&[9; 20], d, &mut out)?;
        assert_eq!(out, [right; 20]);
    }
    Ok(())
}

/// Lanes stop at very different times: one of many runs long, and the others keep what they had.
#[kernel]
fn one_runs_long(x: u64) -> (u64, u32) {
    let mut y = x;
    let mut n = 0;
    while y > 1 && n < 3000 {
        y = if y % 2 == 0 { y / 2 } else { 3 * y + 1 };
        n += 1;
    }
    (y, n)
}

#[test]
fn lanes_that_are_done_wait() {
    agrees!(one_runs_long(x: u64) -> (u64, u32) {
        let (mut y, mut n) = (x, 0);
        while y > 1 && n < 3000 {
            y = if y % 2 == 0 { y / 2 } else { y.wrapping_mul(3).wrapping_add(1) };
            n += 1;
        }
        (y, n)
    });
}
