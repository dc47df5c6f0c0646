//! Prints the typed stub of a module.
//!
//! The shapes are those that mypy, pyright and stubtest all take, found by trial: a kernel is a `Protocol` with overloads of
//! `__call__`, its dtypes are a constrained `TypeVar`. Inputs are as wide as what is accepted at run time without a change of dtype
//! (arrays, NumPy scalars, Python numbers); outputs are exact. The text is what `ruff format` would make of it.

mod block;
mod call;
mod text;
mod types;

use super::Exported;
use lanecraft_lang::model::Kernel;
use std::collections::BTreeSet;
use types::TypeVars;

/// The stub of a module with these kernels and submodules.
pub fn module(exported: &[Exported], submodules: &[String]) -> String {
    stub(exported, Some(submodules))
}

/// The stub of a submodule with these kernels.
pub fn submodule(exported: &[Exported]) -> String {
    stub(exported, None)
}

/// `submodules`: those of the module itself, which has functions too.
fn stub(exported: &[Exported], submodules: Option<&[String]>) -> String {
    let kernels: Vec<&Kernel> =
        exported.iter().filter_map(|e| if let Exported::Map(kernel) = e { Some(&**kernel) } else { None }).collect();
    let blocks = || exported.iter().filter_map(|e| if let Exported::Block(kernel) = e { Some(&**kernel) } else { None });
    let mut vars = TypeVars::default();
    let mut classes = ClassNames::default();
    let kernels_text: String = exported
        .iter()
        .map(|e| {
            let class = classes.claim(&e.name().to_string());
            match e {
                Exported::Map(map) => kernel(map, &class, &mut vars),
                Exported::Block(kernel) => block::kernel(kernel, &class, &mut vars),
            }
        })
        .collect();
    let mut names: Vec<_> = exported.iter().map(|e| e.name().to_string()).collect();
    if let Some(submodules) = submodules {
        names.extend(["__version__", "isa", "variants"].map(str::to_owned));
        names.extend_from_slice(submodules);
    }
    names.sort();
    let all: String = names.iter().map(|name| format!("    \"{name}\",\n")).collect();

    let mut out = HEADER.to_owned();
    out += &imports(exported.is_empty(), &kernels_text, &vars);
    let parts: String = submodules.unwrap_or_default().iter().map(|name| format!("from . import {name} as {name}\n")).collect();
    if !parts.is_empty() {
        out += &format!("\n{parts}");
    }
    out += &format!("\n__all__ = [\n{all}]\n\n");
    if submodules.is_some() {
        out += "__version__: Final[str]\n\n";
    }
    out += &vars.declarations();
    if !exported.is_empty() {
        out += DTYPES;
    }
    if !kernels.is_empty() {
        if kernels_text.contains("_Operand") {
            out += OPERAND;
        }
        out += KEYWORDS;
    }
    if blocks().next().is_some() {
        out += block::KEYWORDS;
    }
    out += VARIANT;
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
    // The first kernel has a blank line in front of it.
    let functions = if submodules.is_some() { FUNCTIONS } else { "" };
    if functions.is_empty() {
        out.pop();
    }
    out += functions;
    out += &kernels_text;
    out
}

const HEADER: &str = "\
# Written by Lanecraft from the kernels in the Rust sources. Do not edit.
#
# Overloads overlap where all arguments are numbers: the first one that fits is meant.
# mypy: disable-error-code=\"overload-overlap\"
# pyright: reportOverlappingOverload=false
";

/// What the names below come from, sorted as ruff sorts.
fn imports(none: bool, text: &str, vars: &TypeVars) -> String {
    if none {
        return "from typing import Final, TypedDict, type_check_only\n".to_owned();
    }
    let overload = if text.contains("@overload") { "    overload,\n" } else { "" };
    let extensions = if vars.is_empty() { "Unpack" } else { "TypeVar, Unpack" };
    format!(
        "from typing import (
    Any,
    Final,
    Literal,
    Protocol,
    TypeAlias,
    TypedDict,
{overload}    type_check_only,
)

import numpy as np
from numpy.typing import NDArray
from typing_extensions import {extensions}
"
    )
}

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
