//! Python numbers beside arrays of a lower kind.
//!
//! A Python number takes the dtype of the arrays beside it, but NumPy's rule for the loops of an extension is another one in two cases.
//! It takes the first loop that fits: of the dtypes `int32, uint8`, an integer beside a `uint8` array makes it `int32`. And it looks at kinds first: a
//! `float` beside an integer array counts as `float64`, so that a kernel over `(uint8, float32)` refuses `kernel(pixels, 0.5)`, although
//! there is only one dtype that 0.5 can be meant to be. A promoter says better. It is
//! asked only where no loop fits exactly, and where it has no answer NumPy's own rule follows.

use super::c_api::{ADD_PROMOTER, PY_FLOAT_DTYPE, PY_LONG_DTYPE, table};
use lanecraft_core::DtypeId;
use numpy::PY_ARRAY_API;
use numpy::npyffi::is_numpy_2;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use std::ffi::{c_int, c_void};
use std::sync::Mutex;

/// A NumPy DType class, by address.
type DType = *mut ffi::PyObject;

/// The dtypes of a loop.
pub(super) struct Loop {
    pub(super) inputs: &'static [DtypeId],
    pub(super) outputs: &'static [DtypeId],
}

/// A ufunc that has a promoter.
struct Promoted {
    /// Its address; it is never freed.
    ufunc: usize,
    /// In the order in which NumPy looks through them.
    loops: Vec<Loop>,
    /// Whether some input takes numbers but not those of NumPy's default dtype.
    lacks_a_default: bool,
}

static UFUNCS: Mutex<Vec<Promoted>> = Mutex::new(Vec::new());

/// NumPy's DTypes, by address; they live as long as NumPy.
struct DTypes {
    concrete: Vec<(usize, DtypeId)>,
    python_int: usize,
    python_float: usize,
}

static DTYPES: PyOnceLock<DTypes> = PyOnceLock::new();

/// What an operand came as.
#[derive(Clone, Copy)]
enum Came {
    Concrete(DtypeId),
    PythonInt,
    PythonFloat,
}

impl DTypes {
    fn load(py: Python<'_>) -> PyResult<Self> {
        let class = |dtype: &DtypeId| {
            let descr = super::descr::of(py, *dtype)?;
            Some((descr.get_type().as_ptr() as usize, *dtype))
        };
        let api = table(py, c"_ARRAY_API")?;
        // SAFETY: NumPy 2's table has these slots.
        let (python_int, python_float) = unsafe { (*api.add(PY_LONG_DTYPE) as usize, *api.add(PY_FLOAT_DTYPE) as usize) };
        Ok(Self { concrete: DtypeId::ALL.iter().filter_map(class).collect(), python_int, python_float })
    }

    fn came(&self, dtype: DType) -> Option<Came> {
        match dtype as usize {
            address if address == self.python_int => Some(Came::PythonInt),
            address if address == self.python_float => Some(Came::PythonFloat),
            address => self.concrete.iter().find(|(known, _)| *known == address).map(|(_, id)| Came::Concrete(*id)),
        }
    }

    fn address(&self, dtype: DtypeId) -> Option<DType> {
        self.concrete.iter().find(|(_, id)| *id == dtype).map(|(address, _)| *address as DType)
    }
}

/// Gives the ufunc or gufunc a promoter, if it needs one and NumPy has promoters. Its last `run_time` inputs are never Python numbers.
pub(super) fn add(ufunc: &Bound<'_, PyAny>, loops: Vec<Loop>, run_time: usize) -> PyResult<()> {
    let py = ufunc.py();
    let Some(first) = loops.first() else { return Ok(()) };
    let (nin, nout) = (first.inputs.len(), first.outputs.len());
    let lacks_a_default = (0..nin - run_time).any(|k| lacks_a_default(&loops, k));
    // A number has to stand beside something.
    let may_be_ambiguous = loops.len() > 1 && nin - run_time > 1;
    if !(lacks_a_default || may_be_ambiguous) || !is_numpy_2(py) {
        return Ok(());
    }
    DTYPES.get_or_try_init(py, || DTypes::load(py))?;
    let any = py.import("numpy")?.getattr("dtype")?;
    let mut pattern = vec![any; nin];
    pattern.resize(nin + nout, py.None().into_bound(py));
    let pattern = PyTuple::new(py, pattern)?;
    type Promoter = unsafe extern "C" fn(*mut ffi::PyObject, *const DType, *const DType, *mut DType) -> c_int;
    type AddPromoter = unsafe extern "C" fn(*mut ffi::PyObject, *mut ffi::PyObject, *mut ffi::PyObject) -> c_int;
    let promoter: Promoter = promote;
    // SAFETY: a capsule of the name that NumPy asks for, around a function of the type that it calls; NumPy 2's table holds a
    // function of this type in this slot, and it takes no reference.
    let code = unsafe {
        let capsule = ffi::PyCapsule_New(promoter as *mut c_void, c"numpy._ufunc_promoter".as_ptr(), None);
        let capsule = Bound::from_owned_ptr_or_err(py, capsule)?;
        let add = std::mem::transmute::<*const c_void, AddPromoter>(*table(py, c"_UFUNC_API")?.add(ADD_PROMOTER));
        add(ufunc.as_ptr(), pattern.as_ptr(), capsule.as_ptr())
    };
    if code < 0 {
        return Err(PyErr::fetch(py));
    }
    if let Ok(mut ufuncs) = UFUNCS.lock() {
        ufuncs.push(Promoted { ufunc: ufunc.as_ptr() as usize, loops, lacks_a_default });
    }
    Ok(())
}

/// Whether input `k` takes numbers but not those of NumPy's default dtype.
fn lacks_a_default(loops: &[Loop], k: usize) -> bool {
    let has = |test: fn(DtypeId) -> bool| loops.iter().any(|l| test(l.inputs[k]));
    (has(DtypeId::is_float) && !has(|d| d == DtypeId::F64)) || (has(DtypeId::is_int) && !has(|d| d == DtypeId::I64))
}

/// NumPy's promoter: sets the DTypes of the loop to use. -1 without an exception: no answer.
///
/// # Safety
/// Called by NumPy, with the GIL, for a ufunc of [`UFUNCS`]: `came` and `fixed` hold a DType or null for each operand, `chosen`
/// has room for as many.
unsafe extern "C" fn promote(ufunc: *mut ffi::PyObject, came: *const DType, fixed: *const DType, chosen: *mut DType) -> c_int {
    // SAFETY: NumPy's promise.
    let answer = std::panic::catch_unwind(|| unsafe { answer(Python::assume_attached(), ufunc, came, fixed) });
    let Ok(Some(dtypes)) = answer else { return -1 };
    for (k, dtype) in dtypes.into_iter().enumerate() {
        // SAFETY: `chosen` has room for each operand and takes a reference.
        unsafe {
            ffi::Py_INCREF(dtype);
            *chosen.add(k) = dtype;
        }
    }
    0
}

/// # Safety
/// As for [`promote`].
unsafe fn answer(py: Python<'_>, ufunc: *mut ffi::PyObject, came: *const DType, fixed: *const DType) -> Option<Vec<DType>> {
    let dtypes = DTYPES.get(py)?;
    let ufuncs = UFUNCS.lock().ok()?;
    let Promoted { loops, lacks_a_default, .. } = ufuncs.iter().find(|promoted| promoted.ufunc == ufunc as usize)?;
    let (nin, nout) = loops.first().map(|first| (first.inputs.len(), first.outputs.len()))?;
    // SAFETY: the caller's promise.
    let (came, fixed) = unsafe { (std::slice::from_raw_parts(came, nin), std::slice::from_raw_parts(fixed, nin + nout)) };
    let came: Vec<Came> = came.iter().map(|dtype| dtypes.came(*dtype)).collect::<Option<_>>()?;
    if !came.iter().any(|came| matches!(came, Came::Concrete(_))) || came.iter().all(|came| matches!(came, Came::Concrete(_))) {
        return None;
    }
    let fits = |of: &Loop| {
        let fixed_fits = |(dtype, fixed): (&DtypeId, &DType)| fixed.is_null() || dtypes.address(*dtype) == Some(*fixed);
        came.iter().zip(of.inputs).all(|(came, dtype)| takes(py, *dtype, *came))
            && of.inputs.iter().chain(of.outputs).zip(fixed).all(fixed_fits)
    };
    let is_exact = |of: &Loop| came.iter().zip(of.inputs).all(|(came, dtype)| !matches!(came, Came::Concrete(from) if from != dtype));
    let exact = loops.iter().find(|of| is_exact(of) && fits(of));
    let chosen = exact.or_else(|| loops.iter().find(|of| *lacks_a_default && fits(of)))?;
    chosen.inputs.iter().chain(chosen.outputs).map(|dtype| dtypes.address(*dtype)).collect()
}

fn takes(py: Python<'_>, dtype: DtypeId, came: Came) -> bool {
    match came {
        Came::PythonInt => dtype != DtypeId::Bool,
        Came::PythonFloat => dtype.is_float(),
        Came::Concrete(from) => {
            let (Some(from), Some(to)) = (super::descr::number(py, from), super::descr::number(py, dtype)) else { return false };
            // SAFETY: looks up two type numbers that NumPy gave.
            unsafe { PY_ARRAY_API.PyArray_CanCastSafely(py, from, to) != 0 }
        }
    }
}
