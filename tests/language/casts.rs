//! `as` between all pairs of dtypes.

use crate::harness::agrees;
use lanecraft::prelude::*;

macro_rules! casts {
    ($($name:ident $floats:ident $from:ident;)*) => {$(
        #[kernel]
        fn $name(x: $from) -> (i8, i16, i32, i64, u8, u16, u32, u64) {
            (x as i8, x as i16, x as i32, x as i64, x as u8, x as u16, x as u32, x as u64)
        }

        #[kernel]
        fn $floats(x: $from) -> (f32, f64) {
            (x as f32, x as f64)
        }
    )*

    #[test]
    fn all_pairs() {$(
        agrees!($name(x: $from) -> (i8, i16, i32, i64, u8, u16, u32, u64) {
            (x as i8, x as i16, x as i32, x as i64, x as u8, x as u16, x as u32, x as u64)
        });
        agrees!($floats(x: $from) -> (f32, f64) { (x as f32, x as f64) });
    )*}};
}
casts! {
    i8_to_int i8_to_float i8; i16_to_int i16_to_float i16; i32_to_int i32_to_float i32; i64_to_int i64_to_float i64;
    u8_to_int u8_to_float u8; u16_to_int u16_to_float u16; u32_to_int u32_to_float u32; u64_to_int u64_to_float u64;
    f32_to_int f32_to_float f32; f64_to_int f64_to_float f64;
}

#[kernel]
fn bool_to_int(x: bool) -> (i8, i64, u8, u16, u32, u64, f32, bool) {
    (x as i8, x as i64, x as u8, x as u16, x as u32, x as u64, x as u8 as f32, x as bool)
}

#[kernel]
fn chains(x: i32) -> (u32, f64, i64, u64) {
    (x as u8 as u32, x as u16 as i8 as f64, (x as u32) as i64, x as i8 as u64)
}

#[kernel(dtypes(A: [u8, i64, f64], B: [i16, f32]))]
fn parameters<A: Num, B: Num>(x: A, y: B) -> (B, A) {
    (x as B, y as A)
}

#[test]
fn bools_chains_and_parameters() {
    agrees!(bool_to_int(x: bool) -> (i8, i64, u8, u16, u32, u64, f32, bool) {
        (x as i8, x as i64, x as u8, x as u16, x as u32, x as u64, x as u8 as f32, x)
    });
    agrees!(chains(x: i32) -> (u32, f64, i64, u64) { (x as u8 as u32, x as u16 as i8 as f64, (x as u32) as i64, x as i8 as u64) });
    agrees!(parameters(x: u8, y: i16) -> (i16, u8) { (x as i16, y as u8) });
    agrees!(parameters(x: u8, y: f32) -> (f32, u8) { (x as f32, y as u8) });
    agrees!(parameters(x: i64, y: i16) -> (i16, i64) { (x as i16, y as i64) });
    agrees!(parameters(x: i64, y: f32) -> (f32, i64) { (x as f32, y as i64) });
    agrees!(parameters(x: f64, y: i16) -> (i16, f64) { (x as i16, y as f64) });
    agrees!(parameters(x: f64, y: f32) -> (f32, f64) { (x as f32, y as f64) });
}
