//! `variants()` and `isa()` of the module.

use super::block::BlockKernel;
use super::kernel::Kernel;
use super::{choice, descr};
use lanecraft_backends::{BlockInfo, KernelInfo, Level, Parameter};
use lanecraft_core::DtypeId;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

/// Adds both functions.
pub(super) fn add_functions(module: &Bound<'_, PyModule>, public: &str) -> PyResult<()> {
    for function in [wrap_pyfunction!(isa, module)?, wrap_pyfunction!(variants, module)?] {
        function.setattr("__module__", public)?;
        module.add_function(function)?;
    }
    Ok(())
}

/// The CPU level in use: 'portable', 'sse2', 'sse2-exact', 'avx2', 'avx512' or 'neon'.
///
/// The best one of this machine, unless the environment variable LANECRAFT_ISA names another.
/// Raises RuntimeError when it names one that does not exist or that this machine lacks.
#[pyfunction]
pub(super) fn isa() -> PyResult<&'static str> {
    Level::active().map(Level::name).map_err(|e| PyRuntimeError::new_err(e.to_string()))
}

/// Every kernel of this module and its submodules (as 'math.sin'), on every choice of dtypes, on every CPU level that this machine has.
///
/// A list of dicts with the keys 'kernel', 'inputs', 'outputs' (NumPy's dtype names), 'parameters' (a dict of values, None for any
/// other than those that there are variants for) and 'level'.
#[pyfunction]
#[pyo3(pass_module)]
fn variants<'py>(module: &Bound<'py, PyModule>) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(module.py());
    add_module(&list, module, "")?;
    Ok(list)
}

/// Adds the rows of a module's kernels, and of its submodules' under their names (`math.sin`).
fn add_module(list: &Bound<'_, PyList>, module: &Bound<'_, PyModule>, prefix: &str) -> PyResult<()> {
    for name in module.index()? {
        let name = name.cast::<PyString>()?;
        let value = module.getattr(name)?;
        if let Ok(kernel) = value.cast::<Kernel>() {
            add_rows(list, kernel.get().info, prefix)?;
        } else if let Ok(kernel) = value.cast::<BlockKernel>() {
            add_block_rows(list, kernel.get().info, prefix)?;
        } else if let Ok(part) = value.cast::<PyModule>() {
            add_module(list, part, &format!("{prefix}{name}."))?;
        }
    }
    Ok(())
}

/// Adds a row per variant and level of this machine. `prefix` is the submodule with its dot, seen from the module.
pub(super) fn add_rows(list: &Bound<'_, PyList>, info: &KernelInfo, prefix: &str) -> PyResult<()> {
    let py = list.py();
    for variant in info.variants {
        for level in variant.levels() {
            let row = PyDict::new(py);
            row.set_item("kernel", format!("{prefix}{}", info.name))?;
            row.set_item("inputs", names(py, &variant.inputs[..info.arguments.len()])?)?;
            row.set_item("outputs", names(py, variant.outputs)?)?;
            row.set_item("parameters", parameters(py, info.parameters, variant.choice)?)?;
            row.set_item("level", level.name())?;
            list.append(row)?;
        }
    }
    Ok(())
}

/// Adds a row per variant of a block kernel and level of this machine.
pub(super) fn add_block_rows(list: &Bound<'_, PyList>, info: &BlockInfo, prefix: &str) -> PyResult<()> {
    let py = list.py();
    for variant in info.variants {
        for level in variant.levels() {
            let row = PyDict::new(py);
            row.set_item("kernel", format!("{prefix}{}", info.name))?;
            row.set_item("inputs", names(py, variant.inputs())?)?;
            row.set_item("outputs", names(py, variant.outputs())?)?;
            row.set_item("parameters", parameters(py, info.parameters, variant.choice)?)?;
            row.set_item("level", level.name())?;
            list.append(row)?;
        }
    }
    Ok(())
}

/// The values that a variant is built for.
fn parameters<'py>(py: Python<'py>, parameters: &[Parameter], choice: &[Option<usize>]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (parameter, at) in parameters.iter().zip(choice) {
        let value = at.and_then(|at| parameter.values.get(at)).map(|value| choice::python(py, value)).transpose()?;
        dict.set_item(crate::names::parameter(parameter.name), value)?;
    }
    Ok(dict)
}

/// The dtypes of variants as NumPy's, but of those that NumPy lacks here.
pub(super) fn dtypes<'py, 'a>(
    py: Python<'py>,
    variants: impl Iterator<Item = (&'a [DtypeId], &'a [DtypeId])>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    let all = |dtypes: &[DtypeId]| dtypes.iter().map(|dtype| descr::of(py, *dtype)).collect::<Option<Vec<_>>>();
    for (inputs, outputs) in variants {
        if let (Some(inputs), Some(outputs)) = (all(inputs), all(outputs)) {
            list.append((PyTuple::new(py, inputs)?, PyTuple::new(py, outputs)?))?;
        }
    }
    Ok(list)
}

fn names<'py>(py: Python<'py>, dtypes: &[DtypeId]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, dtypes.iter().map(|d| d.numpy_name()))
}
