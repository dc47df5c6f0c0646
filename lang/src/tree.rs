//! The kernel language's own tree.

mod operators;

pub use operators::{BinaryOp, OptionOp, UnaryOp};

use crate::builtin::Builtin;
use crate::dtype::Dtype;
use crate::error::Source;
use proc_macro2::Ident;

/// A variable, unique within a function whatever its name.
pub type VarId = usize;

/// A loop, unique within a function.
pub type LoopId = usize;

/// A variable of a function.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name, with the span of its declaration.
    pub name: Ident,
    /// The `mut` of its declaration.
    pub mutable: Option<syn::Token![mut]>,
}

/// A type as the user writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `f32`
    Dtype(Dtype),
    /// `T`: a type parameter, by index.
    Param(usize),
    /// `(f32, T)`; `()` is the empty tuple.
    Tuple(Vec<Self>),
    /// `[f32; 4]`
    Array(Box<Self>, Length),
    /// `Option<f32>`
    Option(Box<Self>),
    /// A struct, or another name of a type: only rustc knows what it is.
    Named(Box<syn::Type>),
    /// `&[T]`, `ViewMut<T, 2>`: an array operand of a block kernel.
    View(Box<View>),
    /// `_`, and whatever only rustc can know.
    Infer,
}

/// The length of an array: a literal, or a constant that rustc knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length(pub Box<syn::Expr>);

impl Length {
    /// Its value, where it is a literal.
    pub fn known(&self) -> Option<u64> {
        match &*self.0 {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) => n.base10_parse().ok(),
            _ => None,
        }
    }
}

/// A part of a value that has a name or a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Member {
    /// `.0`
    Element(usize),
    /// `.x`
    Named(Ident),
    /// What an `Option` holds.
    Payload,
}

/// From a value to a part of it.
#[derive(Clone, Debug)]
pub enum Step {
    /// `.0`, `.x`
    Member(Member),
    /// `[i]`
    Index(Expr),
}

/// What a pattern says of a value's form, apart from the values inside.
#[derive(Clone, Debug)]
pub enum Shape {
    /// `P { x, .. }`, `P(x, y)`
    Struct {
        /// The struct.
        path: syn::Path,
        /// The fields that it names.
        members: Vec<Member>,
        /// Whether it ends with `..`.
        rest: bool,
        /// `P(..)`
        is_tuple: bool,
    },
    /// `[a, b]`, by how many elements there are.
    Array(usize),
    /// What a `for` runs over: an array.
    Iterated,
}

/// The type of an array operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Its elements.
    pub element: Type,
    /// How many axes it has.
    pub rank: usize,
    /// Whether it is written.
    pub mutable: bool,
    /// Whether it is written as a slice, `&[T]`.
    pub slice: bool,
}

/// `{ .. }`
#[derive(Clone, Debug)]
pub struct Block {
    /// Its statements, the last one's value apart.
    pub stmts: Vec<Stmt>,
    /// The value at its end.
    pub value: Option<Box<Expr>>,
    /// Where it stands.
    pub source: Source,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `let pat: ty = init;`
    Let {
        /// What is bound.
        pat: Pat,
        /// The type, where one is written.
        ty: Option<Type>,
        /// The value.
        init: Expr,
    },
    /// `place = value;` or, with an operation, `place += value;`
    Assign {
        /// What is written.
        place: Place,
        /// The operation of a compound assignment.
        op: Option<BinaryOp>,
        /// The right side.
        value: Expr,
        /// Where it stands.
        source: Source,
    },
    /// `view[index] = value;` or, with an operation, `view[index] += value;`
    Store {
        /// What is written.
        element: Element,
        /// The operation of a compound assignment.
        op: Option<BinaryOp>,
        /// The right side.
        value: Expr,
        /// Where it stands.
        source: Source,
    },
    /// `atomic_add(&mut view[index], value);` and its kin
    Update {
        /// What is updated.
        element: Element,
        /// The operation's name in the run time.
        by: &'static str,
        /// What it is combined with.
        value: Expr,
        /// Where it stands.
        source: Source,
    },
    /// `acc = reduce(acc, value, |a, b| ..);`
    Reduce(Box<Reduce>),
    /// An expression whose value is dropped.
    Expr {
        /// The expression.
        expr: Expr,
        /// Whether a `;` stands behind it. Without one it is an `if` or a block, and has no value.
        semi: bool,
    },
    /// `const NAME: T = ..;`, as it stands.
    Const(Box<syn::ItemConst>),
    /// `struct P { .. }`
    Struct(Box<syn::ItemStruct>),
    /// A pattern took this value to be of a form.
    Shape {
        /// The form.
        shape: Shape,
        /// The value: a variable, or a part of one.
        value: Expr,
        /// Where the pattern stands.
        source: Source,
    },
}

/// A reduction by an operation of the kernel's own.
#[derive(Clone, Debug)]
pub struct Reduce {
    /// The variable.
    pub var: VarId,
    /// What an iteration adds.
    pub value: Expr,
    /// What the operation calls the values that it combines.
    pub args: [Pat; 2],
    /// The operation.
    pub body: Block,
    /// Where it stands.
    pub source: Source,
}

/// What an assignment writes: a variable, or a part of one.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub var: VarId,
    /// From the variable to the part.
    pub steps: Vec<Step>,
    /// Where it stands.
    pub source: Source,
}

/// `view[i]`, `view[[i, j]]`
#[derive(Clone, Debug)]
pub struct Element {
    /// The view.
    pub view: VarId,
    /// The index on each axis.
    pub index: Vec<Expr>,
    /// What stands for an element beyond the edge; `None` where that is an error.
    pub edge: Option<Edge>,
    /// Whether the user promises that each iteration has another element: `view[unsafe { disjoint(i) }]`.
    pub disjoint: bool,
    /// Where it stands.
    pub source: Source,
}

/// What stands for an element beyond the edge.
#[derive(Clone, Debug)]
pub enum Edge {
    /// `x.at_clamp(..)`
    Clamp,
    /// `x.at_wrap(..)`
    Wrap,
    /// `x.at_mirror(..)`
    Mirror,
    /// `x.at_or(.., value)`
    Or(Box<Expr>),
}

impl Edge {
    /// Its name in the run time.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Clamp => "Clamp",
            Self::Wrap => "Wrap",
            Self::Mirror => "Mirror",
            Self::Or(_) => "Or",
        }
    }
}

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pat {
    /// `name`, `mut name`
    Var(VarId),
    /// `_`
    Wild(Source),
    /// `(a, b)`
    Tuple(Vec<Self>, Source),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub source: Source,
    /// Its number within the function, by which the check keeps its type.
    pub id: usize,
}

/// The forms of an expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `3`, `3u8`; with the sign of a `-` right before it, so that `-128i8` is one literal.
    Int(i128, Option<Dtype>),
    /// `0.5`, `0.5f32`: the digits without the suffix, and the sign.
    Float(String, Option<Dtype>),
    /// `true`
    Bool(bool),
    /// A local variable.
    Var(VarId),
    /// A constant: the same value for all lanes.
    Const(syn::Path),
    /// `-a`, `!a`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a && b`, and with `true`, `a || b`.
    ShortCircuit {
        /// `||` rather than `&&`.
        or: bool,
        /// The side that is always evaluated.
        left: Box<Expr>,
        /// The side that is evaluated where the left does not decide.
        right: Box<Expr>,
    },
    /// `a as T`
    Cast(Box<Expr>, Type),
    /// `if c { .. } else { .. }`
    If {
        /// The condition.
        cond: Box<Expr>,
        /// Where it holds.
        then: Block,
        /// Where it does not.
        otherwise: Option<Block>,
    },
    /// `{ .. }`
    Block(Block),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `a.0`, `a.x`
    Field(Box<Expr>, Member),
    /// `[a, b]`
    Array(Vec<Expr>),
    /// `[a; 4]`
    Repeat(Box<Expr>, Length),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `a.len()`
    Len(Box<Expr>),
    /// `P { x: a, ..b }`, `P(a, b)`
    Struct(Box<StructLiteral>),
    /// `Some(a)`, `None`, `a.is_some()`, `a.unwrap_or(b)`
    Option(OptionOp, Vec<Expr>),
    /// `dbg!(a)`, and `a` as it was written: the value, which debug mode prints.
    Dbg(Box<Expr>, String),
    /// `x.exp()`, `T::exp(x)`; with the type before `::`, where one is written.
    Builtin(&'static Builtin, Vec<Expr>, Option<Type>),
    /// `T::from_bits(x)`
    FromBits(Type, Box<Expr>),
    /// `helper(a, b)`
    Call(syn::Path, Vec<Expr>),
    /// `view[i]`
    Element(Element),
    /// `scan(&mut sum, value)`: the running sum.
    Scan(VarId, Box<Expr>),
    /// `view.len()`, `view.dim(1)`: the length of an axis.
    Length(VarId, usize),
    /// `loop`, `while`, `for`
    Loop(Box<Loop>),
    /// `break`, `break 'label`, with the value of a `loop`.
    Break(LoopId, Option<Box<Expr>>),
    /// `continue`, `continue 'label`
    Continue(LoopId),
    /// `return value`
    Return(Box<Expr>),
}

/// `P { x: a, ..b }`, `P(a, b)`
#[derive(Clone, Debug)]
pub struct StructLiteral {
    /// The struct.
    pub path: syn::Path,
    /// The fields, in the order in which they are written.
    pub fields: Vec<(Member, Expr)>,
    /// `..base`
    pub base: Option<Expr>,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Its number.
    pub id: LoopId,
    /// Its label, where it has one.
    pub label: Option<syn::Lifetime>,
    /// What keeps it going.
    pub kind: LoopKind,
    /// What it repeats.
    pub body: Block,
}

/// What keeps a loop going.
#[derive(Clone, Debug)]
pub enum LoopKind {
    /// `loop`
    Forever,
    /// `while cond`
    While(Expr),
    /// `for var in range`
    For(Box<Range>),
    /// `for var in lanes(range)`, `for (a, b) in lanes((range, range))`: the last range is that of the lanes.
    Lanes(Vec<Range>),
}

/// `start..end`, `start..=end`, with `.rev()` and then `.step_by(n)`.
#[derive(Clone, Debug)]
pub struct Range {
    /// The variable; `None` for `_`.
    pub var: Option<VarId>,
    /// The first value, or with `rev` the last.
    pub start: Expr,
    /// The end.
    pub end: Expr,
    /// Whether `end` belongs to it.
    pub inclusive: bool,
    /// Whether it counts down.
    pub rev: bool,
    /// The distance of its values, where `step_by` gives one.
    pub step: Option<Distance>,
    /// The number of expression that stands for the variable's type.
    pub id: usize,
}

/// How far apart the values of a range are: 1 or more.
#[derive(Clone, Debug)]
pub enum Distance {
    /// A literal.
    Literal(i128),
    /// A constant or a parameter, of loops over lanes alone.
    Named(Box<Expr>),
}

impl Range {
    /// What `step_by` names.
    pub fn named_step(&self) -> Option<&Expr> {
        match &self.step {
            Some(Distance::Named(e)) => Some(e),
            _ => None,
        }
    }

    /// How far apart its values are, if that is a literal, or not said.
    pub fn literal_step(&self) -> Option<i128> {
        match self.step {
            None => Some(1),
            Some(Distance::Literal(n)) => Some(n),
            Some(Distance::Named(_)) => None,
        }
    }
}
