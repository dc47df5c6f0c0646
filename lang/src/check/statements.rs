//! The typing rules of statements, loops, and what they bind.

use super::infer::{Kind, Ty};
use super::rules::{Checker, written};
use crate::dtype::{Class, Dtype};
use crate::error::Source;
use crate::flow;
use crate::tree::{Block, Distance, Edge, Element, Expr, Loop, LoopId, LoopKind, Pat, Place, Range, Step, Stmt, VarId};

impl Checker<'_> {
    pub(super) fn block(&mut self, block: &Block) -> Ty {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        match &block.value {
            Some(e) => self.expr(e),
            None if flow::block_diverges(block) => self.table.fresh(Kind::Free),
            None => Ty::unit(),
        }
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
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
                        "this statement cannot have a value (`{name}`); end it with `;` to drop the value, or bind it (`let y = ..;`), because the kernel goes on behind it"
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

    pub(super) fn loop_(&mut self, l: &Loop, source: Source) -> Ty {
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
                at.error(format!("the body of a loop cannot have a value (`{name}`); end it with `;`, or give the value to `break`, because the loop goes on behind it")),
            );
        }
        value
    }

    pub(super) fn range(&mut self, range: &Range, source: Source) {
        let start = self.expr(&range.start);
        let end = self.expr(&range.end);
        self.unify(&start, &end, source, "the range of a `for`");
        self.want(&start, Class::Int, source, "`for`");
        self.set_expr(range.id, &start);
        match &range.step {
            Some(Distance::Literal(step)) => self.ints.push((*step, start.clone(), source)),
            Some(Distance::Named(step)) => {
                let ty = self.expr(step);
                self.unify(&start, &ty, step.source, "`step_by`");
            }
            None => {}
        }
        if let Some(slot) = range.var.and_then(|id| self.vars.get_mut(id)) {
            *slot = start;
        }
    }

    pub(super) fn vars_of(&self, range: &Range) -> Ty {
        range.var.and_then(|id| self.vars.get(id)).cloned().unwrap_or(Ty::Dtype(Dtype::U64))
    }

    pub(super) fn break_(&mut self, id: LoopId, value: Option<&Expr>, source: Source) {
        let given = value.map_or_else(Ty::unit, |e| self.expr(e));
        if let Some(ty) = self.loops.iter().find(|(k, _)| *k == id).map(|(_, ty)| ty.clone()) {
            self.unify(&ty, &given, source, "the `break`s of a loop");
        }
    }

    pub(super) fn bind(&mut self, pat: &Pat, ty: &Ty) {
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
                    let message = format!(
                        "a pattern of {n} element{s} cannot bind `{name}`; name as many elements as it has (`(a, b)`), because each has to go somewhere"
                    );
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

    pub(super) fn place(&mut self, place: &Place) -> Ty {
        let mut ty = self.vars.get(place.var).cloned().unwrap_or_else(Ty::unit);
        if let Some(var) = self.function.vars.get(place.var).filter(|v| v.mutable.is_none()) {
            let name = &var.name;
            let message = if self.function.parameters.iter().any(|p| p.var == Some(place.var)) {
                format!(
                    "parameter `{name}` cannot be assigned; copy it (`let mut y = {name};`), because its value is fixed at compile time"
                )
            } else if self.function.args.iter().any(|(id, _)| *id == place.var) {
                format!(
                    "operand `{name}` cannot be assigned; declare it `mut {name}`, or compute into a new variable (`let y = ..`), because it is not declared `mut`"
                )
            } else {
                format!("variable `{name}` cannot be assigned; declare it `let mut {name}`, because a plain `let` holds one value")
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

    /// The type of an element; its index is checked.
    pub(super) fn element(&mut self, element: &Element) -> Ty {
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
}
