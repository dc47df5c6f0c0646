//! The typing rules.

use super::Types;
use super::infer::{Kind, Mismatch, Table, Ty};
use crate::builtin::{Builtin, Gives, Takes};
use crate::dtype::{Class, Dtype};
use crate::error::{Errors, Source, list};
use crate::flow;
use crate::model::Function;
use crate::tree::{
    BinaryOp, Block, Edge, Element, Expr, ExprKind, Loop, LoopId, LoopKind, Pat, Place, Range, Step, Stmt, Type, UnaryOp, VarId,
};

/// Checks one function.
pub struct Checker<'a> {
    function: &'a Function,
    pub(super) table: Table<'a>,
    output: Ty,
    pub(super) errors: Errors,
    vars: Vec<Ty>,
    exprs: Vec<Option<Ty>>,
    /// The types that `break` gives to the loops around, innermost last.
    loops: Vec<(LoopId, Ty)>,
    /// What an operation asks of a type that may not be known yet: checked at the end.
    wants: Vec<Want>,
    /// Integer literals, whose range is checked at the end.
    ints: Vec<(i128, Ty, Source)>,
    /// Casts, checked at the end.
    casts: Vec<(Ty, Ty, Source)>,
}

/// What an index asks for.
pub(super) const INDEX: &str = "an index";

struct Want {
    ty: Ty,
    class: Class,
    source: Source,
    what: String,
}

impl<'a> Checker<'a> {
    /// A checker with the arguments' types known.
    pub fn new(function: &'a Function) -> Self {
        let mut table = Table::new(&function.generics);
        let mut vars: Vec<Ty> = function.vars.iter().map(|_| table.fresh(Kind::Free)).collect();
        for (id, ty) in &function.args {
            let ty = written(&mut table, ty);
            if let Some(slot) = vars.get_mut(*id) {
                *slot = ty;
            }
        }
        let output = written(&mut table, &function.output);
        Self {
            function,
            table,
            output,
            errors: Errors::default(),
            vars,
            exprs: Vec::new(),
            loops: Vec::new(),
            wants: Vec::new(),
            ints: Vec::new(),
            casts: Vec::new(),
        }
    }

    /// Checks the body against the signature.
    pub fn body(&mut self) {
        let body = &self.function.body;
        let given = self.block(body);
        let source = body.value.as_ref().map_or(body.source, |e| e.source);
        self.returns(&given, source, body.value.is_some());
    }

    /// Checks what is returned against the signature.
    fn returns(&mut self, given: &Ty, source: Source, has_value: bool) {
        let output = self.output.clone();
        if let Err(m) = self.table.unify(&output, given) {
            let (want, came) = (self.table.show(&output), self.table.show(given));
            let message = match m {
                Mismatch::Types(..) if !has_value => format!(
                    "this function returns `{want}`, but its body ends without a value; make the value its last expression, without `;`"
                ),
                Mismatch::Types(..) if [&output, given].iter().any(|t| matches!(self.table.resolve(t), Ty::Array(..) | Ty::Option(_))) => {
                    format!("this function returns `{want}`, but its value is `{came}`; make them the same")
                }
                Mismatch::Types(Ty::Tuple(_), _) | Mismatch::Types(_, Ty::Tuple(_)) => {
                    format!("this function returns `{want}`, but its value is `{came}`; return as many values as the signature says")
                }
                Mismatch::Types(..) => {
                    format!(
                        "this function returns `{want}`, but its value is `{came}`; convert it (`x as {want}`), or change the signature"
                    )
                }
                literal => self.literal_message(&literal),
            };
            self.errors.push(source.error(message));
        }
    }

    /// The types, after the checks that wait for the end.
    pub fn finish(mut self) -> syn::Result<Types> {
        for want in core::mem::take(&mut self.wants) {
            self.check_want(&want);
        }
        for (from, to, source) in core::mem::take(&mut self.casts) {
            self.check_cast(&from, &to, source);
        }
        for (value, ty, source) in core::mem::take(&mut self.ints) {
            self.check_int(value, &ty, source);
        }
        super::finish(self.errors, &self.table, &self.exprs, &self.vars)
    }

    pub(super) fn want(&mut self, ty: &Ty, class: Class, source: Source, what: impl Into<String>) {
        self.wants.push(Want { ty: ty.clone(), class, source, what: what.into() });
    }

    fn check_want(&mut self, want: &Want) {
        let ty = self.table.resolve(&want.ty);
        let holds = match &ty {
            Ty::Var(v) => match self.table.kind(*v) {
                Kind::Open | Kind::Free => true,
                Kind::Int { open } => open || want.class.contains(Dtype::I32),
                Kind::Float { open } => open || want.class.contains(Dtype::F64),
            },
            ty => self.table.is(ty, want.class),
        };
        if holds {
            return;
        }
        let (what, class, name) = (&want.what, want.class.name(), self.table.show(&ty));
        if what == INDEX {
            self.errors
                .push(want.source.error(format!("an index cannot be `{name}`; convert it (`i as i32`), because it counts elements")));
            return;
        }
        let next = match ty {
            Ty::Param(_) => format!("bound `{name}` by `{class}` (`{name}: {class}`)"),
            Ty::Dtype(Dtype::Bool) if matches!(want.class, Class::Num | Class::Signed | Class::Int | Class::Float) => {
                "compute with a number (`if c { 1.0 } else { 0.0 }`, `c as i32`)".to_owned()
            }
            Ty::Tuple(_) => "use its elements (`t.0`)".to_owned(),
            Ty::Array(..) => "use its elements (`a[0]`)".to_owned(),
            Ty::Option(_) => "take its value out first (`x.unwrap_or(0)`, `if let Some(y) = x { .. }`)".to_owned(),
            _ if want.class == Class::Float => "convert it first (`x as f32`)".to_owned(),
            _ => {
                let fitting = list(Dtype::ALL.iter().filter(|d| want.class.contains(**d)));
                format!("convert it first (`x as i32`), or use one of {fitting}")
            }
        };
        self.errors.push(want.source.error(format!("{what} cannot be applied to `{name}`; {next}, because it needs `{class}`")));
    }

    fn check_cast(&mut self, from: &Ty, to: &Ty, source: Source) {
        let (from, to) = (self.table.resolve(from), self.table.resolve(to));
        let name = |ty: &Ty| self.table.show(ty);
        let message = match (&from, &to) {
            (Ty::Array(..) | Ty::Option(_), _) | (_, Ty::Array(..) | Ty::Option(_)) => {
                format!("`{}` cannot be cast to `{}`; cast the values inside", name(&from), name(&to))
            }
            (Ty::Tuple(_), _) | (_, Ty::Tuple(_)) => format!("`{}` cannot be cast to `{}`; cast its elements", name(&from), name(&to)),
            (a, b) if a == b => return,
            (_, &Ty::BOOL) => format!("`{}` cannot be cast to `bool`; compare instead (`x != 0`)", name(&from)),
            (&Ty::BOOL, b) if self.table.is(b, Class::Float) => {
                format!(
                    "`bool` cannot be cast to `{0}`; write `if c {{ 1.0 }} else {{ 0.0 }}`, or cast by way of an integer (`c as u8 as {0}`)",
                    name(b)
                )
            }
            (_, Ty::Param(_)) if !self.table.is(&to, Class::Num) => {
                let to = name(&to);
                format!("`{}` cannot be cast to `{to}`; bound `{to}` by `Num` (`{to}: Num`), because it may be a `bool`", name(&from))
            }
            (&Ty::BOOL, Ty::Param(_)) if !self.table.is(&to, Class::Int) => {
                let to = name(&to);
                format!("`bool` cannot be cast to `{to}`; write `if c {{ T::ONE }} else {{ T::ZERO }}`, because `{to}` may be a float")
                    .replace("T::", &format!("{to}::"))
            }
            _ => return,
        };
        self.errors.push(source.error(message));
    }

    fn check_int(&mut self, value: i128, ty: &Ty, source: Source) {
        let dtypes = match self.table.resolve(ty) {
            Ty::Dtype(d) => vec![d],
            Ty::Param(k) => self.function.generics.get(k).and_then(|g| g.dtypes.clone()).unwrap_or_default(),
            Ty::Var(v) if self.table.kind(v) == (Kind::Int { open: false }) => vec![Dtype::I32],
            Ty::Var(_) | Ty::Tuple(_) | Ty::Array(..) | Ty::Option(_) => return,
        };
        for d in dtypes {
            if let Some((lo, hi)) = d.int_range().filter(|(lo, hi)| value < *lo || value > *hi) {
                let message = format!("literal {value} cannot be of type `{d}`, which holds {lo} to {hi}; use a wider type");
                self.errors.push(source.error(message));
                return;
            }
        }
    }

    /// Makes two types one, or reports them. Gives the type to go on with: after an error any will do, so that it is the only one.
    pub(super) fn unify(&mut self, a: &Ty, b: &Ty, source: Source, what: &str) -> Ty {
        if let Err(m) = self.table.unify(a, b) {
            let message = match m {
                Mismatch::Types(..) if [a, b].iter().any(|t| matches!(self.table.resolve(t), Ty::Array(..) | Ty::Option(_))) => {
                    let (a, b) = (self.table.show(a), self.table.show(b));
                    format!("{what} cannot mix `{a}` and `{b}`; make them the same, because Rust does not convert them either")
                }
                Mismatch::Types(..) => {
                    let (a, b) = (self.table.show(a), self.table.show(b));
                    format!(
                        "{what} cannot mix `{a}` and `{b}`; convert one of them (`x as {a}`), because a kernel converts only where it says so"
                    )
                }
                literal => self.literal_message(&literal),
            };
            self.errors.push(source.error(message));
            return self.table.fresh(Kind::Open);
        }
        a.clone()
    }

    fn literal_message(&self, m: &Mismatch) -> String {
        match m {
            Mismatch::IntLiteral(ty) => {
                let name = self.table.show(ty);
                let next = match ty {
                    Ty::Param(_) if !self.table.is(ty, Class::Float) => {
                        format!("bound it by `Num` (`{name}: Num`), because `{name}` may be a `bool`")
                    }
                    &Ty::BOOL => "write `true` or `false`".to_owned(),
                    Ty::Tuple(_) => "use a tuple of literals, or an element (`t.0`)".to_owned(),
                    Ty::Array(..) => "use an array of literals, or an element (`a[0]`)".to_owned(),
                    Ty::Option(_) => "wrap it (`Some(1)`), or take the other's value out (`x.unwrap_or(0)`)".to_owned(),
                    _ => "write it as a float (`2.0`), because Rust does not convert literals either".to_owned(),
                };
                format!("an integer literal cannot be of type `{name}`; {next}")
            }
            Mismatch::FloatLiteral(ty) => {
                let name = self.table.show(ty);
                let next = match ty {
                    Ty::Param(_) => format!("bound it by `Float` (`{name}: Float`), or use an integer literal"),
                    &Ty::BOOL => "write `true` or `false`".to_owned(),
                    Ty::Tuple(_) => "use a tuple of literals, or an element (`t.0`)".to_owned(),
                    Ty::Array(..) => "use an array of literals, or an element (`a[0]`)".to_owned(),
                    Ty::Option(_) => "wrap it (`Some(1)`), or take the other's value out (`x.unwrap_or(0)`)".to_owned(),
                    _ => "use an integer literal, or convert the other side (`x as f32`)".to_owned(),
                };
                format!("a float literal cannot be of type `{name}`; {next}")
            }
            Mismatch::Types(a, b) => format!("`{}` and `{}` differ", self.table.show(a), self.table.show(b)),
        }
    }

    fn block(&mut self, block: &Block) -> Ty {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        match &block.value {
            Some(e) => self.expr(e),
            None if flow::block_diverges(block) => self.table.fresh(Kind::Free),
            None => Ty::unit(),
        }
    }

    fn loop_(&mut self, l: &Loop, source: Source) -> Ty {
        match &l.kind {
            LoopKind::Forever => {}
            LoopKind::While(cond) => {
                let ty = self.expr(cond);
                self.boolean(&ty, cond.source, "`while`");
            }
            LoopKind::For(range) => self.range(range, source),
            LoopKind::Lanes(ranges) => {
                for range in ranges {
                    self.range(range, source);
                    let ty = self.vars_of(range);
                    self.unify(&Ty::Dtype(Dtype::U64), &ty, source, "the range of a loop over lanes");
                }
            }
        }
        let forever = matches!(l.kind, LoopKind::Forever);
        let value = if forever { self.table.fresh(Kind::Free) } else { Ty::unit() };
        self.loops.push((l.id, value.clone()));
        let body = self.block(&l.body);
        self.loops.pop();
        if self.table.unify(&Ty::unit(), &body).is_err() {
            let name = self.table.show(&body);
            let at = l.body.value.as_ref().map_or(source, |e| e.source);
            self.errors.push(
                at.error(format!("the body of a loop cannot have a value (`{name}`); end it with `;`, or give the value to `break`")),
            );
        }
        value
    }

    fn range(&mut self, range: &Range, source: Source) {
        let start = self.expr(&range.start);
        let end = self.expr(&range.end);
        self.unify(&start, &end, source, "the range of a `for`");
        self.want(&start, Class::Int, source, "`for`");
        self.set_expr(range.id, &start);
        if let Some(step) = range.step {
            self.ints.push((step, start.clone(), source));
        }
        if let Some(slot) = range.var.and_then(|id| self.vars.get_mut(id)) {
            *slot = start;
        }
    }

    fn vars_of(&self, range: &Range) -> Ty {
        range.var.and_then(|id| self.vars.get(id)).cloned().unwrap_or(Ty::Dtype(Dtype::U64))
    }

    /// The type of an element; its index is checked.
    fn element(&mut self, element: &Element) -> Ty {
        for index in &element.index {
            let ty = self.expr(index);
            self.unify(&Ty::Dtype(Dtype::U64), &ty, index.source, "an index");
        }
        let ty = self.vars.get(element.view).cloned().unwrap_or_else(Ty::unit);
        if let Some(Edge::Or(or)) = &element.edge {
            let given = self.expr(or);
            self.unify(&ty, &given, or.source, "`at_or`");
        }
        ty
    }

    fn break_(&mut self, id: LoopId, value: Option<&Expr>, source: Source) {
        let given = value.map_or_else(Ty::unit, |e| self.expr(e));
        if let Some(ty) = self.loops.iter().find(|(k, _)| *k == id).map(|(_, ty)| ty.clone()) {
            self.unify(&ty, &given, source, "the `break`s of a loop");
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { pat, ty, init } => {
                let given = self.expr(init);
                if let Some(ty) = ty {
                    let ty = written(&mut self.table, ty);
                    self.unify(&ty, &given, init.source, "this `let`");
                }
                self.bind(pat, &given);
            }
            Stmt::Assign { place, op, value, source } => {
                let target = self.place(place);
                let given = self.expr(value);
                match op {
                    None => {
                        self.unify(&target, &given, *source, "this assignment");
                    }
                    Some(op) => {
                        self.binary(*op, &target, &given, *source);
                    }
                }
            }
            Stmt::Update { element, by, value, source } => {
                let target = self.element(element);
                let given = self.expr(value);
                let what = format!("`atomic_{}`", if *by == "Sum" { "add".to_owned() } else { by.to_lowercase() });
                let ty = self.unify(&target, &given, *source, &what);
                self.want(&ty, Class::Num, *source, what);
            }
            Stmt::Store { element, op, value, source } => {
                let target = self.element(element);
                let given = self.expr(value);
                match op {
                    None => drop(self.unify(&target, &given, *source, "this assignment")),
                    Some(op) => drop(self.binary(*op, &target, &given, *source)),
                }
            }
            Stmt::Expr { expr, semi } => {
                let ty = self.expr(expr);
                if !semi && self.table.unify(&Ty::unit(), &ty).is_err() {
                    let name = self.table.show(&ty);
                    self.errors.push(expr.source.error(format!(
                        "this statement cannot have a value (`{name}`); end it with `;` to drop the value, or bind it (`let y = ..;`)"
                    )));
                }
            }
            Stmt::Reduce(reduce) => {
                let acc = self.place(&Place { var: reduce.var, steps: Vec::new(), source: reduce.source });
                let value = self.expr(&reduce.value);
                self.unify(&acc, &value, reduce.value.source, "`reduce`");
                reduce.args.iter().for_each(|pat| self.bind(pat, &acc));
                let combined = self.block(&reduce.body);
                self.unify(&acc, &combined, reduce.body.source, "`reduce`");
            }
            Stmt::Const(_) | Stmt::Struct(_) => {}
            Stmt::Shape { shape, value, source } => self.shape(shape, value, *source),
        }
    }

    fn bind(&mut self, pat: &Pat, ty: &Ty) {
        match pat {
            Pat::Var(id) => {
                if let Some(slot) = self.vars.get_mut(*id) {
                    *slot = ty.clone();
                }
            }
            Pat::Wild(_) => {}
            Pat::Tuple(pats, source) => {
                let items: Vec<Ty> = pats.iter().map(|_| self.table.fresh(Kind::Free)).collect();
                if let Err(_mismatch) = self.table.unify(&Ty::Tuple(items.clone()), ty) {
                    let (n, name) = (pats.len(), self.table.show(ty));
                    let s = if n == 1 { "" } else { "s" };
                    let message = format!("a pattern of {n} element{s} cannot bind `{name}`; name as many elements as it has");
                    self.errors.push(source.error(message));
                }
                for (pat, ty) in pats.iter().zip(&items) {
                    self.bind(pat, ty);
                }
            }
        }
    }

    pub(super) fn set_var(&mut self, id: VarId, ty: Ty) {
        if let Some(slot) = self.vars.get_mut(id) {
            *slot = ty;
        }
    }

    fn place(&mut self, place: &Place) -> Ty {
        let mut ty = self.vars.get(place.var).cloned().unwrap_or_else(Ty::unit);
        if let Some(var) = self.function.vars.get(place.var).filter(|v| v.mutable.is_none()) {
            let name = &var.name;
            let message = if self.function.parameters.iter().any(|p| p.var == Some(place.var)) {
                format!(
                    "parameter `{name}` cannot be assigned; copy it (`let mut y = {name};`), because its value is fixed at compile time"
                )
            } else if self.function.args.iter().any(|(id, _)| *id == place.var) {
                format!("operand `{name}` cannot be assigned; declare it `mut {name}`, or compute into a new variable (`let y = ..`)")
            } else {
                format!("variable `{name}` cannot be assigned; declare it `let mut {name}`")
            };
            self.errors.push(place.source.error(message));
        }
        for step in &place.steps {
            ty = match step {
                Step::Member(member) => self.member(&ty, member, place.source),
                Step::Index(i) => self.index(&ty, i, place.source),
            };
        }
        ty
    }

    pub(super) fn field(&mut self, ty: &Ty, k: usize, source: Source) -> Ty {
        match self.table.resolve(ty) {
            Ty::Tuple(items) => items.get(k).cloned().unwrap_or_else(|| {
                let (name, n) = (self.table.show(ty), items.len());
                self.errors.push(source.error(format!("`{name}` has no element {k}; it has {n}, counted from 0")));
                self.table.fresh(Kind::Open)
            }),
            Ty::Var(v) if self.table.kind(v) == Kind::Open => self.table.fresh(Kind::Open),
            _ => {
                let name = self.table.show(ty);
                self.errors.push(source.error(format!("`{name}` has no elements; use it as it stands, because only tuples have elements")));
                self.table.fresh(Kind::Open)
            }
        }
    }

    pub(super) fn expr(&mut self, e: &Expr) -> Ty {
        let ty = self.kind(e);
        self.set_expr(e.id, &ty);
        ty
    }

    fn set_expr(&mut self, id: usize, ty: &Ty) {
        if self.exprs.len() <= id {
            self.exprs.resize(id + 1, None);
        }
        if let Some(slot) = self.exprs.get_mut(id) {
            *slot = Some(ty.clone());
        }
    }

    fn kind(&mut self, e: &Expr) -> Ty {
        match &e.kind {
            ExprKind::Int(value, dtype) => {
                let ty = dtype.map_or_else(|| self.table.fresh(Kind::Int { open: false }), Ty::Dtype);
                self.ints.push((*value, ty.clone(), e.source));
                ty
            }
            ExprKind::Float(_, dtype) => dtype.map_or_else(|| self.table.fresh(Kind::Float { open: false }), Ty::Dtype),
            ExprKind::Bool(_) => Ty::BOOL,
            ExprKind::Var(id) => self.vars.get(*id).cloned().unwrap_or_else(Ty::unit),
            ExprKind::Const(path) => self.constant(path),
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let ty = self.expr(a);
                self.want(&ty, Class::Signed, e.source, "`-`");
                ty
            }
            ExprKind::Unary(UnaryOp::Not, a) => {
                let ty = self.expr(a);
                self.want(&ty, Class::Logic, e.source, "`!`");
                ty
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.binary(*op, &a, &b, e.source)
            }
            ExprKind::ShortCircuit { or, left, right } => {
                let what = if *or { "`||`" } else { "`&&`" };
                for side in [left, right] {
                    let ty = self.expr(side);
                    self.boolean(&ty, side.source, what);
                }
                Ty::BOOL
            }
            ExprKind::Cast(a, ty) => {
                let from = self.expr(a);
                let to = written(&mut self.table, ty);
                // `300 as u8` and `2 as f32`: an unsuffixed literal takes the type it is cast to if it can, as in Rust.
                if matches!(a.kind, ExprKind::Int(..) | ExprKind::Float(..)) {
                    let _ = self.table.unify(&from, &to);
                }
                self.casts.push((from, to.clone(), e.source));
                to
            }
            ExprKind::If { cond, then, otherwise } => {
                let ty = self.expr(cond);
                self.boolean(&ty, cond.source, "`if`");
                let then_ty = self.block(then);
                match otherwise {
                    Some(otherwise) => {
                        let else_ty = self.block(otherwise);
                        self.branches(&then_ty, &else_ty, e.source)
                    }
                    None => {
                        if self.table.unify(&then_ty, &Ty::unit()).is_err() {
                            let name = self.table.show(&then_ty);
                            self.errors
                                .push(e.source.error(format!("an `if` without `else` cannot have a value (`{name}`); add an `else`")));
                            return self.table.fresh(Kind::Open);
                        }
                        then_ty
                    }
                }
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::Element(element) => self.element(element),
            ExprKind::Length(..) => Ty::Dtype(Dtype::U64),
            ExprKind::Scan(var, value) => {
                let given = self.expr(value);
                let sum = self.vars.get(*var).cloned().unwrap_or_else(Ty::unit);
                let ty = self.unify(&sum, &given, e.source, "`scan`");
                self.want(&ty, Class::Num, e.source, "`scan`");
                ty
            }
            ExprKind::Loop(l) => self.loop_(l, e.source),
            ExprKind::Break(id, value) => {
                self.break_(*id, value.as_deref(), e.source);
                self.table.fresh(Kind::Free)
            }
            ExprKind::Continue(_) => self.table.fresh(Kind::Free),
            ExprKind::Return(value) => {
                let given = self.expr(value);
                self.returns(&given, value.source, true);
                self.table.fresh(Kind::Free)
            }
            ExprKind::Tuple(items) => Ty::Tuple(items.iter().map(|e| self.expr(e)).collect()),
            ExprKind::Field(a, member) => {
                let ty = self.expr(a);
                self.member(&ty, member, e.source)
            }
            ExprKind::Array(items) => self.array(items),
            ExprKind::Repeat(item, len) => Ty::Array(Box::new(self.expr(item)), len.known()),
            ExprKind::Index(a, i) => {
                let ty = self.expr(a);
                self.index(&ty, i, e.source)
            }
            ExprKind::Len(a) => self.len(a, e.source),
            ExprKind::Struct(literal) => self.struct_literal(literal),
            ExprKind::Option(op, args) => self.option(*op, args, e.source),
            ExprKind::Builtin(builtin, args, of) => self.builtin(builtin, args, of.as_ref(), e.source),
            ExprKind::FromBits(ty, bits) => {
                let float = written(&mut self.table, ty);
                self.want(&float, Class::Float, e.source, "`from_bits`");
                let given = self.expr(bits);
                let want = self.bits_of(&float);
                self.unify(&want, &given, e.source, "`from_bits`");
                float
            }
            ExprKind::Call(_, args) => {
                for arg in args {
                    let ty = self.expr(arg);
                    self.open(&ty);
                }
                self.table.fresh(Kind::Open)
            }
        }
    }

    /// The type of an `if` with both branches.
    fn branches(&mut self, then: &Ty, otherwise: &Ty, source: Source) -> Ty {
        let is_unit = |ty: &Ty| *ty == Ty::unit();
        let known = [self.table.resolve(then), self.table.resolve(otherwise)];
        if let [a, b] = &known
            && is_unit(a) != is_unit(b)
            && !known.iter().any(|t| matches!(t, Ty::Var(v) if matches!(self.table.kind(*v), Kind::Open | Kind::Free)))
        {
            let name = self.table.show(if is_unit(a) { b } else { a });
            let message = format!(
                "one branch of an `if` cannot have a value (`{name}`) without the other; end both with a value, or the value with `;`"
            );
            self.errors.push(source.error(message));
            return self.table.fresh(Kind::Open);
        }
        self.unify(then, otherwise, source, "the branches of an `if`")
    }

    fn builtin(&mut self, builtin: &Builtin, args: &[Expr], of: Option<&Type>, source: Source) -> Ty {
        let what = format!("`{}`", builtin.name);
        let receiver = written(&mut self.table, of.unwrap_or(&Type::Infer));
        for (k, arg) in args.iter().enumerate() {
            let ty = self.expr(arg);
            // The receiver itself comes first.
            let want = match k.checked_sub(1).and_then(|k| builtin.takes.get(k)) {
                Some(Takes::Always(dtype)) => Ty::Dtype(*dtype),
                Some(Takes::Same) | None => receiver.clone(),
            };
            self.unify(&want, &ty, source, &what);
        }
        self.want(&receiver, builtin.class, source, what);
        match builtin.gives {
            Gives::Same => receiver,
            Gives::Always(dtype) => Ty::Dtype(dtype),
            Gives::Bits => self.bits_of(&receiver),
            Gives::Unsigned => self.unsigned(&receiver),
            Gives::Overflowing => Ty::Tuple(vec![receiver, Ty::BOOL]),
            Gives::Checked => Ty::Option(Box::new(receiver)),
            Gives::Pair => Ty::Tuple(vec![receiver.clone(), receiver]),
        }
    }

    /// The unsigned type of the same size, where it is known.
    fn unsigned(&mut self, int: &Ty) -> Ty {
        match self.table.resolve(int) {
            Ty::Dtype(d) => Ty::Dtype(d.unsigned()),
            _ => self.table.fresh(Kind::Open),
        }
    }

    /// A literal handed to a helper takes the type of the helper's argument, which only rustc knows.
    pub(super) fn open(&mut self, ty: &Ty) {
        match self.table.resolve(ty) {
            Ty::Var(_) => {
                let any = self.table.fresh(Kind::Open);
                let _ = self.table.unify(ty, &any);
            }
            Ty::Tuple(items) => items.iter().for_each(|t| self.open(t)),
            Ty::Array(item, _) | Ty::Option(item) => self.open(&item),
            Ty::Dtype(_) | Ty::Param(_) => {}
        }
    }

    fn boolean(&mut self, ty: &Ty, source: Source, what: &str) {
        if self.table.unify(&Ty::BOOL, ty).is_err() {
            let name = self.table.show(ty);
            self.errors.push(source.error(format!("{what} cannot take `{name}`; compare it (`x != 0`), because a condition is a `bool`")));
        }
    }

    fn bits_of(&mut self, float: &Ty) -> Ty {
        match self.table.resolve(float) {
            Ty::Dtype(Dtype::F16 | Dtype::Bf16) => Ty::Dtype(Dtype::U16),
            Ty::Dtype(Dtype::F32) => Ty::Dtype(Dtype::U32),
            Ty::Dtype(Dtype::F64) => Ty::Dtype(Dtype::U64),
            _ => self.table.fresh(Kind::Open),
        }
    }

    /// `T::EPSILON` is a `T`, `f32::MAX` an `f32`; of other constants nothing is known here.
    fn constant(&mut self, path: &syn::Path) -> Ty {
        if let Some(c) = path.get_ident().and_then(|name| self.function.consts.iter().find(|c| c.name == *name)) {
            return Ty::Dtype(c.dtype);
        }
        let segments: Vec<_> = path.segments.iter().collect();
        if let [ty, name] = segments.as_slice()
            && name.ident != "BITS"
        {
            if let Some(k) = self.function.generics.iter().position(|g| g.name == ty.ident) {
                return Ty::Param(k);
            }
            if let Some(d) = Dtype::parse(&ty.ident.to_string()) {
                return Ty::Dtype(d);
            }
        }
        self.table.fresh(Kind::Open)
    }

    fn binary(&mut self, op: BinaryOp, a: &Ty, b: &Ty, source: Source) -> Ty {
        use BinaryOp::{Add, And, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Rem, Shl, Shr, Sub, Xor};
        let what = format!("`{}`", op.symbol());
        match op {
            Shl | Shr => {
                self.want(a, Class::Int, source, what.clone());
                self.want(b, Class::Int, source, what);
                a.clone()
            }
            Add | Sub | Mul | Div | Rem => {
                let ty = self.unify(a, b, source, &what);
                self.want(&ty, Class::Num, source, what);
                ty
            }
            And | Or | Xor => {
                let ty = self.unify(a, b, source, &what);
                self.want(&ty, Class::Logic, source, what);
                ty
            }
            Eq | Ne | Lt | Le | Gt | Ge => {
                let ty = self.unify(a, b, source, &what);
                self.want(&ty, Class::Dtype, source, what);
                Ty::BOOL
            }
        }
    }
}

/// A type as written, with a variable for each `_`.
pub(super) fn written(table: &mut Table, ty: &Type) -> Ty {
    match ty {
        Type::Dtype(d) => Ty::Dtype(*d),
        Type::Param(k) => Ty::Param(*k),
        Type::Tuple(items) => Ty::Tuple(items.iter().map(|t| written(table, t)).collect()),
        Type::Array(item, len) => Ty::Array(Box::new(written(table, item)), len.known()),
        Type::Option(item) => Ty::Option(Box::new(written(table, item))),
        Type::Named(_) => table.fresh(Kind::Open),
        // What is known of an array operand is its elements' type.
        Type::View(view) => written(table, &view.element),
        Type::Infer => table.fresh(Kind::Free),
    }
}
