//! A device, by its primary context, which is also torch's and CuPy's.

use super::driver::{self, cu};
use super::module::Kernels;
use super::{Error, Stream};
use cudarc::driver::sys;
use std::sync::Arc;
use sys::CUdevice_attribute as Attribute;

/// A CUDA device. Clones are the same one; with the last of them, and of what was made with it, its context and modules are given back.
#[derive(Clone, Debug)]
pub struct Device(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    ordinal: u32,
    raw: sys::CUdevice,
    context: sys::CUcontext,
    limits: Limits,
    pub(super) kernels: Kernels,
}

// SAFETY: a context may be current on any number of threads.
unsafe impl Send for Inner {}
// SAFETY: as above; the driver's functions may be called from several threads at once.
unsafe impl Sync for Inner {}

/// What a device can do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Compute capability: 90 is 9.0.
    pub capability: u32,
    /// Threads of a block.
    pub block: u32,
    /// Blocks of a grid of one dimension.
    pub grid: u32,
}

impl Device {
    /// The device of a number, from 0.
    ///
    /// # Errors
    /// No driver, no such device, or what the driver refuses.
    pub fn open(ordinal: u32) -> Result<Self, Error> {
        let count = Self::count()?;
        if ordinal >= count {
            return Err(Error::Device { asked: ordinal, count });
        }
        let (mut raw, mut context) = (0, std::ptr::null_mut());
        // SAFETY: the driver is there; places for the answers.
        unsafe {
            cu!(cuDeviceGet(&mut raw, ordinal as i32))?;
            cu!(cuDevicePrimaryCtxRetain(&mut context, raw))?;
        }
        // From here on the context is given back, whatever comes.
        let mut inner = Inner { ordinal, raw, context, limits: Limits::default(), kernels: Kernels::default() };
        let attribute = |attribute| -> Result<u32, Error> {
            let mut value = 0;
            // SAFETY: as above.
            unsafe { cu!(cuDeviceGetAttribute(&mut value, attribute, raw)) }?;
            Ok(value.unsigned_abs())
        };
        inner.limits = Limits {
            capability: 10 * attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?
                + attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            block: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            grid: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
        };
        Ok(Self(Arc::new(inner)))
    }

    /// How many devices there are.
    ///
    /// # Errors
    /// No driver.
    pub fn count() -> Result<u32, Error> {
        driver::probe()?;
        let mut count = 0;
        // SAFETY: the driver is there; a place for the answer.
        unsafe { cu!(cuDeviceGetCount(&mut count)) }?;
        Ok(count.unsigned_abs())
    }

    /// Its number.
    pub fn ordinal(&self) -> u32 {
        self.0.ordinal
    }

    /// What it can do.
    pub fn limits(&self) -> Limits {
        self.0.limits
    }

    /// A new stream, which does not wait for the default one.
    ///
    /// # Errors
    /// What the driver refuses.
    pub fn stream(&self) -> Result<Stream, Error> {
        Stream::new(self)
    }

    /// Another library's stream, by its handle: 1 is the default stream, 2 that of the thread. It is not destroyed here.
    ///
    /// # Safety
    /// The handle is of a stream of this device's primary context, and lives as long as what is returned.
    pub unsafe fn foreign_stream(&self, handle: usize) -> Stream {
        Stream::foreign(self, handle as sys::CUstream)
    }

    /// Makes its context the thread's current one, until the guard is dropped; then the one before is current again.
    pub(super) fn enter(&self) -> Result<Entered, Error> {
        self.0.enter()
    }

    /// Whether two handles are of one device.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.0.ordinal == other.0.ordinal
    }
}

impl Inner {
    fn enter(&self) -> Result<Entered, Error> {
        // SAFETY: a context that is retained.
        unsafe { cu!(cuCtxPushCurrent_v2(self.context)) }?;
        Ok(Entered(std::marker::PhantomData))
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // In a process that ends the driver may be gone already: there is nobody to tell.
        if let Ok(_entered) = self.enter() {
            self.kernels.unload();
        }
        // SAFETY: retained once, in `open`.
        let _ = unsafe { cu!(cuDevicePrimaryCtxRelease_v2(self.raw)) };
    }
}

/// While it lives, a device's context is current on this thread, to which it is bound.
pub(super) struct Entered(std::marker::PhantomData<*const ()>);

impl Drop for Entered {
    fn drop(&mut self) {
        let mut before = std::ptr::null_mut();
        // SAFETY: pushed by `enter`, on this thread.
        let _ = unsafe { cu!(cuCtxPopCurrent_v2(&mut before)) };
    }
}
