//! Kernels on which the forms once disagreed, or that once did not compile, most of them found by `cargo xtask fuzz`.

use crate::harness::agrees;
use lanecraft::prelude::*;

/// Lanes that have returned see no variable again, so a loop that lanes leave by `return` alone assigns to all. What the others
/// see must not change by it.
#[kernel]
fn returns_from_a_loop(x: i32, y: i32) -> (i32, i32) {
    let (mut a, mut b) = (x, y);
    for n in 0..6 {
        if a & 7 == n {
            return (a, n);
        }
        if b > 0 {
            b -= 3;
        } else {
            a += b;
        }
    }
    (b, a)
}

#[test]
fn who_returned_from_a_loop_keeps_the_value() {
    agrees!(returns_from_a_loop(x: i32, y: i32) -> (i32, i32) {
        let (mut a, mut b) = (x, y);
        for n in 0..6 {
            if a & 7 == n {
                return (a, n);
            }
            if b > 0 { b -= 3 } else { a = a.wrapping_add(b) }
        }
        (b, a)
    });
}

/// A constant of a type that Rust's own `as` does not take: `T` and the types of 16 bits.
#[kernel(dtypes(f16, f32, u8))]
fn casts_of_constants<T: Num>(x: T) -> (f32, i64, f64) {
    let half = bf16::EPSILON as f16;
    (T::MAX as f32, T::MIN as i64, (f16::MAX as bf16) as f64 + half as f64 + x as f64)
}

#[test]
fn constants_of_t_and_of_half_types_are_cast() {
    agrees!(casts_of_constants(x: f32) -> (f32, i64, f64) { (f32::MAX, i64::MIN, 65536.0 + 0.0078125 + f64::from(x)) });
    agrees!(casts_of_constants(x: u8) -> (f32, i64, f64) { (255.0, 0, 65536.0 + 0.0078125 + f64::from(x)) });
    assert_eq!(casts_of_constants(f16::ONE), (65504.0, -65504, 65537.0078125));
}

/// Normal numbers of an f16 are those of f16, though it is computed with in f32.
#[kernel(dtypes(f16, bf16, f32))]
fn normal_or_not<T: Float>(x: T) -> (bool, bool) {
    (x.is_normal(), x.is_subnormal())
}

#[test]
fn f16_has_its_own_subnormal_numbers() -> Result<(), lanecraft::Error> {
    let (x, y) = (f16::from_bits(0x83ff), f16::MIN_POSITIVE);
    assert_eq!((normal_or_not(x), normal_or_not(y)), ((false, true), (true, false)));
    let (mut normal, mut subnormal) = ([true; 20], [false; 20]);
    normal_or_not::map(&[x; 20], &mut normal, &mut subnormal)?;
    assert_eq!((normal, subnormal), ([false; 20], [true; 20]));
    assert_eq!(normal_or_not(bf16::from_bits(0x0080)), (true, false));
    agrees!(normal_or_not(x: f32) -> (bool, bool) { (x.is_normal(), x.is_subnormal()) });
    Ok(())
}

/// Exits in the middle of expressions: what comes after them is not done by who has left.
#[kernel]
fn exits_inside(x: i32, y: i32) -> (i32, i32) {
    let mut sum = 0;
    // A condition that returns, in front of a `return`.
    if {
        if x == 7 {
            return (1, x);
        }
        x > 100
    } {
        return (2, x);
    }
    // No division by zero for who returns.
    let q = 1000
        / match y & 3 {
            0 => return (3, y),
            n => n,
        };
    for k in 0..5 {
        // Who breaks or continues assigns no more.
        sum += {
            if k == y & 7 {
                break;
            }
            if k == x & 7 {
                continue;
            }
            q + k
        };
        let pair = (sum, if sum > 1500 { return (sum, k) } else { k });
        sum += pair.1 * (10 % (if x & 8 == 0 { break } else { k + 1 }));
    }
    let last = loop {
        sum += 1;
        break sum * {
            if sum & 1 == 0 {
                continue;
            }
            3
        };
    };
    (sum, last - (x & 15).max(if x == y { return (4, 4) } else { 2 }))
}

#[test]
fn who_left_inside_an_expression_does_no_more() {
    agrees!(exits_inside(x: i32, y: i32) -> (i32, i32) {
        fn right(x: i32, y: i32) -> (i32, i32) {
            if x == 7 {
                return (1, x);
            }
            if x > 100 {
                return (2, x);
            }
            if y & 3 == 0 {
                return (3, y);
            }
            let (q, mut sum) = (1000 / (y & 3), 0i32);
            for k in 0..5 {
                if k == y & 7 {
                    break;
                }
                if k == x & 7 {
                    continue;
                }
                sum += q + k;
                if sum > 1500 {
                    return (sum, k);
                }
                if x & 8 == 0 {
                    break;
                }
                sum += k * (10 % (k + 1));
            }
            sum += 1;
            if sum & 1 == 0 {
                sum += 1;
            }
            if x == y { (4, 4) } else { (sum, sum * 3 - (x & 15).max(2)) }
        }
        right(x, y)
    });
}

/// The condition looks at a mask that the body writes: whose iteration is over.
#[kernel]
fn leaves_in_a_condition(x: i32, y: i32) -> i32 {
    let (mut n, mut sum) = (0, 0);
    while n < 5 && {
        if x < n * y {
            return sum;
        }
        true
    } {
        n += 1;
        if y & 1 == 0 {
            continue;
        }
        sum += n;
    }
    sum + 100
}

#[test]
fn a_return_in_the_condition_of_a_loop_with_a_continue() {
    agrees!(leaves_in_a_condition(x: i32, y: i32) -> i32 {
        fn right(x: i32, y: i32) -> i32 {
            let mut sum = 0;
            for n in 0..5_i32 {
                if x < n.wrapping_mul(y) {
                    return sum;
                }
                if y & 1 != 0 {
                    sum += n + 1;
                }
            }
            sum + 100
        }
        right(x, y)
    });
}

/// A host compiler made one instruction of it, of the other zero, in the check of the CUDA text.
#[kernel(dtypes(f32, f64))]
fn minus_a_fused_zero<T: Float>(x: T) -> T {
    -x.mul_add(x, x)
}

#[test]
fn the_sign_of_a_fused_zero() {
    assert_eq!(minus_a_fused_zero(-0.0_f32).to_bits(), (-0.0_f32).to_bits());
    assert_eq!(minus_a_fused_zero(-0.0_f64).to_bits(), (-0.0_f64).to_bits());
}

/// Rust reads the variable of `+=` after the value, which may assign to it.
#[kernel]
fn assigns_to_what_it_updates(x: u8, y: bool) -> u8 {
    let mut v = 1;
    v &= if y {
        v = x;
        v
    } else {
        3
    };
    v ^= {
        v |= 64;
        v >> 1
    };
    v
}

#[test]
fn a_value_that_assigns_to_the_variable_it_updates() {
    agrees!(assigns_to_what_it_updates(x: u8, y: bool) -> u8 {
        fn right(x: u8, y: bool) -> u8 {
            let mut v = 1;
            v &= if y {
                v = x;
                v
            } else {
                3
            };
            v ^= {
                v |= 64;
                v >> 1
            };
            v
        }
        right(x, y)
    });
}

#[always_inline]
fn half_of(x: f32) -> f32 {
    0.5 * x
}

#[always_inline]
fn with_its_sign<T: Float>(x: T) -> (T, i32) {
    (x.abs(), if x < 0.0 { -1 } else { 1 })
}

#[always_inline]
fn bits_of(x: f32) -> u64 {
    x.to_bits() as u64
}

/// Types that rustc finds by what helpers give: of a sum, of a loop's value, of an `if`'s, of parts of an array and a tuple, of a large literal.
/// The CUDA text had no way to tell them.
#[kernel]
fn types_that_helpers_tell(x: f32, n: i32) -> f32 {
    let mut sum = 0.0;
    for i in 0..n & 3 {
        let y = x + i as f32;
        sum += half_of(y);
    }
    let mut steps = 0;
    let found = loop {
        if sum > 10.0 {
            break half_of(sum);
        }
        if steps == 3 {
            break 1.5;
        }
        sum += 4.0;
        steps += 1;
    };
    let mut parts = [0.0; 2];
    let (size, sign) = with_its_sign(x);
    parts[(n & 1) as usize] += size;
    let mut both = (1, 2.0);
    both.0 *= sign;
    both.1 -= size;
    let chosen = if n & 4 == 0 {
        let third = half_of(x) - x;
        if third < 0.0 {
            return 7.0;
        }
        0.25
    } else {
        half_of(sum)
    };
    let large = bits_of(x) ^ 0xfedc_ba98_7654_3210;
    found + parts[0] + both.1 * both.0 as f32 + chosen + (large >> 40) as f32
}

#[test]
fn types_that_only_rustc_finds() {
    agrees!(types_that_helpers_tell(x: f32, n: i32) -> f32 {
        fn right(x: f32, n: i32) -> f32 {
            let mut sum = 0.0_f32;
            for i in 0..n & 3 {
                sum += 0.5 * (x + i as f32);
            }
            let mut steps = 0;
            let found = loop {
                if sum > 10.0 {
                    break 0.5 * sum;
                }
                if steps == 3 {
                    break 1.5_f32;
                }
                sum += 4.0;
                steps += 1;
            };
            let sign = if x < 0.0 { -1.0 } else { 1.0 };
            let part = if n & 1 == 0 { 0.0 + x.abs() } else { 0.0 };
            let chosen = if n & 4 != 0 {
                0.5 * sum
            } else if 0.5 * x - x < 0.0 {
                return 7.0;
            } else {
                0.25
            };
            let large = u64::from(x.to_bits()) ^ 0xfedc_ba98_7654_3210;
            found + part + (2.0 - x.abs()) * sign + chosen + (large >> 40) as f32
        }
        right(x, n)
    });
}
