//! Statements.

use super::{Around, Closure, Grow, Var};
use crate::generator::tree::{BOOL, Block, Expr, F32, I32, INTS, Kind, Range, Stmt, Ty};

impl Grow<'_> {
    pub fn stmts(&mut self, depth: usize) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for _ in 0..1 + self.rng.below(2 + depth) {
            if self.fuel > 0 {
                self.stmt(depth, &mut stmts);
            }
        }
        stmts
    }

    fn stmt(&mut self, depth: usize, out: &mut Vec<Stmt>) {
        match self.rng.below(24) {
            0..=3 => {
                let (ty, mutable) = (self.ty(), !self.rng.one_in(3));
                let value = self.expr(ty, depth);
                let name = self.name();
                self.show(name.clone(), ty, mutable);
                out.push(Stmt::Let { name, mutable, written: self.rng.one_in(4), value });
            }
            4 => self.tuple(depth, out),
            5..=7 => self.assign(depth, out),
            8 | 9 if depth > 0 => {
                let cond = self.expr(BOOL, 2);
                let then = self.block(depth);
                let otherwise = self.rng.one_in(2).then(|| self.block(depth));
                out.push(Stmt::If(cond, then, otherwise));
            }
            10 | 11 if depth > 1 => self.loop_(depth, out),
            12 if depth < 3 || self.rng.one_in(3) => {
                let cond = self.expr(BOOL, 2);
                let jump = self.jump();
                out.push(Stmt::If(cond, Block { stmts: vec![jump], value: None }, None));
            }
            13 => self.closure(out),
            14 if depth > 0 => {
                let matched = self.match_(1, |g| g.block(depth));
                out.push(Stmt::Match(matched));
            }
            15 if depth > 0 => {
                let value = self.integer();
                let pattern = self.pattern(value.ty);
                let then = self.scope(|g| {
                    pattern.binds.iter().for_each(|(name, ty)| g.show(name.clone(), *ty, false));
                    Block { stmts: g.stmts(depth - 1), value: None }
                });
                let otherwise = self.rng.one_in(2).then(|| self.block(depth));
                out.push(Stmt::IfLet(pattern.text, value, then, otherwise));
            }
            16 => {
                let value = self.integer();
                let jump = self.jump();
                let pattern = self.pattern(value.ty);
                pattern.binds.iter().for_each(|(name, ty)| self.show(name.clone(), *ty, false));
                let names = pattern.binds.into_iter().map(|(name, _)| name).collect();
                out.push(Stmt::LetElse { pattern: pattern.text, names, value, otherwise: Block { stmts: vec![jump], value: None } });
            }
            17 => {
                let ty = *self.rng.pick(&[I32, F32, Ty::Is("u8"), Ty::Is("f64"), Ty::Is("i64")]);
                let (name, digits) = (self.fresh("K"), self.digits(ty));
                self.show(name.clone(), ty, false);
                out.push(Stmt::Const { name, ty, digits });
            }
            18 => self.array(depth, out),
            19 | 20 => self.assign_element(depth, out),
            21 if depth > 0 => self.each(depth, out),
            22 => self.struct_(depth, out),
            23 if depth > 0 => self.if_some(depth, out),
            _ => {}
        }
    }

    fn integer(&mut self) -> Expr {
        let ty = *self.rng.pick(&INTS);
        Expr { ty, kind: Kind::Cast(Box::new(self.expr(ty, 2))) }
    }

    fn tuple(&mut self, depth: usize, out: &mut Vec<Stmt>) {
        let count = 2 + self.rng.below(2);
        let tys: Vec<Ty> = (0..count).map(|_| self.ty()).collect();
        let values: Vec<Expr> = tys.iter().map(|ty| self.expr(*ty, depth.min(2))).collect();
        let mut names: Vec<String> = (0..count).map(|_| self.name()).collect();
        let distinct = (1..count).all(|k| !names[..k].contains(&names[k]));
        let grouped = count == 3 && self.rng.one_in(2);
        if distinct && self.rng.one_in(2) {
            let last = format!("mut {}", names[count - 1]);
            let words: Vec<&str> = names[..count - 1].iter().map(String::as_str).chain([last.as_str()]).collect();
            let pattern = if grouped { format!("({}, ({}))", words[0], words[1..].join(", ")) } else { format!("({})", words.join(", ")) };
            for (k, (name, ty)) in names.iter().zip(&tys).enumerate() {
                self.show(name.clone(), *ty, k + 1 == count);
            }
            out.push(Stmt::Tuple { pattern, names, grouped, values });
        } else {
            let name = names.swap_remove(0);
            self.hide(&name);
            for (k, ty) in tys.iter().enumerate() {
                let place = if grouped && k > 0 { format!("{name}.1.{}", k - 1) } else { format!("{name}.{k}") };
                self.vars.push(Var { place, ty: *ty, mutable: true });
            }
            out.push(Stmt::Tuple { pattern: format!("mut {name}"), names: vec![name], grouped, values });
        }
    }

    fn assign(&mut self, depth: usize, out: &mut Vec<Stmt>) {
        let mutable: Vec<Var> = self.vars.iter().filter(|v| v.mutable).cloned().collect();
        if mutable.is_empty() {
            return;
        }
        let Var { place, ty, .. } = self.rng.pick(&mutable).clone();
        let ops: &[&str] = match ty {
            BOOL => &["&", "|", "^"],
            ty if ty.is_int() => &["+", "-", "*", "&", "|", "^", "<<", ">>"],
            ty if ty.is_float() => &["+", "-", "*", "/"],
            _ => &["+", "-", "*"],
        };
        let op = self.rng.one_in(2).then(|| *self.rng.pick(ops));
        // A literal takes the place's type, but for the amount of a shift, which is of any integer type.
        let suffix = matches!(op, Some("<<" | ">>"));
        let value = if ty != BOOL && self.rng.one_in(6) { self.literal(ty, suffix) } else { self.expr(ty, depth.min(3)) };
        out.push(Stmt::Assign { place, op, value });
    }

    /// It sees what does not change, so that plain Rust's borrows are no hindrance.
    fn closure(&mut self, out: &mut Vec<Stmt>) {
        let args: Vec<(String, Ty)> = (0..self.rng.below(3)).map(|k| (format!("a{k}"), self.ty())).collect();
        let gives = self.ty();
        let value = self.scope(|g| {
            g.vars.retain(|v| !v.mutable);
            g.arrays.retain(|a| !a.mutable);
            g.structs.clear();
            g.loops.clear();
            for (name, ty) in &args {
                g.show(name.clone(), *ty, false);
            }
            let outer = std::mem::replace(&mut g.inside_closure, true);
            let value = g.expr(gives, 2);
            g.inside_closure = outer;
            value
        });
        let name = self.fresh("c");
        self.closures.push(Closure { name: name.clone(), args: args.iter().map(|(_, ty)| *ty).collect(), gives });
        out.push(Stmt::Closure { name, args, value });
    }

    fn loop_(&mut self, depth: usize, out: &mut Vec<Stmt>) {
        let label = format!("'{}", self.fresh("l"));
        if self.rng.one_in(2) {
            let name = self.fresh("i");
            let range = self.range();
            let body = self.scope(|g| {
                g.show(name.clone(), range.ty, false);
                g.loops.push(Around { label: label.clone(), value: None });
                Block { stmts: g.stmts(depth - 1), value: None }
            });
            out.push(Stmt::For { label, name, range, body });
        } else {
            // A counter of its own ends it.
            let (counter, limit) = (self.fresh("n"), 1 + self.rng.below(5));
            let cond = (!self.rng.one_in(4)).then(|| self.expr(BOOL, 2));
            let body = self.scope(|g| {
                g.loops.push(Around { label: label.clone(), value: None });
                Block { stmts: g.stmts(depth - 1), value: None }
            });
            out.push(Stmt::While { label, counter, limit, cond, body });
        }
    }

    fn range(&mut self) -> Range {
        let ty = if self.rng.one_in(2) { I32 } else { *self.rng.pick(&INTS) };
        let n = 1 + self.rng.below(5);
        // The suffix makes the range one of the type.
        let t = if ty == I32 { "" } else { ty.name() };
        let mut texts = vec![
            format!("0..{n}{t}"),
            format!("(0..{n}{t}).rev()"),
            format!("(0..{}{t}).step_by(2)", 2 * n),
            format!("(1..={}{t}).rev().step_by(3)", 3 * n),
        ];
        if ty.is_signed() {
            texts.push(format!("-1..={n}{t}"));
        }
        let text = self.rng.pick(&texts).clone();
        if self.rng.one_in(3) {
            let bound = Expr { ty, kind: Kind::Cast(Box::new(self.expr(ty, 2))) };
            let text = (*self.rng.pick(&["0..#", "(1..=#).rev()", "#..6", "(0..#).step_by(2)"])).to_owned();
            return Range { ty, text, bound: Some(bound) };
        }
        Range { ty, text, bound: None }
    }

    /// What leaves a loop or the function.
    fn jump(&mut self) -> Stmt {
        if self.loops.is_empty() || self.rng.one_in(4) {
            return Stmt::Return((0..self.results.len()).map(|k| self.expr(self.results[k], 1)).collect());
        }
        let Around { label, value } = self.rng.pick(&self.loops).clone();
        if self.rng.one_in(2) {
            return Stmt::Jump("continue", label, None);
        }
        let value = value.map(|ty| self.expr(ty, 1));
        Stmt::Jump("break", label, value)
    }
}
