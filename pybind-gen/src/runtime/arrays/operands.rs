//! The operands of a direct call: which arrays come, how they lie, and which may be written.

use crate::runtime::descr;
use crate::runtime::pick::{Came, Number};
use lanecraft_core::DtypeId;
use lanecraft_core::map::MAX_OPERANDS;
use numpy::npyffi::flags::{NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_F_CONTIGUOUS, NPY_ARRAY_WRITEABLE};
use numpy::npyffi::objects::{_PyArray_DescrNumPy2_fields, PyArray_Descr, PyArrayObject};
use numpy::npyffi::{NpyTypes, get_type_object, is_numpy_2, npy_intp};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::ffi::c_int;
use std::ptr;

/// Axes of the arrays that come here.
pub(super) const MAX_RANK: usize = 8;
/// NumPy's flag of arrays that may be written once more, with a warning (numpy/ndarraytypes.h).
const WARN_ON_WRITE: c_int = 1 << 31;

/// Bytes from element to element of each operand, axis by axis.
pub(super) type Steps = [[isize; MAX_OPERANDS]; MAX_RANK];

/// NumPy's types, by address; they live as long as NumPy.
pub(in crate::runtime) struct Types {
    array: *mut ffi::PyTypeObject,
    dtypes: Vec<Dtype>,
    /// Whether descriptors are those of NumPy 2.
    has_fields: bool,
}

struct Dtype {
    id: DtypeId,
    descr: *mut PyArray_Descr,
    number: c_int,
    /// The type of NumPy's own scalars: each is an object's head, and behind it the value (numpy/arrayscalars.h).
    scalar: *mut ffi::PyTypeObject,
}

// SAFETY: addresses of objects that are never freed; what is reached through them is reached with the GIL.
unsafe impl Send for Types {}
// SAFETY: as above.
unsafe impl Sync for Types {}

impl Types {
    pub(in crate::runtime) fn get(py: Python<'_>) -> &'static Self {
        static TYPES: PyOnceLock<Types> = PyOnceLock::new();
        TYPES.get_or_init(py, || {
            let dtype = |id: &DtypeId| {
                let descr = descr::of(py, *id)?.into_ptr().cast::<PyArray_Descr>();
                // SAFETY: a descriptor, whose reference is kept for ever.
                let fields = unsafe { &(*descr).fields };
                // A scalar of another package may have anything behind its head.
                let scalar = if *id == DtypeId::Bf16 { ptr::null_mut() } else { fields.typeobj };
                Some(Dtype { id: *id, descr, number: fields.type_num, scalar })
            };
            // SAFETY: NumPy's type object.
            let array = unsafe { get_type_object(py, NpyTypes::PyArray_Type) };
            Self { array, dtypes: DtypeId::ALL.iter().filter_map(dtype).collect(), has_fields: is_numpy_2(py) }
        })
    }

    /// # Safety
    /// A descriptor of NumPy's.
    unsafe fn dtype(&self, descr: *mut PyArray_Descr) -> Option<DtypeId> {
        let known = self.dtypes.iter().find(|dtype| dtype.descr == descr);
        let known = known.or_else(|| {
            // What was pickled, for one, has a descriptor of its own.
            // SAFETY: the caller's promise; NumPy 2's have these fields.
            let fields = unsafe { &*(&raw const (*descr).fields).cast::<_PyArray_DescrNumPy2_fields>() };
            let plain = self.has_fields && matches!(fields.byteorder as u8, b'=' | b'|') && fields.metadata.is_null();
            self.dtypes.iter().find(|dtype| plain && dtype.number == fields.type_num)
        });
        known.map(|dtype| dtype.id)
    }

    /// The type of arrays.
    pub(in crate::runtime) fn array(&self) -> *mut ffi::PyTypeObject {
        self.array
    }

    /// The dtype of NumPy's scalars of a type.
    pub(in crate::runtime) fn scalar(&self, of: *mut ffi::PyTypeObject) -> Option<DtypeId> {
        self.dtypes.iter().find(|dtype| dtype.scalar == of).map(|dtype| dtype.id)
    }

    pub(super) fn descr(&self, id: DtypeId) -> Option<*mut PyArray_Descr> {
        self.dtypes.iter().find(|dtype| dtype.id == id).map(|dtype| dtype.descr)
    }
}

/// An array, as far as it matters here.
#[derive(Clone, Copy)]
pub(super) struct Array<'a> {
    at: *mut u8,
    dims: &'a [npy_intp],
    strides: &'a [npy_intp],
    flags: c_int,
}

impl<'a> Array<'a> {
    /// An array of NumPy's own class and its dtype, if it is one that may be used where it is.
    ///
    /// # Safety
    /// A Python object, which outlives `'a`.
    unsafe fn of(types: &Types, object: *mut PyObject) -> Option<(Self, DtypeId)> {
        // SAFETY: the caller's promise; of NumPy's type it is an array, with as many sizes and strides as axes.
        unsafe {
            if ffi::Py_TYPE(object) != types.array {
                return None;
            }
            let fields = &(*object.cast::<PyArrayObject>()).fields;
            let rank = fields.nd as usize;
            if rank > MAX_RANK || fields.flags & NPY_ARRAY_ALIGNED == 0 {
                return None;
            }
            let of_axes = |at: *mut npy_intp| if rank == 0 { &[][..] } else { std::slice::from_raw_parts(at, rank) };
            let (dims, strides) = (of_axes(fields.dimensions), of_axes(fields.strides));
            let array = Self { at: fields.data.cast(), dims, strides, flags: fields.flags };
            Some((array, types.dtype(fields.descr)?))
        }
    }

    fn is(&self, flag: c_int) -> bool {
        self.flags & flag != 0
    }

    /// The step on an axis of a shape of `rank` axes: 0 where it is broadcast, and where there is one element.
    fn step(&self, rank: usize, axis: usize) -> isize {
        match (axis + self.dims.len()).checked_sub(rank) {
            Some(own) if self.dims[own] != 1 => self.strides[own],
            _ => 0,
        }
    }

    /// The first byte, and the one after the last.
    fn extent(&self, size: usize) -> (usize, usize) {
        let (mut low, mut high) = (self.at.addr(), self.at.addr() + size);
        for (n, stride) in self.dims.iter().zip(self.strides) {
            let by = stride * (n - 1);
            if by < 0 { low = low.wrapping_add_signed(by) } else { high = high.wrapping_add_signed(by) }
        }
        (low, high)
    }

    /// Whether no two elements share memory, as far as the strides tell.
    fn is_injective(&self, size: usize) -> bool {
        if self.is(NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS) {
            return true;
        }
        let mut axes = [(0, 1); MAX_RANK];
        let axes = &mut axes[..self.dims.len()];
        for (axis, (n, stride)) in axes.iter_mut().zip(self.dims.iter().zip(self.strides)) {
            *axis = if *n == 1 { (0, 1) } else { (stride.unsigned_abs(), *n as usize) };
        }
        axes.sort_unstable();
        let mut extent = size;
        axes.iter().filter(|(_, n)| *n > 1).all(|(step, n)| {
            let apart = *step >= extent;
            extent += step * (n - 1);
            apart
        })
    }
}

/// How the elements of all operands lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Side by side, in C's order.
    C,
    /// Side by side, in Fortran's.
    Fortran,
    Any,
}

/// The operands of a call.
pub(super) struct Operands<'a> {
    pub(super) count: usize,
    inputs: usize,
    arrays: [Option<Array<'a>>; MAX_OPERANDS],
    /// Where each begins.
    pub(super) at: [*mut u8; MAX_OPERANDS],
    pub(super) sizes: [usize; MAX_OPERANDS],
    shape: [usize; MAX_RANK],
    rank: usize,
}

impl<'a> Operands<'a> {
    pub(super) fn new(inputs: usize, outputs: usize) -> Self {
        Self {
            count: inputs + outputs,
            inputs,
            arrays: [None; MAX_OPERANDS],
            at: [ptr::null_mut(); MAX_OPERANDS],
            sizes: [0; MAX_OPERANDS],
            shape: [1; MAX_RANK],
            rank: 0,
        }
    }

    /// Takes an input in, and says what it came as.
    ///
    /// # Safety
    /// A Python object, which outlives `'a`.
    pub(super) unsafe fn add_input(&mut self, types: &Types, k: usize, object: *mut PyObject) -> Option<Came> {
        // SAFETY: the caller's promise; a scalar of NumPy's has its value behind its head.
        unsafe {
            if let Some((array, dtype)) = Array::of(types, object) {
                self.add(k, array)?;
                return Some(Came::Dtype(dtype));
            }
            if let Some(number) = Number::of(object) {
                return Some(Came::Number(number));
            }
            let dtype = types.scalar(ffi::Py_TYPE(object))?;
            self.at[k] = object.cast::<u8>().add(size_of::<PyObject>());
            Some(Came::Dtype(dtype))
        }
    }

    /// Takes an output in that was given.
    ///
    /// # Safety
    /// A Python object, which outlives `'a`.
    pub(super) unsafe fn add_output(&mut self, types: &Types, k: usize, object: *mut PyObject, wanted: DtypeId) -> Option<()> {
        // SAFETY: the caller's promise.
        let (array, dtype) = unsafe { Array::of(types, object)? };
        if dtype == wanted { self.add(k, array) } else { None }
    }

    fn add(&mut self, k: usize, array: Array<'a>) -> Option<()> {
        self.broadcast(array.dims)?;
        self.at[k] = array.at;
        self.arrays[k] = Some(array);
        Some(())
    }

    /// Whether operand `k` is one element for all.
    pub(super) fn is_single(&self, k: usize) -> bool {
        k < self.inputs && self.arrays[k].is_none_or(|array| array.dims.is_empty())
    }

    /// Takes a shape in, as broadcasting does.
    fn broadcast(&mut self, dims: &[npy_intp]) -> Option<()> {
        if dims.len() > self.rank {
            let more = dims.len() - self.rank;
            self.shape.copy_within(..self.rank, more);
            self.shape[..more].fill(1);
            self.rank = dims.len();
        }
        for (own, n) in self.shape[self.rank - dims.len()..self.rank].iter_mut().zip(dims) {
            match *n as usize {
                1 => {}
                n if *own == 1 || *own == n => *own = n,
                _ => return None,
            }
        }
        Some(())
    }

    pub(super) fn shape(&self) -> &[usize] {
        &self.shape[..self.rank]
    }

    /// The arrays there are, with their places.
    fn arrays(&self) -> impl Iterator<Item = (usize, &Array<'a>)> {
        self.arrays[..self.count].iter().enumerate().filter_map(|(k, array)| array.as_ref().map(|array| (k, array)))
    }

    /// How the elements of all operands lie.
    pub(super) fn layout(&self) -> Layout {
        let alike = |flag: c_int| {
            let has_shape =
                |array: &Array<'_>| array.dims.len() == self.rank && array.dims.iter().zip(self.shape()).all(|(n, m)| *n as usize == *m);
            self.arrays().all(|(k, array)| self.is_single(k) || (array.is(flag) && has_shape(array)))
        };
        match () {
            () if alike(NPY_ARRAY_C_CONTIGUOUS) => Layout::C,
            () if alike(NPY_ARRAY_F_CONTIGUOUS) => Layout::Fortran,
            () => Layout::Any,
        }
    }

    /// Bytes from element to element of the operands that there are: on one axis where they lie side by side.
    pub(super) fn steps(&self, layout: Layout) -> Steps {
        let mut steps = [[0; MAX_OPERANDS]; MAX_RANK];
        if layout == Layout::Any {
            for (axis, steps) in steps.iter_mut().enumerate().take(self.rank) {
                for (k, array) in self.arrays() {
                    steps[k] = array.step(self.rank, axis);
                }
            }
        } else {
            for k in (0..self.count).filter(|k| !self.is_single(*k)) {
                steps[0][k] = self.sizes[k] as isize;
            }
        }
        steps
    }

    /// Whether output `k`, which was given, may be written while the others are read. It may replace an input, element by element.
    pub(super) fn may_be_written(&self, k: usize) -> bool {
        let Some(output) = &self.arrays[k] else { return true };
        let (start, end) = output.extent(self.sizes[k]);
        output.is(NPY_ARRAY_WRITEABLE)
            && !output.is(WARN_ON_WRITE)
            && output.dims.len() == self.rank
            && output.dims.iter().zip(self.shape()).all(|(n, m)| *n as usize == *m)
            && output.is_injective(self.sizes[k])
            && self.arrays().filter(|(other, _)| *other != k).all(|(other, array)| {
                let (other_start, other_end) = array.extent(self.sizes[other]);
                let replaces = || {
                    other < self.inputs
                        && array.at == output.at
                        && self.sizes[other] == self.sizes[k]
                        && (0..self.rank).all(|axis| array.step(self.rank, axis) == output.step(self.rank, axis))
                };
                other_end <= start || end <= other_start || replaces()
            })
    }

    /// The axes as NumPy orders them in memory for a fresh output, the innermost one first: by strides, where they do not contradict each other, and
    /// else as in C (`npyiter_find_best_axis_ordering`).
    pub(super) fn axes_by_stride(&self, steps: &Steps) -> [usize; MAX_RANK] {
        let mut order = [0; MAX_RANK];
        for (k, axis) in order.iter_mut().enumerate().take(self.rank) {
            *axis = self.rank - 1 - k;
        }
        for k in 1..self.rank {
            let mut to = k;
            for other in (0..k).rev() {
                let pairs = steps[order[k]].iter().zip(&steps[order[other]]).take(self.count);
                let mut decided = pairs.filter(|(a, b)| **a != 0 && **b != 0).map(|(a, b)| b.unsigned_abs() > a.unsigned_abs());
                match decided.next() {
                    None => {}
                    Some(first) if first && decided.all(|closer| closer) => to = other,
                    Some(_) => break,
                }
            }
            order[to..=k].rotate_right(1);
        }
        order
    }
}
