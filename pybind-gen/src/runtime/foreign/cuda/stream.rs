//! Which stream a call runs on, and whether the call has to wait for it.

use super::super::library::Library;
use super::raise;
use lanecraft_backends::cuda::{Device, Error, Stream};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The stream that CUDA calls the default one.
const DEFAULT: usize = 1;

/// A stream of a call.
#[derive(Clone)]
pub(super) struct On {
    pub(super) stream: Arc<Stream>,
    /// Whether it is the library's own current one: what the library does next comes after the call by itself. Otherwise the call waits.
    pub(super) is_theirs: bool,
}

/// Devices and streams that have come. They stay: a stream of another library has what its calls need, faults above all.
static KNOWN: Mutex<Option<Known>> = Mutex::new(None);

#[derive(Default)]
struct Known {
    devices: HashMap<u32, Device>,
    /// By device and handle; ours has none.
    streams: HashMap<(u32, Option<usize>), Arc<Stream>>,
}

/// The current stream of a library that has one (torch, CuPy), else one of ours. `name` is who asks, in messages.
pub(super) fn current(py: Python<'_>, name: &str, library: &Library, device: u32) -> PyResult<On> {
    let handle: Option<usize> = match library.name.as_str() {
        "torch" => Some(py.import("torch.cuda")?.call_method1("current_stream", (device,))?.getattr("cuda_stream")?.extract()?),
        "cupy" => {
            let cuda = py.import("cupy.cuda")?;
            let guard = cuda.call_method1("Device", (device,))?;
            guard.call_method0("__enter__")?;
            let handle = cuda.call_method0("get_current_stream").and_then(|stream| stream.getattr("ptr")?.extract());
            guard.call_method1("__exit__", (py.None(), py.None(), py.None()))?;
            Some(handle?)
        }
        _ => None,
    };
    // Both write 0 for the default stream, which DLPack does not take.
    let handle = handle.map(|handle| if handle == 0 { DEFAULT } else { handle });
    let stream = of(device, handle).map_err(|error| raise(name, error))?;
    Ok(On { stream, is_theirs: handle.is_some() })
}

/// The stream of a handle on a device.
fn of(device: u32, handle: Option<usize>) -> Result<Arc<Stream>, Error> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(stream) = known.streams.get(&(device, handle)) {
        return Ok(stream.clone());
    }
    let opened = match known.devices.get(&device) {
        Some(opened) => opened.clone(),
        None => known.devices.entry(device).insert_entry(Device::open(device)?).get().clone(),
    };
    let stream = Arc::new(match handle {
        // SAFETY: the current stream of a library on this device, which lives for as long as the library makes calls on it.
        Some(handle) => unsafe { opened.foreign_stream(handle) },
        None => opened.stream()?,
    });
    known.streams.insert((device, handle), stream.clone());
    Ok(stream)
}

/// Lets a stream wait for another library's.
pub(super) fn after(on: &Stream, handle: usize) -> PyResult<()> {
    if handle == on.handle() {
        return Ok(());
    }
    // SAFETY: whoever gave the array says that the stream is alive.
    let theirs = unsafe { on.device().foreign_stream(handle) };
    on.wait(&theirs).map_err(|error| raise("__cuda_array_interface__", error))
}
