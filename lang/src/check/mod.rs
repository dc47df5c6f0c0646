//! Names are settled by the parser; here: mutability and types.
//!
//! Types are inferred as rustc infers them, so that an unsuffixed literal takes the type of what it meets. Two things stay
//! open, since a macro sees one function only: what a helper returns and what a constant is. An expression whose type hangs
//! on these is left to rustc's inference over the generated code, which has the same shape.
//!
//! The rules by subject: `rules` (expressions), `operations`, `aggregate`, `statements`; `mismatch` words what cannot be the same
//! type, `late` checks what waits for a type to be known.

mod aggregate;
mod infer;
mod late;
mod mismatch;
mod operations;
mod rules;
mod statements;

use crate::error::Errors;
use crate::model::Function;
use crate::tree::{Length, Type, VarId};
use infer::{Kind, Table, Ty};

/// The types found for a function's expressions and variables.
#[derive(Debug, Default)]
pub struct Types {
    exprs: Vec<(Type, Option<Open>)>,
    vars: Vec<Found>,
}

/// A type that may have parts that only rustc knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Open {
    /// A known type.
    Known(Type),
    /// What only rustc knows: the same number, the same type.
    Part(usize),
    /// A tuple.
    Tuple(Vec<Self>),
    /// An array.
    Array(Box<Self>, u64),
    /// An `Option`.
    Option(Box<Self>),
}

/// What is found of a variable.
#[derive(Debug)]
struct Found {
    ty: Type,
    parts: Option<Open>,
    /// Whether a literal in it hangs on what only rustc knows.
    open: bool,
    /// How many axes it has: 0 for what is no array of single values.
    rank: usize,
}

impl Types {
    /// The type of expression `id`; [`Type::Infer`] where only rustc knows.
    pub fn of(&self, id: usize) -> &Type {
        self.exprs.get(id).map_or(&Type::Infer, |(ty, _)| ty)
    }

    /// The same with its parts told apart; `None` for an array whose length only rustc knows.
    pub fn parts_of(&self, id: usize) -> Option<&Open> {
        self.exprs.get(id).and_then(|(_, parts)| parts.as_ref())
    }

    /// The type of a variable; [`Type::Infer`] where only rustc knows.
    pub fn of_var(&self, id: VarId) -> &Type {
        self.vars.get(id).map_or(&Type::Infer, |v| &v.ty)
    }

    /// The same with its parts told apart, as of an expression.
    pub fn parts_of_var(&self, id: VarId) -> Option<&Open> {
        self.vars.get(id).and_then(|v| v.parts.as_ref())
    }

    /// Whether a variable holds a literal whose type only rustc knows.
    pub fn var_is_open(&self, id: VarId) -> bool {
        self.vars.get(id).is_some_and(|v| v.open)
    }

    /// How many axes a variable has: 0 for what is no array of single values.
    pub fn rank(&self, var: VarId) -> usize {
        self.vars.get(var).map_or(0, |v| v.rank)
    }
}

/// Checks a function and finds its types.
///
/// # Errors
/// All that breaks the rules, together.
pub fn function(function: &Function) -> syn::Result<Types> {
    let mut checker = rules::Checker::new(function);
    checker.body();
    checker.finish()
}

/// The result of inference, as a type for the lowering.
fn settle(table: &Table, ty: &Ty) -> Type {
    match table.resolve(ty) {
        Ty::Dtype(d) => Type::Dtype(d),
        Ty::Param(k) => Type::Param(k),
        Ty::Tuple(items) => Type::Tuple(items.iter().map(|t| settle(table, t)).collect()),
        Ty::Array(item, Some(len)) => {
            let len = syn::LitInt::new(&len.to_string(), proc_macro2::Span::call_site());
            Type::Array(Box::new(settle(table, &item)), Length(Box::new(syn::parse_quote!(#len))))
        }
        Ty::Array(_, None) => Type::Infer,
        Ty::Option(item) => Type::Option(Box::new(settle(table, &item))),
        Ty::Var(v) => match table.kind(v) {
            Kind::Int { open: false } => Type::Dtype(crate::dtype::Dtype::I32),
            Kind::Float { open: false } => Type::Dtype(crate::dtype::Dtype::F64),
            Kind::Free | Kind::Open | Kind::Int { .. } | Kind::Float { .. } => Type::Infer,
        },
    }
}

/// The same with its parts told apart.
fn parts(table: &Table, ty: &Ty) -> Option<Open> {
    match table.resolve(ty) {
        Ty::Tuple(items) => items.iter().map(|t| parts(table, t)).collect::<Option<_>>().map(Open::Tuple),
        Ty::Array(item, len) => Some(Open::Array(Box::new(parts(table, &item)?), len?)),
        Ty::Option(item) => Some(Open::Option(Box::new(parts(table, &item)?))),
        Ty::Var(v) => Some(match settle(table, &Ty::Var(v)) {
            Type::Infer => Open::Part(v),
            known => Open::Known(known),
        }),
        known @ (Ty::Dtype(_) | Ty::Param(_)) => Some(Open::Known(settle(table, &known))),
    }
}

/// Whether there is a literal in a type whose own type only rustc knows.
fn is_open(table: &Table, ty: &Ty) -> bool {
    match table.resolve(ty) {
        Ty::Var(v) => matches!(table.kind(v), Kind::Int { open: true } | Kind::Float { open: true }),
        Ty::Tuple(items) => items.iter().any(|t| is_open(table, t)),
        Ty::Array(item, _) | Ty::Option(item) => is_open(table, &item),
        Ty::Dtype(_) | Ty::Param(_) => false,
    }
}

/// How many axes arrays of single values have.
fn rank(table: &Table, ty: &Ty) -> usize {
    match table.resolve(ty) {
        Ty::Array(item, _) => match table.resolve(&item) {
            Ty::Array(..) => match rank(table, &item) {
                0 => 0,
                inner => inner + 1,
            },
            Ty::Tuple(_) | Ty::Option(_) => 0,
            Ty::Dtype(_) | Ty::Param(_) | Ty::Var(_) => 1,
        },
        _ => 0,
    }
}

fn finish(errors: Errors, table: &Table, exprs: &[Option<Ty>], vars: &[Ty]) -> syn::Result<Types> {
    let exprs = exprs.iter().map(|t| t.as_ref().map_or((Type::Infer, None), |t| (settle(table, t), parts(table, t)))).collect();
    let found = |t| Found { ty: settle(table, t), parts: parts(table, t), open: is_open(table, t), rank: rank(table, t) };
    let vars = vars.iter().map(found).collect();
    errors.finish(Types { exprs, vars })
}
