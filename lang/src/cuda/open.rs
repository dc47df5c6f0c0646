//! Types that only rustc finds, where C++ has to be told one before it sees a value: `decltype` of an expression elsewhere in the function that has the type,
//! a call of a helper above all.
//!
//! Such an expression may stand behind, where other names are in sight: what it is made of is written as values of known types (`lc::any_of<f32>()`).

use super::Missing;
use super::body::Emit;
use super::code::Code;
use crate::check::Open;
use crate::tree::{Expr, ExprKind, Stmt};
use crate::walk::{self, Node};
use quote::ToTokens;

/// From a type to a part of it.
#[derive(Clone, Copy)]
enum Step {
    Element(usize),
    Item,
}

impl<'a> Emit<'a> {
    /// The type of an expression: as it is known, or found from another expression.
    pub(super) fn ty_or_found(&mut self, e: &Expr) -> Result<Option<String>, Missing> {
        let known = self.ty_of(e)?;
        Ok(known.or_else(|| self.found_ty(self.function.types.parts_of(e.id))))
    }

    /// A type whose parts are known, or found from other expressions.
    pub(super) fn found_ty(&mut self, ty: Option<&'a Open>) -> Option<String> {
        Some(match ty? {
            Open::Known(ty) => self.ty(ty).ok()??,
            Open::Part(part) => self.found_part(*part)?,
            Open::Tuple(items) => {
                let items: Option<Vec<String>> = items.iter().map(|item| self.found_ty(Some(item))).collect();
                format!("lc::tuple<{}>", items?.join(", "))
            }
            Open::Array(item, len) => format!("lc::array<{}, {len}>", self.found_ty(Some(item))?),
            Open::Option(item) => format!("lc::maybe<{}>", self.found_ty(Some(item))?),
        })
    }

    fn found_part(&mut self, part: usize) -> Option<String> {
        if self.sought.contains(&part) {
            return None;
        }
        let function = self.function;
        let mut witnesses: Vec<(&'a Expr, Vec<Step>)> = Vec::new();
        walk::block(&function.body, &mut |node| {
            if let Node::Expr(e) = node
                && let Some(way) = function.types.parts_of(e.id).and_then(|ty| way_to(ty, part))
            {
                witnesses.push((e, way));
            }
        });
        self.sought.push(part);
        let found = witnesses.into_iter().find_map(|(e, way)| {
            let whole = format!("decltype({})", self.witness(e)?.text);
            Some(way.into_iter().fold(whole, |of, step| match step {
                Step::Element(k) => format!("lc::part_t<{of}, {k}>"),
                Step::Item => format!("lc::item_t<{of}>"),
            }))
        });
        self.sought.pop();
        found
    }

    /// An expression whose type C++ finds, wherever it stands in the function.
    fn witness(&mut self, e: &'a Expr) -> Option<Code> {
        match &e.kind {
            ExprKind::Call(path, args) => {
                let codes: Vec<Code> = args.iter().map(|e| self.stand_in(e)).collect::<Option<_>>()?;
                // Type arguments could be deduced from literals alone.
                let is_found = codes.is_empty() || codes.iter().any(|code| !code.open);
                if is_found { self.call_of(path, codes, e.id).ok() } else { None }
            }
            ExprKind::Const(path) if self.is_in_sight(path) => {
                let name = self.constant(path).ok()?.text;
                Some(Code::atom(format!("lc::any_of<lc::real<decltype({name})>>()")))
            }
            ExprKind::Field(a, m) => Some(Code::atom(format!("{}.{}", self.stand_in(a)?.text, super::aggregate::member(m)))),
            ExprKind::Var(id) if self.function.args.iter().any(|(arg, _)| arg == id) => Some(Code::atom(self.name(*id))),
            _ => None,
        }
    }

    /// Whether a constant is in sight: a local one of another block need not be, or may be another one of its name.
    fn is_in_sight(&self, path: &syn::Path) -> bool {
        let Some(name) = path.get_ident() else { return true };
        let mut local = Vec::new();
        walk::block(&self.function.body, &mut |node| {
            if let Node::Stmt(Stmt::Const(c)) = node
                && c.ident == *name
            {
                local.push(c.to_token_stream().to_string());
            }
        });
        match local.as_slice() {
            [] => true,
            [one] => self.local.iter().any(|item| item.to_string() == *one),
            _ => false,
        }
    }

    /// A value of an expression's type.
    fn stand_in(&mut self, e: &'a Expr) -> Option<Code> {
        if let Some(ty) = self.ty_of(e).ok()? {
            return Some(Code::atom(format!("lc::any_of<{ty}>()")));
        }
        match &e.kind {
            ExprKind::Int(value, _) => self.int_literal(*value, e.id).ok(),
            ExprKind::Float(digits, _) => self.float_literal(digits, e.id).ok(),
            _ => match self.found_ty(self.function.types.parts_of(e.id)) {
                Some(ty) => Some(Code::atom(format!("lc::any_of<{ty}>()"))),
                None => self.witness(e),
            },
        }
    }
}

/// The way from a type to a part.
fn way_to(ty: &Open, part: usize) -> Option<Vec<Step>> {
    let inside = |step, ty: &Open| {
        let mut way = way_to(ty, part)?;
        way.insert(0, step);
        Some(way)
    };
    match ty {
        Open::Part(own) => (*own == part).then(Vec::new),
        Open::Tuple(items) => items.iter().enumerate().find_map(|(k, item)| inside(Step::Element(k), item)),
        Open::Array(item, _) | Open::Option(item) => inside(Step::Item, item),
        Open::Known(_) => None,
    }
}
