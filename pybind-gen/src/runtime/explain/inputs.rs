//! The dtypes of the inputs, and `dtype=`.

use super::Call;
use super::what::is_python_number;
use crate::runtime::descr;
use crate::runtime::text::{one_of, variant_types};
use lanecraft_backends::Variant;
use lanecraft_core::DtypeId;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyTuple};

/// What the inputs have to fit.
struct Wanted<'a, 'py> {
    call: &'a Call<'a, 'py>,
    variants: Vec<&'static Variant>,
    /// Inputs are cast safely, unless the caller chose the variant: then as `casting` says.
    casting: String,
    /// Whether all inputs are Python numbers. They are then of NumPy's default dtypes; beside arrays they take the arrays'.
    alone: bool,
}

pub(super) fn check(call: &Call<'_, '_>) -> PyResult<Option<String>> {
    // A variant on a dtype that NumPy lacks here is not there.
    let mut variants: Vec<&Variant> = call.info.variants.iter().filter(|v| descr::of_all(call.py(), v).is_some()).collect();
    let outputs: Vec<DtypeId> = variants.iter().filter_map(|v| v.outputs.first()).copied().collect();
    let mut casting = "safe".to_owned();
    if let Some(dtype) = call.keyword("dtype")? {
        let name = call.numpy.call_method1("dtype", (&dtype,)).unwrap_or(dtype).str()?.to_string();
        variants.retain(|v| v.outputs.iter().all(|d| d.numpy_name() == name));
        if variants.is_empty() {
            let accepted = distinct(outputs.iter());
            return Ok(Some(format!("argument 'dtype' is {name}; accepted: {}", one_of(&accepted))));
        }
        casting = call.casting()?;
    } else if call.keyword("signature")?.is_some() {
        return Ok(None);
    }
    let alone = call.args.iter().take(call.nin()).all(|value| is_python_number(&value));
    let wanted = Wanted { call, variants, casting, alone };
    match wanted.each()? {
        Some(text) => Ok(Some(text)),
        None => wanted.together(),
    }
}

/// A list or a tuple that NumPy makes no array of: its items are of several lengths.
pub(in crate::runtime) fn check_sequences<'a>(
    names: impl IntoIterator<Item = &'a str>,
    args: &Bound<'_, PyTuple>,
) -> PyResult<Option<String>> {
    let py = args.py();
    for (name, value) in names.into_iter().zip(args) {
        if (value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>())
            && let Err(error) = py.import("numpy")?.call_method1("asanyarray", (&value,))
            && error.is_instance_of::<PyValueError>(py)
        {
            let class = value.get_type().name()?;
            let why = error.value(py).str()?;
            return Ok(Some(format!(
                "argument '{name}' is a {class} that is no array; accepted: numbers, or lists of one length of them ({why})"
            )));
        }
    }
    Ok(None)
}

impl Wanted<'_, '_> {
    /// Does each input fit some variant?
    fn each(&self) -> PyResult<Option<String>> {
        for (k, name) in self.call.arguments.iter().enumerate() {
            let mut fits = false;
            for variant in &self.variants {
                fits |= self.takes(k, variant.inputs[k])?;
            }
            if !fits {
                let accepted = distinct(self.variants.iter().map(|v| &v.inputs[k]));
                return Ok(Some(format!("argument '{name}' is {}; accepted: {}", self.came(k)?, self.accepted(&accepted))));
            }
        }
        Ok(None)
    }

    /// Is there a variant that all of them fit?
    fn together(&self) -> PyResult<Option<String>> {
        for variant in &self.variants {
            let mut all = true;
            for (k, dtype) in variant.inputs.iter().enumerate() {
                all &= self.takes(k, *dtype)?;
            }
            if all {
                return Ok(None);
            }
        }
        let mut came = Vec::new();
        for (k, name) in self.call.visible().iter().enumerate() {
            came.push(format!("'{name}' is {}", self.came(k)?));
        }
        let accepted: Vec<_> = self.variants.iter().map(|v| variant_types(v, self.call.visible().len())).collect();
        Ok(Some(format!("no variant takes these arguments together: {}; accepted: {}", came.join(", "), accepted.join("; "))))
    }

    /// Whether NumPy would cast input `k` to the dtype.
    fn takes(&self, k: usize, dtype: DtypeId) -> PyResult<bool> {
        let value = self.call.args.get_item(k)?;
        if is_python_number(&value) && !self.alone {
            // Only the kind of a Python number counts.
            let is_float = dtype.is_float();
            return Ok(match () {
                () if self.casting == "unsafe" || value.is_instance_of::<PyBool>() => true,
                () if value.is_instance_of::<PyFloat>() => is_float,
                () => dtype != DtypeId::Bool,
            });
        }
        let from = match value.getattr_opt("dtype")? {
            Some(dtype) => dtype,
            None => self.call.as_array(&value)?.getattr("dtype")?,
        };
        let Some(to) = descr::of(self.call.py(), dtype) else { return Ok(false) };
        self.call.numpy.call_method1("can_cast", (from, to, &self.casting))?.extract()
    }

    fn came(&self, k: usize) -> PyResult<String> {
        let value = self.call.args.get_item(k)?;
        let what = self.call.what(&value)?;
        if !self.alone {
            return Ok(what);
        }
        let dtype = self.call.as_array(&value)?.getattr("dtype")?;
        Ok(format!("{what} ({dtype}, as no argument is an array)"))
    }

    fn accepted(&self, dtypes: &[&str]) -> String {
        let one = if dtypes.len() == 1 { "it" } else { "one of them" };
        let how = if self.casting == "safe" { "safely".to_owned() } else { format!("under casting='{}'", self.casting) };
        format!("{}, and what casts to {one} {how}", one_of(dtypes))
    }
}

/// A Python integer that the dtype in use does not hold.
pub(super) fn check_range(call: &Call<'_, '_>) -> PyResult<Option<String>> {
    let Some(dtypes) = call.resolved_dtypes()? else { return Ok(None) };
    for (k, name) in call.arguments.iter().enumerate() {
        let (value, dtype) = (call.args.get_item(k)?, dtypes.get_item(k)?);
        if !value.is_exact_instance_of::<PyInt>() || !matches!(dtype.getattr("kind")?.extract::<&str>()?, "i" | "u") {
            continue;
        }
        let limits = call.numpy.call_method1("iinfo", (&dtype,))?;
        let (min, max) = (limits.getattr("min")?, limits.getattr("max")?);
        if value.lt(&min)? || value.gt(&max)? {
            return Ok(Some(format!("argument '{name}' is {value}, which {dtype} does not hold; accepted: {min} to {max}")));
        }
    }
    Ok(None)
}

/// Names without repetition, in order.
fn distinct<'a>(dtypes: impl Iterator<Item = &'a DtypeId>) -> Vec<&'static str> {
    let mut dtypes: Vec<_> = dtypes.copied().collect();
    dtypes.sort();
    dtypes.dedup();
    dtypes.into_iter().map(DtypeId::numpy_name).collect()
}
