//! A kernel over typed arrays, broadcast to the outputs' shape: what `gelu::map(&xs, &mut ys)` calls.

use crate::error::{Error, RunError};
use crate::operand::{Operand, OutputOperand, Source};
use crate::variant::{Kernel, KernelInfo, Variant};
use lanecraft_core::map::{MAX_OPERANDS, MapKernel, Pack};

/// Runs kernel `K` on the dtypes `A` over its operands.
///
/// # Errors
/// Outputs of different shapes, an input that does not broadcast to their shape or that is [in place](crate::InPlace) of
/// elements of another dtype; and what [`Variant::run`] fails on.
#[doc(hidden)]
pub fn map<K: Kernel + MapKernel<A>, A: 'static, const N: usize, const M: usize>(
    inputs: [Operand<'_>; N],
    outputs: [OutputOperand<'_>; M],
) -> Result<(), Error> {
    const { assert!(N == <K::In as Pack>::COUNT && M == <K::Out as Pack>::COUNT && M > 0) };
    map_erased(const { &K::INFO }, const { &Variant::of::<K, A>() }, &inputs, &outputs)
}

/// [`map`] for any kernel.
fn map_erased(info: &'static KernelInfo, variant: &Variant, inputs: &[Operand<'_>], outputs: &[OutputOperand<'_>]) -> Result<(), Error> {
    assert!(inputs.iter().map(|input| input.dtype).eq(variant.inputs.iter().copied()), "inputs are of the variant's dtypes");
    assert!(outputs.iter().map(|output| output.0.dtype).eq(variant.outputs.iter().copied()), "outputs are of the variant's dtypes");
    let first = &outputs[0].0;
    let shape = first.shape();
    check(info, inputs, outputs)?;

    let of = |k: usize| match inputs.get(k) {
        Some(Operand { source: Source::InPlace, .. }) => first,
        Some(input) => input,
        None => &outputs[k - inputs.len()].0,
    };
    let operands = inputs.len() + outputs.len();
    let mut at = [std::ptr::null_mut(); MAX_OPERANDS];
    for (k, at) in at.iter_mut().enumerate().take(operands) {
        *at = of(k).at();
    }
    let steps = |axis: usize| {
        let mut steps = [0; MAX_OPERANDS];
        for (k, step) in steps.iter_mut().enumerate().take(operands) {
            *step = broadcast_step(of(k), shape.len(), axis);
        }
        steps
    };

    if shape.contains(&0) {
        return Ok(());
    }
    // SAFETY: the operands borrow their memory, the outputs exclusively; inputs broadcast to the outputs' shape, and all have
    // the variant's dtypes.
    unsafe { variant.run_axes(shape, &at, steps) }.map_err(|error| named(info, error, shape))
}

/// Bytes from element to element of an operand on an axis of the outputs' shape of `rank` axes: 0 where it is broadcast.
pub(crate) fn broadcast_step(operand: &Operand<'_>, rank: usize, axis: usize) -> isize {
    let own = operand.shape();
    match (axis + own.len()).checked_sub(rank) {
        Some(axis) if own[axis] != 1 => operand.step(axis),
        _ => 0,
    }
}

/// Checks shapes, and the dtype of inputs in place.
pub(crate) fn check(info: &KernelInfo, inputs: &[Operand<'_>], outputs: &[OutputOperand<'_>]) -> Result<(), Error> {
    let first = &outputs[0].0;
    let shape = first.shape();
    let mismatch = |argument: String, came: String, accepted: String| Err(Error::Shape { kernel: info.name, argument, came, accepted });
    for (k, output) in outputs.iter().enumerate() {
        if output.0.shape() != shape {
            let accepted = format!("the shape of the first output, {shape:?}");
            return mismatch(format!("output {}", k + 1), format!("shape {:?}", output.0.shape()), accepted);
        }
    }
    for (k, input) in inputs.iter().enumerate() {
        let name = || info.arguments.get(k).map_or_else(|| format!("input {}", k + 1), |name| (*name).to_owned());
        if let Source::InPlace = input.source {
            if input.dtype != first.dtype {
                let came = format!("`InPlace`, to be read as {}, where the output has {} elements", input.dtype, first.dtype);
                return mismatch(name(), came, format!("an array or a scalar of {}", input.dtype));
            }
            continue;
        }
        let own = input.shape();
        let fits = own.len() <= shape.len() && own.iter().rev().zip(shape.iter().rev()).all(|(own, out)| *own == 1 || own == out);
        if !fits {
            let accepted = format!(
                "a scalar, or a shape that broadcasts to the output's shape {shape:?}: counted from the last, each axis of its length or of length 1"
            );
            return mismatch(name(), format!("shape {own:?}"), accepted);
        }
    }
    Ok(())
}

/// The error of a run, with names.
#[cold]
fn named(info: &KernelInfo, error: RunError, shape: &[usize]) -> Error {
    let kernel = info.name;
    let index = |mut element: usize| {
        let mut index = shape.to_vec();
        for n in index.iter_mut().rev() {
            (element, *n) = (element / *n, element % *n);
        }
        index
    };
    match error {
        RunError::Level(error) => Error::Level(error),
        RunError::Threads(error) => Error::Threads(error),
        RunError::Fault(fault) => Error::Fault { kernel, kind: fault.kind, index: index(fault.index), shape: shape.to_vec() },
        // A map kernel has no items, nor dimensions, and no copies.
        error @ RunError::Empty(_) => Error::Panic { kernel, message: error.to_string() },
        error @ (RunError::Item(_) | RunError::Memory(_)) => Error::Panic { kernel, message: error.to_string() },
        RunError::Panic(message) => Error::Panic { kernel, message },
        RunError::Interrupted => Error::Interrupted { kernel },
        RunError::Debug(error) => Error::Debug(error),
        RunError::Found(report) => {
            // The operands of a map kernel have no indices in its code.
            let text = report.to_string();
            Error::Found { kernel, index: index(report.element), report, text, shape: shape.to_vec() }
        }
    }
}
