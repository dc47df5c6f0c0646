//! Block kernels: gufuncs.

use super::call::{Choice, choices, dtypes, keyword, tuple};
use super::text::docstring;
use super::types::{Kind, TypeVars, scalar};
use crate::names::parameter;
use lanecraft_lang::block::{BlockKernel, BlockOperand};
use lanecraft_lang::model::Ty;
use std::fmt::Write;

/// What a gufunc takes beside `out`.
pub(super) const KEYWORDS: &str = "\
@type_check_only
class _BlockKeywords(TypedDict, total=False):
    axis: int
    axes: list[tuple[int, ...] | int]
    keepdims: bool
    casting: Literal[\"no\", \"equiv\", \"safe\", \"same_kind\", \"unsafe\"]
    order: Literal[\"C\", \"F\", \"A\", \"K\"]
    subok: bool
    threads: int | None

";

/// A kernel's class and the object.
pub(super) fn kernel(kernel: &BlockKernel, class: &str, vars: &mut TypeVars) -> String {
    let base = if kernel.parameters.is_empty() { "_BlockKernel" } else { "_ParameterBlockKernel" };
    let mut out = format!("\n@type_check_only\nclass {class}({base}, Protocol):\n");
    let choices = choices(&kernel.type_params);
    for (k, choice) in choices.iter().enumerate() {
        if choices.len() > 1 {
            out += "    @overload\n";
        }
        out += &definition(kernel, choice, vars);
        if k == 0 && !kernel.docs.trim().is_empty() {
            let _ = write!(out, "\n{}\n", docstring(&kernel.docs, 8));
            // No empty line before the end of the class.
            if choices.len() == 1 {
                out.pop();
            }
        } else {
            out += " ...\n";
        }
    }
    out += &format!("\n{}: Final[{class}]\n", kernel.name);
    if !kernel.docs.trim().is_empty() {
        out += &docstring(&kernel.docs, 0);
    }
    out
}

fn definition(kernel: &BlockKernel, choice: &Choice, vars: &mut TypeVars) -> String {
    let params: Vec<String> = choice
        .iter()
        .enumerate()
        .map(|(k, dtypes)| vars.of(dtypes, choice.iter().take(k).filter(|other| *other == dtypes).count()))
        .collect();
    let ty = |ty: Ty| match ty {
        Ty::Dtype(dtype) => scalar(dtype),
        Ty::Param(k) => params.get(k).cloned().unwrap_or_default(),
    };
    let mut out = "    def __call__(\n        self,\n".to_owned();
    for o in &kernel.inputs {
        let (name, scalar) = (o.name.as_ref().map(|n| parameter(&n.to_string())).unwrap_or_default(), ty(o.ty));
        // One element per item: a value for all of them is one too.
        let python = dtypes(o.ty, choice).first().map_or(Kind::Float, |d| Kind::of(*d)).python();
        let more = if o.rank == 0 { format!(" | {scalar} | {python}") } else { String::new() };
        let _ = writeln!(out, "        {name}: NDArray[{scalar}]{more},");
    }
    let arrays: Vec<String> = kernel.outputs.iter().map(|o| format!("NDArray[{}]", ty(o.ty))).collect();
    if let [one] = arrays.as_slice() {
        let _ = writeln!(out, "        /,\n        out: {one} | tuple[{one}] | None = None,");
        if !kernel.parameters.is_empty() {
            out += "        *,\n";
        }
    } else {
        let each: Vec<String> = arrays.iter().map(|a| format!("{a} | None")).collect();
        let line = format!("        out: tuple[{}] | None = None,", each.join(", "));
        // As ruff breaks a line of more than 88 characters.
        let line = if line.len() > 88 { line.replace("] | None = None,", "]\n        | None = None,") } else { line };
        let _ = writeln!(out, "        /,\n        *,\n{line}");
    }
    for p in &kernel.parameters {
        let _ = writeln!(out, "        {},", keyword(p));
    }
    // Of one item NumPy gives a scalar, of many an array.
    let result = |(o, dims): (&BlockOperand, &Vec<usize>)| {
        let scalar = ty(o.ty);
        let may_be_scalar = dims.iter().all(|d| kernel.signature.dims.get(*d).is_some_and(|d| d.optional));
        if may_be_scalar { format!("{scalar} | NDArray[{scalar}]") } else { format!("NDArray[{scalar}]") }
    };
    let result = tuple(kernel.outputs.iter().zip(&kernel.signature.outputs).map(result));
    let _ = write!(out, "        **kwargs: Unpack[_BlockKeywords],\n    ) -> {result}:");
    out
}
