//! Names are settled by the parser; here: mutability and types.
//!
//! Types are inferred as rustc infers them, so that an unsuffixed literal takes the type of what it meets. Two things stay
//! open, since a macro sees one function only: what a helper returns and what a constant is. An expression whose type hangs
//! on these is left to rustc's inference over the generated code, which has the same shape.

mod aggregate;
mod infer;
mod rules;

use crate::error::Errors;
use crate::model::Function;
use crate::tree::{Type, VarId};
use infer::{Kind, Table, Ty};

/// The types found for a function's expressions.
#[derive(Debug, Default)]
pub struct Types {
    exprs: Vec<Type>,
    /// How many axes each variable has, of those that are arrays of single values.
    ranks: Vec<usize>,
}

impl Types {
    /// The type of expression `id`; [`Type::Infer`] where only rustc knows.
    pub fn of(&self, id: usize) -> &Type {
        self.exprs.get(id).unwrap_or(&Type::Infer)
    }

    /// How many axes a variable has: 0 for what is no array of single values.
    pub fn rank(&self, var: VarId) -> usize {
        self.ranks.get(var).copied().unwrap_or(0)
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
        // Who asks wants a dtype.
        Ty::Array(..) | Ty::Option(_) => Type::Infer,
        Ty::Var(v) => match table.kind(v) {
            Kind::Int { open: false } => Type::Dtype(crate::dtype::Dtype::I32),
            Kind::Float { open: false } => Type::Dtype(crate::dtype::Dtype::F64),
            Kind::Free | Kind::Open | Kind::Int { .. } | Kind::Float { .. } => Type::Infer,
        },
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

fn finish(errors: Errors, table: &Table, of: &[Option<Ty>], vars: &[Ty]) -> syn::Result<Types> {
    let types = of.iter().map(|t| t.as_ref().map_or(Type::Infer, |t| settle(table, t))).collect();
    let ranks = vars.iter().map(|ty| rank(table, ty)).collect();
    errors.finish(Types { exprs: types, ranks })
}
