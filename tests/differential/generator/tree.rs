//! The tree of a program.

/// A dtype.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ty(pub &'static str);

pub const BOOL: Ty = Ty("bool");
pub const I32: Ty = Ty("i32");
pub const INTS: [Ty; 8] = [Ty("i8"), Ty("i16"), I32, Ty("i64"), Ty("u8"), Ty("u16"), Ty("u32"), Ty("u64")];
pub const FLOATS: [Ty; 2] = [Ty("f32"), Ty("f64")];

impl Ty {
    pub fn is_float(self) -> bool {
        FLOATS.contains(&self)
    }
    pub fn is_int(self) -> bool {
        INTS.contains(&self)
    }
    pub fn is_signed(self) -> bool {
        !self.0.starts_with('u') && self != BOOL
    }
    pub fn bits(self) -> u32 {
        self.0[1..].parse().unwrap_or(1)
    }
}

#[derive(Clone, Debug)]
pub enum Expr {
    /// Digits with their sign; whether the kernel writes the suffix (plain Rust always does).
    Lit {
        digits: String,
        ty: Ty,
        suffix: bool,
    },
    /// A variable or an element of one: `v3`, `v3.1`.
    Var(String),
    Neg(Box<Self>, Ty),
    Not(Box<Self>),
    /// `+ - * & | ^ << >>` and, where no divisor is zero, `/ %`.
    Binary(&'static str, Box<Self>, Box<Self>, Ty),
    /// `== != < <= > >=`
    Compare(&'static str, Box<Self>, Box<Self>),
    /// `&& ||`
    Circuit(&'static str, Box<Self>, Box<Self>),
    Cast(Box<Self>, Ty),
    If(Box<Self>, Block, Block),
    Match(Box<Self>, Vec<Arm>),
    Block(Block),
    /// A method, of what type.
    Method(&'static str, Vec<Self>, Ty),
    /// A helper, by number.
    Call(usize, Vec<Self>),
}

/// `pattern if guard => value`
#[derive(Clone, Debug)]
pub struct Arm {
    pub pattern: String,
    pub guard: Option<Expr>,
    pub value: Expr,
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
        ty: Option<Ty>,
        value: Expr,
    },
    /// `let (a, b) = (x, y);` or, as one name, `let mut t = (x, y);`
    Tuple {
        pattern: String,
        values: Vec<Expr>,
    },
    /// `place = value;` or `place += value;`
    Assign {
        place: String,
        op: Option<&'static str>,
        value: Expr,
        ty: Ty,
    },
    If(Expr, Block, Option<Block>),
    /// `for name in range {}`, with a label.
    For {
        label: String,
        name: String,
        range: String,
        body: Block,
    },
    /// `while condition {}`, the condition false in the end.
    While {
        label: String,
        cond: Expr,
        body: Block,
    },
    /// `break 'label;`, `continue 'label;`
    Jump(String),
    Return(Expr),
    /// `(a, b)` returned.
    ReturnAll(Vec<Expr>),
}

#[derive(Clone, Debug)]
pub struct Function {
    pub args: Vec<(String, Ty)>,
    pub results: Vec<(String, Ty)>,
    pub body: Block,
    /// The values at the end of `body`.
    pub values: Vec<Expr>,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub helpers: Vec<Function>,
    pub main: Function,
    /// Whether it has fused multiply-adds, openly or inside a math function.
    pub fused: bool,
}
