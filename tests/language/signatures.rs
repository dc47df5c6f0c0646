//! Signatures: concrete types, several type parameters, several results, eight operands, visibility, information.

use crate::harness::agrees;
use lanecraft::prelude::*;
use lanecraft::{DtypeId, Kernel};

#[kernel]
fn concrete(x: u8, mean: f32, std: f32) -> f32 {
    (x as f32 / 255.0 - mean) / std
}

/// Two lists.
///
/// With a second paragraph.
#[kernel(dtypes(A: [u8, i16, f32], B: [i32, f64]))]
pub(crate) fn crossed<A: Num, B: Num>(x: A, y: B, c: bool) -> (A, B, bool) {
    if c { (x + 1, y * 2, c) } else { (x, x as B + y, y > 0) }
}

#[kernel]
fn eight(a: i8, b: u8, c: i16, d: u16, e: i32, f: u32, g: i64, h: u64) -> (u64, i64, u32, i32, u16, i16, u8, i8) {
    (h + a as u64, g - b as i64, f ^ c as u32, e | d as i32, d + e as u16, c - f as i16, b * g as u8, a ^ h as i8)
}

#[kernel(dtypes(f32,))]
fn one_result_in_a_tuple<T: Float>(x: T) -> (T,) {
    (x + 1.0,)
}

#[kernel(dtypes(all))]
fn passes<T: Dtype>(x: T) -> T {
    x
}

#[kernel(dtypes(f32), crate = ::lanecraft)]
fn rooted<T: Float>(x: T) -> T {
    x
}

#[test]
fn signatures() {
    agrees!(concrete(x: u8, mean: f32, std: f32) -> f32 { (x as f32 / 255.0 - mean) / std });
    agrees!(crossed(x: u8, y: i32, c: bool) -> (u8, i32, bool) {
        if c { (x.wrapping_add(1), y.wrapping_mul(2), c) } else { (x, (x as i32).wrapping_add(y), y > 0) }
    });
    agrees!(crossed(x: u8, y: f64, c: bool) -> (u8, f64, bool) {
        if c { (x.wrapping_add(1), y * 2.0, c) } else { (x, x as f64 + y, y > 0.0) }
    });
    agrees!(crossed(x: i16, y: i32, c: bool) -> (i16, i32, bool) {
        if c { (x.wrapping_add(1), y.wrapping_mul(2), c) } else { (x, (x as i32).wrapping_add(y), y > 0) }
    });
    agrees!(crossed(x: f32, y: i32, c: bool) -> (f32, i32, bool) {
        if c { (x + 1.0, y.wrapping_mul(2), c) } else { (x, (x as i32).wrapping_add(y), y > 0) }
    });
    agrees!(eight(a: i8, b: u8, c: i16, d: u16, e: i32, f: u32, g: i64, h: u64) -> (u64, i64, u32, i32, u16, i16, u8, i8) {
        (
            h.wrapping_add(a as u64), g.wrapping_sub(b as i64), f ^ c as u32, e | d as i32,
            d.wrapping_add(e as u16), c.wrapping_sub(f as i16), b.wrapping_mul(g as u8), a ^ h as i8,
        )
    });
    crate::harness::check::<one_result_in_a_tuple, (f32,), (f32,)>(|(x,)| one_result_in_a_tuple(x), |(x,)| (x + 1.0,), false);
    macro_rules! all {
        ($($t:ty)*) => {$( agrees!(passes(x: $t) -> $t { x }); )*};
    }
    all!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
    agrees!(rooted(x: f32) -> f32 { x });
}

#[test]
fn information() {
    let info = crossed::INFO;
    assert_eq!((info.name, info.doc), ("crossed", "Two lists.\n\nWith a second paragraph."));
    assert_eq!((info.arguments, info.outputs), (&["x", "y", "c"][..], 3));
    let variants: Vec<_> = info.variants.iter().map(|v| (v.inputs, v.outputs)).collect();
    assert_eq!(variants.len(), 6);
    use DtypeId::{Bool, F32, F64, I32, U8};
    assert_eq!(variants[0], (&[U8, I32, Bool][..], &[U8, I32, Bool][..]));
    assert_eq!(variants[5], (&[F32, F64, Bool][..], &[F32, F64, Bool][..]));
    assert_eq!(passes::INFO.variants.len(), DtypeId::ALL.len());
}
