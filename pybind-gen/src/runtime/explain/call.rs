//! The form of the call: count, keywords, and `signature=`.

use super::{Call, keywords};
use crate::runtime::text::{KEYWORDS, one_of};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

pub(super) fn check(call: &Call<'_, '_>) -> PyResult<Option<String>> {
    let (nin, nargs) = (call.nin(), call.nin() + call.info.outputs);
    let arguments = call.visible().join(", ");
    for name in call.kwargs.into_iter().flat_map(|kwargs| kwargs.keys()) {
        let name = name.cast::<PyString>()?.to_string_lossy().into_owned();
        if call.visible().contains(&name) {
            let parameters: String = call.parameters.iter().map(|name| format!("{name}=..., ")).collect();
            let form = format!("{}({arguments}, {parameters}out=...)", call.info.name);
            return Ok(Some(format!("argument '{name}' came as a keyword; accepted by position only: {form}")));
        }
    }
    if let Some(kwargs) = call.kwargs {
        let known = call.parameters.iter().map(String::as_str).chain(["out"]).chain(KEYWORDS.iter().map(|(known, _)| *known));
        if let Some(text) = keywords::unknown(kwargs, known)? {
            return Ok(Some(text));
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
    call.kwargs.map_or(Ok(None), keywords::value)
}

/// A `signature` that the ufunc has no loop for.
pub(super) fn check_signature(call: &Call<'_, '_>) -> PyResult<Option<String>> {
    let Some(signature) = call.keyword("signature")? else { return Ok(None) };
    let operands = PyTuple::new(call.py(), (0..call.nin() + call.info.outputs).map(|_| call.py().None()))?;
    let kwargs = PyDict::new(call.py());
    kwargs.set_item("signature", &signature)?;
    if call.ufunc.call_method("resolve_dtypes", (operands,), Some(&kwargs)).is_ok() {
        return Ok(None);
    }
    let types: Vec<String> = call.ufunc.getattr("types")?.extract()?;
    let quoted: Vec<_> = types.iter().map(|types| format!("'{types}'")).collect();
    let came = signature.repr()?;
    Ok(Some(format!("argument 'signature' is {}; accepted: {}, or the dtypes as a tuple", came.to_string_lossy(), one_of(&quoted))))
}
