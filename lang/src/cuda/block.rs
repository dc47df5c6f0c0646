//! Block kernels: loops over lanes, and elements of array operands.
//!
//! A block of threads works on one item. Outside of loops over lanes each thread computes the same; a loop over lanes is a call of the prelude with
//! its body, a lambda, which shares out the iterations. What is written outside of them one thread writes.

use super::Missing;
use super::body::{Dest, Emit};
use super::code::{Binds, Code};
use super::flow::Frame;
use crate::block::analyze::LaneLoop;
use crate::tree::{BinaryOp, Edge, Element, Expr, Loop, Range, Type, VarId, View};

impl Emit<'_> {
    /// The type of an array operand.
    pub(super) fn view_ty(&mut self, view: &View) -> Result<String, Missing> {
        let element = self.known_ty(&view.element, "an array operand")?;
        Ok(format!("lc::View<{element}, {}>", view.rank))
    }

    fn info(&self, l: &Loop) -> LaneLoop {
        self.function.lanes.as_ref().and_then(|loops| loops.get(&l.id)).cloned().unwrap_or_default()
    }

    /// A loop over lanes.
    pub(super) fn lanes_loop(&mut self, l: &Loop, ranges: &[Range]) -> Result<(), Missing> {
        let info = self.info(l);
        let Some((last, outer)) = ranges.split_last() else { return Ok(()) };
        let serial = !info.updates.is_empty() || !info.scans.is_empty();
        if serial && !info.reductions.is_empty() {
            return Err(Missing::new("a loop over lanes with reductions and running sums or updates at once"));
        }
        // The bounds of all ranges, in their order.
        let mut bounds = Vec::new();
        for range in ranges {
            let [start, end] = self.two(&range.start, &range.end)?;
            bounds.push((self.keep(&start, "start"), self.keep(&end, "end"), range.step.unwrap_or(1)));
        }
        self.lines.push("team.meet(cx);");
        let mut totals = Vec::new();
        for r in &info.reductions {
            let ty = self.function.types.of_var(r.var).clone();
            let ty = self.known_ty(&ty, "a reduction")?;
            let total = self.temp("total");
            self.lines.push(format!("lc::Reduction<lc::{}, {ty}> {total};", r.by));
            totals.push((total, ty, self.name(r.var).to_owned()));
        }
        for (range, (start, end, step)) in outer.iter().zip(&bounds) {
            let var = range.var.map(|id| self.name(id).to_owned()).unwrap_or_default();
            let rows = self.temp("row");
            self.lines.open(format!("for (u64 {rows} = 0; {rows} < lc::count({}, {}, {step}); ++{rows}) {{", start.text, end.text));
            self.lines.push(format!("const u64 {var} = u64({}) + {rows} * {step};", start.beside(Binds::Atom, false)));
        }
        let Some((start, end, step)) = bounds.last() else { return Ok(()) };
        let k = self.temp("k");
        let call = match (serial, totals.is_empty()) {
            (true, _) => "serial",
            (false, true) => "lanes",
            (false, false) => "reduce",
        };
        let accumulators: Vec<String> = totals.iter().map(|(_, ty, name)| format!(", {ty} &{name}")).collect();
        let count = format!("lc::count({}, {}, {step})", start.text, end.text);
        self.lines.open(format!("lc::{call}(cx, team, {count}, [&](u64 {k}{}) {{", accumulators.concat()));
        let var = last.var.map(|id| self.name(id).to_owned()).unwrap_or_default();
        self.lines.push(format!("const u64 {var} = u64({}) + {k} * {step};", start.beside(Binds::Atom, false)));
        self.loops.push(Frame::lanes(l.id, self.lambdas));
        let outside = core::mem::replace(&mut self.in_lanes, true);
        self.block_into(&l.body, &Dest::Drop)?;
        self.in_lanes = outside;
        self.loops.pop();
        let given: Vec<String> = totals.iter().map(|(total, ..)| format!(", {total}")).collect();
        self.lines.close(format!("}}{});", given.concat()));
        for _ in outer {
            self.lines.close("}");
        }
        for (total, _, name) in &totals {
            self.lines.push(format!("{name} = {total}.finish({name});"));
        }
        for scan in &info.scans {
            let name = self.name(*scan).to_owned();
            self.lines.push(format!("{name} = team.share(cx, {name});"));
        }
        self.lines.push("team.meet(cx);");
        Ok(())
    }

    /// `view[i, j]`, and what stands for it beyond the edge.
    pub(super) fn load(&mut self, element: &Element) -> Result<Code, Missing> {
        self.is_operand(element.view)?;
        let or = match &element.edge {
            Some(Edge::Or(value)) => Some(&**value),
            _ => None,
        };
        let mut codes = self.operands(element.index.iter().chain(or))?;
        let or = or.and_then(|_| codes.pop());
        let (view, index) = (self.name(element.view).to_owned(), indices(codes));
        Ok(Code::atom(match (&element.edge, or) {
            (None, _) => format!("{view}.load(cx, {index})"),
            (Some(Edge::Or(_)), Some(or)) => format!("{view}.load_or({}, {index})", or.text),
            (Some(edge), _) => format!("{view}.load_at(cx, lc::{}(), {index})", edge.name()),
        }))
    }

    /// `view[i, j] = value`
    pub(super) fn store(&mut self, element: &Element, op: Option<BinaryOp>, value: &Expr) -> Result<(), Missing> {
        self.is_operand(element.view)?;
        let mut codes = self.operands(element.index.iter().chain([value]))?;
        let Some(value_code) = codes.pop() else { return Ok(()) };
        let (view, index) = (self.name(element.view).to_owned(), indices(codes));
        let value_code = match op {
            None => value_code,
            Some(op) => {
                let ty = self.function.types.of(value.id).clone();
                self.binary_of(op, &ty, &Code::atom(format!("{view}.load(cx, {index})")), &value_code, Some(value))
            }
        };
        self.write(&format!("{view}.store(cx, {}, {index});", value_code.text));
        Ok(())
    }

    /// A write: inside a loop over lanes as it is, outside of it by one thread, while the others wait.
    fn write(&mut self, line: &str) {
        if self.in_lanes {
            self.lines.push(line);
            return;
        }
        self.lines.push("team.meet(cx);");
        self.lines.push(format!("if (team.first()) {line}"));
        self.lines.push("team.meet(cx);");
    }

    /// `atomic_add(&mut view[i], value)`: in a loop that one thread runs, in its order.
    pub(super) fn update(&mut self, element: &Element, by: &str, value: &Expr) -> Result<(), Missing> {
        self.is_operand(element.view)?;
        let mut codes = self.operands(element.index.iter().chain([value]))?;
        let Some(value) = codes.pop() else { return Ok(()) };
        let (view, index) = (self.name(element.view).to_owned(), indices(codes));
        self.write(&format!("{view}.template update<lc::{by}>(cx, {}, {index});", value.text));
        Ok(())
    }

    /// `scan(&mut sum, value)`
    pub(super) fn scan(&mut self, var: VarId, value: &Expr) -> Result<Code, Missing> {
        let code = self.expr(value)?;
        let name = self.name(var).to_owned();
        self.lines.push(format!("{name} = lc::add({name}, {});", code.text));
        let kept = self.temp("sum_here");
        self.lines.push(format!("const auto {kept} = {name};"));
        Ok(Code::fixed(kept))
    }

    /// Whether a variable is an array operand; what else has elements is an array that the lanes share.
    pub(super) fn is_operand(&self, var: VarId) -> Result<(), Missing> {
        let is_view = self.function.args.iter().any(|(id, ty)| *id == var && matches!(ty, Type::View(_)));
        if is_view { Ok(()) } else { Err(Missing::new("an array that the lanes of a loop share")) }
    }
}

fn indices(codes: Vec<Code>) -> String {
    codes.into_iter().map(|c| format!("u64({})", c.text)).collect::<Vec<_>>().join(", ")
}
