//! The dtypes, by name: what `#[kernel(dtypes(..))]` accepts.

use core::fmt;

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dtype {
    /// `bool`
    Bool,
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `f16`: stored as such, computed with in `f32`
    F16,
    /// `bf16`: stored as such, computed with in `f32`
    Bf16,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

use Dtype::{Bf16, Bool, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};

/// A named set of dtypes.
pub const FAMILIES: &[(&str, &[Dtype])] =
    &[("float", &[F16, Bf16, F32, F64]), ("int", &[I8, I16, I32, I64]), ("uint", &[U8, U16, U32, U64]), ("all", Dtype::ALL)];

impl Dtype {
    /// Every dtype.
    pub const ALL: &[Self] = &[Bool, I8, I16, I32, I64, U8, U16, U32, U64, F16, Bf16, F32, F64];

    /// Rust's name: `f32`.
    pub const fn name(self) -> &'static str {
        match self {
            Bool => "bool",
            I8 => "i8",
            I16 => "i16",
            I32 => "i32",
            I64 => "i64",
            U8 => "u8",
            U16 => "u16",
            U32 => "u32",
            U64 => "u64",
            F16 => "f16",
            Bf16 => "bf16",
            F32 => "f32",
            F64 => "f64",
        }
    }

    /// NumPy's name: `float32`.
    pub const fn numpy_name(self) -> &'static str {
        match self {
            Bool => "bool",
            I8 => "int8",
            I16 => "int16",
            I32 => "int32",
            I64 => "int64",
            U8 => "uint8",
            U16 => "uint16",
            U32 => "uint32",
            U64 => "uint64",
            F16 => "float16",
            Bf16 => "bfloat16",
            F32 => "float32",
            F64 => "float64",
        }
    }

    /// The dtype of a Rust name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|d| d.name() == name)
    }

    /// `f16`, `bf16`: computed with in `f32`, rounded where they are stored.
    pub const fn is_storage(self) -> bool {
        matches!(self, F16 | Bf16)
    }

    /// `f16`, `bf16`, `f32`, `f64`
    pub const fn is_float(self) -> bool {
        matches!(self, F16 | Bf16 | F32 | F64)
    }

    /// `i8..i64`, `u8..u64`
    pub const fn is_int(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64)
    }

    /// `i8..i64` and the floats
    pub const fn is_signed(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64 | F16 | Bf16 | F32 | F64)
    }

    /// The unsigned integer of the size of an integer dtype; another dtype itself.
    pub const fn unsigned(self) -> Self {
        match self {
            I8 => U8,
            I16 => U16,
            I32 => U32,
            I64 => U64,
            Bool | U8 | U16 | U32 | U64 | F16 | Bf16 | F32 | F64 => self,
        }
    }

    /// The smallest and the largest value of an integer dtype.
    pub const fn int_range(self) -> Option<(i128, i128)> {
        Some(match self {
            I8 => (i8::MIN as i128, i8::MAX as i128),
            I16 => (i16::MIN as i128, i16::MAX as i128),
            I32 => (i32::MIN as i128, i32::MAX as i128),
            I64 => (i64::MIN as i128, i64::MAX as i128),
            U8 => (0, u8::MAX as i128),
            U16 => (0, u16::MAX as i128),
            U32 => (0, u32::MAX as i128),
            U64 => (0, u64::MAX as i128),
            Bool | F16 | Bf16 | F32 | F64 => return None,
        })
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a type can do: the bounds that a kernel's type parameter can have, from weak to strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Load, store, compare.
    Dtype,
    /// `& | ^ !`
    Logic,
    /// Arithmetic.
    Num,
    /// Unary `-`, `abs`.
    Signed,
    /// Shifts, on top of `Num` and `Logic`.
    Int,
    /// Math functions, on top of `Signed`.
    Float,
}

impl Class {
    /// Every class.
    pub const ALL: &[Self] = &[Self::Dtype, Self::Logic, Self::Num, Self::Signed, Self::Int, Self::Float];

    /// The trait's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dtype => "Dtype",
            Self::Logic => "Logic",
            Self::Num => "Num",
            Self::Signed => "Signed",
            Self::Int => "Int",
            Self::Float => "Float",
        }
    }

    /// Whether `dtype` has this class.
    pub const fn contains(self, dtype: Dtype) -> bool {
        match self {
            Self::Dtype => true,
            Self::Logic => dtype.is_int() || matches!(dtype, Bool),
            Self::Num => !matches!(dtype, Bool),
            Self::Signed => dtype.is_signed(),
            Self::Int => dtype.is_int(),
            Self::Float => dtype.is_float(),
        }
    }

    /// Whether a type of this class has class `other` as well, by the traits' supertraits.
    pub const fn implies(self, other: Self) -> bool {
        use Class::{Float, Int, Logic, Num, Signed};
        matches!((self, other), (_, Self::Dtype) | (Int | Logic, Logic) | (Int | Float | Signed | Num, Num) | (Float | Signed, Signed))
            || self as u8 == other as u8
    }
}
