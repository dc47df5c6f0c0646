//! Numbers as unevaluated sums of two f64: about 104 significant bits.
//!
//! Knuth's TwoSum and Dekker's product, as in Hida, Li and Bailey, "Library for double-double and quad-double arithmetic"
//! (2007). No fused multiply-add: the measured functions are made of it, so the measure had better not be.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `hi + lo`, with `hi` the sum rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleDouble {
    pub hi: f64,
    pub lo: f64,
}

impl DoubleDouble {
    pub const fn new(hi: f64, lo: f64) -> Self {
        Self { hi, lo }
    }

    /// `a + b`, exactly.
    pub fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        let part = hi - a;
        Self::new(hi, (a - (hi - part)) + (b - part))
    }

    /// `a + b`, exactly, where `a` is the larger.
    fn quick_sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        Self::new(hi, b - (hi - a))
    }

    /// `a * b`, exactly where nothing over- or underflows.
    pub fn product(a: f64, b: f64) -> Self {
        let ((a1, a2), (b1, b2)) = (split(a), split(b));
        let hi = a * b;
        Self::new(hi, ((a1 * b1 - hi) + a1 * b2 + a2 * b1) + a2 * b2)
    }

    /// The square root of a number that is not negative, by a step of Newton's method.
    pub fn sqrt(self) -> Self {
        let y = self.hi.sqrt();
        if y == 0.0 {
            return Self::new(y, 0.0);
        }
        Self::sum(y, (self - Self::product(y, y)).hi / (2.0 * y))
    }

    /// `self` times a power of two.
    pub fn scaled(self, power: f64) -> Self {
        Self::new(self.hi * power, self.lo * power)
    }
}

/// `a` as a sum of two numbers of 26 bits.
fn split(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a;
    let high = c - (c - a);
    (high, a - high)
}

impl From<f64> for DoubleDouble {
    fn from(value: f64) -> Self {
        Self::new(value, 0.0)
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.hi, -self.lo)
    }
}

impl Add for DoubleDouble {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (s, t) = (Self::sum(self.hi, other.hi), Self::sum(self.lo, other.lo));
        let s = Self::quick_sum(s.hi, s.lo + t.hi);
        Self::quick_sum(s.hi, s.lo + t.lo)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let p = Self::product(self.hi, other.hi);
        Self::quick_sum(p.hi, p.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let q1 = self.hi / other.hi;
        let r = self - other * q1.into();
        let q2 = r.hi / other.hi;
        let r = r - other * q2.into();
        let q3 = r.hi / other.hi;
        let q = Self::quick_sum(q1, q2);
        q + q3.into()
    }
}

#[cfg(test)]
mod tests {
    use super::DoubleDouble;

    #[test]
    fn a_third_has_twice_the_digits() {
        let third = DoubleDouble::from(1.0) / 3.0.into();
        // 1/3 = 0x1.5555555555555p-2 + 0x1.5555555555555p-56, rounded to each.
        assert_eq!(third, DoubleDouble::new(f64::from_bits(0x3fd5_5555_5555_5555), f64::from_bits(0x3c75_5555_5555_5555)));
        let one = third * 3.0.into();
        assert!((one.hi - 1.0 + one.lo).abs() < 1e-31);
    }

    #[test]
    fn a_root_has_twice_the_digits() {
        let root = DoubleDouble::from(2.0).sqrt();
        let square = root * root;
        assert!((square.hi - 2.0 + square.lo).abs() < 1e-31);
    }

    #[test]
    fn products_are_exact() {
        let p = DoubleDouble::product(1.0 + f64::EPSILON, 1.0 - f64::EPSILON);
        assert_eq!((p.hi, p.lo), (1.0, -f64::EPSILON * f64::EPSILON));
    }
}
