//! `if` and `else`: both sides per lane.

use crate::harness::agrees;
use lanecraft::prelude::*;

#[kernel(dtypes(all))]
fn constant_sides<T: Dtype>(a: T, b: T) -> (u8, f32) {
    let value = if a != b { 30u8 } else { 50u8 };
    let mut statement = 1.5;
    if a == b {
        statement = 2.5;
    }
    (value, statement)
}

#[kernel]
fn chain(x: i32) -> i32 {
    if x < -5 {
        1
    } else if x < 0 {
        x * 2
    } else if x == 0 {
        3
    } else if x < 100 {
        if x % 2 == 0 { x / 2 } else { 3 * x + 1 }
    } else {
        -x
    }
}

#[kernel]
fn assigns(x: f32, y: f32) -> (f32, f32, i32) {
    let mut a = x;
    let mut b = y;
    let mut steps = 0;
    if a > b {
        // Both are written from both, one after the other.
        a = a - b;
        b = b + a;
        steps += 1;
        if a > 2.0 {
            b = a;
            steps += 10;
        } else {
            a *= 0.5;
        }
    } else {
        if b > 3.0 {
            b -= 3.0;
        }
        steps -= 1;
    }
    (a, b, steps)
}

#[kernel]
fn shadows(x: f32) -> (f32, f32) {
    let mut y = x;
    let mut z = 0.0;
    if x > 0.0 {
        y = y + 1.0;
        let y = y * 100.0;
        z = y;
        let z = y;
        if z > 300.0 {
            let y = 7.0;
            let _ = y;
        }
    } else {
        let x = 5.0;
        let mut z = x;
        z += 1.0;
        y = z;
    }
    (y, z)
}

#[kernel]
fn conditions(x: i32, y: i32) -> i32 {
    let mut n = x;
    // Conditions and values are blocks, with effects.
    let z = if {
        n += 1;
        n > y
    } {
        let m = n;
        n = y;
        m
    } else {
        n - y
    };
    let w = if if x > 0 { y > 0 } else { y < 0 } { 1 } else { 2 };
    z ^ n ^ w
}

#[kernel]
fn tuples(x: f32, c: bool) -> (f32, f32, bool) {
    let (a, (b, d)) = if c { (x, (x + 1.0, c)) } else { (1.0, (2.0, x > 0.0)) };
    let mut t = (a, (b, d));
    if d {
        t.0 = b;
        (t.1).1 = a > b;
    } else {
        t = (b, (a, c));
    }
    (t.0, t.1.0, t.1.1)
}

#[kernel]
fn units(x: f32) -> f32 {
    let mut y = x;
    let nothing = if x > 0.0 { y = 1.0 } else { y = 2.0 };
    let () = if x > 1.0 {};
    nothing;
    if x > 2.0 {
        y
    } else {
        x
    };
    {
        y += 1.0
    }
    {
        y += 1.0;
    };
    {}
    ();
    y
}

#[kernel]
fn hidden_faults(a: i32, b: i32) -> i32 {
    let q = if b != 0 { a / b } else { 0 };
    let r = if b == 0 {
        -1
    } else {
        let r = if a > 0 { a % b } else { a / b };
        r
    };
    q + r
}

#[test]
fn branches() {
    macro_rules! all {
        ($($t:ty)*) => {$(
            agrees!(constant_sides(a: $t, b: $t) -> (u8, f32) { (if a != b { 30 } else { 50 }, if a == b { 2.5 } else { 1.5 }) });
        )*};
    }
    all!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
    agrees!(chain(x: i32) -> i32 {
        match x {
            ..-5 => 1,
            ..0 => x.wrapping_mul(2),
            0 => 3,
            1..100 => if x & 1 == 0 { x >> 1 } else { x.wrapping_mul(3).wrapping_add(1) },
            _ => x.wrapping_neg(),
        }
    });
    agrees!(assigns(x: f32, y: f32) -> (f32, f32, i32) {
        if x > y {
            let a = x - y;
            let b = y + a;
            if a > 2.0 { (a, a, 11) } else { (a * 0.5, b, 1) }
        } else {
            (x, if y > 3.0 { y - 3.0 } else { y }, -1)
        }
    });
    agrees!(shadows(x: f32) -> (f32, f32) { if x > 0.0 { (x + 1.0, (x + 1.0) * 100.0) } else { (6.0, 0.0) } });
    agrees!(conditions(x: i32, y: i32) -> i32 {
        let n = x.wrapping_add(1);
        let (z, n) = if n > y { (n, y) } else { (n.wrapping_sub(y), n) };
        let w = if (x > 0 && y > 0) || (x <= 0 && y < 0) { 1 } else { 2 };
        z ^ n ^ w
    });
    agrees!(tuples(x: f32, c: bool) -> (f32, f32, bool) {
        let (a, b, d) = if c { (x, x + 1.0, true) } else { (1.0, 2.0, x > 0.0) };
        if d { (b, b, a > b) } else { (b, a, c) }
    });
    agrees!(units(x: f32) -> f32 { (if x > 0.0 { 1.0f32 } else { 2.0 }) + 1.0 + 1.0 });
    agrees!(hidden_faults(a: i32, b: i32) -> i32 {
        if b == 0 {
            -1
        } else {
            let q = a.wrapping_div(b);
            q.wrapping_add(if a > 0 { a.wrapping_rem(b) } else { q })
        }
    });
}
