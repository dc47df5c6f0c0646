//! The methods of the kernel language.

use crate::dtype::Class;

/// What a built-in method gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// A value of the receiver's type.
    Same,
    /// A `bool`.
    Bool,
    /// The bits of the receiver.
    Bits,
}

/// A built-in method: `x.name(args)`, `T::name(x, args)`.
#[derive(Debug)]
pub struct Builtin {
    /// Its name, in Rust and in the run time's `lane` module.
    pub name: &'static str,
    /// Arguments, the receiver included; all have the receiver's type.
    pub arity: usize,
    /// What the receiver must be.
    pub class: Class,
    /// What it gives.
    pub gives: Gives,
}

const fn builtin(name: &'static str, arity: usize, class: Class, gives: Gives) -> Builtin {
    Builtin { name, arity, class, gives }
}

/// Every built-in method. docs/language.md lists them; a test compares the two.
pub const BUILTINS: &[Builtin] = &[
    builtin("abs", 1, Class::Signed, Gives::Same),
    builtin("ceil", 1, Class::Float, Gives::Same),
    builtin("clamp", 3, Class::Num, Gives::Same),
    builtin("copysign", 2, Class::Float, Gives::Same),
    builtin("exp", 1, Class::Float, Gives::Same),
    builtin("floor", 1, Class::Float, Gives::Same),
    builtin("is_nan", 1, Class::Float, Gives::Bool),
    builtin("ln", 1, Class::Float, Gives::Same),
    builtin("max", 2, Class::Num, Gives::Same),
    builtin("min", 2, Class::Num, Gives::Same),
    builtin("mul_add", 3, Class::Float, Gives::Same),
    builtin("round", 1, Class::Float, Gives::Same),
    builtin("round_ties_even", 1, Class::Float, Gives::Same),
    builtin("sqrt", 1, Class::Float, Gives::Same),
    builtin("tanh", 1, Class::Float, Gives::Same),
    builtin("to_bits", 1, Class::Float, Gives::Bits),
    builtin("trunc", 1, Class::Float, Gives::Same),
];

/// `f32::from_bits(x)`, `T::from_bits(x)`: the one built-in that is only a function, since its argument is not the float.
pub const FROM_BITS: &str = "from_bits";

/// The method of a name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|b| b.name == name)
}
