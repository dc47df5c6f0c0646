//! `lane` and `plain` hold the same names with the same meanings: lane `k` of one is the other of element `k`.
//!
//! The functions of `lane` are the same on every level, so one level is enough here, but for the elementary functions.

use crate::level::{Level, on_every_level};
use crate::methods;
use crate::oracle::{Case, check1, check2, check3, cross};
use crate::values::Value;
use lanecraft_core::cx::FaultCell;
use lanecraft_core::isa::Varying;
#[cfg(feature = "portable")]
use lanecraft_core::isa::portable::Portable as AnyLevel;
#[cfg(not(feature = "portable"))]
use lanecraft_core::isa::scalar::Scalar as AnyLevel;
use lanecraft_core::{Cx, Dtype, Float, Int, Logic, Num, Signed, lane, plain};

/// Calls the generic function `$f` with every dtype of a family.
macro_rules! family {
    (all $f:ident) => { $f::<bool>(); family!(num $f); };
    (num $f:ident) => { family!(int $f); family!(float $f); };
    (logic $f:ident) => { $f::<bool>(); family!(int $f); };
    (signed $f:ident) => { $f::<i8>(); $f::<i16>(); $f::<i32>(); $f::<i64>(); family!(float $f); };
    (int $f:ident) => { $f::<i8>(); $f::<i16>(); $f::<i32>(); $f::<i64>(); $f::<u8>(); $f::<u16>(); $f::<u32>(); $f::<u64>(); };
    (float $f:ident) => { $f::<f32>(); $f::<f64>(); };
}

/// One row per function of values: operands, result, and the dtypes it is for.
macro_rules! language {
    ($($f:ident($($a:ident),*) -> $r:ty, $family:ident T: $Bound:ident;)*) => {
        const VALUES: &[&str] = &[$(stringify!($f)),*];
        $(
            #[test]
            fn $f() {
                fn of<T: Value + $Bound>() {
                    let case = Case { operation: concat!("lane::", stringify!($f)), strict: false };
                    let fault = FaultCell::default();
                    let cx = Cx::new(AnyLevel, &fault);
                    language!(@check cx case T $r, $f($($a)*));
                }
                family!($family of);
            }
        )*
    };
    (@check $cx:ident $case:ident $t:ident $r:ty, $f:ident($a:ident)) => {
        check1::<$t, $r, _>(AnyLevel, $case, $t::many(), |a| lane::$f($cx, Varying::<$t, _>(a)).0, |a: $t| plain::$f(a))
    };
    (@check $cx:ident $case:ident $t:ident $r:ty, $f:ident($a:ident $b:ident)) => {
        check2::<$t, $t, $r, _>(
            AnyLevel, $case, cross(&$t::values(), &$t::values()),
            |a, b| lane::$f($cx, Varying::<$t, _>(a), Varying::<$t, _>(b)).0, |a: $t, b: $t| plain::$f(a, b),
        )
    };
    (@check $cx:ident $case:ident $t:ident $r:ty, $f:ident($a:ident $b:ident $c:ident)) => {
        check3::<$t, $t, $t, $r, _>(
            AnyLevel, $case, cross(&cross(&$t::few(), &$t::few()), &$t::few()),
            |a, b, c| lane::$f($cx, Varying::<$t, _>(a), Varying::<$t, _>(b), Varying::<$t, _>(c)).0, |a: $t, b: $t, c: $t| plain::$f(a, b, c),
        )
    };
}
language! {
    add(a, b) -> T, num T: Num;
    sub(a, b) -> T, num T: Num;
    mul(a, b) -> T, num T: Num;
    min(a, b) -> T, num T: Num;
    max(a, b) -> T, num T: Num;
    clamp(a, b, c) -> T, num T: Num;
    eq(a, b) -> bool, all T: Dtype;
    ne(a, b) -> bool, all T: Dtype;
    lt(a, b) -> bool, all T: Dtype;
    le(a, b) -> bool, all T: Dtype;
    gt(a, b) -> bool, all T: Dtype;
    ge(a, b) -> bool, all T: Dtype;
    neg(a) -> T, signed T: Signed;
    abs(a) -> T, signed T: Signed;
    and(a, b) -> T, logic T: Logic;
    or(a, b) -> T, logic T: Logic;
    xor(a, b) -> T, logic T: Logic;
    not(a) -> T, logic T: Logic;
    sqrt(a) -> T, float T: Float;
    floor(a) -> T, float T: Float;
    ceil(a) -> T, float T: Float;
    trunc(a) -> T, float T: Float;
    round_ties_even(a) -> T, float T: Float;
    copysign(a, b) -> T, float T: Float;
    mul_add(a, b, c) -> T, float T: Float;
    is_nan(a) -> bool, float T: Float;
}

/// The elementary functions: the same bits on every level that fuses.
macro_rules! elementary {
    ($($f:ident)*) => {
        const ELEMENTARY: &[&str] = &[$(stringify!($f)),*];
        $(
            #[test]
            fn $f() {
                fn of<T: Value + Float, I: Level>(isa: I) {
                    let fault = FaultCell::default();
                    let cx = Cx::new(isa, &fault);
                    let case = Case { operation: concat!("lane::", stringify!($f)), strict: false };
                    check1::<T, T, I>(isa, case, T::many(), #[inline(always)] |a| lane::$f(cx, Varying::<T, _>(a)).0, |a: T| plain::$f(a));
                }
                fn level<I: Level>(isa: I) {
                    if I::FUSED {
                        of::<f32, I>(isa);
                        of::<f64, I>(isa);
                    }
                }
                on_every_level!(level);
            }
        )*
    };
}
elementary!(exp ln tanh round);

/// Functions with a test of their own below.
const OTHERS: &[&str] = &["int_literal", "float_literal", "cast", "shl", "shr", "div", "rem", "to_bits", "from_bits"];
/// Functions that only lanes have: a plain value is its own `splat`, and Rust's `if` is the `select`.
const LANES_ONLY: &[&str] = &["splat", "select", "assign", "zero", "any"];

#[test]
fn every_name_is_tested() {
    let names = |sources: &[&'static str]| -> Vec<&'static str> {
        let lines = sources.iter().flat_map(|s| s.lines()).filter_map(|l| l.strip_prefix("pub fn "));
        let mut v: Vec<&str> = lines.filter_map(|l| l.split(['<', '(']).next()).collect();
        v.sort();
        v
    };
    let sorted = |lists: &[&[&'static str]]| -> Vec<&'static str> {
        let mut v = lists.concat();
        v.sort();
        v
    };
    assert_eq!(names(&[include_str!("../../src/plain.rs")]), sorted(&[VALUES, ELEMENTARY, OTHERS]));
    let lane = [include_str!("../../src/lane.rs"), include_str!("../../src/lane/int.rs"), include_str!("../../src/lane/float.rs")];
    assert_eq!(names(&lane), sorted(&[VALUES, ELEMENTARY, OTHERS, LANES_ONLY, methods::NAMES, methods::OTHERS]));
}

#[test]
fn literals() {
    fn int<T: Value + Num>() {
        let fault = FaultCell::default();
        let cx = Cx::new(AnyLevel, &fault);
        for x in [0, 1, 100, 127] {
            let case = Case { operation: "int_literal", strict: true };
            check1::<T, T, _>(AnyLevel, case, vec![T::ZERO], |_| lane::int_literal::<T, _>(cx, x).0, |_| plain::int_literal(x));
            assert_eq!(format!("{:?}", plain::int_literal::<T>(x)).trim_end_matches(".0"), x.to_string());
        }
    }
    family!(num int);
    assert_eq!(plain::int_literal::<u64>(u64::MAX as i128), u64::MAX);
    assert_eq!(plain::int_literal::<i64>(i64::MIN as i128), i64::MIN);
    fn float<T: Value + Float>() {
        let fault = FaultCell::default();
        let cx = Cx::new(AnyLevel, &fault);
        let case = Case { operation: "float_literal", strict: true };
        check1::<T, T, _>(
            AnyLevel,
            case,
            vec![T::ZERO],
            |_| lane::float_literal::<T, _>(cx, 0.1, 0.1).0,
            |_| plain::float_literal(0.1, 0.1),
        );
    }
    family!(float float);
    assert_eq!(plain::float_literal::<f32>(0.1, 0.2), 0.1);
    assert_eq!(plain::float_literal::<f64>(0.1, 0.2), 0.2);
}

#[test]
fn casts() {
    fn pair<T: Value, U: Value>() {
        let fault = FaultCell::default();
        let cx = Cx::new(AnyLevel, &fault);
        let case = Case { operation: "cast", strict: false };
        check1::<T, U, _>(AnyLevel, case, T::values(), |a| lane::cast::<T, U, _>(cx, Varying::<T, _>(a)).0, |a| plain::cast::<T, U>(a));
    }
    fn from<T: Value>() {
        pair::<T, i8>();
        pair::<T, i16>();
        pair::<T, i32>();
        pair::<T, i64>();
        pair::<T, u8>();
        pair::<T, u16>();
        pair::<T, u32>();
        pair::<T, u64>();
        pair::<T, f32>();
        pair::<T, f64>();
    }
    family!(all from);
    pair::<bool, bool>();
    // `cast_from` picks the conversion by its target.
    assert_eq!(plain::cast::<f32, u8>(300.7), 255);
    assert_eq!(plain::cast::<f64, i16>(f64::NAN), 0);
    assert_eq!(plain::cast::<i32, i8>(-129), 127);
    assert_eq!(plain::cast::<u64, f32>(u64::MAX), 18446744073709551615.0);
    assert_eq!(plain::cast::<bool, f64>(true), 1.0);
}

#[test]
fn shifts() {
    fn pair<T: Value + Int, U: Value + Int>() {
        let fault = FaultCell::default();
        let cx = Cx::new(AnyLevel, &fault);
        let case = Case { operation: "shl", strict: true };
        // Every amount, also negative ones and those past the number of bits.
        let inputs = cross(&T::values(), &U::values());
        check2::<T, U, T, _>(
            AnyLevel,
            case,
            inputs.clone(),
            |a, b| lane::shl(cx, Varying::<T, _>(a), Varying::<U, _>(b)).0,
            |a, b| plain::shl(a, b),
        );
        let case = Case { operation: "shr", ..case };
        check2::<T, U, T, _>(
            AnyLevel,
            case,
            inputs,
            |a, b| lane::shr(cx, Varying::<T, _>(a), Varying::<U, _>(b)).0,
            |a, b| plain::shr(a, b),
        );
    }
    fn by<T: Value + Int>() {
        pair::<T, i8>();
        pair::<T, u32>();
        pair::<T, i64>();
    }
    family!(int by);
    assert_eq!(plain::shl(1i32, 33u8), 1i32.wrapping_shl(33));
    assert_eq!(plain::shl(1u64, -1i8), 1u64.wrapping_shl(-1i32 as u32));
    assert_eq!(plain::shr(-128i8, 7i64), -1);
    assert_eq!(plain::shr(200u8, 9i64), 100);
}

#[test]
fn divisions() {
    fn of<T: Value + Num>() {
        let fault = FaultCell::default();
        let cx = Cx::new(AnyLevel, &fault);
        let mut inputs = cross(&T::values(), &T::values());
        inputs.retain(|&(_, b)| b != T::ZERO);
        let case = Case { operation: "div", strict: false };
        check2::<T, T, T, _>(
            AnyLevel,
            case,
            inputs.clone(),
            |a, b| lane::div(cx, Varying::<T, _>(a), Varying::<T, _>(b)).0,
            |a, b| plain::div(a, b),
        );
        let case = Case { operation: "rem", ..case };
        check2::<T, T, T, _>(
            AnyLevel,
            case,
            inputs,
            |a, b| lane::rem(cx, Varying::<T, _>(a), Varying::<T, _>(b)).0,
            |a, b| plain::rem(a, b),
        );
    }
    family!(num of);
    assert_eq!((plain::div(-7i8, 2), plain::rem(-7i8, 2), plain::rem(-7.5f32, 2.0)), (-3, -1, -1.5));
    assert_eq!((plain::div(i64::MIN, -1), plain::rem(i64::MIN, -1), plain::div(i32::MIN, -1)), (i64::MIN, 0, i32::MIN));
}

#[test]
#[should_panic(expected = "integer division by zero")]
fn plain_division_by_zero_panics() {
    plain::div(1u16, 0);
}

#[test]
#[should_panic(expected = "integer division by zero")]
fn plain_remainder_by_zero_panics() {
    plain::rem(1i64, 0);
}

#[test]
fn bits() {
    fn of<T: Value + Float>()
    where
        T::Bits: Value,
    {
        let fault = FaultCell::default();
        let cx = Cx::new(AnyLevel, &fault);
        let case = Case { operation: "to_bits", strict: true };
        check1::<T, T::Bits, _>(AnyLevel, case, T::many(), |a| lane::to_bits::<T, _>(cx, Varying::<T, _>(a)).0, |a| plain::to_bits::<T>(a));
        let case = Case { operation: "from_bits", ..case };
        check1::<T::Bits, T, _>(
            AnyLevel,
            case,
            T::Bits::many(),
            |a| lane::from_bits::<T, _>(cx, Varying(a)).0,
            |a| plain::from_bits::<T>(a),
        );
    }
    family!(float of);
    assert_eq!((plain::to_bits(1.0f32), plain::to_bits(-2.0f64)), (0x3f80_0000, 0xc000_0000_0000_0000));
}

#[test]
fn select() {
    fn of<T: Value>() {
        let fault = FaultCell::default();
        let cx = Cx::new(AnyLevel, &fault);
        let case = Case { operation: "select", strict: true };
        let inputs = cross(&cross(&bool::few(), &T::few()), &T::few());
        // In a tuple, as the results of an `if` come.
        let pair = |c, a, b| {
            lane::select(
                cx,
                Varying::<bool, _>(c),
                ((), Varying::<T, _>(a), Varying::<T, _>(b)),
                ((), Varying::<T, _>(b), Varying::<T, _>(a)),
            )
        };
        check3::<bool, T, T, T, _>(AnyLevel, case, inputs.clone(), |c, a, b| pair(c, a, b).1.0, |c, a, b| if c { a } else { b });
        check3::<bool, T, T, T, _>(AnyLevel, case, inputs, |c, a, b| pair(c, a, b).2.0, |c, a, b| if c { b } else { a });
    }
    family!(all of);
}
