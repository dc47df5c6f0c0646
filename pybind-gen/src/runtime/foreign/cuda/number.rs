//! Python numbers as values of a dtype.

use super::Callee;
use lanecraft_core::DtypeId;
use lanecraft_core::half::{bf16, f16};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt};

/// Whether a value is a number that a dtype may take, by its kind.
pub(super) fn fits(value: &Bound<'_, PyAny>, dtype: DtypeId) -> bool {
    if value.is_exact_instance_of::<PyBool>() {
        return true;
    }
    if value.is_exact_instance_of::<PyInt>() {
        return dtype != DtypeId::Bool;
    }
    value.is_exact_instance_of::<PyFloat>() && dtype.is_float()
}

/// A number's bytes as a value of a dtype.
///
/// # Errors
/// It is no number, or the dtype does not hold it.
pub(super) fn bytes(callee: Callee, k: usize, value: &Bound<'_, PyAny>, dtype: DtypeId) -> PyResult<[u8; 8]> {
    if !fits(value, dtype) {
        let class = value.get_type().name()?.to_string();
        let text = format!(
            "{}(): {} is a {class}; accepted: an array on the device of the others, or a Python number",
            callee.name,
            callee.position(k)
        );
        return Err(PyTypeError::new_err(text));
    }
    let mut bytes = [0; 8];
    let mut set = |own: &[u8]| bytes[..own.len()].copy_from_slice(own);
    if dtype.is_float() {
        let x: f64 = value.extract()?;
        match dtype {
            DtypeId::F16 => set(&f16::from_f64(x).to_le_bytes()),
            DtypeId::Bf16 => set(&bf16::from_f64(x).to_le_bytes()),
            DtypeId::F32 => set(&(x as f32).to_le_bytes()),
            _ => set(&x.to_le_bytes()),
        }
        return Ok(bytes);
    }
    let bits = 8 * dtype.size() as u32;
    let range = match dtype {
        DtypeId::Bool => 0..=1,
        dtype if dtype.name().starts_with('u') => 0..=(1_i128 << bits) - 1,
        _ => -(1_i128 << (bits - 1))..=(1_i128 << (bits - 1)) - 1,
    };
    match value.extract::<i128>().ok().filter(|x| range.contains(x)) {
        Some(x) => {
            set(&(x as u64).to_le_bytes()[..dtype.size()]);
            Ok(bytes)
        }
        None => Err(PyValueError::new_err(format!(
            "{}(): {} is {}; accepted for {dtype}: {} to {}",
            callee.name,
            callee.position(k),
            value.repr()?,
            range.start(),
            range.end()
        ))),
    }
}
