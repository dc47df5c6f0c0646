//! A block kernel over typed arrays: what `softmax::run(&x, &mut y)` calls.

use super::info::{BlockFunction, BlockInfo};
use super::variant::{BlockFault, BlockVariant, Call};
use crate::error::{Error, RunError};
use crate::level::Level;
use crate::operand::{Operand, OutputOperand, Source};
use lanecraft_core::NoMemory;
use lanecraft_core::block::{BlockKernel, ItemFault};

/// Runs kernel `K` on the dtypes `A`: on one item, or with `batch` on as many as the axes before the core ones hold.
///
/// # Errors
/// Shapes that do not fit the signature; and what [`BlockVariant::run`] fails on.
#[doc(hidden)]
pub fn run_block<K: BlockFunction + BlockKernel<A>, A: 'static>(
    inputs: &[Operand<'_>],
    outputs: &[OutputOperand<'_>],
    batch: bool,
) -> Result<(), Error> {
    run_erased(const { &K::INFO }, const { &BlockVariant::of::<K, A>() }, inputs, outputs, batch)
}

fn run_erased(
    info: &'static BlockInfo,
    variant: &BlockVariant,
    inputs: &[Operand<'_>],
    outputs: &[OutputOperand<'_>],
    batch: bool,
) -> Result<(), Error> {
    let operands: Vec<&Operand<'_>> = inputs.iter().chain(outputs.iter().map(|o| &o.0)).collect();
    assert!(operands.iter().map(|o| o.dtype).eq(variant.operands().iter().copied()), "operands are of the variant's dtypes");
    let layout = Layout::new(info, &operands, inputs.len(), batch)?;
    for part in 0..layout.parts {
        let args = layout.first(part);
        let Layout { count, steps, dims, core_steps, .. } = &layout;
        let call = Call { args: &args, count: *count, steps, dims, core_steps, fresh: 0 };
        // SAFETY: the operands borrow their memory, the outputs exclusively; their shapes fit the signature and each other, their dtypes
        // the variant; outputs are not broadcast, so no two items share elements of one.
        unsafe { variant.run(&info.signature, &call) }.map_err(|error| named(info, error, part * count, &layout.shape))?;
    }
    Ok(())
}

/// Where the items of a call lie: so many parts, each with items at equal steps.
pub(crate) struct Layout {
    /// The size of each core dimension.
    pub(crate) dims: Vec<usize>,
    /// The shape of the batch.
    pub(crate) shape: Vec<usize>,
    /// Bytes from element to element on each core axis, operand by operand.
    pub(crate) core_steps: Vec<isize>,
    /// The items of a part.
    pub(crate) count: usize,
    /// Bytes from item to item in a part, for each operand.
    pub(crate) steps: Vec<isize>,
    /// How many parts: none of an empty batch.
    pub(crate) parts: usize,
    /// The first item of each operand.
    at: Vec<*mut u8>,
    /// The axes of the batch that parts count, and bytes from item to item on them for each operand.
    outer: Vec<(usize, Vec<isize>)>,
}

impl Layout {
    /// Of operands, the first `inputs` of which are read.
    ///
    /// # Errors
    /// Shapes that do not fit the signature.
    pub(crate) fn new(info: &BlockInfo, operands: &[&Operand<'_>], inputs: usize, batch: bool) -> Result<Self, Error> {
        let missing = missing(info, operands);
        let (dims, shape) = shapes(info, operands, &missing, inputs, batch)?;
        let core = |k: usize| info.signature.operands[k].iter().filter(|d| !missing[**d]).count();
        let mut core_steps: Vec<isize> = Vec::new();
        for (k, o) in operands.iter().enumerate() {
            let mut axis = o.shape().len() - core(k);
            for dim in info.signature.operands[k] {
                // Of a dimension that is not there, there is one element.
                core_steps.push(if missing[*dim] { 0 } else { o.step(axis) });
                axis += usize::from(!missing[*dim]);
            }
        }
        // Bytes from item to item on each axis of the batch.
        let step = |k: usize, axis: usize| {
            let own = operands[k].shape().len() - core(k);
            match (axis + own).checked_sub(shape.len()) {
                Some(axis) if operands[k].shape()[axis] != 1 => operands[k].step(axis),
                _ => 0,
            }
        };
        // The innermost axis, with those before it that continue it.
        let all: Vec<usize> = (0..operands.len()).collect();
        let mut inner = shape.len();
        let mut count = 1;
        let mut steps = vec![0; operands.len()];
        while let Some(axis) = inner.checked_sub(1) {
            let continues = all.iter().all(|&k| step(k, axis) == steps[k] * count as isize);
            if inner < shape.len() && count > 1 && !continues {
                break;
            }
            if count == 1 {
                steps = all.iter().map(|&k| step(k, axis)).collect();
            }
            count *= shape[axis];
            inner = axis;
        }
        let outer: Vec<(usize, Vec<isize>)> = (0..inner).map(|axis| (shape[axis], all.iter().map(|&k| step(k, axis)).collect())).collect();
        let parts = if count == 0 { 0 } else { shape[..inner].iter().product() };
        Ok(Self { dims, shape, core_steps, count, steps, parts, at: operands.iter().map(|o| o.at()).collect(), outer })
    }

    /// The first item of each operand in a part.
    pub(crate) fn first(&self, mut part: usize) -> Vec<*mut u8> {
        let mut args = self.at.clone();
        for (len, steps) in self.outer.iter().rev() {
            let index = (part % len) as isize;
            part /= len;
            for (at, step) in args.iter_mut().zip(steps) {
                *at = at.wrapping_offset(index * step);
            }
        }
        args
    }
}

/// Runs a variant on a given level and on the calling thread alone, for tests: its error has names, and the number of the item as index.
///
/// # Errors
/// A fault, of the lowest item that has one.
///
/// # Safety
/// As for [`BlockVariant::run_at`].
pub unsafe fn run_on(info: &'static BlockInfo, variant: &BlockVariant, level: Level, call: &Call<'_>) -> Result<(), Error> {
    let shape = if call.count == 1 { &[][..] } else { &[call.count][..] };
    // SAFETY: the caller's promise.
    unsafe { variant.run_at(level, &info.signature, call) }.map_err(|fault| named(info, RunError::Item(fault), 0, shape))
}

/// Which dimensions no operand has: the optional ones of an operand with too few axes.
fn missing(info: &BlockInfo, operands: &[&Operand<'_>]) -> Vec<bool> {
    let mut missing = vec![false; info.signature.dims.len()];
    for (operand, core) in operands.iter().zip(info.signature.operands) {
        if operand.shape().len() < core.iter().filter(|d| !missing[**d]).count() {
            core.iter().filter(|d| info.signature.dims[**d].optional).for_each(|d| missing[*d] = true);
        }
    }
    missing
}

/// The sizes of the core dimensions, and the shape of the batch.
fn shapes(
    info: &BlockInfo,
    operands: &[&Operand<'_>],
    missing: &[bool],
    inputs: usize,
    batch: bool,
) -> Result<(Vec<usize>, Vec<usize>), Error> {
    let mut dims: Vec<Option<(usize, usize)>> = vec![None; info.signature.dims.len()];
    let mut shape: Vec<usize> = Vec::new();
    let mismatch = |k: usize, came: String, accepted: String| {
        Err(Error::Shape { kernel: info.name, argument: info.operand(k).to_owned(), came, accepted })
    };
    for (k, operand) in operands.iter().enumerate() {
        let own = operand.shape();
        let core: Vec<usize> = info.signature.operands[k].iter().copied().filter(|d| !missing[*d]).collect();
        let text = info.signature.show(k);
        if let Source::InPlace = operand.source {
            return mismatch(k, "`InPlace`".to_owned(), format!("an array of shape {text}: a block kernel does not run in place"));
        }
        let Some(lead) = own.len().checked_sub(core.len()).filter(|lead| batch || *lead == 0) else {
            let accepted =
                if batch { format!("a shape that ends in {text}") } else { format!("shape {text}; `run_batch` takes more axes") };
            return mismatch(k, format!("shape {own:?}"), accepted);
        };
        for (dim, len) in core.iter().zip(&own[lead..]) {
            let named = &info.signature.dims[*dim];
            if let Some(size) = named.size.filter(|size| size != len) {
                return mismatch(k, format!("shape {own:?}"), format!("shape {text}: an axis of {size}"));
            }
            match dims[*dim] {
                Some((size, other)) if size != *len => {
                    let accepted = format!("shape {text} with {} = {size}, which is that of `{}`", named.name, info.operand(other));
                    return mismatch(k, format!("shape {own:?}"), accepted);
                }
                Some(_) => {}
                None => dims[*dim] = Some((*len, k)),
            }
        }
        let lead = &own[..lead];
        if k < inputs {
            let rank = shape.len().max(lead.len());
            let mut joint = vec![1; rank];
            for (axis, slot) in joint.iter_mut().enumerate() {
                let of = |s: &[usize]| (axis + s.len()).checked_sub(rank).map_or(1, |a| s[a]);
                let (a, b) = (of(&shape), of(lead));
                if a != b && a != 1 && b != 1 {
                    return mismatch(
                        k,
                        format!("shape {own:?}"),
                        format!("axes before {text} that broadcast to {shape:?}, those of the inputs before it"),
                    );
                }
                *slot = if a == 1 { b } else { a };
            }
            shape = joint;
        } else if lead != shape {
            return mismatch(k, format!("shape {own:?}"), format!("a shape of {shape:?}, the inputs' axes, and then {text}"));
        }
    }
    let size = |(k, d): (usize, Option<(usize, usize)>)| d.map_or(usize::from(missing[k]), |(size, _)| size);
    Ok((dims.into_iter().enumerate().map(size).collect(), shape))
}

/// The error of a run, with names.
#[cold]
pub(crate) fn named(info: &BlockInfo, error: RunError, before: usize, shape: &[usize]) -> Error {
    let kernel = info.name;
    let index = |item: usize| {
        let mut rest = before + item;
        let mut index = vec![0; shape.len()];
        for (at, n) in index.iter_mut().zip(shape).rev() {
            (*at, rest) = (rest % n, rest / n);
        }
        index
    };
    match error {
        RunError::Level(error) => Error::Level(error),
        RunError::Threads(error) => Error::Threads(error),
        RunError::Panic(message) => Error::Panic { kernel, message },
        RunError::Interrupted => Error::Interrupted { kernel },
        RunError::Debug(error) => Error::Debug(error),
        RunError::Memory(NoMemory { operand, bytes, why }) => Error::Memory { kernel, argument: info.operand(operand), bytes, why },
        RunError::Found(report) => {
            let text = report.text(&|operand| info.operand(operand).to_owned());
            Error::Found { kernel, index: index(report.element), report, text, shape: shape.to_vec() }
        }
        RunError::Empty(dim) => Error::Shape {
            kernel,
            argument: info.operand(info.signature.operand_of(dim)).to_owned(),
            came: format!("dimension {} empty", info.signature.dims[dim].name),
            accepted: "one that holds an element at least".to_owned(),
        },
        RunError::Item(BlockFault { item, fault }) => {
            let index = index(item);
            match fault {
                ItemFault::OutOfRange(what) => Error::OutOfRange {
                    kernel,
                    argument: info.operand(what.operand),
                    index: what.index[..what.rank].to_vec(),
                    shape: what.shape[..what.rank].to_vec(),
                    item: index,
                },
                ItemFault::Fault(kind) => Error::Fault { kernel, kind, index, shape: shape.to_vec() },
                // One of the other threads has reported what it is.
                ItemFault::Elsewhere => Error::Panic { kernel, message: "a thread failed without a fault".to_owned() },
            }
        }
        RunError::Fault(fault) => Error::Fault { kernel, kind: fault.kind, index: vec![fault.index], shape: shape.to_vec() },
    }
}
