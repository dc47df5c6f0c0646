//! What the Python package `lanecraft` asks of a module: the attribute `__lanecraft__` of the module and of its kernels.
//!
//! Each module has an object of its own class, so modules that were built with different versions of Lanecraft live in one process.
//! The package reads `protocol` first, and asks a module for no more than its protocol has:
//!
//! | protocol | attributes | methods |
//! |---|---|---|
//! | 1 | `protocol`, `lanecraft`, `module`, `version` | `isa()`, `memory()`, `release_memory()`, `trace()` |
//! | 2 | `cuda_graph`: None, or where CUDA texts are built in a class with `begin()`, `end()`, `cancel()`, `defer()`, `settle()` | `enter_debug()`, `exit_debug()`, `code()`, `cuda_text()`; where CUDA texts are built in `pack_ptx()` |

use super::block::BlockKernel;
use super::kernel::Kernel;
use super::vectorcall::Called;
use super::{code, debug, memory, trace, variants};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The protocol of this version.
const PROTOCOL: u32 = 2;

/// A module, for the package `lanecraft`.
#[pyclass(frozen, module = "lanecraft", name = "Module")]
pub(super) struct Registry {
    /// The name that users import.
    module: String,
    /// The name of the compiled module, where it is part of a package.
    inner: String,
    /// The version of the module.
    version: String,
}

impl Registry {
    /// Puts the object into `module`, which users find under the name `public`. It is not among the names that the module exports.
    pub(super) fn add<'py>(module: &Bound<'py, PyModule>, public: &str, version: &str) -> PyResult<Bound<'py, Self>> {
        let inner = module.name()?.to_string();
        let registry = Bound::new(module.py(), Self { module: public.to_owned(), inner, version: version.to_owned() })?;
        module.setattr("__lanecraft__", &registry)?;
        Ok(registry)
    }
}

impl Registry {
    /// The name of the compiled module.
    pub(super) fn inner(&self) -> &str {
        &self.inner
    }
}

#[pymethods]
impl Registry {
    /// What this object has: see the table in the source.
    #[getter]
    fn protocol(&self) -> u32 {
        PROTOCOL
    }

    /// The version of Lanecraft that the module was built with.
    #[getter]
    pub(super) fn lanecraft(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// The name that users import.
    #[getter]
    pub(super) fn module(&self) -> &str {
        &self.module
    }

    /// The module's own version.
    #[getter]
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// The class of CUDA graphs; None where the module is built without CUDA.
    #[getter]
    fn cuda_graph(&self, py: Python<'_>) -> Option<Py<pyo3::types::PyType>> {
        #[cfg(feature = "cuda")]
        return Some(py.get_type::<super::foreign::cuda::Captured>().unbind());
        #[cfg(not(feature = "cuda"))]
        {
            let _ = py;
            None
        }
    }

    /// The CPU level in use.
    fn isa(&self) -> PyResult<&'static str> {
        variants::isa()
    }

    /// The memory of large results, in bytes and in numbers of blocks.
    fn memory<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = memory::report();
        let dict = PyDict::new(py);
        for (name, value) in [
            ("in_use", report.in_use),
            ("kept", report.kept),
            ("limit", report.limit),
            ("blocks_new", report.new),
            ("blocks_reused", report.reused),
        ] {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// Gives the memory that is kept back to the system; how many bytes that were.
    fn release_memory(&self) -> usize {
        memory::release()
    }

    /// Calls a kernel of this module and reports what happened: a dict of `result`, `level`, `operands` (for each input and output its
    /// `__array_interface__`, dtype and whether it is aligned, None for what is no array), `elements`, `loop_count`, and `loops`
    /// (of the first 1000 `count`, `addresses`, `steps`, `dims`, `core_steps`, `dtypes`).
    #[pyo3(signature = (kernel, args, kwargs))]
    fn trace<'py>(
        &self,
        kernel: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let report = PyDict::new(kernel.py());
        report.set_item("level", variants::isa()?)?;
        match (kernel.cast::<Kernel>(), kernel.cast::<BlockKernel>()) {
            (Ok(kernel), _) => trace::run(&report, kernel.get().info.name, || kernel.get().call(args, Some(kwargs)))?,
            (_, Ok(kernel)) => trace::run(&report, kernel.get().info.name, || kernel.get().call(args, Some(kwargs)))?,
            _ => return Err(PyTypeError::new_err(format!("{} is no kernel of {}", kernel.repr()?, self.module))),
        }
        Ok(report)
    }

    /// A block of `with lanecraft.debug():` begins. `variable` is a context variable: where its value is not None, kernels run in debug mode, and
    /// look for NaN if it is True.
    #[pyo3(signature = (variable, /))]
    fn enter_debug(&self, variable: Bound<'_, PyAny>) {
        debug::enter(variable);
    }

    /// Such a block ends.
    fn exit_debug(&self) {
        debug::exit();
    }

    /// The source of a kernel of this module and where its code is: a dict of `source`, `gathered` (of a block kernel's elements, how many are
    /// read and written by an index per lane) and `entries`, the kernel's rows of `variants()` with `gang`, `file` and `address` in the file's image.
    #[pyo3(signature = (kernel, /))]
    fn code<'py>(&self, kernel: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        code::of(kernel)
    }

    /// The CUDA C++ text of a kernel of this module; None where it is built without Cargo feature `cuda`.
    #[pyo3(signature = (kernel, /))]
    fn cuda_text(&self, kernel: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        code::cuda(kernel)
    }

    /// Compiles the CUDA texts of this module's kernels for architectures (90 is `compute_90`) into a folder, whose place in a wheel is `ptx` beside the module:
    /// the version of NVRTC, and why kernels have no text.
    #[cfg(feature = "cuda")]
    #[pyo3(signature = (folder, architectures, /))]
    fn pack_ptx(&self, folder: std::path::PathBuf, architectures: Vec<u32>) -> PyResult<((u32, u32), Vec<String>)> {
        super::foreign::cuda::pack(&folder, &architectures)
    }

    fn __repr__(&self) -> String {
        format!("<Lanecraft module '{}' {}, built with Lanecraft {}>", self.module, self.version, self.lanecraft())
    }
}
