//! Kernels on a device: their PTX, wherever it comes from, loaded once.

use super::driver::{self, cu};
use super::nvrtc::Nvrtc;
use super::{Device, Error, cache};
use crate::cuda::{BlockEntry, CudaBlockInfo, CudaInfo, Entry, Program, Source};
use cudarc::driver::sys;
use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::sync::{Arc, Mutex, PoisonError};

/// A kernel, types erased.
#[derive(Clone, Copy, Debug)]
pub enum AnyKernel {
    /// A map kernel.
    Map(&'static CudaInfo),
    /// A block kernel.
    Block(&'static CudaBlockInfo),
}

impl AnyKernel {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Map(kernel) => kernel.info.name,
            Self::Block(kernel) => kernel.info.name,
        }
    }

    /// Its text and entries.
    ///
    /// # Errors
    /// A construct that has no CUDA text yet.
    pub fn source(self) -> Result<Source, Error> {
        let mut program = Program::new();
        match self {
            Self::Map(kernel) => program.kernel(kernel)?,
            Self::Block(kernel) => program.block_kernel(kernel)?,
        }
        Ok(program.finish())
    }

    /// What tells it from other kernels: the address of its item.
    fn key(self) -> usize {
        let item = match self {
            Self::Map(kernel) => kernel.shape.item,
            Self::Block(kernel) => kernel.shape.item,
        };
        std::ptr::from_ref(item) as usize
    }
}

/// The kernels of a device.
#[derive(Debug, Default)]
pub(super) struct Kernels(Mutex<HashMap<usize, Arc<Prepared>>>);

/// A kernel that is loaded.
#[derive(Debug)]
pub(super) struct Prepared {
    module: sys::CUmodule,
    pub(super) entries: Vec<Entry>,
    pub(super) blocks: Vec<BlockEntry>,
    ptx: String,
    functions: Mutex<HashMap<String, Function>>,
}

// SAFETY: a module's handle, which any thread may use.
unsafe impl Send for Prepared {}
// SAFETY: as above; what changes is behind a lock.
unsafe impl Sync for Prepared {}

/// A function of a module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function {
    raw: sys::CUfunction,
    /// Whether there are elements for which it has no value.
    pub(super) may_fault: bool,
    /// Threads of a block that its registers allow.
    pub(super) max_block: u32,
    /// The threads of a block, and the blocks, that occupy the device.
    pub(super) block: u32,
    pub(super) grid: u32,
}

// SAFETY: a function's handle, which any thread may use, for as long as its device is there.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

impl Function {
    pub(super) fn raw(&self) -> sys::CUfunction {
        self.raw
    }
}

impl Kernels {
    /// Loads a kernel, or finds it loaded.
    pub(super) fn prepared(&self, device: &Device, kernel: AnyKernel) -> Result<Arc<Prepared>, Error> {
        // One thread compiles, the others wait for it.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(&kernel.key()) {
            return Ok(found.clone());
        }
        let prepared = Arc::new(Prepared::new(device, kernel)?);
        known.insert(kernel.key(), prepared.clone());
        Ok(prepared)
    }

    /// Unloads all, when the device is given back: its context is current, and nothing of the device is in use any more.
    pub(super) fn unload(&mut self) {
        for prepared in self.0.get_mut().unwrap_or_else(PoisonError::into_inner).drain() {
            // SAFETY: loaded once, in `new`.
            let _ = unsafe { cu!(cuModuleUnload(prepared.1.module)) };
        }
    }
}

impl Prepared {
    fn new(device: &Device, kernel: AnyKernel) -> Result<Self, Error> {
        let Source { text, entries, blocks } = kernel.source()?;
        let ptx = ptx(device.limits().capability, kernel.name(), &text)?;
        let _entered = device.enter()?;
        let module = load(&ptx)?;
        Ok(Self { module, entries, blocks, ptx, functions: Mutex::default() })
    }

    /// A function of the module.
    pub(super) fn function(&self, device: &Device, name: &str) -> Result<Function, Error> {
        let mut functions = self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = functions.get(name) {
            return Ok(*found);
        }
        let _entered = device.enter()?;
        let symbol = CString::new(name).unwrap_or_default();
        let (mut raw, mut max_block, mut grid, mut block) = (std::ptr::null_mut(), 0, 0, 0);
        // SAFETY: a loaded module of the current context, a name that ends with a zero byte, places for the answers.
        unsafe {
            cu!(cuModuleGetFunction(&mut raw, self.module, symbol.as_ptr()))?;
            cu!(cuFuncGetAttribute(&mut max_block, sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, raw))?;
            cu!(cuOccupancyMaxPotentialBlockSize(&mut grid, &mut block, raw, None, 0, 0))?;
        }
        let number = |n: i32| n.unsigned_abs().max(1);
        let function =
            Function { raw, may_fault: may_fault(&self.ptx, name), max_block: number(max_block), block: number(block), grid: number(grid) };
        functions.insert(name.to_owned(), function);
        Ok(function)
    }
}

/// The PTX of a text for a device: what a wheel brought, else what NVRTC makes of it, now or before.
fn ptx(capability: u32, name: &str, text: &str) -> Result<String, Error> {
    if let Some(packed) = cache::packed(text, capability) {
        return Ok(packed);
    }
    let nvrtc = Nvrtc::find(Some(driver::version()?))?;
    let Some(architecture) = nvrtc.architecture_for(capability) else {
        let (major, minor) = nvrtc.version();
        return Err(Error::Unavailable(format!(
            "NVRTC {major}.{minor} compiles for no device as old as this one (compute capability {}.{}): install an older one",
            capability / 10,
            capability % 10
        )));
    };
    cache::compiled(text, architecture, nvrtc.version(), || nvrtc.compile(name, text, architecture))
}

/// Loads PTX; what the driver's compiler says of it becomes part of the error.
fn load(ptx: &str) -> Result<sys::CUmodule, Error> {
    const LOG: usize = 4096;
    let image = CString::new(ptx).unwrap_or_default();
    let mut log = vec![0_u8; LOG];
    let mut options = [sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER, sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    // The driver takes numbers in the place of pointers.
    let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), std::ptr::without_provenance_mut(LOG)];
    let mut module = std::ptr::null_mut();
    // SAFETY: the context is current; the image ends with a zero byte, and the log has the size that is told.
    let loaded = unsafe { cu!(cuModuleLoadDataEx(&mut module, image.as_ptr().cast(), 2, options.as_mut_ptr(), values.as_mut_ptr())) };
    match loaded {
        Ok(()) => Ok(module),
        Err(Error::Driver { call, code, name, .. }) => {
            let end = log.iter().position(|byte| *byte == 0).unwrap_or(0);
            let mut log = String::from_utf8_lossy(&log[..end]).into_owned();
            if code == sys::CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION as u32 {
                log = "the driver is older than the NVRTC that wrote the PTX: install a newer driver, or an NVRTC of the driver's CUDA version".to_owned();
            }
            Err(Error::Driver { call, code, name, log })
        }
        Err(other) => Err(other),
    }
}

/// Whether an entry has an instruction for noting a fault: one on the fault's word is all that there is of this kind. The compiler leaves it out where
/// no element can have a fault.
fn may_fault(ptx: &str, name: &str) -> bool {
    let begin = format!(".entry {name}(");
    let Some((_, body)) = ptx.split_once(&begin) else { return true };
    let body = body.split("\n}").next().unwrap_or(body);
    // Words, since a barrier is `bar.red.or`, and shared memory `ld.shared.f32`.
    body.split_whitespace().any(|word| word.starts_with("atom.") || word.starts_with("red."))
}

#[cfg(test)]
mod tests {
    use super::may_fault;

    #[test]
    fn entries_that_note_faults_are_told_from_others() {
        let ptx = ".visible .entry a(\n.param .u64 p\n)\n{\nbar.red.or.pred %p2, 0, %p1;\nld.shared.f32 %f1, [%r1];\n}\n.visible .entry a__strided(\n)\n{\natom.global.min.u64 %rd1, [%rd2], %rd3;\n}\n";
        assert!(!may_fault(ptx, "a"));
        assert!(may_fault(ptx, "a__strided"));
        assert!(may_fault(ptx, "b"), "what is not there is taken to have faults");
    }
}
