//! Arrays, structs, options.

use super::expr::own;
use super::{Around, Array, Grow, Var};
use crate::generator::tree::{BOOL, Block, Expr, INTS, Kind, Place, Stmt, Ty, U32};

impl Grow<'_> {
    pub fn array(&mut self, depth: usize, out: &mut Vec<Stmt>) {
        let (ty, len, mutable) = (self.ty(), 2 << self.rng.below(2), !self.rng.one_in(3));
        let count = self.rng.one_in(3).then_some(len);
        let values = (0..count.map_or(len, |_| 1)).map(|_| self.expr(ty, depth.min(2))).collect();
        let name = self.name();
        self.hide(&name);
        self.arrays.push(Array { name: name.clone(), ty, len, mutable });
        out.push(Stmt::Array { name, mutable, values, count });
    }

    fn place(&mut self, array: &Array) -> Place {
        let ty = *self.rng.pick(&INTS);
        let index = if self.rng.one_in(3) { self.literal(ty, true) } else { own(self.expr(ty, 1)) };
        Place { array: array.name.clone(), len: array.len, index: Box::new(index), as_usize: self.rng.one_in(2) }
    }

    /// An element of an array of the type; `None` if there is none.
    pub fn element(&mut self, ty: Ty) -> Option<Expr> {
        let fitting: Vec<Array> = self.arrays.iter().filter(|a| a.ty == ty).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let array = self.rng.pick(&fitting).clone();
        Some(Expr { ty, kind: Kind::Index(self.place(&array)) })
    }

    pub fn assign_element(&mut self, depth: usize, out: &mut Vec<Stmt>) {
        let fitting: Vec<Array> = self.arrays.iter().filter(|a| a.mutable).cloned().collect();
        if fitting.is_empty() {
            return self.array(depth, out);
        }
        let array = self.rng.pick(&fitting).clone();
        let op = (array.ty != BOOL && self.rng.one_in(2)).then(|| *self.rng.pick(&["+", "-", "*"]));
        let place = self.place(&array);
        out.push(Stmt::AssignAt { place, op, value: self.expr(array.ty, depth.min(2)) });
    }

    /// `for x in a {}`
    pub fn each(&mut self, depth: usize, out: &mut Vec<Stmt>) {
        if self.arrays.is_empty() {
            return self.array(depth, out);
        }
        let array = self.rng.pick(&self.arrays).clone();
        let (label, name) = (format!("'{}", self.fresh("l")), self.fresh("e"));
        let body = self.scope(|g| {
            g.show(name.clone(), array.ty, false);
            // Rust's loop has a copy of the array, ours may not: nobody may see the difference.
            g.arrays.retain(|a| a.name != array.name);
            g.loops.push(Around { label: label.clone(), value: None });
            Block { stmts: g.stmts(depth.saturating_sub(1)), value: None }
        });
        out.push(Stmt::Each { label, name, array: array.name, body });
    }

    pub fn struct_(&mut self, depth: usize, out: &mut Vec<Stmt>) {
        if self.fields.is_empty() {
            return;
        }
        if let (Some(helper), false, true) = (self.on_struct, self.structs.is_empty(), self.rng.one_in(2)) {
            let from = self.rng.pick(&self.structs).clone();
            let args = helper.args.iter().map(|(_, ty)| own(self.expr(*ty, depth.min(2)))).collect();
            let name = self.struct_name();
            out.push(Stmt::StructCall { name, args, from });
            return;
        }
        let base = if self.rng.one_in(2) && !self.structs.is_empty() { Some(self.rng.pick(&self.structs).clone()) } else { None };
        let all: Vec<(usize, Ty)> = self.fields.iter().copied().enumerate().collect();
        let given = if base.is_some() { &all[..self.rng.below(all.len())] } else { &all[..] };
        let fields = given.iter().map(|(k, ty)| (*k, self.expr(*ty, depth.min(2)))).collect();
        let name = self.struct_name();
        out.push(Stmt::Struct { name, fields, base });
    }

    /// The name of a new variable of `struct S`, which is in sight from here on.
    fn struct_name(&mut self) -> String {
        let name = self.name();
        self.hide(&name);
        self.structs.push(name.clone());
        self.vars.extend(self.fields.iter().enumerate().map(|(k, ty)| Var { place: format!("{name}.f{k}"), ty: *ty, mutable: true }));
        name
    }

    /// A `checked_` method of the type, and its operands.
    fn checked_call(&mut self, ty: Ty, d: usize) -> (&'static str, Vec<Expr>) {
        let mut names =
            vec!["checked_add", "checked_sub", "checked_mul", "checked_div", "checked_rem", "checked_neg", "checked_shl", "checked_shr"];
        if !ty.is_concrete() {
            names.truncate(5);
        }
        let name = *self.rng.pick(&names);
        let mut args = vec![own(self.expr(ty, d))];
        match name {
            "checked_neg" => {}
            "checked_shl" | "checked_shr" => args.push(own(self.expr(U32, d))),
            _ => args.push(own(self.expr(ty, d))),
        }
        (name, args)
    }

    /// `a.checked_add(b).unwrap_or(c)`
    pub fn checked(&mut self, ty: Ty, d: usize) -> Expr {
        let (name, args) = self.checked_call(ty, d);
        let or = own(self.expr(ty, d));
        Expr { ty, kind: Kind::Checked(name, args, Some(Box::new(or))) }
    }

    /// `a.checked_add(b).is_some()`
    pub fn is_some(&mut self, d: usize) -> Expr {
        let of = *self.rng.pick(&INTS);
        let (name, args) = self.checked_call(of, d);
        Expr { ty: BOOL, kind: Kind::Checked(name, args, None) }
    }

    pub fn if_some(&mut self, depth: usize, out: &mut Vec<Stmt>) {
        let ty = *self.rng.pick(&INTS);
        let (method, args) = self.checked_call(ty, 1);
        let name = self.name();
        let then = self.scope(|g| {
            g.show(name.clone(), ty, false);
            Block { stmts: g.stmts(depth.saturating_sub(1)), value: None }
        });
        let otherwise = self.rng.one_in(2).then(|| self.block(depth));
        out.push(Stmt::IfSome { name, method, args, then, otherwise });
    }
}
