//! The portable level: registers of the `wide` crate, for CPUs that have no level of their own.
//!
//! `wide` compiles to whatever the target has statically, so this level needs no entry and no detection. Its operations
//! serve where they give the bits of [`scalar`](super::scalar) on every target and with every build flag; the others
//! (casts that `wide` lacks, `fma`, `min` and `max` of floats) are written out here.

use super::{BitsOps, DtypeOps, FloatOps, LogicOps, MemoryOps, NumOps, Registers, ShiftOps, SignedOps, shims};
use crate::dtype::Dtype;
use bytemuck::{Pod, cast};
use wide::{f32x16, f64x8, i8x16, i16x16, i32x16, i64x8, u8x16, u16x16, u32x16, u64x8};

/// The portable level.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Registers for Portable {
    const LANES: usize = 16;
    type V<T: Dtype> = T::Wide;

    const BASELINE: bool = true;

    #[inline(always)]
    fn apart<R>(self, operation: impl FnOnce() -> R) -> R {
        #[inline]
        #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
        unsafe fn apart<R>(operation: impl FnOnce() -> R) -> R {
            operation()
        }
        // SAFETY: every CPU of the architecture has the instructions.
        unsafe { apart(operation) }
    }
}

/// 16 lanes.
pub type I8 = i8x16;
/// 16 lanes.
pub type I16 = i16x16;
/// 16 lanes.
pub type I32 = i32x16;
/// 16 lanes: 0..8 and 8..16.
pub type I64 = [i64x8; 2];
/// 16 lanes.
pub type U8 = u8x16;
/// 16 lanes.
pub type U16 = u16x16;
/// 16 lanes.
pub type U32 = u32x16;
/// 16 lanes: 0..8 and 8..16.
pub type U64 = [u64x8; 2];
/// 16 lanes.
pub type F32 = f32x16;
/// 16 lanes: 0..8 and 8..16.
pub type F64 = [f64x8; 2];

/// One mask for every dtype, so that masks of different dtypes combine: lanes of 32 bits, each 0 or -1.
#[derive(Clone, Copy)]
pub struct Mask(i32x16);

/// `f` of each lane: what `wide` has no operation for.
#[inline(always)]
fn each<T: Pod, U: Pod, A: Pod, B: Pod>(a: A, f: impl Fn(T) -> U) -> B {
    let x: [T; 16] = cast(a);
    let mut y = [U::zeroed(); 16];
    let mut k = 0;
    while k < 16 {
        y[k] = f(x[k]);
        k += 1;
    }
    cast(y)
}

// Masks of other lane sizes, as `wide` makes and takes them: all bits of a lane equal. `V` is any register of that size.
#[inline(always)]
fn mask_of_8<V: Pod>(m: V) -> Mask {
    Mask(i32x16::from(i16x16::from(cast::<V, i8x16>(m))))
}
#[inline(always)]
fn mask_of_16<V: Pod>(m: V) -> Mask {
    Mask(i32x16::from(cast::<V, i16x16>(m)))
}
#[inline(always)]
fn mask_of_32<V: Pod>(m: V) -> Mask {
    Mask(cast(m))
}
#[inline(always)]
fn mask_of_64<V: Pod>(m: V) -> Mask {
    Mask(each(m, |x: i64| x as i32))
}
#[inline(always)]
fn mask_to_8<V: Pod>(m: Mask) -> V {
    each(m.0, |x: i32| x as i8)
}
#[inline(always)]
fn mask_to_16<V: Pod>(m: Mask) -> V {
    each(m.0, |x: i32| x as i16)
}
#[inline(always)]
fn mask_to_32<V: Pod>(m: Mask) -> V {
    cast(m.0)
}
#[inline(always)]
fn mask_to_64<V: Pod>(m: Mask) -> V {
    each(m.0, |x: i32| x as i64)
}

/// Operations that act on each register by itself: the same expression for one register and for each of two.
macro_rules! each_register {
    (one $v:ty; $($f:ident($($a:ident),*) = $e:expr;)*) => {$(
        #[inline(always)]
        fn $f(self, $($a: $v),*) -> $v { $e }
    )*};
    (two $v:ty; $($f:ident($($a:ident),*) = $e:expr;)*) => {$(
        #[inline(always)]
        fn $f(self, $($a: $v),*) -> $v {
            [{ $(let $a = $a[0];)* $e }, { $(let $a = $a[1];)* $e }]
        }
    )*};
}

/// The same for an operation that gives a mask.
macro_rules! compare {
    (one $v:ty, $to_mask:ident; $($f:ident = $op:ident;)*) => {$(
        #[inline(always)]
        fn $f(self, a: $v, b: $v) -> Mask { $to_mask(a.$op(b)) }
    )*};
    (two $v:ty, $to_mask:ident; $($f:ident = $op:ident;)*) => {$(
        #[inline(always)]
        fn $f(self, a: $v, b: $v) -> Mask { $to_mask([a[0].$op(b[0]), a[1].$op(b[1])]) }
    )*};
}

/// Memory and `DtypeOps`. Casts are rows of `wide { .. }` where it has the conversion, else of `lanes { .. }`.
macro_rules! dtype_ops {
    (
        $t:ty, $v:ty, $n:ident $w:ident, $to_mask:ident $from_mask:ident;
        wide |$a:ident| { $($wide:ident $wide_v:ty = $e:expr;)* }
        lanes { $($lanes:ident $to:ty, $lanes_v:ty;)* }
    ) => {
        impl MemoryOps<$t> for Portable {
            #[inline(always)]
            unsafe fn load(self, p: *const $t) -> $v {
                // SAFETY: the caller's promise.
                cast(unsafe { p.cast::<[$t; 16]>().read_unaligned() })
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut $t, a: $v) {
                // SAFETY: the caller's promise.
                unsafe { p.cast::<[$t; 16]>().write_unaligned(cast(a)) }
            }
        }
        impl DtypeOps<$t> for Portable {
            #[inline(always)]
            fn splat(self, x: $t) -> $v { dtype_ops!(@splat $n $w::splat(x)) }
            #[inline(always)]
            fn select(self, m: Mask, a: $v, b: $v) -> $v {
                let m: $v = $from_mask(m);
                dtype_ops!(@select $n m a b)
            }
            compare! { $n $v, $to_mask; equal = simd_eq; less = simd_lt; less_equal = simd_le; }
            #[inline(always)]
            fn to_bool(self, a: $v) -> Mask {
                let zero = <Self as DtypeOps<$t>>::equal(self, a, <Self as DtypeOps<$t>>::splat(self, <$t>::default()));
                Mask(!zero.0)
            }
            $(
                #[inline(always)]
                fn $wide(self, $a: $v) -> $wide_v { $e }
            )*
            $(
                #[inline(always)]
                fn $lanes(self, a: $v) -> $lanes_v { each(a, |x: $t| x as $to) }
            )*
        }
    };
    (@splat one $e:expr) => { $e };
    (@splat two $e:expr) => { [$e; 2] };
    (@select one $m:ident $a:ident $b:ident) => { $m.select($a, $b) };
    (@select two $m:ident $a:ident $b:ident) => { [$m[0].select($a[0], $b[0]), $m[1].select($a[1], $b[1])] };
}

// To f32 by way of i32, whose range holds every value of the narrower integers.
#[inline(always)]
fn f32_from(a: i32x16) -> F32 {
    f32x16::from_i32x16(a)
}
#[inline(always)]
fn i32_from_u8(a: U8) -> I32 {
    cast(u32x16::from(u16x16::from(a)))
}
#[inline(always)]
fn i32_from_u16(a: U16) -> I32 {
    cast(u32x16::from(a))
}

dtype_ops!(i8, I8, one i8x16, mask_of_8 mask_to_8;
    wide |a| {
        to_i8 I8 = a; to_i16 I16 = i16x16::from(a); to_i32 I32 = i32x16::from(i16x16::from(a));
        to_u8 U8 = cast(a); to_u16 U16 = cast(i16x16::from(a)); to_u32 U32 = cast(i32x16::from(i16x16::from(a)));
        to_f32 F32 = f32_from(i32x16::from(i16x16::from(a)));
    }
    lanes { to_i64 i64, I64; to_u64 u64, U64; to_f64 f64, F64; }
);
dtype_ops!(u8, U8, one u8x16, mask_of_8 mask_to_8;
    wide |a| {
        to_i8 I8 = cast(a); to_i16 I16 = i16x16::from(a); to_i32 I32 = i32_from_u8(a);
        to_u8 U8 = a; to_u16 U16 = u16x16::from(a); to_u32 U32 = u32x16::from(u16x16::from(a));
        to_f32 F32 = f32_from(i32_from_u8(a));
    }
    lanes { to_i64 i64, I64; to_u64 u64, U64; to_f64 f64, F64; }
);
dtype_ops!(i16, I16, one i16x16, mask_of_16 mask_to_16;
    wide |a| {
        to_i16 I16 = a; to_i32 I32 = i32x16::from(a);
        to_u16 U16 = cast(a); to_u32 U32 = cast(i32x16::from(a));
        to_f32 F32 = f32_from(i32x16::from(a));
    }
    lanes { to_i8 i8, I8; to_i64 i64, I64; to_u8 u8, U8; to_u64 u64, U64; to_f64 f64, F64; }
);
dtype_ops!(u16, U16, one u16x16, mask_of_16 mask_to_16;
    wide |a| {
        to_i16 I16 = cast(a); to_i32 I32 = i32_from_u16(a);
        to_u16 U16 = a; to_u32 U32 = u32x16::from(a);
        to_f32 F32 = f32_from(i32_from_u16(a));
    }
    lanes { to_i8 i8, I8; to_i64 i64, I64; to_u8 u8, U8; to_u64 u64, U64; to_f64 f64, F64; }
);
dtype_ops!(i32, I32, one i32x16, mask_of_32 mask_to_32;
    wide |a| { to_i32 I32 = a; to_u32 U32 = cast(a); to_f32 F32 = f32_from(a); }
    lanes { to_i8 i8, I8; to_i16 i16, I16; to_i64 i64, I64; to_u8 u8, U8; to_u16 u16, U16; to_u64 u64, U64; to_f64 f64, F64; }
);
dtype_ops!(u32, U32, one u32x16, mask_of_32 mask_to_32;
    wide |a| { to_i32 I32 = cast(a); to_u32 U32 = a; }
    lanes {
        to_i8 i8, I8; to_i16 i16, I16; to_i64 i64, I64; to_u8 u8, U8; to_u16 u16, U16; to_u64 u64, U64;
        to_f32 f32, F32; to_f64 f64, F64;
    }
);
dtype_ops!(i64, I64, two i64x8, mask_of_64 mask_to_64;
    wide |a| { to_i64 I64 = a; to_u64 U64 = cast(a); }
    lanes {
        to_i8 i8, I8; to_i16 i16, I16; to_i32 i32, I32; to_u8 u8, U8; to_u16 u16, U16; to_u32 u32, U32;
        to_f32 f32, F32; to_f64 f64, F64;
    }
);
dtype_ops!(u64, U64, two u64x8, mask_of_64 mask_to_64;
    wide |a| { to_i64 I64 = cast(a); to_u64 U64 = a; }
    lanes {
        to_i8 i8, I8; to_i16 i16, I16; to_i32 i32, I32; to_u8 u8, U8; to_u16 u16, U16; to_u32 u32, U32;
        to_f32 f32, F32; to_f64 f64, F64;
    }
);

/// `a as i32`, then held within a narrower type, whose own `as` can only cut bits off.
#[inline(always)]
fn clamped(a: F32, lo: i32, hi: i32) -> I32 {
    a.trunc_int().max(i32x16::splat(lo)).min(i32x16::splat(hi))
}
dtype_ops!(f32, F32, one f32x16, mask_of_32 mask_to_32;
    wide |a| {
        to_i8 I8 = each(clamped(a, i8::MIN as i32, i8::MAX as i32), |x: i32| x as i8);
        to_i16 I16 = each(clamped(a, i16::MIN as i32, i16::MAX as i32), |x: i32| x as i16);
        to_u8 U8 = each(clamped(a, 0, u8::MAX as i32), |x: i32| x as u8);
        to_u16 U16 = each(clamped(a, 0, u16::MAX as i32), |x: i32| x as u16);
        to_i32 I32 = a.trunc_int();
        to_f32 F32 = a;
    }
    lanes { to_i64 i64, I64; to_u32 u32, U32; to_u64 u64, U64; to_f64 f64, F64; }
);
dtype_ops!(f64, F64, two f64x8, mask_of_64 mask_to_64;
    wide |a| { to_f64 F64 = a; }
    lanes {
        to_i8 i8, I8; to_i16 i16, I16; to_i32 i32, I32; to_i64 i64, I64;
        to_u8 u8, U8; to_u16 u16, U16; to_u32 u32, U32; to_u64 u64, U64; to_f32 f32, F32;
    }
);

impl MemoryOps<bool> for Portable {
    #[inline(always)]
    unsafe fn load(self, p: *const bool) -> Mask {
        // Any byte but 0 is true, so no `bool` is read.
        // SAFETY: the caller's promise; `u8` has the size of `bool`.
        let a = unsafe { <Self as MemoryOps<u8>>::load(self, p.cast()) };
        <Self as DtypeOps<u8>>::to_bool(self, a)
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut bool, a: Mask) {
        // SAFETY: the caller's promise; the bytes are 0 and 1.
        unsafe { <Self as MemoryOps<u8>>::store(self, p.cast(), <Self as DtypeOps<bool>>::to_u8(self, a)) }
    }
}
macro_rules! bool_to {
    ($($f:ident $t:ident, $v:ty;)*) => {$(
        #[inline(always)]
        fn $f(self, a: Mask) -> $v {
            <Self as DtypeOps<$t>>::select(self, a, <Self as DtypeOps<$t>>::splat(self, 1 as $t), <Self as DtypeOps<$t>>::splat(self, 0 as $t))
        }
    )*};
}
impl DtypeOps<bool> for Portable {
    #[inline(always)]
    fn splat(self, x: bool) -> Mask {
        Mask(i32x16::splat(-(x as i32)))
    }
    #[inline(always)]
    fn select(self, m: Mask, a: Mask, b: Mask) -> Mask {
        Mask((m.0 & a.0) | (!m.0 & b.0))
    }
    #[inline(always)]
    fn equal(self, a: Mask, b: Mask) -> Mask {
        Mask(!(a.0 ^ b.0))
    }
    #[inline(always)]
    fn less(self, a: Mask, b: Mask) -> Mask {
        Mask(!a.0 & b.0)
    }
    #[inline(always)]
    fn less_equal(self, a: Mask, b: Mask) -> Mask {
        Mask(!a.0 | b.0)
    }
    #[inline(always)]
    fn to_bool(self, a: Mask) -> Mask {
        a
    }
    bool_to! {
        to_i8 i8, I8; to_i16 i16, I16; to_i32 i32, I32; to_i64 i64, I64;
        to_u8 u8, U8; to_u16 u16, U16; to_u32 u32, U32; to_u64 u64, U64; to_f32 f32, F32; to_f64 f64, F64;
    }
}
impl LogicOps<bool> for Portable {
    #[inline(always)]
    fn and(self, a: Mask, b: Mask) -> Mask {
        Mask(a.0 & b.0)
    }
    #[inline(always)]
    fn or(self, a: Mask, b: Mask) -> Mask {
        Mask(a.0 | b.0)
    }
    #[inline(always)]
    fn xor(self, a: Mask, b: Mask) -> Mask {
        Mask(a.0 ^ b.0)
    }
    #[inline(always)]
    fn not(self, a: Mask) -> Mask {
        Mask(!a.0)
    }
}

macro_rules! int_ops {
    // `$amount`: what `wide` shifts by, an unsigned register of the same size.
    ($($t:ty, $v:ty, $n:ident, $amount:ty;)*) => {$(
        impl NumOps<$t> for Portable {
            each_register! { $n $v;
                add(a, b) = a + b; sub(a, b) = a - b; mul(a, b) = a * b; min(a, b) = a.min(b); max(a, b) = a.max(b);
                lesser(a, b) = a.min(b); greater(a, b) = a.max(b); }
        }
        impl LogicOps<$t> for Portable {
            each_register! { $n $v; and(a, b) = a & b; or(a, b) = a | b; xor(a, b) = a ^ b; not(a) = !a; }
        }
        impl ShiftOps<$t> for Portable {
            each_register! { $n $v; shl(a, b) = a << cast::<_, $amount>(b); shr(a, b) = a >> cast::<_, $amount>(b); }
        }
    )*};
}
int_ops! {
    i8, I8, one, u8x16; i16, I16, one, u16x16; i32, I32, one, u32x16; i64, I64, two, u64x8;
    u8, U8, one, u8x16; u16, U16, one, u16x16; u32, U32, one, u32x16; u64, U64, two, u64x8;
}

macro_rules! signed_ops {
    ($($t:ty, $v:ty, $n:ident;)*) => {$(
        impl SignedOps<$t> for Portable {
            each_register! { $n $v; neg(a) = -a; abs(a) = a.abs(); }
        }
    )*};
}
signed_ops!(i8, I8, one; i16, I16, one; i32, I32, one; i64, I64, two; f32, F32, one; f64, F64, two;);

/// `a * b + c` rounded once, whatever the build flags: `wide` rounds twice on targets without the instruction. There it is a call of the C library for
/// each lane, so that a function of its own costs nothing, and compiles once and not at each multiply-add of a kernel.
macro_rules! fused {
    ($f:ident, $t:ty, $v:ty, $n:literal) => {
        #[inline(never)]
        fn $f(a: $v, b: $v, c: $v) -> $v {
            let (a, b, c): ([$t; $n], [$t; $n], [$t; $n]) = (cast(a), cast(b), cast(c));
            let mut r = [0.0; $n];
            let mut k = 0;
            while k < $n {
                r[k] = a[k].mul_add(b[k], c[k]);
                k += 1;
            }
            cast(r)
        }
    };
}
fused!(fused_f32, f32, f32x16, 16);
fused!(fused_f64, f64, f64x8, 8);

macro_rules! float_ops {
    ($t:ty, $v:ty, $n:ident, $fused:ident) => {
        impl NumOps<$t> for Portable {
            each_register! { $n $v;
                add(a, b) = a + b;
                sub(a, b) = a - b;
                mul(a, b) = a * b;
                // Not `wide`'s `min`, which leaves open which zero it gives.
                min(a, b) = (a.simd_lt(b) | b.is_nan()).select(a, b);
                max(a, b) = (a.simd_gt(b) | b.is_nan()).select(a, b);
                lesser(a, b) = a.simd_lt(b).select(a, b);
                greater(a, b) = a.simd_gt(b).select(a, b);
            }
        }
        impl FloatOps<$t> for Portable {
            each_register! { $n $v;
                div_float(a, b) = a / b;
                fma(a, b, c) = if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { $fused(a, b, c) };
                fma_once(a, b, c) = if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { $fused(a, b, c) };
                sqrt(a) = a.sqrt();
                floor(a) = a.floor();
                ceil(a) = a.ceil();
                trunc(a) = a.trunc();
                // `wide` loses the sign of a zero on SSE2.
                round_ties_even(a) = a.round_ties_even().copysign(a);
                copysign(a, b) = a.copysign(b);
            }
        }
    };
}
float_ops!(f32, F32, one, fused_f32);
float_ops!(f64, F64, two, fused_f64);

/// See `Shims::scale_f32`.
macro_rules! scale {
    ($a:ident, $t:ident, $v:ty, $bits:ty, $fraction:literal) => {{
        let u: $bits = cast($t);
        let half = u >> 1;
        let (first, rest): ($v, $v) = (cast(half << $fraction), cast((u - half) << $fraction));
        $a * first * rest
    }};
}

impl BitsOps for Portable {
    #[inline(always)]
    fn bitmask(self, m: Mask) -> u64 {
        m.0.to_bitmask() as u64
    }
    #[inline(always)]
    fn f32_to_bits(self, a: F32) -> U32 {
        cast(a)
    }
    #[inline(always)]
    fn f32_from_bits(self, a: U32) -> F32 {
        cast(a)
    }
    #[inline(always)]
    fn f64_to_bits(self, a: F64) -> U64 {
        cast(a)
    }
    #[inline(always)]
    fn f64_from_bits(self, a: U64) -> F64 {
        cast(a)
    }
    #[inline(always)]
    fn u32_shl(self, a: U32, n: u32) -> U32 {
        a << n
    }
    #[inline(always)]
    fn u32_shr(self, a: U32, n: u32) -> U32 {
        a >> n
    }
    #[inline(always)]
    fn f32_scale(self, a: F32, t: F32) -> F32 {
        scale!(a, t, f32x16, u32x16, 23)
    }
    #[inline(always)]
    fn f64_scale(self, [a, b]: F64, [t, u]: F64) -> F64 {
        [scale!(a, t, f64x8, u64x8, 52), scale!(b, u, f64x8, u64x8, 52)]
    }
    #[inline(always)]
    fn f32_look_up(self, table: &[f32; 16], at: U32) -> F32 {
        shims::by_lane(self, table, at)
    }
}
