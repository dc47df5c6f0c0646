//! `let`, shadowing, tuples, and names that generated code might use itself.

use crate::harness::agrees;
use lanecraft::prelude::*;

#[kernel]
fn bindings(x: f32, n: i32) -> (f32, i32) {
    let y = x;
    let x = y + 1.0;
    let x = x * x;
    let (a, _, mut b): (f32, f32, i32) = (x, y, n);
    b += 1;
    let _ = a / 0.0;
    let _unused = n;
    let ((c, d), e) = ((a, b), y);
    let f: f32 = {
        let a = c + e;
        a
    };
    let one = (f,);
    let (f,) = one;
    (f, d)
}

#[kernel]
fn mutable_operands(mut x: f32, mut n: u8) -> f32 {
    x += 1.0;
    n += 200;
    if n > 100 {
        x *= 2.0;
    }
    x
}

#[kernel]
fn swapped(a: i64, b: i64) -> (i64, i64) {
    let mut t = (a, b, (a, b));
    t.0 = t.1;
    t.1 = (t.2).0;
    t.2.1 += 1;
    if t.2.1 > t.0 {
        t.2 = (1, 2);
    }
    (t.0 - t.2.1, t.1)
}

/// Names of the macro's own, keywords of other languages, raw identifiers.
#[kernel]
fn own_names(cx: f32, x: f32, out: f32, a: f32, b: f32, c: f32, lanes: f32, value: f32) -> (f32, f32) {
    let left = cx + x;
    let right = out - a;
    let mut a0 = b * c;
    let mut I = lanes;
    let T = value;
    let (kernel, half, register, double, threadIdx, scope, n, self_, isa, at, step) = (left, right, a0, I, T, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    let r#type = kernel + half;
    if c > 0.0 && a > 0.0 || b > 0.0 {
        let c = register + double;
        a0 = c + threadIdx;
        I = if a > 0.0 { scope } else { n };
    } else {
        a0 = a0 + self_ + isa;
        I = at + step;
    }
    (a0 + r#type, I)
}

#[kernel(dtypes(I: [f32, i32], T: [f32]))]
fn own_types<I: Num, T: Float>(out: I, out0: T, out1: T) -> (I, T, T) {
    let cx = out * out;
    let K = out0 - out1;
    (cx, K, if K > 0.0 { out0 } else { out1 })
}

#[kernel]
fn r#match(r#in: f32, r#type: f32) -> f32 {
    let r#fn = r#in * r#type;
    r#fn
}

#[allow(non_upper_case_globals)]
mod lower_case_constants {
    use lanecraft::prelude::*;

    const a: f32 = 1.0;
    const b: f32 = 2.0;
    const c: f32 = 3.0;
    const cx: f32 = 4.0;
    const value: f32 = 5.0;
    const left: f32 = 6.0;
    const x: f32 = 7.0;
    const a0: f32 = 8.0;

    #[kernel]
    pub(super) fn beside_constants(y: f32) -> f32 {
        let mut m = y;
        if y > a && y < 100.0 || b > y {
            m = m + b;
        } else {
            m = if c > y { cx } else { value };
        }
        m + left + x + a0
    }
}

/// No prelude, and modules named like crates.
#[allow(non_camel_case_types)]
#[no_implicit_prelude]
mod bare {
    use ::lanecraft::Float;
    use ::lanecraft::kernel;

    #[allow(dead_code)]
    mod core {}
    #[allow(dead_code)]
    mod lanecraft {}
    #[allow(dead_code)]
    struct Result;
    #[allow(dead_code)]
    struct Varying;

    #[kernel(dtypes(f32))]
    pub(super) fn in_bare_module<T: Float>(x: T) -> T {
        if x > 1.0 && x < 2.0 { x } else { 0.5 }
    }
}

#[test]
fn variables() {
    agrees!(bindings(x: f32, n: i32) -> (f32, i32) {
        let z = (x + 1.0) * (x + 1.0);
        (z + x, n.wrapping_add(1))
    });
    agrees!(mutable_operands(x: f32, n: u8) -> f32 { if n.wrapping_add(200) > 100 { (x + 1.0) * 2.0 } else { x + 1.0 } });
    agrees!(swapped(a: i64, b: i64) -> (i64, i64) {
        let d = b.wrapping_add(1);
        (b.wrapping_sub(if d > b { 2 } else { d }), a)
    });
}

#[test]
fn names() {
    use bare::in_bare_module;
    use lower_case_constants::beside_constants;
    agrees!(own_names(cx: f32, x: f32, out: f32, a: f32, b: f32, c: f32, lanes: f32, value: f32) -> (f32, f32) {
        let (left, right, product) = (cx + x, out - a, b * c);
        let sum = left + right;
        if c > 0.0 && a > 0.0 || b > 0.0 {
            (product + lanes + value + sum, if a > 0.0 { 1.0 } else { 2.0 })
        } else {
            (product + 3.0 + 4.0 + sum, 11.0)
        }
    });
    agrees!(own_types(out: f32, p: f32, q: f32) -> (f32, f32, f32) { (out * out, p - q, if p - q > 0.0 { p } else { q }) });
    agrees!(own_types(out: i32, p: f32, q: f32) -> (i32, f32, f32) { (out.wrapping_mul(out), p - q, if p - q > 0.0 { p } else { q }) });
    agrees!(r#match(x: f32, y: f32) -> f32 { x * y });
    agrees!(beside_constants(y: f32) -> f32 {
        (if y > 1.0 && y < 100.0 || y < 2.0 { y + 2.0 } else if y < 3.0 { 4.0 } else { 5.0 }) + 6.0 + 7.0 + 8.0
    });
    agrees!(in_bare_module(x: f32) -> f32 { if x > 1.0 && x < 2.0 { x } else { 0.5 } });

    // The names in sight where a kernel is called over arrays.
    let mut out = [0.0; 2];
    own_names::map(&[1.0, 2.0], 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, &mut out, &mut [0.0; 2]).unwrap();
    assert_eq!(out, [own_names(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0).0, own_names(2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0).0]);
}

#[test]
fn inside_a_function() {
    const SCALE: f32 = 3.0;

    #[always_inline]
    fn local(x: f32) -> f32 {
        x * SCALE
    }

    #[kernel]
    fn inner(x: f32) -> f32 {
        local(x) + 1.0
    }

    agrees!(inner(x: f32) -> f32 { x * 3.0 + 1.0 });
}
