//! Smaller programs: a statement less, an arm less, an expression replaced by a literal or by a part of it of the same type.
//!
//! Every step gives a program that rustc takes: what is declared stays as long as its name is used, and loops keep their counters.

use super::print;
use super::tree::{BOOL, Block, Class, Expr, F32, Function, I32, Kind, Matched, Program, Stmt, Ty};

/// The programs that are one step smaller, the smallest first.
pub fn smaller(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    let mut at = 0;
    // Each step counts its places anew on a copy: `step` is a place and what to do there.
    loop {
        let mut any = false;
        for what in [Change::Literal, Change::Part(0), Change::Part(1), Change::Remove, Change::Inline] {
            let mut copy = program.clone();
            let mut walk = Walk { left: at, what, names: names(program), changed: false, is_past: true };
            walk.program(&mut copy);
            any |= !walk.is_past;
            if walk.changed {
                found.push(copy);
            }
        }
        if !any {
            break;
        }
        at += 1;
    }
    if !program.dtypes.is_empty() && program.dtypes.len() > 1 {
        for k in 0..program.dtypes.len() {
            found.push(Program { dtypes: vec![program.dtypes[k]], ..program.clone() });
        }
    }
    if program.gang.is_some() {
        found.push(Program { gang: None, ..program.clone() });
    }
    let is_called = program.on_struct.is_some() && print::kernel(&Program { on_struct: None, ..program.clone() }).contains("hs(");
    if program.on_struct.is_some() && !is_called {
        found.push(Program { on_struct: None, ..program.clone() });
    }
    let size = |p: &Program| print::kernel(p).len();
    let whole = size(program);
    let mut found: Vec<(usize, Program)> = found.into_iter().map(|p| (size(&p), p)).filter(|(n, _)| *n < whole).collect();
    found.sort_by_key(|(n, _)| *n);
    found.into_iter().map(|(_, p)| p).collect()
}

/// The words of a program's text: a name that is declared and used is there twice.
fn names(program: &Program) -> Vec<String> {
    let text = print::kernel(program);
    text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Change {
    /// An expression becomes a literal.
    Literal,
    /// An expression becomes its part of this number.
    Part(usize),
    /// A statement or an arm goes.
    Remove,
    /// A statement becomes the statements inside it.
    Inline,
}

struct Walk {
    /// Places before the one to change.
    left: usize,
    what: Change,
    names: Vec<String>,
    changed: bool,
    /// Whether the place was not reached.
    is_past: bool,
}

impl Walk {
    /// Whether this is the place.
    fn here(&mut self) -> bool {
        if self.left == 0 && self.is_past {
            self.is_past = false;
            return true;
        }
        self.left = self.left.saturating_sub(1);
        false
    }

    fn program(&mut self, program: &mut Program) {
        let Program { on_struct, helpers, main, .. } = program;
        for f in on_struct.iter_mut().chain(helpers).chain([main]) {
            self.function(f);
        }
    }

    fn function(&mut self, f: &mut Function) {
        self.stmts(&mut f.stmts);
        f.values.iter_mut().for_each(|e| self.expr(e));
    }

    fn is_unused(&self, name: &str) -> bool {
        self.names.iter().filter(|word| *word == name).count() <= 1
    }

    fn stmts(&mut self, stmts: &mut Vec<Stmt>) {
        let mut k = 0;
        while k < stmts.len() {
            if self.here() {
                match self.what {
                    Change::Remove if self.is_removable(&stmts[k]) => {
                        stmts.remove(k);
                        self.changed = true;
                        return;
                    }
                    Change::Inline => {
                        if let Stmt::If(_, then, _) = &mut stmts[k]
                            && !then.stmts.iter().any(|s| matches!(s, Stmt::Jump(..) | Stmt::Return(_)))
                        {
                            let inner = std::mem::take(&mut then.stmts);
                            stmts.splice(k..=k, inner);
                            self.changed = true;
                            return;
                        }
                    }
                    _ => {}
                }
            }
            self.stmt(&mut stmts[k]);
            k += 1;
        }
    }

    fn is_removable(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Let { name, .. }
            | Stmt::Const { name, .. }
            | Stmt::Closure { name, .. }
            | Stmt::Array { name, .. }
            | Stmt::Struct { name, .. }
            | Stmt::StructCall { name, .. } => self.is_unused(name),
            Stmt::Tuple { names, .. } | Stmt::LetElse { names, .. } => names.iter().all(|name| self.is_unused(name)),
            // What ends the block of a `let else` has to stay; those of an `if` go with it.
            Stmt::Jump(..) | Stmt::Return(_) => false,
            _ => true,
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Let { value, .. } | Stmt::Closure { value, .. } | Stmt::Assign { value, .. } => self.expr(value),
            Stmt::AssignAt { place, value, .. } => {
                self.expr(&mut place.index);
                self.expr(value);
            }
            Stmt::Struct { fields, .. } => fields.iter_mut().for_each(|(_, e)| self.expr(e)),
            Stmt::StructCall { args, .. } => args.iter_mut().for_each(|e| self.expr(e)),
            Stmt::IfSome { args, then, otherwise, .. } => {
                args.iter_mut().for_each(|e| self.expr(e));
                self.block(then);
                if let Some(block) = otherwise {
                    self.block(block);
                }
            }
            Stmt::Each { body, .. } => self.block(body),
            Stmt::Array { values, .. } | Stmt::Tuple { values, .. } | Stmt::Return(values) => values.iter_mut().for_each(|e| self.expr(e)),
            Stmt::Const { .. } | Stmt::Jump(_, _, None) => {}
            Stmt::Jump(_, _, Some(value)) => self.expr(value),
            Stmt::LetElse { value, otherwise, .. } => {
                self.expr(value);
                self.block(otherwise);
            }
            Stmt::If(value, then, otherwise) | Stmt::IfLet(_, value, then, otherwise) => {
                self.expr(value);
                self.block(then);
                if let Some(block) = otherwise {
                    self.block(block);
                }
            }
            Stmt::Match(matched) => self.matched(matched),
            Stmt::For { range, body, .. } => {
                if let Some(e) = &mut range.bound {
                    self.expr(e);
                }
                self.block(body);
            }
            Stmt::While { cond, body, .. } => {
                if let Some(e) = cond {
                    self.expr(e);
                }
                self.block(body);
            }
        }
    }

    fn block(&mut self, block: &mut Block) {
        self.stmts(&mut block.stmts);
        if let Some(e) = &mut block.value {
            self.expr(e);
        }
    }

    fn matched(&mut self, matched: &mut Matched) {
        let mut k = 0;
        while k + 1 < matched.arms.len() {
            if self.here() && self.what == Change::Remove {
                matched.arms.remove(k);
                self.changed = true;
                return;
            }
            k += 1;
        }
        matched.values.iter_mut().for_each(|e| self.expr(e));
        for arm in &mut matched.arms {
            if let Some(e) = &mut arm.guard {
                self.expr(e);
            }
            self.block(&mut arm.body);
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        if self.here() {
            let new = match self.what {
                Change::Literal => literal(e),
                Change::Part(k) => parts(e).into_iter().filter(|part| part.ty == e.ty).nth(k),
                Change::Remove | Change::Inline => None,
            };
            if let Some(new) = new {
                *e = new;
                self.changed = true;
                return;
            }
        }
        match &mut e.kind {
            Kind::Lit { .. } | Kind::Var(_) | Kind::Const(_) => {}
            Kind::Neg(a) | Kind::Not(a) | Kind::Cast(a) | Kind::FromBits(a) | Kind::Dbg(a) => self.expr(a),
            Kind::Binary(_, a, b) | Kind::Compare(_, a, b) | Kind::Circuit(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Kind::If(c, then, otherwise) => {
                self.expr(c);
                self.block(then);
                self.block(otherwise);
            }
            Kind::Match(matched) => self.matched(matched),
            Kind::Block(b) => self.block(b),
            Kind::Method(_, args) | Kind::Overflowing(_, args, _) | Kind::Call { args, .. } | Kind::Closure(_, args) => {
                args.iter_mut().for_each(|e| self.expr(e));
            }
            Kind::Checked(_, args, or) => {
                args.iter_mut().for_each(|e| self.expr(e));
                if let Some(e) = or {
                    self.expr(e);
                }
            }
            Kind::Index(place) => self.expr(&mut place.index),
            Kind::Loop { body, last, .. } => {
                self.block(body);
                self.expr(last);
            }
        }
    }
}

/// A literal of the type, where the expression is more than that. A divisor is none: it stays what it is, or becomes 1.
fn literal(e: &Expr) -> Option<Expr> {
    let lit = |ty: Ty, digits: &str| Expr { ty, kind: Kind::Lit { digits: digits.to_owned(), suffix: true } };
    if matches!(&e.kind, Kind::Lit { .. } | Kind::Var(_) | Kind::Const(_)) {
        return None;
    }
    Some(match e.ty {
        BOOL => Expr { ty: BOOL, kind: Kind::Var("true".to_owned()) },
        ty if !ty.is_concrete() || ty.is_half() => {
            let is_literal = matches!(&e.kind, Kind::Cast(inner) if matches!(inner.kind, Kind::Lit { .. }));
            let inner = if ty.is_float() && ty != Ty::T(Class::Num) { lit(F32, "1.0") } else { lit(I32, "1") };
            if is_literal {
                return None;
            }
            Expr { ty, kind: Kind::Cast(Box::new(inner)) }
        }
        ty if ty.is_float() => lit(ty, "1.0"),
        ty => lit(ty, "1"),
    })
}

/// The expressions right inside that can stand alone.
fn parts(e: &Expr) -> Vec<Expr> {
    let value = |b: &Block| if b.stmts.is_empty() { b.value.as_deref().cloned() } else { None };
    match &e.kind {
        Kind::Lit { .. } | Kind::Var(_) | Kind::Const(_) | Kind::Loop { .. } | Kind::Index(_) => Vec::new(),
        Kind::Neg(a) | Kind::Not(a) | Kind::Cast(a) | Kind::FromBits(a) | Kind::Dbg(a) => vec![(**a).clone()],
        // The second operand may be a literal that takes its type from the first.
        Kind::Binary(_, a, b) | Kind::Compare(_, a, b) | Kind::Circuit(_, a, b) => {
            [a, b].into_iter().filter(|e| !matches!(e.kind, Kind::Lit { suffix: false, .. })).map(|e| (**e).clone()).collect()
        }
        Kind::If(c, then, otherwise) => [Some((**c).clone()), value(then), value(otherwise)].into_iter().flatten().collect(),
        // A name that an arm binds is not in sight outside.
        Kind::Match(matched) => matched.arms.last().and_then(|arm| value(&arm.body)).into_iter().collect(),
        Kind::Block(b) => value(b).into_iter().collect(),
        Kind::Checked(_, args, _)
        | Kind::Method(_, args)
        | Kind::Overflowing(_, args, _)
        | Kind::Call { args, .. }
        | Kind::Closure(_, args) => args.clone(),
    }
}
