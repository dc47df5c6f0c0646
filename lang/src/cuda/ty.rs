//! Types and literals.

use super::body::Emit;
use super::code::{Binds, Code};
use super::{Missing, Need, names};
use crate::dtype::Dtype;
use crate::tree::{Length, Type};
use quote::{ToTokens, quote};

impl Emit<'_> {
    /// A type; `None` where a part of it is for C++ to find.
    pub fn ty(&mut self, ty: &Type) -> Result<Option<String>, Missing> {
        Ok(match ty {
            Type::Dtype(d) => Some(d.name().to_owned()),
            Type::Param(k) => self.generic(*k),
            Type::Tuple(items) => {
                let mut parts = Vec::new();
                for item in items {
                    match self.ty(item)? {
                        Some(part) => parts.push(part),
                        None => return Ok(None),
                    }
                }
                Some(format!("lc::tuple<{}>", parts.join(", ")))
            }
            Type::Array(item, len) => match self.ty(item)? {
                Some(item) => Some(format!("lc::array<{item}, {}>", self.length(len)?)),
                None => None,
            },
            Type::Option(item) => self.ty(item)?.map(|item| format!("lc::maybe<{item}>")),
            Type::Named(ty) => Some(self.named(ty)?),
            Type::View(view) => Some(self.view_ty(view)?),
            Type::Infer => None,
        })
    }

    /// A type that has to be known.
    pub fn known_ty(&mut self, ty: &Type, what: &str) -> Result<String, Missing> {
        self.ty(ty)?.ok_or_else(|| Missing::new(format!("{what} of a type that only rustc finds")))
    }

    /// The name of a type parameter.
    fn generic(&self, k: usize) -> Option<String> {
        self.function.generics.get(k).map(|g| names::plain(&g.name))
    }

    /// The length of an array.
    pub fn length(&mut self, len: &Length) -> Result<String, Missing> {
        if let Some(n) = len.known() {
            return Ok(n.to_string());
        }
        self.length_expr(&len.0)
    }

    /// A length that is computed: with C++'s operators, which are Rust's where Rust has a value.
    fn length_expr(&mut self, e: &syn::Expr) -> Result<String, Missing> {
        match e {
            syn::Expr::Path(path) if path.qself.is_none() => {
                if let Some(c) = path.path.get_ident().and_then(|name| self.function.consts.iter().find(|c| c.name == *name)) {
                    return Ok(names::plain(&c.name));
                }
                let k = self.constant_value(&path.path, path.to_token_stream());
                Ok(format!("$v{k}$"))
            }
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) => Ok(format!("{}ull", n.base10_digits())),
            syn::Expr::Binary(syn::ExprBinary { left, op, right, .. }) if is_of_numbers(op) => {
                let (left, right) = (self.length_expr(left)?, self.length_expr(right)?);
                Ok(format!("({left} {} {right})", op.to_token_stream()))
            }
            syn::Expr::Paren(inner) => self.length_expr(&inner.expr),
            syn::Expr::Group(inner) => self.length_expr(&inner.expr),
            syn::Expr::Block(b) => match b.block.stmts.as_slice() {
                [syn::Stmt::Expr(e, None)] => self.length_expr(e),
                _ => Err(Missing::new("the length of an array that statements compute")),
            },
            _ => Err(Missing::new("the length of an array by anything but numbers, constants and operators")),
        }
    }

    /// A struct, another name of a type, or `T::Bits`.
    fn named(&mut self, ty: &syn::Type) -> Result<String, Missing> {
        if let syn::Type::Path(path) = ty
            && path.qself.is_none()
            && let [of, name] = path.path.segments.iter().collect::<Vec<_>>()[..]
            && let Some(k) = self.function.generics.iter().position(|g| g.name == of.ident)
        {
            let of = self.generic(k).unwrap_or_default();
            return match name.ident.to_string().as_str() {
                "Bits" => Ok(format!("lc::bits_t<{of}>")),
                "Unsigned" => Ok(format!("lc::unsigned_t<{of}>")),
                other => Err(Missing::new(format!("type `{of}::{other}`"))),
            };
        }
        if !self.names_a_generic(ty) {
            let (value, ty) = (self.function.root.private("cuda"), ty.to_token_stream());
            self.types.push(self.seen(quote!(<#ty as #value::Value>::write_type)));
            return Ok(format!("$t{}$", self.types.len() - 1));
        }
        self.generic_struct(ty)
    }

    /// The number of what is needed.
    pub fn need(&mut self, need: Need) -> usize {
        let key = |need: &Need| match need {
            Need::Function(path) => format!("f {}", path.to_token_stream()),
            Need::Elementary(name) => format!("e {name}"),
            Need::Struct(ty) => format!("s {ty}"),
        };
        let wanted = key(&need);
        if let Some(k) = self.needs.iter().position(|n| key(n) == wanted) {
            return k;
        }
        self.needs.push(need);
        self.needs.len() - 1
    }

    /// An integer literal.
    pub fn int_literal(&mut self, value: i128, id: usize) -> Result<Code, Missing> {
        let ty = self.function.types.of(id).clone();
        match ty {
            Type::Dtype(d) if d.is_int() => Ok(int(value, d)),
            Type::Dtype(_) | Type::Param(_) => {
                let ty = self.known_ty(&ty, "a literal")?;
                Ok(Code::fixed(format!("lc::lit<{ty}>({})", digits(value)?)))
            }
            // Of what is left, only `u64` has it.
            _ if value > i128::from(i64::MAX) => Ok(int(value, Dtype::U64)),
            _ => Ok(Code::open(format!("lc::Int{{{}}}", digits(value)?))),
        }
    }

    /// A float literal.
    pub fn float_literal(&mut self, text: &str, id: usize) -> Result<Code, Missing> {
        let ty = self.function.types.of(id).clone();
        let (single, double) = (text.parse::<f32>().unwrap_or(f32::NAN), text.parse::<f64>().unwrap_or(f64::NAN));
        let sign = if double.is_sign_negative() { Binds::Prefix } else { Binds::Atom };
        let fixed = |text: String| Code { binds: sign, ..Code::fixed(text) };
        match ty {
            Type::Dtype(Dtype::F32) => Ok(fixed(f32_text(single))),
            Type::Dtype(Dtype::F64) => Ok(fixed(f64_text(double))),
            Type::Dtype(_) | Type::Param(_) => {
                let ty = self.known_ty(&ty, "a literal")?;
                Ok(Code::fixed(format!("lc::lit<{ty}>({}, {})", f32_text(single), f64_text(double))))
            }
            _ => Ok(Code::open(format!("lc::Float{{{}, {}}}", f32_text(single), f64_text(double)))),
        }
    }
}

/// Whether an operator takes two integers to one.
fn is_of_numbers(op: &syn::BinOp) -> bool {
    use syn::BinOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
    matches!(op, Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) | BitAnd(_) | BitOr(_) | BitXor(_) | Shl(_) | Shr(_))
}

/// An integer for a type parameter.
fn digits(value: i128) -> Result<String, Missing> {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(i64::MIN), _) => Ok("-9223372036854775807ll - 1".to_owned()),
        (Ok(v), _) if i32::try_from(v).is_ok_and(|v| v != i32::MIN) => Ok(v.to_string()),
        (Ok(v), _) => Ok(format!("{v}ll")),
        (_, Ok(v)) => Ok(format!("{v}ull")),
        _ => Err(Missing::new("a literal of more than 64 bits")),
    }
}

/// An integer of a dtype.
fn int(value: i128, d: Dtype) -> Code {
    let text = match d {
        Dtype::I32 if value == i128::from(i32::MIN) => return Code::fixed("i32(0x80000000u)"),
        Dtype::I64 if value == i128::from(i64::MIN) => return Code::fixed("i64(0x8000000000000000ull)"),
        Dtype::I32 => value.to_string(),
        Dtype::U32 if value > 0xffff => format!("{value:#x}u"),
        Dtype::U64 if value > 0xffff => format!("{value:#x}ull"),
        Dtype::U32 => format!("{value}u"),
        Dtype::I64 => format!("{value}ll"),
        Dtype::U64 => format!("{value}ull"),
        other => return Code::fixed(format!("{}({value})", other.name())),
    };
    Code { binds: if value < 0 { Binds::Prefix } else { Binds::Atom }, ..Code::fixed(text) }
}

/// An `f32`: in decimal where that is the value itself, else in C++'s hexadecimal form, which no compiler has to round.
pub fn f32_text(x: f32) -> String {
    if !x.is_finite() {
        return format!("LC_BITS_F32({:#x}u)", x.to_bits());
    }
    if is_plain(f64::from(x)) { format!("{x:?}f") } else { format!("{}f", hexadecimal(f64::from(x))) }
}

/// The same of an `f64`.
pub fn f64_text(x: f64) -> String {
    if !x.is_finite() {
        return format!("LC_BITS_F64({:#x}ull)", x.to_bits());
    }
    if is_plain(x) { format!("{x:?}") } else { hexadecimal(x) }
}

fn is_plain(x: f64) -> bool {
    let scaled = x * 1024.0;
    scaled == scaled.trunc() && scaled.abs() < 16_777_216.0
}

/// `0x1.8p+1`
fn hexadecimal(x: f64) -> String {
    let bits = x.to_bits();
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & 0x000f_ffff_ffff_ffff);
    let (lead, exponent) = if exponent == 0 { (0, -1022) } else { (1, i64::try_from(exponent).unwrap_or(0) - 1023) };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{lead}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::{f32_text, f64_text, hexadecimal};

    #[test]
    fn floats_are_exact() {
        assert_eq!((f32_text(0.5), f64_text(-3.25), f32_text(-0.0)), ("0.5f".into(), "-3.25".into(), "-0.0f".into()));
        assert_eq!(hexadecimal(0.1), "0x1.999999999999ap-4");
        assert_eq!(f32_text(0.1), "0x1.99999ap-4f");
        assert_eq!(hexadecimal(5e-324), "0x0.0000000000001p-1022");
        assert_eq!(f32_text(f32::INFINITY), "LC_BITS_F32(0x7f800000u)");
        assert_eq!(f64_text(1e300), "0x1.7e43c8800759cp+996");
    }
}
