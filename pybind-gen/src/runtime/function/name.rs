//! The name of a function, which `pybind-gen.toml` may change.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyCFunction;
use std::ffi::CString;
use std::ops::Deref;
use std::sync::OnceLock;

/// A function's name, for messages too.
#[derive(Debug)]
pub struct Name {
    rust: &'static str,
    python: OnceLock<&'static str>,
}

impl Name {
    /// The name in Rust.
    pub const fn new(rust: &'static str) -> Self {
        Self { rust, python: OnceLock::new() }
    }

    /// The name in Python.
    pub fn get(&self) -> &'static str {
        self.python.get().copied().unwrap_or(self.rust)
    }

    /// Gives it another name in Python. The first one stays, if the module is loaded again.
    pub(in crate::runtime) fn set(&self, python: &'static str) {
        let _ = self.python.set(python);
    }

    /// The function of PyO3's, which has its name in Rust, under this name.
    ///
    /// # Errors
    /// Python's.
    pub(in crate::runtime) fn of<'py>(
        &self,
        function: Bound<'py, PyCFunction>,
        module: &Bound<'py, PyModule>,
    ) -> PyResult<Bound<'py, PyCFunction>> {
        if self.get() == self.rust {
            return Ok(function);
        }
        // Python takes the signature from the documentation, if that begins with the name.
        let text = |attribute: &str| function.getattr(attribute)?.extract::<Option<String>>();
        let (signature, doc) = (text("__text_signature__")?.unwrap_or_default(), text("__doc__")?.unwrap_or_default());
        let c_string = |text: String| CString::new(text).map(|text| text.into_raw().cast_const());
        let (name, doc) = (c_string(self.get().to_owned())?, c_string(format!("{}{signature}\n--\n\n{doc}", self.get()))?);
        let home = module.name()?;
        // SAFETY: a function of Python's C API; the new one calls the same code in the same way, on the same object. Python keeps the definition and
        // its texts for the function's life, and they are leaked.
        unsafe {
            let old = function.as_ptr();
            let method = ffi::PyCFunction_GetFunction(old).ok_or_else(|| PyErr::fetch(module.py()))?;
            let definition = ffi::PyMethodDef {
                ml_name: name,
                ml_meth: ffi::PyMethodDefPointer { PyCFunction: method },
                ml_flags: ffi::PyCFunction_GetFlags(old),
                ml_doc: doc,
            };
            let definition = Box::leak(Box::new(definition));
            let new = ffi::PyCFunction_NewEx(definition, ffi::PyCFunction_GetSelf(old), home.as_ptr());
            Ok(Bound::from_owned_ptr_or_err(module.py(), new)?.cast_into_unchecked())
        }
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        self.get()
    }
}
