//! The tree of a program. Every expression knows its type, so that it can be replaced by another of that type.

/// A bound of the type parameter `T`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Int,
    Float,
    Num,
}

/// A dtype, or `T`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    Is(&'static str),
    T(Class),
}

pub const BOOL: Ty = Ty::Is("bool");
pub const I32: Ty = Ty::Is("i32");
pub const U32: Ty = Ty::Is("u32");
pub const F32: Ty = Ty::Is("f32");
pub const INTS: [Ty; 8] = [Ty::Is("i8"), Ty::Is("i16"), I32, Ty::Is("i64"), Ty::Is("u8"), Ty::Is("u16"), U32, Ty::Is("u64")];
pub const FLOATS: [Ty; 4] = [F32, Ty::Is("f64"), Ty::Is("f16"), Ty::Is("bf16")];

impl Class {
    pub fn name(self) -> &'static str {
        match self {
            Self::Int => "Int",
            Self::Float => "Float",
            Self::Num => "Num",
        }
    }

    /// The dtypes within the bound.
    pub fn dtypes(self) -> Vec<Ty> {
        match self {
            Self::Int => INTS.to_vec(),
            Self::Float => FLOATS.to_vec(),
            Self::Num => [&INTS[..], &FLOATS[..]].concat(),
        }
    }

    /// Whether the type may stand for a `T` of this bound.
    pub fn takes(self, ty: Ty) -> bool {
        match self {
            Self::Int => ty.is_int(),
            Self::Float => ty.is_float(),
            Self::Num => ty != BOOL,
        }
    }
}

impl Ty {
    pub fn name(self) -> &'static str {
        match self {
            Self::Is(name) => name,
            Self::T(_) => "T",
        }
    }
    pub fn is_concrete(self) -> bool {
        matches!(self, Self::Is(_))
    }
    pub fn is_float(self) -> bool {
        FLOATS.contains(&self) || self == Self::T(Class::Float)
    }
    pub fn is_int(self) -> bool {
        INTS.contains(&self) || self == Self::T(Class::Int)
    }
    pub fn is_half(self) -> bool {
        matches!(self, Self::Is("f16" | "bf16"))
    }
    /// Whether it is known to have negative values.
    pub fn is_signed(self) -> bool {
        self.is_float() || matches!(self, Self::Is(name) if name.starts_with('i'))
    }
    pub fn bits(self) -> u32 {
        match self {
            Self::Is(name) => name.trim_start_matches(char::is_alphabetic).parse().unwrap_or(1),
            Self::T(_) => 8,
        }
    }
    /// With `of` for `T`.
    pub fn with(self, of: Option<Self>) -> Self {
        match (self, of) {
            (Self::T(_), Some(of)) => of,
            (ty, _) => ty,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub ty: Ty,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// Digits with their sign; whether the kernel writes the suffix (plain Rust always does).
    Lit {
        digits: String,
        suffix: bool,
    },
    /// A variable, an element of one (`v3.1`), `true`, `false`.
    Var(String),
    /// `f32::MAX`, `T::ONE`
    Const(&'static str),
    Neg(Box<Expr>),
    Not(Box<Expr>),
    /// `+ - * & | ^ << >>` and, where no divisor is zero, `/ %`.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `== != < <= > >=`
    Compare(&'static str, Box<Expr>, Box<Expr>),
    /// `&& ||`
    Circuit(&'static str, Box<Expr>, Box<Expr>),
    Cast(Box<Expr>),
    If(Box<Expr>, Block, Block),
    Match(Box<Matched>),
    Block(Block),
    /// A method: the receiver and the arguments.
    Method(&'static str, Vec<Expr>),
    /// `a.overflowing_add(b).0`
    Overflowing(&'static str, Vec<Expr>, usize),
    /// `f32::from_bits(u)`
    FromBits(Box<Expr>),
    /// `dbg!(a)`, in plain Rust `a`: outside of debug mode it is nothing more.
    Dbg(Box<Expr>),
    /// `a.checked_add(b).unwrap_or(last)`; with no `last`, `.is_some()`.
    Checked(&'static str, Vec<Expr>, Option<Box<Expr>>),
    /// `array[index & (len - 1)]`, at times with `as usize`.
    Index(Place),
    /// A helper, by number; the type for its `T`; the value of its const generic (`3`, or that of the caller); of several results, which.
    Call {
        helper: usize,
        of: Option<Ty>,
        constant: Option<String>,
        args: Vec<Expr>,
        field: Option<usize>,
    },
    /// `c3(a, b)`
    Closure(String, Vec<Expr>),
    /// `'l: loop { .. break 'l value; }`, at most `limit` times and then `last`.
    Loop {
        label: String,
        counter: String,
        limit: usize,
        body: Block,
        last: Box<Expr>,
    },
}

/// An element of an array.
#[derive(Clone, Debug)]
pub struct Place {
    pub array: String,
    /// A power of 2.
    pub len: usize,
    pub index: Box<Expr>,
    pub as_usize: bool,
}

/// `match (a, b) { pattern if guard => body, .. }`
#[derive(Clone, Debug)]
pub struct Matched {
    pub values: Vec<Expr>,
    pub arms: Vec<Arm>,
}

/// `pattern if guard => body`
#[derive(Clone, Debug)]
pub struct Arm {
    pub pattern: String,
    pub guard: Option<Expr>,
    pub body: Block,
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub value: Option<Box<Expr>>,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    /// `let [mut] name[: ty] = value;`
    Let {
        name: String,
        mutable: bool,
        written: bool,
        value: Expr,
    },
    /// `let (a, (b, mut c)) = (x, (y, z));` or, as one name, `let mut t = (x, y);`; `grouped`: the values after the first are a tuple.
    Tuple {
        pattern: String,
        names: Vec<String>,
        grouped: bool,
        values: Vec<Expr>,
    },
    /// `const NAME: ty = digits;`
    Const {
        name: String,
        ty: Ty,
        digits: String,
    },
    /// `let name = |a: ty, ..| -> ty { value };`
    Closure {
        name: String,
        args: Vec<(String, Ty)>,
        value: Expr,
    },
    /// `let pattern = value else { jump };`
    LetElse {
        pattern: String,
        names: Vec<String>,
        value: Expr,
        otherwise: Block,
    },
    /// `place = value;` or `place += value;`
    Assign {
        place: String,
        op: Option<&'static str>,
        value: Expr,
    },
    /// `let mut name = [a, b];` or, with a count, `[a; count]`.
    Array {
        name: String,
        mutable: bool,
        values: Vec<Expr>,
        count: Option<usize>,
    },
    /// `a[i] = value;` or `a[i] += value;`
    AssignAt {
        place: Place,
        op: Option<&'static str>,
        value: Expr,
    },
    /// `let mut name = S { f0: a, f1: b };` or `S { f0: a, ..base }`.
    Struct {
        name: String,
        fields: Vec<(usize, Expr)>,
        base: Option<String>,
    },
    /// `let mut name = hs(a, b, from);`: a helper that takes a struct and gives one.
    StructCall {
        name: String,
        args: Vec<Expr>,
        from: String,
    },
    /// `if let Some(name) = a.checked_add(b) {} else {}`
    IfSome {
        name: String,
        method: &'static str,
        args: Vec<Expr>,
        then: Block,
        otherwise: Option<Block>,
    },
    /// `for name in array {}`
    Each {
        label: String,
        name: String,
        array: String,
        body: Block,
    },
    If(Expr, Block, Option<Block>),
    /// `if let pattern = value {} else {}`
    IfLet(String, Expr, Block, Option<Block>),
    Match(Matched),
    /// `for name in range {}`, with a label; `bound`: a limit that differs by lane, from 0 to 7.
    For {
        label: String,
        name: String,
        range: Range,
        body: Block,
    },
    /// `while counter < limit && condition {}`, or `while let` with the counter alone; the counter comes first.
    While {
        label: String,
        counter: String,
        limit: usize,
        cond: Option<Expr>,
        body: Block,
    },
    /// `break 'label value;`, `continue 'label;`
    Jump(&'static str, String, Option<Expr>),
    /// One value, or a tuple of several.
    Return(Vec<Expr>),
}

/// The range of a `for`, of some integer type.
#[derive(Clone, Debug)]
pub struct Range {
    pub ty: Ty,
    /// `0..3`, `(-1..=2).rev()`, with `#` for the bound.
    pub text: String,
    /// An expression of the type, taken `& 7`.
    pub bound: Option<Expr>,
}

/// A compile-time parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    pub ty: Ty,
    pub values: Vec<&'static str>,
    pub run_time: bool,
    /// Whether it is a const generic and no argument.
    pub is_const: bool,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub generic: Option<Class>,
    /// Of a helper: whether it has `const N: i32`.
    pub constant: bool,
    /// Whether it takes a `struct S` behind the other operands, `s0`, and gives one: its results are the fields.
    pub of_struct: bool,
    pub args: Vec<(String, Ty)>,
    pub parameters: Vec<Parameter>,
    pub results: Vec<Ty>,
    pub stmts: Vec<Stmt>,
    /// The values at the end of the body.
    pub values: Vec<Expr>,
}

#[derive(Clone, Debug)]
pub struct Program {
    /// The types of the fields of `struct S`, where there is one.
    pub fields: Vec<Ty>,
    /// With it, the helper that takes one and gives one.
    pub on_struct: Option<Function>,
    pub helpers: Vec<Function>,
    pub main: Function,
    /// What the main function's `T` ranges over.
    pub dtypes: Vec<Ty>,
    /// The option `gang`.
    pub gang: Option<u32>,
    /// Whether it has fused multiply-adds, openly or inside a math function.
    pub fused: bool,
}
