//! f16 and bf16: storage types. Their lanes are those of f32, and all operations are f32's; here is what lies between
//! memory and lanes.
//!
//! The integer forms below serve a level without instructions, and say what the instructions of the others do: nearest,
//! ties to even; subnormal numbers are kept, whatever the CPU's flush modes are, and a NaN stays one, made quiet, with its
//! sign and its upper bits. (So `vcvtneps2bf16`, which flushes subnormals, serves no level.)

mod levels;
pub use levels::HalfSimd;

use super::{DtypeLanes, Isa, LogicLanes, NumLanes, Registers, V};
use crate::dtype::Dtype;

/// What a level does between the bit patterns of a 16-bit float and its lanes.
pub trait HalfOps<T: Dtype>: Registers {
    /// The values of bit patterns.
    fn widen(self, bits: V<u16, Self>) -> V<T, Self>;
    /// The bit patterns of values: rounded once.
    fn narrow(self, a: V<T, Self>) -> V<u16, Self>;
    /// Lanes of f32 as what they are.
    fn of_f32(self, a: V<f32, Self>) -> V<T, Self>;
}

/// [`HalfOps`], on any level.
pub trait HalfLanes: Dtype {
    #[doc(hidden)]
    fn widen_lanes<I: Isa>(isa: I, bits: V<u16, I>) -> V<Self, I>;
    #[doc(hidden)]
    fn narrow_lanes<I: Isa>(isa: I, a: V<Self, I>) -> V<u16, I>;
    #[doc(hidden)]
    fn of_f32<I: Isa>(isa: I, a: V<f32, I>) -> V<Self, I>;
    /// `a`, rounded to what memory holds of it.
    #[doc(hidden)]
    #[inline(always)]
    fn rounded<I: Isa>(isa: I, a: V<f32, I>) -> V<Self, I> {
        Self::widen_lanes(isa, Self::narrow_lanes(isa, Self::of_f32(isa, a)))
    }
}

macro_rules! half_lanes {
    ($($t:ident)*) => {$(
        impl HalfLanes for half::$t {
            #[inline(always)]
            fn widen_lanes<I: Isa>(isa: I, bits: V<u16, I>) -> V<Self, I> {
                <I as HalfOps<Self>>::widen(isa, bits)
            }
            #[inline(always)]
            fn narrow_lanes<I: Isa>(isa: I, a: V<Self, I>) -> V<u16, I> {
                <I as HalfOps<Self>>::narrow(isa, a)
            }
            #[inline(always)]
            fn of_f32<I: Isa>(isa: I, a: V<f32, I>) -> V<Self, I> {
                <I as HalfOps<Self>>::of_f32(isa, a)
            }
        }
    )*};
}
half_lanes!(f16 bf16);

#[inline(always)]
fn all<I: Isa>(isa: I, x: u32) -> V<u32, I> {
    u32::splat(isa, x)
}
#[inline(always)]
fn and<I: Isa>(isa: I, a: V<u32, I>, x: u32) -> V<u32, I> {
    u32::and(isa, a, all(isa, x))
}
#[inline(always)]
fn plus<I: Isa>(isa: I, a: V<u32, I>, x: u32) -> V<u32, I> {
    u32::add(isa, a, all(isa, x))
}

/// f16's bits as f32.
///
/// The exponent and fraction, moved to f32's place, lack the difference of the two biases; infinities and NaN lack it twice. A
/// subnormal number is made normal by the float unit: 2^-14 (1 + x) - 2^-14.
#[inline(always)]
pub fn f16_widen<I: Isa>(isa: I, bits: V<u16, I>) -> V<f32, I> {
    const BIAS: u32 = (127 - 15) << 23;
    const INFINITY: u32 = 0x7c00 << 13;
    let u = u16::to_u32(isa, bits);
    let magnitude = isa.u32_shl(and(isa, u, 0x7fff), 13);
    let sign = isa.u32_shl(and(isa, u, 0x8000), 16);
    let normal = plus(isa, magnitude, BIAS);
    let special = plus(isa, magnitude, 2 * BIAS);
    let quiet = u32::or(isa, special, all(isa, 0x0040_0000));
    let special = u32::select(isa, u32::less(isa, all(isa, INFINITY), magnitude), quiet, special);
    let tiny = f32::sub(isa, isa.f32_from_bits(plus(isa, normal, 1 << 23)), f32::splat(isa, f32::from_bits(113 << 23)));
    let y = u32::select(isa, u32::less(isa, magnitude, all(isa, 1 << 23)), isa.f32_to_bits(tiny), normal);
    let y = u32::select(isa, u32::less(isa, magnitude, all(isa, INFINITY)), y, special);
    isa.f32_from_bits(u32::or(isa, y, sign))
}

/// f16's bits of f32, rounded.
///
/// Half of the last place, less one unless the last bit is odd, is added before the rest is cut off; a carry goes into the
/// exponent as it should, up to infinity. Below 2^-14 the sum with 1/2, whose last place is f16's smallest, rounds.
#[inline(always)]
pub fn f16_narrow<I: Isa>(isa: I, a: V<f32, I>) -> V<u16, I> {
    let u = isa.f32_to_bits(a);
    let magnitude = and(isa, u, 0x7fff_ffff);
    let sign = isa.u32_shr(and(isa, u, 0x8000_0000), 16);
    let odd = and(isa, isa.u32_shr(magnitude, 13), 1);
    let normal = u32::add(isa, plus(isa, magnitude, ((15 - 127i32) << 23) as u32), plus(isa, odd, 0xfff));
    let normal = isa.u32_shr(normal, 13);
    let half = 0.5f32;
    let tiny = isa.f32_to_bits(f32::add(isa, isa.f32_from_bits(magnitude), f32::splat(isa, half)));
    let tiny = u32::sub(isa, tiny, all(isa, half.to_bits()));
    let nan = u32::or(isa, and(isa, isa.u32_shr(magnitude, 13), 0x3ff), all(isa, 0x7e00));
    let special = u32::select(isa, u32::less(isa, all(isa, 255 << 23), magnitude), nan, all(isa, 0x7c00));
    let y = u32::select(isa, u32::less(isa, magnitude, all(isa, 113 << 23)), tiny, normal);
    let y = u32::select(isa, u32::less(isa, magnitude, all(isa, (127 + 16) << 23)), y, special);
    u32::to_u16(isa, u32::or(isa, y, sign))
}

/// bf16's bits as f32: the upper half of f32's.
#[inline(always)]
pub fn bf16_widen<I: Isa>(isa: I, bits: V<u16, I>) -> V<f32, I> {
    isa.f32_from_bits(isa.u32_shl(u16::to_u32(isa, bits), 16))
}

/// bf16's bits of f32, rounded as in [`f16_narrow`]; there are no other subnormal numbers to think of.
#[inline(always)]
pub fn bf16_narrow<I: Isa>(isa: I, a: V<f32, I>) -> V<u16, I> {
    let u = isa.f32_to_bits(a);
    let upper = isa.u32_shr(u, 16);
    let number = isa.u32_shr(u32::add(isa, u, plus(isa, and(isa, upper, 1), 0x7fff)), 16);
    let nan = u32::or(isa, upper, all(isa, 0x40));
    u32::to_u16(isa, u32::select(isa, f32::equal(isa, a, a), number, nan))
}

/// `x as f32` before a rounding to 16 bits, so that this one decides alone: where f32 cannot hold the value, the neighbour
/// with an odd last bit, which is never halfway between two values of 16 bits. (Boldo and Melquiond, "Emulation of FMA and
/// correctly rounded sums: proved algorithms using rounding to odd", IEEE Transactions on Computers 57, 2008. f32 has the two
/// bits more that it takes, among the subnormal numbers too.)
#[inline(always)]
pub fn f64_to_f32_odd<I: Isa>(isa: I, x: V<f64, I>) -> V<f32, I> {
    let y = f64::to_f32(isa, x);
    let back = f32::to_f64(isa, y);
    // A NaN is neither above nor below.
    let (below, above) = (f64::less(isa, back, x), f64::less(isa, x, back));
    let negative = f64::less(isa, x, f64::splat(isa, 0.0));
    let u = isa.f32_to_bits(y);
    // Away from zero: back to the neighbour on the other side of `x`.
    let away = bool::select(isa, negative, below, above);
    let u = u32::select(isa, away, plus(isa, u, u32::MAX), u);
    let odd = u32::or(isa, u, all(isa, 1));
    isa.f32_from_bits(u32::select(isa, bool::or(isa, below, above), odd, u))
}

macro_rules! int_to_f32_odd {
    ($f:ident, $t:ident, |$isa:ident, $x:ident| $small:expr) => {
        #[doc = concat!("[`f64_to_f32_odd`] of `", stringify!($t), "`: from 2^53 on, what the lowest 11 bits hold becomes one bit above them.")]
        #[inline(always)]
        pub fn $f<I: Isa>($isa: I, $x: V<$t, I>) -> V<f32, I> {
            let k = |k: $t| $t::splat($isa, k);
            let low = $t::add($isa, $t::and($isa, $x, k(0x7ff)), k(0x7ff));
            let folded = $t::and($isa, $t::or($isa, $x, low), k(!0x7ff));
            f64_to_f32_odd($isa, $t::to_f64($isa, $t::select($isa, $small, $x, folded)))
        }
    };
}
int_to_f32_odd!(u64_to_f32_odd, u64, |isa, x| u64::less(isa, x, u64::splat(isa, 1 << 53)));
int_to_f32_odd!(i64_to_f32_odd, i64, |isa, x| bool::and(
    isa,
    i64::less(isa, x, i64::splat(isa, 1 << 53)),
    i64::less(isa, i64::splat(isa, -(1 << 53)), x)
));
