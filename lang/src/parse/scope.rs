//! The names in sight while parsing.

use crate::dtype::Dtype;
use crate::error::Source;
use crate::model::Generic;
use crate::tree::{Expr, ExprKind, LoopId, Type, Var, VarId};
use proc_macro2::Ident;

/// Variables, type parameters and constants in sight.
pub struct Scope {
    function: Ident,
    generics: Vec<Ident>,
    vars: Vec<Var>,
    /// Innermost last; `None` is a local constant, which hides a variable of its name.
    visible: Vec<(String, Option<VarId>)>,
    /// Variables that were read or written so far.
    used: Vec<VarId>,
    /// The loops around, innermost last.
    loops: Vec<LoopScope>,
    next_loop: LoopId,
    next_expr: usize,
}

/// A loop around the place that is parsed.
#[derive(Clone)]
pub struct LoopScope {
    /// Its number.
    pub id: LoopId,
    /// Whether `break` can give it a value.
    pub has_value: bool,
    label: Option<syn::Lifetime>,
}

impl Scope {
    /// The scope of a function's arguments.
    pub fn new(function: &Ident, generics: &[Generic]) -> Self {
        Self {
            function: function.clone(),
            generics: generics.iter().map(|g| g.name.clone()).collect(),
            vars: Vec::new(),
            visible: Vec::new(),
            used: Vec::new(),
            loops: Vec::new(),
            next_loop: 0,
            next_expr: 0,
        }
    }

    /// The name of the function that is parsed.
    pub fn function(&self) -> &Ident {
        &self.function
    }

    /// Declares a variable; it is in sight only after [`Self::show`].
    pub fn declare(&mut self, name: Ident, mutable: bool) -> VarId {
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
    pub fn find(&mut self, name: &Ident) -> Option<VarId> {
        let id = self.visible.iter().rev().find(|(n, _)| name == n).and_then(|(_, id)| *id);
        self.used.extend(id);
        id
    }

    /// The variables that were read or written so far.
    pub fn used(&self) -> &[VarId] {
        &self.used
    }

    /// Enters a loop.
    pub fn enter_loop(&mut self, label: Option<syn::Lifetime>, has_value: bool) -> LoopId {
        let id = self.next_loop;
        self.next_loop += 1;
        self.loops.push(LoopScope { id, has_value, label });
        id
    }

    /// Leaves the innermost loop.
    pub fn leave_loop(&mut self) {
        self.loops.pop();
    }

    /// The loop of a label, or the innermost one.
    pub fn find_loop(&self, label: Option<&syn::Lifetime>) -> Option<&LoopScope> {
        match label {
            Some(label) => self.loops.iter().rev().find(|l| l.label.as_ref() == Some(label)),
            None => self.loops.last(),
        }
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

    /// A new expression.
    pub fn make(&mut self, kind: ExprKind, source: Source) -> Expr {
        Expr { kind, source, id: self.expr_id() }
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
