//! The operators, and what is done with `Option`s.

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// Infix operators without control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named as its operator trait")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinaryOp {
    /// The function of this name in the run time's `lane` module.
    pub const fn function(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mul => "mul",
            Self::Div => "div",
            Self::Rem => "rem",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Shl => "shl",
            Self::Shr => "shr",
            Self::Eq => "eq",
            Self::Ne => "ne",
            Self::Lt => "lt",
            Self::Le => "le",
            Self::Gt => "gt",
            Self::Ge => "ge",
        }
    }

    /// `+`
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }
}

/// What makes an `Option`, and what asks one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionOp {
    /// `Some(a)`
    Some,
    /// `None`
    None,
    /// `a.is_some()`
    IsSome,
    /// `a.is_none()`
    IsNone,
    /// `a.unwrap_or(b)`
    UnwrapOr,
}

impl OptionOp {
    /// The methods among them.
    pub const METHODS: &[Self] = &[Self::IsNone, Self::IsSome, Self::UnwrapOr];

    /// Its name in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Some => "Some",
            Self::None => "None",
            Self::IsSome => "is_some",
            Self::IsNone => "is_none",
            Self::UnwrapOr => "unwrap_or",
        }
    }

    /// The function in the run time's `lane` module.
    pub const fn function(self) -> &'static str {
        match self {
            Self::Some => "some",
            Self::None => "none",
            other => other.name(),
        }
    }

    /// Arguments, the receiver included.
    pub const fn arity(self) -> usize {
        match self {
            Self::None => 0,
            Self::Some | Self::IsSome | Self::IsNone => 1,
            Self::UnwrapOr => 2,
        }
    }
}
