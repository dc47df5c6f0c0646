//! Expressions: every variant of [`syn::Expr`], supported or rejected.

use super::block::{self, compound};
use super::scope::Scope;
use super::{closure, flow, matching, structure, ty};
use crate::builtin::{self, BUILTINS, Builtin, FROM_BITS};
use crate::dtype::Dtype;
use crate::error::{Source, because, did_you_mean, list};
use crate::surroundings::{self, Function};
use crate::tree::{BinaryOp, Expr, ExprKind, Member, OptionOp, Type, UnaryOp};
use syn::spanned::Spanned;

/// Parses an expression.
pub fn parse(e: &syn::Expr, scope: &mut Scope) -> syn::Result<Expr> {
    let source = Source::of(e);
    let kind = kind(e, scope)?;
    Ok(Expr { kind, source, id: scope.expr_id() })
}

fn boxed(e: &syn::Expr, scope: &mut Scope) -> syn::Result<Box<Expr>> {
    parse(e, scope).map(Box::new)
}

fn kind(e: &syn::Expr, scope: &mut Scope) -> syn::Result<ExprKind> {
    let reject = |why: &str| Err(Source::of(e).error(why));
    match e {
        syn::Expr::Lit(lit) => literal(&lit.lit, false),
        syn::Expr::Path(path) => self::path(path, scope),
        syn::Expr::Paren(inner) => parse(&inner.expr, scope).map(|e| e.kind),
        syn::Expr::Group(inner) => parse(&inner.expr, scope).map(|e| e.kind),
        syn::Expr::Unary(unary) => self::unary(unary, scope),
        syn::Expr::Binary(binary) => self::binary(binary, scope),
        syn::Expr::Cast(cast) => Ok(ExprKind::Cast(boxed(&cast.expr, scope)?, ty::parse(&cast.ty, scope)?)),
        syn::Expr::If(if_) => self::if_(if_, scope),
        syn::Expr::Block(b) => match &b.label {
            Some(label) => Err(Source::of(label).error(
                "a labelled block cannot be used in a kernel yet; use `if` (`if c { .. }`), because lanes leave loops and functions alone",
            )),
            None => block::parse(&b.block, scope).map(ExprKind::Block),
        },
        syn::Expr::Tuple(tuple) => tuple.elems.iter().map(|e| parse(e, scope)).collect::<syn::Result<_>>().map(ExprKind::Tuple),
        syn::Expr::Field(field) => match &field.member {
            syn::Member::Unnamed(index) => Ok(ExprKind::Field(boxed(&field.base, scope)?, Member::Element(index.index as usize))),
            syn::Member::Named(name) => Ok(ExprKind::Field(boxed(&field.base, scope)?, Member::Named(name.clone()))),
        },
        syn::Expr::MethodCall(call) => method(call, scope),
        syn::Expr::Call(call) => self::call(call, scope),
        syn::Expr::Assign(_) => reject("an assignment cannot be a value; make it a statement of its own (`x = ..;`), because it has none"),
        syn::Expr::Macro(m) => macro_(&m.mac, scope),
        syn::Expr::Index(index) if crate::block::parse::is_element(e, scope) => {
            crate::block::parse::element(index, scope).map(ExprKind::Element)
        }
        syn::Expr::Array(array) => array.elems.iter().map(|e| parse(e, scope)).collect::<syn::Result<_>>().map(ExprKind::Array),
        syn::Expr::Repeat(r) => Ok(ExprKind::Repeat(boxed(&r.expr, scope)?, ty::length(&r.len, scope)?)),
        syn::Expr::Index(i) => Ok(ExprKind::Index(boxed(&i.expr, scope)?, boxed(&i.index, scope)?)),
        syn::Expr::Async(_) | syn::Expr::Await(_) => reject("`async` cannot be used in a kernel, because a kernel runs to its end at once"),
        syn::Expr::Break(_) | syn::Expr::Continue(_) | syn::Expr::Return(_) => reject(
            "`break`, `continue` and `return` cannot be part of a larger expression; make it a statement of its own (`if c { return x; }`), because lanes that go on need the rest",
        ),
        syn::Expr::ForLoop(e) => flow::for_(e, scope),
        syn::Expr::While(e) => flow::while_(e, scope),
        syn::Expr::Loop(e) => flow::loop_(e, scope),
        syn::Expr::Match(m) => matching::match_(m, scope),
        syn::Expr::Let(_) => reject(
            "`let` cannot be part of a larger condition in a kernel; nest it (`if c { if let p = x { .. } }`), because its names are in sight in the whole block",
        ),
        syn::Expr::Closure(_) => reject("a closure of a kernel has to be named; bind it first (`let f = |x| ..;`), then call it (`f(x)`)"),
        syn::Expr::Struct(s) => structure::literal(s, scope),
        syn::Expr::Range(_) => {
            reject("a range cannot be used here; compare with `lo <= x && x < hi`, because lanes hold numbers and no ranges")
        }
        syn::Expr::Const(_) => reject(
            "a const block cannot be used in a kernel yet; name a constant (`const K: f32 = ..;`), because its type is not known where it stands",
        ),
        syn::Expr::Reference(_) => reject("a reference cannot be taken in a kernel; use the value, because kernels hold values only"),
        syn::Expr::RawAddr(_) => reject("an address cannot be taken in a kernel; use the value, because kernels hold values only"),
        syn::Expr::Try(_) => reject(
            "`?` cannot be used in a kernel; take the value out by hand (`let Some(y) = x else { return None };`), because it leaves the function for some lanes in the middle of an expression",
        ),
        syn::Expr::TryBlock(_) => reject("`try` cannot be used in a kernel, because no operation gives a `Result`"),
        syn::Expr::Unsafe(_) => reject(
            "`unsafe` cannot be used in a kernel; write what stands inside without it, because a kernel works on values and has no use for it",
        ),
        syn::Expr::Yield(_) => reject("`yield` cannot be used in a kernel, because a kernel gives one result per element"),
        syn::Expr::Infer(_) => {
            reject("`_` cannot be a value; name the value, or bind it to `_` on the left (`let _ = ..;`), because it holds none")
        }
        syn::Expr::Verbatim(_) => reject("this expression cannot be understood"),
        _ => reject("this expression is unknown to the kernel language"),
    }
}

/// `dbg!(x)`, the one macro that a kernel can use.
pub fn macro_(m: &syn::Macro, scope: &mut Scope) -> syn::Result<ExprKind> {
    if !m.path.is_ident("dbg") {
        return Err(reject_macro(m));
    }
    let one = |_| {
        Source::of(m).error("`dbg!` cannot take another number of values than one in a kernel; write one for each (`dbg!(x)`), because it gives its value back")
    };
    let value: syn::Expr = m.parse_body().map_err(one)?;
    Ok(ExprKind::Dbg(boxed(&value, scope)?, crate::layout::text(m.tokens.clone())))
}

/// Another macro.
fn reject_macro(m: &syn::Macro) -> syn::Error {
    let name = m.path.segments.last().map_or_else(String::new, |s| s.ident.to_string());
    if name == "dbg" {
        return Source::of(&m.path)
            .error("`dbg!` cannot be called by a path in a kernel; write `dbg!(x)`, because the kernel language has one of its own");
    }
    Source::of(m).error(format!(
        "macro `{name}!` cannot be used in a kernel; write its code, because the kernel language sees a macro before it is expanded"
    ))
}

/// A literal; `negative` where a `-` stands right before it.
fn literal(lit: &syn::Lit, negative: bool) -> syn::Result<ExprKind> {
    let suffix = |suffix: &str| match suffix {
        "" => Ok(None),
        s if Dtype::parse(s).is_some_and(Dtype::is_storage) => Err(syn::Error::new(
            lit.span(),
            format!(
                "a literal cannot have the suffix `{s}`; write it with `f32` and convert it (`1.0_f32 as {s}`), because `{s}` is for storage and a kernel computes in `f32`"
            ),
        )),
        s => Dtype::parse(s).map(Some).ok_or_else(|| {
            syn::Error::new(
                lit.span(),
                format!("suffix `{s}` cannot be used in a kernel; use a dtype's (`1_i32`), because lanes hold {} alone", list(Dtype::ALL)),
            )
        }),
    };
    match lit {
        syn::Lit::Int(int) => {
            let dtype = suffix(int.suffix())?;
            if dtype.is_some_and(Dtype::is_float) {
                let sign = if negative { "-" } else { "" };
                return Ok(ExprKind::Float(format!("{sign}{}", int.base10_digits()), dtype));
            }
            let value: i128 = int.base10_parse()?;
            Ok(ExprKind::Int(if negative { -value } else { value }, dtype))
        }
        syn::Lit::Float(float) => {
            let sign = if negative { "-" } else { "" };
            Ok(ExprKind::Float(format!("{sign}{}", float.base10_digits()), suffix(float.suffix())?))
        }
        syn::Lit::Bool(b) => Ok(ExprKind::Bool(b.value)),
        syn::Lit::Byte(b) => Ok(ExprKind::Int(i128::from(b.value()), Some(Dtype::U8))),
        other => Err(syn::Error::new(
            other.span(),
            "text cannot be used in a kernel; use a number (`1`, `b'a'`), because lanes hold numbers and bools",
        )),
    }
}

fn path(path: &syn::ExprPath, scope: &mut Scope) -> syn::Result<ExprKind> {
    if path.qself.is_some() {
        return Err(Source::of(path).error("a qualified path (`<T as Trait>::..`) cannot be used in a kernel; write `T::NAME`, because lanes have constants of their own traits"));
    }
    if let Some(name) = path.path.get_ident().filter(|name| scope.find_closure(name).is_some()) {
        return Err(Source::of(path)
            .error(format!("closure `{name}` cannot be a value; call it (`{name}(..)`), because it is written out where it is called")));
    }
    if let Some(value) = scope.find_value(&path.path) {
        return Ok(ExprKind::Int(value.number as i128, Some(Dtype::I32)));
    }
    match path.path.get_ident().and_then(|name| scope.find(name)) {
        Some(var) if scope.view(var).is_some() => Err(crate::block::parse::not_a_value(path)),
        Some(var) => Ok(ExprKind::Var(var)),
        None if path.path.is_ident("None") => Ok(ExprKind::Option(OptionOp::None, Vec::new())),
        None => Ok(ExprKind::Const(path.path.clone())),
    }
}

fn unary(unary: &syn::ExprUnary, scope: &mut Scope) -> syn::Result<ExprKind> {
    match unary.op {
        syn::UnOp::Neg(_) => match &*unary.expr {
            // `-128i8` is one literal: without its sign it would be out of range.
            syn::Expr::Lit(syn::ExprLit { lit: lit @ (syn::Lit::Int(_) | syn::Lit::Float(_)), .. }) => literal(lit, true),
            e => Ok(ExprKind::Unary(UnaryOp::Neg, boxed(e, scope)?)),
        },
        syn::UnOp::Not(_) => Ok(ExprKind::Unary(UnaryOp::Not, boxed(&unary.expr, scope)?)),
        _ => Err(Source::of(unary).error("`*` cannot be used in a kernel, because kernels hold values, not references")),
    }
}

fn binary(b: &syn::ExprBinary, scope: &mut Scope) -> syn::Result<ExprKind> {
    let op = match b.op {
        syn::BinOp::Add(_) => BinaryOp::Add,
        syn::BinOp::Sub(_) => BinaryOp::Sub,
        syn::BinOp::Mul(_) => BinaryOp::Mul,
        syn::BinOp::Div(_) => BinaryOp::Div,
        syn::BinOp::Rem(_) => BinaryOp::Rem,
        syn::BinOp::BitXor(_) => BinaryOp::Xor,
        syn::BinOp::BitAnd(_) => BinaryOp::And,
        syn::BinOp::BitOr(_) => BinaryOp::Or,
        syn::BinOp::Shl(_) => BinaryOp::Shl,
        syn::BinOp::Shr(_) => BinaryOp::Shr,
        syn::BinOp::Eq(_) => BinaryOp::Eq,
        syn::BinOp::Ne(_) => BinaryOp::Ne,
        syn::BinOp::Lt(_) => BinaryOp::Lt,
        syn::BinOp::Le(_) => BinaryOp::Le,
        syn::BinOp::Gt(_) => BinaryOp::Gt,
        syn::BinOp::Ge(_) => BinaryOp::Ge,
        syn::BinOp::And(_) | syn::BinOp::Or(_) => {
            let or = matches!(b.op, syn::BinOp::Or(_));
            return Ok(ExprKind::ShortCircuit { or, left: boxed(&b.left, scope)?, right: boxed(&b.right, scope)? });
        }
        ref op if compound(op).is_some() => {
            return Err(Source::of(b)
                .error("a compound assignment cannot be a value; make it a statement of its own (`x += ..;`), because it has none"));
        }
        _ => return Err(syn::Error::new(b.op.span(), "this operator is unknown to the kernel language")),
    };
    Ok(ExprKind::Binary(op, boxed(&b.left, scope)?, boxed(&b.right, scope)?))
}

fn if_(if_: &syn::ExprIf, scope: &mut Scope) -> syn::Result<ExprKind> {
    let otherwise = |scope: &mut Scope| match &if_.else_branch {
        None => Ok(None),
        // `else if` is a block that holds the `if`.
        Some((_, e)) => block::arm(e, scope).map(Some),
    };
    if let syn::Expr::Let(e) = &*if_.cond {
        let otherwise = otherwise(scope)?;
        return matching::if_let(e, &if_.then_branch, otherwise, scope);
    }
    let cond = boxed(&if_.cond, scope)?;
    let then = block::parse(&if_.then_branch, scope)?;
    Ok(ExprKind::If { cond, then, otherwise: otherwise(scope)? })
}

/// `x.exp()`
fn method(call: &syn::ExprMethodCall, scope: &mut Scope) -> syn::Result<ExprKind> {
    let name = call.method.to_string();
    if let Some(kind) = crate::block::parse::method(call, scope) {
        return kind;
    }
    if let Some(turbofish) = &call.turbofish {
        return Err(Source::of(turbofish)
            .error("a method of a kernel cannot have type arguments; remove them, because its type is that of its values"));
    }
    if name == "len" && call.args.is_empty() {
        return Ok(ExprKind::Len(boxed(&call.receiver, scope)?));
    }
    let option = OptionOp::METHODS.iter().find(|op| op.name() == name);
    if let Some(op) = option.filter(|op| op.arity() == call.args.len() + 1) {
        let args = core::iter::once(&*call.receiver).chain(&call.args).map(|e| parse(e, scope)).collect::<syn::Result<Vec<_>>>()?;
        return Ok(ExprKind::Option(*op, args));
    }
    let Some(builtin) = builtin::find(&name) else {
        return Err(Source::of(&call.method).error(unknown("method", &name, &["is_none", "is_some", "len", "unwrap_or"])));
    };
    let args = core::iter::once(&*call.receiver).chain(&call.args).map(|e| parse(e, scope)).collect::<syn::Result<Vec<_>>>()?;
    arity(builtin, args.len(), Source::of(&call.method), 1)?;
    Ok(ExprKind::Builtin(builtin, args, None))
}

/// `helper(x)`, `f32::exp(x)`, `T::from_bits(x)`
fn call(call: &syn::ExprCall, scope: &mut Scope) -> syn::Result<ExprKind> {
    let syn::Expr::Path(syn::ExprPath { qself: None, path, .. }) = &*call.func else {
        if matches!(&*call.func, syn::Expr::Path(_)) {
            return Err(Source::of(&call.func)
                .error("a qualified path (`<f32>::exp`) cannot be called in a kernel; write `f32::exp(x)`, `T::exp(x)` or `x.exp()`, because lanes have functions of their own traits"));
        }
        return Err(
            Source::of(&call.func).error("this cannot be called in a kernel; call an `#[always_inline]` function by its name, because a macro looks functions up by their names")
        );
    };
    if let Some(scan) = crate::block::parse::scan(call, scope) {
        return scan;
    }
    let args = |scope: &mut Scope| call.args.iter().map(|e| parse(e, scope)).collect::<syn::Result<Vec<_>>>();
    if let Some(name) = path.get_ident() {
        if let Some(closure) = scope.find_closure(name) {
            let args = args(scope)?;
            return closure::call(call, args, &closure, scope);
        }
        if scope.find(name).is_some() {
            return Err(Source::of(name).error(format!(
                "variable `{name}` cannot be called; call an `#[always_inline]` function by its name, because a number is no function"
            )));
        }
    }
    if own_name(path).is_some_and(|name| name == scope.function()) {
        let name = scope.function();
        return Err(Source::of(path)
            .error(format!("`{name}` cannot call itself; compute the result without recursion, because each call is inlined")));
    }
    if let Some((ty, name)) = associated(path, scope) {
        let text = name.to_string();
        let mut args = args(scope)?;
        if text == FROM_BITS {
            return match (args.pop(), args.is_empty()) {
                (Some(bits), true) => Ok(ExprKind::FromBits(ty, Box::new(bits))),
                _ => Err(Source::of(path).error("`from_bits` cannot take another number of arguments than 1; give it the bits (`f32::from_bits(u)`), because it is declared so")),
            };
        }
        let Some(builtin) = builtin::find(&text) else {
            return Err(Source::of(name).error(unknown("function of a dtype", &text, &[FROM_BITS])));
        };
        arity(builtin, args.len(), Source::of(name), 0)?;
        return Ok(ExprKind::Builtin(builtin, args, Some(ty)));
    }
    if path.is_ident("Some") && call.args.len() == 1 {
        return Ok(ExprKind::Option(OptionOp::Some, args(scope)?));
    }
    let root = path.segments.first().map(|s| s.ident.to_string());
    if path.segments.len() > 1 && matches!(root.as_deref(), Some("std" | "core" | "alloc")) {
        let name = path.segments.last().map_or_else(String::new, |s| s.ident.to_string());
        return Err(Source::of(path).error(format!(
            "function `{name}` of the standard library cannot be called in a kernel; call a method (`x.abs()`), or write an `#[always_inline]` function, because lanes need a form of their own"
        )));
    }
    if let Some(name) = own_name(path) {
        helper(path, name, call.args.len(), scope)?;
    }
    let args = args(scope)?;
    reject_variable_generics(path, scope)?;
    Ok(if structure::is_constructor(path) { structure::tuple_literal(path, args) } else { ExprKind::Call(path.clone(), args) })
}

/// Rejects the call of a function whose own text shows that it cannot be. Of others rustc tells.
fn helper(path: &syn::Path, name: &syn::Ident, came: usize, scope: &Scope) -> syn::Result<()> {
    match surroundings::function(name, scope.function()) {
        Some(Function::Plain { line }) => Err(Source::of(path).error(format!(
            "function `{name}` cannot be called in a kernel; put `#[always_inline]` on it (line {line}), because lanes need a form of their own"
        ))),
        Some(Function::Helper { arguments }) if arguments != came => {
            Err(Source::of(path).error(takes("", name, arguments, came)))
        }
        Some(Function::Helper { .. }) | None => Ok(()),
    }
}

/// Rejects `helper::<k>(x)` of a variable `k`.
fn reject_variable_generics(path: &syn::Path, scope: &Scope) -> syn::Result<()> {
    let Some(syn::PathArguments::AngleBracketed(generics)) = path.segments.last().map(|s| &s.arguments) else { return Ok(()) };
    for argument in &generics.args {
        let name = match argument {
            syn::GenericArgument::Type(syn::Type::Path(p)) => p.path.get_ident(),
            syn::GenericArgument::Const(syn::Expr::Block(b)) => match b.block.stmts.as_slice() {
                [syn::Stmt::Expr(syn::Expr::Path(p), None)] => p.path.get_ident(),
                _ => None,
            },
            _ => None,
        };
        if let Some(name) = name.filter(|name| scope.is_var(name)) {
            return Err(Source::of(argument).error(format!(
                "a const generic cannot be variable `{name}`; give it a constant, or make it an argument of the function, because it has to be known at compile time"
            )));
        }
    }
    Ok(())
}

/// The name of something in sight or of the same module: `f`, `f::<T>`, `self::f`.
fn own_name(path: &syn::Path) -> Option<&syn::Ident> {
    let mut segments = path.segments.iter();
    match (path.leading_colon, segments.next()?, segments.next(), segments.next()) {
        (None, one, None, _) => Some(&one.ident),
        (None, first, Some(one), None) if first.ident == "self" => Some(&one.ident),
        _ => None,
    }
}

/// `T::name` and `f32::name`, taken apart.
pub fn associated<'p>(path: &'p syn::Path, scope: &Scope) -> Option<(Type, &'p syn::Ident)> {
    let mut segments = path.segments.iter();
    let (ty, name) = (segments.next()?, segments.next()?);
    if segments.next().is_some() || path.leading_colon.is_some() || !ty.arguments.is_none() || !name.arguments.is_none() {
        return None;
    }
    Some((scope.type_named(&ty.ident)?, &name.ident))
}

/// What to say of a method that there is not.
fn unknown(what: &str, name: &str, more: &[&'static str]) -> String {
    let reason = "lanes have the methods of docs/language.md alone";
    if let Some(instead) = builtin::instead(name) {
        return because(&format!("{what} `{name}` is not in the kernel language; {instead}"), reason);
    }
    let hint = did_you_mean(name, BUILTINS.iter().map(|b| b.name).chain(more.iter().copied()));
    let own = format!("write an `#[always_inline]` function and call it (`{name}(x)`)");
    format!("{what} `{name}` is not in the kernel language; {own}, because {reason}{hint}")
}

/// `hidden` arguments are written before the dot.
fn arity(builtin: &Builtin, came: usize, source: Source, hidden: usize) -> syn::Result<()> {
    if came == builtin.arity() {
        return Ok(());
    }
    let receiver = if hidden == 0 { "" } else { "x." };
    Err(source.error(takes(receiver, builtin.name, builtin.arity() - hidden, came - hidden)))
}

/// What to say of a call with a wrong number of arguments; `receiver` is what the example has before the name.
pub(super) fn takes(receiver: &str, name: impl core::fmt::Display, takes: usize, came: usize) -> String {
    let example = ('a'..='z').take(takes).map(String::from).collect::<Vec<_>>().join(", ");
    let s = if came == 1 { "" } else { "s" };
    format!("`{name}` cannot take {came} argument{s}; give it {takes} (`{receiver}{name}({example})`), because it is declared so")
}
