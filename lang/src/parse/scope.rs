//! The names in sight while parsing.

use crate::dtype::Dtype;
use crate::error::Source;
use crate::model::Generic;
use crate::paths::RESERVED;
use crate::tree::{Expr, ExprKind, LoopId, Type, Var, VarId, View};
use proc_macro2::{Ident, Span};
use std::rc::Rc;

/// Variables, type parameters and constants in sight.
pub struct Scope {
    function: Ident,
    generics: Vec<Ident>,
    vars: Vec<Var>,
    /// Innermost last.
    visible: Vec<(Word, Name)>,
    /// The values of enum parameters, and their numbers.
    values: Vec<EnumValue>,
    /// Variables that were read or written so far.
    used: Vec<VarId>,
    /// The loops around, innermost last.
    loops: Vec<LoopScope>,
    /// Whether the function is a block kernel.
    is_block: bool,
    /// Its array operands.
    views: Vec<(VarId, View)>,
    inside_closure: bool,
    has_closures: bool,
    next_loop: LoopId,
    next_expr: usize,
}

/// A name, and in which expansion of a macro it stands: `x` of a `macro_rules` is not the `x` of who uses it.
#[derive(Clone, Debug)]
struct Word {
    text: String,
    context: Option<String>,
}

impl Word {
    fn of(name: &Ident) -> Self {
        // No stable API compares hygiene: identifiers are equal by text, spans cannot be compared, and names have to be looked up here, since
        // what is a variable and whether it is uniform decides the code. Only the debug form of a span tells (`#4 bytes(..)`). Where it
        // does not, names are told apart by their text alone; `tests/hygiene.rs` fails then.
        let span = format!("{:?}", name.span());
        let context = span.split_once(' ').map(|(context, _)| context.to_owned()).filter(|context| context.starts_with('#'));
        Self { text: name.to_string(), context }
    }
}

/// A value of an enum parameter.
#[derive(Clone)]
pub struct EnumValue {
    path: syn::Path,
    /// Its number.
    pub number: usize,
    /// How many values the parameter has.
    pub of: usize,
}

/// What a name stands for.
#[derive(Clone)]
enum Name {
    Var(VarId),
    /// A local constant, which hides a variable of its name.
    Const,
    Closure(Rc<Closure>),
}

/// A closure and the names that it sees.
pub struct Closure {
    /// As it stands.
    pub closure: syn::ExprClosure,
    visible: Vec<(Word, Name)>,
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
            values: Vec::new(),
            used: Vec::new(),
            loops: Vec::new(),
            is_block: false,
            views: Vec::new(),
            inside_closure: false,
            has_closures: false,
            next_loop: 0,
            next_expr: 0,
        }
    }

    /// Makes it the scope of a block kernel.
    pub fn block(self) -> Self {
        Self { is_block: true, ..self }
    }

    /// Whether the function is a block kernel.
    pub fn is_block(&self) -> bool {
        self.is_block
    }

    /// Notes that a variable is an array operand.
    pub fn is_view(&mut self, id: VarId, view: View) {
        self.views.push((id, view));
    }

    /// The array operand that a variable is.
    pub fn view(&self, id: VarId) -> Option<&View> {
        self.views.iter().find(|(view, _)| *view == id).map(|(_, view)| view)
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

    /// Declares a variable that holds a value while it is matched, of a name of its own: a pattern inside of another holds its part of the
    /// value in one more.
    pub fn declare_matched(&mut self) -> VarId {
        let name = format!("{RESERVED}_matched{}", self.vars.len());
        self.declare(Ident::new(&name, Span::mixed_site()), None)
    }

    /// Brings variables into sight.
    pub fn show(&mut self, vars: impl IntoIterator<Item = VarId>) {
        for id in vars {
            if let Some(var) = self.vars.get(id) {
                self.visible.push((Word::of(&var.name), Name::Var(id)));
            }
        }
    }

    /// Brings a local constant into sight.
    pub fn show_const(&mut self, name: &Ident) {
        self.visible.push((Word::of(name), Name::Const));
    }

    /// The variable of a name.
    pub fn find(&mut self, name: &Ident) -> Option<VarId> {
        match self.look_up(name)? {
            Name::Var(id) => {
                self.used.push(id);
                Some(id)
            }
            Name::Const | Name::Closure(_) => None,
        }
    }

    /// Whether a name is a variable's; does not count as a use.
    pub fn is_var(&self, name: &Ident) -> bool {
        matches!(self.look_up(name), Some(Name::Var(_)))
    }

    fn look_up(&self, name: &Ident) -> Option<Name> {
        let word = Word::of(name);
        let same = |(seen, _): &&(Word, Name)| seen.text == word.text;
        let here = self.visible.iter().rev().filter(same).find(|(seen, _)| seen.context == word.context);
        here.or_else(|| self.visible.iter().rev().find(same)).map(|(_, what)| what.clone())
    }

    /// Brings a closure into sight. It does not see itself.
    pub fn show_closure(&mut self, name: &Ident, closure: &syn::ExprClosure) {
        self.has_closures = true;
        let closure = Closure { closure: closure.clone(), visible: self.visible.clone() };
        self.visible.push((Word::of(name), Name::Closure(Rc::new(closure))));
    }

    /// The closure of a name.
    pub fn find_closure(&self, name: &Ident) -> Option<Rc<Closure>> {
        match self.look_up(name)? {
            Name::Closure(closure) => Some(closure),
            Name::Var(_) | Name::Const => None,
        }
    }

    /// Runs `f` with the names in sight that a closure sees.
    pub fn seen_from<R>(&mut self, closure: &Closure, f: impl FnOnce(&mut Self) -> R) -> R {
        let here = core::mem::replace(&mut self.visible, closure.visible.clone());
        let r = f(self);
        self.visible = here;
        r
    }

    /// Runs `f` inside a closure's body, which loops and the function around it are out of reach of.
    pub fn in_closure<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let loops = core::mem::take(&mut self.loops);
        let outer = core::mem::replace(&mut self.inside_closure, true);
        let r = f(self);
        self.inside_closure = outer;
        self.loops = loops;
        r
    }

    /// Whether a closure's body is parsed.
    pub fn is_in_closure(&self) -> bool {
        self.inside_closure
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

    /// Makes the paths of an enum parameter's values stand for their numbers.
    pub fn show_values(&mut self, paths: &[syn::Path]) {
        let of = paths.len();
        self.values.extend(paths.iter().cloned().enumerate().map(|(number, path)| EnumValue { path, number, of }));
    }

    /// The enum parameter's value of a path.
    pub fn find_value(&self, path: &syn::Path) -> Option<&EnumValue> {
        self.values.iter().find(|v| v.path == *path)
    }

    /// A type of one name: a type parameter or a dtype.
    pub fn type_named(&self, name: &Ident) -> Option<Type> {
        match self.generics.iter().position(|g| g == name) {
            Some(k) => Some(Type::Param(k)),
            // An index is computed in 64 bits, whatever the machine's addresses are.
            None if self.is_block && name == "usize" => Some(Type::Dtype(Dtype::U64)),
            None if self.is_block && name == "isize" => Some(Type::Dtype(Dtype::I64)),
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
    ///
    /// A closure that is written out where it is called sees the variables of its own place, whatever hides them at the call:
    /// with closures, names are made unique.
    pub fn into_vars(mut self) -> Vec<Var> {
        if self.has_closures || self.is_block {
            let mut seen: Vec<Ident> = Vec::new();
            for (id, var) in self.vars.iter_mut().enumerate() {
                if seen.contains(&var.name) {
                    var.name = Ident::new(&format!("{RESERVED}_{id}"), var.name.span());
                } else {
                    seen.push(var.name.clone());
                }
            }
        }
        self.vars
    }
}
