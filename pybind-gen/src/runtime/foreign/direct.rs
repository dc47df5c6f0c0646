//! The short way for small tensors of torch.
//!
//! On a few elements most of a call's time goes into NumPy's arrays and the ufunc, which are not needed where there is nothing to broadcast, cast
//! or gather: tensors side by side in memory, of one shape, of the dtypes of a variant, perhaps with Python numbers beside them, perhaps with `out=`. The kernel runs on their memory then. Whatever is
//! else, errors included, takes the long way, which says what there is to say: kernels are pure, so a second run does no harm.

use super::Callee;
use super::export::Data;
use super::import::{DTYPES, Place, is_cpu, torch_checks, torch_writes};
use super::library::{self, Class, Library};
use crate::runtime::arrays::MAX_WITH_GIL;
use crate::runtime::descr;
use crate::runtime::fp_status::FpStatus;
use crate::runtime::memory::Buffer;
use crate::runtime::pick::{self, Came, Number};
use crate::runtime::trace;
use dlpark::ffi::{DLDataType, DLTensor};
use lanecraft_backends::KernelInfo;
use lanecraft_core::DtypeId;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::panic::{AssertUnwindSafe, catch_unwind};

const MAX_RANK: usize = 8;
const MAX_OPERANDS: usize = 8;

/// The operands of a call: one shape, side by side.
struct Operands {
    shape: [i64; MAX_RANK],
    rank: usize,
    count: usize,
    addresses: [*mut u8; MAX_OPERANDS],
    came: [Came; MAX_OPERANDS],
    len: usize,
}

impl Operands {
    /// Takes a number in.
    fn add_number(&mut self, value: &Bound<'_, PyAny>) -> Option<()> {
        // SAFETY: a Python object, with the GIL.
        self.came[self.len] = Came::Number(unsafe { Number::of(value.as_ptr()) }?);
        self.len += 1;
        Some(())
    }

    fn dtype(&self, k: usize) -> Option<DtypeId> {
        match self.came[k] {
            Came::Dtype(dtype) => Some(dtype),
            Came::Number(_) => None,
        }
    }

    /// Whether an operand of `size` bytes an element shares no memory with another. After a fault in place a second run would see other values.
    fn lies_apart(&self, k: usize, size: usize, other: usize, other_size: usize) -> bool {
        let (a, b) = (self.addresses[k].addr(), self.addresses[other].addr());
        a + self.count * size <= b || b + self.count * other_size <= a
    }

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
        if self.count == 0 {
            self.rank = shape.len();
            self.shape[..shape.len()].copy_from_slice(shape);
            self.count = shape.iter().try_fold(1_usize, |count, n| count.checked_mul(*n as usize))?;
            if self.count == 0 || self.count > MAX_WITH_GIL {
                return None;
            }
        } else if *shape != self.shape[..self.rank] {
            return None;
        }
        self.addresses[self.len] = tensor.data.cast::<u8>().wrapping_add(tensor.byte_offset as usize);
        self.came[self.len] = Came::Dtype(dtype);
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
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = args.py();
    let Some(api) = &library.exchange else { return Ok(None) };
    let (nin, nout) = (info.arguments.len(), info.outputs);
    if args.len() != nin || nin + nout > MAX_OPERANDS || !info.parameters.is_empty() || trace::is_active() {
        return Ok(None);
    }
    let out = match kwargs {
        None => None,
        Some(kwargs) => match kwargs.get_item(intern!(py, "out"))? {
            Some(out) if kwargs.len() == 1 && nout == 1 => Some(out),
            _ => return Ok(None),
        },
    };
    let mut operands = Operands {
        shape: [0; MAX_RANK],
        rank: 0,
        count: 0,
        addresses: [std::ptr::null_mut(); MAX_OPERANDS],
        came: [Came::Dtype(DtypeId::Bool); MAX_OPERANDS],
        len: 0,
    };
    for (k, value) in args.iter_borrowed().chain(out.as_ref().map(Bound::as_borrowed)).enumerate() {
        let taken = match library::class(&value)? {
            Class::Foreign(_, true) => {
                let name = || if k < nin { callee.position(k) } else { "argument 'out'".to_owned() };
                torch_checks(&value, &Place { callee, library, output: k >= nin, name: &name })?;
                // The long way finds the words for what torch refuses.
                api.0.with_tensor_view_no_sync(value, |tensor, _| operands.add(tensor)).ok().flatten()
            }
            Class::Plain if k < nin => operands.add_number(&value),
            _ => None,
        };
        if taken.is_none() {
            return Ok(None);
        }
    }
    let Some(variant) = pick::variant(info, &operands.came[..nin]) else { return Ok(None) };
    let dtypes = || variant.inputs.iter().chain(variant.outputs);
    // A dtype that NumPy lacks here is missing in the long way, so in this one too.
    if dtypes().any(|dtype| *dtype == DtypeId::Bf16 && descr::of(py, *dtype).is_none()) {
        return Ok(None);
    }
    let mut steps = [0; MAX_OPERANDS];
    let mut numbers = [[0_u8; 8]; MAX_OPERANDS];
    for (k, dtype) in dtypes().enumerate() {
        steps[k] = dtype.size() as isize;
        if k < nin
            && let Came::Number(number) = operands.came[k]
        {
            let Some(element) = number.element(*dtype) else { return Ok(None) };
            (numbers[k], steps[k]) = (element, 0);
            operands.addresses[k] = numbers[k].as_mut_ptr();
        }
    }
    let mut outputs: Vec<(Buffer, DLDataType)> = Vec::new();
    if let Some(out) = &out {
        let size = variant.outputs[0].size();
        let apart = |k: usize| operands.dtype(k).is_none() || operands.lies_apart(nin, size, k, variant.inputs[k].size());
        if operands.dtype(nin) != Some(variant.outputs[0]) || !(0..nin).all(apart) {
            return Ok(None);
        }
        torch_writes(out)?;
    } else {
        for (k, dtype) in variant.outputs.iter().enumerate() {
            let found = DTYPES.iter().find(|(id, _)| id == dtype);
            let Some((buffer, (_, dl))) = Buffer::new(operands.count * dtype.size()).zip(found) else { return Ok(None) };
            operands.addresses[nin + k] = buffer.as_ptr().cast();
            outputs.push((buffer, *dl));
        }
    }
    let status = FpStatus::save();
    let (addresses, count) = (&operands.addresses[..nin + nout], operands.count);
    // SAFETY: as many elements of the variant's dtypes as the tensors have, which the caller's arguments keep alive; a number is read
    // again and again. An output is fresh, or apart from all inputs.
    let ran = catch_unwind(AssertUnwindSafe(|| unsafe { variant.run(addresses, count, &steps[..nin + nout]) }));
    drop(status);
    if !matches!(ran, Ok(Ok(()))) {
        return Ok(None);
    }
    if out.is_some() {
        return Ok(out);
    }
    let shape = &operands.shape[..operands.rank];
    let mut give = |(buffer, dtype)| api.0.managed_tensor_to_py_object_no_sync(Data::compact(buffer, dtype, shape).managed()?, py);
    if outputs.len() == 1 {
        return outputs.into_iter().next().map(give).transpose();
    }
    let results = outputs.into_iter().map(&mut give).collect::<PyResult<Vec<_>>>()?;
    Ok(Some(PyTuple::new(py, results)?.into_any()))
}
