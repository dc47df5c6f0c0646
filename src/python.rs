//! Python modules from `#[python_export]`.

/// Arrays of functions for Python: `ArrayView2<f32>` comes, `Array2<f32>` goes.
pub use lanecraft_pybind_gen::numpy::ndarray;
pub use lanecraft_pybind_gen::{numpy, pyo3};

/// Makes the Python module: every `#[python_export]` kernel of this crate, `variants()`, `isa()` and `__version__`.
///
/// A kernel with `#[python_export(module = "math")]` goes into a submodule of that name.
///
/// What `pybind-gen.toml` beside `Cargo.toml` excludes stays out, and names are those that it says; the build script hands it over.
///
/// The name is the one that Python imports: the library's name in `Cargo.toml`. Documentation comments in front of it become the
/// module's docstring.
///
/// ```ignore
/// lanecraft::python_module! {
///     /// Fast elementwise functions.
///     fastops
/// }
/// ```
#[macro_export]
macro_rules! python_module {
    ($(#[$meta:meta])* $name:ident) => {
        const _: () = {
            #[$crate::pyo3::pymodule]
            #[pyo3(crate = "::lanecraft::pyo3")]
            $(#[$meta])*
            fn $name(module: &$crate::pyo3::Bound<'_, $crate::pyo3::types::PyModule>) -> $crate::pyo3::PyResult<()> {
                $crate::__python::register(module, ::core::env!("CARGO_CRATE_NAME"), ::core::env!("CARGO_PKG_VERSION"), ::core::option_env!("LANECRAFT_DOCS"))
            }
        };
    };
}

/// Puts a kernel on the list that [`python_module!`] reads. `#[kernel]` emits it for `#[python_export]`.
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_export {
    ($kernel:ident, $module:literal, $name:literal) => {
        $crate::__python::inventory::submit! {
            $crate::__python::Export {
                info: $crate::__python::ExportInfo::Map(&<$kernel as $crate::Kernel>::INFO),
                name: $name,
                path: ::core::module_path!(),
                submodule: $module,
            }
        }
    };
}

/// [`__submit_export`] for block kernels.
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_block_export {
    ($kernel:ident, $module:literal, $name:literal) => {
        $crate::__python::inventory::submit! {
            $crate::__python::Export {
                info: $crate::__python::ExportInfo::Block(&<$kernel as $crate::BlockFunction>::INFO),
                name: $name,
                path: ::core::module_path!(),
                submodule: $module,
            }
        }
    };
}

/// What is generated for functions and structs: with feature `python`, as it stands.
#[doc(hidden)]
#[macro_export]
macro_rules! __export {
    ($($items:tt)*) => { $($items)* };
}

/// Puts a kernel's CUDA text beside it on that list.
#[cfg(feature = "cuda")]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_cuda {
    (Map $kernel:ident) => {
        $crate::__submit_cuda!($kernel, $crate::cuda::AnyKernel::Map(const { &$crate::cuda::CudaInfo::of::<$kernel>() }));
    };
    (Block $kernel:ident) => {
        $crate::__submit_cuda!($kernel, $crate::cuda::AnyKernel::Block(const { &$crate::cuda::CudaBlockInfo::of::<$kernel>() }));
    };
    ($kernel:ident, $any:expr) => {
        $crate::__python::inventory::submit! {
            $crate::__python::CudaExport { kernel: $any, path: ::core::module_path!() }
        }
    };
}

/// What the macros above, and `#[python_export]`, name.
#[doc(hidden)]
pub mod __python {
    pub use lanecraft_pybind_gen::numpy::ndarray::{Ix1, Ix2, Ix3, Ix4, Ix5, Ix6};
    pub use lanecraft_pybind_gen::pyo3::type_object::PyTypeInfo;
    pub use lanecraft_pybind_gen::pyo3::{Bound, PyAny, PyResult, Python, exceptions, pyclass, pyfunction, pymethods};
    #[cfg(feature = "cuda")]
    pub use lanecraft_pybind_gen::runtime::CudaExport;
    pub use lanecraft_pybind_gen::runtime::function::*;
    pub use lanecraft_pybind_gen::runtime::structure::*;
    pub use lanecraft_pybind_gen::runtime::{Export, ExportInfo, inventory, register};
}
