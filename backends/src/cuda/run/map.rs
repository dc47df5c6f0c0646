//! Launching map kernels: side by side where the operands lie so, by a plan of axes where they do not.

use super::fault::Site;
use super::launch::{At, Launch, Place, geometry};
use super::{Call, Error, Stream};
use crate::cuda::{CudaInfo, Entry};
use crate::level::Level;
use crate::map::{broadcast_step, check};
use crate::nest::Nest;
use crate::operand::{Operand, Source};
use crate::variant::{KernelInfo, Variant};
use lanecraft_core::map::MAX_OPERANDS;
use std::ffi::c_void;
use std::sync::Arc;

/// Axes of `lc::Plan`.
const MAX_AXES: usize = 8;
/// Rounds of the whole device that a launch has at most; more only start and end more threads.
const ROUNDS: u64 = 4;

/// Launches a map kernel's variant. Its site; `None` where there is no element.
pub(super) fn launch(call: &Call<'_>, kernel: &'static CudaInfo, variant: usize) -> Result<Option<Arc<dyn Site>>, Error> {
    let info = &kernel.info;
    check(info, &call.inputs, &call.outputs)?;
    let operands = call.operands();
    let shape = call.outputs[0].0.shape();
    if shape.contains(&0) {
        return Ok(None);
    }
    let nest = Arc::new(nest(&operands, call.inputs.len(), shape));
    let prepared = call.stream.device().0.kernels.prepared(call.stream.device(), call.kernel)?;
    let Some(entry) = prepared.entries.iter().find(|entry| entry.variant == variant) else { return Ok(None) };
    let n = shape.iter().map(|n| *n as u64).product::<u64>();
    let flat = flat(&nest, entry, &operands, n);
    let function = prepared.function(call.stream.device(), if flat.is_some() { &entry.name } else { &entry.strided })?;
    let pack = if flat.is_some() { entry.pack } else { 1 };
    let limits = call.stream.device().limits();
    let most = u64::from(function.grid) * ROUNDS;
    let (grid, block) =
        geometry(info.name, call.asked, &function, limits, 1, |block| n.div_ceil(pack as u64 * u64::from(block)).min(most))?;
    let behind = match flat {
        Some(single) => vec![single],
        None => plan(info, &nest)?,
    };
    let (starts, _) = nest.axes();
    let places = operands.iter().zip(starts).enumerate().map(|(k, (operand, at))| {
        let align = operand.dtype.size() * if flat.is_some_and(|single| single >> k & 1 == 0) && n > 1 { pack } else { 1 };
        call.place(k, operand, at.addr() as u64, align as u64)
    });
    let operands = places.collect::<Result<Vec<Place>, Error>>()?;
    let site: Arc<dyn Site> = Arc::new(MapSite {
        info,
        variant: &info.variants[variant],
        nest,
        scalars: operands.iter().map(|place| if let Place::Scalar { bytes, .. } = place { Some(*bytes) } else { None }).collect(),
        shape: shape.to_vec(),
    });
    call.stream.submit(Launch { function, grid, block, operands, behind: vec![behind, vec![n]], site: site.clone() })?;
    Ok(function.may_fault.then_some(site))
}

/// The operands' axes, merged as on the CPU, so that the lowest fault is the same one.
fn nest(operands: &[&Operand<'_>], inputs: usize, shape: &[usize]) -> Nest {
    let mut at = [std::ptr::null_mut(); MAX_OPERANDS];
    for (at, operand) in at.iter_mut().zip(operands) {
        // A scalar has its address later.
        *at = if let Source::Scalar(_) = operand.source { std::ptr::null_mut() } else { operand.at() };
    }
    let steps = |axis: usize| {
        let mut steps = [0; MAX_OPERANDS];
        steps.iter_mut().zip(operands).for_each(|(step, operand)| *step = broadcast_step(operand, shape.len(), axis));
        steps
    };
    match shape {
        &[len] => Nest::line(at, operands.len(), len, steps(0)),
        _ => Nest::new(shape, at, operands.len(), inputs, steps),
    }
}

/// The bits of the inputs that are one value, if all else lies side by side and aligned.
fn flat(nest: &Nest, entry: &Entry, operands: &[&Operand<'_>], n: u64) -> Option<u64> {
    if n == 1 {
        return Some(0);
    }
    let (starts, axes) = nest.axes();
    let [(_, steps)] = axes[..] else { return None };
    let mut single = 0;
    for (k, ((operand, step), at)) in operands.iter().zip(steps).zip(starts).enumerate() {
        let size = operand.dtype.size();
        if *step == 0 && k < entry.inputs.len() {
            single |= 1 << k;
        } else if *step != size as isize || !at.addr().is_multiple_of(size * entry.pack) {
            return None;
        }
    }
    Some(single)
}

/// `lc::Plan`: axes, their lengths, and for each operand its distances.
fn plan(info: &KernelInfo, nest: &Nest) -> Result<Vec<u64>, Error> {
    let (starts, axes) = nest.axes();
    if axes.len() > MAX_AXES {
        return Err(crate::Error::Shape {
            kernel: info.name,
            argument: "the operands".to_owned(),
            came: format!("{} axes that cannot be merged", axes.len()),
            accepted: format!("up to {MAX_AXES}; copy an operand so that its elements lie side by side"),
        }
        .into());
    }
    let mut words = vec![axes.len() as u64];
    words.extend((0..MAX_AXES).map(|axis| axes.get(axis).map_or(0, |(len, _)| *len as u64)));
    for k in 0..starts.len() {
        words.extend((0..MAX_AXES).map(|axis| axes.get(axis).map_or(0, |(_, steps)| steps[k] as u64)));
    }
    Ok(words)
}

/// A launch of a map kernel.
#[derive(Debug)]
struct MapSite {
    info: &'static KernelInfo,
    variant: &'static Variant,
    nest: Arc<Nest>,
    /// The values of scalar operands.
    scalars: Vec<Option<[u8; 8]>>,
    shape: Vec<usize>,
}

impl Site for MapSite {
    fn kernel(&self) -> &'static str {
        self.info.name
    }

    fn index(&self, element: usize) -> (Vec<usize>, Vec<usize>) {
        (self.nest.index(self.shape.len(), element), self.shape.clone())
    }

    fn on_cpu(&self, stream: &Stream, element: usize) -> Result<Option<crate::Error>, Error> {
        let dtypes: Vec<_> = self.variant.inputs.iter().chain(self.variant.outputs).collect();
        let mut values: Vec<[u8; 8]> = self.scalars.iter().map(|scalar| scalar.unwrap_or_default()).collect();
        for (k, at) in self.nest.place(element).into_iter().enumerate().take(self.variant.inputs.len()) {
            if self.scalars[k].is_none() {
                // SAFETY: an element of the operand, which the caller says is as it was.
                unsafe { stream.copy_out_later(values[k].as_mut_ptr().cast::<c_void>(), at.addr() as u64, dtypes[k].size()) }?;
            }
        }
        stream.synchronize_raw()?;
        let Ok(level) = Level::active() else { return Ok(None) };
        let args: Vec<*mut u8> = values.iter_mut().map(|value| value.as_mut_ptr()).collect();
        let steps: Vec<isize> = dtypes.iter().map(|dtype| dtype.size() as isize).collect();
        // SAFETY: one element of each operand, of the variant's dtypes; the active level is available.
        let ran = unsafe { self.variant.run_at(level, &args, 1, &steps) };
        let (index, shape) = self.index(element);
        Ok(ran.err().map(|fault| crate::Error::Fault { kernel: self.info.name, kind: fault.kind, index, shape }))
    }
}

impl Call<'_> {
    /// Where an operand is, for a launch.
    pub(super) fn place(&self, k: usize, operand: &Operand<'_>, at: u64, align: u64) -> Result<Place, Error> {
        if let Source::Scalar(bytes) = operand.source {
            return Ok(Place::Scalar { bytes, size: operand.dtype.size() });
        }
        let size = operand.dtype.size() as u64;
        if !at.is_multiple_of(size) {
            return Err(crate::Error::Shape {
                kernel: self.kernel.name(),
                argument: self.operand_name(k),
                came: format!("elements at the address {at:#x}"),
                accepted: format!("an address that {size}, the size of {}, divides", operand.dtype),
            }
            .into());
        }
        let steps = (0..operand.shape().len()).map(|axis| operand.step(axis)).collect();
        Ok(Place::At(At {
            at,
            base: operand.at().addr() as u64,
            align,
            dtype: operand.dtype,
            shape: operand.shape().to_vec(),
            steps,
            _keep: self.keep(k),
        }))
    }
}
