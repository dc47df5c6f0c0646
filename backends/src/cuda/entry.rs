//! Entries: the `extern "C" __global__` functions of a kernel's variants.

use super::assemble::Program;
use super::{Argument, CudaInfo};
use crate::variant::{Parameter, ParameterValue, Variant};
use lanecraft_core::DtypeId;

/// A text and the entries in it.
#[derive(Clone, Debug)]
pub struct Source {
    /// CUDA C++17.
    pub text: String,
    /// Its entries, of map kernels.
    pub entries: Vec<Entry>,
    /// Its entries, of block kernels.
    pub blocks: Vec<super::BlockEntry>,
}

/// The two `extern "C" __global__` functions of a variant.
///
/// `name(inputs.., outputs.., u32 single, u64 n, u64 *fault)`: pointers to `n` elements side by side, aligned to `pack` elements; or, where bit `k` of
/// `single` is set, to one element that stands for all of input `k`.
///
/// `name__strided(inputs.., outputs.., Plan plan, u64 n, u64 *fault)`: pointers to bytes, each element aligned to its own size; the plan (`lc::Plan` in the
/// prelude) says where the elements lie.
///
/// Any launch of one dimension will do: threads share out the elements. `*fault` is all ones before; a fault leaves there the lowest index of
/// an element with one, times 2, plus 1 if it is an index out of range rather than a division by zero.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name: the kernel's, its dtypes, its parameters' values.
    pub name: String,
    /// The name of the function for operands at any strides.
    pub strided: String,
    /// The kernel.
    pub kernel: &'static str,
    /// The variant of the kernel, by its place in `KernelInfo::variants`.
    pub variant: usize,
    /// The dtypes of the operands that are read.
    pub inputs: &'static [DtypeId],
    /// The dtypes of the operands that are written.
    pub outputs: &'static [DtypeId],
    /// Elements that a thread moves at once.
    pub pack: usize,
}

/// Bytes that a thread moves at once, of the largest operand.
const MOVED: usize = 16;

/// Writes the entries of all variants of a kernel, whose function is called `function`.
pub(super) fn kernel(program: &mut Program, kernel: &CudaInfo, function: &str) {
    for (k, variant) in kernel.info.variants.iter().enumerate() {
        let mut name = name(kernel, variant);
        while program.entries.iter().any(|e| e.name == name) {
            name.push('_');
        }
        let largest = variant.inputs.iter().chain(variant.outputs).map(|d| d.size()).max().unwrap_or(1);
        let entry = Entry {
            strided: format!("{name}__strided"),
            name,
            kernel: kernel.info.name,
            variant: k,
            inputs: variant.inputs,
            outputs: variant.outputs,
            pack: MOVED / largest,
        };
        let writer = Writer { kernel, variant, function, entry: &entry };
        program.text.push_str(&writer.flat());
        program.text.push_str(&writer.strided());
        program.entries.push(entry);
    }
}

/// The name of a variant's entry.
fn name(kernel: &CudaInfo, variant: &Variant) -> String {
    let mut name = kernel.info.name.replace("__", "_");
    let generics: Vec<&DtypeId> =
        kernel.shape.generics.iter().filter_map(|g| if let Argument::Operand(k) = g { variant.inputs.get(*k) } else { None }).collect();
    let dtypes: Vec<&DtypeId> =
        if generics.is_empty() { variant.inputs.iter().take(kernel.info.arguments.len()).collect() } else { generics };
    for dtype in dtypes {
        name.push_str(&format!("__{dtype}"));
    }
    name.push_str(&suffix(kernel.info.parameters, variant.choice));
    name
}

/// What a choice of parameters' values adds to an entry's name.
pub(super) fn suffix(parameters: &[Parameter], choice: &[Option<usize>]) -> String {
    let value = |(p, value): (usize, &Option<usize>)| {
        let value = value.and_then(|v| parameters.get(p)?.values.get(v)).map_or("any".to_owned(), ToString::to_string);
        format!("__{}", value.replace('-', "minus"))
    };
    choice.iter().enumerate().map(value).collect()
}

/// The value of parameter `p` in a choice, in C++: an enum's is its number. `None` where the choice leaves it to the run time.
pub(super) fn chosen(parameters: &[Parameter], choice: &[Option<usize>], p: usize) -> Option<String> {
    let v = choice.get(p).copied().flatten()?;
    Some(match parameters.get(p).and_then(|p| p.values.get(v)) {
        Some(ParameterValue::Int(v)) if *v == i128::from(i64::MIN) => "-9223372036854775807ll - 1".to_owned(),
        Some(ParameterValue::Int(v)) if i32::try_from(*v).is_ok_and(|v| v != i32::MIN) => v.to_string(),
        Some(ParameterValue::Int(v)) => format!("{v}{}", if *v > i128::from(i64::MAX) { "ull" } else { "ll" }),
        Some(ParameterValue::Bool(b)) => b.to_string(),
        _ => v.to_string(),
    })
}

struct Writer<'a> {
    kernel: &'a CudaInfo,
    variant: &'a Variant,
    function: &'a str,
    entry: &'a Entry,
}

impl Writer<'_> {
    /// The names of the operands: the kernel's own, as far as they go.
    fn operands(&self) -> Vec<(String, DtypeId)> {
        let inputs = self.variant.inputs.iter().enumerate().map(|(k, d)| (format!("in{k}"), *d));
        inputs.chain(self.variant.outputs.iter().enumerate().map(|(k, d)| (format!("out{k}"), *d))).collect()
    }

    /// A call of the function on values `x0`, `x1`, ..
    fn call(&self) -> String {
        let argument = |a: &Argument| match *a {
            Argument::Operand(k) => format!("x{k}"),
            Argument::Parameter(p) => self.parameter(p),
        };
        let generics: Vec<String> = self
            .kernel
            .shape
            .generics
            .iter()
            .map(|g| match *g {
                Argument::Operand(k) => self.variant.inputs.get(k).map_or_else(String::new, ToString::to_string),
                Argument::Parameter(p) => self.parameter(p),
            })
            .collect();
        let generics = if generics.is_empty() { String::new() } else { format!("<{}>", generics.join(", ")) };
        let arguments: Vec<String> = std::iter::once("cx".to_owned()).chain(self.kernel.shape.arguments.iter().map(argument)).collect();
        format!("{}{generics}({})", self.function, arguments.join(", "))
    }

    /// A parameter's value: a number, or in a run-time variant the operand that holds it.
    fn parameter(&self, p: usize) -> String {
        chosen(self.kernel.info.parameters, self.variant.choice, p).unwrap_or_else(|| {
            let before = self.variant.choice.iter().take(p).filter(|c| c.is_none()).count();
            format!("x{}", self.kernel.info.arguments.len() + before)
        })
    }

    /// The parts of the result, and the call that gives it.
    fn results(&self) -> Vec<String> {
        (0..self.variant.outputs.len()).map(|k| if self.kernel.shape.is_tuple { format!("y._{k}") } else { "y".to_owned() }).collect()
    }

    fn flat(&self) -> String {
        let (operands, n) = (self.operands(), self.variant.inputs.len());
        let name = &self.entry.name;
        let mut out = String::new();
        let mut line = |text: String| {
            out.push_str(&text);
            out.push('\n');
        };
        let arguments: Vec<String> = operands
            .iter()
            .enumerate()
            .map(|(k, (name, d))| format!("{}lc::memory_t<{d}> *{name}", if k < n { "const " } else { "" }))
            .collect();
        line(format!("extern \"C\" __global__ void {name}({}, u32 single, u64 n, u64 *fault) {{", arguments.join(", ")));
        line(format!("    const u32 V = {};", self.entry.pack));
        line("    const u64 packs = n / V;".to_owned());
        line("    for (u64 p = lc::thread(); p < packs; p += lc::threads()) {".to_owned());
        for (k, (name, d)) in operands.iter().enumerate() {
            let pack = format!("lc::pack<lc::memory_t<{d}>, V>");
            line(match k < n {
                true => format!("        const {pack} {name}_p = lc::load_pack<lc::memory_t<{d}>, V>({name}, p, single >> {k} & 1);"),
                false => format!("        {pack} {name}_p;"),
            });
        }
        line("        #pragma unroll".to_owned());
        line("        for (u32 k = 0; k < V; ++k) {".to_owned());
        line("            lc::Cx cx;".to_owned());
        for (k, (name, d)) in operands.iter().take(n).enumerate() {
            line(format!("            const {d} x{k} = lc::loaded<{d}>({name}_p.v[k]);"));
        }
        line(format!("            const auto y = {};", self.call()));
        for ((name, d), y) in operands.iter().skip(n).zip(self.results()) {
            line(format!("            {name}_p.v[k] = lc::stored<{d}>({y});"));
        }
        line("            cx.report(fault, p * V + k);".to_owned());
        line("        }".to_owned());
        for (name, _) in operands.iter().skip(n) {
            line(format!("        lc::store_pack({name}, p, {name}_p);"));
        }
        line("    }".to_owned());
        line("    for (u64 i = packs * V + lc::thread(); i < n; i += lc::threads()) {".to_owned());
        line("        lc::Cx cx;".to_owned());
        for (k, (name, d)) in operands.iter().take(n).enumerate() {
            line(format!("        const {d} x{k} = lc::loaded<{d}>({name}[single >> {k} & 1 ? 0 : i]);"));
        }
        line(format!("        const auto y = {};", self.call()));
        for ((name, d), y) in operands.iter().skip(n).zip(self.results()) {
            line(format!("        {name}[i] = lc::stored<{d}>({y});"));
        }
        line("        cx.report(fault, i);".to_owned());
        line("    }\n}\n".to_owned());
        out
    }

    fn strided(&self) -> String {
        let (operands, n) = (self.operands(), self.variant.inputs.len());
        let name = &self.entry.strided;
        let mut out = String::new();
        let mut line = |text: String| {
            out.push_str(&text);
            out.push('\n');
        };
        let arguments: Vec<String> =
            operands.iter().enumerate().map(|(k, (name, _))| format!("{}u8 *{name}", if k < n { "const " } else { "" })).collect();
        let count = operands.len();
        line(format!("extern \"C\" __global__ void {name}({}, lc::Plan<{count}> plan, u64 n, u64 *fault) {{", arguments.join(", ")));
        line("    for (u64 i = lc::thread(); i < n; i += lc::threads()) {".to_owned());
        line(format!("        i64 at[{count}];"));
        line("        plan.place(i, at);".to_owned());
        line("        lc::Cx cx;".to_owned());
        for (k, (name, d)) in operands.iter().take(n).enumerate() {
            line(format!("        const {d} x{k} = lc::loaded<{d}>(*reinterpret_cast<const lc::memory_t<{d}> *>({name} + at[{k}]));"));
        }
        line(format!("        const auto y = {};", self.call()));
        for (k, ((name, d), y)) in operands.iter().skip(n).zip(self.results()).enumerate() {
            line(format!("        *reinterpret_cast<lc::memory_t<{d}> *>({name} + at[{}]) = lc::stored<{d}>({y});", n + k));
        }
        line("        cx.report(fault, i);".to_owned());
        line("    }\n}\n".to_owned());
        out
    }
}
