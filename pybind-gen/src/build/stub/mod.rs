//! Prints the typed stub of a module.
//!
//! The shapes are those that mypy, pyright and stubtest all take, found by trial: a kernel is a `Protocol` with overloads of
//! `__call__`, its dtypes are a constrained `TypeVar`. Inputs are as wide as what is accepted at run time without a change of dtype
//! (arrays, NumPy scalars, Python numbers); outputs are exact. The text is what `ruff format` would make of it.

mod block;
mod call;
mod function;
mod imports;
mod structure;
mod text;
mod types;

use super::{Classes, Exported};
use lanecraft_lang::model::Kernel;
use std::collections::BTreeSet;
use types::TypeVars;

/// The stub of a module with these exports and submodules. `classes`: of the module and all submodules.
pub fn module(exported: &[Exported], submodules: &[String], classes: &Classes) -> String {
    stub(exported, Some(submodules), &Home { name: None, docs: "", classes })
}

/// The stub of a submodule with these exports and this docstring.
pub fn submodule(exported: &[Exported], name: &str, docs: &str, classes: &Classes) -> String {
    stub(exported, None, &Home { name: Some(name), docs, classes })
}

/// Where a stub is, and where the classes are that it names.
struct Home<'a> {
    /// The submodule; `None`: the module itself.
    name: Option<&'a str>,
    /// Its docstring.
    docs: &'a str,
    classes: &'a Classes,
}

/// `submodules`: those of the module itself, which has functions too.
fn stub(exported: &[Exported], submodules: Option<&[String]>, home: &Home<'_>) -> String {
    let kernels: Vec<&Kernel> =
        exported.iter().filter_map(|e| if let Exported::Map(kernel) = e { Some(&**kernel) } else { None }).collect();
    let blocks = || exported.iter().filter_map(|e| if let Exported::Block(kernel) = e { Some(&**kernel) } else { None });
    let has_kernels = !kernels.is_empty() || blocks().next().is_some();
    let mut vars = TypeVars::default();
    let mut names = ClassNames::default();
    let text: String = exported
        .iter()
        .map(|e| match e {
            Exported::Map(map) => kernel(map, &names.claim(&e.name().to_string()), &mut vars),
            Exported::Block(kernel) => block::kernel(kernel, &names.claim(&e.name().to_string()), &mut vars),
            Exported::Function(function) => format!("\n{}", function::definition(function)),
            Exported::Struct(structure) => format!("\n{}", structure::class(structure)),
        })
        .collect();

    let mut out = String::new();
    if submodules.is_some() {
        out += "__version__: Final[str]\n\n";
    }
    if text.contains("_Array") {
        vars.add_scalar();
    }
    out += &vars.declarations();
    out += &function::aliases(&text);
    if has_kernels {
        out += DTYPES;
    }
    if !kernels.is_empty() {
        if text.contains("_Operand") {
            out += OPERAND;
        }
        out += KEYWORDS;
    }
    if blocks().next().is_some() {
        out += block::KEYWORDS;
    }
    if has_kernels || submodules.is_some() {
        out += VARIANT;
    }
    if kernels.iter().any(|kernel| kernel.parameters.is_empty()) {
        out += &protocol("_Kernel", UFUNC, "None");
    }
    if kernels.iter().any(|kernel| !kernel.parameters.is_empty()) {
        out += &protocol("_ParameterKernel", UFUNCS, "None");
    }
    if blocks().any(|kernel| kernel.parameters.is_empty()) {
        out += &protocol("_BlockKernel", UFUNC, "str");
    }
    if blocks().any(|kernel| !kernel.parameters.is_empty()) {
        out += &protocol("_ParameterBlockKernel", UFUNCS, "str");
    }
    // The first export has a blank line in front of it.
    if submodules.is_some() {
        out += FUNCTIONS;
    } else {
        out.pop();
    }
    out += &text;
    let blank = if out.starts_with('\n') { "" } else { "\n" };

    let overlap = if has_kernels { OVERLAP } else { "" };
    let docs = if home.docs.trim().is_empty() { String::new() } else { format!("{}\n", text::docstring(home.docs, 0)) };
    let imports = imports::of(&out, submodules.unwrap_or_default(), home);
    format!("{HEADER}{overlap}{docs}{imports}{}{blank}{out}", all(exported, submodules))
}

/// `__all__`
fn all(exported: &[Exported], submodules: Option<&[String]>) -> String {
    let mut names: Vec<_> = exported.iter().map(|e| e.name().to_string()).collect();
    if let Some(submodules) = submodules {
        names.extend(["__version__", "isa", "variants"].map(str::to_owned));
        names.extend_from_slice(submodules);
    }
    names.sort();
    let all: String = names.iter().map(|name| format!("    \"{name}\",\n")).collect();
    format!("\n__all__ = [\n{all}]\n")
}

const HEADER: &str = "\
# Written by Lanecraft from the Rust sources. Do not edit.
";

const OVERLAP: &str = "\
#
# Overloads overlap where all arguments are numbers: the first one that fits is meant.
# mypy: disable-error-code=\"overload-overlap\"
# pyright: reportOverlappingOverload=false
";

const OPERAND: &str = "_Operand: TypeAlias = NDArray[np.generic] | np.generic | float\n\n";

const DTYPES: &str = "_Dtypes: TypeAlias = tuple[np.dtype[Any], ...]\n\n";

const KEYWORDS: &str = "\
@type_check_only
class _Keywords(TypedDict, total=False):
    where: NDArray[np.bool_] | np.bool_ | bool
    casting: Literal[\"no\", \"equiv\", \"safe\", \"same_kind\", \"unsafe\"]
    order: Literal[\"C\", \"F\", \"A\", \"K\"]
    subok: bool
    threads: int | None

";

const VARIANT: &str = "\
@type_check_only
class _Variant(TypedDict):
    kernel: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    parameters: dict[str, int | str | None]
    level: str

";

/// What kernels have beside the call; `own` is what tells those with parameters apart.
fn protocol(class: &str, own: &str, signature: &str) -> String {
    let others = OTHERS.replace("def signature(self) -> None", &format!("def signature(self) -> {signature}"));
    format!("@type_check_only\nclass {class}(Protocol):\n{NAMES}{own}{others}")
}

const NAMES: &str = "    \
    @property
    def __name__(self) -> str: ...
    @property
    def __qualname__(self) -> str: ...
";

const UFUNC: &str = "    \
    @property
    def ufunc(self) -> np.ufunc: ...
";

const UFUNCS: &str = "    \
    @property
    def ufuncs(self) -> dict[tuple[int | str | None, ...], np.ufunc]: ...
    @property
    def parameters(self) -> dict[str, tuple[int | str, ...]]: ...
";

const OTHERS: &str = "    \
    @property
    def nin(self) -> int: ...
    @property
    def nout(self) -> int: ...
    @property
    def nargs(self) -> int: ...
    @property
    def types(self) -> list[str]: ...
    @property
    def dtypes(self) -> list[tuple[_Dtypes, _Dtypes]]: ...
    @property
    def signature(self) -> None: ...
    @property
    def variants(self) -> list[_Variant]: ...

";

const FUNCTIONS: &str = "\
def isa() -> str:
    \"\"\"The CPU level in use: 'portable', 'sse2', 'sse2-exact', 'avx2', 'avx512' or 'neon'.

    The best one of this machine, unless the environment variable LANECRAFT_ISA names
    another. Raises RuntimeError when it names one that this machine lacks.
    \"\"\"

def variants() -> list[_Variant]:
    \"\"\"Every kernel, on every choice of dtypes, on every CPU level of this machine.\"\"\"
";

/// A kernel's class and the object.
fn kernel(kernel: &Kernel, class: &str, vars: &mut TypeVars) -> String {
    let name = &kernel.name;
    let base = if kernel.parameters.is_empty() { "_Kernel" } else { "_ParameterKernel" };
    let mut out = format!("\n@type_check_only\nclass {class}({base}, Protocol):\n");
    out += &call::overloads(kernel, vars);
    out += &format!("\n{name}: Final[{class}]\n");
    if !kernel.docs.trim().is_empty() {
        out += &text::docstring(&kernel.docs, 0);
    }
    out
}

/// `normalize_u8` becomes `_NormalizeU8`.
#[derive(Default)]
struct ClassNames {
    taken: BTreeSet<String>,
}

impl ClassNames {
    fn claim(&mut self, kernel: &str) -> String {
        const OTHERS: &[&str] = &[
            "_BlockKernel",
            "_BlockKeywords",
            "_Dtypes",
            "_Keywords",
            "_Kernel",
            "_Operand",
            "_ParameterBlockKernel",
            "_ParameterKernel",
            "_Variant",
            "_Float",
            "_Int",
        ];
        let mut name = "_".to_owned();
        for word in kernel.split('_') {
            let mut letters = word.chars();
            name.extend(letters.next().into_iter().flat_map(char::to_uppercase));
            name.extend(letters);
        }
        while OTHERS.contains(&name.as_str()) || self.taken.contains(&name) {
            name.push('_');
        }
        self.taken.insert(name.clone());
        name
    }
}
