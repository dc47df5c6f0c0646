//! Graphs: a sequence of calls, launched at once, again and again, with other arrays if need be.
//!
//! The calls are not captured by the driver but noted here as they are made, one node after the other: so each node is known, and nothing that other
//! libraries do on the stream gets in between.

use super::driver::cu;
use super::fault::Faults;
use super::launch::{At, Launch, Place};
use super::memory::{Buffer, DeviceArray};
use super::stream::Words;
use super::{Device, Error, Stream};
use cudarc::driver::sys;
use lanecraft_core::{Dtype, DtypeId};
use std::ffi::c_void;
use std::sync::Arc;

/// A sequence of kernel calls that is launched as a whole.
#[derive(Debug)]
pub struct Graph {
    /// Declared first, dropped first: what the nodes use outlives it.
    exec: Exec,
    capture: Capture,
}

/// Calls on their way into a graph.
#[derive(Debug)]
pub(super) struct Capture {
    graph: Handle,
    nodes: Vec<Node>,
    faults: Vec<Arc<Faults>>,
    scalars: Vec<Words>,
    device: Device,
}

/// A call of the graph.
struct Node {
    raw: sys::CUgraphNode,
    launch: Launch,
    /// The addresses of scalar operands and of the fault's word; those of arrays are the launch's.
    scalars: Vec<u64>,
    fault: u64,
    /// Its arrays have been replaced since the driver was told.
    changed: bool,
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Node").field(&self.launch.site.kernel()).finish()
    }
}

#[derive(Debug)]
struct Handle(sys::CUgraph, Device);
#[derive(Debug)]
struct Exec(sys::CUgraphExec, Device);

// SAFETY: handles of the driver's, which any thread may use; calls that change a graph come through `&mut`.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Send for Exec {}
// SAFETY: as above.
unsafe impl Send for Node {}

impl Drop for Handle {
    fn drop(&mut self) {
        if let Ok(_entered) = self.1.enter() {
            // SAFETY: created once, in `Capture::begin`.
            let _ = unsafe { cu!(cuGraphDestroy(self.0)) };
        }
    }
}

impl Drop for Exec {
    fn drop(&mut self) {
        if let Ok(_entered) = self.1.enter() {
            // SAFETY: created once, in `Capture::end`; the driver finishes launches of it.
            let _ = unsafe { cu!(cuGraphExecDestroy(self.0)) };
        }
    }
}

impl Capture {
    fn begin(device: &Device) -> Result<Self, Error> {
        let _entered = device.enter()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the context is current; a place for the answer.
        unsafe { cu!(cuGraphCreate(&mut raw, 0)) }?;
        let graph = Handle(raw, device.clone());
        Ok(Self { graph, nodes: Vec::new(), faults: Vec::new(), scalars: Vec::new(), device: device.clone() })
    }

    /// Adds a call after the ones before.
    pub(super) fn add(&mut self, stream: &Stream, launch: Launch) -> Result<(), Error> {
        let mut scalars = Vec::new();
        for operand in &launch.operands {
            if let Place::Scalar { bytes, size } = operand {
                let word = self.scalar()?;
                // Written once: kernels only read it.
                stream.set_scalar(word, bytes, *size)?;
                scalars.push(word);
            }
        }
        let fault = if launch.function.may_fault { self.faults(stream)?.word(&launch.site) } else { 0 };
        let mut node = Node { raw: std::ptr::null_mut(), launch, scalars, fault, changed: false };
        let before: Vec<sys::CUgraphNode> = self.nodes.last().map(|node| node.raw).into_iter().collect();
        let mut raw = std::ptr::null_mut();
        let _entered = self.device.enter()?;
        // SAFETY: a live graph, the node before, and arguments in order, which the driver copies.
        let added = node.with_parameters(|parameters| unsafe {
            cu!(cuGraphAddKernelNode_v2(&mut raw, self.graph.0, before.as_ptr(), before.len(), parameters))
        });
        if added.is_err() && node.launch.function.may_fault {
            self.faults.last().into_iter().for_each(|faults| faults.take_back());
        }
        added?;
        node.raw = raw;
        self.nodes.push(node);
        Ok(())
    }

    /// A word for a scalar.
    fn scalar(&mut self) -> Result<u64, Error> {
        loop {
            if let Some(word) = self.scalars.last_mut().and_then(Words::next) {
                return Ok(word);
            }
            self.scalars.push(Words::new(&self.device)?);
        }
    }

    /// Words for faults, with a free one among them.
    fn faults(&mut self, stream: &Stream) -> Result<&Faults, Error> {
        if self.faults.last().is_none_or(|faults| faults.is_full()) {
            self.faults.push(Arc::new(Faults::new(stream)?));
        }
        Ok(&self.faults[self.faults.len() - 1])
    }

    fn end(self, stream: &Stream) -> Result<Graph, Error> {
        // Other streams may launch the graph: what was written for it is there by then.
        stream.synchronize_raw()?;
        let _entered = self.device.enter()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: a live graph; a place for the answer.
        unsafe { cu!(cuGraphInstantiateWithFlags(&mut raw, self.graph.0, 0)) }?;
        Ok(Graph { exec: Exec(raw, self.device.clone()), capture: self })
    }
}

impl Node {
    /// Calls the driver with the node's parameters.
    fn with_parameters<R>(&self, then: impl FnOnce(&sys::CUDA_KERNEL_NODE_PARAMS) -> R) -> R {
        let mut scalars = self.scalars.iter();
        let address = |operand: &Place| match operand {
            Place::At(place) => place.at,
            Place::Scalar { .. } => scalars.next().copied().unwrap_or(0),
        };
        let addresses: Vec<u64> = self.launch.operands.iter().map(address).collect();
        let mut arguments = self.launch.arguments(&addresses, self.fault);
        let mut pointers: Vec<*mut c_void> = arguments.iter_mut().map(|a| a.as_mut_ptr().cast()).collect();
        then(&sys::CUDA_KERNEL_NODE_PARAMS {
            func: self.launch.function.raw(),
            gridDimX: self.launch.grid,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: self.launch.block,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: 0,
            kernelParams: pointers.as_mut_ptr(),
            extra: std::ptr::null_mut(),
            kern: std::ptr::null_mut(),
            ctx: std::ptr::null_mut(),
        })
    }
}

/// An array as an operand of a graph's calls.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// The dtype of its elements.
    pub dtype: DtypeId,
    /// The address of its first element.
    pub at: u64,
    /// The lengths of its axes.
    pub shape: Vec<usize>,
    /// Bytes from element to element on each axis.
    pub steps: Vec<isize>,
}

impl Graph {
    /// Notes the calls that `record` makes on the stream, which run when the graph is launched. An array cannot be allocated, copied or waited for meanwhile.
    ///
    /// # Errors
    /// Those of the calls, a capture that is under way already, and what the driver refuses.
    pub fn capture(stream: &Stream, record: impl FnOnce() -> Result<(), Error>) -> Result<Self, Error> {
        struct Cancel<'a>(&'a Stream);
        impl Drop for Cancel<'_> {
            fn drop(&mut self) {
                self.0.set_capture(None);
            }
        }
        Self::begin(stream)?;
        let cancel = Cancel(stream);
        record()?;
        let capture = stream.set_capture(None);
        drop(cancel);
        Self::ended(stream, capture)
    }

    /// Begins a capture; [`end`](Self::end) or [`cancel`](Self::cancel) ends it.
    ///
    /// # Errors
    /// As for [`capture`](Self::capture).
    pub fn begin(stream: &Stream) -> Result<(), Error> {
        stream.no_capture("a graph cannot be captured")?;
        let capture = Capture::begin(stream.device())?;
        stream.set_capture(Some(capture));
        Ok(())
    }

    /// Ends a capture.
    ///
    /// # Errors
    /// None is under way, or what the driver refuses.
    pub fn end(stream: &Stream) -> Result<Self, Error> {
        Self::ended(stream, stream.set_capture(None))
    }

    /// Forgets a capture.
    pub fn cancel(stream: &Stream) {
        stream.set_capture(None);
    }

    fn ended(stream: &Stream, capture: Option<Capture>) -> Result<Self, Error> {
        capture.ok_or_else(|| Error::Graph("no graph is being captured on this stream".to_owned()))?.end(stream)
    }

    /// How many calls it has.
    pub fn len(&self) -> usize {
        self.capture.nodes.len()
    }

    /// Whether one of its calls may have a fault, so that there is something to wait for.
    pub fn may_fault(&self) -> bool {
        !self.capture.faults.is_empty()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts `new` in the place of `old`, wherever a call reads or writes it, from the next launch on.
    ///
    /// # Errors
    /// No call has `old`; `new` has another shape, other strides, or lies on another device or so that the kernel cannot move packs of it.
    pub fn replace<T: Dtype>(&mut self, old: &DeviceArray<T>, new: &DeviceArray<T>) -> Result<(), Error> {
        if !new.buffer().device().is(&self.capture.device) {
            return Err(Error::Graph(format!(
                "the new array is on device {}; accepted is one on device {}, that of the graph",
                new.buffer().device().ordinal(),
                self.capture.device.ordinal()
            )));
        }
        let of = |array: &DeviceArray<T>| Replacement {
            dtype: T::ID,
            at: array.address(),
            shape: array.shape().to_vec(),
            steps: array.strides().iter().map(|stride| stride * size_of::<T>() as isize).collect(),
        };
        self.replace_kept(&of(old), &of(new), Some(new.buffer()))
    }

    /// [`replace`](Self::replace) for arrays of other libraries.
    ///
    /// # Errors
    /// As for [`replace`](Self::replace).
    ///
    /// # Safety
    /// The elements of `new` are on the graph's device for as long as launches of the graph use them.
    pub unsafe fn replace_at(&mut self, old: &Replacement, new: &Replacement) -> Result<(), Error> {
        self.replace_kept(old, new, None)
    }

    fn replace_kept(&mut self, old: &Replacement, new: &Replacement, keep: Option<&Arc<Buffer>>) -> Result<(), Error> {
        if (old.dtype, &old.shape, &old.steps) != (new.dtype, &new.shape, &new.steps) {
            let show = |r: &Replacement| format!("{} of shape {:?} and steps {:?}", r.dtype, r.shape, r.steps);
            return Err(Error::Graph(format!("the new array is {}; accepted is one like the old one, {}", show(new), show(old))));
        }
        let uses = |place: &At| place.base == old.at && place.dtype == old.dtype && place.shape == old.shape && place.steps == old.steps;
        let moved = |place: &At| new.at.wrapping_add(place.at.wrapping_sub(place.base));
        let mut found = false;
        for node in &self.capture.nodes {
            for operand in &node.launch.operands {
                let Place::At(place) = operand else { continue };
                if !uses(place) {
                    continue;
                }
                found = true;
                if !moved(place).is_multiple_of(place.align) {
                    return Err(Error::Graph(format!(
                        "{}: the new array begins at {:#x}; accepted is an address that {} divides, as the old one's",
                        node.launch.site.kernel(),
                        new.at,
                        place.align
                    )));
                }
            }
        }
        if !found {
            return Err(Error::Graph(format!(
                "no call of the graph has the array at {:#x} of {} and shape {:?}",
                old.at, old.dtype, old.shape
            )));
        }
        for node in &mut self.capture.nodes {
            for operand in &mut node.launch.operands {
                if let Place::At(place) = operand
                    && uses(place)
                {
                    *place = At { at: moved(place), base: new.at, _keep: keep.cloned(), ..place.clone() };
                    node.changed = true;
                }
            }
        }
        Ok(())
    }

    /// Launches all calls, in the stream's order, and does not wait: [`Stream::synchronize`] reports faults.
    ///
    /// # Errors
    /// A stream of another device, or that captures a graph; what the driver refuses.
    pub fn launch(&mut self, stream: &Stream) -> Result<(), Error> {
        stream.no_capture("a graph cannot be launched")?;
        if !stream.device().is(&self.capture.device) {
            let (came, own) = (stream.device().ordinal(), self.capture.device.ordinal());
            return Err(Error::Graph(format!("the stream is on device {came}; accepted is one on device {own}, that of the graph")));
        }
        if self.is_empty() {
            return Ok(());
        }
        let _entered = self.capture.device.enter()?;
        let exec = self.exec.0;
        for node in self.capture.nodes.iter_mut().filter(|node| node.changed) {
            let raw = node.raw;
            // SAFETY: a live graph and a node of it; the driver copies the arguments.
            node.with_parameters(|parameters| unsafe { cu!(cuGraphExecKernelNodeSetParams_v2(exec, raw, parameters)) })?;
            node.changed = false;
        }
        stream.note(&self.capture.faults);
        // SAFETY: a live graph; its arrays are kept, or whoever gave them keeps them.
        unsafe { cu!(cuGraphLaunch(exec, stream.raw())) }
    }
}
