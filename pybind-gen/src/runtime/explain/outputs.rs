//! `out` and `where`: type, writability, dtype.

use super::Call;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The arrays to write to, with their names in messages.
pub(super) fn arrays<'py>(call: &Call<'_, 'py>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let mut outputs = Vec::new();
    for k in call.nin()..call.args.len() {
        outputs.push((format!("argument {} (output)", k + 1 - call.run_time), call.args.get_item(k)?));
    }
    if let Some(out) = call.keyword("out")? {
        match out.cast::<PyTuple>() {
            Ok(tuple) if tuple.len() == 1 => outputs.push(("argument 'out'".to_owned(), tuple.get_item(0)?)),
            Ok(tuple) => outputs.extend(tuple.iter().enumerate().map(|(k, array)| (format!("argument 'out[{k}]'"), array))),
            Err(_) => outputs.push(("argument 'out'".to_owned(), out)),
        }
    }
    outputs.retain(|(_, array)| !array.is_none());
    Ok(outputs)
}

pub(super) fn check(call: &Call<'_, '_>) -> PyResult<Option<String>> {
    let count = call.info.outputs;
    if let Some(out) = call.keyword("out")? {
        let tuple = out.cast::<PyTuple>().ok();
        if tuple.is_none() && count > 1 {
            return Ok(Some(format!("argument 'out' is {}; accepted: a tuple of {count} arrays or Nones", call.what(&out)?)));
        }
        if let Some(tuple) = tuple
            && tuple.len() != count
        {
            let s = if count == 1 { "" } else { "s" };
            return Ok(Some(format!("argument 'out' is a tuple of {}; accepted: a tuple of {count} array{s}", tuple.len())));
        }
    }
    for (name, array) in arrays(call)? {
        if !call.is_array(&array)? {
            if call.is_foreign(&array)? {
                return Ok(None);
            }
            return Ok(Some(format!("{name} is {}; accepted: a NumPy array or None", call.what(&array)?)));
        }
        if let Some(text) = read_only(&name, &array)? {
            return Ok(Some(text));
        }
    }
    if let Some(text) = dtypes(call)? {
        return Ok(Some(text));
    }
    let Some(mask) = call.keyword("where")? else { return Ok(None) };
    if call.as_array(&mask)?.getattr("dtype")?.getattr("kind")?.extract::<String>()? != "b" {
        return Ok(Some(format!("argument 'where' is {}; accepted: a bool array or a bool", call.what(&mask)?)));
    }
    Ok(None)
}

/// An array that cannot be written.
pub(in crate::runtime) fn read_only(name: &str, array: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let is_writable: bool = array.getattr("flags")?.getattr("writeable")?.extract()?;
    Ok((!is_writable).then(|| format!("{name} is read-only; accepted: a writable array")))
}

/// Whether each output holds the result under `casting`.
fn dtypes(call: &Call<'_, '_>) -> PyResult<Option<String>> {
    let casting = call.casting()?;
    let Some(dtypes) = call.resolved_dtypes()? else { return Ok(None) };
    for (k, (name, array)) in arrays(call)?.into_iter().enumerate() {
        let (from, to) = (dtypes.get_item(call.nin() + k)?, array.getattr("dtype")?);
        if !call.numpy.call_method1("can_cast", (&from, &to, &casting))?.extract::<bool>()? {
            let to = call.dtype_text(&to)?;
            return Ok(Some(format!(
                "{name} is an array of dtype {to}, the result is {from}; accepted: what {from} casts to under casting='{casting}'"
            )));
        }
    }
    Ok(None)
}
