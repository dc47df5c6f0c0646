//! Memory on a device: raw, and typed with a shape.

use super::driver::cu;
use super::{Device, Error, Stream};
use crate::operand::{Operand, OutputOperand, Source};
use lanecraft_core::Dtype;
use std::marker::PhantomData;
use std::sync::Arc;

/// Bytes on a device, freed when dropped. The driver waits then for what still uses them.
#[derive(Debug)]
pub(super) struct Buffer {
    device: Device,
    at: u64,
}

impl Buffer {
    pub(super) fn new(device: &Device, bytes: usize) -> Result<Self, Error> {
        let _entered = device.enter()?;
        let mut at = 0;
        // SAFETY: the context is current; the driver refuses 0 bytes, so there is always one.
        unsafe { cu!(cuMemAlloc_v2(&mut at, bytes.max(1))) }?;
        Ok(Self { device: device.clone(), at })
    }

    /// Its address on the device.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    pub(super) fn device(&self) -> &Device {
        &self.device
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Ok(_entered) = self.device.enter() {
            // SAFETY: allocated once, in `new`.
            let _ = unsafe { cu!(cuMemFree_v2(self.at)) };
        }
    }
}

/// An array of elements `T` on a device, with a shape and strides.
#[derive(Debug)]
pub struct DeviceArray<T> {
    buffer: Arc<Buffer>,
    shape: Vec<usize>,
    /// In elements.
    strides: Vec<isize>,
    element: PhantomData<T>,
}

impl<T: Dtype> DeviceArray<T> {
    /// An array of zeros.
    ///
    /// # Errors
    /// No memory, or the stream captures a graph.
    pub fn zeros(stream: &Stream, shape: &[usize]) -> Result<Self, Error> {
        let array = Self::unset(stream, shape)?;
        // SAFETY: as many bytes as were allocated.
        unsafe { stream.fill(array.buffer.at, 0, array.len() * size_of::<T>()) }?;
        Ok(array)
    }

    /// A copy of host elements, of this shape. It returns when they are copied.
    ///
    /// # Errors
    /// A shape that does not hold as many elements; no memory; the stream captures a graph.
    pub fn upload(stream: &Stream, elements: &[T], shape: &[usize]) -> Result<Self, Error> {
        let count = shape.iter().product::<usize>();
        if count != elements.len() {
            return Err(crate::Error::Shape {
                kernel: "upload",
                argument: "shape".to_owned(),
                came: format!("{shape:?}, which holds {count} elements"),
                accepted: format!("a shape that holds {}, as many as came", elements.len()),
            }
            .into());
        }
        let array = Self::unset(stream, shape)?;
        // SAFETY: as many bytes as both hold.
        unsafe { stream.copy_in(array.buffer.at, elements.as_ptr().cast(), size_of_val(elements)) }?;
        Ok(array)
    }

    /// An array with whatever its memory holds: nothing reads it before it is written.
    fn unset(stream: &Stream, shape: &[usize]) -> Result<Self, Error> {
        stream.no_capture("an array cannot be allocated")?;
        let count = shape.iter().product::<usize>();
        let buffer = Arc::new(Buffer::new(stream.device(), count * size_of::<T>())?);
        let mut strides = vec![1; shape.len()];
        for axis in (1..shape.len()).rev() {
            strides[axis - 1] = strides[axis] * shape[axis] as isize;
        }
        Ok(Self { buffer, shape: shape.to_vec(), strides, element: PhantomData })
    }

    /// The elements, in the order of the array's axes. Waits for the stream.
    ///
    /// # Errors
    /// What the driver refuses, and faults of the stream's calls.
    pub fn download(&self, stream: &Stream) -> Result<Vec<T>, Error> {
        // Permuted axes fill the memory as the ones before did.
        let mut memory = vec![T::default(); self.len()];
        // SAFETY: as many bytes as both hold; only kernels of this crate and copies of `T`s write there, so they are values of `T`.
        unsafe { stream.copy_out(memory.as_mut_ptr().cast(), self.buffer.at, size_of_val(memory.as_slice())) }?;
        let mut index = vec![0_usize; self.shape.len()];
        let mut elements = Vec::with_capacity(memory.len());
        for _ in 0..memory.len() {
            let at: isize = index.iter().zip(&self.strides).map(|(i, stride)| *i as isize * stride).sum();
            elements.push(memory[at as usize]);
            for (i, n) in index.iter_mut().zip(&self.shape).rev() {
                *i += 1;
                if *i < *n {
                    break;
                }
                *i = 0;
            }
        }
        Ok(elements)
    }

    /// The same elements, with the axes in another order: `axes[k]` becomes axis `k`.
    ///
    /// # Errors
    /// Not each axis once.
    pub fn permuted(self, axes: &[usize]) -> Result<Self, Error> {
        let mut seen = vec![false; self.shape.len()];
        axes.iter().for_each(|axis| seen.get_mut(*axis).into_iter().for_each(|seen| *seen = true));
        if axes.len() != seen.len() || seen.contains(&false) {
            return Err(crate::Error::Shape {
                kernel: "permuted",
                argument: "axes".to_owned(),
                came: format!("{axes:?}"),
                accepted: format!("each of 0..{} once", seen.len()),
            }
            .into());
        }
        let (shape, strides) = axes.iter().map(|axis| (self.shape[*axis], self.strides[*axis])).unzip();
        Ok(Self { shape, strides, ..self })
    }

    /// The lengths of its axes.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Elements from element to element on each axis.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The address of its first element on the device.
    pub fn address(&self) -> u64 {
        self.buffer.at
    }

    pub(super) fn buffer(&self) -> &Arc<Buffer> {
        &self.buffer
    }

    fn source(&self) -> Source {
        let steps = self.strides.iter().map(|stride| stride * size_of::<T>() as isize).collect();
        // An address of the device's: the host only counts with it.
        Source::Array { at: std::ptr::without_provenance_mut(self.buffer.at as usize), shape: self.shape.clone(), steps }
    }

    pub(super) fn operand(&self) -> Operand<'_> {
        Operand::new::<T>(self.source())
    }

    pub(super) fn output_operand(&mut self) -> OutputOperand<'_> {
        OutputOperand(Operand::new::<T>(self.source()))
    }
}
