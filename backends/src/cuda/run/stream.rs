//! A stream: calls in order. What a call needs besides its operands (a word for faults, memory for scalars) is the stream's, and used again in its order.

use super::driver::cu;
use super::fault::{Faults, Site};
use super::graph::Capture;
use super::launch::{Launch, Place};
use super::memory::Buffer;
use super::{Device, Error};
use cudarc::driver::sys;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Words of memory that a stream or a graph takes at once.
pub(super) const WORDS: usize = 256;

/// A CUDA stream: its own, or another library's.
///
/// [`synchronize`](Self::synchronize) reports the faults of what was launched without waiting; drop a stream after it, or they are lost.
#[derive(Debug)]
pub struct Stream {
    device: Device,
    raw: sys::CUstream,
    owned: bool,
    state: Mutex<State>,
}

// SAFETY: the driver lets any thread use a stream.
unsafe impl Send for Stream {}
// SAFETY: as above; what is ours is behind a lock.
unsafe impl Sync for Stream {}

#[derive(Debug, Default)]
struct State {
    faults: Option<Arc<Faults>>,
    /// Faults of the graphs that were launched here since it was last looked.
    of_graphs: Vec<Arc<Faults>>,
    scalars: Option<Words>,
    capture: Option<Capture>,
}

/// 8-byte words on a device, given out one after the other.
#[derive(Debug)]
pub(super) struct Words {
    buffer: Buffer,
    used: usize,
}

impl Words {
    pub(super) fn new(device: &Device) -> Result<Self, Error> {
        Ok(Self { buffer: Buffer::new(device, 8 * WORDS)?, used: 0 })
    }

    /// The next one, if there is one.
    pub(super) fn next(&mut self) -> Option<u64> {
        let word = (self.used < WORDS).then(|| self.buffer.at() + 8 * self.used as u64)?;
        self.used += 1;
        Some(word)
    }
}

impl Stream {
    pub(super) fn new(device: &Device) -> Result<Self, Error> {
        let _entered = device.enter()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the context is current; a place for the answer.
        unsafe { cu!(cuStreamCreate(&mut raw, sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32)) }?;
        Ok(Self { device: device.clone(), raw, owned: true, state: Mutex::default() })
    }

    pub(super) fn foreign(device: &Device, raw: sys::CUstream) -> Self {
        Self { device: device.clone(), raw, owned: false, state: Mutex::default() }
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Its handle.
    pub fn handle(&self) -> usize {
        self.raw as usize
    }

    /// Waits for all that was launched here.
    ///
    /// # Errors
    /// The first fault of the calls that were launched without waiting; what the driver refuses.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.no_capture("a stream cannot be waited for")?;
        self.settle(None)
    }

    /// Lets what comes here wait for what was launched on `other`.
    ///
    /// # Errors
    /// What the driver refuses.
    pub fn wait(&self, other: &Self) -> Result<(), Error> {
        self.no_capture("a stream cannot wait for another")?;
        let _entered = other.device.enter()?;
        let mut event = std::ptr::null_mut();
        // SAFETY: the context is current; a place for the answer.
        unsafe { cu!(cuEventCreate(&mut event, sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as u32)) }?;
        // SAFETY: live streams and a live event.
        let done = unsafe { cu!(cuEventRecord(event, other.raw)).and_then(|()| cu!(cuStreamWaitEvent(self.raw, event, 0))) };
        // SAFETY: created above; the driver keeps it for as long as the stream waits for it. That it stays otherwise is no harm to the caller.
        let _ = unsafe { cu!(cuEventDestroy_v2(event)) };
        done
    }

    /// Launches a kernel, or notes it in the graph that is being captured.
    pub(super) fn submit(&self, launch: Launch) -> Result<(), Error> {
        if self.state().faults.as_ref().is_some_and(|faults| faults.is_full()) {
            self.settle(None)?;
        }
        let mut state = self.state();
        if let Some(capture) = &mut state.capture {
            return capture.add(self, launch);
        }
        let fault = match launch.function.may_fault {
            false => 0,
            true => match &state.faults {
                Some(faults) => faults.clone(),
                None => state.faults.insert(Arc::new(Faults::new(self)?)).clone(),
            }
            .word(&launch.site),
        };
        let mut addresses = Vec::with_capacity(launch.operands.len());
        for operand in &launch.operands {
            addresses.push(match operand {
                Place::At(place) => place.at,
                Place::Scalar { bytes, size } => {
                    let word = self.next_scalar(&mut state)?;
                    self.set_scalar(word, bytes, *size)?;
                    word
                }
            });
        }
        let mut arguments = launch.arguments(&addresses, fault);
        let mut pointers: Vec<*mut c_void> = arguments.iter_mut().map(|a| a.as_mut_ptr().cast()).collect();
        let _entered = self.device.enter()?;
        // SAFETY: a loaded function with its arguments in order; whoever made the launch checked what they point to.
        let launched = unsafe {
            cu!(cuLaunchKernel(
                launch.function.raw(),
                launch.grid,
                1,
                1,
                launch.block,
                1,
                1,
                0,
                self.raw,
                pointers.as_mut_ptr(),
                std::ptr::null_mut()
            ))
        };
        if launched.is_err()
            && launch.function.may_fault
            && let Some(faults) = &state.faults
        {
            faults.take_back();
        }
        launched
    }

    /// Waits, and reports the first fault. That of the site `now`, whose operands are as they were at the launch, is told in full.
    pub(super) fn settle(&self, now: Option<&Arc<dyn Site>>) -> Result<(), Error> {
        let (own, of_graphs) = {
            let mut state = self.state();
            (state.faults.clone(), std::mem::take(&mut state.of_graphs))
        };
        let all: Vec<Arc<Faults>> = own.iter().chain(&of_graphs).filter(|faults| faults.is_used()).cloned().collect();
        let mut words: Vec<Vec<u64>> = vec![vec![u64::MAX; WORDS]; all.len()];
        for (faults, words) in all.iter().zip(&mut words) {
            // SAFETY: as many bytes as both hold; the synchronization below comes before anything reads them.
            unsafe { self.copy_out_later(words.as_mut_ptr().cast(), faults.at(), 8 * WORDS) }?;
        }
        self.synchronize_raw()?;
        let mut first = None;
        for (faults, words) in all.iter().zip(&words) {
            let found = faults.first(words);
            if found.is_some() {
                faults.reset(self)?;
            }
            first = first.or(found);
        }
        own.iter().for_each(|faults| faults.clear());
        match first {
            Some((site, word)) => Err(site.error(self, word, now.is_some_and(|now| Arc::ptr_eq(now, &site)))),
            None => Ok(()),
        }
    }

    /// Faults of a graph that is launched here.
    pub(super) fn note(&self, faults: &[Arc<Faults>]) {
        let mut state = self.state();
        for faults in faults {
            if !state.of_graphs.iter().any(|known| Arc::ptr_eq(known, faults)) {
                state.of_graphs.push(faults.clone());
            }
        }
    }

    pub(super) fn raw(&self) -> sys::CUstream {
        self.raw
    }

    /// A word for a scalar: those before were read by the time that this one is written.
    fn next_scalar(&self, state: &mut State) -> Result<u64, Error> {
        loop {
            if let Some(word) = state.scalars.as_mut().and_then(Words::next) {
                return Ok(word);
            }
            match &mut state.scalars {
                Some(words) => words.used = 0,
                None => state.scalars = Some(Words::new(&self.device)?),
            }
        }
    }

    /// Writes a scalar, in the stream's order.
    pub(super) fn set_scalar(&self, at: u64, bytes: &[u8; 8], size: usize) -> Result<(), Error> {
        let _entered = self.device.enter()?;
        let half = |k: usize| u32::from_le_bytes([bytes[k], bytes[k + 1], bytes[k + 2], bytes[k + 3]]);
        // SAFETY: a word of ours.
        unsafe {
            match size {
                1 => cu!(cuMemsetD8Async(at, bytes[0], 1, self.raw)),
                2 => cu!(cuMemsetD16Async(at, u16::from_le_bytes([bytes[0], bytes[1]]), 1, self.raw)),
                4 => cu!(cuMemsetD32Async(at, half(0), 1, self.raw)),
                _ => {
                    cu!(cuMemsetD32Async(at, half(0), 1, self.raw))?;
                    cu!(cuMemsetD32Async(at + 4, half(4), 1, self.raw))
                }
            }
        }
    }

    /// # Safety
    /// As many bytes are there.
    pub(super) unsafe fn fill(&self, at: u64, byte: u8, bytes: usize) -> Result<(), Error> {
        if bytes == 0 {
            return Ok(());
        }
        let _entered = self.device.enter()?;
        // SAFETY: the caller's promise.
        unsafe { cu!(cuMemsetD8Async(at, byte, bytes, self.raw)) }
    }

    /// Copies to the device, and waits until the host's memory is read.
    ///
    /// # Safety
    /// As many bytes are in both places.
    pub(super) unsafe fn copy_in(&self, to: u64, from: *const c_void, bytes: usize) -> Result<(), Error> {
        if bytes == 0 {
            return Ok(());
        }
        let _entered = self.device.enter()?;
        // SAFETY: the caller's promise, for as long as this waits.
        unsafe { cu!(cuMemcpyHtoDAsync_v2(to, from, bytes, self.raw)) }?;
        self.synchronize_raw()
    }

    /// Copies to the host, and waits.
    ///
    /// # Safety
    /// As many bytes are in both places.
    pub(super) unsafe fn copy_out(&self, to: *mut c_void, from: u64, bytes: usize) -> Result<(), Error> {
        self.no_capture("an array cannot be copied to the host")?;
        // SAFETY: the caller's promise.
        unsafe { self.copy_out_later(to, from, bytes) }?;
        self.settle(None)
    }

    /// Copies to the host in the stream's order.
    ///
    /// # Safety
    /// As many bytes are in both places, until the stream was waited for.
    pub(super) unsafe fn copy_out_later(&self, to: *mut c_void, from: u64, bytes: usize) -> Result<(), Error> {
        if bytes == 0 {
            return Ok(());
        }
        let _entered = self.device.enter()?;
        // SAFETY: the caller's promise.
        unsafe { cu!(cuMemcpyDtoHAsync_v2(to, from, bytes, self.raw)) }
    }

    pub(super) fn synchronize_raw(&self) -> Result<(), Error> {
        let _entered = self.device.enter()?;
        // SAFETY: a live stream of the current context.
        unsafe { cu!(cuStreamSynchronize(self.raw)) }
    }

    /// Begins or ends the capture of a graph; what was there before.
    pub(super) fn set_capture(&self, capture: Option<Capture>) -> Option<Capture> {
        std::mem::replace(&mut self.state().capture, capture)
    }

    /// Whether calls are captured into a graph.
    pub fn is_capturing(&self) -> bool {
        self.state().capture.is_some()
    }

    /// An error while a graph is captured.
    pub(super) fn no_capture(&self, what: &str) -> Result<(), Error> {
        if self.is_capturing() {
            return Err(Error::Graph(format!("{what} while a graph is captured; do it before the capture, or after it")));
        }
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.owned
            && let Ok(_entered) = self.device.enter()
        {
            // SAFETY: created in `new`; the driver finishes what was launched.
            let _ = unsafe { cu!(cuStreamDestroy_v2(self.raw)) };
        }
    }
}
