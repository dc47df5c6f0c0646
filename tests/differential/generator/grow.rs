//! Grows programs: only such as rustc takes in both forms, and whose result does not hang on a NaN's bits.

use super::Rng;
use super::tree::{Arm, BOOL, Block, Expr, FLOATS, Function, I32, INTS, Program, Stmt, Ty};

/// A program of one kernel and up to two helpers.
pub fn program(rng: &mut Rng) -> Program {
    let mut fused = false;
    let mut helpers = Vec::new();
    for _ in 0..rng.below(3) {
        let f = Grow::new(rng, &helpers, &mut fused, 10).function(1);
        helpers.push(f);
    }
    let results = 1 + rng.below(3);
    let main = Grow::new(rng, &helpers, &mut fused, 30).function(results);
    Program { helpers, main, fused }
}

#[derive(Clone)]
struct Var {
    place: String,
    ty: Ty,
    mutable: bool,
}

struct Grow<'a> {
    rng: &'a mut Rng,
    helpers: &'a [Function],
    fused: &'a mut bool,
    /// Expressions left to grow.
    fuel: isize,
    vars: Vec<Var>,
    names: usize,
    /// The labels of the loops around, innermost last; `continue` is for those of `for` alone.
    loops: Vec<(String, bool)>,
    results: Vec<Ty>,
}

impl<'a> Grow<'a> {
    fn new(rng: &'a mut Rng, helpers: &'a [Function], fused: &'a mut bool, fuel: isize) -> Self {
        Self { rng, helpers, fused, fuel, vars: Vec::new(), names: 0, loops: Vec::new(), results: Vec::new() }
    }

    fn ty(&mut self) -> Ty {
        match self.rng.below(5) {
            0 => BOOL,
            1 | 2 => *self.rng.pick(&FLOATS),
            _ => *self.rng.pick(&INTS),
        }
    }

    fn number(&mut self) -> Ty {
        loop {
            let ty = self.ty();
            if ty != BOOL {
                return ty;
            }
        }
    }

    fn name(&mut self) -> String {
        self.names += 1;
        // Names that generated code uses too, and shadowing.
        match self.rng.below(8) {
            0 => (*self.rng.pick(&["cx", "c", "x", "a", "b", "value", "left", "lanes"])).to_owned(),
            _ => format!("v{}", self.names),
        }
    }

    fn show(&mut self, place: String, ty: Ty, mutable: bool) {
        self.vars.retain(|v| v.place != place && !v.place.starts_with(&format!("{place}.")));
        self.vars.push(Var { place, ty, mutable });
    }

    fn function(mut self, results: usize) -> Function {
        let args: Vec<(String, Ty)> = (0..1 + self.rng.below(4)).map(|k| (format!("x{k}"), self.ty())).collect();
        for (name, ty) in &args {
            self.show(name.clone(), *ty, false);
        }
        self.results = (0..results).map(|_| self.ty()).collect();
        let stmts = self.stmts(3);
        self.fuel = self.fuel.max(4 * results as isize);
        let values = (0..results).map(|k| self.expr(self.results[k], 3)).collect();
        let results = self.results.iter().map(|ty| (String::new(), *ty)).collect();
        Function { args, results, body: Block { stmts, value: None }, values }
    }

    /// Statements of an inner scope.
    fn scope<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let (vars, loops) = (self.vars.clone(), self.loops.len());
        let r = f(self);
        self.vars = vars;
        self.loops.truncate(loops);
        r
    }

    fn stmts(&mut self, depth: usize) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for _ in 0..1 + self.rng.below(2 + depth) {
            if self.fuel > 0 {
                self.stmt(depth, &mut stmts);
            }
        }
        stmts
    }

    fn block(&mut self, depth: usize) -> Block {
        self.scope(|g| Block { stmts: g.stmts(depth.saturating_sub(1)), value: None })
    }

    fn value_block(&mut self, ty: Ty, depth: usize) -> Block {
        self.scope(|g| {
            let stmts = if depth > 1 && g.rng.one_in(3) { g.stmts(depth - 1) } else { Vec::new() };
            Block { value: Some(Box::new(g.expr(ty, depth.saturating_sub(1)))), stmts }
        })
    }

    fn stmt(&mut self, depth: usize, out: &mut Vec<Stmt>) {
        match self.rng.below(12) {
            0..=3 => {
                let (ty, mutable) = (self.ty(), !self.rng.one_in(3));
                let value = self.expr(ty, depth);
                let name = self.name();
                self.show(name.clone(), ty, mutable);
                let written = self.rng.one_in(4).then_some(ty);
                out.push(Stmt::Let { name, mutable, ty: written, value });
            }
            4 => {
                let tys = [self.ty(), self.ty()];
                let values: Vec<Expr> = tys.iter().map(|ty| self.expr(*ty, depth.min(2))).collect();
                let (a, b) = (self.name(), self.name());
                if self.rng.one_in(2) && a != b {
                    out.push(Stmt::Tuple { pattern: format!("({a}, mut {b})"), values });
                    self.show(a, tys[0], false);
                    self.show(b, tys[1], true);
                } else {
                    out.push(Stmt::Tuple { pattern: format!("mut {a}"), values });
                    self.vars.retain(|v| v.place != a && !v.place.starts_with(&format!("{a}.")));
                    for (k, ty) in tys.iter().enumerate() {
                        self.vars.push(Var { place: format!("{a}.{k}"), ty: *ty, mutable: true });
                    }
                }
            }
            5..=7 => self.assign(depth, out),
            8 | 9 if depth > 0 => {
                let cond = self.expr(BOOL, 2);
                let then = self.block(depth);
                let otherwise = self.rng.one_in(2).then(|| self.block(depth));
                out.push(Stmt::If(cond, then, otherwise));
            }
            10 if depth > 1 => self.loop_(depth, out),
            11 if depth < 3 => self.jump(out),
            _ => {}
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
            _ => &["+", "-", "*", "/"],
        };
        let op = self.rng.one_in(2).then(|| *self.rng.pick(ops));
        out.push(Stmt::Assign { place, op, value: self.expr(ty, depth.min(3)), ty });
    }

    fn loop_(&mut self, depth: usize, out: &mut Vec<Stmt>) {
        self.names += 1;
        let label = format!("'l{}", self.names);
        if self.rng.one_in(2) {
            let n = 1 + self.rng.below(5);
            let ranges = [format!("0..{n}"), format!("-1..={n}"), format!("(0..{n}).rev()"), format!("(0..{}).step_by(2)", 2 * n)];
            let range = self.rng.pick(&ranges).clone();
            let name = format!("i{}", self.names);
            let body = self.scope(|g| {
                g.show(name.clone(), I32, false);
                g.loops.push((label.clone(), true));
                Block { stmts: g.stmts(depth - 1), value: None }
            });
            out.push(Stmt::For { label, name, range, body });
        } else {
            // A counter of its own ends it.
            let counter = format!("n{}", self.names);
            let lit = |digits: String| Expr::Lit { digits, ty: I32, suffix: true };
            out.push(Stmt::Let { name: counter.clone(), mutable: true, ty: Some(I32), value: lit("0".to_owned()) });
            let limit = lit((1 + self.rng.below(5)).to_string());
            let below = Expr::Compare("<", Box::new(Expr::Var(counter.clone())), Box::new(limit));
            let cond = Expr::Circuit("&&", Box::new(below), Box::new(self.expr(BOOL, 2)));
            let body = self.scope(|g| {
                g.loops.push((label.clone(), false));
                let mut stmts = vec![Stmt::Assign { place: counter, op: Some("+"), value: lit("1".to_owned()), ty: I32 }];
                stmts.extend(g.stmts(depth - 1));
                Block { stmts, value: None }
            });
            out.push(Stmt::While { label, cond, body });
        }
    }

    /// A jump under a condition, so that what follows it is reached.
    fn jump(&mut self, out: &mut Vec<Stmt>) {
        let cond = self.expr(BOOL, 2);
        let jump = if self.loops.is_empty() || self.rng.one_in(4) {
            let values: Vec<Expr> = (0..self.results.len()).map(|k| self.expr(self.results[k], 1)).collect();
            match <[Expr; 1]>::try_from(values) {
                Ok([one]) => Stmt::Return(one),
                Err(several) => Stmt::ReturnAll(several),
            }
        } else {
            let (label, _) = self.rng.pick(&self.loops).clone();
            let word = if self.rng.one_in(2) { "break" } else { "continue" };
            Stmt::Jump(format!("{word} {label}"))
        };
        out.push(Stmt::If(cond, Block { stmts: vec![jump], value: None }, None));
    }

    fn leaf(&mut self, ty: Ty) -> Expr {
        let vars: Vec<&Var> = self.vars.iter().filter(|v| v.ty == ty).collect();
        if !vars.is_empty() && !self.rng.one_in(4) {
            return Expr::Var(vars[self.rng.below(vars.len())].place.clone());
        }
        let numbers: Vec<Var> = self.vars.iter().filter(|v| v.ty != BOOL).cloned().collect();
        if numbers.is_empty() || self.rng.one_in(3) {
            return self.literal(ty, true);
        }
        let Var { place, ty: from, .. } = self.rng.pick(&numbers).clone();
        let var = Box::new(Expr::Var(place));
        if ty == BOOL { Expr::Compare("<", var, Box::new(self.literal(from, false))) } else { Expr::Cast(var, ty) }
    }

    fn literal(&mut self, ty: Ty, suffix: bool) -> Expr {
        if ty == BOOL {
            return Expr::Var((*self.rng.pick(&["true", "false"])).to_owned());
        }
        let digits = if ty.is_float() {
            let digits = ["0.0", "1.0", "-1.0", "0.5", "2.5", "-3.25", "1e10", "-1e-10", "255.5", "3.4e38", "1e-45", "0.1"];
            (*self.rng.pick(&digits)).to_owned()
        } else {
            let max = if ty.is_signed() { (1u128 << (ty.bits() - 1)) - 1 } else { (1u128 << ty.bits()) - 1 };
            match self.rng.below(8) {
                0 => max.to_string(),
                1 if ty.is_signed() => format!("-{}", max + 1),
                2 if ty.is_signed() => format!("-{}", 1 + self.rng.below(9)),
                _ => self.rng.below(10).to_string(),
            }
        };
        Expr::Lit { digits, ty, suffix }
    }

    /// A variable of a type, bound if there is none: something whose type needs no literal.
    fn anchored(&mut self, ty: Ty, depth: usize) -> (Expr, Expr) {
        let a = self.expr(ty, depth);
        let is_literal = matches!(a, Expr::Lit { .. });
        // An unsuffixed literal takes the type of the other side.
        let b = if !is_literal && ty != BOOL && self.rng.one_in(4) { self.literal(ty, false) } else { self.expr(ty, depth) };
        (a, b)
    }

    fn expr(&mut self, ty: Ty, depth: usize) -> Expr {
        self.fuel -= 1;
        if depth == 0 || self.fuel <= 0 {
            return self.leaf(ty);
        }
        let d = depth - 1;
        match self.rng.below(10) {
            0 => self.leaf(ty),
            1 => {
                let cond = self.expr(BOOL, d);
                Expr::If(Box::new(cond), self.value_block(ty, depth), self.value_block(ty, depth))
            }
            2 => self.cast(ty, d),
            3 => self.call(ty, d),
            4 if self.rng.one_in(2) => self.match_(ty, d),
            4 => Expr::Block(self.value_block(ty, depth)),
            _ if ty == BOOL => self.bool_(d),
            _ if ty.is_float() => self.float(ty, d),
            _ => self.int(ty, d),
        }
    }

    fn bool_(&mut self, d: usize) -> Expr {
        match self.rng.below(6) {
            0 => Expr::Not(Box::new(self.expr(BOOL, d))),
            1 => {
                let op = *self.rng.pick(&["&", "|", "^"]);
                Expr::Binary(op, Box::new(self.expr(BOOL, d)), Box::new(self.expr(BOOL, d)), BOOL)
            }
            2 => self.circuit(d),
            3 => {
                let ty = *self.rng.pick(&FLOATS);
                Expr::Method("is_nan", vec![Expr::Cast(Box::new(self.expr(ty, d)), ty)], ty)
            }
            _ => {
                let ty = self.ty();
                let op = *self.rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
                let (a, b) = self.anchored(ty, d);
                Expr::Compare(op, Box::new(a), Box::new(b))
            }
        }
    }

    /// `a && b`; at times with a right side that would divide by zero where the left decides.
    fn circuit(&mut self, d: usize) -> Expr {
        let ints: Vec<Var> = self.vars.iter().filter(|v| v.ty.is_int()).cloned().collect();
        if ints.is_empty() || self.rng.one_in(2) {
            let op = *self.rng.pick(&["&&", "||"]);
            return Expr::Circuit(op, Box::new(self.expr(BOOL, d)), Box::new(self.expr(BOOL, d)));
        }
        let Var { place, ty, .. } = self.rng.pick(&ints).clone();
        let (zero, some) = (Expr::Lit { digits: "0".to_owned(), ty, suffix: false }, self.literal(ty, false));
        let (op, test) = *self.rng.pick(&[("||", "=="), ("&&", "!=")]);
        let quotient = Expr::Binary(
            self.rng.pick::<&str>(&["/", "%"]),
            Box::new(Expr::Cast(Box::new(self.expr(ty, d)), ty)),
            Box::new(Expr::Var(place.clone())),
            ty,
        );
        let left = Expr::Compare(test, Box::new(Expr::Var(place)), Box::new(zero));
        Expr::Circuit(op, Box::new(left), Box::new(Expr::Compare(">", Box::new(quotient), Box::new(some))))
    }

    fn float(&mut self, ty: Ty, d: usize) -> Expr {
        // A cast to its own type gives a literal receiver a type.
        let own = |e: Expr| Expr::Cast(Box::new(e), ty);
        match self.rng.below(8) {
            0 => Expr::Neg(Box::new(own(self.expr(ty, d))), ty),
            1 => {
                let name = *self.rng.pick(&["floor", "ceil", "trunc", "round", "round_ties_even", "sqrt", "abs"]);
                Expr::Method(name, vec![own(self.expr(ty, d))], ty)
            }
            2 => {
                let name = *self.rng.pick(&["min", "max", "clamp"]);
                let n = if name == "clamp" { 2 } else { 1 };
                let mut args = vec![own(self.expr(ty, d))];
                args.extend((0..n).map(|_| self.expr(ty, d)));
                Expr::Method(name, args, ty)
            }
            3 if self.rng.one_in(2) => {
                *self.fused = true;
                Expr::Method("mul_add", vec![own(self.expr(ty, d)), self.expr(ty, d), self.expr(ty, d)], ty)
            }
            3 if self.rng.one_in(4) => {
                *self.fused = true;
                let name = *self.rng.pick(&["exp", "ln", "tanh"]);
                Expr::Method(name, vec![own(self.expr(ty, d))], ty)
            }
            _ => {
                let op = *self.rng.pick(&["+", "-", "*", "/", "+", "-", "*", "%"]);
                let (a, b) = self.anchored(ty, d);
                Expr::Binary(op, Box::new(a), Box::new(b), ty)
            }
        }
    }

    fn int(&mut self, ty: Ty, d: usize) -> Expr {
        let own = |e: Expr| Expr::Cast(Box::new(e), ty);
        match self.rng.below(9) {
            0 if ty.is_signed() => Expr::Neg(Box::new(own(self.expr(ty, d))), ty),
            0 => Expr::Not(Box::new(own(self.expr(ty, d)))),
            1 => {
                let amount = *self.rng.pick(&INTS);
                let op = *self.rng.pick(&["<<", ">>"]);
                Expr::Binary(op, Box::new(own(self.expr(ty, d))), Box::new(own_as(self.expr(amount, d), amount)), ty)
            }
            2 => {
                // No divisor is zero.
                let op = self.rng.pick::<&str>(&["/", "%"]);
                let one = Expr::Lit { digits: "1".to_owned(), ty, suffix: false };
                let b = Expr::Binary("|", Box::new(own(self.expr(ty, d))), Box::new(one), ty);
                Expr::Binary(op, Box::new(own(self.expr(ty, d))), Box::new(b), ty)
            }
            3 => self.guarded(ty, d),
            4 => {
                let name = *self.rng.pick(&["min", "max", "clamp", "abs"]);
                let mut args = vec![own(self.expr(ty, d))];
                let n = match name {
                    "clamp" => 2,
                    "abs" => 0,
                    _ => 1,
                };
                args.extend((0..n).map(|_| self.expr(ty, d)));
                if name == "abs" && !ty.is_signed() { args.remove(0) } else { Expr::Method(name, args, ty) }
            }
            _ => {
                let op = *self.rng.pick(&["+", "-", "*", "&", "|", "^"]);
                let (a, b) = self.anchored(ty, d);
                Expr::Binary(op, Box::new(own(a)), Box::new(b), ty)
            }
        }
    }

    /// `{ let d = b; if d != 0 { a / d } else { e } }`
    fn guarded(&mut self, ty: Ty, d: usize) -> Expr {
        let divisor = self.expr(ty, d);
        self.names += 1;
        let name = format!("d{}", self.names);
        self.scope(|g| {
            g.show(name.clone(), ty, false);
            let zero = Expr::Lit { digits: "0".to_owned(), ty, suffix: false };
            let cond = Expr::Compare("!=", Box::new(Expr::Var(name.clone())), Box::new(zero));
            let op = *g.rng.pick(&["/", "%"]);
            let quotient = Expr::Binary(op, Box::new(own_as(g.expr(ty, d), ty)), Box::new(Expr::Var(name.clone())), ty);
            let value = |e: Expr| Block { stmts: Vec::new(), value: Some(Box::new(e)) };
            let e = Expr::If(Box::new(cond), value(quotient), value(g.expr(ty, d)));
            let bind = Stmt::Let { name, mutable: false, ty: Some(ty), value: divisor };
            Expr::Block(Block { stmts: vec![bind], value: Some(Box::new(e)) })
        })
    }

    fn cast(&mut self, ty: Ty, d: usize) -> Expr {
        if ty == BOOL {
            return self.bool_(d);
        }
        let from = if ty.is_int() && self.rng.one_in(5) { BOOL } else { self.number() };
        let e = self.expr(from, d);
        Expr::Cast(Box::new(if from == BOOL { e } else { own_as(e, from) }), ty)
    }

    fn call(&mut self, ty: Ty, d: usize) -> Expr {
        let fitting: Vec<usize> = (0..self.helpers.len()).filter(|k| self.helpers[*k].results[0].1 == ty).collect();
        if fitting.is_empty() {
            return self.leaf(ty);
        }
        let k = *self.rng.pick(&fitting);
        let tys: Vec<Ty> = self.helpers[k].args.iter().map(|(_, ty)| *ty).collect();
        Expr::Call(k, tys.into_iter().map(|ty| self.expr(ty, d)).collect())
    }

    fn match_(&mut self, ty: Ty, d: usize) -> Expr {
        let of = *self.rng.pick(&INTS);
        let value = own_as(self.expr(of, d), of);
        let mut arms = Vec::new();
        for pattern in ["0", "1 | 3", "2..=7", "8..", "_"] {
            if pattern != "_" && self.rng.one_in(3) {
                continue;
            }
            let guard = (pattern != "_" && self.rng.one_in(3)).then(|| self.expr(BOOL, d.min(1)));
            arms.push(Arm { pattern: pattern.to_owned(), guard, value: self.expr(ty, d) });
        }
        Expr::Match(Box::new(value), arms)
    }
}

/// `e as ty`, for an `e` of that type: it settles the type of whatever `e` is.
fn own_as(e: Expr, ty: Ty) -> Expr {
    Expr::Cast(Box::new(e), ty)
}
