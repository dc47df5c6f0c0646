//! Control flow: C++'s own. What only labels can name becomes `goto`.

use super::Missing;
use super::body::{Dest, Emit};
use super::code::{Binds, Code};
use crate::flow::{self, Exits};
use crate::tree::{BinaryOp, Block, Expr, ExprKind, Loop, LoopId, LoopKind, Range, Stmt};
use crate::walk::{self, Node};

/// A loop around.
#[derive(Clone, Debug)]
pub struct Frame {
    id: LoopId,
    dest: Dest,
    /// How many lambdas are around it.
    lambdas: usize,
    /// Whether it is a loop over lanes, whose body is a function of its own.
    lanes: bool,
}

impl Frame {
    /// Of a loop over lanes.
    pub(super) fn lanes(id: LoopId, lambdas: usize) -> Self {
        Self { id, dest: Dest::Drop, lambdas, lanes: true }
    }
}

/// Whether an expression is one in C++ too: it has no statements inside.
pub fn is_simple(e: &Expr) -> bool {
    let mut simple = true;
    walk::expr(e, &mut |node| match node {
        Node::Stmt(_) => simple = false,
        Node::Expr(e) => simple &= !matches!(e.kind, ExprKind::Loop(_) | ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_)),
        Node::Pat(_) => {}
    });
    simple
}

/// Whether an `if` has a branch that never ends.
pub fn goes_one_way(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::If { then, otherwise: Some(otherwise), .. } => flow::block_diverges(then) || flow::block_diverges(otherwise),
        _ => false,
    }
}

/// Whether a body may meet a fault, so that its loops have to look for one: what stands in for a result might never end them.
pub fn may_fail(body: &Block) -> bool {
    let mut found = false;
    walk::block(body, &mut |node| match node {
        Node::Expr(Expr {
            kind: ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) | ExprKind::Call(..) | ExprKind::Index(..) | ExprKind::Element(_),
            ..
        }) => {
            found = true;
        }
        Node::Expr(Expr { kind: ExprKind::Builtin(builtin, ..), .. }) => found |= builtin.divides,
        Node::Stmt(Stmt::Assign { place, op, .. }) => {
            found |=
                matches!(op, Some(BinaryOp::Div | BinaryOp::Rem)) || place.steps.iter().any(|s| matches!(s, crate::tree::Step::Index(_)));
        }
        _ => {}
    });
    found
}

impl Emit<'_> {
    /// An expression whose value goes to `dest`.
    pub(super) fn expr_into(&mut self, e: &Expr, dest: &Dest) -> Result<(), Missing> {
        match &e.kind {
            ExprKind::If { cond, then, otherwise } if !is_simple(e) || matches!(dest, Dest::Drop) => {
                let cond = self.expr(cond)?;
                self.if_into(&cond, then, otherwise.as_ref(), dest)
            }
            ExprKind::Block(block) => self.block_into(block, dest),
            ExprKind::Loop(l) => self.loop_into(l, dest),
            ExprKind::Break(id, value) => self.break_(*id, value.as_deref()),
            ExprKind::Continue(id) => {
                if self.loops.iter().any(|l| l.id == *id && l.lanes) {
                    self.lines.push("return;");
                    return Ok(());
                }
                let innermost = self.loops.last().is_some_and(|l| l.id == *id);
                self.lines.push(if innermost { "continue;".to_owned() } else { format!("goto next_{id};") });
                Ok(())
            }
            ExprKind::Return(value) => {
                if self.lambdas > 0 {
                    return Err(Missing::new("a `return` in the middle of a value of a type that only rustc finds"));
                }
                self.expr_into(value, &Dest::Return)
            }
            _ => {
                if let (Dest::Return, ExprKind::Struct(_)) = (dest, &e.kind) {
                    let output = self.function.output.clone();
                    let output = self.ty(&output)?;
                    self.expect(e, output.as_deref());
                }
                let code = self.expr(e)?;
                match dest {
                    Dest::Drop if code.fixed => {}
                    Dest::Drop => self.lines.push(format!("(void)({});", code.text)),
                    Dest::Var(name) => self.lines.push(format!("{name} = {};", code.text)),
                    Dest::Return => self.lines.push(format!("return {};", code.text)),
                }
                Ok(())
            }
        }
    }

    fn if_into(&mut self, cond: &Code, then: &Block, otherwise: Option<&Block>, dest: &Dest) -> Result<(), Missing> {
        let value = if otherwise.is_none() && matches!(dest, Dest::Return) { &Dest::Drop } else { dest };
        self.lines.open(format!("if ({}) {{", cond.text));
        self.block_into(then, value)?;
        let mut otherwise = otherwise;
        // `else if`, as the user wrote it, while its condition has no statements.
        while let Some(Block { stmts, value: Some(e), .. }) = otherwise
            && stmts.is_empty()
            && let ExprKind::If { cond, then, otherwise: next } = &e.kind
            && is_simple(cond)
        {
            let cond = self.expr(cond)?;
            self.lines.close(format!("}} else if ({}) {{", cond.text));
            self.lines.open_again();
            self.block_into(then, value)?;
            otherwise = next.as_ref();
        }
        if let Some(block) = otherwise {
            self.lines.close("} else {");
            self.lines.open_again();
            self.block_into(block, value)?;
        }
        self.lines.close("}");
        Ok(())
    }

    /// The value of an `if`.
    pub(super) fn if_value(&mut self, e: &Expr, cond: &Expr, then: &Block, otherwise: Option<&Block>) -> Result<Code, Missing> {
        let cond_code = self.expr(cond)?;
        let unit = || Code::fixed("lc::tuple<>{}");
        let Some(other) = otherwise else {
            self.if_into(&cond_code, then, None, &Dest::Drop)?;
            return Ok(unit());
        };
        if let (true, Some(a), Some(b)) = (is_simple(e), &then.value, &other.value) {
            let (a, b) = (self.expr(a)?, self.expr(b)?);
            let open = a.open && b.open;
            let (a, b) = if a.open != b.open && self.ty_of(e)?.is_none() { (self.made(e, a)?, self.made(e, b)?) } else { (a, b) };
            let text =
                format!("{} ? {} : {}", cond_code.beside(Binds::Or, false), a.beside(Binds::Or, false), b.beside(Binds::Choice, false));
            return Ok(Code { fixed: cond_code.fixed && a.fixed && b.fixed, open, ..Code::operator(text, Binds::Choice) });
        }
        match (flow::block_diverges(then), flow::block_diverges(other)) {
            (true, true) => {
                self.if_into(&cond_code, then, otherwise, &Dest::Drop)?;
                Ok(unit())
            }
            // One way to go on: it needs no braces.
            (true, false) => {
                self.if_into(&cond_code, then, None, &Dest::Drop)?;
                self.rest(other)
            }
            (false, true) => {
                let not = Code::atom(format!("!{}", cond_code.beside(Binds::Prefix, true)));
                self.if_into(&not, other, None, &Dest::Drop)?;
                self.rest(then)
            }
            (false, false) => match self.ty_or_found(e)? {
                Some(ty) => {
                    let name = self.temp("chosen");
                    self.lines.push(format!("{ty} {name};"));
                    self.if_into(&cond_code, then, otherwise, &Dest::Var(name.clone()))?;
                    Ok(Code::fixed(name))
                }
                None => self.in_lambda(e, |this| this.if_into(&cond_code, then, otherwise, &Dest::Return)),
            },
        }
    }

    /// The value of a branch, as the type of the `if`, which is found from an expression elsewhere.
    fn made(&mut self, e: &Expr, code: Code) -> Result<Code, Missing> {
        match self.found_ty(self.function.types.parts_of(e.id)) {
            Some(ty) => Ok(Code { open: false, fixed: code.fixed, ..Code::atom(format!("lc::to<{ty}>({})", code.text)) }),
            None => Err(Missing::new("an `if` with a literal whose type only rustc finds")),
        }
    }

    /// A block that everything behind follows: its statements stand as they are.
    pub(super) fn rest(&mut self, block: &Block) -> Result<Code, Missing> {
        let local = self.local.len();
        let reached = self.statements(block)?;
        let value = match &block.value {
            Some(value) if reached => self.expr(value),
            _ => Ok(Code::fixed("lc::tuple<>{}")),
        };
        self.local.truncate(local);
        value
    }

    /// A value of a type that only C++ finds: that of the lambda which computes it.
    fn in_lambda(&mut self, e: &Expr, f: impl FnOnce(&mut Self) -> Result<(), Missing>) -> Result<Code, Missing> {
        if Exits::of_expr(e).any() {
            return Err(Missing::new("a value of a type that only rustc finds, with an exit inside,"));
        }
        let name = self.temp("chosen");
        self.lines.open(format!("const auto {name} = [&]() {{"));
        self.lambdas += 1;
        f(self)?;
        self.lambdas -= 1;
        self.lines.close("}();");
        Ok(Code::fixed(name))
    }

    pub(super) fn short_circuit(&mut self, or: bool, left: &Expr, right: &Expr) -> Result<Code, Missing> {
        let left = self.expr(left)?;
        let mark = self.lines.count();
        let code = self.expr(right)?;
        if self.lines.count() == mark {
            let (op, binds) = if or { ("||", Binds::Or) } else { ("&&", Binds::And) };
            return Ok(Code { fixed: left.fixed && code.fixed, ..Code::infix(op, binds, &left, &code) });
        }
        let own = self.lines.take_from(mark);
        let name = self.temp(if or { "either" } else { "both" });
        self.lines.push(format!("bool {name} = {};", left.text));
        self.lines.open(format!("if ({}{name}) {{", if or { "!" } else { "" }));
        self.lines.put_deeper(own);
        self.lines.push(format!("{name} = {};", code.text));
        self.lines.close("}");
        Ok(Code::fixed(name))
    }

    pub(super) fn loop_value(&mut self, e: &Expr) -> Result<Code, Missing> {
        let ExprKind::Loop(l) = &e.kind else { return Ok(Code::fixed("lc::tuple<>{}")) };
        let is_value = matches!(l.kind, LoopKind::Forever) && has_value(l);
        if !is_value {
            self.loop_into(l, &Dest::Drop)?;
            return Ok(Code::fixed("lc::tuple<>{}"));
        }
        match self.ty_or_found(e)? {
            Some(ty) => {
                let name = self.temp("found");
                self.lines.push(format!("{ty} {name} = {ty}();"));
                self.loop_into(l, &Dest::Var(name.clone()))?;
                Ok(Code::fixed(name))
            }
            None => Err(Missing::new("a `loop` with a value of a type that only rustc finds")),
        }
    }

    fn loop_into(&mut self, l: &Loop, dest: &Dest) -> Result<(), Missing> {
        if self.lambdas > 0 && matches!(dest, Dest::Return) {
            return Err(Missing::new("a loop whose value's type only rustc finds"));
        }
        if let LoopKind::Lanes(ranges) = &l.kind {
            return self.lanes_loop(l, ranges);
        }
        let value = if matches!(l.kind, LoopKind::Forever) && has_value(l) { dest.clone() } else { Dest::Drop };
        match &l.kind {
            LoopKind::Forever => self.lines.open("for (;;) {"),
            LoopKind::While(cond) => {
                let mark = self.lines.count();
                let code = self.expr(cond)?;
                if self.lines.count() == mark {
                    self.lines.open(format!("while ({}) {{", code.text));
                } else {
                    let own = self.lines.take_from(mark);
                    self.lines.open("for (;;) {");
                    self.lines.put_deeper(own);
                    self.lines.push(format!("if (!({})) break;", code.text));
                }
            }
            LoopKind::For(range) => self.for_(range)?,
            LoopKind::Lanes(_) => return Ok(()),
        }
        if self.may_fail {
            self.lines.push("if (cx.failed) break;");
        }
        self.loops.push(Frame { id: l.id, dest: value, lambdas: self.lambdas, lanes: false });
        let labels = named_from_inside(l);
        if labels.next {
            self.lines.open("{");
        }
        self.block_into(&l.body, &Dest::Drop)?;
        if labels.next {
            self.lines.close("}");
            self.lines.push(format!("next_{}:;", l.id));
        }
        self.loops.pop();
        self.lines.close("}");
        if labels.end {
            self.lines.push(format!("end_{}:;", l.id));
        }
        // A fault ends a loop that has no other end.
        if matches!(dest, Dest::Return) {
            self.lines.push("return {};");
        }
        Ok(())
    }

    fn break_(&mut self, id: LoopId, value: Option<&Expr>) -> Result<(), Missing> {
        let Some(frame) = self.loops.iter().find(|l| l.id == id).cloned() else { return Err(Missing::new("this `break`")) };
        if let Some(value) = value {
            self.expr_into(value, &frame.dest)?;
            if matches!(frame.dest, Dest::Return) || flow::diverges(value) {
                return Ok(());
            }
        }
        if frame.lambdas != self.lambdas {
            return Err(Missing::new("a `break` in the middle of a value of a type that only rustc finds"));
        }
        let innermost = self.loops.last().is_some_and(|l| l.id == id);
        self.lines.push(if innermost { "break;".to_owned() } else { format!("goto end_{id};") });
        Ok(())
    }

    /// The head of a `for`. Unless it counts up to an excluded end, a flag says whether there is another value: the counter may wrap.
    fn for_(&mut self, range: &Range) -> Result<(), Missing> {
        let [start, end] = self.two(&range.start, &range.end)?;
        let (start, end) = (self.keep(&start, "start"), self.keep(&end, "end"));
        let ty = self.function.types.of(range.id).clone();
        let ty = match self.ty(&ty)? {
            Some(ty) => ty,
            // The counter is a literal in turn: it becomes what it meets.
            None if start.open && end.open => "lc::Int".to_owned(),
            None => format!("lc::real<decltype({}), decltype({})>", start.text, end.text),
        };
        let var = match range.var {
            Some(id) => {
                let mutable = self.function.vars.get(id).is_some_and(|v| v.mutable.is_some());
                Some((self.name(id).to_owned(), mutable))
            }
            None => None,
        };
        if let (false, false, None, Some((name, false))) = (range.rev, range.inclusive, &range.step, &var) {
            let one = format!("{name} = lc::next({name})");
            self.lines.open(format!("for ({ty} {name} = {}; {name} < {}; {one}) {{", start.text, end.beside(Binds::Compare, true)));
            return Ok(());
        }
        let (at, more) = (self.temp("at"), self.temp("more"));
        let step = format!("lc::lit<{ty}>({})", range.literal_step().unwrap_or(1));
        let (lo, hi) = (start.text, end.text);
        let (first, last, within, go, on) = match (range.rev, range.inclusive) {
            (false, true) => (lo.clone(), hi.clone(), "<=", "add", ">"),
            (false, false) => (lo.clone(), hi.clone(), "<", "add", ">"),
            (true, true) => (hi.clone(), lo.clone(), ">=", "sub", "<"),
            (true, false) => (format!("lc::sub({ty}({hi}), lc::lit<{ty}>(1))"), lo.clone(), ">=", "sub", "<"),
        };
        // Down from an excluded end that is no more than the start, the first value may have wrapped.
        let some = if range.rev && !range.inclusive { format!("{ty}({lo}) < {ty}({hi})") } else { format!("{at} {within} {ty}({last})") };
        self.lines.push(format!("{ty} {at} = {first};"));
        self.lines.push(format!("bool {more} = {some};"));
        self.lines.open(format!("while ({more}) {{"));
        let before = match &var {
            Some((name, mutable)) => {
                self.lines.push(format!("{}{ty} {name} = {at};", if *mutable { "" } else { "const " }));
                name.clone()
            }
            None => String::new(),
        };
        let kept = if before.is_empty() || var.as_ref().is_some_and(|v| v.1) {
            let kept = self.temp("before");
            self.lines.push(format!("const {ty} {kept} = {at};"));
            kept
        } else {
            before
        };
        self.lines.push(format!("{at} = lc::{go}({at}, {step});"));
        self.lines.push(format!("{more} = {at} {on} {kept} && {at} {within} {ty}({last});"));
        Ok(())
    }
}

/// Whether a `loop` is left with a value.
fn has_value(l: &Loop) -> bool {
    let mut found = false;
    walk::block(&l.body, &mut |node| {
        found |= matches!(node, Node::Expr(Expr { kind: ExprKind::Break(id, Some(_)), .. }) if *id == l.id);
    });
    found
}

/// Which labels of a loop are named from loops inside it.
#[derive(Default)]
struct Labels {
    next: bool,
    end: bool,
}

fn named_from_inside(l: &Loop) -> Labels {
    let mut labels = Labels::default();
    walk::block(&l.body, &mut |node| {
        if let Node::Expr(Expr { kind: ExprKind::Loop(inner), .. }) = node {
            labels.next |= flow::has_continue(&inner.body, l.id);
            labels.end |= flow::has_break(&inner.body, l.id);
        }
    });
    labels
}
