//! The short way for small tensors of torch.
//!
//! On a few elements most of a call's time goes into NumPy's arrays and the ufunc, which are not needed where there is nothing to broadcast, cast
//! or gather: tensors side by side in memory, of one shape, of the dtypes of a variant. The kernel runs on their memory then. Whatever is
//! else, errors included, takes the long way, which says what there is to say: kernels are pure, so a second run does no harm.

use super::Callee;
use super::export::Data;
use super::import::{DTYPES, Place, is_cpu, torch_checks};
use super::library::{self, Class, Library};
use crate::runtime::descr;
use crate::runtime::fp_status::FpStatus;
use crate::runtime::memory::Buffer;
use crate::runtime::trace;
use dlpark::ffi::{DLDataType, DLTensor};
use lanecraft_backends::KernelInfo;
use lanecraft_core::DtypeId;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Up to this many elements the GIL is kept, as NumPy does.
const MAX_ELEMENTS: usize = 500;
const MAX_RANK: usize = 8;
const MAX_OPERANDS: usize = 8;

/// The inputs of a call: one shape, side by side.
struct Inputs {
    shape: [i64; MAX_RANK],
    rank: usize,
    count: usize,
    addresses: [*mut u8; MAX_OPERANDS],
    dtypes: [DtypeId; MAX_OPERANDS],
    len: usize,
}

impl Inputs {
    /// Takes a tensor in, if it lies as the others do.
    fn add(&mut self, tensor: &DLTensor) -> Option<()> {
        // SAFETY: torch's promise: `ndim` sizes.
        let shape = unsafe { tensor.shape() }.ok()?;
        // SAFETY: as above.
        let side_by_side = unsafe { tensor.is_compact() }.ok()?;
        let dtype = DTYPES.iter().find(|(_, known)| *known == tensor.dtype)?.0;
        if !is_cpu(tensor.device.device_type) || !side_by_side || tensor.data.is_null() || shape.len() > MAX_RANK {
            return None;
        }
        if self.len == 0 {
            self.rank = shape.len();
            self.shape[..shape.len()].copy_from_slice(shape);
            self.count = shape.iter().try_fold(1_usize, |count, n| count.checked_mul(*n as usize))?;
            if self.count == 0 || self.count > MAX_ELEMENTS {
                return None;
            }
        } else if *shape != self.shape[..self.rank] {
            return None;
        }
        self.addresses[self.len] = tensor.data.cast::<u8>().wrapping_add(tensor.byte_offset as usize);
        self.dtypes[self.len] = dtype;
        self.len += 1;
        Some(())
    }
}

/// The results, if the call is one for the short way.
///
/// # Errors
/// A tensor that is not accepted.
pub(super) fn call<'py>(
    callee: Callee,
    info: &KernelInfo,
    library: &'static Library,
    args: &Bound<'py, PyTuple>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = args.py();
    let Some(api) = &library.exchange else { return Ok(None) };
    let (nin, nout) = (info.arguments.len(), info.outputs);
    if args.len() != nin || nin + nout > MAX_OPERANDS || !info.parameters.is_empty() || trace::is_active() {
        return Ok(None);
    }
    let mut inputs = Inputs {
        shape: [0; MAX_RANK],
        rank: 0,
        count: 0,
        addresses: [std::ptr::null_mut(); MAX_OPERANDS],
        dtypes: [DtypeId::Bool; MAX_OPERANDS],
        len: 0,
    };
    for (k, value) in args.iter_borrowed().enumerate() {
        let Class::Foreign(_, true) = library::class(&value)? else { return Ok(None) };
        let name = || callee.position(k);
        torch_checks(&value, &Place { callee, library, output: false, name: &name })?;
        // The long way finds the words for what torch refuses.
        if !matches!(api.0.with_tensor_view_no_sync(value, |tensor, _| inputs.add(tensor)), Ok(Some(()))) {
            return Ok(None);
        }
    }
    let Some(variant) = info.variants.iter().find(|variant| *variant.inputs == inputs.dtypes[..nin]) else { return Ok(None) };
    // A dtype that NumPy lacks here is missing in the long way, so in this one too.
    if variant.inputs.iter().chain(variant.outputs).any(|dtype| *dtype == DtypeId::Bf16 && descr::of(py, *dtype).is_none()) {
        return Ok(None);
    }
    let mut steps = [0; MAX_OPERANDS];
    for (step, dtype) in steps.iter_mut().zip(variant.inputs.iter().chain(variant.outputs)) {
        *step = dtype.size() as isize;
    }
    let mut outputs: Vec<(Buffer, DLDataType)> = Vec::with_capacity(nout);
    for (k, dtype) in variant.outputs.iter().enumerate() {
        let found = DTYPES.iter().find(|(id, _)| id == dtype).and_then(|(_, dl)| Some((Buffer::new(inputs.count * dtype.size())?, *dl)));
        let Some((buffer, dl)) = found else { return Ok(None) };
        inputs.addresses[nin + k] = buffer.as_ptr().cast();
        outputs.push((buffer, dl));
    }
    let status = FpStatus::save();
    // SAFETY: as many elements of the variant's dtypes as the tensors have, which the caller's tuple keeps alive; the outputs are fresh.
    let ran =
        catch_unwind(AssertUnwindSafe(|| unsafe { variant.run(&inputs.addresses[..nin + nout], inputs.count, &steps[..nin + nout]) }));
    drop(status);
    if !matches!(ran, Ok(Ok(()))) {
        return Ok(None);
    }
    let shape = &inputs.shape[..inputs.rank];
    let mut give = |(buffer, dtype)| api.0.managed_tensor_to_py_object_no_sync(Data::compact(buffer, dtype, shape).managed()?, py);
    if outputs.len() == 1 {
        return outputs.into_iter().next().map(give).transpose();
    }
    let results = outputs.into_iter().map(&mut give).collect::<PyResult<Vec<_>>>()?;
    Ok(Some(PyTuple::new(py, results)?.into_any()))
}
