//! Bodies: functions and expressions.

use super::code::{Binds, Code, Lines};
use super::names::{self, Given};
use super::{Missing, Need, Text, builtin, name_of};
use crate::dtype::{Class, Dtype};
use crate::model::Function;
use crate::tree::{BinaryOp, Expr, ExprKind, Type, UnaryOp, VarId};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::BTreeSet;

/// Puts a function into C++.
pub struct Emit<'a> {
    pub(super) function: &'a Function,
    pub(super) names: Vec<String>,
    pub(super) given: Given,
    pub(super) lines: Lines,
    pub(super) needs: Vec<Need>,
    pub(super) constants: Vec<(String, TokenStream)>,
    pub(super) types: Vec<TokenStream>,
    /// The local constants and structs in sight.
    pub(super) local: Vec<TokenStream>,
    /// The type that is expected of the literal of a struct that comes next.
    pub(super) expected: Option<String>,
    pub(super) loops: Vec<super::flow::Frame>,
    /// Whether a body of a loop may have met a fault.
    pub(super) may_fail: bool,
    /// Whether it is inside of a loop over lanes.
    pub(super) in_lanes: bool,
    /// In a loop over lanes with a `reduce`: what its operation is called.
    pub(super) combine: String,
    /// How many lambdas are around.
    pub(super) lambdas: usize,
    /// The variables whose type was found by `decltype`.
    pub(super) typed: BTreeSet<VarId>,
    /// The parts of types that are being found by it.
    pub(super) sought: Vec<usize>,
}

/// Where the value of an expression goes.
#[derive(Clone, Debug)]
pub enum Dest {
    /// Nowhere.
    Drop,
    /// Into a variable that is declared.
    Var(String),
    /// Out of the function.
    Return,
}

impl<'a> Emit<'a> {
    /// An emission of `function`.
    pub fn new(function: &'a Function) -> Self {
        let mut given = Given::default();
        let names = names::variables(function, &mut given);
        Self {
            function,
            names,
            given,
            lines: Lines::default(),
            needs: Vec::new(),
            constants: Vec::new(),
            types: Vec::new(),
            local: Vec::new(),
            expected: None,
            loops: Vec::new(),
            may_fail: super::flow::may_fail(&function.body),
            in_lanes: false,
            combine: String::new(),
            lambdas: 0,
            typed: BTreeSet::new(),
            sought: Vec::new(),
        }
    }

    /// The function.
    pub fn function(mut self) -> Result<Text, Missing> {
        let f = self.function;
        let output = self.known_ty(&f.output, "a result")?;
        let mut args = vec!["lc::Cx &cx".to_owned()];
        args.extend(f.is_block().then(|| "lc::Team &team".to_owned()));
        for (id, ty) in &f.args {
            let ty = self.known_ty(ty, "an argument")?;
            args.push(format!("{ty} {}", self.name(*id)));
        }
        let header = self.template();
        if let Some(header) = &header {
            self.lines.push(header);
        }
        self.lines.open(format!("LC_FN {output} $n$({}) {{", args.join(", ")));
        self.lines.push("$constants$");
        if matches!(&f.output, Type::Tuple(items) if items.is_empty()) {
            self.block_into(&f.body, &Dest::Drop)?;
            self.lines.push("return {};");
        } else {
            self.block_into(&f.body, &Dest::Return)?;
        }
        self.lines.close("}");
        let by_result = if header.is_some() && !f.is_block() { self.stub()? } else { false };
        Ok(Text { generic: header.is_some(), by_result, ..self.into_text() })
    }

    /// What is written so far.
    pub(super) fn into_text(self) -> Text {
        let (text, needs, constants, types) = (self.lines.text(), self.needs, self.constants, self.types);
        Text { text, generic: false, by_result: false, needs, constants, types }
    }

    pub(super) fn name(&self, id: VarId) -> &str {
        name_of(&self.names, id)
    }

    pub(super) fn temp(&mut self, like: &str) -> String {
        self.given.new_name(like)
    }

    /// Keeps a value in a variable of its own.
    pub(super) fn keep(&mut self, code: &Code, like: &str) -> Code {
        if code.fixed {
            return code.clone();
        }
        let name = self.temp(like);
        self.lines.push(format!("const auto {name} = {};", code.text));
        Code { open: code.open, ..Code::fixed(name) }
    }

    /// Operands, evaluated in this order: what stands before one with statements is kept.
    pub(super) fn operands<'e>(&mut self, operands: impl IntoIterator<Item = &'e Expr>) -> Result<Vec<Code>, Missing> {
        let mut codes: Vec<Code> = Vec::new();
        for e in operands {
            let mark = self.lines.count();
            let code = self.expr(e)?;
            if self.lines.count() > mark {
                let own = self.lines.take_from(mark);
                for code in &mut codes {
                    *code = self.keep(code, "held");
                }
                self.lines.put(own);
            }
            codes.push(code);
        }
        Ok(codes)
    }

    /// An expression's value.
    pub(super) fn expr(&mut self, e: &Expr) -> Result<Code, Missing> {
        match &e.kind {
            ExprKind::Int(value, _) => self.int_literal(*value, e.id),
            ExprKind::Float(digits, _) => self.float_literal(digits, e.id),
            ExprKind::Bool(b) => Ok(Code::fixed(b.to_string())),
            ExprKind::Var(id) => {
                let open = self.function.types.var_is_open(*id) && !self.typed.contains(id);
                Ok(Code { fixed: self.is_fixed(*id), open, ..Code::atom(self.name(*id)) })
            }
            ExprKind::Const(path) => self.constant(path),
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op, a, b) => {
                let [left, right] = self.two(a, b)?;
                let ty = self.function.types.of(a.id).clone();
                let open = left.open && right.open;
                Ok(Code { open, ..self.binary_of(*op, &ty, &left, &right, Some(b)) })
            }
            ExprKind::ShortCircuit { or, left, right } => self.short_circuit(*or, left, right),
            ExprKind::Cast(a, ty) => self.cast(a, ty, e.id),
            ExprKind::If { cond, then, otherwise } => self.if_value(e, cond, then, otherwise.as_ref()),
            ExprKind::Block(block) => self.rest(block),
            ExprKind::Tuple(items) => self.tuple(items, e.id),
            ExprKind::Field(a, m) => {
                let a = self.expr(a)?;
                Ok(Code {
                    fixed: a.fixed,
                    open: a.open,
                    ..Code::atom(format!("{}.{}", a.beside(Binds::Atom, false), super::aggregate::member(m)))
                })
            }
            ExprKind::Array(items) => self.array(items, e.id),
            ExprKind::Repeat(item, len) => self.repeat(item, len),
            ExprKind::Index(a, i) => {
                let [array, code] = self.two(a, i)?;
                Ok(Code::atom(super::aggregate::element(&array.beside(Binds::Atom, false), i, &code)))
            }
            ExprKind::Len(a) => Ok(Code::atom(format!("lc::len({})", self.expr(a)?.text))),
            ExprKind::Struct(literal) => self.struct_literal(literal),
            ExprKind::Option(op, args) => self.option(*op, args, e.id),
            // Debug mode is the CPU's.
            ExprKind::Dbg(a, _) => self.expr(a),
            ExprKind::Builtin(builtin, args, of) => self.builtin(builtin.name, args, of.as_ref()),
            ExprKind::FromBits(ty, bits) => {
                let (ty, bits) = (self.known_ty(ty, "`from_bits`")?, self.expr(bits)?);
                Ok(Code { fixed: bits.fixed, ..Code::atom(format!("lc::from_bits<{ty}>({})", bits.text)) })
            }
            ExprKind::Call(path, args) => self.call(path, args, e.id),
            ExprKind::Loop(_) => self.loop_value(e),
            ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_) => {
                self.expr_into(e, &Dest::Drop)?;
                Ok(Code::fixed("lc::tuple<>{}"))
            }
            ExprKind::Element(element) => self.load(element),
            ExprKind::Scan(var, value) => self.scan(*var, value),
            ExprKind::Length(view, axis) => Ok(self.axis(*view, *axis)),
        }
    }

    pub(super) fn two(&mut self, a: &Expr, b: &Expr) -> Result<[Code; 2], Missing> {
        let mut codes = self.operands([a, b])?.into_iter();
        let mut next = || codes.next().unwrap_or_else(|| Code::atom(""));
        Ok([next(), next()])
    }

    /// A constant: a value that rustc knows, or one that hangs on a type parameter.
    pub(super) fn constant(&mut self, path: &syn::Path) -> Result<Code, Missing> {
        if let Some(c) = path.get_ident().and_then(|name| self.function.consts.iter().find(|c| c.name == *name)) {
            return Ok(Code::fixed(format!("{}({})", c.dtype.name(), names::plain(&c.name))));
        }
        if let [of, name] = path.segments.iter().collect::<Vec<_>>()[..] {
            let generic = self.function.generics.iter().find(|g| g.name == of.ident).map(|g| names::plain(&g.name));
            let storage = Dtype::parse(&of.ident.to_string()).filter(|d| d.is_storage());
            let mathematical = matches!(name.ident.to_string().as_str(), "PI" | "E" | "LN_2" | "SQRT_2");
            if let Some(of) = generic.or_else(|| storage.filter(|_| mathematical).map(|d| d.name().to_owned())) {
                return Ok(Code::fixed(format!("lc::of<{of}>::{}()", names::plain(&name.ident))));
            }
        }
        let name = self.constant_named(path, path.to_token_stream());
        Ok(Code::fixed(name))
    }

    /// The name of a constant whose value is `value`.
    pub(super) fn constant_named(&mut self, path: &syn::Path, value: TokenStream) -> String {
        let k = self.constant_value(path, value);
        self.constants.get(k).map_or_else(String::new, |(name, _)| name.clone())
    }

    /// The number of such a constant.
    pub(super) fn constant_value(&mut self, path: &syn::Path, value: TokenStream) -> usize {
        let value = self.seen(value);
        let text = value.to_string();
        if let Some(k) = self.constants.iter().position(|(_, v)| v.to_string() == text) {
            return k;
        }
        let like = path.segments.last().map_or_else(String::new, |s| names::plain(&s.ident));
        let name = self.given.new_name(&like);
        self.constants.push((name, value));
        self.constants.len() - 1
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr) -> Result<Code, Missing> {
        let code = self.expr(a)?;
        let ty = self.function.types.of(a.id);
        let text = match (op, ty) {
            (UnaryOp::Neg, ty) if self.is_float(ty) => format!("-{}", code.beside(Binds::Prefix, true)),
            (UnaryOp::Not, Type::Dtype(Dtype::Bool)) => format!("!{}", code.beside(Binds::Prefix, true)),
            (UnaryOp::Not, Type::Dtype(Dtype::U32 | Dtype::U64)) => format!("~{}", code.beside(Binds::Prefix, true)),
            (UnaryOp::Neg, _) => return Ok(Code { open: code.open, ..Code::atom(format!("lc::neg({})", code.text)) }),
            (UnaryOp::Not, _) => return Ok(Code { open: code.open, ..Code::atom(format!("lc::not_({})", code.text)) }),
        };
        Ok(Code { fixed: code.fixed, ..Code::operator(text, Binds::Prefix) })
    }

    /// Whether C++'s operators on a type are Rust's: floats, those of type parameters included.
    fn is_float(&self, ty: &Type) -> bool {
        match ty {
            Type::Dtype(d) => d.is_float(),
            Type::Param(k) => self.function.generics.get(*k).is_some_and(|g| g.has(Class::Float)),
            _ => false,
        }
    }

    /// An operator on values of type `ty`.
    pub(super) fn binary_of(&self, op: BinaryOp, ty: &Type, a: &Code, b: &Code, right: Option<&Expr>) -> Code {
        use BinaryOp::{Add, And, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Rem, Shl, Shr, Sub, Xor};
        let is_float = self.is_float(ty);
        // Two 32 or 64 unsigned bits wrap in C++ as they do here, and lose nothing to the promotion to `int`.
        let is_wide = matches!(ty, Type::Dtype(Dtype::U32 | Dtype::U64));
        let is_known = is_float || matches!(ty, Type::Dtype(_));
        let bits = match ty {
            Type::Dtype(Dtype::U32) => 32,
            Type::Dtype(Dtype::U64) => 64,
            _ => 0,
        };
        let amount = right.and_then(|e| if let ExprKind::Int(n, _) = e.kind { Some(n) } else { None });
        let infix = |binds| Code { fixed: a.fixed && b.fixed, ..Code::infix(op.symbol(), binds, a, b) };
        let open = a.open || b.open;
        match op {
            Add | Sub if (is_float || is_wide) && !open => infix(Binds::Sum),
            Mul if (is_float || is_wide) && !open => infix(Binds::Product),
            Div if is_float && !open => infix(Binds::Product),
            And if is_wide && !open => infix(Binds::BitAnd),
            Xor if is_wide && !open => infix(Binds::BitXor),
            Or if is_wide && !open => infix(Binds::BitOr),
            Eq | Ne if is_known && !open => infix(Binds::Equal),
            Lt | Le | Gt | Ge if is_known && !open => infix(Binds::Compare),
            Shl | Shr if amount.is_some_and(|n| n < bits && n >= 0) => Code {
                fixed: a.fixed,
                ..Code::operator(format!("{} {} {}", a.beside(Binds::Shift, false), op.symbol(), amount.unwrap_or(0)), Binds::Shift)
            },
            Div | Rem => Code::atom(format!("lc::{}(cx, {}, {})", op.function(), a.text, b.text)),
            And | Or | Xor => Code::atom(format!("lc::{}_({}, {})", op.function(), a.text, b.text)),
            _ => Code { fixed: a.fixed && b.fixed, ..Code::atom(format!("lc::{}({}, {})", op.function(), a.text, b.text)) },
        }
    }

    fn cast(&mut self, a: &Expr, ty: &Type, id: usize) -> Result<Code, Missing> {
        let to = match self.ty(ty)? {
            Some(to) => to,
            None => {
                let found = self.function.types.of(id).clone();
                self.known_ty(&found, "a cast")?
            }
        };
        // Of a constant only rustc knows the type, which may be one that kernels do not have.
        if let ExprKind::Const(path) = &a.kind
            && let Type::Dtype(d) = ty
            && !self.is_of_kernel(path)
        {
            if d.is_storage() {
                let name = self.constant_named(path, quote!(#path as f64));
                return Ok(Code::fixed(format!("lc::cast<{to}>({name})")));
            }
            let dtype = self.function.root.dtype(*d);
            return Ok(Code::fixed(self.constant_named(path, quote!(#path as #dtype))));
        }
        let a = self.expr(a)?;
        Ok(Code { fixed: a.fixed, ..Code::atom(format!("lc::cast<{to}>({})", a.text)) })
    }

    /// Whether a constant is known to be of a type that Rust's own `as` does not take, or not one of Rust's at all.
    fn is_of_kernel(&self, path: &syn::Path) -> bool {
        if path.get_ident().is_some_and(|name| self.function.consts.iter().any(|c| c.name == *name)) {
            return true;
        }
        let [of, _] = path.segments.iter().collect::<Vec<_>>()[..] else { return false };
        self.function.generics.iter().any(|g| of.ident == g.name) || Dtype::parse(&of.ident.to_string()).is_some_and(Dtype::is_storage)
    }

    fn builtin(&mut self, name: &'static str, args: &[Expr], of: Option<&Type>) -> Result<Code, Missing> {
        for elementary in builtin::elementary(name) {
            self.need(Need::Elementary(elementary));
        }
        let codes = self.operands(args)?;
        let mut all = vec!["cx".to_owned()];
        for (k, code) in codes.iter().enumerate() {
            // `T::exp(2)`: the type that is written is that of the receiver.
            match of {
                Some(ty) if k == 0 && code.open => {
                    let ty = self.known_ty(ty, "a method")?;
                    all.push(format!("lc::to<{ty}>({})", code.text));
                }
                _ => all.push(code.text.clone()),
            }
        }
        let open = codes.iter().all(|c| c.open);
        if open && of.is_none() {
            return Err(Missing::new(format!("method `{name}` of a literal whose type only rustc finds")));
        }
        let fixed = codes.iter().all(|c| c.fixed);
        Ok(Code { fixed, ..Code::atom(format!("lc::{name}({})", all.join(", "))) })
    }

    /// `helper(a, b)`
    fn call(&mut self, path: &syn::Path, args: &[Expr], id: usize) -> Result<Code, Missing> {
        let codes = self.operands(args)?;
        self.call_of(path, codes, id)
    }

    /// The same with arguments that are put into C++.
    pub(super) fn call_of(&mut self, path: &syn::Path, codes: Vec<Code>, id: usize) -> Result<Code, Missing> {
        let mut path = path.clone();
        let hints = match path.segments.last_mut().map(|last| core::mem::take(&mut last.arguments)) {
            Some(syn::PathArguments::AngleBracketed(generics)) => Some(self.hints(&generics)?),
            _ => None,
        };
        let k = self.need(Need::Function(path));
        let result = self.function.types.of(id).clone();
        let result = self.ty(&result)?.unwrap_or_else(|| "lc::any".to_owned());
        let stub = hints.is_some() || codes.iter().any(|c| c.open);
        let hints = hints.unwrap_or_else(|| "lc::hints<>".to_owned());
        let mark = if stub { 'g' } else { 'f' };
        let args: Vec<String> = core::iter::once("cx".to_owned()).chain(codes.into_iter().map(|c| c.text)).collect();
        Ok(Code::atom(format!("${mark}{k}$$<${result}, {hints}$>$({})", args.join(", "))))
    }
}
