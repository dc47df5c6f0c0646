//! The methods of the kernel language.

use crate::dtype::{Class, Dtype};

/// What a built-in method takes behind the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A value of the receiver's type.
    Same,
    /// A value of this dtype, whatever the receiver is: a shift amount, an exponent.
    Always(Dtype),
}

/// What a built-in method gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// A value of the receiver's type.
    Same,
    /// A value of this dtype, whatever the receiver is.
    Always(Dtype),
    /// The bits of the receiver, a float.
    Bits,
    /// A value of the unsigned type of the receiver's size.
    Unsigned,
    /// A value of the receiver's type, and whether it wrapped.
    Overflowing,
    /// Two values of the receiver's type.
    Pair,
    /// An `Option` of the receiver's type.
    Checked,
}

/// A built-in method: `x.name(args)`, `T::name(x, args)`.
#[derive(Debug)]
pub struct Builtin {
    /// Its name, in Rust and in the run time's `lane` module.
    pub name: &'static str,
    /// What the receiver must be.
    pub class: Class,
    /// What it takes behind the receiver.
    pub takes: &'static [Takes],
    /// What it gives.
    pub gives: Gives,
    /// Whether it may divide an integer by zero, which has to be noted per lane.
    pub divides: bool,
}

impl Builtin {
    /// Arguments, the receiver included.
    pub const fn arity(&self) -> usize {
        self.takes.len() + 1
    }

    const fn dividing(self) -> Self {
        Self { divides: true, ..self }
    }
}

const fn row(name: &'static str, class: Class, takes: &'static [Takes], gives: Gives) -> Builtin {
    Builtin { name, class, takes, gives, divides: false }
}

use Class::{Float, Int, Num, Signed};
use Gives::{Bits, Checked, Overflowing, Pair, Same, Unsigned};
const BOOL: Gives = Gives::Always(Dtype::Bool);
const COUNT: Gives = Gives::Always(Dtype::U32);
const ONE: &[Takes] = &[Takes::Same];
const TWO: &[Takes] = &[Takes::Same, Takes::Same];
const U32: &[Takes] = &[Takes::Always(Dtype::U32)];
const I32: &[Takes] = &[Takes::Always(Dtype::I32)];

/// Every built-in method, by name. Each means what the method of that name means in Rust's standard library; where that one
/// exists for signed or for unsigned integers alone, it has the obvious meaning for the others too.
pub const BUILTINS: &[Builtin] = &[
    row("abs", Signed, &[], Same),
    row("abs_diff", Int, ONE, Unsigned),
    row("acos", Float, &[], Same),
    row("acosh", Float, &[], Same),
    row("asin", Float, &[], Same),
    row("asinh", Float, &[], Same),
    row("atan", Float, &[], Same),
    row("atan2", Float, ONE, Same),
    row("atanh", Float, &[], Same),
    row("cbrt", Float, &[], Same),
    row("ceil", Float, &[], Same),
    row("checked_add", Int, ONE, Checked),
    row("checked_div", Int, ONE, Checked),
    row("checked_mul", Int, ONE, Checked),
    row("checked_neg", Int, &[], Checked),
    row("checked_rem", Int, ONE, Checked),
    row("checked_shl", Int, U32, Checked),
    row("checked_shr", Int, U32, Checked),
    row("checked_sub", Int, ONE, Checked),
    row("clamp", Num, TWO, Same),
    row("copysign", Float, ONE, Same),
    row("cos", Float, &[], Same),
    row("cosh", Float, &[], Same),
    row("count_ones", Int, &[], COUNT),
    row("count_zeros", Int, &[], COUNT),
    row("div_euclid", Num, ONE, Same).dividing(),
    row("erf", Float, &[], Same),
    row("erfc", Float, &[], Same),
    row("exp", Float, &[], Same),
    row("exp2", Float, &[], Same),
    row("exp_m1", Float, &[], Same),
    row("floor", Float, &[], Same),
    row("fract", Float, &[], Same),
    row("hypot", Float, ONE, Same),
    row("is_finite", Float, &[], BOOL),
    row("is_infinite", Float, &[], BOOL),
    row("is_nan", Float, &[], BOOL),
    row("is_negative", Int, &[], BOOL),
    row("is_normal", Float, &[], BOOL),
    row("is_positive", Int, &[], BOOL),
    row("is_power_of_two", Int, &[], BOOL),
    row("is_sign_negative", Float, &[], BOOL),
    row("is_sign_positive", Float, &[], BOOL),
    row("is_subnormal", Float, &[], BOOL),
    row("leading_ones", Int, &[], COUNT),
    row("leading_zeros", Int, &[], COUNT),
    row("ln", Float, &[], Same),
    row("ln_1p", Float, &[], Same),
    row("log10", Float, &[], Same),
    row("log2", Float, &[], Same),
    row("max", Num, ONE, Same),
    row("min", Num, ONE, Same),
    row("mul_add", Float, TWO, Same),
    row("overflowing_add", Int, ONE, Overflowing),
    row("overflowing_mul", Int, ONE, Overflowing),
    row("overflowing_sub", Int, ONE, Overflowing),
    row("pow", Int, U32, Same),
    row("powf", Float, ONE, Same),
    row("powi", Float, I32, Same),
    row("recip", Float, &[], Same),
    row("rem_euclid", Num, ONE, Same).dividing(),
    row("reverse_bits", Int, &[], Same),
    row("rotate_left", Int, U32, Same),
    row("rotate_right", Int, U32, Same),
    row("round", Float, &[], Same),
    row("round_ties_even", Float, &[], Same),
    row("rsqrt", Float, &[], Same),
    row("saturating_add", Int, ONE, Same),
    row("saturating_mul", Int, ONE, Same),
    row("saturating_sub", Int, ONE, Same),
    row("sigmoid", Float, &[], Same),
    row("signum", Signed, &[], Same),
    row("sin", Float, &[], Same),
    row("sin_cos", Float, &[], Pair),
    row("sinh", Float, &[], Same),
    row("sqrt", Float, &[], Same),
    row("swap_bytes", Int, &[], Same),
    row("tan", Float, &[], Same),
    row("tanh", Float, &[], Same),
    row("to_bits", Float, &[], Bits),
    row("to_degrees", Float, &[], Same),
    row("to_radians", Float, &[], Same),
    row("trailing_ones", Int, &[], COUNT),
    row("trailing_zeros", Int, &[], COUNT),
    row("trunc", Float, &[], Same),
    row("unsigned_abs", Int, &[], Unsigned),
    row("wrapping_abs", Int, &[], Same),
    row("wrapping_add", Int, ONE, Same),
    row("wrapping_div", Int, ONE, Same).dividing(),
    row("wrapping_mul", Int, ONE, Same),
    row("wrapping_neg", Int, &[], Same),
    row("wrapping_pow", Int, U32, Same),
    row("wrapping_rem", Int, ONE, Same).dividing(),
    row("wrapping_shl", Int, U32, Same),
    row("wrapping_shr", Int, U32, Same),
    row("wrapping_sub", Int, ONE, Same),
];

/// Whether a function of the run time is a method of floats that gives a float by itself. (`powi` counts with integers on the way.)
pub fn is_method_of_floats(name: &str) -> bool {
    let is_float = |b: &Builtin| b.name == name && matches!((b.class, b.gives), (Float, Same));
    name != "powi" && BUILTINS.iter().any(is_float)
}

/// `f32::from_bits(x)`, `T::from_bits(x)`: the one built-in that is only a function, since its argument is not the float.
pub const FROM_BITS: &str = "from_bits";

/// The method of a name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|b| b.name == name)
}

/// What to write instead of a method that Rust has and the kernel language has not.
pub fn instead(name: &str) -> Option<String> {
    let or = |prefix: &str, rest: &str| find(&format!("{prefix}_{rest}")).map(|b| b.name);
    if let Some(rest) = name.strip_prefix("checked_") {
        return Some(match or("wrapping", rest) {
            Some(f) => format!("use `{f}`, and compare the operands where the result may not fit"),
            None => "compare the operands instead".to_owned(),
        });
    }
    let text = match name {
        "expm1" => "use `exp_m1`",
        "log1p" => "use `ln_1p`",
        "log" => "use `ln`, `log2` or `log10`",
        "is_sign_zero" | "is_zero" => "compare instead (`x == 0.0`)",
        "to_le" | "to_be" => "use `swap_bytes` where the order of bytes matters",
        "midpoint" => "write it out (`a + (b - a) / 2`)",
        "total_cmp" | "cmp" | "partial_cmp" => "compare with `<`, `<=`, `==`, because kernels have no `Ordering`",
        "unwrap" | "expect" => {
            "say what stands in where there is no value (`x.unwrap_or(0)`), or match it (`if let Some(y) = x { .. }`), because a lane cannot panic"
        }
        "map" | "and_then" | "ok_or" | "unwrap_or_else" | "unwrap_or_default" | "is_some_and" => {
            "match the value (`if let Some(y) = x { .. } else { .. }`)"
        }
        "clone" | "to_owned" => "use the value itself, because kernels hold plain values",
        "sum" | "product" | "fold" => "write the loop (`for i in lanes(0..x.len()) { s += x[i]; }`)",
        "into" | "try_into" => "convert with `as`",
        _ => return None,
    };
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{BUILTINS, instead};

    #[test]
    fn the_table_is_sorted() {
        assert!(BUILTINS.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn checked_methods_have_a_next_step() {
        assert!(instead("checked_abs").is_some_and(|s| s.contains("`wrapping_abs`")));
        assert!(instead("checked_ilog2").is_some());
        assert!(instead("exp").is_none());
    }

    #[test]
    fn what_sums_up_an_iterator_is_a_loop() {
        assert!(instead("sum").is_some_and(|s| s.contains("lanes(0..x.len())")));
    }
}
