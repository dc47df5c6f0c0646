//! Structs.

use super::compare;
use lanecraft::Kernel;
use lanecraft::prelude::*;

/// A point.
#[kernel]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point<T> {
    /// Right.
    pub x: T,
    y: T,
}

#[kernel]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Box2<T: Float> {
    low: Point<T>,
    high: Point<T>,
    tags: [u8; 2],
}

#[kernel]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Meters(f32, i32);

mod elsewhere {
    use lanecraft::prelude::*;

    #[kernel]
    #[derive(Clone, Copy, Debug, PartialEq, Default)]
    pub(crate) struct Rgb {
        pub(crate) r: f32,
        pub(crate) g: f32,
        pub(crate) b: f32,
    }

    #[always_inline]
    pub(crate) fn luma(c: Rgb) -> f32 {
        let Rgb { r, g, b } = c;
        0.25 * r + 0.5 * g + 0.125 * b
    }
}
use elsewhere::{Rgb, luma};

const ORIGIN: Point<f32> = Point { x: 1.0, y: -1.0 };

#[always_inline]
fn swap<T: Num>(p: Point<T>) -> Point<T> {
    Point { x: p.y, y: p.x }
}

#[always_inline]
fn area<T: Float>(b: Box2<T>) -> T {
    let Box2 { low: Point { x: x0, y: y0 }, high, .. } = b;
    (high.x - x0) * (high.y - y0)
}

#[kernel(dtypes(f32, f64))]
fn boxes<T: Float>(a: T, b: T) -> T {
    let mut p = Point { x: a, y: b };
    if a > b {
        p = swap(p);
        p.y += T::ONE;
    }
    let b = Box2 { low: p, high: Point { y: p.y + 2.0, ..p }, tags: [1, 2] };
    let b = Box2 { high: Point { x: b.high.x + 3.0, ..b.high }, ..b };
    area(b) + b.low.x + b.tags[1] as T
}

#[test]
fn nested_and_generic() {
    let a: Vec<f64> = (0..309).map(|i| (i * 7 % 23) as f64).collect();
    let b: Vec<f64> = (0..309).map(|i| (i * 5 % 17) as f64).collect();
    let want = |a: f64, b: f64| (if a > b { b } else { a }) + 6.0 + 2.0;
    compare(&boxes::INFO.variants[1], &[&a, &b], |i| want(a[i], b[i]));
    assert_eq!(boxes(3.0_f32, 1.0), 1.0 + 8.0);
    assert_eq!(swap(Point { x: 1, y: 2 }), Point { x: 2, y: 1 });
}

#[kernel]
fn tuple_struct(x: f32, k: i32) -> f32 {
    struct Local {
        v: f32,
        k: i32,
    }
    let l = Local { k, v: x };
    let m = if l.k > 2 { Meters(l.v, l.k) } else { Meters(0.5, 1) };
    let Meters(v, k) = m;
    let mut path = [m, Meters(1.0, 2)];
    path[l.k & 1].0 = v * 2.0;
    path[0].1 += k;
    let ((one,), Point { x: left, y: _ }) = ((path[0].0,), ORIGIN);
    one + path[1].0 * 10.0 + left * path[0].1 as f32
}

#[test]
fn tuple_structs_and_places() {
    let want = |x: f32, k: i32| {
        let (v, m) = if k > 2 { (x, k) } else { (0.5, 1) };
        let mut path = [(v, m), (1.0, 2)];
        path[(k & 1) as usize].0 = v * 2.0;
        path[0].1 += m;
        path[0].0 + path[1].0 * 10.0 + path[0].1 as f32
    };
    let (x, k): (Vec<f32>, Vec<i32>) = ((0..309).map(|i| i as f32 * 0.5).collect(), (0..309).map(|i| i % 6).collect());
    let mut out = vec![0.0; 309];
    tuple_struct::map(&x, &k, &mut out).unwrap();
    for i in 0..309 {
        assert_eq!(out[i], want(x[i], k[i]), "{i}");
        assert_eq!(tuple_struct(x[i], k[i]), want(x[i], k[i]), "{i}");
    }
}

#[kernel]
fn gray(x: f32, y: f32) -> f32 {
    let mut c = Rgb { r: x, g: y, b: 1.0 };
    let mut n = 0.0;
    while c.r < 4.0 {
        c = Rgb { r: c.r + 1.0, ..c };
        n += 1.0;
        if c.r > y {
            c.b = 8.0;
            break;
        }
    }
    match c {
        Rgb { r, g: 2.0, .. } if r > 3.0 => -r,
        Rgb { b: 8.0, r, .. } => r + n,
        other => luma(other),
    }
}

#[test]
fn matching_and_loops() {
    let want = |x: f32, y: f32| {
        let (mut r, mut b, mut n) = (x, 1.0, 0.0);
        while r < 4.0 {
            r += 1.0;
            n += 1.0;
            if r > y {
                b = 8.0;
                break;
            }
        }
        if y == 2.0 && r > 3.0 {
            -r
        } else if b == 8.0 {
            r + n
        } else {
            0.25 * r + 0.5 * y + 0.125 * b
        }
    };
    let x: Vec<f32> = (0..309).map(|i| (i % 11) as f32 - 3.0).collect();
    let y: Vec<f32> = (0..309).map(|i| (i % 7) as f32 * 0.5).collect();
    compare(&gray::INFO.variants[0], &[&x, &y], |i| want(x[i], y[i]));
    assert_eq!(luma(Rgb { r: 1.0, g: 1.0, b: 1.0 }), 0.875);
}

mod imported {
    use super::compare;
    use lanecraft::Kernel;
    use lanecraft::prelude::*;
    use lanecraft_test_helpers as other;
    use lanecraft_test_helpers::{Complex, Signal, WEIGHTS, limited, product};

    #[kernel(dtypes(i32, f32))]
    fn squares<T: Num>(re: T, im: T, limit: T) -> T {
        let z = Complex { re, im };
        let limit = if limit > T::ZERO { Some(limit) } else { None };
        let sum = limited(Signal([z, product(z, z), Complex::<T> { im: T::ONE, re: T::ONE }], limit));
        sum.re * 1000 + sum.im
    }

    #[kernel]
    fn weighted(k: i32) -> f32 {
        let w: [f32; 4] = WEIGHTS;
        w[k & 3] + WEIGHTS[(k >> 1) & 3]
    }

    #[test]
    fn from_another_crate_by_one_use() {
        let (re, im): (Vec<i32>, Vec<i32>) = ((0..309).map(|i| i % 13 - 5).collect(), (0..309).map(|i| i % 7 - 3).collect());
        let limit: Vec<i32> = (0..309).map(|i| i % 5 * 4 - 4).collect();
        let want = |re: i32, im: i32, limit: i32| {
            let (sum_re, sum_im) = (re + re * re - im * im + 1, im + 2 * re * im + 1);
            (if limit > 0 { sum_re.min(limit) } else { sum_re }) * 1000 + sum_im
        };
        compare(&squares::INFO.variants[0], &[&re, &im, &limit], |i| want(re[i], im[i], limit[i]));
        assert_eq!(product(Complex { re: 1, im: 2 }, Complex { re: 3, im: 4 }), Complex { re: -5, im: 10 });
        assert_eq!(limited(Signal([Complex { re: 2.0, im: 1.0 }; 2], Some(3.0))), Complex { re: 3.0, im: 2.0 });
        let k: Vec<i32> = (0..309).collect();
        compare(&weighted::INFO.variants[0], &[&k], |i| WEIGHTS[i & 3] + WEIGHTS[(i >> 1) & 3]);
        let mut out = [0.0; 3];
        other::mean_of_powers::map::<_, 3>(&[1.0, 2.0, -1.0], &mut out).unwrap();
        assert_eq!(out, [1.0, 14.0 / 3.0, -1.0 / 3.0]);
        assert_eq!(other::mean_of_powers::<f32, 2>(3.0), 6.0);
    }
}

mod hygiene {
    use super::compare;
    use lanecraft::Kernel;
    use lanecraft::prelude::*;

    /// Named as what generated code names.
    #[kernel]
    #[derive(Clone, Copy)]
    struct Varying<I, Enter> {
        cx: I,
        value: Enter,
        is_some: I,
    }

    #[kernel]
    #[derive(Clone, Copy)]
    struct Scalar {
        lanes: i32,
        r#type: i32,
        k: [i32; 2],
    }

    #[always_inline]
    fn lane(places: Scalar, n: i32) -> i32 {
        let Scalar { lanes, r#type: at, k: [a, b] } = places;
        lanes * 1000 + at * 100 + a * 10 + b + n
    }

    #[kernel]
    fn fields(value: i32, base: i32) -> i32 {
        let field0 = base + 1;
        let mut places = [value; 3];
        let k0 = 2;
        places[k0] = field0;
        places[(base & 1) as usize] += k0;
        let i0 = Varying { value: places, is_some: k0, cx: field0 };
        let held = Varying { cx: base, ..i0 };
        let s = Scalar { r#type: held.cx, lanes: held.value[0], k: [held.value[1], held.is_some] };
        lane(Scalar { k: [s.k[1], s.k[0]], ..s }, i0.cx)
    }

    #[test]
    fn names_of_generated_code() {
        let (value, base): (Vec<i32>, Vec<i32>) = ((0..309).collect(), (0..309).map(|i| i * 3 % 11).collect());
        let want = |value: i32, base: i32| {
            let mut p = [value, value];
            p[(base & 1) as usize] += 2;
            p[0] * 1000 + base * 100 + 20 + p[1] + base + 1
        };
        compare(&fields::INFO.variants[0], &[&value, &base], |i| want(value[i], base[i]));
    }
}
