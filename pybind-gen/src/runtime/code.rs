//! Where a kernel's code is, and its source: what `lanecraft.inspect` asks for.

use super::block::BlockKernel;
use super::kernel::Kernel;
use super::variants;
use lanecraft_backends::{Level, REMAINDER};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A dict of `source`, `gathered` (None of a map kernel), `remainder` (where it is not the entry's code) and `entries`: the rows of `variants()` with `gang`, `file` and `address`.
pub(super) fn of<'py>(kernel: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let (py, report) = (kernel.py(), PyDict::new(kernel.py()));
    let rows = PyList::empty(py);
    let codes: Vec<(usize, Option<usize>)> = if let Ok(kernel) = kernel.cast::<Kernel>() {
        let info = kernel.get().info;
        variants::add_rows(&rows, info, "")?;
        report.set_item("source", info.source)?;
        report.set_item("gathered", py.None())?;
        report.set_item("remainder", REMAINDER)?;
        let codes = info.variants.iter().flat_map(|v| v.levels().into_iter().map(|level: Level| (v.gang(), v.address(level))));
        codes.collect()
    } else if let Ok(kernel) = kernel.cast::<BlockKernel>() {
        let info = kernel.get().info;
        variants::add_block_rows(&rows, info, "")?;
        report.set_item("source", info.source)?;
        report.set_item("gathered", info.gathered)?;
        info.variants.iter().flat_map(|v| v.levels().into_iter().map(|level| (BLOCK_GANG, v.address(level)))).collect()
    } else {
        return Err(PyTypeError::new_err(format!("{} is no kernel", kernel.repr()?)));
    };
    for (row, (gang, address)) in rows.iter().zip(codes) {
        row.set_item("gang", gang)?;
        let (file, offset) = address.and_then(in_file).unzip();
        row.set_item("file", file)?;
        row.set_item("address", offset)?;
    }
    report.set_item("entries", rows)?;
    Ok(report)
}

/// The CUDA C++ text of a kernel; None in a build without such texts.
pub(super) fn cuda(kernel: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let (name, inputs) = match (kernel.cast::<Kernel>(), kernel.cast::<BlockKernel>()) {
        (Ok(kernel), _) => (kernel.get().info.name, kernel.get().info.arguments),
        (_, Ok(kernel)) => (kernel.get().info.name, kernel.get().info.arguments),
        _ => return Err(PyTypeError::new_err(format!("{} is no kernel", kernel.repr()?))),
    };
    #[cfg(feature = "cuda")]
    return super::foreign::cuda::text(name, inputs).map(Some);
    #[cfg(not(feature = "cuda"))]
    {
        let _: (&str, &[&str]) = (name, inputs);
        Ok(None)
    }
}

/// Lanes of a block kernel's loops.
const BLOCK_GANG: usize = lanecraft_core::block::GANG as usize;

/// The file that an address was loaded from, and how far it is behind its first byte in memory.
#[cfg(unix)]
fn in_file(address: usize) -> Option<(String, usize)> {
    let mut found = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `dladdr` takes any address, and fills in the struct, which zeros initialise.
    let found = unsafe {
        let known = libc::dladdr(address as *const libc::c_void, found.as_mut_ptr());
        (known != 0).then(|| found.assume_init())?
    };
    if found.dli_fname.is_null() {
        return None;
    }
    // SAFETY: a C string of the loader's, which lives as long as the library.
    let file = unsafe { std::ffi::CStr::from_ptr(found.dli_fname) };
    Some((file.to_string_lossy().into_owned(), address.wrapping_sub(found.dli_fbase as usize)))
}

/// Elsewhere there is no such question.
#[cfg(not(unix))]
fn in_file(_: usize) -> Option<(String, usize)> {
    None
}
