//! f16 and bf16: every value loaded, every kind of rounding stored, against the `half` crate and exact arithmetic; and
//! computation in f32.

use crate::level::{Level, on_every_level};
use crate::oracle::{Case, check1, check2, check3, cross};
use crate::values::{Random, Value};
use half::{bf16, f16};
use lanecraft_core::cx::FaultCell;
use lanecraft_core::isa::Varying;
use lanecraft_core::isa::half::HalfLanes;
use lanecraft_core::{Cx, Dtype, Float, lane};

/// What the tests know of a 16-bit float.
trait Half: Value + Dtype<Scalar = f32> + HalfLanes + Float<Bits = u16> {
    fn of_bits(bits: u16) -> Self;
    /// By software of the `half` crate.
    fn of_f32_by_half(x: f32) -> Self;
    fn to_f32_by_half(self) -> f32;
}
impl Half for f16 {
    fn of_bits(bits: u16) -> Self {
        Self::from_bits(bits)
    }
    fn of_f32_by_half(x: f32) -> Self {
        Self::from_f32_const(x)
    }
    fn to_f32_by_half(self) -> f32 {
        self.to_f32_const()
    }
}
impl Half for bf16 {
    fn of_bits(bits: u16) -> Self {
        Self::from_bits(bits)
    }
    fn of_f32_by_half(x: f32) -> Self {
        Self::from_f32_const(x)
    }
    fn to_f32_by_half(self) -> f32 {
        // `half` makes a NaN quiet here; we do when it is stored.
        f32::from_bits((self.to_bits() as u32) << 16)
    }
}

fn every<T: Half>() -> Vec<T> {
    (0..=u16::MAX).map(T::of_bits).collect()
}

/// Every value, every point halfway between neighbours and its neighbours in f32, and patterns spread over all of f32.
fn to_round<T: Half>() -> Vec<f32> {
    let mut v: Vec<f32> = Vec::new();
    for x in every::<T>().into_iter().map(T::to_f32_by_half) {
        v.push(x);
        // The last place of 16 bits is worth 2^13 or 2^16 of f32's; halfway is half of that.
        let bits = x.to_bits();
        for half in [1 << 12, 1 << 15] {
            v.extend([half - 1, half, half + 1].map(|d| f32::from_bits(bits.wrapping_add(d))));
        }
    }
    // Halfway between f16's subnormal numbers, and a hair beside.
    for k in 0..1100u32 {
        let x = (k as f32 + 0.5) * 2f32.powi(-24);
        v.extend([x, x.next_up(), x.next_down(), -x, -x.next_up(), -x.next_down()]);
    }
    v.extend((0..=u32::MAX).step_by(9973).map(f32::from_bits));
    v.extend([65504.0, 65519.996, 65520.0, 65536.0, f32::MAX, -f32::MAX, f32::from_bits(0x7f7f_7fff), f32::from_bits(0x7f7f_8000)]);
    v
}

macro_rules! both {
    ($($test:ident)*) => {$(
        #[test]
        fn $test() {
            fn level<I: Level>(isa: I) {
                of::$test::<f16, I>(isa);
                of::$test::<bf16, I>(isa);
            }
            on_every_level!(level);
        }
    )*};
}
both!(loads stores casts_round_once computes_in_f32 functions);

mod of {
    use super::*;

    pub fn loads<T: Half, I: Level>(isa: I) {
        let case = Case { operation: "load", strict: true };
        check1::<T, f32, I>(
            isa,
            case,
            every(),
            #[inline(always)]
            |a| T::to_f32(isa, a),
            T::to_f32_by_half,
        );
        let case = Case { operation: "from_bits", strict: true };
        let bits = (0..=u16::MAX).collect();
        check1::<u16, f32, I>(
            isa,
            case,
            bits,
            #[inline(always)]
            |a| T::to_f32(isa, T::widen_lanes(isa, a)),
            |a| T::of_bits(a).to_f32_by_half(),
        );
        for x in every::<T>() {
            assert_eq!(<f32 as Value>::pattern(x.widen()), x.to_f32_by_half().pattern());
        }
    }

    pub fn stores<T: Half, I: Level>(isa: I) {
        let case = Case { operation: "store", strict: true };
        check1::<f32, T, I>(
            isa,
            case,
            to_round::<T>(),
            #[inline(always)]
            |a| T::of_f32(isa, a),
            T::of_f32_by_half,
        );
        let case = Case { operation: "to_bits", strict: true };
        check1::<f32, u16, I>(
            isa,
            case,
            to_round::<T>(),
            #[inline(always)]
            |a| T::narrow_lanes(isa, T::of_f32(isa, a)),
            |x| T::of_f32_by_half(x).pattern() as u16,
        );
        for x in to_round::<T>() {
            assert_eq!(T::narrow(x).pattern(), T::of_f32_by_half(x).pattern(), "{x:e}");
        }
    }

    /// An exact value: an integer, or an f64.
    pub enum Exact {
        Int(i128),
        Float(f64),
    }

    impl Exact {
        /// How it compares with a value of at most 20 significant bits.
        fn cmp(&self, m: f64) -> Option<core::cmp::Ordering> {
            match *self {
                Self::Float(x) => x.partial_cmp(&m),
                // Above the range of the integers; a fraction has its floor below.
                Self::Int(_) if m.abs() > 1e30 => 0.0.partial_cmp(&m),
                Self::Int(x) => Some(x.cmp(&(m.floor() as i128)).then(if m.floor() < m {
                    core::cmp::Ordering::Less
                } else {
                    core::cmp::Ordering::Equal
                })),
            }
        }
    }

    /// The nearest value, ties to even: by bisection over all of them.
    fn nearest<T: Half>(x: &Exact, negative: bool) -> T {
        let infinity = T::INFINITY.pattern() as u16;
        let value = |bits: u16| {
            // Where the next value would be, if the exponent went on.
            let of = |b: u16| T::of_bits(b).to_f32_by_half() as f64;
            let v = if bits == infinity { 2.0 * of(infinity - 1) - of(infinity - 2) } else { of(bits) };
            if negative { -v } else { v }
        };
        let magnitude = |m: f64| x.cmp(m).map(|o| if negative { o.reverse() } else { o });
        // The largest value not above.
        let (mut low, mut high) = (0u16, infinity);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if magnitude(value(middle)).is_some_and(|o| o.is_ge()) { low = middle } else { high = middle }
        }
        let halfway = (value(low) + value(high)) / 2.0;
        let up = match magnitude(halfway).expect("no NaN") {
            core::cmp::Ordering::Less => false,
            core::cmp::Ordering::Greater => true,
            core::cmp::Ordering::Equal => low % 2 == 1,
        };
        T::of_bits(if up { high } else { low } | if negative { 0x8000 } else { 0 })
    }

    pub fn casts_round_once<T: Half, I: Level>(isa: I) {
        fn cast<A: Value, T: Half, I: Level>(isa: I, more: Vec<A>, exact: impl Fn(A) -> Option<(Exact, bool)>) {
            let fault = FaultCell::default();
            let cx = Cx::new(isa, &fault);
            let case = Case { operation: "cast to 16 bits", strict: false };
            let mut inputs = A::values();
            let mut r = Random(17);
            inputs.extend((0..3000).map(|_| A::random(&mut r)));
            inputs.extend(more);
            check1::<A, T, I>(
                isa,
                case,
                inputs,
                #[inline(always)]
                |a| lane::cast::<A, T, I>(cx, Varying(a)).0,
                |a| exact(a).map_or(T::NAN, |(x, negative)| nearest::<T>(&x, negative)),
            );
        }
        macro_rules! int {
            ($($a:ident)*) => {$(
                // Halfway between values of 8 and of 11 bits, and as little beside as the type has.
                let mut more: Vec<$a> = Vec::new();
                for k in (0..$a::BITS).filter(|k| *k >= 12) {
                    for digits in [8, 11] {
                        for odd in [0, 1] {
                            let p = ((1 as $a) << k).wrapping_add((2 * odd + 1) << (k - digits));
                            more.extend([p, p.wrapping_add(1), p.wrapping_sub(1), p.wrapping_neg(), p.wrapping_neg().wrapping_add(1)]);
                        }
                    }
                }
                cast::<$a, T, I>(isa, more, |a| Some((Exact::Int(a as i128), (a as i128) < 0)));
            )*};
        }
        int!(i8 i16 i32 i64 u8 u16 u32 u64);
        let beside = |x: f32| {
            let x = x as f64;
            [x, x.next_up(), x.next_down()]
        };
        let wide: Vec<f64> = to_round::<T>().into_iter().step_by(7).flat_map(beside).collect();
        let float = |x: f64| (!x.is_nan()).then_some((Exact::Float(x), x.is_sign_negative()));
        cast::<f64, T, I>(isa, wide, float);
        cast::<f32, T, I>(isa, Vec::new(), |x| float(x as f64));
        cast::<f16, T, I>(isa, Vec::new(), |x| float(x.to_f64()));
        cast::<bf16, T, I>(isa, Vec::new(), |x| float(x.to_f64()));
    }

    /// Products and sums that 16 bits do not hold go on unrounded; what is stored is rounded once.
    pub fn computes_in_f32<T: Half, I: Level>(isa: I) {
        let fault = FaultCell::default();
        let cx = Cx::new(isa, &fault);
        let case = Case { operation: "a * b + c - a", strict: false };
        check3::<T, T, T, T, I>(
            isa,
            case,
            cross(&cross(&T::few(), &T::few()), &T::few()),
            #[inline(always)]
            |a, b, c| {
                let (a, b, c) = (Varying::<T, I>(a), Varying(b), Varying(c));
                lane::sub(cx, lane::add(cx, lane::mul(cx, a, b), c), a).0
            },
            |a, b, c| {
                let [a, b, c] = [a, b, c].map(T::to_f32_by_half);
                T::of_f32_by_half(a * b + c - a)
            },
        );
        let case = Case { operation: "1 + eps / 4 as f32", strict: true };
        let few = 1.0 + T::EPSILON.to_f32_by_half() / 4.0;
        check1::<f32, f32, I>(
            isa,
            case,
            vec![few],
            #[inline(always)]
            |a| lane::cast::<T, f32, I>(cx, Varying(T::of_f32(isa, a))).0,
            |a| a,
        );
        let case = Case { operation: "a cast to its own type", strict: false };
        check1::<f32, f32, I>(
            isa,
            case,
            f32::many(),
            #[inline(always)]
            |a| lane::cast::<T, f32, I>(cx, lane::cast::<f32, T, I>(cx, Varying(a))).0,
            |a| T::of_f32_by_half(a).to_f32_by_half(),
        );
        // A literal is not rounded.
        check1::<f32, f32, I>(
            isa,
            case,
            vec![0.0],
            #[inline(always)]
            |_| lane::cast::<T, f32, I>(cx, lane::float_literal(cx, 0.1, 0.1)).0,
            |_| 0.1,
        );
    }

    pub fn functions<T: Half, I: Level>(isa: I) {
        let fault = FaultCell::default();
        let cx = Cx::new(isa, &fault);
        macro_rules! two {
            ($($f:ident = |$a:ident, $b:ident| $e:expr;)*) => {$(
                check2::<T, T, T, I>(
                    isa,
                    Case { operation: stringify!($f), strict: false },
                    cross(&T::values(), &T::values()),
                    #[inline(always)]
                    |a, b| lane::$f(cx, Varying::<T, I>(a), Varying(b)).0,
                    |a, b| {
                        let ($a, $b) = (a.to_f32_by_half(), b.to_f32_by_half());
                        T::of_f32_by_half($e)
                    },
                );
            )*};
        }
        two! {
            add = |a, b| a + b;
            div = |a, b| a / b;
            rem = |a, b| a % b;
            min = |a, b| if a < b || b.is_nan() { a } else { b };
            copysign = |a, b| a.copysign(b);
        }
        macro_rules! one {
            ($($f:ident = |$a:ident| $e:expr;)*) => {$(
                check1::<T, T, I>(
                    isa,
                    Case { operation: stringify!($f), strict: false },
                    every(),
                    #[inline(always)]
                    |a| lane::$f(cx, Varying::<T, I>(a)).0,
                    |a| {
                        let $a = a.to_f32_by_half();
                        T::of_f32_by_half($e)
                    },
                );
            )*};
        }
        one! {
            neg = |a| -a;
            abs = |a| a.abs();
            sqrt = |a| a.sqrt();
            floor = |a| a.floor();
            round = |a| a.round();
        }
        let case = Case { operation: "less", strict: true };
        check2::<T, T, bool, I>(
            isa,
            case,
            cross(&T::values(), &T::values()),
            #[inline(always)]
            |a, b| lane::lt(cx, Varying::<T, I>(a), Varying(b)).0,
            |a, b| a.to_f32_by_half() < b.to_f32_by_half(),
        );
        let case = Case { operation: "as i32", strict: true };
        check1::<T, i32, I>(
            isa,
            case,
            every(),
            #[inline(always)]
            |a| lane::cast::<T, i32, I>(cx, Varying(a)).0,
            |a| a.to_f32_by_half() as i32,
        );
    }
}
