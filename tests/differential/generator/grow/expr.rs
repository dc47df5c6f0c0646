//! Expressions.

use super::{Around, Grow, Var};
use crate::generator::tree::{BOOL, Block, Expr, Kind, Stmt, Ty};

/// `e as ty`, for an `e` of that type: it settles the type of whatever `e` is.
pub fn own(e: Expr) -> Expr {
    if e.ty == BOOL { e } else { Expr { ty: e.ty, kind: Kind::Cast(Box::new(e)) } }
}

pub fn binary(op: &'static str, a: Expr, b: Expr) -> Expr {
    Expr { ty: a.ty, kind: Kind::Binary(op, Box::new(a), Box::new(b)) }
}

pub fn compare(op: &'static str, a: Expr, b: Expr) -> Expr {
    Expr { ty: BOOL, kind: Kind::Compare(op, Box::new(a), Box::new(b)) }
}

pub fn var(place: String, ty: Ty) -> Expr {
    Expr { ty, kind: Kind::Var(place) }
}

pub fn value(e: Expr) -> Block {
    Block { stmts: Vec::new(), value: Some(Box::new(e)) }
}

impl Grow<'_> {
    pub fn leaf(&mut self, ty: Ty) -> Expr {
        if self.rng.one_in(3)
            && self.fuel > 0
            && let Some(e) = self.element(ty)
        {
            return e;
        }
        let vars: Vec<&Var> = self.vars.iter().filter(|v| v.ty == ty).collect();
        if !vars.is_empty() && !self.rng.one_in(4) {
            return var(vars[self.rng.below(vars.len())].place.clone(), ty);
        }
        let numbers: Vec<Var> = self.vars.iter().filter(|v| v.ty != BOOL).cloned().collect();
        if numbers.is_empty() || self.rng.one_in(3) {
            return self.literal(ty, true);
        }
        let Var { place, ty: from, .. } = self.rng.pick(&numbers).clone();
        let from = var(place, from);
        if ty == BOOL { compare("<", from.clone(), self.literal(from.ty, false)) } else { Expr { ty, kind: Kind::Cast(Box::new(from)) } }
    }

    /// Two operands of a type. An unsuffixed literal takes the type of the other side.
    pub fn anchored(&mut self, ty: Ty, depth: usize) -> (Expr, Expr) {
        let a = self.expr(ty, depth);
        let is_literal = matches!(a.kind, Kind::Lit { .. });
        let b = if !is_literal && ty != BOOL && self.rng.one_in(4) { self.literal(ty, false) } else { self.expr(ty, depth) };
        (a, b)
    }

    pub fn expr(&mut self, ty: Ty, depth: usize) -> Expr {
        self.fuel -= 1;
        if depth == 0 || self.fuel <= 0 {
            return self.leaf(ty);
        }
        let d = depth - 1;
        match self.rng.below(12) {
            0 if self.rng.one_in(4) => {
                let e = self.expr(ty, d);
                // A literal would no longer see the type that it takes.
                if matches!(e.kind, Kind::Lit { .. }) { e } else { Expr { ty, kind: Kind::Dbg(Box::new(e)) } }
            }
            0 => self.leaf(ty),
            1 => {
                let cond = Box::new(self.expr(BOOL, d));
                Expr { ty, kind: Kind::If(cond, self.value_block(ty, depth), self.value_block(ty, depth)) }
            }
            2 if ty != BOOL => self.cast(ty, d),
            3 => self.call(ty, d),
            4 if self.rng.one_in(2) => {
                let matched = self.match_(d, |g| g.value_block(ty, d));
                Expr { ty, kind: Kind::Match(Box::new(matched)) }
            }
            4 => Expr { ty, kind: Kind::Block(self.value_block(ty, depth)) },
            5 if depth > 1 && !self.inside_closure && self.rng.one_in(3) => self.loop_value(ty, d),
            6 if self.rng.one_in(2) => self.closure_call(ty, d),
            _ if ty == BOOL => self.bool_(d),
            _ if ty.is_float() => self.float(ty, d),
            _ if ty.is_int() => self.int(ty, d),
            _ => self.any_number(ty, d),
        }
    }

    fn loop_value(&mut self, ty: Ty, d: usize) -> Expr {
        let (label, counter, limit) = (format!("'{}", self.fresh("l")), self.fresh("n"), 1 + self.rng.below(4));
        let last = Box::new(self.expr(ty, d.min(1)));
        let body = self.scope(|g| {
            g.loops.push(Around { label: label.clone(), value: Some(ty) });
            Block { stmts: g.stmts(d), value: None }
        });
        Expr { ty, kind: Kind::Loop { label, counter, limit, body, last } }
    }

    fn closure_call(&mut self, ty: Ty, d: usize) -> Expr {
        let fitting: Vec<usize> = (0..self.closures.len()).filter(|k| self.closures[*k].gives == ty).collect();
        if fitting.is_empty() {
            return self.leaf(ty);
        }
        let closure = self.closures[*self.rng.pick(&fitting)].clone();
        let args = closure.args.iter().map(|ty| self.expr(*ty, d)).collect();
        Expr { ty, kind: Kind::Closure(closure.name, args) }
    }

    fn call(&mut self, ty: Ty, d: usize) -> Expr {
        // A helper, the type of its `T`, which result.
        let mut fitting = Vec::new();
        for (k, helper) in self.helpers.iter().enumerate() {
            for (field, result) in helper.results.iter().enumerate() {
                match result {
                    Ty::T(class) if class.takes(ty) => fitting.push((k, Some(ty), field)),
                    result if *result == ty && helper.generic.is_none() => fitting.push((k, None, field)),
                    result if *result == ty && result.is_concrete() => {
                        fitting.push((k, Some(Ty::T(helper.generic.unwrap_or(super::Class::Num))), field))
                    }
                    _ => {}
                }
            }
        }
        if fitting.is_empty() {
            return self.leaf(ty);
        }
        let (helper, mut of, field) = *self.rng.pick(&fitting);
        // A result of another type says nothing about `T`: any within the bound will do.
        if let (Some(Ty::T(class)), true) = (of, of != Some(ty)) {
            of = Some(*self.rng.pick(&class.dtypes()));
        }
        let tys: Vec<Ty> = self.helpers[helper].args.iter().map(|(_, ty)| ty.with(of)).collect();
        let args = tys.into_iter().map(|ty| own(self.expr(ty, d))).collect();
        let field = (self.helpers[helper].results.len() > 1).then_some(field);
        let constant = self.helpers[helper].constant.then(|| {
            let own = self.vars.iter().find(|v| v.place == "N" || v.place == "N0").map(|v| v.place.clone());
            own.filter(|_| self.rng.one_in(2)).unwrap_or_else(|| self.rng.below(7).to_string())
        });
        Expr { ty, kind: Kind::Call { helper, of, constant, args, field } }
    }

    fn bool_(&mut self, d: usize) -> Expr {
        match self.rng.below(6) {
            0 => Expr { ty: BOOL, kind: Kind::Not(Box::new(self.expr(BOOL, d))) },
            1 => {
                let op = *self.rng.pick(&["&", "|", "^"]);
                binary(op, self.expr(BOOL, d), self.expr(BOOL, d))
            }
            2 => self.circuit(d),
            3 => self.classified(d),
            _ => {
                let ty = self.ty();
                let op = *self.rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
                let (a, b) = self.anchored(ty, d);
                compare(op, a, b)
            }
        }
    }

    /// `a && b`; at times with a right side that would divide by zero where the left decides.
    fn circuit(&mut self, d: usize) -> Expr {
        let circuit = |op, a, b| Expr { ty: BOOL, kind: Kind::Circuit(op, Box::new(a), Box::new(b)) };
        let ints: Vec<Var> = self.vars.iter().filter(|v| v.ty.is_int()).cloned().collect();
        if ints.is_empty() || self.rng.one_in(2) {
            let op = *self.rng.pick(&["&&", "||"]);
            return circuit(op, self.expr(BOOL, d), self.expr(BOOL, d));
        }
        let Var { place, ty, .. } = self.rng.pick(&ints).clone();
        let zero = Expr { ty, kind: Kind::Lit { digits: "0".to_owned(), suffix: false } };
        let some = self.literal(ty, false);
        let (op, test) = *self.rng.pick(&[("||", "=="), ("&&", "!=")]);
        let quotient = binary(self.rng.pick::<&str>(&["/", "%"]), own(self.expr(ty, d)), var(place.clone(), ty));
        circuit(op, compare(test, var(place, ty), zero), compare(">", quotient, some))
    }

    /// `{ let d = b; if d != 0 { a / d } else { e } }`
    pub fn guarded(&mut self, ty: Ty, d: usize, divide: impl FnOnce(&mut Self, Expr, Expr) -> Expr) -> Expr {
        let divisor = self.expr(ty, d);
        let name = self.fresh("d");
        self.scope(|g| {
            g.show(name.clone(), ty, false);
            let digits = if ty.is_float() { "0.0" } else { "0" };
            let zero = Expr { ty, kind: Kind::Lit { digits: digits.to_owned(), suffix: false } };
            let cond = compare("!=", var(name.clone(), ty), zero);
            let a = own(g.expr(ty, d));
            let quotient = divide(g, a, var(name.clone(), ty));
            let e = Expr { ty, kind: Kind::If(Box::new(cond), value(quotient), value(g.expr(ty, d))) };
            let bind = Stmt::Let { name, mutable: false, written: true, value: divisor };
            Expr { ty, kind: Kind::Block(Block { stmts: vec![bind], value: Some(Box::new(e)) }) }
        })
    }
}
