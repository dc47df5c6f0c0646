//! The loops over lanes of a block kernel: that their iterations are independent, and what they reduce.

use super::{independence, steps};
use crate::dtype::Dtype;
use crate::error::{Errors, Source};
use crate::flow::Uniform;
use crate::model::Function;
use crate::tree::{BinaryOp, Block, Element, Expr, ExprKind, Loop, LoopId, LoopKind, Pat, Range, Reduce, Stmt, Type, VarId};
use crate::walk::{self, Node};
use std::collections::{BTreeMap, BTreeSet};

/// The loops over lanes of a function, by number.
pub type Loops = BTreeMap<LoopId, LaneLoop>;

/// A loop over lanes.
#[derive(Clone, Debug, Default)]
pub struct LaneLoop {
    /// Its variables, that of the lanes last.
    pub vars: Vec<VarId>,
    /// The variables that it reduces to, in the order in which they first come.
    pub reductions: Vec<Reduction>,
    /// The variable that it reduces to by an operation of the kernel's own.
    pub fold: Option<VarId>,
    /// The operands that it updates, and by which operations.
    pub updates: Vec<(VarId, &'static str)>,
    /// The variables that hold running sums.
    pub scans: Vec<VarId>,
    /// The arrays of the kernel's own that it uses, declared outside.
    pub tiles: Vec<VarId>,
    /// The variables declared inside.
    pub inside: BTreeSet<VarId>,
    /// Of them the variables of plain loops over literal ranges, and how far apart their first and last values are.
    pub widths: BTreeMap<VarId, i128>,
    /// The ranges of such variables, by any bounds: of plain loops that count by their type of 64 bits.
    pub ranges: BTreeMap<VarId, Range>,
    /// Those of them that are never changed, and what they are.
    pub lets: BTreeMap<VarId, Expr>,
}

impl LaneLoop {
    /// The variable of a `reduce` in a loop's body.
    fn fold_of(&self, body: &Block) -> Option<VarId> {
        reduce_in(body).map(|reduce| reduce.var)
    }
}

/// The `reduce` of a loop's body.
pub fn reduce_in(body: &Block) -> Option<&Reduce> {
    let mut found = None;
    walk::block(body, &mut |node| {
        if let Node::Stmt(Stmt::Reduce(reduce)) = node {
            found.get_or_insert(&**reduce);
        }
    });
    found
}

/// A variable that a loop reduces to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The variable.
    pub var: VarId,
    /// The operation's name in the run time.
    pub by: &'static str,
}

/// The reduction that an assignment is: `acc += e`, `acc = acc.max(e)`. Gives the operation and the value.
pub fn reduction(var: VarId, op: Option<BinaryOp>, value: &Expr) -> Option<(&'static str, &Expr)> {
    let by = match (op, &value.kind) {
        (Some(BinaryOp::Add), _) => "Sum",
        (Some(BinaryOp::Mul), _) => "Product",
        (Some(BinaryOp::And), _) => "And",
        (Some(BinaryOp::Or), _) => "Or",
        (Some(BinaryOp::Xor), _) => "Xor",
        (None, ExprKind::Builtin(builtin, args, _)) => {
            let [Expr { kind: ExprKind::Var(id), .. }, e] = args.as_slice() else { return None };
            let by = match builtin.name {
                "max" => "Max",
                "min" => "Min",
                _ => return None,
            };
            return (*id == var).then_some((by, e));
        }
        _ => return None,
    };
    Some((by, value))
}

/// Checks the loops over lanes. `None` for a function without any.
pub fn function(function: &Function, errors: &mut Errors) -> Option<Loops> {
    let mut found = Vec::new();
    walk::block(&function.body, &mut |node| {
        if let Node::Expr(Expr { kind: ExprKind::Loop(l), source, .. }) = node
            && matches!(l.kind, LoopKind::Lanes(_))
        {
            found.push((&**l, *source));
        }
    });
    let mut outside = Vec::new();
    walk::block(&function.body, &mut |node| {
        if let Node::Stmt(Stmt::Reduce(reduce)) = node {
            outside.push(&**reduce);
        }
    });
    for (l, _) in &found {
        walk::block(&l.body, &mut |node| {
            if let Node::Stmt(Stmt::Reduce(reduce)) = node {
                outside.retain(|other| !core::ptr::eq(*other, &**reduce));
            }
        });
    }
    for reduce in outside {
        errors.push(
            reduce
                .source
                .error("`reduce` cannot stand outside of loops over lanes; combine the values as they are, because there is one of each"),
        );
    }
    independence::promises_outside(function, &found, errors);
    let mut loops = Loops::new();
    for (l, _) in &found {
        let mut analysis = Analysis { function, l, info: LaneLoop::default(), errors: &mut *errors };
        analysis.collect();
        analysis.nothing_nested(&found);
        analysis.flow();
        steps::check(function, l, analysis.errors);
        analysis.assignments();
        analysis.scans();
        analysis.folds();
        loops.insert(l.id, analysis.info);
    }
    let uniform = Uniform::of_block(function, &loops);
    for (l, _) in &found {
        if let Some(info) = loops.get(&l.id) {
            independence::stores(function, l, info, &uniform, errors);
        }
    }
    (!loops.is_empty()).then_some(loops)
}

struct Analysis<'a, 'e> {
    function: &'a Function,
    l: &'a Loop,
    info: LaneLoop,
    errors: &'e mut Errors,
}

impl<'a> Analysis<'a, '_> {
    fn name(&self, var: VarId) -> String {
        self.function.vars.get(var).map_or_else(String::new, |v| v.name.to_string())
    }

    fn collect(&mut self) {
        let LoopKind::Lanes(ranges) = &self.l.kind else { return };
        self.info.vars = ranges.iter().filter_map(|r| r.var).collect();
        self.info.inside.extend(self.info.vars.iter().copied());
        let types = &self.function.types;
        let info = &mut self.info;
        let vars = &self.function.vars;
        let mut used = BTreeSet::new();
        walk::block(&self.l.body, &mut |node| match node {
            Node::Stmt(Stmt::Store { element, .. }) => drop(used.insert(element.view)),
            Node::Expr(Expr { kind: ExprKind::Element(Element { view, .. }) | ExprKind::Length(view, _), .. }) => drop(used.insert(*view)),
            _ => {}
        });
        info.tiles = used.into_iter().filter(|view| types.rank(*view) > 0).collect();
        walk::block(&self.l.body, &mut |node| match node {
            Node::Pat(Pat::Var(id)) => drop(info.inside.insert(*id)),
            Node::Stmt(Stmt::Let { pat: Pat::Var(id), init, .. }) if vars.get(*id).is_some_and(|v| v.mutable.is_none()) => {
                info.lets.insert(*id, init.clone());
            }
            Node::Stmt(Stmt::Update { element, by, .. }) if !info.updates.contains(&(element.view, *by)) => {
                info.updates.push((element.view, *by));
            }
            Node::Expr(Expr { kind: ExprKind::Loop(inner), .. }) => match &inner.kind {
                LoopKind::For(range) => {
                    info.inside.extend(range.var);
                    if let Some(var) = range.var
                        && *types.of(range.id) == Type::Dtype(Dtype::U64)
                        && vars.get(var).is_some_and(|v| v.mutable.is_none())
                    {
                        info.ranges.insert(var, (**range).clone());
                    }
                    if let (Some(var), ExprKind::Int(start, _), ExprKind::Int(end, _)) = (range.var, &range.start.kind, &range.end.kind)
                        && vars.get(var).is_some_and(|v| v.mutable.is_none())
                    {
                        info.widths.insert(var, (end - start - i128::from(!range.inclusive)).max(0));
                    }
                }
                LoopKind::Lanes(ranges) => info.inside.extend(ranges.iter().filter_map(|r| r.var)),
                LoopKind::Forever | LoopKind::While(_) => {}
            },
            _ => {}
        });
    }

    fn nothing_nested(&mut self, found: &[(&'a Loop, Source)]) {
        let mut nested = Vec::new();
        walk::block(&self.l.body, &mut |node| {
            if let Node::Expr(Expr { kind: ExprKind::Loop(inner), source, .. }) = node
                && found.iter().any(|(l, _)| l.id == inner.id)
            {
                nested.push(*source);
            }
        });
        for at in nested {
            self.errors.push(at.error(
                "`lanes` cannot stand inside `lanes`; make one loop over both ranges (`for (i, j) in lanes((0..h, 0..w))`), or the inner one a plain `for`, because the lanes are taken already",
            ));
        }
    }

    /// A loop over lanes is left by its end alone.
    fn flow(&mut self) {
        let mut inner = vec![self.l.id];
        walk::block(&self.l.body, &mut |node| {
            if let Node::Expr(Expr { kind: ExprKind::Loop(l), .. }) = node {
                inner.push(l.id);
            }
        });
        let id = self.l.id;
        let errors = &mut *self.errors;
        walk::block(&self.l.body, &mut |node| {
            let Node::Expr(e) = node else { return };
            let what = match &e.kind {
                ExprKind::Break(to, _) if *to == id || !inner.contains(to) => "break",
                ExprKind::Continue(to) if !inner.contains(to) => "continue",
                ExprKind::Return(_) => "return",
                _ => return,
            };
            errors.push(e.source.error(format!(
                "`{what}` cannot leave a loop over lanes; guard what follows (`if c {{ .. }}`), or make the loop a plain `for`, because its iterations run together"
            )));
        });
    }

    /// A running sum is used in one place, and by the loop's iterations alone.
    fn scans(&mut self) {
        let mut found = Vec::new();
        walk::block(&self.l.body, &mut |node| {
            if let Node::Expr(Expr { kind: ExprKind::Scan(var, _), source, .. }) = node {
                found.push((*var, *source));
            }
        });
        for (var, source) in found {
            let name = self.name(var);
            let known = self.info.scans.contains(&var) || self.info.reductions.iter().any(|r| r.var == var);
            if self.info.inside.contains(&var) || known || self.function.vars.get(var).is_none_or(|v| v.mutable.is_none()) {
                self.errors.push(source.error(format!(
                    "`scan` cannot sum up in `{name}`; give it a `let mut` variable in front of the loop, and in each loop one place of use, because the sum is carried from one iteration to the next"
                )));
                continue;
            }
            let mut reads = Vec::new();
            walk::block(&self.l.body, &mut |node| {
                if let Node::Expr(Expr { kind: ExprKind::Var(id), source, .. }) = node
                    && *id == var
                {
                    reads.push(*source);
                }
            });
            for at in reads {
                self.errors.push(at.error(format!(
                    "running sum `{name}` cannot be read inside its own loop; use the value that `scan` gives (`let sum = scan(&mut {name}, x[i]);`), because a gang sums up its lanes at once"
                )));
            }
            self.info.scans.push(var);
        }
    }

    /// A reduction by an operation of the kernel's own is the only one, and its operation knows nothing of the iteration.
    fn folds(&mut self) {
        let mut found: Vec<&Reduce> = Vec::new();
        walk::block(&self.l.body, &mut |node| {
            if let Node::Stmt(Stmt::Reduce(reduce)) = node {
                found.push(reduce);
            }
        });
        for reduce in found {
            let name = self.name(reduce.var);
            if self.info.inside.contains(&reduce.var) {
                self.errors.push(reduce.source.error(format!(
                    "`reduce` cannot reduce to `{name}`; give it a `let mut` variable in front of the loop, because the result is there after the loop"
                )));
                continue;
            }
            if self.info.fold.is_some() || !self.info.reductions.is_empty() || !self.info.scans.is_empty() {
                self.errors.push(reduce.source.error(
                    "`reduce` cannot stand in a loop over lanes with another reduction; reduce to one tuple, or split the loop in two, because its accumulators are those of the whole loop",
                ));
                continue;
            }
            self.info.fold = Some(reduce.var);
            let mut own = BTreeSet::new();
            let mut names = |node: Node<'_>| {
                if let Node::Pat(Pat::Var(id)) = node {
                    own.insert(*id);
                }
            };
            reduce.args.iter().for_each(|pat| walk::pat(pat, &mut names));
            walk::block(&reduce.body, &mut names);
            let mut wrong = Vec::new();
            let inside = &self.info.inside;
            walk::block(&reduce.body, &mut |node| match node {
                Node::Expr(Expr { kind: ExprKind::Var(id), source, .. }) if inside.contains(id) && !own.contains(id) => wrong.push(*source),
                Node::Expr(Expr { kind: ExprKind::Element(_) | ExprKind::Scan(..), source, .. }) => wrong.push(*source),
                Node::Stmt(Stmt::Store { source, .. } | Stmt::Update { source, .. }) => wrong.push(*source),
                Node::Stmt(Stmt::Reduce(inner)) => wrong.push(inner.source),
                _ => {}
            });
            for at in wrong {
                self.errors.push(at.error(
                    "the operation of a `reduce` cannot use this; put it into the value that is reduced (`reduce(acc, (x[i], y[i]), ..)`), because the operation combines results of many iterations, too",
                ));
            }
            let mut reads = Vec::new();
            walk::block(&self.l.body, &mut |node| match node {
                Node::Expr(Expr { kind: ExprKind::Var(id), source, .. }) if *id == reduce.var => reads.push(*source),
                Node::Stmt(Stmt::Assign { place, source, .. }) if place.var == reduce.var => reads.push(*source),
                _ => {}
            });
            for at in reads {
                self.errors.push(at.error(format!(
                    "reduction `{name}` cannot be used otherwise inside its own loop; read it after the loop, because it has its value only when all iterations have run"
                )));
            }
        }
    }

    fn assignments(&mut self) {
        let mut found = Vec::new();
        let mut allowed = BTreeSet::new();
        walk::block(&self.l.body, &mut |node| {
            if let Node::Stmt(Stmt::Assign { place, op, value, source }) = node {
                found.push((place, *op, value, *source));
            }
        });
        for (place, op, value, source) in found {
            if self.info.inside.contains(&place.var) {
                continue;
            }
            let name = self.name(place.var);
            let by = reduction(place.var, op, value).filter(|_| place.steps.is_empty());
            let Some((by, _)) = by else {
                let instead = match op {
                    Some(BinaryOp::Sub) => format!("add the negative (`{name} += -e`)"),
                    Some(BinaryOp::Div) => format!("multiply (`{name} *= 1.0 / e`), or divide after the loop"),
                    _ => format!(
                        "reduce to it (`{name} += e`, `*=`, `&=`, `|=`, `^=`, `{name} = {name}.max(e)`, `.min(e)`), declare it inside the loop, or make the loop a plain `for`"
                    ),
                };
                self.errors.push(source.error(format!(
                    "variable `{name}` cannot carry a value from one iteration of a loop over lanes to another; {instead}, because the iterations have no order"
                )));
                continue;
            };
            if op.is_none()
                && let ExprKind::Builtin(_, args, _) = &value.kind
            {
                allowed.extend(args.first().map(|e| e.id));
            }
            match self.info.reductions.iter().find(|r| r.var == place.var) {
                Some(known) if known.by != by => self.errors.push(source.error(format!(
                    "variable `{name}` cannot be reduced by two operations in one loop; use a variable for each, because the iterations have no order"
                ))),
                Some(_) => {}
                None => self.info.reductions.push(Reduction { var: place.var, by }),
            }
        }
        let reductions = &self.info.reductions;
        let mut reads = Vec::new();
        walk::block(&self.l.body, &mut |node| {
            if let Node::Expr(Expr { kind: ExprKind::Var(id), source, id: expr }) = node
                && reductions.iter().any(|r| r.var == *id)
                && !allowed.contains(expr)
            {
                reads.push((*id, *source));
            }
        });
        for (var, at) in reads {
            let name = self.name(var);
            self.errors.push(at.error(format!(
                "reduction `{name}` cannot be read inside its own loop; read it after the loop, because it has its value only when all iterations have run"
            )));
        }
        // What is spread over the lanes is a single value.
        let mut aggregates = Vec::new();
        let (info, types) = (&self.info, &self.function.types);
        walk::block(&self.l.body, &mut |node| {
            if let Node::Expr(Expr { kind: ExprKind::Var(id), source, id: expr }) = node
                && !info.inside.contains(id)
                && info.fold_of(&self.l.body) != Some(*id)
                && (types.rank(*id) > 0 || !matches!(types.of(*expr), Type::Dtype(_) | Type::Param(_) | Type::Infer))
            {
                aggregates.push((*id, *source));
            }
        });
        for (var, at) in aggregates {
            let name = self.name(var);
            if self.function.types.rank(var) > 0 {
                let element = format!("{name}{}", "[i]".repeat(self.function.types.rank(var)));
                self.errors.push(at.error(format!(
                    "array `{name}` cannot be used as a whole in a loop over lanes; use an element (`{element}`), because its lanes share the array"
                )));
                continue;
            }
            self.errors.push(at.error(format!(
                "`{name}` cannot be used in a loop over lanes yet, because it is no single number; take it apart in front of the loop (`let a = {name}.0;`), or declare it inside"
            )));
        }
        if self.info.reductions.len() > 6 {
            self.errors.push(self.l.body.source.error("a loop over lanes cannot have more than 6 reductions; split it in two loops, because each has four registers of accumulators"));
        }
    }
}
