//! f64 functions with about twice the digits, checked against CORE-MATH's correctly rounded ones.
//!
//! CORE-MATH (Sibidanov, Zimmermann, Glondu, ARITH 2022) says which f64 is nearest; the double-double value says by how
//! much it is off, so that errors come in fractions of an ULP. A value that does not round to CORE-MATH's is an error of
//! these files, and reported as one.

mod erf;
mod exp;
mod inverse;
mod inverse_hyperbolic;
mod log;
mod pow;
mod root;
mod trig;

pub use erf::{erf, erfc};
pub use exp::{cosh, exp, exp_m1, exp2, sigmoid, sinh, tanh};
pub use inverse::{acos, asin, atan, atan2};
pub use inverse_hyperbolic::{acosh, asinh, atanh};
pub use log::{ln, ln_1p, log2, log10};
pub use pow::powf;
pub use root::{cbrt, hypot, rsqrt};
pub use trig::{cos, sin, tan};

use crate::double_double::DoubleDouble;

/// A function's value: `value * 2^-scale`.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    /// The value, scaled to where neither part over- or underflows.
    pub value: DoubleDouble,
    /// The power of two that it is scaled by.
    pub scale: i32,
    /// The f64 nearest to the value, by CORE-MATH.
    pub nearest: f64,
}

impl Exact {
    /// A value that the nearest f64 is as good as.
    pub const fn is(nearest: f64) -> Self {
        Self { value: DoubleDouble::new(nearest, 0.0), scale: 0, nearest }
    }

    /// A value far from the ends of the exponent's range.
    const fn unscaled(value: DoubleDouble, nearest: f64) -> Self {
        Self { value, scale: 0, nearest }
    }

    /// The same for `-x` of an odd function.
    fn with_sign_of(self, x: f64) -> Self {
        if x.is_sign_negative() { Self { value: -self.value, ..self } } else { self }
    }
}

/// ln 2, ln 10, pi and pi/2.
const LN2: DoubleDouble = DoubleDouble::new(f64::from_bits(0x3fe6_2e42_fefa_39ef), f64::from_bits(0x3c7a_bc9e_3b39_803f));
const LN10: DoubleDouble = DoubleDouble::new(f64::from_bits(0x4002_6bb1_bbb5_5516), f64::from_bits(0xbcaf_48ad_494e_a3e9));
const PI: DoubleDouble = DoubleDouble::new(f64::from_bits(0x4009_21fb_5444_2d18), f64::from_bits(0x3ca1_a626_3314_5c07));
const PI_2: DoubleDouble = DoubleDouble::new(f64::from_bits(0x3ff9_21fb_5444_2d18), f64::from_bits(0x3c91_a626_3314_5c07));

/// 1
fn one() -> DoubleDouble {
    DoubleDouble::from(1.0)
}

/// 2^n; 0 where that is far below the normal range.
fn power(n: i32) -> f64 {
    2.0_f64.powi(n)
}

/// `(m, e)` with `a = m 2^e` and m in [1, 2), for finite `a > 0`.
fn parts(a: f64) -> (f64, i32) {
    let (normal, offset) = if a < f64::MIN_POSITIVE { (a * power(54), 54) } else { (a, 0) };
    let bits = normal.to_bits();
    (f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000), (bits >> 52) as i32 - 1023 - offset)
}

#[cfg(test)]
mod tests;
