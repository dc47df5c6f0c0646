//! Who uses an object's value.

use super::{Structure, tensor};
use crate::runtime::function::{IntoPython, Refused, Value};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicIsize, AtomicU64, Ordering};

/// How many read, or -1 for one that writes.
pub(super) struct State(AtomicIsize);

impl State {
    fn read(&self) -> bool {
        self.0.fetch_update(Ordering::Acquire, Ordering::Relaxed, |n| (n >= 0).then_some(n + 1)).is_ok()
    }

    fn write(&self) -> bool {
        self.0.compare_exchange(0, -1, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Ends a borrow, of either kind.
    pub(super) fn end(&self) {
        let ended = |n: isize| Some(if n < 0 { 0 } else { n - 1 });
        // Always `Ok`: the closure has an answer for each state.
        let _ = self.0.fetch_update(Ordering::Release, Ordering::Relaxed, ended);
    }
}

/// The value of an object, lent as Rust lends it: to many that read, or to one that writes.
pub struct Cell<S> {
    value: UnsafeCell<S>,
    state: State,
    /// Buffers that were moved out, by their place in `BUFFERS`.
    taken: AtomicU64,
}

// SAFETY: the state lets no one write while another has the value.
unsafe impl<S: Send + Sync> Sync for Cell<S> {}

/// Why the value cannot be had.
pub(super) enum Why {
    /// Someone writes to it.
    Written,
    /// Someone has it, and it was to be written to.
    Used,
    /// A buffer was moved out.
    Taken(&'static str),
}

impl Why {
    fn text(&self) -> String {
        match self {
            Self::Written => "is written to: by another call, or by a writable view, which has to be deleted first (`del view`)".to_owned(),
            Self::Used => "is in use: by another call, or by a view, which has to be deleted first (`del view`)".to_owned(),
            Self::Taken(field) => format!("has lost its field '{field}': take() has moved the array out"),
        }
    }

    /// `Batch.take(): field 'mass' is in use: ..`
    pub(super) fn into_error(self, function: &str, what: &str) -> PyErr {
        match self {
            Self::Taken(_) => PyValueError::new_err(format!("{function}: {what} is gone: take() has moved the array out")),
            why => PyRuntimeError::new_err(format!("{function}: the object {}", why.text())),
        }
    }

    fn into_refused<S: Structure>(self) -> Refused {
        Refused::value(self.text(), format!("{} that is whole and free", S::NAME))
    }
}

impl<S> Cell<S> {
    /// A value that nobody uses.
    pub const fn new(value: S) -> Self {
        Self { value: UnsafeCell::new(value), state: State(AtomicIsize::new(0)), taken: AtomicU64::new(0) }
    }

    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// # Safety
    /// The borrow is ended by [`State::end`] after the last use.
    pub(super) unsafe fn borrow(&self) -> Result<&S, Why> {
        // SAFETY: nobody writes until the borrow ends.
        if self.state.read() { Ok(unsafe { &*self.value.get() }) } else { Err(Why::Written) }
    }

    /// # Safety
    /// The borrow is ended by [`State::end`] after the last use.
    #[allow(clippy::mut_from_ref)] // As `UnsafeCell::get`: the state says who has it.
    pub(super) unsafe fn borrow_mut(&self) -> Result<&mut S, Why> {
        // SAFETY: nobody else has it until the borrow ends.
        if self.state.write() { Ok(unsafe { &mut *self.value.get() }) } else { Err(Why::Used) }
    }
}

impl<S: Structure> Cell<S> {
    /// A property's value.
    ///
    /// # Errors
    /// The object is written to.
    pub fn read_field<'py, R: IntoPython>(&self, py: Python<'py>, field: &str, read: impl FnOnce(&S) -> R) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: ended below.
        let value = unsafe { self.borrow() }.map_err(|why| why.into_error(&format!("{}.{field}", S::NAME), field))?;
        let result = read(value);
        self.state.end();
        result.into_python(py)
    }

    /// Sets a property.
    ///
    /// # Errors
    /// The value is not accepted; the object is in use.
    pub fn write_field<V: Value>(&self, field: &str, value: &Bound<'_, PyAny>, write: impl FnOnce(&mut S, V)) -> PyResult<()> {
        let function = format!("{}.{field}", S::NAME);
        let new = V::from_python(value).map_err(|refused| refused.into_error(value.py(), &function, "the value"))?;
        // SAFETY: ended below.
        let to = unsafe { self.borrow_mut() }.map_err(|why| why.into_error(&function, field))?;
        write(to, new);
        self.state.end();
        Ok(())
    }

    /// Whether `field` was moved out.
    pub(super) fn has_taken(&self, field: &str) -> bool {
        let taken = self.taken.load(Ordering::Acquire);
        S::BUFFERS.iter().position(|buffer| *buffer == field).is_some_and(|at| taken & tensor::bit(at) != 0)
    }

    /// Moves a buffer out.
    pub(super) fn take<'py>(&self, py: Python<'py>, at: usize) -> Result<PyResult<Bound<'py, PyAny>>, Why> {
        // SAFETY: ended below.
        let value = unsafe { self.borrow_mut() }?;
        let is_first = self.taken.load(Ordering::Acquire) & tensor::bit(at) == 0;
        let array = is_first.then(|| value.buffer(at).take(py));
        if let Some(Ok(_)) = array {
            self.taken.fetch_or(tensor::bit(at), Ordering::AcqRel);
        }
        self.state.end();
        array.ok_or(Why::Taken(S::BUFFERS[at]))
    }

    /// The buffer that was moved out, if one was.
    fn lost(&self) -> Option<Why> {
        let taken = self.taken.load(Ordering::Acquire);
        S::BUFFERS.iter().enumerate().find(|(at, _)| taken & tensor::bit(*at) != 0).map(|(_, field)| Why::Taken(field))
    }
}

/// An object whose value a function reads.
pub struct StructRef<'py, S: Structure>(Bound<'py, S::Class>);

/// An object whose value a function writes.
pub struct StructMut<'py, S: Structure>(Bound<'py, S::Class>);

fn object<'py, S: Structure>(value: &Bound<'py, PyAny>) -> Result<Bound<'py, S::Class>, Refused> {
    let object = value.cast::<S::Class>().map_err(|_| Refused::type_(value, S::NAME))?;
    match S::cell(object.get()).lost() {
        Some(why) => Err(why.into_refused::<S>()),
        None => Ok(object.clone()),
    }
}

impl<'py, S: Structure> StructRef<'py, S> {
    pub(super) fn of(value: &Bound<'py, PyAny>) -> Result<Self, Refused> {
        let object = object::<S>(value)?;
        if S::cell(object.get()).state.read() { Ok(Self(object)) } else { Err(Why::Written.into_refused::<S>()) }
    }

    pub(super) fn value(&self) -> &S {
        // SAFETY: `of` has begun a borrow, which ends with `self`.
        unsafe { &*S::cell(self.0.get()).value.get() }
    }
}

impl<'py, S: Structure> StructMut<'py, S> {
    pub(super) fn of(value: &Bound<'py, PyAny>) -> Result<Self, Refused> {
        let object = object::<S>(value)?;
        if S::cell(object.get()).state.write() { Ok(Self(object)) } else { Err(Why::Used.into_refused::<S>()) }
    }

    pub(super) fn value_mut(&mut self) -> &mut S {
        // SAFETY: `of` has begun a borrow that no other is beside, and which ends with `self`.
        unsafe { &mut *S::cell(self.0.get()).value.get() }
    }
}

impl<S: Structure> Drop for StructRef<'_, S> {
    fn drop(&mut self) {
        S::cell(self.0.get()).state.end();
    }
}

impl<S: Structure> Drop for StructMut<'_, S> {
    fn drop(&mut self) {
        S::cell(self.0.get()).state.end();
    }
}
