//! Integers that do not fit their type, where Rust's development build panics; NaN.

use super::{Finding, Place, SETTINGS, find};
use crate::dtype::{Dtype, DtypeId};
use crate::isa::scalar::Scalar;
use core::fmt;

/// An operation of the kernel language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// `a % b`
    Rem,
    /// `-a`
    Neg,
    /// `a.abs()`
    Abs,
    /// `a << b`
    Shl,
    /// `a >> b`
    Shr,
    /// `a.pow(b)`
    Pow,
    /// A method of floats.
    Method(&'static str),
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Add => "`+`",
            Self::Sub => "`-`",
            Self::Mul => "`*`",
            Self::Div => "`/`",
            Self::Rem => "`%`",
            Self::Neg => "`-`",
            Self::Abs => "`abs`",
            Self::Shl => "`<<`",
            Self::Shr => "`>>`",
            Self::Pow => "`pow`",
            Self::Method(name) => return write!(f, "`{name}`"),
        })
    }
}

impl Operation {
    /// `2147483647 + 1 is beyond i32`
    pub(super) fn overflow_text(self, dtype: DtypeId, [a, b]: [i128; 2]) -> String {
        let bits = dtype.size() * 8;
        match self {
            Self::Add => format!("{a} + {b} overflows {dtype}"),
            Self::Sub => format!("{a} - {b} overflows {dtype}"),
            Self::Mul => format!("{a} * {b} overflows {dtype}"),
            Self::Div => format!("{a} / {b} overflows {dtype}"),
            Self::Rem => format!("{a} % {b} overflows {dtype}"),
            Self::Neg => format!("-({a}) overflows {dtype}"),
            Self::Abs => format!("({a}).abs() overflows {dtype}"),
            Self::Shl => format!("{a} << {b} shifts by more than the {bits} bits of {dtype}"),
            Self::Shr => format!("{a} >> {b} shifts by more than the {bits} bits of {dtype}"),
            Self::Pow => format!("({a}).pow({b}) overflows {dtype}"),
            Self::Method(name) => format!("{name} overflows {dtype}"),
        }
    }

    /// The exact result, or None where it has more than 128 bits, or the operation has none.
    fn exact(self, a: i128, b: i128, bits: usize) -> Option<i128> {
        match self {
            Self::Add => a.checked_add(b),
            Self::Sub => a.checked_sub(b),
            Self::Mul => a.checked_mul(b),
            // By zero: reported as such.
            Self::Div => Some(if b == 0 { 0 } else { a / b }),
            // Rust calls it an overflow where the quotient is one.
            Self::Rem => Some(if b == -1 { a / b } else { 0 }),
            Self::Neg => a.checked_neg(),
            Self::Abs => a.checked_abs(),
            Self::Shl | Self::Shr => (0..bits as i128).contains(&b).then_some(0),
            Self::Pow => a.checked_pow(u32::try_from(b).ok()?),
            Self::Method(_) => Some(0),
        }
    }
}

/// The value of an integer.
fn integer<T: Dtype>(x: T) -> i128 {
    let x = x.widen();
    if is_signed(T::ID) { i128::from(T::to_i64(Scalar, x)) } else { i128::from(T::to_u64(Scalar, x)) }
}

fn is_signed(dtype: DtypeId) -> bool {
    matches!(dtype, DtypeId::I8 | DtypeId::I16 | DtypeId::I32 | DtypeId::I64)
}

/// Whether an integer type has a value.
fn holds(dtype: DtypeId, x: i128) -> bool {
    let bits = dtype.size() as u32 * 8;
    let (min, max) = if is_signed(dtype) { (-(1_i128 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    (min..=max).contains(&x)
}

/// Checks an operation on `a` and `b` (of one operand, twice the same) that gave `y`.
#[inline(never)]
pub(crate) fn check<T: Dtype, U: Dtype>(place: Place, operation: Operation, a: T, b: U, y: T) {
    if T::ID.is_int() {
        let (a, b) = (integer::<T>(a), integer::<U>(b));
        if !operation.exact(a, b, T::ID.size() * 8).is_some_and(|exact| holds(T::ID, exact)) {
            find(Finding::Overflow { operation, dtype: T::ID, values: [a, b] }, Some(place));
        }
    } else {
        check_nan::<T>(place, operation, is_nan::<T>(a) || is_nan::<U>(b), y);
    }
}

/// Checks a float that an operation gave, on operands of which one is a NaN or not.
#[inline(never)]
pub(crate) fn check_nan<T: Dtype>(place: Place, operation: Operation, of_nan: bool, y: T) {
    if !of_nan && is_nan::<T>(y) && SETTINGS.get().nan {
        find(Finding::Nan(operation), Some(place));
    }
}

/// Whether it is unequal to itself.
#[allow(clippy::eq_op, reason = "a NaN")]
pub(crate) fn is_nan<T: Dtype>(x: T) -> bool {
    x != x
}
