//! Where control goes: what leaves a piece of code, and what is the same for all lanes.

use crate::builtin::Gives;
use crate::model::Parameter;
use crate::tree::{Block, Expr, ExprKind, LoopId, LoopKind, Pat, Stmt, Var, VarId};
use crate::walk::{self, Node};

/// The ways that leave a piece of code other than by its end.
#[derive(Clone, Debug, Default)]
pub struct Exits {
    /// Loops around it that a `break` or `continue` names.
    pub loops: Vec<LoopId>,
    /// Whether there is a `return`.
    pub returns: bool,
}

impl Exits {
    /// Whether there are any.
    pub fn any(&self) -> bool {
        self.returns || !self.loops.is_empty()
    }

    fn collect(walk: impl FnOnce(&mut dyn FnMut(Node<'_>))) -> Self {
        let (mut exits, mut inner) = (Self::default(), Vec::new());
        walk(&mut |node| {
            if let Node::Expr(e) = node {
                match &e.kind {
                    ExprKind::Break(id, _) | ExprKind::Continue(id) => exits.loops.push(*id),
                    ExprKind::Return(_) => exits.returns = true,
                    ExprKind::Loop(l) => inner.push(l.id),
                    _ => {}
                }
            }
        });
        exits.loops.retain(|id| !inner.contains(id));
        exits
    }

    /// The exits of an expression.
    pub fn of_expr(e: &Expr) -> Self {
        Self::collect(|f| walk::expr(e, f))
    }

    /// The exits of a statement.
    pub fn of_stmt(stmt: &Stmt) -> Self {
        Self::collect(|f| walk::stmt(stmt, f))
    }

    /// The exits of a block; of a loop's body, those of the loop itself included.
    pub fn of_block(block: &Block) -> Self {
        Self::collect(|f| walk::block(block, f))
    }
}

/// Whether a body has a `continue` that names the loop.
pub fn has_continue(body: &Block, id: LoopId) -> bool {
    let mut found = false;
    walk::block(body, &mut |node| found |= matches!(node, Node::Expr(Expr { kind: ExprKind::Continue(k), .. }) if *k == id));
    found
}

/// Whether a body has a `break` that names the loop.
pub fn has_break(body: &Block, id: LoopId) -> bool {
    let mut found = false;
    walk::block(body, &mut |node| found |= matches!(node, Node::Expr(Expr { kind: ExprKind::Break(k, _), .. }) if *k == id));
    found
}

/// Whether the end of a block is never reached.
pub fn block_diverges(block: &Block) -> bool {
    block.stmts.iter().any(stmt_diverges) || block.value.as_ref().is_some_and(|e| diverges(e))
}

/// Whether what follows a statement is never reached.
pub fn stmt_diverges(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { init, .. } => diverges(init),
        Stmt::Assign { value, .. } | Stmt::Store { value, .. } | Stmt::Update { value, .. } => diverges(value),
        Stmt::Expr { expr, .. } => diverges(expr),
        Stmt::Reduce(reduce) => diverges(&reduce.value),
        Stmt::Const(_) | Stmt::Struct(_) | Stmt::Shape { .. } => false,
    }
}

/// Whether the value of an expression is never reached.
pub fn diverges(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_) => true,
        ExprKind::If { cond, then, otherwise } => diverges(cond) || block_diverges(then) && otherwise.as_ref().is_some_and(block_diverges),
        ExprKind::Block(block) => block_diverges(block),
        ExprKind::Loop(l) => matches!(l.kind, LoopKind::Forever) && !has_break(&l.body, l.id),
        _ => false,
    }
}

/// The variables that hold the same value in all lanes.
#[derive(Debug, Default)]
pub struct Uniform(Vec<bool>);

impl Uniform {
    /// Finds them: a parameter; an immutable variable whose value is made of constants and of such variables; the variable of a `for` over
    /// such a range.
    pub fn of(body: &Block, vars: &[Var], parameters: &[Parameter]) -> Self {
        let mut this = Self(vec![false; vars.len()]);
        parameters.iter().filter_map(|p| p.var).for_each(|var| this.set(var, vars));
        this.walk(body, vars);
        this
    }

    fn walk(&mut self, body: &Block, vars: &[Var]) {
        walk::block(body, &mut |node| match node {
            Node::Stmt(Stmt::Let { pat: Pat::Var(id), init, .. }) if self.expr(init) => self.set(*id, vars),
            Node::Expr(Expr { kind: ExprKind::Loop(l), .. }) => {
                if let LoopKind::For(range) = &l.kind
                    && self.expr(&range.start)
                    && self.expr(&range.end)
                    && let Some(id) = range.var
                {
                    self.set(id, vars);
                }
            }
            _ => {}
        });
    }

    /// Finds them in a block kernel: what is declared outside of the loops over lanes; inside, as [`Self::of`] does.
    pub fn of_block(function: &crate::model::Function, loops: &crate::block::analyze::Loops) -> Self {
        let vars = &function.vars;
        let inside = |id: VarId| loops.values().any(|l| l.inside.contains(&id));
        // Of several ranges the last is that of the lanes; the others are loops around them.
        let outer = |id: VarId| loops.values().any(|l| l.vars.split_last().is_some_and(|(_, outer)| outer.contains(&id)));
        let mut this = Self((0..vars.len()).map(|id| !inside(id) || outer(id)).collect());
        this.walk(&function.body, vars);
        this
    }

    fn set(&mut self, id: VarId, vars: &[Var]) {
        let immutable = vars.get(id).is_some_and(|v| v.mutable.is_none());
        if let Some(slot) = self.0.get_mut(id) {
            *slot |= immutable;
        }
    }

    /// Whether a variable is one of them.
    pub fn var(&self, id: VarId) -> bool {
        self.0.get(id).copied().unwrap_or(false)
    }

    /// Whether an expression is made of constants and of such variables. A division by zero has to be noted per lane.
    pub fn expr(&self, e: &Expr) -> bool {
        use crate::tree::BinaryOp::{Div, Rem};
        match &e.kind {
            ExprKind::Int(..) | ExprKind::Float(..) | ExprKind::Bool(_) | ExprKind::Const(_) | ExprKind::Length(..) => true,
            ExprKind::Var(id) => self.var(*id),
            ExprKind::Unary(_, a) | ExprKind::Cast(a, ..) | ExprKind::FromBits(_, a) | ExprKind::Dbg(a, _) => self.expr(a),
            ExprKind::Binary(op, a, b) => !matches!(op, Div | Rem) && self.expr(a) && self.expr(b),
            ExprKind::ShortCircuit { left, right, .. } => self.expr(left) && self.expr(right),
            // A value that is spread over the lanes is no tuple.
            ExprKind::Builtin(builtin, args, _) => {
                !builtin.divides
                    && !matches!(builtin.gives, Gives::Overflowing | Gives::Pair | Gives::Checked)
                    && args.iter().all(|a| self.expr(a))
            }
            // A length is known whatever the elements are.
            ExprKind::Len(a) => is_place(a),
            _ => false,
        }
    }
}

/// A variable or a constant, or a part of one that is reached by names.
pub fn is_place(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) | ExprKind::Const(_) => true,
        ExprKind::Field(a, _) => is_place(a),
        _ => false,
    }
}
