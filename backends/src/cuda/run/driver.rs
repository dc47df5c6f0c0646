//! The driver's entry points: whether they are there, and what their codes mean.

use super::Error;
use cudarc::driver::sys;

/// What this layer calls. All are in drivers from R550 on.
const SYMBOLS: &[&str] = &[
    "cuInit",
    "cuDriverGetVersion",
    "cuDeviceGetCount",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDevicePrimaryCtxRetain",
    "cuDevicePrimaryCtxRelease_v2",
    "cuCtxPushCurrent_v2",
    "cuCtxPopCurrent_v2",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
    "cuEventCreate",
    "cuEventRecord",
    "cuEventDestroy_v2",
    "cuMemAlloc_v2",
    "cuMemFree_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemsetD8Async",
    "cuMemsetD16Async",
    "cuMemsetD32Async",
    "cuModuleLoadDataEx",
    "cuModuleUnload",
    "cuModuleGetFunction",
    "cuFuncGetAttribute",
    "cuOccupancyMaxPotentialBlockSize",
    "cuLaunchKernel",
    "cuGraphCreate",
    "cuGraphDestroy",
    "cuGraphAddKernelNode_v2",
    "cuGraphInstantiateWithFlags",
    "cuGraphExecDestroy",
    "cuGraphExecKernelNodeSetParams_v2",
    "cuGraphLaunch",
];

/// Calls an entry point of the driver: `cu!(cuInit(0))`. Inside of `unsafe`, after [`probe`].
macro_rules! cu {
    ($name:ident($($argument:expr),* $(,)?)) => {
        $crate::cuda::run::driver::checked(stringify!($name), cudarc::driver::sys::$name($($argument),*))
    };
}
pub(super) use cu;

/// A code that is no success, as an error.
pub(super) fn checked(call: &'static str, code: sys::CUresult) -> Result<(), Error> {
    if code == sys::CUresult::CUDA_SUCCESS {
        return Ok(());
    }
    Err(Error::Driver { call, code: code as u32, name: format!("{code:?}"), log: String::new() })
}

/// Finds the driver, and starts it. Without it cudarc's functions panic, so this comes first.
///
/// # Errors
/// No driver, one that is too old, or one that does not start.
pub(super) fn probe() -> Result<(), Error> {
    // SAFETY: the driver's library has no initializers that could do harm.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::Unavailable(
            "the NVIDIA driver's library (`libcuda.so.1`) was not found. Kernels run on the CPU without it; for CUDA install a driver of the line R550 or newer"
                .to_owned(),
        ));
    }
    // SAFETY: as above.
    let library = unsafe { sys::culib() };
    for name in SYMBOLS {
        // SAFETY: the symbol is looked for and not called.
        if unsafe { library.get::<unsafe extern "C" fn()>(name.as_bytes()) }.is_err() {
            return Err(Error::Unavailable(format!(
                "the NVIDIA driver is too old: it has no `{name}`. Install one of the line R550 or newer"
            )));
        }
    }
    // SAFETY: the symbol is there.
    unsafe { cu!(cuInit(0)) }
}

/// The CUDA version of the driver: major and minor.
pub(super) fn version() -> Result<(u32, u32), Error> {
    let mut version = 0;
    // SAFETY: a place for the answer, after `probe`.
    unsafe { cu!(cuDriverGetVersion(&mut version)) }?;
    let version = version.unsigned_abs();
    Ok((version / 1000, version % 1000 / 10))
}
