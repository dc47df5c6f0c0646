//! The operations of `lane` mean the same over many lanes and over one, [`Scalar`], of which the plain function is made.
//!
//! They are the same functions on every level, so one level is enough here, but for the elementary functions.

use crate::level::{Level, on_every_level};
use crate::methods;
use crate::oracle::{Case, check1, check2, check3, cross};
use crate::values::Value;
use half::{bf16, f16};
use lanecraft_core::cx::FaultCell;
use lanecraft_core::isa::Varying;
#[cfg(feature = "portable")]
use lanecraft_core::isa::portable::Portable as AnyLevel;
use lanecraft_core::isa::scalar::Scalar;
#[cfg(not(feature = "portable"))]
use lanecraft_core::isa::scalar::Scalar as AnyLevel;
use lanecraft_core::plain::call;
use lanecraft_core::{Cx, Dtype, Float, Int, Logic, Num, Signed, lane};

/// `a` as an operand over one lane.
fn one<T: Dtype>(a: T) -> Varying<T, Scalar> {
    Varying(a.widen())
}

/// Calls the generic function `$f` with every dtype of a family.
macro_rules! family {
    (all $f:ident) => { $f::<bool>(); family!(num $f); };
    (num $f:ident) => { family!(int $f); family!(float $f); };
    (logic $f:ident) => { $f::<bool>(); family!(int $f); };
    (signed $f:ident) => { $f::<i8>(); $f::<i16>(); $f::<i32>(); $f::<i64>(); family!(float $f); };
    (int $f:ident) => { $f::<i8>(); $f::<i16>(); $f::<i32>(); $f::<i64>(); $f::<u8>(); $f::<u16>(); $f::<u32>(); $f::<u64>(); };
    (float $f:ident) => { $f::<f16>(); $f::<bf16>(); $f::<f32>(); $f::<f64>(); };
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
        check1::<$t, $r, _>(AnyLevel, $case, $t::many(), |a| lane::$f($cx, Varying::<$t, _>(a)).0, |a: $t| call(|cx| lane::$f(cx, one(a))))
    };
    (@check $cx:ident $case:ident $t:ident $r:ty, $f:ident($a:ident $b:ident)) => {
        check2::<$t, $t, $r, _>(
            AnyLevel, $case, cross(&$t::values(), &$t::values()),
            |a, b| lane::$f($cx, Varying::<$t, _>(a), Varying::<$t, _>(b)).0, |a: $t, b: $t| call(|cx| lane::$f(cx, one(a), one(b))),
        )
    };
    (@check $cx:ident $case:ident $t:ident $r:ty, $f:ident($a:ident $b:ident $c:ident)) => {
        check3::<$t, $t, $t, $r, _>(
            AnyLevel, $case, cross(&cross(&$t::few(), &$t::few()), &$t::few()),
            |a, b, c| lane::$f($cx, Varying::<$t, _>(a), Varying::<$t, _>(b), Varying::<$t, _>(c)).0, |a: $t, b: $t, c: $t| call(|cx| lane::$f(cx, one(a), one(b), one(c))),
        )
    };
}
language! {
    add(a, b) -> T, num T: Num;
    sub(a, b) -> T, num T: Num;
    mul(a, b) -> T, num T: Num;
    min(a, b) -> T, num T: Num;
    max(a, b) -> T, num T: Num;
    lesser(a, b) -> T, num T: Num;
    greater(a, b) -> T, num T: Num;
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
    fma_once(a, b, c) -> T, float T: Float;
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
                    check1::<T, T, I>(isa, case, T::many(), #[inline(always)] |a| lane::$f(cx, Varying::<T, _>(a)).0, |a: T| call(|cx| lane::$f(cx, one(a))));
                }
                fn level<I: Level>(isa: I) {
                    if I::FUSED {
                        of::<f16, I>(isa);
                        of::<bf16, I>(isa);
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
const OTHERS: &[&str] = &[
    // By tests/fast_math.rs: which of two values they give is the level's choice.
    "contract",
    "contract_less",
    "contract_taken",
    // `dbg!`, by tests/debug_mode.rs.
    "print",
    // By tests/aggregates, which has constants of every type.
    "constant",
    "int_literal",
    "float_literal",
    "cast",
    "shl",
    "shr",
    "div",
    "rem",
    "to_bits",
    "from_bits",
    "splat",
    "spread",
    "holds",
    "select",
    "assign",
    "zero",
    "any",
];

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
    let lane = [include_str!("../../src/lane.rs"), include_str!("../../src/lane/int.rs"), include_str!("../../src/lane/float.rs")];
    assert_eq!(names(&lane), sorted(&[VALUES, OTHERS, methods::NAMES, methods::OTHERS]));
    // The others are measured by tests/ulp.
    assert!(ELEMENTARY.iter().all(|f| lanecraft_core::math::FUNCTIONS.contains(f)));
}

#[test]
fn literals() {
    fn int<T: Value + Num>() {
        let fault = FaultCell::default();
        let cx = Cx::new(AnyLevel, &fault);
        for x in [0, 1, 100, 127] {
            let case = Case { operation: "int_literal", strict: true };
            check1::<T, T, _>(
                AnyLevel,
                case,
                vec![T::ZERO],
                |_| lane::int_literal::<T, _>(cx, x).0,
                |_| call(|cx| lane::int_literal(cx, x)),
            );
            assert_eq!(format!("{:?}", call(|cx| lane::int_literal::<T, _>(cx, x))).trim_end_matches(".0"), x.to_string());
        }
    }
    family!(num int);
    assert_eq!(call(|cx| lane::int_literal::<u64, _>(cx, u64::MAX as i128)), u64::MAX);
    assert_eq!(call(|cx| lane::int_literal::<i64, _>(cx, i64::MIN as i128)), i64::MIN);
    fn float<T: Value + Float>() {
        let fault = FaultCell::default();
        let cx = Cx::new(AnyLevel, &fault);
        let case = Case { operation: "float_literal", strict: true };
        check1::<T, T, _>(
            AnyLevel,
            case,
            vec![T::ZERO],
            |_| lane::float_literal::<T, _>(cx, 0.1, 0.1).0,
            |_| call(|cx| lane::float_literal(cx, 0.1, 0.1)),
        );
    }
    family!(float float);
    assert_eq!(call(|cx| lane::float_literal::<f32, _>(cx, 0.1, 0.2)), 0.1);
    assert_eq!(call(|cx| lane::float_literal::<f64, _>(cx, 0.1, 0.2)), 0.2);
}

#[test]
fn casts() {
    fn pair<T: Value, U: Value>() {
        let fault = FaultCell::default();
        let cx = Cx::new(AnyLevel, &fault);
        let case = Case { operation: "cast", strict: false };
        check1::<T, U, _>(
            AnyLevel,
            case,
            T::values(),
            |a| lane::cast::<T, U, _>(cx, Varying::<T, _>(a)).0,
            |a| call(|cx| lane::cast::<T, U, _>(cx, one(a))),
        );
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
        pair::<T, f16>();
        pair::<T, bf16>();
        pair::<T, f32>();
        pair::<T, f64>();
    }
    family!(all from);
    pair::<bool, bool>();
    // `cast_from` picks the conversion by its target.
    assert_eq!(call(|cx| lane::cast::<f32, u8, _>(cx, one(300.7))), 255);
    assert_eq!(call(|cx| lane::cast::<f64, i16, _>(cx, one(f64::NAN))), 0);
    assert_eq!(call(|cx| lane::cast::<i32, i8, _>(cx, one(-129))), 127);
    assert_eq!(call(|cx| lane::cast::<u64, f32, _>(cx, one(u64::MAX))), 18446744073709551615.0);
    assert_eq!(call(|cx| lane::cast::<bool, f64, _>(cx, one(true))), 1.0);
    assert_eq!(call(|cx| lane::cast::<f64, f16, _>(cx, one(65520.0))), f16::INFINITY);
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
            |a, b| call(|cx| lane::shl(cx, one(a), one(b))),
        );
        let case = Case { operation: "shr", ..case };
        check2::<T, U, T, _>(
            AnyLevel,
            case,
            inputs,
            |a, b| lane::shr(cx, Varying::<T, _>(a), Varying::<U, _>(b)).0,
            |a, b| call(|cx| lane::shr(cx, one(a), one(b))),
        );
    }
    fn by<T: Value + Int>() {
        pair::<T, i8>();
        pair::<T, u32>();
        pair::<T, i64>();
    }
    family!(int by);
    assert_eq!(call(|cx| lane::shl(cx, one(1i32), one(33u8))), 1i32.wrapping_shl(33));
    assert_eq!(call(|cx| lane::shl(cx, one(1u64), one(-1i8))), 1u64.wrapping_shl(-1i32 as u32));
    assert_eq!(call(|cx| lane::shr(cx, one(-128i8), one(7i64))), -1);
    assert_eq!(call(|cx| lane::shr(cx, one(200u8), one(9i64))), 100);
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
            |a, b| call(|cx| lane::div(cx, one(a), one(b))),
        );
        let case = Case { operation: "rem", ..case };
        check2::<T, T, T, _>(
            AnyLevel,
            case,
            inputs,
            |a, b| lane::rem(cx, Varying::<T, _>(a), Varying::<T, _>(b)).0,
            |a, b| call(|cx| lane::rem(cx, one(a), one(b))),
        );
    }
    family!(num of);
    assert_eq!(
        (
            call(|cx| lane::div(cx, one(-7i8), one(2))),
            call(|cx| lane::rem(cx, one(-7i8), one(2))),
            call(|cx| lane::rem(cx, one(-7.5f32), one(2.0)))
        ),
        (-3, -1, -1.5)
    );
    assert_eq!(
        (
            call(|cx| lane::div(cx, one(i64::MIN), one(-1))),
            call(|cx| lane::rem(cx, one(i64::MIN), one(-1))),
            call(|cx| lane::div(cx, one(i32::MIN), one(-1)))
        ),
        (i64::MIN, 0, i32::MIN)
    );
}

#[test]
#[should_panic(expected = "integer division by zero")]
fn plain_division_by_zero_panics() {
    call(|cx| lane::div(cx, one(1u16), one(0)));
}

#[test]
#[should_panic(expected = "integer division by zero")]
fn plain_remainder_by_zero_panics() {
    call(|cx| lane::rem(cx, one(1i64), one(0)));
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
        check1::<T, T::Bits, _>(
            AnyLevel,
            case,
            T::many(),
            |a| lane::to_bits::<T, _>(cx, Varying::<T, _>(a)).0,
            |a| call(|cx| lane::to_bits::<T, _>(cx, one(a))),
        );
        let case = Case { operation: "from_bits", ..case };
        check1::<T::Bits, T, _>(
            AnyLevel,
            case,
            T::Bits::many(),
            |a| lane::from_bits::<T, _>(cx, Varying(a)).0,
            |a| call(|cx| lane::from_bits::<T, _>(cx, one(a))),
        );
    }
    family!(float of);
    assert_eq!(
        (call(|cx| lane::to_bits(cx, one(1.0f32))), call(|cx| lane::to_bits(cx, one(-2.0f64)))),
        (0x3f80_0000, 0xc000_0000_0000_0000)
    );
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

#[test]
fn masks() {
    let fault = FaultCell::default();
    let all = Cx::new(AnyLevel, &fault);
    fn of<T: Value>(all: Cx<'_, AnyLevel>) {
        for x in T::few() {
            let case = Case { operation: "spread", strict: true };
            check1::<T, T, _>(AnyLevel, case, vec![x], |_| lane::spread(all, one(x)).0, |x| x);
            check1::<T, T, _>(AnyLevel, case, vec![x], |_| lane::splat(all, x).0, |x| x);
        }
        let case = Case { operation: "assign", strict: true };
        let inputs = cross(&cross(&bool::few(), &T::few()), &T::few());
        check3::<bool, T, T, T, _>(
            AnyLevel,
            case,
            inputs,
            |c, a, b| lane::assign(all.and(Varying(c)), Varying::<T, _>(a), Varying::<T, _>(b)).0,
            |c, a, b| if c { a } else { b },
        );
        let case = Case { operation: "zero", strict: true };
        check1::<T, T, _>(AnyLevel, case, T::few(), |_| lane::zero::<Varying<T, _>, _>(all).0, |_| T::default());
    }
    of::<bool>(all);
    of::<i8>(all);
    of::<f64>(all);
    let scalar = all.scalar();
    assert!(lane::holds(scalar, one(true)) && !lane::holds(scalar, one(false)));
    let (yes, no) = (lane::splat(all, true), lane::splat(all, false));
    assert!(lane::any(all, yes) && !lane::any(all, no));
    // A loop ends for lanes with a fault.
    lane::div(all, lane::splat(all, 1i32), lane::splat(all, 0i32));
    assert!(fault.get().is_some() && !lane::any(all, yes));
}
