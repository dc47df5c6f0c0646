//! Tuples, arrays and `Option`s.

use super::Missing;
use super::body::Emit;
use super::code::Code;
use super::names;
use crate::tree::{Expr, ExprKind, Length, Member, OptionOp, Type};

/// A member, behind the dot.
pub fn member(m: &Member) -> String {
    match m {
        Member::Element(k) => format!("_{k}"),
        Member::Named(name) => names::plain(name),
        Member::Payload => "value".to_owned(),
    }
}

/// `a[i]`, to be read or written. An index beyond the end is a fault, and stands for 0.
pub fn element(array: &str, _index: &Expr, code: &Code) -> String {
    format!("lc::at(cx, {array}, {})", code.text)
}

impl Emit<'_> {
    pub(super) fn tuple(&mut self, items: &[Expr], id: usize) -> Result<Code, Missing> {
        let codes = self.operands(items)?;
        let (fixed, open) = (codes.iter().all(|c| c.fixed), codes.iter().any(|c| c.open));
        let texts: Vec<String> = codes.into_iter().map(|c| c.text).collect();
        let ty = self.ty_of_literal(id, open)?;
        let open = open && ty.is_none();
        let text = match ty {
            Some(ty) => format!("{ty}{{{}}}", texts.join(", ")),
            None => format!("lc::make_tuple({})", texts.join(", ")),
        };
        Ok(Code { fixed, open, ..Code::atom(text) })
    }

    pub(super) fn array(&mut self, items: &[Expr], id: usize) -> Result<Code, Missing> {
        let codes = self.operands(items)?;
        let (fixed, open) = (codes.iter().all(|c| c.fixed), codes.iter().all(|c| c.open));
        let texts: Vec<String> = codes.into_iter().map(|c| c.text).collect();
        let ty = self.ty_of_literal(id, open)?;
        let open = open && ty.is_none();
        let text = match ty {
            Some(ty) => format!("{ty}{{{{{}}}}}", texts.join(", ")),
            None if texts.is_empty() => return Err(Missing::new("an empty array of a type that only rustc finds")),
            None => format!("lc::make_array({})", texts.join(", ")),
        };
        Ok(Code { fixed, open, ..Code::atom(text) })
    }

    pub(super) fn repeat(&mut self, item: &Expr, len: &Length) -> Result<Code, Missing> {
        let (code, len) = (self.expr(item)?, self.length(len)?);
        let ty = self.ty_of_literal(item.id, code.open)?;
        let open = code.open && ty.is_none();
        let value = format!("<{}, {len}>({})", ty.as_deref().unwrap_or("lc::any"), code.text);
        Ok(Code { fixed: code.fixed, open, ..Code::atom(format!("lc::repeat{value}")) })
    }

    /// The type of what literals are put together to, or into: as it is known, or, if one of them is `open`, found from another expression.
    fn ty_of_literal(&mut self, id: usize, open: bool) -> Result<Option<String>, Missing> {
        let ty = self.function.types.of(id).clone();
        let known = self.ty(&ty)?;
        Ok(known.or_else(|| if open { self.found_ty(self.function.types.parts_of(id)) } else { None }))
    }

    pub(super) fn option(&mut self, op: OptionOp, args: &[Expr], id: usize) -> Result<Code, Missing> {
        let codes = self.operands(args)?;
        let (fixed, open) = (codes.iter().all(|c| c.fixed), codes.iter().any(|c| c.open));
        let texts: Vec<String> = codes.into_iter().map(|c| c.text).collect();
        let args = texts.join(", ");
        let ty = self.function.types.of(id).clone();
        let (text, open) = match (op, self.ty(&ty)?) {
            (OptionOp::Some, Some(ty)) => (format!("{ty}{{true, {args}}}"), false),
            (OptionOp::Some, None) => (format!("lc::some({args})"), open),
            (OptionOp::None, Some(ty)) => (format!("{ty}{{}}"), false),
            (OptionOp::None, None) => ("lc::none{}".to_owned(), true),
            (other, _) => (format!("lc::{}({args})", other.name()), false),
        };
        Ok(Code { fixed, open, ..Code::atom(text) })
    }

    /// Whether the type of an expression is one that C++ can be told.
    pub(super) fn ty_of(&mut self, e: &Expr) -> Result<Option<String>, Missing> {
        let ty = self.function.types.of(e.id).clone();
        match (&e.kind, self.ty(&ty)?) {
            (_, Some(ty)) => Ok(Some(ty)),
            (ExprKind::Cast(_, ty), None) if !matches!(ty, Type::Infer) => self.ty(ty),
            (_, None) => Ok(None),
        }
    }
}
