//! The names in sight while parsing.

use crate::dtype::Dtype;
use crate::model::Generic;
use crate::tree::{Type, Var, VarId};
use proc_macro2::Ident;

/// Variables, type parameters and constants in sight.
pub struct Scope {
    function: Ident,
    generics: Vec<Ident>,
    vars: Vec<Var>,
    /// Innermost last; `None` is a local constant, which hides a variable of its name.
    visible: Vec<(String, Option<VarId>)>,
    next_expr: usize,
}

impl Scope {
    /// The scope of a function's arguments.
    pub fn new(function: &Ident, generics: &[Generic]) -> Self {
        Self {
            function: function.clone(),
            generics: generics.iter().map(|g| g.name.clone()).collect(),
            vars: Vec::new(),
            visible: Vec::new(),
            next_expr: 0,
        }
    }

    /// The name of the function that is parsed.
    pub fn function(&self) -> &Ident {
        &self.function
    }

    /// Declares a variable; it is in sight only after [`Self::show`].
    pub fn declare(&mut self, name: Ident, mutable: Option<syn::Token![mut]>) -> VarId {
        self.vars.push(Var { name, mutable });
        self.vars.len() - 1
    }

    /// Brings variables into sight.
    pub fn show(&mut self, vars: impl IntoIterator<Item = VarId>) {
        for id in vars {
            if let Some(var) = self.vars.get(id) {
                self.visible.push((var.name.to_string(), Some(id)));
            }
        }
    }

    /// Brings a local constant into sight.
    pub fn show_const(&mut self, name: &Ident) {
        self.visible.push((name.to_string(), None));
    }

    /// The variable of a name.
    pub fn find(&self, name: &Ident) -> Option<VarId> {
        self.visible.iter().rev().find(|(n, _)| name == n).and_then(|(_, id)| *id)
    }

    /// A type of one name: a type parameter or a dtype.
    pub fn type_named(&self, name: &Ident) -> Option<Type> {
        match self.generics.iter().position(|g| g == name) {
            Some(k) => Some(Type::Param(k)),
            None => Dtype::parse(&name.to_string()).map(Type::Dtype),
        }
    }

    /// Runs `f` in an inner scope.
    pub fn nested<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.visible.len();
        let r = f(self);
        self.visible.truncate(outer);
        r
    }

    /// A new expression's number.
    pub fn expr_id(&mut self) -> usize {
        self.next_expr += 1;
        self.next_expr - 1
    }

    /// All variables, in sight or not.
    pub fn into_vars(self) -> Vec<Var> {
        self.vars
    }
}
