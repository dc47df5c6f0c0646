//! The overloads of a kernel's `__call__`.
//!
//! A kernel over dtypes of several kinds has a set of overloads per kind, because a Python number keeps the dtype of the arrays
//! beside it only within its kind: `2` leaves `int32` alone, `2.5` makes `float64` of it.
//!
//! In order: numbers in, NumPy scalars out; arrays; arrays with `dtype=`.

use super::text::docstring;
use super::types::{Kind, TypeVars, scalar};
use crate::names::parameter;
use lanecraft_lang::dtype::Dtype;
use lanecraft_lang::model::{Kernel, Parameter, ParameterValue, Ty, TypeParam};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Dtypes for each type parameter, all of one kind.
pub(super) type Choice = Vec<Vec<Dtype>>;

pub(super) fn overloads(kernel: &Kernel, vars: &mut TypeVars) -> String {
    let choices: Vec<(Choice, Signature)> = choices(&kernel.type_params)
        .into_iter()
        .map(|choice| {
            let signature = Signature::new(kernel, &choice, vars);
            (choice, signature)
        })
        .collect();
    let mut all: Vec<String> = choices.iter().map(|(choice, signature)| signature.numbers(kernel, choice)).collect();
    all.extend(choices.iter().map(|(_, signature)| signature.arrays()));
    if has_dtype_keyword(kernel) {
        all.extend(choices.iter().map(|(_, signature)| signature.with_dtype()));
        // Choices that differ in other parameters than the result's say the same here.
        let mut seen = BTreeSet::new();
        all.retain(|overload| seen.insert(overload.clone()));
    }
    let documented = !kernel.docs.trim().is_empty();
    let mut out = String::new();
    for (k, overload) in all.iter().enumerate() {
        out += "    @overload\n";
        out += overload;
        // The first overload's docstring is the one that editors show.
        if k == 0 && documented {
            let _ = write!(out, "\n{}\n", docstring(&kernel.docs, 8));
        } else {
            out += " ...\n";
        }
    }
    out
}

/// Whether `dtype=` chooses among results: where the result's dtype is a parameter's.
pub(super) fn has_dtype_keyword(kernel: &Kernel) -> bool {
    let mut results = kernel.results.iter();
    match results.next() {
        Some(first @ Ty::Param(_)) => results.all(|other| other == first),
        _ => false,
    }
}

/// The choices of one kind per type parameter, floats last: an integer is a `float` to a type checker.
pub(super) fn choices(type_params: &[TypeParam]) -> Vec<Choice> {
    let mut choices: Vec<Choice> = vec![Vec::new()];
    for param in type_params {
        let by_kind = [Kind::Bool, Kind::Int, Kind::Float]
            .map(|kind| param.dtypes.iter().copied().filter(|d| Kind::of(*d) == kind).collect::<Vec<_>>());
        choices = choices
            .into_iter()
            .flat_map(|choice| {
                by_kind
                    .iter()
                    .filter(|dtypes| !dtypes.is_empty())
                    .map(move |dtypes| [choice.as_slice(), std::slice::from_ref(dtypes)].concat())
            })
            .collect();
    }
    choices
}

/// The types of one choice.
struct Signature {
    /// Parameter name, scalar type, Python type.
    operands: Vec<(String, String, &'static str)>,
    /// Scalar types.
    results: Vec<String>,
    /// `degree: Literal[1, 2, 4]`
    keywords: Vec<String>,
}

impl Signature {
    fn new(kernel: &Kernel, choice: &Choice, vars: &mut TypeVars) -> Self {
        let params: Vec<String> = choice
            .iter()
            .enumerate()
            .map(|(k, dtypes)| vars.of(dtypes, choice.iter().take(k).filter(|other| *other == dtypes).count()))
            .collect();
        let ty = |ty: Ty| match ty {
            Ty::Dtype(dtype) => scalar(dtype),
            Ty::Param(k) => params.get(k).cloned().unwrap_or_default(),
        };
        let operands = kernel
            .operands
            .iter()
            .map(|operand| {
                let kind = dtypes(operand.ty, choice).first().map_or(Kind::Float, |d| Kind::of(*d));
                (parameter(&operand.name.to_string()), ty(operand.ty), kind.python())
            })
            .collect();
        let keywords = kernel.parameters.iter().map(keyword).collect();
        Self { operands, results: kernel.results.iter().map(|r| ty(*r)).collect(), keywords }
    }

    /// Numbers in, NumPy scalars out.
    fn numbers(&self, kernel: &Kernel, choice: &Choice) -> String {
        // Python numbers alone are of NumPy's default dtypes. Where the kernel lacks one, a NumPy scalar has to say which dtype
        // is meant: the first such operand is one.
        let lacks = |ty: Ty| {
            let dtypes = dtypes(ty, choice);
            dtypes.first().is_some_and(|d| !dtypes.contains(&Kind::of(*d).default()))
        };
        let strong = kernel.operands.iter().position(|operand| lacks(operand.ty));
        let parameters = self.operands.iter().enumerate().map(|(k, (name, scalar, python))| {
            if Some(k) == strong { format!("{name}: {scalar}") } else { format!("{name}: {scalar} | {python}") }
        });
        definition(parameters.collect(), &[], &self.after(Vec::new(), Vec::new()), &tuple(self.results.iter().cloned()))
    }

    /// Arrays, with scalars broadcast.
    fn arrays(&self) -> String {
        let parameters = self.operands.iter().map(|(name, scalar, python)| format!("{name}: NDArray[{scalar}] | {scalar} | {python}"));
        definition(parameters.collect(), &self.positional_outputs(), &self.after(self.outputs(), Vec::new()), &self.array_results())
    }

    /// The dtype chosen by keyword: whatever comes is cast.
    fn with_dtype(&self) -> String {
        let parameters = self.operands.iter().map(|(name, _, _)| format!("{name}: _Operand"));
        let dtype = self.results.first().map(|scalar| format!("dtype: type[{scalar}] | np.dtype[{scalar}]"));
        let after = self.after(self.outputs(), dtype.into_iter().collect());
        definition(parameters.collect(), &self.positional_outputs(), &after, &self.array_results())
    }

    /// What comes after the positional parameters: the outputs, and by keyword only the compile-time parameters and `others`.
    fn after(&self, mut outputs: Vec<String>, others: Vec<String>) -> Vec<String> {
        let star = "*".to_owned();
        let keywords = [self.keywords.clone(), others].concat();
        if !keywords.is_empty() && !outputs.contains(&star) {
            outputs.push(star);
        }
        [outputs, keywords].concat()
    }

    fn array_results(&self) -> String {
        tuple(self.results.iter().map(|scalar| format!("NDArray[{scalar}]")))
    }

    /// Several outputs can come one by one after the operands.
    fn positional_outputs(&self) -> Vec<String> {
        let several = self.results.iter().filter(|_| self.results.len() > 1);
        several.enumerate().map(|(k, scalar)| format!("out{}: NDArray[{scalar}] | None = None", k + 1)).collect()
    }

    /// `out`: one array by position or keyword, several as a tuple by keyword.
    fn outputs(&self) -> Vec<String> {
        if let [scalar] = self.results.as_slice() {
            return vec![format!("out: NDArray[{scalar}] | tuple[NDArray[{scalar}]] | None = None")];
        }
        let each: Vec<String> = self.results.iter().map(|scalar| format!("NDArray[{scalar}] | None")).collect();
        vec!["*".to_owned(), format!("out: tuple[{}] | None = None", each.join(", "))]
    }
}

/// A compile-time parameter: the values it takes, or their type where it takes all.
pub(super) fn keyword(p: &Parameter) -> String {
    let name = parameter(&p.name.to_string());
    let values: Vec<String> = p.values.iter().map(literal).collect();
    match p.dtype {
        Some(Dtype::Bool) if p.run_time || values.len() > 1 => format!("{name}: bool"),
        Some(_) if p.run_time => format!("{name}: int"),
        _ => literals(&name, &values),
    }
}

/// `name: Literal[..]`, broken as ruff breaks it.
fn literals(name: &str, values: &[String]) -> String {
    let line = format!("{name}: Literal[{}]", values.join(", "));
    // The line's indentation and comma.
    if 8 + line.chars().count() < super::text::WIDTH {
        return line;
    }
    let values: String = values.iter().map(|value| format!("            {value},\n")).collect();
    format!("{name}: Literal[\n{values}        ]")
}

fn literal(value: &ParameterValue) -> String {
    match value {
        ParameterValue::Int(value) => value.to_string(),
        ParameterValue::Bool(true) => "True".to_owned(),
        ParameterValue::Bool(false) => "False".to_owned(),
        ParameterValue::Path(_) => format!("\"{value}\""),
    }
}

/// The dtypes of an operand in a choice.
pub(super) fn dtypes(ty: Ty, choice: &Choice) -> Vec<Dtype> {
    match ty {
        Ty::Dtype(dtype) => vec![dtype],
        Ty::Param(k) => choice.get(k).cloned().unwrap_or_default(),
    }
}

pub(super) fn tuple(types: impl Iterator<Item = String>) -> String {
    let types: Vec<String> = types.collect();
    match types.as_slice() {
        [one] => one.clone(),
        _ => format!("tuple[{}]", types.join(", ")),
    }
}

/// `def __call__(..) -> ..:`, a parameter a line.
fn definition(operands: Vec<String>, outputs: &[String], after: &[String], result: &str) -> String {
    let mut out = "    def __call__(\n        self,\n".to_owned();
    let slash = "/".to_owned();
    for parameter in operands.iter().chain(outputs).chain([&slash]).chain(after) {
        let _ = writeln!(out, "        {parameter},");
    }
    let _ = write!(out, "        **kwargs: Unpack[_Keywords],\n    ) -> {result}:");
    out
}
