//! Helpers: of the same module, of others, of other crates; generic and concrete; calling each other.

use crate::harness::agrees;
use lanecraft::prelude::*;
use lanecraft_test_helpers::{self as far, leaky, shapes::smooth};

mod near {
    use lanecraft::prelude::*;

    #[always_inline]
    pub(crate) fn half<T: Float>(x: T) -> T {
        x * 0.5
    }

    pub(super) mod deep {
        use super::half;
        use lanecraft::prelude::*;

        #[always_inline]
        pub fn quarter<T: Float>(x: T) -> T {
            half(half::<T>(x))
        }
    }

    pub mod globbed {
        use lanecraft::prelude::*;

        #[always_inline]
        pub fn third(n: i32) -> i32 {
            n / 3
        }
    }
}
use near::globbed::*;

#[always_inline]
fn same_module(x: f32, n: i32) -> (f32, i32) {
    let mut m = n;
    if x > 1.0 {
        m += 1;
    }
    (x + 1.0, m)
}

#[always_inline]
fn of_tuple(t: (f32, i32), c: bool) -> f32 {
    let (x, n) = t;
    if c { x } else { n as f32 }
}

#[always_inline]
fn no_arguments() -> f32 {
    2.5
}

#[always_inline]
fn no_arguments_generic<T: Float>() -> T {
    T::PI
}

#[always_inline]
fn no_result(_x: f32) {}

#[always_inline]
fn two<A: Num, B: Num>(a: A, b: B) -> B {
    a as B + b
}

#[always_inline]
fn where_bound<T>(x: T) -> T
where
    T: Signed + Num,
{
    -x
}

#[always_inline]
fn divides(a: i32, b: i32) -> i32 {
    a / b
}

#[kernel]
fn near_by(x: f32, n: i32) -> (f32, i32) {
    no_result(x);
    let (y, m) = same_module(x, n);
    let c = if y > 2.0 { of_tuple((y, m), x < 3.0) } else { of_tuple(same_module(y, m), n > 0) };
    (c + no_arguments() + no_arguments_generic::<f32>(), third(m) + self::third(n))
}

#[kernel(dtypes(float))]
fn elsewhere<T: Float>(x: T) -> (T, T, T) {
    let a = near::half(x) + near::deep::quarter(x);
    let b = smooth(x) + far::square::<T>(x) + far::shapes::smooth::<T>(0.5 * x);
    let (lo, hi) = lanecraft_test_helpers::ordered(a, leaky(x, 0.25));
    (a, b, hi - lo)
}

#[kernel]
fn concrete(x: f32, y: f32) -> (f32, f32, i64, f64) {
    let w = far::norm(x, y) * far::WEIGHT;
    (w, -where_bound(x), two(3u8, 4i64), two(x, 2.0))
}

#[kernel]
fn masked(a: i32, b: i32) -> i32 {
    if b != 0 { divides(a, b) } else { 7 }
}

#[kernel]
fn functions(x: f32, y: f32) -> (f32, f32, f32, f32) {
    (abs(x) + sqrt(y), f32::max(x, y), lanecraft::prelude::floor(x), f32::from_bits(x.to_bits() & 0x7fff_ffff))
}

#[test]
fn helpers() {
    agrees!(near_by(x: f32, n: i32) -> (f32, i32) {
        let step = |x: f32, n: i32| (x + 1.0, if x > 1.0 { n.wrapping_add(1) } else { n });
        let pick = |(x, n): (f32, i32), c: bool| if c { x } else { n as f32 };
        let (y, m) = step(x, n);
        let c = if y > 2.0 { pick((y, m), x < 3.0) } else { pick(step(y, m), n > 0) };
        (c + 2.5 + core::f32::consts::PI, (m / 3).wrapping_add(n / 3))
    });
    macro_rules! floats {
        ($($t:ty)*) => {$(
            agrees!(elsewhere(x: $t) -> ($t, $t, $t) {
                let smooth = |x: $t| {
                    let x = if x.is_nan() || x < 0.0 { 0.0 } else { x };
                    let x = if x > 1.0 { 1.0 } else { x };
                    x * x * (3.0 - (x + x))
                };
                let a = x * 0.5 + x * 0.5 * 0.5;
                let leaky = if x > 0.0 { x } else { 0.25 * x };
                let (lo, hi) = if a < leaky { (a, leaky) } else { (leaky, a) };
                (a, smooth(x) + x * x + smooth(0.5 * x), hi - lo)
            });
        )*};
    }
    floats!(f32 f64);
    agrees!(concrete(x: f32, y: f32) -> (f32, f32, i64, f64) { ((x * x + y * y).sqrt() * 0.25 * 0.25, x, 7, x as f64 + 2.0) });
    agrees!(masked(a: i32, b: i32) -> i32 { if b == 0 { 7 } else { a.wrapping_div(b) } });
    agrees!(functions(x: f32, y: f32) -> (f32, f32, f32, f32) {
        let max = if x.is_nan() || !y.is_nan() && y >= x { y } else { x };
        (x.abs() + y.sqrt(), max, x.floor(), f32::from_bits(x.to_bits() & 0x7fff_ffff))
    });
}
