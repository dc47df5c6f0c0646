//! Grows programs: only such as rustc takes in both forms, and whose result does not hang on a NaN's bits.

mod aggregate;
mod expr;
mod number;
mod pattern;
mod stmt;

use super::Rng;
use super::tree::{BOOL, Block, Class, Expr, F32, FLOATS, Function, I32, INTS, Parameter, Program, Ty};

/// A program of one kernel and up to three helpers, each of which may call those before it.
pub fn program(rng: &mut Rng) -> Program {
    let mut fused = false;
    let mut helpers = Vec::new();
    let numbers = [&INTS[..], &FLOATS[..], &[BOOL]].concat();
    let fields: Vec<Ty> = if rng.one_in(4) { (0..2 + rng.below(2)).map(|_| *rng.pick(&numbers)).collect() } else { Vec::new() };
    let with_helper = !fields.is_empty() && !rng.one_in(3);
    let on_struct = with_helper.then(|| Grow::new(rng, &[], &fields, None, &mut fused, 10).on_struct());
    for _ in 0..rng.below(4) {
        let results = 1 + rng.below(2);
        let f = Grow::new(rng, &helpers, &fields, on_struct.as_ref(), &mut fused, 10).function(results, false);
        helpers.push(f);
    }
    let results = 1 + rng.below(3);
    let main = Grow::new(rng, &helpers, &fields, on_struct.as_ref(), &mut fused, 30).function(results, true);
    let dtypes = main.generic.map_or_else(Vec::new, |class| {
        let mut dtypes = vec![*rng.pick(&class.dtypes())];
        let other = *rng.pick(&class.dtypes());
        if other != dtypes[0] {
            dtypes.push(other);
        }
        dtypes
    });
    let gang = rng.one_in(6).then(|| *rng.pick(&[32, 64]));
    Program { fields, on_struct, helpers, main, dtypes, gang, fused }
}

#[derive(Clone)]
struct Var {
    place: String,
    ty: Ty,
    mutable: bool,
}

#[derive(Clone)]
struct Array {
    name: String,
    ty: Ty,
    len: usize,
    mutable: bool,
}

#[derive(Clone)]
struct Closure {
    name: String,
    args: Vec<Ty>,
    gives: Ty,
}

/// A loop around; what a `break` of it gives.
#[derive(Clone)]
struct Around {
    label: String,
    value: Option<Ty>,
}

struct Grow<'a> {
    rng: &'a mut Rng,
    helpers: &'a [Function],
    /// The fields of `struct S`.
    fields: &'a [Ty],
    /// The helper that takes one and gives one, where it can be called.
    on_struct: Option<&'a Function>,
    fused: &'a mut bool,
    /// Expressions left to grow.
    fuel: isize,
    generic: Option<Class>,
    vars: Vec<Var>,
    arrays: Vec<Array>,
    /// Variables of `struct S`.
    structs: Vec<String>,
    closures: Vec<Closure>,
    names: usize,
    /// The loops around, innermost last.
    loops: Vec<Around>,
    results: Vec<Ty>,
    inside_closure: bool,
}

impl<'a> Grow<'a> {
    fn new(
        rng: &'a mut Rng,
        helpers: &'a [Function],
        fields: &'a [Ty],
        on_struct: Option<&'a Function>,
        fused: &'a mut bool,
        fuel: isize,
    ) -> Self {
        Self {
            rng,
            helpers,
            fields,
            on_struct,
            fused,
            fuel,
            generic: None,
            vars: Vec::new(),
            arrays: Vec::new(),
            structs: Vec::new(),
            closures: Vec::new(),
            names: 0,
            loops: Vec::new(),
            results: Vec::new(),
            inside_closure: false,
        }
    }

    fn float_type(&mut self) -> Ty {
        let k = self.rng.below(6);
        if k < 4 { FLOATS[k % 2] } else { FLOATS[k - 2] }
    }

    fn ty(&mut self) -> Ty {
        match (self.rng.below(7), self.generic) {
            (0, _) => BOOL,
            (1 | 2, Some(class)) => Ty::T(class),
            (1..=3, _) => self.float_type(),
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

    /// A name that is not in use: `v7`.
    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn name(&mut self) -> String {
        // Names that generated code uses too, and shadowing.
        match self.rng.below(8) {
            0 => (*self.rng.pick(&["cx", "c", "x", "a", "b", "value", "left", "lanes", "on", "last", "result", "returned"])).to_owned(),
            _ => self.fresh("v"),
        }
    }

    fn hide(&mut self, name: &str) {
        let inside = format!("{name}.");
        self.vars.retain(|v| v.place != name && !v.place.starts_with(&inside));
        self.arrays.retain(|a| a.name != name);
        self.structs.retain(|s| s != name);
    }

    fn show(&mut self, place: String, ty: Ty, mutable: bool) {
        self.hide(&place);
        self.vars.push(Var { place, ty, mutable });
    }

    fn function(mut self, results: usize, is_main: bool) -> Function {
        self.generic = self.rng.one_in(3).then(|| *self.rng.pick(&[Class::Int, Class::Float, Class::Num]));
        let mut args: Vec<(String, Ty)> = (0..1 + self.rng.below(4)).map(|k| (format!("x{k}"), self.ty())).collect();
        if let Some(class) = self.generic {
            // `T` is known by an argument.
            args[0].1 = Ty::T(class);
        }
        for (name, ty) in &args {
            self.show(name.clone(), *ty, false);
        }
        let parameters = if is_main && self.rng.one_in(4) { self.parameters() } else { Vec::new() };
        let constant = !is_main && self.rng.one_in(4);
        if constant {
            self.show("N".to_owned(), I32, false);
        }
        self.results = (0..results).map(|_| self.ty()).collect();
        let stmts = self.stmts(3);
        self.fuel = self.fuel.max(4 * results as isize);
        let values = (0..results).map(|k| self.expr(self.results[k], 3)).collect();
        Function { generic: self.generic, constant, of_struct: false, args, parameters, results: self.results, stmts, values }
    }

    /// A helper that takes a `struct S` and gives one.
    fn on_struct(mut self) -> Function {
        let args: Vec<(String, Ty)> = (0..self.rng.below(3)).map(|k| (format!("x{k}"), self.ty())).collect();
        for (name, ty) in &args {
            self.show(name.clone(), *ty, false);
        }
        self.structs.push("s0".to_owned());
        self.vars.extend(self.fields.iter().enumerate().map(|(k, ty)| Var { place: format!("s0.f{k}"), ty: *ty, mutable: false }));
        self.results = self.fields.to_vec();
        let stmts = self.stmts(2);
        self.fuel = self.fuel.max(4 * self.results.len() as isize);
        let values = (0..self.results.len()).map(|k| self.expr(self.results[k], 2)).collect();
        Function { generic: None, constant: false, of_struct: true, args, parameters: Vec::new(), results: self.results, stmts, values }
    }

    fn parameters(&mut self) -> Vec<Parameter> {
        let run_time = self.rng.one_in(2);
        let is_const = !run_time && self.rng.one_in(2);
        let name = if is_const { "N0" } else { "p0" };
        let mut all = vec![Parameter { name: name.to_owned(), ty: I32, values: vec!["2", "5"], run_time, is_const }];
        if self.rng.one_in(3) {
            all.push(Parameter { name: "p1".to_owned(), ty: BOOL, values: vec!["true", "false"], run_time: false, is_const: false });
        }
        for p in &all {
            self.show(p.name.clone(), p.ty, false);
        }
        all
    }

    /// An inner scope.
    fn scope<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let (vars, arrays, structs) = (self.vars.clone(), self.arrays.clone(), self.structs.clone());
        let (closures, loops) = (self.closures.clone(), self.loops.len());
        let r = f(self);
        (self.vars, self.arrays, self.structs) = (vars, arrays, structs);
        self.closures = closures;
        self.loops.truncate(loops);
        r
    }

    fn block(&mut self, depth: usize) -> Block {
        self.scope(|g| Block { stmts: g.stmts(depth.saturating_sub(1)), value: None })
    }

    fn value_block(&mut self, ty: Ty, depth: usize) -> Block {
        self.scope(|g| {
            let stmts = if depth > 1 && !g.inside_closure && g.rng.one_in(3) { g.stmts(depth - 1) } else { Vec::new() };
            Block { value: Some(Box::new(g.expr(ty, depth.saturating_sub(1)))), stmts }
        })
    }

    fn literal(&mut self, ty: Ty, suffix: bool) -> Expr {
        use super::tree::Kind::{Cast, Lit, Var};
        if ty == BOOL {
            return Expr { ty, kind: Var((*self.rng.pick(&["true", "false"])).to_owned()) };
        }
        // What has no suffix of its own is cast.
        if suffix && (!ty.is_concrete() || ty.is_half()) {
            let from = if ty.is_float() { F32 } else { I32 };
            let digits = if ty.is_float() { self.digits(F32) } else { self.rng.below(100).to_string() };
            return Expr { ty, kind: Cast(Box::new(Expr { ty: from, kind: Lit { digits, suffix: true } })) };
        }
        Expr { ty, kind: Lit { digits: self.digits(ty), suffix } }
    }

    fn digits(&mut self, ty: Ty) -> String {
        if ty.is_float() {
            let digits =
                ["0.0", "1.0", "-1.0", "0.5", "2.5", "-3.25", "1e10", "-1e-10", "255.5", "3.4e38", "1e-45", "0.1", "6.1e-5", "65519.0"];
            return (*self.rng.pick(&digits)).to_owned();
        }
        if !ty.is_concrete() {
            return self.rng.below(100).to_string();
        }
        let max = if ty.is_signed() { (1u128 << (ty.bits() - 1)) - 1 } else { (1u128 << ty.bits()) - 1 };
        match self.rng.below(8) {
            0 => max.to_string(),
            1 if ty.is_signed() => format!("-{}", max + 1),
            2 if ty.is_signed() => format!("-{}", 1 + self.rng.below(9)),
            _ => self.rng.below(10).to_string(),
        }
    }
}
