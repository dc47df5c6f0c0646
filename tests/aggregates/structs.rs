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
