//! Entries of block kernels: one `extern "C" __global__` function per variant, one block of threads per item.

use super::assemble::{Missing, Program};
use super::{BlockInfo, BlockShape, entry};
use lanecraft_core::DtypeId;
use lanecraft_core::cuda::{Argument, Names as _};

/// What only block kernels need, after the prelude.
pub(super) const PRELUDE: &str = include_str!("block.h");

/// A block kernel and its text, types erased.
#[derive(Clone, Copy, Debug)]
pub struct CudaBlockInfo {
    /// The kernel.
    pub info: BlockInfo,
    /// How its entries call its function.
    pub shape: BlockShape,
}

impl CudaBlockInfo {
    /// Of kernel `K`.
    pub const fn of<K: super::CudaBlockKernel>() -> Self {
        Self { info: K::INFO, shape: K::SHAPE }
    }
}

/// The `extern "C" __global__` function of a block kernel's variant.
///
/// `name(operands.., Items items, u64 *fault)`: pointers to bytes, inputs first, and where the items lie (`lc::Items` in block.h). Any launch will do
/// whose blocks have one dimension and a multiple of 32 threads, up to 1024: blocks share out the items. `*fault` is as for map kernels, by item.
#[derive(Clone, Debug)]
pub struct BlockEntry {
    /// Its name: the kernel's, its dtypes, its parameters' values.
    pub name: String,
    /// The kernel.
    pub kernel: &'static str,
    /// The variant of the kernel, by its place in `BlockInfo::variants`.
    pub variant: usize,
    /// The dtypes of the operands: inputs, then outputs.
    pub operands: Vec<DtypeId>,
    /// How many dimensions the signature has.
    pub dims: usize,
}

impl Program {
    /// Adds all variants of a block kernel.
    ///
    /// # Errors
    /// A construct that has no CUDA text yet; the program is as it was before.
    pub fn block_kernel(&mut self, kernel: &CudaBlockInfo) -> Result<(), Missing> {
        self.blocks = true;
        let function = self.added(kernel.info.name, |program| program.name(kernel.shape.item))?;
        for (k, variant) in kernel.info.variants.iter().enumerate() {
            let operands = variant.operands();
            let generics =
                kernel.shape.generics.iter().filter_map(|g| if let Argument::Operand(k) = g { operands.get(*k).copied() } else { None });
            let generics: Vec<DtypeId> = generics.collect();
            let shown = if generics.is_empty() { variant.inputs() } else { &generics };
            let mut name = kernel.info.name.replace("__", "_");
            shown.iter().for_each(|d| name.push_str(&format!("__{d}")));
            name.push_str(&entry::suffix(kernel.info.parameters, variant.choice));
            while self.block_entries.iter().any(|e| e.name == name) || self.entries.iter().any(|e| e.name == name) {
                name.push('_');
            }
            let entry = BlockEntry {
                name,
                kernel: kernel.info.name,
                variant: k,
                operands: operands.to_vec(),
                dims: kernel.info.signature.dims.len(),
            };
            let text = text(kernel, &entry, &function);
            self.text.push_str(&text);
            self.block_entries.push(entry);
        }
        Ok(())
    }
}

/// The text of an entry.
fn text(kernel: &CudaBlockInfo, entry: &BlockEntry, function: &str) -> String {
    let (count, dims) = (entry.operands.len(), entry.dims);
    let taken = count - kernel.shape.returned;
    let arguments: Vec<String> = (0..count).map(|k| format!("u8 *x{k}")).collect();
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!("extern \"C\" __global__ void {}({}, lc::Items<{count}, {dims}> items, u64 *fault) {{", entry.name, arguments.join(", ")));
    line("    lc::Team team;".to_owned());
    line("    for (u64 item = blockIdx.x; item < items.count; item += gridDim.x) {".to_owned());
    line("        lc::Cx cx;".to_owned());
    for (k, d) in entry.operands.iter().enumerate().take(taken) {
        let axes = kernel.info.signature.operands.get(k).copied().unwrap_or_default();
        let at = format!("x{k} + i64(item) * items.step[{k}]");
        if axes.is_empty() {
            line(format!("        const {d} a{k} = lc::loaded<{d}>(*reinterpret_cast<const lc::memory_t<{d}> *>({at}));"));
        } else {
            let shape: Vec<String> = axes.iter().map(|d| format!("items.dim[{d}]")).collect();
            let steps: Vec<String> = (0..axes.len()).map(|axis| format!("items.axis[{k}][{axis}]")).collect();
            line(format!(
                "        const lc::View<{d}, {}> a{k} = {{{at}, {{{}}}, {{{}}}}};",
                axes.len(),
                shape.join(", "),
                steps.join(", ")
            ));
        }
    }
    let choice = kernel.info.variants.get(entry.variant).map_or(&[][..], |variant| variant.choice);
    let parameter = |p: usize| entry::chosen(kernel.info.parameters, choice, p).unwrap_or_default();
    let generics = kernel.shape.generics.iter().map(|g| match *g {
        Argument::Operand(k) => entry.operands.get(k).map_or_else(String::new, ToString::to_string),
        Argument::Parameter(p) => parameter(p),
    });
    let generics = generics.collect::<Vec<_>>().join(", ");
    let generics = if generics.is_empty() { generics } else { format!("<{generics}>") };
    let arguments = kernel.shape.arguments.iter().map(|a| match *a {
        Argument::Operand(k) => format!("a{k}"),
        Argument::Parameter(p) => parameter(p),
    });
    let given: Vec<String> = ["cx".to_owned(), "team".to_owned()].into_iter().chain(arguments).collect();
    let call = format!("{function}{generics}({})", given.join(", "));
    line(if kernel.shape.returned == 0 { format!("        {call};") } else { format!("        const auto y = {call};") });
    line("        team.meet(cx);".to_owned());
    line("        if (team.first()) {".to_owned());
    for (r, (k, d)) in entry.operands.iter().enumerate().skip(taken).enumerate() {
        let y = if kernel.shape.is_tuple { format!("y._{r}") } else { "y".to_owned() };
        line(format!("            *reinterpret_cast<lc::memory_t<{d}> *>(x{k} + i64(item) * items.step[{k}]) = lc::stored<{d}>({y});"));
    }
    line("        }".to_owned());
    line("        cx.report(fault, item);".to_owned());
    line("    }\n}\n".to_owned());
    out
}
