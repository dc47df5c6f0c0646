//! A program as text, in two ways: as a kernel, and as plain Rust that spells out what the kernel language means. There f16 and
//! bf16 are f32 that round where the language rounds, and generic functions are written out for each dtype.

use super::tree::{Arm, BOOL, Block, Class, Expr, Function, Kind, Matched, Place, Program, Range, Stmt, Ty};

/// The kernel and its helpers.
pub fn kernel(program: &Program) -> String {
    let p = Printer { plain: false, of: None, helpers: &program.helpers, gives_struct: false };
    let mut text = structure(program, &p, "#[kernel]\n#[derive(Clone, Copy)]\n");
    if let Some(f) = &program.on_struct {
        text += &p.function("#[always_inline]\n", "hs", f);
    }
    for (k, f) in program.helpers.iter().enumerate().filter(|(k, _)| is_called(program, *k)) {
        text += &p.function("#[always_inline]\n", &format!("h{k}"), f);
    }
    let dtypes = program.dtypes.iter().map(|ty| ty.name()).collect::<Vec<_>>().join(", ");
    let dtypes = (!dtypes.is_empty()).then(|| format!("dtypes({dtypes})"));
    let gang = program.gang.map(|n| format!("gang = {n}"));
    let options = dtypes.into_iter().chain(gang).collect::<Vec<_>>().join(", ");
    let options = if options.is_empty() { options } else { format!("({options})") };
    text + &p.function(&format!("#[kernel{options}]\npub "), "k", &program.main)
}

/// The same in plain Rust, with the instances of generic helpers that are called.
pub fn plain(program: &Program) -> String {
    let of: Vec<Option<Ty>> = if program.dtypes.is_empty() { vec![None] } else { program.dtypes.iter().copied().map(Some).collect() };
    let mut text = String::new();
    for of in of {
        let p = Printer { plain: true, of, helpers: &program.helpers, gives_struct: false };
        text += &p.function("pub ", &instance("k", of), &program.main);
    }
    text +=
        &structure(program, &Printer { plain: true, of: None, helpers: &program.helpers, gives_struct: false }, "#[derive(Clone, Copy)]\n");
    if let Some(f) = &program.on_struct {
        text += &Printer { plain: true, of: None, helpers: &program.helpers, gives_struct: false }.function("", "hs", f);
    }
    // A helper is called by those after it.
    for (k, f) in program.helpers.iter().enumerate().rev() {
        for of in instances(f.generic) {
            let name = instance(&format!("h{k}"), of);
            if text.contains(&format!("{name}(")) {
                let p = Printer { plain: true, of, helpers: &program.helpers, gives_struct: false };
                text += &p.function("", &name, f);
            }
        }
    }
    text
}

/// `struct S { f0: i32, f1: f32 }`
fn structure(program: &Program, p: &Printer<'_>, before: &str) -> String {
    if program.fields.is_empty() {
        return String::new();
    }
    let fields: String = program.fields.iter().enumerate().map(|(k, ty)| format!("f{k}: {}, ", p.name(*ty))).collect();
    format!("{before}struct S {{ {fields}}}\n")
}

/// `h0_f32`
pub fn instance(name: &str, of: Option<Ty>) -> String {
    of.map_or(name.to_owned(), |ty| format!("{name}_{}", ty.name()))
}

fn instances(generic: Option<Class>) -> Vec<Option<Ty>> {
    generic.map_or_else(|| vec![None], |class| class.dtypes().into_iter().map(Some).collect())
}

/// Whether a helper is called by the kernel or by a helper that is.
fn is_called(program: &Program, k: usize) -> bool {
    let words = [format!("h{k}("), format!("h{k}::<")];
    let p = Printer { plain: false, of: None, helpers: &program.helpers, gives_struct: false };
    let later = program.helpers.iter().enumerate().skip(k + 1).filter(|(j, _)| is_called(program, *j));
    later.map(|(_, f)| f).chain([&program.main]).any(|f| words.iter().any(|word| p.function("", "f", f).contains(word)))
}

#[derive(Clone, Copy)]
struct Printer<'a> {
    plain: bool,
    /// Whether the function returns a `struct S`.
    gives_struct: bool,
    /// What `T` is.
    of: Option<Ty>,
    helpers: &'a [Function],
}

impl Printer<'_> {
    /// A type of this function: in plain Rust a dtype.
    fn known(&self, ty: Ty) -> Ty {
        if self.plain { ty.with(self.of) } else { ty }
    }

    /// What a variable of the type is declared as.
    fn name(&self, ty: Ty) -> &'static str {
        let ty = self.known(ty);
        if self.plain && ty.is_half() { "f32" } else { ty.name() }
    }

    fn function(&self, before: &str, name: &str, f: &Function) -> String {
        let p = Printer { gives_struct: f.of_struct, ..*self };
        let mut args: Vec<String> = f.args.iter().map(|(name, ty)| format!("{name}: {}", p.name(*ty))).collect();
        let mut generics: Vec<String> = f.generic.filter(|_| !p.plain).map(|class| format!("T: {}", class.name())).into_iter().collect();
        for parameter in &f.parameters {
            let dots = if parameter.run_time { ", .." } else { "" };
            let attribute = if p.plain { String::new() } else { format!("#[parameter({}{dots})] ", parameter.values.join(", ")) };
            let declared = format!("{}: {}", parameter.name, parameter.ty.name());
            if parameter.is_const && !p.plain {
                generics.push(format!("{attribute}const {declared}"));
            } else {
                args.push(format!("{attribute}{declared}"));
            }
        }
        if f.of_struct {
            args.push("s0: S".to_owned());
        }
        match (f.constant, p.plain) {
            (true, true) => args.push("N: i32".to_owned()),
            (true, false) => generics.push("const N: i32".to_owned()),
            (false, _) => {}
        }
        let results: Vec<&str> = f.results.iter().map(|ty| p.name(*ty)).collect();
        let results = match results[..] {
            _ if f.of_struct => "S".to_owned(),
            [one] => one.to_owned(),
            _ => format!("({})", results.join(", ")),
        };
        let generics = if generics.is_empty() { String::new() } else { format!("<{}>", generics.join(", ")) };
        let stmts = p.stmts(&f.stmts);
        format!("{before}fn {name}{generics}({}) -> {results} {{\n{stmts}{}\n}}\n", args.join(", "), p.result(&f.values))
    }

    /// What a function returns.
    fn result(&self, values: &[Expr]) -> String {
        if !self.gives_struct {
            return self.values(values);
        }
        let fields: String = values.iter().enumerate().map(|(k, e)| format!("f{k}: {}, ", self.expr(e))).collect();
        format!("S {{ {fields}}}")
    }

    fn values(&self, values: &[Expr]) -> String {
        match values {
            [one] => self.expr(one),
            several => format!("({})", self.list(several)),
        }
    }

    fn list(&self, values: &[Expr]) -> String {
        values.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn stmts(&self, stmts: &[Stmt]) -> String {
        stmts.iter().map(|s| self.stmt(s)).collect()
    }

    fn block(&self, block: &Block) -> String {
        let value = block.value.as_ref().map_or_else(String::new, |e| self.expr(e));
        format!("{{ {}{value} }}", self.stmts(&block.stmts))
    }

    fn otherwise(&self, otherwise: Option<&Block>) -> String {
        otherwise.map_or_else(String::new, |b| format!(" else {}", self.block(b)))
    }

    fn stmt(&self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Let { name, mutable, written, value } => {
                let mutable = if *mutable { "mut " } else { "" };
                let ty = if *written { format!(": {}", self.name(value.ty)) } else { String::new() };
                format!("let {mutable}{name}{ty} = {};\n", self.expr(value))
            }
            Stmt::Tuple { pattern, grouped: true, values, .. } => {
                format!("let {pattern} = ({}, ({}));\n", self.expr(&values[0]), self.list(&values[1..]))
            }
            Stmt::Tuple { pattern, values, .. } => format!("let {pattern} = {};\n", self.values(values)),
            Stmt::Const { name, ty, digits } => format!("const {name}: {} = {digits};\n", ty.name()),
            Stmt::Closure { name, args, value } => {
                let args: Vec<String> = args.iter().map(|(name, ty)| format!("{name}: {}", self.name(*ty))).collect();
                format!("let {name} = |{}| -> {} {{ {} }};\n", args.join(", "), self.name(value.ty), self.expr(value))
            }
            Stmt::LetElse { pattern, value, otherwise, .. } => {
                let pattern = if pattern.contains('|') && !pattern.contains('(') { format!("({pattern})") } else { pattern.clone() };
                format!("let {pattern} = {} else {};\n", self.expr(value), self.block(otherwise))
            }
            Stmt::Assign { place, op: None, value } => format!("{place} = {};\n", self.expr(value)),
            Stmt::Assign { place, op: Some(op), value } if !self.plain => format!("{place} {op}= {};\n", self.expr(value)),
            // The value comes first, as in Rust's own compound assignment of numbers.
            Stmt::Assign { place, op: Some(op), value } => {
                format!("{{ let value_ = {}; {place} = {}; }}\n", self.expr(value), self.binary(op, place, "value_", value.ty))
            }
            Stmt::Array { name, mutable, values, count } => {
                let mutable = if *mutable { "mut " } else { "" };
                let count = count.map_or_else(String::new, |n| format!("; {n}"));
                format!("let {mutable}{name} = [{}{count}];\n", self.list(values))
            }
            Stmt::AssignAt { place, op: None, value } => format!("{} = {};\n", self.place(place), self.expr(value)),
            Stmt::AssignAt { place, op: Some(op), value } if !self.plain => {
                format!("{} {op}= {};\n", self.place(place), self.expr(value))
            }
            // So here.
            Stmt::AssignAt { place, op: Some(op), value } => {
                let (place, value_text) = (self.place(place), self.expr(value));
                format!(
                    "{{ let value_ = {value_text}; let place_ = &mut {place}; *place_ = {}; }}\n",
                    self.binary(op, "(*place_)", "value_", value.ty)
                )
            }
            Stmt::Struct { name, fields, base } => {
                let fields: String = fields.iter().map(|(k, e)| format!("f{k}: {}, ", self.expr(e))).collect();
                let base = base.as_ref().map_or_else(String::new, |base| format!("..{base} "));
                format!("let mut {name} = S {{ {fields}{base}}};\n")
            }
            Stmt::StructCall { name, args, from } => {
                let args: String = args.iter().map(|e| format!("{}, ", self.expr(e))).collect();
                format!("let mut {name} = hs({args}{from});\n")
            }
            Stmt::IfSome { name, method, args, then, otherwise } => {
                let value = format!("{}.{method}({})", self.receiver(&args[0]), self.list(&args[1..]));
                format!("if let Some({name}) = {value} {}{}\n", self.block(then), self.otherwise(otherwise.as_ref()))
            }
            Stmt::Each { label, name, array, body } => format!("{label}: for {name} in {array} {}\n", self.block(body)),
            Stmt::If(c, then, otherwise) => format!("if {} {}{}\n", self.expr(c), self.block(then), self.otherwise(otherwise.as_ref())),
            Stmt::IfLet(pattern, value, then, otherwise) => {
                format!("if let {pattern} = {} {}{}\n", self.expr(value), self.block(then), self.otherwise(otherwise.as_ref()))
            }
            Stmt::Match(matched) => format!("{}\n", self.match_(matched)),
            Stmt::For { label, name, range, body } => format!("{label}: for {name} in {} {}\n", self.range(range), self.block(body)),
            Stmt::While { label, counter, limit, cond, body } => {
                let head = match cond {
                    Some(cond) => format!("{counter} < {limit}i32 && {}", self.expr(cond)),
                    None => format!("let 0..{limit} = {counter}"),
                };
                let body = self.stmts(&body.stmts);
                format!("let mut {counter} = 0i32;\n{label}: while {head} {{ {counter} += 1;\n{body} }}\n")
            }
            Stmt::Jump(word, label, None) => format!("{word} {label};\n"),
            Stmt::Jump(word, label, Some(value)) => format!("{word} {label} {};\n", self.expr(value)),
            Stmt::Return(values) => format!("return {};\n", self.result(values)),
        }
    }

    fn range(&self, range: &Range) -> String {
        let bound = range.bound.as_ref().map_or_else(String::new, |e| format!("({} & 7)", self.expr(e)));
        range.text.replace('#', &bound)
    }

    fn match_(&self, matched: &Matched) -> String {
        let arm = |Arm { pattern, guard, body }: &Arm| {
            let guard = guard.as_ref().map_or_else(String::new, |g| format!(" if {}", self.expr(g)));
            format!("{pattern}{guard} => {} ", self.block(body))
        };
        format!("match {} {{ {}}}", self.values(&matched.values), matched.arms.iter().map(arm).collect::<String>())
    }

    fn expr(&self, e: &Expr) -> String {
        let ty = self.known(e.ty);
        match &e.kind {
            Kind::Lit { digits, .. } if self.plain => {
                let dot = if ty.is_float() && !digits.contains(['.', 'e']) { ".0" } else { "" };
                format!("({digits}{dot}{})", self.name(ty))
            }
            Kind::Lit { digits, suffix: true } => format!("({digits}{})", ty.name()),
            Kind::Lit { digits, .. } => digits.clone(),
            Kind::Var(name) => name.clone(),
            Kind::Const(name) if self.plain => plain_constant(ty, name),
            Kind::Const(name) => format!("{}::{name}", ty.name()),
            Kind::Neg(a) if self.plain && ty.is_int() => format!("{}.wrapping_neg()", self.receiver(a)),
            // The parentheses keep a literal from taking the sign: `-(128i8)` is out of range, and so is not grown.
            Kind::Neg(a) => format!("(-{})", self.expr(a)),
            Kind::Not(a) => format!("(!{})", self.expr(a)),
            Kind::Binary(op, a, b) => self.binary(op, &self.receiver(a), &self.expr(b), e.ty),
            Kind::Compare(op, a, b) => format!("({} {op} {})", self.receiver(a), self.expr(b)),
            Kind::Circuit(op, a, b) => format!("({} {op} {})", self.expr(a), self.expr(b)),
            Kind::Cast(a) if self.plain => cast(self.known(a.ty), ty, &self.expr(a)),
            Kind::Cast(a) => format!("({} as {})", self.expr(a), ty.name()),
            Kind::Dbg(a) if self.plain => self.expr(a),
            Kind::Dbg(a) => format!("dbg!({})", self.expr(a)),
            Kind::If(c, then, otherwise) => format!("(if {} {} else {})", self.expr(c), self.block(then), self.block(otherwise)),
            Kind::Match(matched) => format!("({})", self.match_(matched)),
            Kind::Block(b) => format!("({})", self.block(b)),
            Kind::Method(name, args) => self.method(name, args, ty),
            Kind::Overflowing(name, args, field) => {
                format!("{}.{name}({}).{field}", self.receiver(&args[0]), self.list(&args[1..]))
            }
            Kind::Checked(name, args, or) => {
                let after = or.as_ref().map_or_else(|| "is_some()".to_owned(), |e| format!("unwrap_or({})", self.expr(e)));
                format!("{}.{name}({}).{after}", self.receiver(&args[0]), self.list(&args[1..]))
            }
            Kind::Index(place) => self.place(place),
            Kind::FromBits(bits) if self.plain && ty.is_half() => format!("{}_of_bits({})", ty.name(), self.expr(bits)),
            Kind::FromBits(bits) => format!("{}::from_bits({})", ty.name(), self.expr(bits)),
            Kind::Call { helper, of, constant, args, field } => {
                let field = field.map_or_else(String::new, |k| format!(".{k}"));
                let is_generic = self.helpers[*helper].generic.is_some();
                let of = of.filter(|_| self.plain && is_generic).map(|of| self.known(of));
                let (name, args) = (instance(&format!("h{helper}"), of), self.list(args));
                match constant {
                    None => format!("{name}({args}){field}"),
                    Some(n) if self.plain => format!("{name}({args}, {n}){field}"),
                    Some(n) if is_generic => format!("{name}::<_, {n}>({args}){field}"),
                    Some(n) => format!("{name}::<{n}>({args}){field}"),
                }
            }
            Kind::Closure(name, args) => format!("{name}({})", self.list(args)),
            Kind::Loop { label, counter, limit, body, last } => {
                let (last, body) = (self.expr(last), self.stmts(&body.stmts));
                format!(
                    "({{ let mut {counter} = 0i32;\n{label}: loop {{ {counter} += 1;\nif {counter} > {limit} {{ break {label} {last}; }}\n{body} }} }})"
                )
            }
        }
    }

    fn place(&self, place: &Place) -> String {
        let cast = if self.plain || place.as_usize { " as usize" } else { "" };
        format!("{}[({} & {}){cast}]", place.array, self.expr(&place.index), place.len - 1)
    }

    /// An operand that stands first: a `-` in front of a method call would be the result's.
    fn receiver(&self, e: &Expr) -> String {
        let text = self.expr(e);
        if text.starts_with('-') { format!("({text})") } else { text }
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
        if !self.plain || !self.known(ty).is_int() || wrapping.is_empty() {
            return format!("({a} {op} {b})");
        }
        // The amount of a shift is of any integer type.
        let amount = if wrapping.starts_with("sh") { " as u32" } else { "" };
        format!("{a}.wrapping_{wrapping}({b}{amount})")
    }

    /// Which of two equal values it is, and what a NaN does, is the kernel language's own; so are the math functions.
    fn method(&self, name: &str, args: &[Expr], ty: Ty) -> String {
        let (receiver, rest) = (self.receiver(&args[0]), self.list(&args[1..]));
        if !self.plain {
            return format!("{receiver}.{name}({rest})");
        }
        let of = self.known(args[0].ty);
        match name {
            "min" | "max" | "clamp" if ty.is_float() => format!("{name}_{}({})", self.name(ty), self.list(args)),
            "clamp" => format!("clamp({})", self.list(args)),
            "exp" | "ln" | "tanh" | "sin" | "atan" | "cbrt" | "exp2" | "log2" => format!("lanecraft::prelude::{name}({receiver})"),
            "abs" | "pow" | "div_euclid" | "rem_euclid" if ty.is_int() => format!("{receiver}.wrapping_{name}({rest})"),
            // f16's own subnormal numbers, not f32's.
            "is_normal" | "is_subnormal" if of == Ty::Is("f16") => format!("f16_{name}({receiver})"),
            "to_bits" if of.is_half() => format!("bits_of_{}({receiver})", of.name()),
            "is_normal" | "is_subnormal" | "is_infinite" | "is_finite" | "is_nan" | "is_sign_negative" | "is_sign_positive" => {
                format!("{receiver}.{name}()")
            }
            _ => format!("{receiver}.{name}({rest})"),
        }
    }
}

/// `text as to`; to f16 and bf16 with one rounding.
fn cast(from: Ty, to: Ty, text: &str) -> String {
    if !to.is_half() {
        let name = to.name();
        return format!("({text} as {name})");
    }
    if from.is_int() || from == BOOL { format!("{}_of_int({text} as i128)", to.name()) } else { format!("{}_of({text} as f64)", to.name()) }
}

fn plain_constant(ty: Ty, name: &str) -> String {
    let of_half = |f16: &str, bf16: &str| format!("({}f32)", if ty == Ty::Is("f16") { f16 } else { bf16 });
    match name {
        "ZERO" | "ONE" => {
            let digits = if name == "ZERO" { "0" } else { "1" };
            let (dot, ty) = (if ty.is_float() { ".0" } else { "" }, if ty.is_half() { "f32" } else { ty.name() });
            format!("({digits}{dot}{ty})")
        }
        "MAX" if ty.is_half() => of_half("65504.0", "338953138925153547590470800371487866880.0"),
        "MIN" if ty.is_half() => of_half("-65504.0", "-338953138925153547590470800371487866880.0"),
        "EPSILON" if ty.is_half() => of_half("0.0009765625", "0.0078125"),
        "MIN_POSITIVE" if ty.is_half() => of_half("0.00006103515625", "1.1754943508222875e-38"),
        name if ty.is_half() => format!("f32::{name}"),
        name => format!("{}::{name}", ty.name()),
    }
}
