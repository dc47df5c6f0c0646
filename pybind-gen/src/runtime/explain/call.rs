//! The form of the call: count, keywords, and keywords with a fixed set of values.

use super::Call;
use crate::runtime::text::{KEYWORDS, one_of};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Keywords whose values are from a list.
const CHOICES: &[(&str, &[&str])] = &[("casting", &["no", "equiv", "safe", "same_kind", "unsafe"]), ("order", &["C", "F", "A", "K"])];

pub(super) fn check(call: &Call<'_, '_>) -> PyResult<Option<String>> {
    let (nin, nargs) = (call.nin(), call.nin() + call.info.outputs);
    let arguments = call.visible().join(", ");
    for name in call.kwargs.into_iter().flat_map(|kwargs| kwargs.keys()) {
        let name = name.cast::<PyString>()?.to_cow()?.into_owned();
        if call.visible().contains(&name) {
            let parameters: String = call.parameters.iter().map(|name| format!("{name}=..., ")).collect();
            let form = format!("{}({arguments}, {parameters}out=...)", call.info.name);
            return Ok(Some(format!("argument '{name}' came as a keyword; accepted by position only: {form}")));
        }
        if name != "out" && !KEYWORDS.iter().any(|(known, _)| *known == name) {
            let known: Vec<_> =
                call.parameters.iter().map(String::as_str).chain(["out"]).chain(KEYWORDS.iter().map(|(known, _)| *known)).collect();
            return Ok(Some(format!("keyword '{name}' came; accepted: {}", known.join(", "))));
        }
    }
    let came = call.args.len();
    if came < nin || came > nargs {
        let outputs = if nargs == nin + 1 { "the output".to_owned() } else { format!("up to {} outputs", nargs - nin) };
        let s = if nin == 1 { "" } else { "s" };
        return Ok(Some(format!("{came} arguments came; accepted: {nin} input{s} ({arguments}), and after them {outputs}")));
    }
    if came > nin && call.keyword("out")?.is_some() {
        return Ok(Some(format!("an output came twice, as argument {} and as 'out'; accepted: one of the two", nin + 1 - call.run_time)));
    }
    for (name, accepted) in CHOICES {
        if let Some(value) = call.keyword(name)?
            && !value.extract::<String>().is_ok_and(|value| accepted.contains(&value.as_str()))
        {
            let quoted: Vec<_> = accepted.iter().map(|choice| format!("'{choice}'")).collect();
            return Ok(Some(format!("argument '{name}' is {}; accepted: {}", value.repr()?, one_of(&quoted))));
        }
    }
    Ok(None)
}
