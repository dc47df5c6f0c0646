//! Memory that more than one object owns.
//!
//! The checks of `numpy` know an array's memory by the object at the end of its bases. A tensor and its view are two such objects over the same
//! memory, and so are two arrays of `np.frombuffer`. So for all arrays that functions have at a time the addresses are noted, and of those with
//! different owners none is written where another one lies. Between them counts the whole range from the first element to the last one.

use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::Bound;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// An array that a function has.
#[derive(Clone, PartialEq)]
struct Loan {
    memory: Range<usize>,
    /// The address of the object at the end of its bases.
    owner: usize,
    is_written: bool,
}

static LOANS: Mutex<Vec<Loan>> = Mutex::new(Vec::new());

/// While it lives, no array of another owner over the same memory is lent, if either is written.
pub struct Lent(Loan);

impl Lent {
    /// Of an array that has elements; None if another one is in the way.
    pub(super) fn of(array: &Bound<'_, PyUntypedArray>, is_written: bool) -> Option<Self> {
        let loan = Loan { memory: memory(array), owner: owner(array), is_written };
        let mut loans = LOANS.lock().unwrap_or_else(PoisonError::into_inner);
        if loans.iter().any(|other| other.is_in_the_way_of(&loan)) {
            return None;
        }
        loans.push(loan.clone());
        Some(Self(loan))
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let mut loans = LOANS.lock().unwrap_or_else(PoisonError::into_inner);
        // Equal ones are as good as each other.
        if let Some(at) = loans.iter().position(|loan| *loan == self.0) {
            loans.swap_remove(at);
        }
    }
}

impl Loan {
    fn is_in_the_way_of(&self, other: &Self) -> bool {
        let (a, b) = (&self.memory, &other.memory);
        (self.is_written || other.is_written) && self.owner != other.owner && a.start < b.end && b.start < a.end
    }
}

/// From the first byte to the last one.
fn memory(array: &Bound<'_, PyUntypedArray>) -> Range<usize> {
    // SAFETY: an array of NumPy.
    let data = unsafe { (*array.as_array_ptr()).fields.data.addr() };
    let (mut below, mut above) = (0, array.dtype().itemsize());
    for (len, step) in array.shape().iter().zip(array.strides()) {
        let reach = (len - 1) * step.unsigned_abs();
        if *step < 0 { below += reach } else { above += reach }
    }
    data - below..data + above
}

/// The address of what owns the memory, as `numpy` finds it.
fn owner(array: &Bound<'_, PyUntypedArray>) -> usize {
    let mut array = array.clone();
    loop {
        // SAFETY: an array of NumPy; its base is null or an object that it holds.
        let base = unsafe { Bound::from_borrowed_ptr_or_opt(array.py(), (*array.as_array_ptr()).fields.base) };
        match base.map(|base| base.cast_into::<PyUntypedArray>()) {
            None => return array.as_ptr().addr(),
            Some(Ok(base)) => array = base,
            Some(Err(other)) => return other.into_inner().as_ptr().addr(),
        }
    }
}
