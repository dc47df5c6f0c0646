//! Statements: blocks, variables, assignments.

use super::Missing;
use super::block::SHARED_OF_NO_TYPE;
use super::body::{Dest, Emit};
use super::code::Code;
use crate::flow;
use crate::tree::{BinaryOp, Block, Expr, ExprKind, Pat, Place, Step, Stmt, Type, VarId};
use quote::ToTokens;

impl Emit<'_> {
    /// A block, whose value goes to `dest`.
    pub(super) fn block_into(&mut self, block: &Block, dest: &Dest) -> Result<(), Missing> {
        let local = self.local.len();
        if self.statements(block)? {
            match &block.value {
                Some(value) => self.expr_into(value, dest)?,
                None if matches!(dest, Dest::Return) => self.lines.push("return {};"),
                None => {}
            }
        }
        self.local.truncate(local);
        Ok(())
    }

    /// A block's statements. `false`: its end is never reached. The local constants stay in sight.
    pub(super) fn statements(&mut self, block: &Block) -> Result<bool, Missing> {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Const(c) => self.local.push(c.to_token_stream()),
                Stmt::Struct(item) => self.local.push(crate::lower::structure::items(item, &self.function.root)),
                _ => {}
            }
        }
        for stmt in &block.stmts {
            self.stmt(stmt)?;
            if flow::stmt_diverges(stmt) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Missing> {
        match stmt {
            Stmt::Let { pat, ty, init } => self.let_(pat, ty.as_ref(), init),
            Stmt::Assign { place, op, value, .. } => self.assign(place, *op, value),
            Stmt::Expr { expr, .. } => self.expr_into(expr, &Dest::Drop),
            // Constants are named where they are used; rustc has checked what patterns take values to be.
            Stmt::Const(_) | Stmt::Struct(_) | Stmt::Shape { .. } => Ok(()),
            Stmt::Store { element, op, value, .. } => self.store(element, *op, value),
            Stmt::Update { element, by, value, .. } => self.update(element, by, value),
            Stmt::Reduce(reduce) => self.fold(reduce),
        }
    }

    fn let_(&mut self, pat: &Pat, ty: Option<&Type>, init: &Expr) -> Result<(), Missing> {
        match pat {
            Pat::Wild(_) => self.expr_into(init, &Dest::Drop),
            Pat::Var(id) => self.let_var(*id, ty, init),
            Pat::Tuple(pats, _) => {
                if let (ExprKind::Tuple(items), None) = (&init.kind, ty)
                    && items.len() == pats.len()
                {
                    return pats.iter().zip(items).try_for_each(|(pat, item)| self.let_(pat, None, item));
                }
                let value = self.expr(init)?;
                if flow::diverges(init) {
                    return Ok(());
                }
                let is_name = value.fixed && value.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                let value = self.keep(&Code { fixed: is_name, ..value }, "parts");
                self.bind(pat, &value.text)
            }
        }
    }

    /// Binds the parts of a value.
    pub(super) fn bind(&mut self, pat: &Pat, value: &str) -> Result<(), Missing> {
        match pat {
            Pat::Wild(_) => Ok(()),
            Pat::Var(id) => {
                let ty = self.var_ty(*id, None)?;
                self.check_literal(*id)?;
                if self.is_tile(*id) {
                    let (ty, name) = (ty.ok_or_else(|| Missing::new(SHARED_OF_NO_TYPE))?, self.name(*id).to_owned());
                    self.shared(&ty, &name, value);
                    return Ok(());
                }
                let (constant, name) = (self.constness(*id), self.name(*id));
                self.lines.push(format!("{constant}{} {name} = {value};", ty.as_deref().unwrap_or("auto")));
                Ok(())
            }
            Pat::Tuple(pats, _) => pats.iter().enumerate().try_for_each(|(k, pat)| self.bind(pat, &format!("{value}._{k}"))),
        }
    }

    fn constness(&self, id: VarId) -> &'static str {
        if self.is_fixed(id) { "const " } else { "" }
    }

    pub(super) fn is_fixed(&self, id: VarId) -> bool {
        self.function.vars.get(id).is_some_and(|v| v.mutable.is_none())
    }

    /// The type of a variable.
    fn var_ty(&mut self, id: VarId, written: Option<&Type>) -> Result<Option<String>, Missing> {
        let found = self.function.types.of_var(id).clone();
        if let Some(ty) = self.ty(&found)? {
            return Ok(Some(ty));
        }
        if let Some(ty) = written
            && let Some(ty) = self.ty(ty)?
        {
            return Ok(Some(ty));
        }
        // A variable that changes cannot be a literal in turn.
        let found = if self.is_open(id) { self.found_ty(self.function.types.parts_of_var(id)) } else { None };
        self.typed.extend(found.is_some().then_some(id));
        Ok(found)
    }

    /// Whether a variable that changes holds a literal whose type only rustc finds.
    fn is_open(&self, id: VarId) -> bool {
        self.function.types.var_is_open(id) && !self.is_fixed(id)
    }

    /// A variable of a literal's type that only rustc finds cannot be declared.
    fn check_literal(&self, id: VarId) -> Result<(), Missing> {
        if self.is_open(id) && !self.typed.contains(&id) {
            let name = self.function.vars.get(id).map_or_else(String::new, |v| v.name.to_string());
            return Err(Missing::new(format!("variable `{name}`, whose type only rustc finds (write it: `let mut {name}: f32 = ..`),")));
        }
        Ok(())
    }

    fn let_var(&mut self, id: VarId, written: Option<&Type>, init: &Expr) -> Result<(), Missing> {
        let ty = self.var_ty(id, written)?;
        self.check_literal(id)?;
        if self.is_tile(id) {
            return self.let_tile(id, ty, init);
        }
        let name = self.name(id).to_owned();
        // Statements inside, and one way to go on at most: they stand before the variable.
        if let (Some(ty), false) = (&ty, super::flow::is_simple(init))
            && matches!(init.kind, ExprKind::If { .. } | ExprKind::Loop(_))
            && !super::flow::goes_one_way(init)
        {
            self.lines.push(format!("{ty} {name};"));
            return self.expr_into(init, &Dest::Var(name));
        }
        self.expect(init, ty.as_deref());
        let value = self.expr(init)?;
        if flow::diverges(init) {
            return Ok(());
        }
        let constant = self.constness(id);
        self.lines.push(format!("{constant}{} {name} = {};", ty.as_deref().unwrap_or("auto"), value.text));
        Ok(())
    }

    /// Notes the type that is expected of the literal of a struct.
    pub(super) fn expect(&mut self, e: &Expr, ty: Option<&str>) {
        self.expected = ty.filter(|_| matches!(e.kind, ExprKind::Struct(_))).map(str::to_owned);
    }

    fn assign(&mut self, place: &Place, op: Option<BinaryOp>, value: &Expr) -> Result<(), Missing> {
        // The value first, then the indexes, as in Rust.
        let indexes = place.steps.iter().filter_map(|step| if let Step::Index(i) = step { Some(i) } else { None });
        let mut codes = self.operands(core::iter::once(value).chain(indexes))?.into_iter();
        let Some(value_code) = codes.next() else { return Ok(()) };
        if flow::diverges(value) {
            return Ok(());
        }
        let mut target = self.name(place.var).to_owned();
        for step in &place.steps {
            target = match step {
                Step::Member(m) => format!("{target}.{}", super::aggregate::member(m)),
                Step::Index(i) => {
                    let code = codes.next().unwrap_or_else(|| Code::atom("0"));
                    super::aggregate::element(&target, i, &code)
                }
            };
        }
        let value_code = match op {
            None => value_code,
            Some(op) => {
                let ty = self.function.types.of(value.id).clone();
                self.binary_of(op, &ty, &Code::atom(target.clone()), &value_code, Some(value))
            }
        };
        let line = format!("{target} = {};", value_code.text);
        if self.is_tile(place.var) {
            self.write(&line)
        } else {
            self.lines.push(line)
        }
        Ok(())
    }
}
