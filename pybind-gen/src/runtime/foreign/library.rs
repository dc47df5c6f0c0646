//! Which library an argument is of, by its type.

use dlpark::python::consumer::exchange::ExchangeApi;
use numpy::npyffi::{NpyTypes, get_type_object};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString, PyType};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

/// What an argument is, as far as calls are concerned.
#[derive(Clone, Copy)]
pub(super) enum Class {
    /// NumPy knows what to do with it: numbers, lists, and objects that run ufuncs in their own way.
    Plain,
    /// An array of NumPy, subclasses included.
    NumPy,
    /// An array of dask, which runs ufuncs in its own way.
    Dask,
    /// An array of another library; whether it is of a type that the library's exchange API is for.
    Foreign(&'static Library, bool),
}

/// A library of arrays.
pub(super) struct Library {
    /// As in `import torch`.
    pub(super) name: String,
    /// Its function `from_dlpack`; none where it has only arrays on GPUs.
    pub(super) from_dlpack: Option<Py<PyAny>>,
    /// DLPack's C exchange API.
    pub(super) exchange: Option<Exchange>,
    /// Whether it promises its users that arrays do not change.
    pub(super) immutable: bool,
}

impl Library {
    pub(super) fn is_torch(&self) -> bool {
        self.name == "torch"
    }
}

/// A library's exchange API.
pub(super) struct Exchange(pub(super) ExchangeApi);

// SAFETY: a pointer to a table that lives as long as the process, as DLPack asks of it.
unsafe impl Send for Exchange {}
// SAFETY: as above; the table is not written to.
unsafe impl Sync for Exchange {}

/// Libraries whose arrays never change. DLPack has a flag for that, which not all of them set.
const IMMUTABLE: &[&str] = &["jax"];

/// Types that the exchange API of torch is for. Subclasses inherit it, but have ways of their own, which only `__dlpack__` respects.
const EXCHANGED: &[(&str, &str)] = &[("torch", "Tensor"), ("torch.nn.parameter", "Parameter")];

/// A type that has come, by address. It is never freed: one of a few words per type that is ever used.
struct Known {
    of: usize,
    class: Class,
}

/// Types that have come; a reference to each keeps its address from being used for another.
static TYPES: Mutex<Vec<(&Known, Py<PyType>)>> = Mutex::new(Vec::new());
/// The one that came last, for which no lock is needed.
static LAST: AtomicPtr<Known> = AtomicPtr::new(std::ptr::null_mut());
/// As many types are kept.
const MAX_TYPES: usize = 256;

/// The class of an argument.
#[inline]
pub(super) fn class(value: &Bound<'_, PyAny>) -> PyResult<Class> {
    let py = value.py();
    let of = value.get_type_ptr();
    // SAFETY: type objects of NumPy's and Python's own, compared by address.
    let (array, float, int, bool, none) = unsafe {
        (
            get_type_object(py, NpyTypes::PyArray_Type),
            &raw mut ffi::PyFloat_Type,
            &raw mut ffi::PyLong_Type,
            &raw mut ffi::PyBool_Type,
            ffi::Py_TYPE(ffi::Py_None()),
        )
    };
    if of == array {
        return Ok(Class::NumPy);
    }
    if of == float || of == int || of == bool || of == none {
        return Ok(Class::Plain);
    }
    // SAFETY: null, or one that is never freed.
    if let Some(last) = unsafe { LAST.load(Ordering::Acquire).as_ref() }
        && last.of == of as usize
    {
        return Ok(last.class);
    }
    let known = TYPES.lock().ok().and_then(|types| types.iter().find(|(known, _)| known.of == of as usize).map(|(known, _)| *known));
    match known {
        Some(known) => {
            LAST.store(std::ptr::from_ref(known).cast_mut(), Ordering::Release);
            Ok(known.class)
        }
        None => learn(value),
    }
}

/// Classifies a type that has not come before. No lock is held while Python runs.
#[cold]
fn learn(value: &Bound<'_, PyAny>) -> PyResult<Class> {
    let of = value.get_type();
    let class = classify(value, &of)?;
    let mut forgotten = Vec::new();
    if let Ok(mut types) = TYPES.lock() {
        if types.len() >= MAX_TYPES {
            // Their addresses may be those of others, from here on.
            LAST.store(std::ptr::null_mut(), Ordering::Release);
            forgotten = std::mem::take(&mut *types);
        }
        types.push((Box::leak(Box::new(Known { of: of.as_ptr() as usize, class })), of.unbind()));
    }
    drop(forgotten);
    Ok(class)
}

fn classify(value: &Bound<'_, PyAny>, of: &Bound<'_, PyType>) -> PyResult<Class> {
    let py = value.py();
    if of.is_subclass(&py.import("numpy")?.getattr("ndarray")?)? {
        return Ok(Class::NumPy);
    }
    if of.is_subclass_of::<PyFloat>()?
        || of.is_subclass_of::<PyInt>()?
        || of.is_subclass_of::<PyBool>()?
        || of.is_subclass_of::<PyString>()?
    {
        return Ok(Class::Plain);
    }
    let module: String = of.getattr(intern!(py, "__module__"))?.extract().unwrap_or_default();
    if module == "dask.array.core" {
        return Ok(Class::Dask);
    }
    // A class that fails when it is asked has no array in it.
    let has = |name: &str| of.getattr(name).is_ok_and(|found| !found.is_none());
    // What JAX traces has the first without the second.
    let dlpack = has("__dlpack__") && has("__dlpack_device__");
    let cuda = has("__cuda_array_interface__");
    // CuPy's arrays have `__array_ufunc__`, which looks for a function of the ufunc's name in CuPy.
    if !cuda && (!dlpack || has("__array_ufunc__")) {
        return Ok(Class::Plain);
    }
    let top = module.split('.').next().unwrap_or_default();
    let sys_module = |name: &str| py.import("sys")?.getattr("modules")?.call_method1("get", (name,));
    let namespace = match value.call_method0("__array_namespace__") {
        Ok(namespace) => namespace,
        Err(_) => sys_module(top)?,
    };
    let from_dlpack = namespace.getattr_opt("from_dlpack")?.filter(|_| dlpack);
    if from_dlpack.is_none() && !cuda {
        return Ok(Class::Plain);
    }
    // The namespace of JAX's arrays, which are of `jaxlib`, is `jax.numpy`.
    let name: String = match namespace.getattr_opt("__name__")? {
        Some(name) => name.extract()?,
        None => top.to_owned(),
    };
    let name = name.split('.').next().unwrap_or_default().to_owned();
    let qualname: String = of.getattr(intern!(py, "__qualname__"))?.extract()?;
    let exchanged = EXCHANGED.contains(&(module.as_str(), qualname.as_str()));
    let exchange = if EXCHANGED.iter().any(|(module, _)| *module == name) {
        let tensor = sys_module("torch")?.getattr_opt("Tensor")?;
        let api = match tensor {
            // The type has the API; any instance of it will do to ask.
            Some(tensor) if value.is_instance(&tensor)? => ExchangeApi::from_object(value.as_borrowed())?,
            _ => None,
        };
        api.map(Exchange)
    } else {
        None
    };
    let immutable = IMMUTABLE.contains(&name.as_str());
    let library = intern_library(Library { name, from_dlpack: from_dlpack.map(Bound::unbind), exchange, immutable });
    Ok(Class::Foreign(library, exchanged && library.exchange.is_some()))
}

/// One library per name, for ever.
fn intern_library(new: Library) -> &'static Library {
    static LIBRARIES: Mutex<Vec<&'static Library>> = Mutex::new(Vec::new());
    let Ok(mut libraries) = LIBRARIES.lock() else { return Box::leak(Box::new(new)) };
    if let Some(known) = libraries.iter().find(|known| known.name == new.name && known.from_dlpack.is_some() == new.from_dlpack.is_some()) {
        return known;
    }
    let library: &'static Library = Box::leak(Box::new(new));
    libraries.push(library);
    library
}

/// `torch.float32` as NumPy's `float32`; anything else as it is.
pub(super) fn numpy_dtype(dtype: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    let py = dtype.py();
    let of = dtype.get_type();
    if of.getattr(intern!(py, "__module__"))?.extract::<String>().ok().as_deref() != Some("torch") {
        return Ok(dtype);
    }
    let text = dtype.str()?.to_string();
    let name = text.rsplit('.').next().unwrap_or_default();
    let known = lanecraft_core::DtypeId::ALL.iter().find(|id| id.numpy_name() == name).and_then(|id| crate::runtime::descr::of(py, *id));
    Ok(known.map_or(dtype, Bound::into_any))
}
