//! Launching block kernels: one block of threads per item.

use super::fault::Site;
use super::launch::{Launch, Place, geometry};
use super::{Call, Error, Stream};
use crate::block::run::{Layout, named};
use crate::block::{self, BlockFault, BlockInfo, BlockVariant};
use crate::cuda::CudaBlockInfo;
use crate::error::RunError;
use crate::level::Level;
use lanecraft_core::block::ItemFault;
use std::ffi::c_void;
use std::sync::Arc;

/// Threads of a warp, of which a block has whole ones.
const WARP: u32 = 32;
/// Axes of an operand in `lc::Items`.
const AXES: usize = 4;
/// Elements that a thread has of an item, where the item has as many: fewer threads meet faster.
const EACH: usize = 4;

/// Launches a block kernel's variant. The sites of its launches that may have faults.
pub(super) fn launch(call: &Call<'_>, kernel: &'static CudaBlockInfo, variant: usize) -> Result<Option<Arc<dyn Site>>, Error> {
    let info = &kernel.info;
    let operands = call.operands();
    let layout = Arc::new(Layout::new(info, &operands, call.inputs.len(), true)?);
    let empty = info.signature.dims.iter().zip(&layout.dims).position(|(dim, len)| dim.nonempty && *len == 0);
    if layout.parts == 0 {
        return Ok(None);
    }
    if let Some(dim) = empty {
        return Err(named(info, RunError::Empty(dim), 0, &layout.shape).into());
    }
    let device = call.stream.device();
    let prepared = device.0.kernels.prepared(device, call.kernel)?;
    let Some(entry) = prepared.blocks.iter().find(|entry| entry.variant == variant) else { return Ok(None) };
    let function = prepared.function(device, &entry.name)?;
    let size = |dims: &&[usize]| dims.iter().map(|dim| layout.dims[*dim]).product::<usize>();
    let largest = info.signature.operands.iter().map(size).max().unwrap_or(1);
    let mut asked = call.asked;
    asked.block = asked.block.or_else(|| Some(suiting(largest, function.block.min(function.max_block).min(device.limits().block))));
    let (grid, block) = geometry(info.name, asked, &function, device.limits(), WARP, |_| layout.count as u64)?;
    let mut last = None;
    for part in 0..layout.parts {
        let starts = layout.first(part);
        let places = operands.iter().zip(&starts).enumerate();
        let places = places.map(|(k, (operand, at))| call.place(k, operand, at.addr() as u64, operand.dtype.size() as u64));
        let operands = places.collect::<Result<Vec<Place>, Error>>()?;
        let scalars = operands.iter().map(|place| if let Place::Scalar { bytes, .. } = place { Some(*bytes) } else { None }).collect();
        let site: Arc<dyn Site> = Arc::new(BlockSite { info, variant: &info.variants[variant], layout: layout.clone(), scalars, part });
        let items = items(info, &layout);
        call.stream.submit(Launch { function, grid, block, operands, behind: vec![items], site: site.clone() })?;
        last = function.may_fault.then_some(site);
    }
    Ok(last)
}

/// Threads of a block for items of as many elements, up to what the kernel's registers and the device allow.
fn suiting(elements: usize, most: u32) -> u32 {
    let wanted = elements.div_ceil(EACH).next_multiple_of(WARP as usize).min(1024) as u32;
    wanted.min(most / WARP * WARP).max(WARP)
}

/// `lc::Items`.
fn items(info: &BlockInfo, layout: &Layout) -> Vec<u64> {
    let mut words = vec![layout.count as u64];
    words.extend(layout.dims.iter().map(|dim| *dim as u64));
    words.extend(layout.dims.is_empty().then_some(0));
    words.extend(layout.steps.iter().map(|step| *step as u64));
    let mut core = layout.core_steps.iter();
    for dims in info.signature.operands {
        let own: Vec<u64> = core.by_ref().take(dims.len()).map(|step| *step as u64).collect();
        words.extend((0..AXES).map(|axis| own.get(axis).copied().unwrap_or(0)));
    }
    words
}

/// A launch of a block kernel: a part of the items.
struct BlockSite {
    info: &'static BlockInfo,
    variant: &'static BlockVariant,
    layout: Arc<Layout>,
    /// The values of scalar operands.
    scalars: Vec<Option<[u8; 8]>>,
    part: usize,
}

// SAFETY: what it points to is the device's, or is used by unsafe calls alone, which answer for it.
unsafe impl Send for Layout {}
// SAFETY: as above.
unsafe impl Sync for Layout {}

impl std::fmt::Debug for BlockSite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockSite").field("kernel", &self.info.name).field("part", &self.part).finish_non_exhaustive()
    }
}

impl Site for BlockSite {
    fn kernel(&self) -> &'static str {
        self.info.name
    }

    fn index(&self, element: usize) -> (Vec<usize>, Vec<usize>) {
        let shape = &self.layout.shape;
        let mut rest = self.part * self.layout.count + element;
        let mut index = vec![0; shape.len()];
        for (at, n) in index.iter_mut().zip(shape).rev() {
            (*at, rest) = (rest % n, rest / n);
        }
        (index, shape.clone())
    }

    fn on_cpu(&self, stream: &Stream, element: usize) -> Result<Option<crate::Error>, Error> {
        let layout = &*self.layout;
        let mut memory: Vec<Vec<u64>> = Vec::new();
        let mut args: Vec<*mut u8> = Vec::new();
        let mut core = layout.core_steps.iter();
        for (k, (dims, start)) in self.info.signature.operands.iter().zip(layout.first(self.part)).enumerate() {
            // The bytes between the operand's lowest element and its highest one.
            let (mut low, mut high) = (0_isize, 0_isize);
            for (dim, step) in dims.iter().zip(core.by_ref()) {
                let reach = step * (layout.dims[*dim] as isize - 1).max(0);
                if reach < 0 { low += reach } else { high += reach }
            }
            let size = self.variant.operands()[k].size();
            let bytes = (high - low) as usize + size;
            let mut own = vec![0_u64; bytes.div_ceil(8)];
            let empty = dims.iter().any(|dim| layout.dims[*dim] == 0);
            match self.scalars.get(k).copied().flatten() {
                Some(scalar) => own[0] = u64::from_le_bytes(scalar),
                None if empty => {}
                None => {
                    let at = (start.addr() as isize + element as isize * layout.steps[k] + low) as u64;
                    // SAFETY: elements of the operand, which the caller says is as it was.
                    unsafe { stream.copy_out_later(own.as_mut_ptr().cast::<c_void>(), at, bytes) }?;
                }
            }
            args.push(own.as_mut_ptr().cast::<u8>().wrapping_offset(-low));
            memory.push(own);
        }
        stream.synchronize_raw()?;
        let Ok(level) = Level::active() else { return Ok(None) };
        let steps = vec![0; args.len()];
        let call =
            block::variant::Call { args: &args, count: 1, steps: &steps, dims: &layout.dims, core_steps: &layout.core_steps, fresh: 0 };
        // SAFETY: one item, of the variant's dtypes, where the core steps say; the active level is available.
        let ran = unsafe { self.variant.run_at(level, &self.info.signature, &call) };
        drop(memory);
        let Err(BlockFault { fault, .. }) = ran else { return Ok(None) };
        if fault == ItemFault::Elsewhere {
            return Ok(None);
        }
        let before = self.part * layout.count;
        Ok(Some(named(self.info, RunError::Item(BlockFault { item: element, fault }), before, &layout.shape)))
    }
}
