//! What the kernel language means where Rust's std leaves a choice or has no such type.
#![allow(dead_code, reason = "not every batch of programs uses all")]

macro_rules! floats {
    ($($t:ident $min:ident $max:ident $clamp:ident;)*) => {$(
        /// A NaN loses; of two equal values it is the second.
        pub fn $min(a: $t, b: $t) -> $t {
            if b.is_nan() || a < b { a } else { b }
        }
        /// A NaN loses; of two equal values it is the second.
        pub fn $max(a: $t, b: $t) -> $t {
            if b.is_nan() || a > b { a } else { b }
        }
        pub fn $clamp(x: $t, lo: $t, hi: $t) -> $t {
            $min($max(x, lo), hi)
        }
    )*};
}
floats! { f32 min_f32 max_f32 clamp_f32; f64 min_f64 max_f64 clamp_f64; }

/// Without std's panic where `lo > hi`.
pub fn clamp<T: Ord>(x: T, lo: T, hi: T) -> T {
    x.max(lo).min(hi)
}

/// A type of 16 bits: digits of its significand, the exponent of its smallest positive number, and the first power of two
/// beyond its numbers.
struct Half {
    digits: u32,
    smallest: i32,
    beyond: i32,
}

const F16: Half = Half { digits: 11, smallest: -24, beyond: 16 };
const BF16: Half = Half { digits: 8, smallest: -133, beyond: 128 };

impl Half {
    /// The nearest number of the type, ties to even. Every step but the rounding is exact in f64.
    fn round(&self, x: f64) -> f32 {
        if !x.is_finite() || x == 0.0 {
            return x as f32;
        }
        let exponent = (x.to_bits() >> 52 & 0x7ff) as i32 - 1023;
        let unit = 2f64.powi((exponent - self.digits as i32 + 1).max(self.smallest));
        let rounded = (x / unit).round_ties_even() * unit;
        if rounded.abs() >= 2f64.powi(self.beyond) { f32::INFINITY.copysign(x as f32) } else { rounded as f32 }
    }

    /// Of an integer, which f64 need not hold: first to 50 digits, the last of which says whether anything was cut off.
    fn round_int(&self, x: i128) -> f32 {
        let cut = (128 - x.unsigned_abs().leading_zeros()).saturating_sub(50);
        let rest = i128::from(x.unsigned_abs() & ((1 << cut) - 1) != 0);
        let odd = (x.unsigned_abs() >> cut) as i128 | rest;
        self.round((odd << cut) as f64 * x.signum() as f64)
    }

    fn bits(&self, x: f32) -> u16 {
        if x.is_nan() {
            return 0x7fff;
        }
        let (x, sign) = (self.round(x.into()), u16::from(x.is_sign_negative()) << 15);
        let explicit = self.digits - 1;
        let top = ((1u32 << (15 - explicit)) - 1) as u16;
        if x.is_infinite() {
            return sign | top << explicit;
        }
        let magnitude = f64::from(x.abs());
        let normal = self.smallest + explicit as i32;
        let exponent = if x == 0.0 { normal } else { ((magnitude.to_bits() >> 52) as i32 - 1023).max(normal) };
        let units = (magnitude / 2f64.powi(exponent - explicit as i32)) as u16;
        let field = if units >> explicit == 0 { 0 } else { (exponent - normal + 1) as u16 };
        sign | field << explicit | units & ((1 << explicit) - 1)
    }

    fn of_bits(&self, bits: u16) -> f32 {
        let explicit = self.digits - 1;
        let (field, units) = ((bits & 0x7fff) >> explicit, bits & ((1 << explicit) - 1));
        let top = ((1u32 << (15 - explicit)) - 1) as u16;
        let magnitude = match field {
            f if f == top && units == 0 => f64::INFINITY,
            f if f == top => f64::NAN,
            0 => f64::from(units) * 2f64.powi(self.smallest),
            f => f64::from(units | 1 << explicit) * 2f64.powi(self.smallest + i32::from(f) - 1),
        };
        (if bits >> 15 == 1 { -magnitude } else { magnitude }) as f32
    }
}

macro_rules! halves {
    ($($half:ident $of:ident $of_int:ident $bits_of:ident $of_bits:ident $load:ident $store:ident;)*) => {$(
        pub fn $of(x: f64) -> f32 {
            $half.round(x)
        }
        pub fn $of_int(x: i128) -> f32 {
            $half.round_int(x)
        }
        pub fn $bits_of(x: f32) -> u16 {
            $half.bits(x)
        }
        pub fn $of_bits(bits: u16) -> f32 {
            $half.of_bits(bits)
        }
        pub fn $load(bits: u64) -> f32 {
            $half.of_bits(bits as u16)
        }
        pub fn $store(x: f32) -> u64 {
            $half.bits(x).into()
        }
    )*};
}
halves! {
    F16 f16_of f16_of_int bits_of_f16 f16_of_bits load_f16 store_f16;
    BF16 bf16_of bf16_of_int bits_of_bf16 bf16_of_bits load_bf16 store_bf16;
}

/// Whether an f16 of this value is a normal number.
pub fn f16_is_normal(x: f32) -> bool {
    x.is_finite() && x.abs() >= 2f32.powi(-14)
}

/// Whether an f16 of this value is below the normal numbers.
pub fn f16_is_subnormal(x: f32) -> bool {
    x != 0.0 && x.abs() < 2f32.powi(-14)
}

/// Against the crate `half`, whose conversions from f32 and to f32 are exact.
#[test]
fn halves_are_those_of_the_crate() {
    use lanecraft::{bf16, f16};
    for bits in 0..=u16::MAX {
        for (ours, theirs) in [(f16_of_bits(bits), f16::from_bits(bits).to_f32()), (bf16_of_bits(bits), bf16::from_bits(bits).to_f32())] {
            assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(), "{bits:x}: {ours} {theirs}");
        }
        for high in 0..64_u32 {
            let x = f32::from_bits((u32::from(bits) << 16) | (high * 0x0fff));
            if !x.is_nan() {
                assert_eq!(bits_of_f16(x), f16::from_f32(x).to_bits(), "{x}");
                assert_eq!(bits_of_bf16(x), bf16::from_f32(x).to_bits(), "{x}");
            }
        }
    }
    // Just above a tie: two roundings would go down.
    assert_eq!(bf16_of_int((1 << 62) + (1 << 54) + 1), 2f32.powi(62) + 2f32.powi(55));
    assert_eq!(f16_of(1.0 + 2f64.powi(-11) + 2f64.powi(-50)), 1.0 + 2f32.powi(-10));
}
