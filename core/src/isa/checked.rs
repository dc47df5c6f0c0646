//! One lane that knows which line of the user's it computes: the level behind debug mode. Values are those of [`Scalar`]; what is wrong is
//! found in the operations of [`lane`](crate::lane) and of [`block`](crate::block), and reported to [`debug`](mod@crate::debug).

use super::half::HalfOps;
use super::scalar::Scalar;
use super::{BitsOps, MemoryOps, Registers};
use crate::debug::Place;
use crate::dtype::Dtype;

/// One value, by Rust's own operations, at a place of the source.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    file: &'static str,
    /// 0 in what is no operation of the user's: its integers wrap, and its NaN are its own business.
    line: u32,
}

impl Checked {
    /// In front of a kernel's body, which says where it stands.
    pub(crate) const OUTSIDE: Self = Self { file: "", line: 0 };
}

impl Registers for Checked {
    const LANES: usize = 1;
    const CHECKED: bool = true;
    type V<T: Dtype> = T::Scalar;

    #[inline(always)]
    fn in_file(self, file: &'static str) -> Self {
        Self { file, line: 0 }
    }
    #[inline(always)]
    fn at(self, line: u32) -> Self {
        Self { line, ..self }
    }
    #[inline(always)]
    fn place(self) -> Option<Place> {
        (self.line > 0).then_some(Place { file: self.file, line: self.line })
    }
}

impl<T: Dtype> MemoryOps<T> for Checked {
    #[inline(always)]
    unsafe fn load(self, p: *const T) -> T::Scalar {
        // SAFETY: the caller's promise.
        unsafe { <Scalar as MemoryOps<T>>::load(Scalar, p) }
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut T, a: T::Scalar) {
        // SAFETY: the caller's promise.
        unsafe { <Scalar as MemoryOps<T>>::store(Scalar, p, a) }
    }
}

impl<T: Dtype> HalfOps<T> for Checked
where
    Scalar: HalfOps<T>,
{
    #[inline(always)]
    fn widen(self, bits: u16) -> T::Scalar {
        HalfOps::<T>::widen(Scalar, bits)
    }
    #[inline(always)]
    fn narrow(self, a: T::Scalar) -> u16 {
        HalfOps::<T>::narrow(Scalar, a)
    }
    #[inline(always)]
    fn of_f32(self, a: f32) -> T::Scalar {
        HalfOps::<T>::of_f32(Scalar, a)
    }
}

macro_rules! bits {
    ($(fn $f:ident($($a:ident: $t:ty),*) -> $r:ty;)*) => {
        impl BitsOps for Checked {$(
            #[inline(always)]
            fn $f(self, $($a: $t),*) -> $r {
                Scalar.$f($($a),*)
            }
        )*}
    };
}
bits! {
    fn bitmask(m: bool) -> u64;
    fn f32_to_bits(a: f32) -> u32;
    fn f32_from_bits(a: u32) -> f32;
    fn f64_to_bits(a: f64) -> u64;
    fn f64_from_bits(a: u64) -> f64;
    fn u32_shl(a: u32, n: u32) -> u32;
    fn u32_shr(a: u32, n: u32) -> u32;
    fn f32_scale(a: f32, t: f32) -> f32;
    fn f64_scale(a: f64, t: f64) -> f64;
    fn f32_look_up(table: &[f32; 16], at: u32) -> f32;
}
