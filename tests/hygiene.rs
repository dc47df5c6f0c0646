//! Names that generated code might use for itself, and words of C and C++: as operands, variables, helpers, kernels, parameters
//! and types they are the user's, and the results are right on every level.

#[allow(unused, clippy::excessive_precision, reason = "shared with tests/language")]
#[path = "language/harness.rs"]
mod harness;

use harness::agrees;
use lanecraft::prelude::*;

/// What lane code calls its own: the context, masks, results.
#[kernel]
fn operands_like_internals(cx: i32, lanes: i32, live0: i32, returned: i32, result: i32, next0: i32) -> (i32, i32) {
    let mut out0 = cx;
    for on in 0..4 {
        if on > live0 {
            break;
        }
        if lanes == on {
            continue;
        }
        out0 += returned;
        if out0 > 100 {
            return (result, out0);
        }
    }
    (out0, next0)
}

#[test]
fn operands_may_be_named_like_internals() {
    agrees!(operands_like_internals(a: i32, b: i32, c: i32, d: i32, e: i32, f: i32) -> (i32, i32) {
        let mut sum = a;
        for k in 0..4 {
            if k > c {
                break;
            }
            if b == k {
                continue;
            }
            sum = sum.wrapping_add(d);
            if sum > 100 {
                return (e, sum);
            }
        }
        (sum, f)
    });
}

/// More of them, as variables; each hides an operand of the name of another.
#[kernel]
fn variables_like_internals(a: f32, b: f32, c: f32) -> f32 {
    let left = if a > b { a } else { b };
    let right = if left < c && a < b || c > 0.0 { c } else { left };
    let (cx, a) = (right, left);
    let isa = loop {
        let last = cx - a;
        if last < 1.0 {
            break last;
        }
        break 1.0;
    };
    let matched = match isa < 0.5 {
        true => 2.0,
        false => 3.0,
    };
    let mut value = matched * a;
    let mut next = 0;
    while next < 3 {
        next += 1;
        value += cx;
    }
    value
}

#[test]
fn variables_may_be_named_like_internals() {
    agrees!(variables_like_internals(a: f32, b: f32, c: f32) -> f32 {
        let left = if a > b { a } else { b };
        let right = if left < c && a < b || c > 0.0 { c } else { left };
        let last = right - left;
        let isa = if last < 1.0 { last } else { 1.0 };
        (if isa < 0.5 { 2.0 } else { 3.0 }) * left + right + right + right
    });
}

/// Words of C, C++ and CUDA, and names of tools' own macros.
#[allow(non_snake_case, reason = "they are CUDA's and C's own")]
#[kernel]
fn words_of_c(int: i32, double: i32, class: i32, template: i32, register: i32, float: i32) -> (i32, i32) {
    let auto = int - double;
    let (short, long) = (class ^ template, register | float);
    let mut unsigned = auto;
    let switch = |volatile: i32| volatile - short;
    for threadIdx in 0..3 {
        unsigned += threadIdx * long;
    }
    let (namespace, operator, this, new, delete, goto, or, and, not, xor) = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    let NULL = namespace + operator + this + new + delete + goto + or + and + not + xor;
    (unsigned + NULL, switch(auto))
}

#[test]
fn words_of_c_are_names() {
    agrees!(words_of_c(a: i32, b: i32, c: i32, d: i32, e: i32, f: i32) -> (i32, i32) {
        let sum = a.wrapping_sub(b);
        (sum.wrapping_add((e | f).wrapping_mul(3)).wrapping_add(55), sum.wrapping_sub(c ^ d))
    });
}

/// The names of cubecl#293 and its kin.
#[kernel]
fn reported_names(kernel: f32, scope: f32, out: f32, n: f32, self_: f32, half: f32) -> (f32, f32) {
    (kernel + scope * out, n - self_ / half)
}

#[test]
fn reported_names_are_names() -> Result<(), lanecraft::Error> {
    agrees!(reported_names(a: f32, b: f32, c: f32, d: f32, e: f32, f: f32) -> (f32, f32) { (a + b * c, d - e / f) });
    let (mut first, mut second) = ([0.0], [0.0]);
    reported_names::map(1.0, 2.0, 3.0, 4.0, 5.0, 2.5, &mut first, &mut second)?;
    assert_eq!((first, second), ([7.0], [2.0]));
    Ok(())
}

/// Raw identifiers, of operands, variables, fields of loops, and of the kernel and the helper themselves.
#[always_inline]
fn r#match(r#type: u8, r#fn: u8) -> u8 {
    let r#let = r#type ^ r#fn;
    r#let + 1
}
#[kernel]
fn r#try(r#in: u8, r#virtual: u8, #[parameter(1, 2, ..)] r#yield: u8) -> u8 {
    let mut r#loop = r#in;
    'r#for: for r#mut in 0..r#yield {
        if r#loop == r#mut {
            break 'r#for;
        }
        r#loop = r#match(r#loop, r#virtual);
    }
    r#loop
}

#[test]
fn raw_identifiers_are_names() -> Result<(), lanecraft::Error> {
    for n in [1, 2, 3] {
        let x: Vec<u8> = (0..=255).collect();
        let mut y = x.clone();
        r#try::map(&x, 77, n, &mut y)?;
        for (x, y) in x.iter().zip(&y) {
            let mut right = *x;
            for k in 0..n {
                if right == k {
                    break;
                }
                right = (right ^ 77).wrapping_add(1);
            }
            assert_eq!((*y, r#try(*x, 77, n)), (right, right), "{x} {n}");
        }
    }
    Ok(())
}

/// Kernels and helpers named like what stands in generated code.
#[allow(unused_qualifications, reason = "`map` alone is an operand there")]
mod functions {
    use super::*;

    #[always_inline]
    pub fn select(splat: i32, assign: i32) -> i32 {
        splat - assign
    }
    #[always_inline]
    pub fn plain<T: Num>(lanes: T) -> T {
        lanes + lanes
    }
    #[kernel]
    pub fn lanes(x: i32, y: i32) -> i32 {
        plain(select(x, y))
    }
    #[kernel]
    pub fn map(gang: i32) -> i32 {
        lanes(gang, 1)
    }
    #[kernel]
    pub fn kernel(map: i32) -> i32 {
        super::functions::map(map) + 1
    }
}

#[test]
fn functions_may_be_named_like_internals() -> Result<(), lanecraft::Error> {
    use functions::{kernel, lanes, map};
    agrees!(lanes(a: i32, b: i32) -> i32 { a.wrapping_sub(b).wrapping_mul(2) });
    agrees!(map(a: i32) -> i32 { a.wrapping_sub(1).wrapping_mul(2) });
    agrees!(kernel(a: i32) -> i32 { a.wrapping_sub(1).wrapping_mul(2).wrapping_add(1) });
    let mut out = [0; 3];
    map::map(&[5, 6, 7], &mut out)?;
    assert_eq!(out, [8, 10, 12]);
    Ok(())
}

/// Type parameters named like the level, the lanes, their traits.
mod types {
    use super::*;

    #[always_inline]
    pub fn helper<Isa: Float, Varying: Float>(x: Isa, y: Varying) -> Isa {
        x - y as Isa
    }
    #[kernel(dtypes(I: [f32], S: [f64]))]
    pub fn generic<I: Float, S: Float>(x: I, y: S) -> I {
        helper(x, y) * I::ONE
    }
}

#[test]
fn type_parameters_may_be_named_like_internals() {
    use types::generic;
    agrees!(generic(a: f32, b: f64) -> f32 { a - b as f32 });
}

/// Parameters of these names, with a run-time variant.
#[kernel]
fn parameters_like_internals(x: i32, #[parameter(2, ..)] out: i32, #[parameter(true, false)] cx: bool, #[parameter(0, ..)] n: i32) -> i32 {
    let mut live = n;
    for _ in 0..out {
        live += x;
    }
    if cx { -live } else { live }
}

#[test]
fn parameters_may_be_named_like_internals() -> Result<(), lanecraft::Error> {
    for (count, negate, start) in [(2, true, 0), (2, false, 5), (3, true, 5), (0, false, 0)] {
        let mut y = [0; 20];
        parameters_like_internals::map(&[7; 20], count, negate, start, &mut y)?;
        let sum = start + 7 * count;
        assert_eq!(y, [if negate { -sum } else { sum }; 20]);
    }
    Ok(())
}

/// Where nothing is in scope but what the kernel's file imports, and std's names mean something else.
mod without_prelude {
    #![no_implicit_prelude]
    #![allow(dead_code, reason = "they are here to be in the way")]

    use ::lanecraft::prelude::*;

    pub mod core {}
    pub mod std {}
    pub mod lanecraft {}
    pub struct Option;
    pub struct Result;
    pub struct Vec;
    pub struct String;
    pub fn drop() {}

    #[always_inline]
    fn helper(x: f32) -> f32 {
        if x < 0.0 { -x } else { x.sqrt() }
    }
    #[kernel(dtypes(f32, f64))]
    pub fn bare<T: Float>(x: T, #[parameter(1, ..)] n: i32, #[parameter(true, false)] b: bool) -> (T, bool) {
        let mut y = x;
        'outer: for i in 0..n {
            loop {
                if y > 1.0 {
                    continue 'outer;
                }
                y += 1.0 + helper(i as f32) as T;
                break;
            }
        }
        match b {
            true => (y, x.is_nan()),
            false => return (x, false),
        }
    }
}

#[test]
fn nothing_of_std_has_to_be_in_scope() -> Result<(), lanecraft::Error> {
    let (mut y, mut nan) = ([0.0; 4], [false; 4]);
    without_prelude::bare::map(&[-3.0, 0.5, 7.0, f64::NAN], 2, true, &mut y, &mut nan)?;
    assert_eq!((&y[..3], nan), (&[0.0, 1.5, 7.0][..], [false, false, false, true]));
    assert!(y[3].is_nan());
    Ok(())
}

/// A kernel from a macro: what the macro declares is not what its user names.
macro_rules! from_macro {
    ($name:ident, $x:ident, $e:expr) => {
        #[kernel]
        fn $name($x: i32, hidden: i32) -> i32 {
            let cx = hidden;
            let x = $e;
            x * 10 + cx
        }
    };
}
from_macro!(twice, x, x + x);
from_macro!(context, cx, cx - 1);

#[test]
fn kernels_from_macros_keep_names_apart() {
    agrees!(twice(x: i32, h: i32) -> i32 { x.wrapping_mul(20).wrapping_add(h) });
    agrees!(context(x: i32, h: i32) -> i32 { x.wrapping_sub(1).wrapping_mul(10).wrapping_add(h) });
}
