//! The dtypes of the inputs, and `dtype=`.

use super::Call;
use super::what::is_python_number;
use crate::runtime::text::{one_of, variant_types};
use lanecraft_backends::Variant;
use lanecraft_core::DtypeId;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat};

pub(super) fn check(call: &Call<'_, '_>) -> PyResult<Option<String>> {
    let mut candidates: Vec<&Variant> = call.info.variants.iter().collect();
    // Inputs are cast safely, unless the caller chose the variant: then as `casting` says.
    let mut casting = "safe".to_owned();
    if let Some(dtype) = call.keyword("dtype")? {
        let name = match call.numpy.call_method1("dtype", (&dtype,)) {
            Ok(dtype) => dtype.str()?.to_string(),
            Err(_) => dtype.str()?.to_string(),
        };
        candidates.retain(|v| v.outputs.iter().all(|d| d.numpy_name() == name));
        if candidates.is_empty() {
            let accepted = distinct(call.info.variants.iter().filter_map(|v| v.outputs.first()));
            return Ok(Some(format!("argument 'dtype' is {name}; accepted: {}", one_of(&accepted))));
        }
        casting = call.keyword("casting")?.map_or(Ok("same_kind".to_owned()), |c| c.extract())?;
    } else if call.keyword("signature")?.is_some() {
        return Ok(None);
    }
    for (k, name) in call.arguments.iter().enumerate() {
        let value = call.args.get_item(k)?;
        let mut fits = false;
        for variant in &candidates {
            fits |= takes(call, variant.inputs[k], &value, &casting)?;
        }
        if !fits {
            let accepted = distinct(candidates.iter().map(|v| &v.inputs[k]));
            return Ok(Some(format!("argument '{name}' is {}; accepted: {}", call.what(&value)?, accepted_text(&accepted))));
        }
    }
    combination(call, &candidates, &casting)
}

/// Each input fits a variant; is there one that all of them fit?
fn combination(call: &Call<'_, '_>, candidates: &[&Variant], casting: &str) -> PyResult<Option<String>> {
    for variant in candidates {
        let mut all = true;
        for (k, dtype) in variant.inputs.iter().enumerate() {
            all &= takes(call, *dtype, &call.args.get_item(k)?, casting)?;
        }
        if all {
            return Ok(None);
        }
    }
    let mut came = Vec::new();
    for (k, name) in call.arguments.iter().enumerate() {
        came.push(format!("'{name}' is {}", call.what(&call.args.get_item(k)?)?));
    }
    let accepted: Vec<_> = candidates.iter().map(|v| variant_types(v)).collect();
    Ok(Some(format!("no variant takes these arguments together: {}; accepted: {}", came.join(", "), accepted.join("; "))))
}

/// A Python integer that no accepted dtype holds.
pub(super) fn check_range(call: &Call<'_, '_>) -> PyResult<Option<String>> {
    for (k, name) in call.arguments.iter().enumerate() {
        let value = call.args.get_item(k)?;
        if value.is_exact_instance_of::<pyo3::types::PyInt>() {
            let accepted = distinct(call.info.variants.iter().map(|v| &v.inputs[k]));
            let mut others = Vec::new();
            for (other, other_name) in call.arguments.iter().enumerate() {
                let other = call.args.get_item(other)?;
                if !is_python_number(&other) {
                    others.push(format!("'{other_name}' is {}", call.what(&other)?));
                }
            }
            let beside = if others.is_empty() { String::new() } else { format!(" where {}", others.join(", ")) };
            let dtypes = accepted.join(", ");
            return Ok(Some(format!(
                "argument '{name}' is {}, which does not fit{beside}; accepted: values of the dtype in use (of {dtypes})",
                value.repr()?
            )));
        }
    }
    Ok(None)
}

/// Whether NumPy would cast the value to the dtype.
fn takes<'py>(call: &Call<'_, 'py>, dtype: DtypeId, value: &Bound<'py, PyAny>, casting: &str) -> PyResult<bool> {
    if is_python_number(value) {
        // Only the kind of a Python number counts.
        let is_float = matches!(dtype, DtypeId::F32 | DtypeId::F64);
        return Ok(match () {
            () if value.is_instance_of::<PyBool>() => true,
            () if value.is_instance_of::<PyFloat>() => is_float || casting == "unsafe",
            () => dtype != DtypeId::Bool || casting == "unsafe",
        });
    }
    let from = match value.getattr_opt("dtype")? {
        Some(dtype) => dtype,
        None => call.as_array(value)?.getattr("dtype")?,
    };
    call.numpy.call_method1("can_cast", (from, dtype.numpy_name(), casting))?.extract()
}

/// Names without repetition, in order.
fn distinct<'a>(dtypes: impl Iterator<Item = &'a DtypeId>) -> Vec<&'static str> {
    let mut dtypes: Vec<_> = dtypes.copied().collect();
    dtypes.sort();
    dtypes.dedup();
    dtypes.into_iter().map(DtypeId::numpy_name).collect()
}

fn accepted_text(accepted: &[&str]) -> String {
    let one = if accepted.len() == 1 { "it" } else { "one of them" };
    format!("{}, and what casts safely to {one}", one_of(accepted))
}
