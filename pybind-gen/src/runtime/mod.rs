//! From exported kernels to a Python module.
//!
//! `#[python_export]` submits an [`Export`] per kernel; the module's initialisation calls [`register`], which makes
//! - one real NumPy ufunc per kernel, and per choice of parameter values where it has parameters (`ufunc`, `choice`): broadcasting, `out=`, `where=`, `dtype=`, casting, overlap, `__array_ufunc__`
//!   and the release of the GIL are NumPy's own;
//! - one real gufunc per block kernel (`gufunc`), with a `BlockKernel` object (`block`) in front of it;
//! - one `Kernel` object in front of it: the same call, with errors that name function and argument (`explain`), and with the
//!   parameters as keywords (`parameter`).
//!
//!
//! Calls of NumPy arrays go the short way to the ufunc (`vectorcall`); arrays of other libraries become NumPy's and back (`foreign`); large results
//! lie in memory that is reused (`memory`). Kernels travel in pickles (`pickle`), and the Python package `lanecraft` reaches modules by
//! an object of theirs (`registry`, `trace`, `debug`).
//!
//! # Invariants
//! - No panic crosses into C: the loop catches it and sets a Python exception.
//! - Nothing of NumPy is called and no lock is held while the loop runs, so the GIL is free for other threads.
//! - Kernels leave the floating-point status flags as they found them: no `RuntimeWarning` comes from the padding of a tail or
//!   from the inside of a polynomial.

mod arrays;
mod block;
mod c_api;
mod choice;
mod code;
mod debug;
mod descr;
mod explain;
mod fault;
mod foreign;
mod fp_status;
mod fresh;
pub mod function;
mod gufunc;
mod kernel;
mod memory;
mod parameter;
mod pick;
mod pickle;
mod promote;
mod registry;
pub mod structure;
mod text;
mod threads;
mod trace;
mod ufunc;
mod variants;
mod vectorcall;

use crate::docs;
use block::BlockKernel;
#[cfg(feature = "cuda")]
pub use foreign::cuda::CudaExport;
use function::FunctionInfo;
pub use inventory;
use kernel::Kernel;
use registry::Registry;
use structure::StructInfo;

use lanecraft_backends::{BlockInfo, KernelInfo};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// What `#[python_export]` names.
#[derive(Clone, Copy)]
pub struct Export {
    /// What it is.
    pub info: ExportInfo,
    /// Its name in Python.
    pub name: &'static str,
    /// `module_path!()` of it: its first segment is the crate.
    pub path: &'static str,
    /// The submodule it goes into; empty for the module itself.
    pub submodule: &'static str,
}

/// A kernel of either form, a function, or a struct.
#[derive(Clone, Copy)]
pub enum ExportInfo {
    /// A map kernel.
    Map(&'static KernelInfo),
    /// A block kernel.
    Block(&'static BlockInfo),
    /// An ordinary function.
    Function(&'static FunctionInfo),
    /// A struct.
    Struct(&'static StructInfo),
}

inventory::collect!(Export);

impl Export {
    /// It with its kernel's information under the name that it has in Python, so that all that goes by the name follows.
    fn named(self) -> Self {
        // A module is never freed, and neither is what its kernels point to.
        let info = match self.info {
            ExportInfo::Map(info) if info.name != self.name => {
                ExportInfo::Map(Box::leak(Box::new(KernelInfo { name: self.name, ..*info })))
            }
            ExportInfo::Block(info) if info.name != self.name => {
                ExportInfo::Block(Box::leak(Box::new(BlockInfo { name: self.name, ..*info })))
            }
            info => info,
        };
        #[cfg(feature = "cuda")]
        if let ExportInfo::Map(KernelInfo { name, .. }) | ExportInfo::Block(BlockInfo { name, .. }) = self.info
            && *name != self.name
        {
            foreign::cuda::note_name(name, self.name);
        }
        Self { info, ..self }
    }

    /// Why Python cannot take its name, or one of its parts', if it cannot.
    fn refusal(&self) -> Option<String> {
        let (what, part, parts) = match self.info {
            ExportInfo::Map(_) | ExportInfo::Block(_) => ("kernel", "", &[][..]),
            ExportInfo::Function(info) => ("function", "argument", info.arguments),
            ExportInfo::Struct(info) => ("struct", "field", info.fields),
        };
        let of_part = || parts.iter().find_map(|name| crate::names::part_refusal(self.name, part, name));
        crate::names::refusal(what, self.name).or_else(of_part)
    }

    /// The crate that it is defined in.
    fn crate_name(&self) -> &'static str {
        self.path.split("::").next().unwrap_or(self.path)
    }
}

/// The exports of the crate, by name.
///
/// # Errors
/// `ImportError` if two exports have one name, or one has a name that Python cannot take.
fn exports_of(crate_name: &str) -> PyResult<Vec<Export>> {
    // `inventory` gathers what is linked, so exports of the crate's dependencies come too: they are theirs to publish. Its
    // order is the linker's, hence the sort.
    let own = inventory::iter::<Export>().filter(|e| e.crate_name() == crate_name);
    let mut exports: Vec<Export> = own.map(|e| e.named()).collect();
    exports.sort_by_key(|e| (e.submodule, e.name));
    // The build script says the same, where there is one.
    let taken = |name: &str| exports.iter().any(|e| e.submodule.is_empty() && e.name == name);
    let refused = exports.iter().find_map(|e| e.refusal().or_else(|| crate::names::submodule_refusal(e.submodule, taken(e.submodule))));
    if let Some(message) = refused {
        return Err(PyImportError::new_err(message));
    }
    for pair in exports.windows(2) {
        if let [a, b] = pair
            && (a.submodule, a.name) == (b.submodule, b.name)
        {
            let message = format!("two exports are named '{}': one in {}, one in {}; rename one", a.name, a.path, b.path);
            return Err(PyImportError::new_err(message));
        }
    }
    Ok(exports)
}

/// Fills the Python module with the crate's exported kernels, `variants()`, `isa()` and `__version__`.
///
/// # Errors
/// Python's, when NumPy is missing, and `ImportError` for a kernel's name that is taken.
pub fn register(module: &Bound<'_, PyModule>, crate_name: &str, version: &str, docs: Option<&str>) -> PyResult<()> {
    let py = module.py();
    let public = public_name(module.name()?.to_cow()?.as_ref());
    refuse_subinterpreters(&public)?;
    debug::print_to_python();
    let registry = Registry::add(module, &public, version)?;
    #[cfg(feature = "cuda")]
    foreign::cuda::prepare(module, crate_name)?;
    let docs = docs::of_line(docs.unwrap_or_default());
    let exports = exports_of(crate_name)?;
    for exports in exports.chunk_by(|a, b| a.submodule == b.submodule) {
        let submodule = exports.first().map_or("", |export| export.submodule);
        if submodule.is_empty() {
            add_kernels(module, exports, &public, &registry)?;
        } else {
            let name = format!("{public}.{submodule}");
            let part = PyModule::new(py, &name)?;
            if let Some(docs) = docs.get(submodule) {
                part.setattr("__doc__", docs)?;
            }
            add_kernels(&part, exports, &name, &registry)?;
            module.add(submodule, &part)?;
            // For `import fastops.math` and for pickle: there is no file of that name.
            py.import("sys")?.getattr("modules")?.set_item(&name, &part)?;
        }
    }
    variants::add_functions(module, &public)?;
    pickle::add(module)?;
    module.add("__version__", version)
}

/// NumPy does not support sub-interpreters: it loads in one, with a warning, and what holds its objects may crash later.
fn refuse_subinterpreters(module: &str) -> PyResult<()> {
    // SAFETY: the interpreter of this thread, which runs this.
    let id = unsafe { pyo3::ffi::PyInterpreterState_GetID(pyo3::ffi::PyInterpreterState_Get()) };
    if id == 0 {
        return Ok(());
    }
    let text = format!("{module} cannot be imported in a sub-interpreter, because NumPy does not support them; use the main interpreter");
    Err(PyImportError::new_err(text))
}

/// Adds kernels to a module that users find under the name `public`.
fn add_kernels(module: &Bound<'_, PyModule>, exports: &[Export], public: &str, registry: &Bound<'_, Registry>) -> PyResult<()> {
    exports.iter().try_for_each(|export| match export.info {
        ExportInfo::Map(info) => module.add(info.name, vectorcall::object(module.py(), Kernel::new(registry, info, public)?)?),
        ExportInfo::Block(info) => module.add(info.name, vectorcall::object(module.py(), BlockKernel::new(registry, info, public)?)?),
        ExportInfo::Function(info) => {
            let function = (info.make)(module)?;
            function.setattr("__module__", public)?;
            module.add(export.name, function)
        }
        ExportInfo::Struct(info) => {
            let class = (info.make)(module.py());
            class.setattr("__module__", public)?;
            module.add(export.name, class)
        }
    })
}

/// The name users import: maturin puts `fastops.abi3.so` into a package of the same name, so that `fastops.fastops` is the
/// module and `fastops` is what holds its names.
fn public_name(module: &str) -> String {
    match module.rsplit_once('.') {
        Some((package, last)) if package.rsplit('.').next() == Some(last) => package.to_owned(),
        _ => module.to_owned(),
    }
}
