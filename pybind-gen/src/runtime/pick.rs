//! Which variant a call means, where NumPy's rules need not be asked: the arrays have exactly the dtypes of one of them.

use lanecraft_backends::{KernelInfo, Variant};
use lanecraft_core::DtypeId;
use pyo3::ffi::{self, PyObject};

/// A Python number among the arguments.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Float(f64),
    Int(i64),
}

/// What an input came as.
#[derive(Clone, Copy, Debug)]
pub(super) enum Came {
    Dtype(DtypeId),
    Number(Number),
}

impl Number {
    /// `value`, if it is a float or an int of 64 bits, and of no derived class.
    ///
    /// # Safety
    /// A Python object, with the GIL.
    pub(super) unsafe fn of(value: *mut PyObject) -> Option<Self> {
        // SAFETY: the caller's promise; the types are checked before the values are asked for.
        unsafe {
            if ffi::Py_TYPE(value) == &raw mut ffi::PyFloat_Type {
                Some(Self::Float(ffi::PyFloat_AsDouble(value)))
            } else if ffi::Py_TYPE(value) == &raw mut ffi::PyLong_Type {
                let mut overflow = 0;
                let number = ffi::PyLong_AsLongLongAndOverflow(value, &mut overflow);
                (overflow == 0).then_some(Self::Int(number))
            } else {
                None
            }
        }
    }

    /// The bytes of an element of `dtype` with this value, if NumPy would make it without a warning or an error.
    pub(super) fn element(self, dtype: DtypeId) -> Option<[u8; 8]> {
        fn bytes<const N: usize>(value: [u8; N]) -> [u8; 8] {
            let mut bytes = [0; 8];
            bytes[..N].copy_from_slice(&value);
            bytes
        }
        let float = match self {
            Self::Float(x) => x,
            Self::Int(n) => n as f64,
        };
        match (dtype, self) {
            (DtypeId::F64, Self::Int(n)) if n.unsigned_abs() > 1 << 53 => None,
            (DtypeId::F64, _) => Some(bytes(float.to_ne_bytes())),
            (DtypeId::F32, Self::Int(n)) if n.unsigned_abs() > 1 << 24 => None,
            (DtypeId::F32, _) => (!float.is_finite() || (float as f32).is_finite()).then(|| bytes((float as f32).to_ne_bytes())),
            (DtypeId::I8, Self::Int(n)) => i8::try_from(n).ok().map(|n| bytes(n.to_ne_bytes())),
            (DtypeId::I16, Self::Int(n)) => i16::try_from(n).ok().map(|n| bytes(n.to_ne_bytes())),
            (DtypeId::I32, Self::Int(n)) => i32::try_from(n).ok().map(|n| bytes(n.to_ne_bytes())),
            (DtypeId::I64, Self::Int(n)) => Some(bytes(n.to_ne_bytes())),
            (DtypeId::U8, Self::Int(n)) => u8::try_from(n).ok().map(|n| bytes(n.to_ne_bytes())),
            (DtypeId::U16, Self::Int(n)) => u16::try_from(n).ok().map(|n| bytes(n.to_ne_bytes())),
            (DtypeId::U32, Self::Int(n)) => u32::try_from(n).ok().map(|n| bytes(n.to_ne_bytes())),
            (DtypeId::U64, Self::Int(n)) => u64::try_from(n).ok().map(|n| bytes(n.to_ne_bytes())),
            _ => None,
        }
    }
}

/// The variant for these inputs. A number takes the dtype that the only variant for the arrays has in its place.
pub(super) fn variant<'a>(info: &'a KernelInfo, came: &[Came]) -> Option<&'a Variant> {
    let fits = |variant: &&Variant| {
        let fits = |(dtype, came): (&DtypeId, &Came)| !matches!(came, Came::Dtype(came) if came != dtype);
        variant.inputs.iter().zip(came).all(fits)
    };
    let mut fitting = info.variants.iter().filter(fits);
    let variant = fitting.next()?;
    // With several it is NumPy's rules that choose.
    let is_only = came.iter().all(|came| matches!(came, Came::Dtype(_))) || fitting.next().is_none();
    is_only.then_some(variant)
}
