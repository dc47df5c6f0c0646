//! A program as text, in two ways.

use super::tree::{Block, Expr, Function, Program, Stmt, Ty};

/// `i32, f32,`
pub fn types(args: &[(String, Ty)]) -> String {
    args.iter().map(|(_, ty)| format!("{}, ", ty.0)).collect()
}

/// The kernel and its helpers.
pub fn kernel(program: &Program) -> String {
    let p = Printer { plain: false };
    let helpers: String = program.helpers.iter().enumerate().map(|(k, f)| p.function("#[always_inline] ", &format!("h{k}"), f)).collect();
    format!("{helpers}{}", p.function("#[kernel] pub ", "k", &program.main))
}

/// The same in plain Rust.
pub fn plain(program: &Program) -> String {
    let p = Printer { plain: true };
    let helpers: String = program.helpers.iter().enumerate().map(|(k, f)| p.function("", &format!("h{k}"), f)).collect();
    format!("{helpers}{}", p.function("pub ", "k", &program.main))
}

struct Printer {
    plain: bool,
}

impl Printer {
    fn function(&self, before: &str, name: &str, f: &Function) -> String {
        let args: String = f.args.iter().map(|(name, ty)| format!("{name}: {}, ", ty.0)).collect();
        let results = match f.results.as_slice() {
            [(_, ty)] => ty.0.to_owned(),
            several => format!("({})", types(several)),
        };
        let stmts: String = f.body.stmts.iter().map(|s| self.stmt(s)).collect();
        format!("{before}fn {name}({args}) -> {results} {{\n{stmts}{}\n}}\n", self.values(&f.values))
    }

    fn values(&self, values: &[Expr]) -> String {
        match values {
            [one] => self.expr(one),
            several => format!("({})", several.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")),
        }
    }

    fn block(&self, block: &Block) -> String {
        let stmts: String = block.stmts.iter().map(|s| self.stmt(s)).collect();
        let value = block.value.as_ref().map_or_else(String::new, |e| self.expr(e));
        format!("{{ {stmts}{value} }}")
    }

    fn stmt(&self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Let { name, mutable, ty, value } => {
                let mutable = if *mutable { "mut " } else { "" };
                let ty = ty.map_or_else(String::new, |ty| format!(": {}", ty.0));
                format!("let {mutable}{name}{ty} = {};\n", self.expr(value))
            }
            Stmt::Tuple { pattern, values } => format!("let {pattern} = {};\n", self.values(values)),
            Stmt::Assign { place, op: None, value, .. } => format!("{place} = {};\n", self.expr(value)),
            Stmt::Assign { place, op: Some(op), value, .. } if !self.plain => format!("{place} {op}= {};\n", self.expr(value)),
            Stmt::Assign { place, op: Some(op), value, ty } => {
                format!("{place} = {};\n", self.binary(op, place, &self.expr(value), *ty))
            }
            Stmt::If(c, then, otherwise) => {
                let otherwise = otherwise.as_ref().map_or_else(String::new, |b| format!(" else {}", self.block(b)));
                format!("if {} {}{otherwise}\n", self.expr(c), self.block(then))
            }
            Stmt::For { label, name, range, body } => format!("{label}: for {name} in {range} {}\n", self.block(body)),
            Stmt::While { label, cond, body } => format!("{label}: while {} {}\n", self.expr(cond), self.block(body)),
            Stmt::Jump(text) => format!("{text};\n"),
            Stmt::Return(e) => format!("return {};\n", self.expr(e)),
            Stmt::ReturnAll(values) => format!("return {};\n", self.values(values)),
        }
    }

    fn expr(&self, e: &Expr) -> String {
        match e {
            Expr::Lit { digits, ty, suffix } if *suffix || self.plain => format!("({digits}{})", ty.0),
            Expr::Lit { digits, .. } => digits.clone(),
            Expr::Var(name) => name.clone(),
            Expr::Neg(a, ty) if self.plain && ty.is_int() => format!("{}.wrapping_neg()", self.expr(a)),
            // The parentheses keep a literal from taking the sign: `-(128i8)` is out of range, and so is not grown.
            Expr::Neg(a, _) => format!("(-{})", self.expr(a)),
            Expr::Not(a) => format!("(!{})", self.expr(a)),
            Expr::Binary(op, a, b, ty) => self.binary(op, &self.expr(a), &self.expr(b), *ty),
            Expr::Compare(op, a, b) => format!("({} {op} {})", self.expr(a), self.expr(b)),
            Expr::Circuit(op, a, b) => format!("({} {op} {})", self.expr(a), self.expr(b)),
            Expr::Cast(a, ty) => format!("({} as {})", self.expr(a), ty.0),
            Expr::If(c, then, otherwise) => format!("(if {} {} else {})", self.expr(c), self.block(then), self.block(otherwise)),
            Expr::Match(value, arms) => {
                let arms: String = arms
                    .iter()
                    .map(|arm| {
                        let guard = arm.guard.as_ref().map_or_else(String::new, |g| format!(" if {}", self.expr(g)));
                        format!("{}{guard} => {}, ", arm.pattern, self.expr(&arm.value))
                    })
                    .collect();
                format!("(match {} {{ {arms} }})", self.expr(value))
            }
            Expr::Block(b) => format!("({})", self.block(b)),
            Expr::Method(name, args, ty) => self.method(name, args, *ty),
            Expr::Call(k, args) => format!("h{k}({})", args.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")),
        }
    }

    fn binary(&self, op: &str, a: &str, b: &str, ty: Ty) -> String {
        let wrapping = match op {
            "+" => "add",
            "-" => "sub",
            "*" => "mul",
            "/" => "div",
            "%" => "rem",
            "<<" => "shl",
            ">>" => "shr",
            _ => "",
        };
        if !self.plain || !ty.is_int() || wrapping.is_empty() {
            return format!("({a} {op} {b})");
        }
        // The amount of a shift is of any integer type.
        let cast = if wrapping.starts_with("sh") { " as u32" } else { "" };
        format!("{a}.wrapping_{wrapping}({b}{cast})")
    }

    fn method(&self, name: &str, args: &[Expr], ty: Ty) -> String {
        let args: Vec<String> = args.iter().map(|e| self.expr(e)).collect();
        let (receiver, rest) = args.split_first().map_or((String::new(), &[][..]), |(r, rest)| (r.clone(), rest));
        let rest = rest.join(", ");
        match name {
            // Which of two equal values, and what a NaN does, is the kernel language's own; so are the math functions.
            "min" | "max" | "clamp" if self.plain && ty.is_float() => format!("{name}_{}({})", ty.0, args.join(", ")),
            "clamp" if self.plain => format!("clamp({})", args.join(", ")),
            "exp" | "ln" | "tanh" if self.plain => format!("lanecraft::prelude::{name}({receiver})"),
            "abs" if self.plain && ty.is_int() => format!("{receiver}.wrapping_abs()"),
            _ => format!("{receiver}.{name}({rest})"),
        }
    }
}
