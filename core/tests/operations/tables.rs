//! What each operation means, in plain Rust: one row per operation of the tables of `isa`.
//!
//! A row gives the same value, whatever NaN (`=`), or the same bits, those of a NaN too (`==`).

use crate::level::{Level, on_every_level};
use crate::oracle::{Case, Oracle, check1, check2, check3, cross};
use crate::values::Value;
use lanecraft_core::isa::{DtypeOps, FloatOps, LogicOps, NumOps, ShiftOps, SignedOps};

/// The type of an operand or result: a value (`V`, `T`), a mask (`M`), a shift amount (`S`), or a type's name.
macro_rules! kind {
    (V $t:ident) => {
        $t
    };
    (T $t:ident) => {
        $t
    };
    (S $t:ident) => {
        $t
    };
    (M $t:ident) => {
        bool
    };
    ($other:ident $t:ident) => {
        $other
    };
}

/// The values an operand is tested with, by how many operands there are.
macro_rules! inputs {
    (S $t:ident $values:ident) => { (0..<$t>::BITS).map(|k| k as $t).collect::<Vec<$t>>() };
    ($k:ident $t:ident $values:ident) => { <kind!($k $t)>::$values() };
}

macro_rules! strict {
    (=) => {
        false
    };
    (==) => {
        true
    };
}

macro_rules! check {
    ($o:ident $isa:ident $Ops:ident $t:ident $case:ident $f:ident($a:ident: T) -> $r:ident) => {
        for x in <$t as Value>::values() {
            check1::<$t, kind!($r $t), I>($isa, $case, vec![x], #[inline(always)] |_| <I as $Ops<$t>>::$f($isa, x), |_| <Oracle as $Ops<$t>>::$f($o, x));
        }
    };
    ($o:ident $isa:ident $Ops:ident $t:ident $case:ident $f:ident($a:ident: $k:ident) -> $r:ident) => {
        check1::<kind!($k $t), kind!($r $t), I>(
            $isa, $case, inputs!($k $t many),
            #[inline(always)] |a| <I as $Ops<$t>>::$f($isa, a),
            |a| <Oracle as $Ops<$t>>::$f($o, a),
        );
    };
    ($o:ident $isa:ident $Ops:ident $t:ident $case:ident $f:ident($a:ident: $k:ident, $b:ident: $l:ident) -> $r:ident) => {
        check2::<kind!($k $t), kind!($l $t), kind!($r $t), I>(
            $isa, $case, cross(&inputs!($k $t values), &inputs!($l $t values)),
            #[inline(always)] |a, b| <I as $Ops<$t>>::$f($isa, a, b),
            |a, b| <Oracle as $Ops<$t>>::$f($o, a, b),
        );
    };
    ($o:ident $isa:ident $Ops:ident $t:ident $case:ident $f:ident($a:ident: $k:ident, $b:ident: $l:ident, $c:ident: $m:ident) -> $r:ident) => {
        check3::<kind!($k $t), kind!($l $t), kind!($m $t), kind!($r $t), I>(
            $isa, $case, cross(&cross(&inputs!($k $t few), &inputs!($l $t few)), &inputs!($m $t few)),
            #[inline(always)] |a, b, c| <I as $Ops<$t>>::$f($isa, a, b, c),
            |a, b, c| <Oracle as $Ops<$t>>::$f($o, a, b, c),
        );
    };
}

macro_rules! table {
    ($test:ident: $Ops:ident for $($t:ident)*, $o:ident; $rows:tt) => {
        $( table!(@oracle $Ops $t $o $rows); )*
        #[test]
        fn $test() {
            fn level<I: Level>(isa: I) {
                let oracle = Oracle { fused: I::FUSED };
                $( table!(@check oracle isa $Ops $t $rows); )*
            }
            on_every_level!(level);
        }
    };
    (@oracle $Ops:ident $t:ident $o:ident { $(fn $f:ident($($a:ident: $k:ident),*) -> $r:ident $eq:tt $e:expr;)* }) => {
        impl $Ops<$t> for Oracle {
            $( fn $f(self, $($a: kind!($k $t)),*) -> kind!($r $t) { let $o = self; let _ = $o; $e } )*
        }
    };
    (@check $o:ident $isa:ident $Ops:ident $t:ident { $(fn $f:ident($($a:ident: $k:ident),*) -> $r:ident $eq:tt $e:expr;)* }) => {
        $({
            let case = Case { operation: concat!(stringify!($f), " of ", stringify!($t)), strict: strict!($eq) };
            check!($o $isa $Ops $t case $f($($a: $k),*) -> $r);
        })*
    };
}

table! { dtype_int: DtypeOps for i8 i16 i32 i64 u8 u16 u32 u64, o; {
    fn splat(x: T) -> V == x;
    fn select(m: M, a: V, b: V) -> V == if m { a } else { b };
    fn equal(a: V, b: V) -> M == a == b;
    fn less(a: V, b: V) -> M == a < b;
    fn less_equal(a: V, b: V) -> M == a <= b;
    fn to_bool(a: V) -> bool == a != 0;
    fn to_i8(a: V) -> i8 == a as i8;
    fn to_i16(a: V) -> i16 == a as i16;
    fn to_i32(a: V) -> i32 == a as i32;
    fn to_i64(a: V) -> i64 == a as i64;
    fn to_u8(a: V) -> u8 == a as u8;
    fn to_u16(a: V) -> u16 == a as u16;
    fn to_u32(a: V) -> u32 == a as u32;
    fn to_u64(a: V) -> u64 == a as u64;
    fn to_f32(a: V) -> f32 == a as f32;
    fn to_f64(a: V) -> f64 == a as f64;
}}

table! { dtype_float: DtypeOps for f32 f64, o; {
    fn splat(x: T) -> V == x;
    fn select(m: M, a: V, b: V) -> V == if m { a } else { b };
    fn equal(a: V, b: V) -> M == a == b;
    fn less(a: V, b: V) -> M == a < b;
    fn less_equal(a: V, b: V) -> M == a <= b;
    fn to_bool(a: V) -> bool == a != 0.0;
    fn to_i8(a: V) -> i8 == a as i8;
    fn to_i16(a: V) -> i16 == a as i16;
    fn to_i32(a: V) -> i32 == a as i32;
    fn to_i64(a: V) -> i64 == a as i64;
    fn to_u8(a: V) -> u8 == a as u8;
    fn to_u16(a: V) -> u16 == a as u16;
    fn to_u32(a: V) -> u32 == a as u32;
    fn to_u64(a: V) -> u64 == a as u64;
    fn to_f32(a: V) -> f32 = a as f32;
    fn to_f64(a: V) -> f64 = a as f64;
}}

table! { dtype_bool: DtypeOps for bool, o; {
    fn splat(x: T) -> V == x;
    fn select(m: M, a: V, b: V) -> V == if m { a } else { b };
    fn equal(a: V, b: V) -> M == a == b;
    fn less(a: V, b: V) -> M == !a && b;
    fn less_equal(a: V, b: V) -> M == !a || b;
    fn to_bool(a: V) -> bool == a;
    fn to_i8(a: V) -> i8 == if a { 1 } else { 0 };
    fn to_i16(a: V) -> i16 == if a { 1 } else { 0 };
    fn to_i32(a: V) -> i32 == if a { 1 } else { 0 };
    fn to_i64(a: V) -> i64 == if a { 1 } else { 0 };
    fn to_u8(a: V) -> u8 == if a { 1 } else { 0 };
    fn to_u16(a: V) -> u16 == if a { 1 } else { 0 };
    fn to_u32(a: V) -> u32 == if a { 1 } else { 0 };
    fn to_u64(a: V) -> u64 == if a { 1 } else { 0 };
    fn to_f32(a: V) -> f32 == if a { 1.0 } else { 0.0 };
    fn to_f64(a: V) -> f64 == if a { 1.0 } else { 0.0 };
}}

table! { num_int: NumOps for i8 i16 i32 i64 u8 u16 u32 u64, o; {
    fn add(a: V, b: V) -> V == a.wrapping_add(b);
    fn sub(a: V, b: V) -> V == a.wrapping_sub(b);
    fn mul(a: V, b: V) -> V == a.wrapping_mul(b);
    fn min(a: V, b: V) -> V == if a < b { a } else { b };
    fn max(a: V, b: V) -> V == if a > b { a } else { b };
    fn lesser(a: V, b: V) -> V == if a < b { a } else { b };
    fn greater(a: V, b: V) -> V == if a > b { a } else { b };
}}

table! { num_float: NumOps for f32 f64, o; {
    fn add(a: V, b: V) -> V = a + b;
    fn sub(a: V, b: V) -> V = a - b;
    fn mul(a: V, b: V) -> V = a * b;
    // A NaN loses; of two zeros, the second.
    fn min(a: V, b: V) -> V = match a.partial_cmp(&b) {
        Some(core::cmp::Ordering::Less) => a,
        None if b.is_nan() => a,
        _ => b,
    };
    fn max(a: V, b: V) -> V = match a.partial_cmp(&b) {
        Some(core::cmp::Ordering::Greater) => a,
        None if b.is_nan() => a,
        _ => b,
    };
    fn lesser(a: V, b: V) -> V == if a.partial_cmp(&b) == Some(core::cmp::Ordering::Less) { a } else { b };
    fn greater(a: V, b: V) -> V == if a.partial_cmp(&b) == Some(core::cmp::Ordering::Greater) { a } else { b };
}}

table! { signed_int: SignedOps for i8 i16 i32 i64, o; {
    fn neg(a: V) -> V == a.wrapping_neg();
    fn abs(a: V) -> V == a.wrapping_abs();
}}

table! { signed_f32: SignedOps for f32, o; {
    fn neg(a: V) -> V == f32::from_bits(a.to_bits() ^ 0x8000_0000);
    fn abs(a: V) -> V == f32::from_bits(a.to_bits() & 0x7fff_ffff);
}}

table! { signed_f64: SignedOps for f64, o; {
    fn neg(a: V) -> V == f64::from_bits(a.to_bits() ^ 0x8000_0000_0000_0000);
    fn abs(a: V) -> V == f64::from_bits(a.to_bits() & 0x7fff_ffff_ffff_ffff);
}}

table! { logic: LogicOps for bool i8 i16 i32 i64 u8 u16 u32 u64, o; {
    fn and(a: V, b: V) -> V == a & b;
    fn or(a: V, b: V) -> V == a | b;
    fn xor(a: V, b: V) -> V == a ^ b;
    fn not(a: V) -> V == !a;
}}

table! { shift: ShiftOps for i8 i16 i32 i64 u8 u16 u32 u64, o; {
    fn shl(a: V, b: S) -> V == a << b;
    fn shr(a: V, b: S) -> V == a >> b;
}}

table! { float: FloatOps for f32 f64, o; {
    fn div_float(a: V, b: V) -> V = a / b;
    fn fma_once(a: V, b: V, c: V) -> V = a.mul_add(b, c);
    fn fma(a: V, b: V, c: V) -> V = if o.fused { a.mul_add(b, c) } else { a * b + c };
    fn sqrt(a: V) -> V = a.sqrt();
    fn floor(a: V) -> V = a.floor();
    fn ceil(a: V) -> V = a.ceil();
    fn trunc(a: V) -> V = a.trunc();
    fn round_ties_even(a: V) -> V = a.round_ties_even();
    fn copysign(a: V, b: V) -> V == a.copysign(b);
}}
