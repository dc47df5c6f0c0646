//! Block kernels: loops over lanes, and elements of array operands.
//!
//! A block of threads works on one item. Outside of loops over lanes each thread computes the same; a loop over lanes is a call of the prelude with
//! its body, a lambda, which shares out the iterations. What is written outside of them one thread writes.

use super::Missing;
use super::body::{Dest, Emit};
use super::code::{Binds, Code};
use super::flow::Frame;
use crate::block::analyze::{self, LaneLoop};
use crate::tree::{BinaryOp, Edge, Element, Expr, ExprKind, Loop, Range, Reduce, VarId, View};

/// What is missing where the type of an array would have to be written.
pub(super) const SHARED_OF_NO_TYPE: &str = "an array that the lanes of a loop share, of a type that only rustc finds,";

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
        // What goes by the order of the iterations one thread does.
        let serial = !info.updates.is_empty() || !info.scans.is_empty();
        // The bounds of all ranges, in their order.
        let mut bounds = Vec::new();
        for range in ranges {
            let [start, end] = self.two(&range.start, &range.end)?;
            let (start, end) = (self.keep(&start, "start"), self.keep(&end, "end"));
            let step = match range.named_step() {
                Some(step) => format!("u64({})", self.expr(step)?.text),
                None => range.literal_step().unwrap_or(1).to_string(),
            };
            bounds.push((start, end, step));
        }
        self.lines.push("team.meet(cx);");
        let totals = self.totals(l, &info, serial)?;
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
        let accumulators: Vec<String> = totals.iter().map(|t| format!(", {} &{}", t.ty, t.variable)).collect();
        let count = format!("lc::count({}, {}, {step})", start.text, end.text);
        self.lines.open(format!("lc::{call}(cx, team, {count}, [&](u64 {k}{}) {{", accumulators.concat()));
        let var = last.var.map(|id| self.name(id).to_owned()).unwrap_or_default();
        self.lines.push(format!("const u64 {var} = u64({}) + {k} * {step};", start.beside(Binds::Atom, false)));
        self.loops.push(Frame::lanes(l.id, self.lambdas));
        let outside = core::mem::replace(&mut self.in_lanes, true);
        self.block_into(&l.body, &Dest::Drop)?;
        self.in_lanes = outside;
        self.loops.pop();
        let given: Vec<String> = totals.iter().map(|t| format!(", {}", t.total)).collect();
        self.lines.close(format!("}}{});", given.concat()));
        for _ in outer {
            self.lines.close("}");
        }
        for Total { total, variable, by, .. } in &totals {
            let all = if serial { format!("team.share({total}.all())") } else { format!("{total}.all()") };
            self.lines.push(match by {
                Some(by) => format!("{variable} = lc::{by}::of({variable}, {all});"),
                None => format!("{variable} = {all};"),
            });
        }
        for scan in &info.scans {
            let name = self.name(*scan).to_owned();
            self.lines.push(format!("{name} = team.share({name});"));
        }
        self.lines.push("team.meet(cx);");
        Ok(())
    }

    /// Declares what the reductions of a loop come to.
    fn totals(&mut self, l: &Loop, info: &LaneLoop, serial: bool) -> Result<Vec<Total>, Missing> {
        let reduction = if serial { "SerialReduction" } else { "Reduction" };
        let mut totals = Vec::new();
        for r in &info.reductions {
            let (total, ty, variable) = self.total(r.var)?;
            self.lines.push(format!("lc::{reduction}<lc::{}, {ty}> {total};", r.by));
            totals.push(Total { total, ty, variable, by: Some(r.by) });
        }
        if let Some(reduce) = analyze::reduce_in(&l.body) {
            let (total, ty, variable) = self.total(reduce.var)?;
            let combine = self.combination(reduce, &ty)?;
            let own = format!("lc::Own<{ty}, decltype({combine})>");
            self.lines.push(format!("lc::{reduction}<{own}, {ty}> {total}({own}{{{combine}, {variable}}});"));
            totals.push(Total { total, ty, variable, by: None });
            self.combine = combine;
        }
        Ok(totals)
    }

    /// A name for the total of a variable, its type and its name.
    fn total(&mut self, var: VarId) -> Result<(String, String, String), Missing> {
        let ty = self.function.types.of_var(var).clone();
        let name = self.name(var).to_owned();
        // Of a type that only rustc finds, C++ has it from the variable.
        let ty = self.ty(&ty)?.unwrap_or_else(|| format!("decltype({name})"));
        Ok((self.temp("total"), ty, name))
    }

    /// The operation of a `reduce`, a lambda; its name.
    fn combination(&mut self, reduce: &Reduce, ty: &str) -> Result<String, Missing> {
        let combine = self.temp("combine");
        let names = ["a", "b"].map(|like| self.temp(like));
        let args: Vec<String> = names.iter().map(|name| format!("{ty} {name}")).collect();
        self.lines.open(format!("const auto {combine} = [&]({}) -> {ty} {{", args.join(", ")));
        for (pat, name) in reduce.args.iter().zip(&names) {
            self.bind(pat, name)?;
        }
        self.lambdas += 1;
        self.block_into(&reduce.body, &Dest::Return)?;
        self.lambdas -= 1;
        self.lines.close("};");
        Ok(combine)
    }

    /// `acc = reduce(acc, value, |a, b| ..)`
    pub(super) fn fold(&mut self, reduce: &Reduce) -> Result<(), Missing> {
        let value = self.expr(&reduce.value)?;
        let (name, combine) = (self.name(reduce.var).to_owned(), self.combine.clone());
        self.lines.push(format!("{name} = {combine}({name}, {});", value.text));
        Ok(())
    }

    /// `view[i, j]`, and what stands for it beyond the edge.
    pub(super) fn load(&mut self, element: &Element) -> Result<Code, Missing> {
        let or = match &element.edge {
            Some(Edge::Or(value)) => Some(&**value),
            _ => None,
        };
        let mut codes = self.operands(element.index.iter().chain(or))?;
        let or = or.and_then(|_| codes.pop());
        let (view, index) = (self.name(element.view).to_owned(), indices(codes));
        Ok(Code::atom(match (&element.edge, or) {
            (None, _) if self.is_tile(element.view) => format!("lc::tile(cx, {view}, {index})"),
            (None, _) => format!("{view}.load(cx, {index})"),
            (Some(Edge::Or(_)), Some(or)) => format!("{view}.load_or({}, {index})", or.text),
            (Some(edge), _) => format!("{view}.load_at(cx, lc::{}(), {index})", edge.name()),
        }))
    }

    /// `view[i, j] = value`
    pub(super) fn store(&mut self, element: &Element, op: Option<BinaryOp>, value: &Expr) -> Result<(), Missing> {
        let mut codes = self.operands(element.index.iter().chain([value]))?;
        let Some(value_code) = codes.pop() else { return Ok(()) };
        let (view, index) = (self.name(element.view).to_owned(), indices(codes));
        let is_tile = self.is_tile(element.view);
        let old = if is_tile { format!("lc::tile(cx, {view}, {index})") } else { format!("{view}.load(cx, {index})") };
        let value_code = match op {
            None => value_code,
            Some(op) => {
                let ty = self.function.types.of(value.id).clone();
                self.binary_of(op, &ty, &Code::atom(old.clone()), &value_code, Some(value))
            }
        };
        self.write(&if is_tile {
            format!("{old} = {};", value_code.text)
        } else {
            format!("{view}.store(cx, {}, {index});", value_code.text)
        });
        Ok(())
    }

    /// An array that the lanes of a loop share: in the memory that the threads of a block share.
    pub(super) fn let_tile(&mut self, id: VarId, ty: Option<String>, init: &Expr) -> Result<(), Missing> {
        let name = self.name(id).to_owned();
        let (mut element, mut lengths) = (init, Vec::new());
        while let ExprKind::Repeat(item, len) = &element.kind {
            lengths.push(self.length(len)?);
            element = item;
        }
        let is_filled = lengths.len() == self.function.types.rank(id);
        let value = self.expr(if is_filled { element } else { init })?;
        let ty = match ty {
            Some(ty) => ty,
            None if is_filled && !value.open => {
                let one = format!("lc::real<decltype({0}), decltype({0})>", value.text);
                lengths.iter().rev().fold(one, |item, len| format!("lc::array<{item}, {len}>"))
            }
            None => return Err(Missing::new(SHARED_OF_NO_TYPE)),
        };
        if is_filled {
            self.lines.push(format!("__shared__ {ty} {name};"));
            self.lines.push(format!("lc::fill(cx, team, {name}, {});", value.text));
        } else {
            self.shared(&ty, &name, &value.text);
        }
        Ok(())
    }

    /// Such an array, written as a whole.
    pub(super) fn shared(&mut self, ty: &str, name: &str, value: &str) {
        self.lines.push(format!("__shared__ {ty} {name};"));
        self.write(&format!("{name} = {value};"));
    }

    /// Whether a variable is an array that the lanes of a loop share.
    pub(super) fn is_tile(&self, var: VarId) -> bool {
        self.function.lanes.iter().flat_map(|loops| loops.values()).any(|info| info.tiles.contains(&var))
    }

    /// The length of an axis.
    pub(super) fn axis(&self, view: VarId, axis: usize) -> Code {
        let name = self.name(view);
        Code::fixed(if self.is_tile(view) { format!("lc::len({name})") } else { format!("{name}.shape[{axis}]") })
    }

    /// A write: inside a loop over lanes as it is, outside of it by one thread, while the others wait.
    pub(super) fn write(&mut self, line: &str) {
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
}

/// A reduction of a loop.
struct Total {
    /// What it comes to.
    total: String,
    /// The variable's type.
    ty: String,
    /// The variable: in the loop an accumulator of it.
    variable: String,
    /// By which operation of the prelude; else one of the kernel's own, whose results the variable's own value is part of.
    by: Option<&'static str>,
}

fn indices(codes: Vec<Code>) -> String {
    codes.into_iter().map(|c| format!("u64({})", c.text)).collect::<Vec<_>>().join(", ")
}
