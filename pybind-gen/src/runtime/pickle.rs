//! Kernels in pickles: by name, with the versions that they came from.
//!
//! A pickle travels, to a worker of dask for one, where another version of the module may be installed. There a kernel of other dtypes would be called
//! as if nothing were, and a loader that raises leaves a dask client waiting for ever. So what does not fit comes out of the
//! pickle as a [`StandIn`], which raises when it is called and says what is wrong.

use super::block::BlockKernel;
use super::kernel::Kernel;
use super::registry::Registry;
use lanecraft_backends::{BlockInfo, KernelInfo};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::fmt::Write;

/// The attribute of a module that pickles name.
const RESTORE: &str = "__lanecraft_restore__";

/// What a pickle says of a kernel.
struct Pickled {
    /// The name in the module: `gelu`, or `math.sin`.
    path: String,
    /// The version of the module.
    version: String,
    /// The version of Lanecraft.
    lanecraft: String,
    /// What [`of_kernel`] or [`of_block`] gave.
    identity: String,
}

impl Pickled {
    fn args(&self) -> (String, String, String, String) {
        (self.path.clone(), self.version.clone(), self.lanecraft.clone(), self.identity.clone())
    }
}

/// A kernel's interface in 16 digits: name, arguments, parameters and their values, dtypes.
pub(super) fn of_kernel(info: &KernelInfo) -> String {
    let mut text = format!("{} {:?} {}", info.name, info.arguments, info.outputs);
    for parameter in info.parameters {
        let _ = write!(text, " {} {:?} {:?}", parameter.name, parameter.values, parameter.run_time);
    }
    for variant in info.variants {
        let _ = write!(text, " {:?} {:?} {:?}", variant.inputs, variant.outputs, variant.choice);
    }
    digits(&text)
}

/// The same of a block kernel, with its signature.
pub(super) fn of_block(info: &BlockInfo) -> String {
    let mut text = format!("{} {:?} {:?} {}", info.name, info.arguments, info.outputs, info.signature.text);
    for parameter in info.parameters {
        let _ = write!(text, " {} {:?} {:?}", parameter.name, parameter.values, parameter.run_time);
    }
    for variant in info.variants {
        let _ = write!(text, " {:?} {:?} {:?}", variant.inputs(), variant.outputs(), variant.choice);
    }
    digits(&text)
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo): the same in every process and on every machine.
fn digits(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

/// Adds the function that pickles name. It is not among the names that the module exports.
pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let function = wrap_pyfunction!(restore, module)?;
    module.setattr(RESTORE, function)
}

/// What `__reduce__` gives for a kernel that stands in `module` (`fastops.math`).
pub(super) fn reduce<'py>(registry: &Bound<'py, Registry>, module: &str, name: &str, identity: String) -> PyResult<Bound<'py, PyTuple>> {
    let py = registry.py();
    let registry = registry.get();
    let path = match module.strip_prefix(registry.module()).and_then(|rest| rest.strip_prefix('.')) {
        Some(part) => format!("{part}.{name}"),
        None => name.to_owned(),
    };
    let pickled = Pickled { path, version: registry.version().to_owned(), lanecraft: registry.lanecraft().to_owned(), identity };
    (function(py, registry)?, pickled.args()).into_pyobject(py)
}

/// The function [`restore`] of a module.
fn function<'py>(py: Python<'py>, registry: &Registry) -> PyResult<Bound<'py, PyAny>> {
    py.import(registry.inner())?.getattr(RESTORE)
}

/// The kernel of a pickle, or a stand-in that says why it is not there.
#[pyfunction(name = "__lanecraft_restore__")]
#[pyo3(pass_module)]
fn restore<'py>(
    module: &Bound<'py, PyModule>,
    path: String,
    version: String,
    lanecraft: String,
    identity: String,
) -> PyResult<Bound<'py, PyAny>> {
    let py = module.py();
    let registry = module.getattr("__lanecraft__")?.cast_into::<Registry>()?;
    let here = registry.get();
    let pickled = Pickled { path, version, lanecraft, identity };
    let found = pickled.path.split('.').try_fold(module.clone().into_any(), |found, name| found.getattr(name)).ok();
    let found = found.and_then(|found| {
        let identity = match (found.cast::<Kernel>(), found.cast::<BlockKernel>()) {
            (Ok(kernel), _) => of_kernel(kernel.get().info),
            (_, Ok(kernel)) => of_block(kernel.get().info),
            _ => return None,
        };
        Some((found, identity))
    });
    let why = match found {
        None => "has no such kernel",
        Some((found, identity)) => match () {
            () if pickled.identity != identity => "has a kernel of that name with other arguments or dtypes",
            () if (pickled.version.as_str(), pickled.lanecraft.as_str()) != (here.version(), here.lanecraft()) => {
                "may compute other values"
            }
            () => return Ok(found),
        },
    };
    let text = format!(
        "{module}.{} was pickled with {module} {} (Lanecraft {}); this process has {module} {} (Lanecraft {}), which {why}; install one \
         version in both",
        pickled.path,
        pickled.version,
        pickled.lanecraft,
        here.version(),
        here.lanecraft(),
        module = here.module(),
    );
    Ok(Bound::new(py, StandIn { pickled, text, registry: registry.unbind() })?.into_any())
}

/// What a pickle gives for a kernel that is not there, or is not the same.
#[pyclass(frozen, weakref, module = "lanecraft")]
struct StandIn {
    pickled: Pickled,
    text: String,
    registry: Py<Registry>,
}

#[pymethods]
impl StandIn {
    #[pyo3(signature = (*_args, **_kwargs))]
    fn __call__(&self, _args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        Err(PyRuntimeError::new_err(self.text.clone()))
    }

    #[getter]
    fn __name__(&self) -> &str {
        self.pickled.path.rsplit('.').next().unwrap_or_default()
    }

    /// As it came: where the kernel is there, it comes out again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (function(py, self.registry.get())?, self.pickled.args()).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        format!("<stand-in: {}>", self.text)
    }
}
