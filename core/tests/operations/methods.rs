//! The methods of the kernel language on every level, against the methods of Rust's standard library.

use crate::level::{Level, on_every_level};
use crate::oracle::{Case, check1, check2, cross};
use crate::values::{Random, Value};
use lanecraft_core::cx::FaultCell;
use lanecraft_core::isa::{MemoryLanes, Registers, Varying};
use lanecraft_core::plain::call;
use lanecraft_core::{Cx, Dtype, DtypeId, FaultKind, lane};

/// One test per method: operands, result, dtypes, and what it means. `T` is the dtype; a second operand is of the type named.
macro_rules! methods {
    ($($f:ident $args:tt -> $r:ty, $($t:ident)*: $right:expr;)*) => {
        /// The methods with a test here.
        pub const NAMES: &[&str] = &[$(stringify!($f)),*];
        $(
            #[test]
            fn $f() {
                fn level<I: Level>(isa: I) {
                    let fault = FaultCell::default();
                    let cx = Cx::new(isa, &fault);
                    $(if const { I::METHODS.has(<$t as Dtype>::ID) } {
                        type T = core::primitive::$t;
                        let case = Case { operation: concat!(stringify!($f), " of ", stringify!($t)), strict: false };
                        methods!(@check isa cx case $f $args $r, $right);
                    })*
                    assert_eq!(fault.get(), None);
                }
                on_every_level!(level);
            }
        )*
    };
    (@check $isa:ident $cx:ident $case:ident $f:ident ($a:ident) $r:ty, $right:expr) => {
        check1::<T, $r, I>($isa, $case, T::many(), #[inline(always)] |a| lane::$f($cx, Varying::<T, I>(a)).0, $right)
    };
    (@check $isa:ident $cx:ident $case:ident $f:ident ($a:ident, $b:ident) $r:ty, $right:expr) => {
        methods!(@check $isa $cx $case $f ($a, $b: T) $r, $right)
    };
    (@check $isa:ident $cx:ident $case:ident $f:ident ($a:ident, $b:ident: $of:ty) $r:ty, $right:expr) => {
        check2::<T, $of, $r, I>(
            $isa, $case, pairs::<T, $of>(stringify!($f)),
            #[inline(always)] |a, b| lane::$f($cx, Varying::<T, I>(a), Varying::<$of, I>(b)).0, $right,
        )
    };
}

/// Pairs of operands: specials crossed, and random ones; no zero as second where it divides.
fn pairs<A: Value, B: Value>(f: &str) -> Vec<(A, B)> {
    let mut r = Random(23);
    let mut inputs = cross(&A::values(), &B::values());
    inputs.extend((0..4000).map(|_| (A::random(&mut r), B::random(&mut r))));
    if f.contains("div") || f.contains("rem") {
        inputs.retain(|(_, b)| *b != B::default() || B::ID.name().starts_with('f'));
    }
    inputs
}

methods! {
    wrapping_add(a, b) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::wrapping_add;
    wrapping_sub(a, b) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::wrapping_sub;
    wrapping_mul(a, b) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::wrapping_mul;
    wrapping_div(a, b) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::wrapping_div;
    wrapping_rem(a, b) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::wrapping_rem;
    wrapping_neg(a) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::wrapping_neg;
    wrapping_abs(a) -> T, i8 i16 i32 i64: T::wrapping_abs;
    wrapping_shl(a, n: u32) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::wrapping_shl;
    wrapping_shr(a, n: u32) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::wrapping_shr;
    wrapping_pow(a, n: u32) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::wrapping_pow;
    pow(a, n: u32) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::wrapping_pow;
    saturating_add(a, b) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::saturating_add;
    saturating_sub(a, b) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::saturating_sub;
    saturating_mul(a, b) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::saturating_mul;
    rem_euclid(a, b) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::wrapping_rem_euclid;
    div_euclid(a, b) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::wrapping_div_euclid;
    rotate_left(a, n: u32) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::rotate_left;
    rotate_right(a, n: u32) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::rotate_right;
    leading_zeros(a) -> u32, i8 i16 i32 i64 u8 u16 u32 u64: T::leading_zeros;
    trailing_zeros(a) -> u32, i8 i16 i32 i64 u8 u16 u32 u64: T::trailing_zeros;
    leading_ones(a) -> u32, i8 i16 i32 i64 u8 u16 u32 u64: T::leading_ones;
    trailing_ones(a) -> u32, i8 i16 i32 i64 u8 u16 u32 u64: T::trailing_ones;
    count_ones(a) -> u32, i8 i16 i32 i64 u8 u16 u32 u64: T::count_ones;
    count_zeros(a) -> u32, i8 i16 i32 i64 u8 u16 u32 u64: T::count_zeros;
    swap_bytes(a) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::swap_bytes;
    reverse_bits(a) -> T, i8 i16 i32 i64 u8 u16 u32 u64: T::reverse_bits;
    is_power_of_two(a) -> bool, u8 u16 u32 u64: T::is_power_of_two;
    is_positive(a) -> bool, i8 i16 i32 i64: T::is_positive;
    is_negative(a) -> bool, i8 i16 i32 i64: T::is_negative;
    signum(a) -> T, i8 i16 i32 i64 f32 f64: T::signum;
    is_infinite(a) -> bool, f32 f64: T::is_infinite;
    is_finite(a) -> bool, f32 f64: T::is_finite;
    is_normal(a) -> bool, f32 f64: T::is_normal;
    is_subnormal(a) -> bool, f32 f64: T::is_subnormal;
    is_sign_negative(a) -> bool, f32 f64: T::is_sign_negative;
    is_sign_positive(a) -> bool, f32 f64: T::is_sign_positive;
    fract(a) -> T, f32 f64: T::fract;
    recip(a) -> T, f32 f64: T::recip;
    rsqrt(a) -> T, f32 f64: |a| 1.0 / T::sqrt(a);
    to_degrees(a) -> T, f32 f64: T::to_degrees;
    to_radians(a) -> T, f32 f64: T::to_radians;
}

/// Methods that the table cannot state, and that have a test of their own below.
pub const OTHERS: &[&str] = &["abs_diff", "unsigned_abs", "overflowing_add", "overflowing_sub", "overflowing_mul", "powi", "sin_cos"];

macro_rules! unsigned {
    ($($t:ident $u:ident)*) => {
        #[test]
        fn abs_diff() {
            fn level<I: Level>(isa: I) {
                let fault = FaultCell::default();
                let cx = Cx::new(isa, &fault);
                $(if const { I::METHODS.has(<$t as Dtype>::ID) } {
                    let case = Case { operation: concat!("abs_diff of ", stringify!($t)), strict: true };
                    check2::<$t, $t, $u, I>(
                        isa, case, pairs(""),
                        #[inline(always)] |a, b| lane::abs_diff(cx, Varying::<$t, I>(a), Varying::<$t, I>(b)).0, $t::abs_diff,
                    );
                })*
            }
            on_every_level!(level);
        }
    };
}
unsigned!(i8 u8 i16 u16 i32 u32 i64 u64 u8 u8 u16 u16 u32 u32 u64 u64);

#[test]
fn unsigned_abs() {
    fn level<I: Level>(isa: I) {
        let fault = FaultCell::default();
        let cx = Cx::new(isa, &fault);
        macro_rules! each {
            ($($t:ident $u:ident)*) => {$(if const { I::METHODS.has(<$t as Dtype>::ID) } {
                let case = Case { operation: concat!("unsigned_abs of ", stringify!($t)), strict: true };
                check1::<$t, $u, I>(isa, case, $t::many(), #[inline(always)] |a| lane::unsigned_abs(cx, Varying::<$t, I>(a)).0, $t::unsigned_abs);
            })*};
        }
        each!(i8 u8 i16 u16 i32 u32 i64 u64);
    }
    on_every_level!(level);
}

macro_rules! overflowing {
    ($($f:ident: $($t:ident)*;)*) => {$(
        #[test]
        fn $f() {
            fn level<I: Level>(isa: I) {
                let fault = FaultCell::default();
                let cx = Cx::new(isa, &fault);
                // A product of 64 bits with a sign is a case of its own.
                $(if const { I::METHODS.has(<$t as Dtype>::ID) || matches!(<$t as Dtype>::ID, DtypeId::I64) } {
                    // Products near the ends of the type, which random factors seldom have.
                    let mut inputs = pairs::<$t, $t>("");
                    let mut r = Random(31);
                    for _ in 0..4000 {
                        let b = $t::random(&mut r);
                        if b > 1 {
                            let near = ($t::MAX / b).wrapping_add((r.bits() % 4) as $t).wrapping_sub(1);
                            inputs.extend([(near, b), (b, near), (near.wrapping_neg(), b), (near, b.wrapping_neg())]);
                        }
                    }
                    let case = Case { operation: concat!(stringify!($f), " of ", stringify!($t)), strict: true };
                    check2::<$t, $t, $t, I>(
                        isa, case, inputs.clone(),
                        #[inline(always)] |a, b| lane::$f(cx, Varying::<$t, I>(a), Varying::<$t, I>(b)).0.0, |a, b| $t::$f(a, b).0,
                    );
                    check2::<$t, $t, bool, I>(
                        isa, case, inputs,
                        #[inline(always)] |a, b| lane::$f(cx, Varying::<$t, I>(a), Varying::<$t, I>(b)).1.0, |a, b| $t::$f(a, b).1,
                    );
                })*
            }
            on_every_level!(level);
        }
    )*};
}
overflowing! {
    overflowing_add: i8 i16 i32 i64 u8 u16 u32 u64;
    overflowing_sub: i8 i16 i32 i64 u8 u16 u32 u64;
    overflowing_mul: i8 i16 i32 i64 u8 u16 u32 u64;
}

/// The definition: multiplications in the order of the exponent's bits, from the lowest up.
macro_rules! by_squares {
    ($a:ident, $n:ident) => {{
        let (mut y, mut square, mut left) = (1.0, $a, $n.unsigned_abs());
        loop {
            if left % 2 == 1 {
                y *= square;
            }
            left /= 2;
            if left == 0 {
                break if $n < 0 { 1.0 / y } else { y };
            }
            square *= square;
        }
    }};
}

#[test]
fn powi() {
    fn level<I: Level>(isa: I) {
        let fault = FaultCell::default();
        let cx = Cx::new(isa, &fault);
        let mut exponents = i32::values();
        exponents.extend(-70..70);
        macro_rules! each {
            ($($t:ident)*) => {$(
                let case = Case { operation: concat!("powi of ", stringify!($t)), strict: false };
                check2::<$t, i32, $t, I>(
                    isa, case, cross(&$t::values(), &exponents),
                    #[inline(always)] |a, n| lane::powi(cx, Varying::<$t, I>(a), Varying(n)).0, |a: $t, n: i32| by_squares!(a, n),
                );
            )*};
        }
        each!(f32 f64);
    }
    on_every_level!(level);
    // As far as the standard library's is good: it promises no more than "an unspecified precision".
    for n in -20..20 {
        let (got, right) = (call(|cx| lane::powi(cx, lane::splat(cx, 1.3_f64), lane::splat(cx, n))), 1.3_f64.powi(n));
        assert!((got - right).abs() <= 1e-14 * right, "{n}: {got} {right}");
    }
}

/// Where Rust has the method for the other integers only.
#[test]
fn beyond_rust() {
    macro_rules! of {
        ($f:ident $x:expr) => {
            call(|cx| lane::$f(cx, lane::splat(cx, $x)))
        };
    }
    assert!(of!(is_power_of_two 64_i8) && !of!(is_power_of_two i8::MIN) && !of!(is_power_of_two 0_i64) && !of!(is_power_of_two - 4_i32));
    assert!(!of!(is_negative u8::MAX) && of!(is_positive u8::MAX) && !of!(is_positive 0_u64));
    assert_eq!(of!(wrapping_abs u32::MAX), u32::MAX);
}

#[test]
fn float_euclid() {
    fn level<I: Level>(isa: I) {
        let fault = FaultCell::default();
        let cx = Cx::new(isa, &fault);
        macro_rules! each {
            ($($t:ident)*) => {$(
                let case = Case { operation: concat!("rem_euclid of ", stringify!($t)), strict: false };
                check2::<$t, $t, $t, I>(
                    isa, case, pairs("rem"),
                    #[inline(always)] |a, b| lane::rem_euclid(cx, Varying::<$t, I>(a), Varying::<$t, I>(b)).0, $t::rem_euclid,
                );
                let case = Case { operation: concat!("div_euclid of ", stringify!($t)), ..case };
                check2::<$t, $t, $t, I>(
                    isa, case, pairs("div"),
                    #[inline(always)] |a, b| lane::div_euclid(cx, Varying::<$t, I>(a), Varying::<$t, I>(b)).0, $t::div_euclid,
                );
            )*};
        }
        each!(f32 f64);
        assert_eq!(fault.get(), None);
    }
    on_every_level!(level);
}

#[test]
fn euclid_by_zero_is_a_fault() {
    fn level<I: Level>(isa: I) {
        let zeros: Vec<i64> = (0..<I as Registers>::LANES as i64).map(|k| (k == 0) as i64 - 1).map(|x| x.min(0)).collect();
        let fault = FaultCell::default();
        let cx = Cx::new(isa, &fault);
        // SAFETY: a gang of elements.
        let b = Varying(isa.enter(
            #[inline(always)]
            || unsafe { i64::load(isa, zeros.as_ptr()) },
        ));
        let _ = lane::rem_euclid(cx, lane::splat(cx, 7_i64), b);
        assert_eq!(fault.get().map(|f| (f.kind, f.index)), Some((FaultKind::DivisionByZero, 0)), "{}", I::name());
    }
    on_every_level!(level);
}

#[test]
fn sin_cos() {
    fn level<I: Level>(isa: I) {
        let fault = FaultCell::default();
        let cx = Cx::new(isa, &fault);
        let case = Case { operation: "sin_cos", strict: false };
        let plain = |a: f32| call(|cx| (lane::sin(cx, lane::splat(cx, a)), lane::cos(cx, lane::splat(cx, a))));
        if I::FUSED {
            check1::<f32, f32, I>(
                isa,
                case,
                f32::many(),
                #[inline(always)]
                |a| lane::sin_cos(cx, Varying::<f32, I>(a)).0.0,
                |a| plain(a).0,
            );
            check1::<f32, f32, I>(
                isa,
                case,
                f32::many(),
                #[inline(always)]
                |a| lane::sin_cos(cx, Varying::<f32, I>(a)).1.0,
                |a| plain(a).1,
            );
        }
    }
    on_every_level!(level);
}
