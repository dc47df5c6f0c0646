//! The inner loop of a map kernel: a strip of elements, operands at any strides.

use crate::cx::{Cx, Fault, FaultCell};
use crate::dtype::{Dtype, DtypeId};
use crate::isa::scalar::Scalar;
use crate::isa::{Isa, Registers, Varying};
use crate::stream::{self, Stores};
use core::marker::PhantomData;

/// Operands (inputs and outputs together) that a map kernel can have.
pub const MAX_OPERANDS: usize = 16;

/// A map kernel on one choice of dtypes.
///
/// `#[kernel]` implements it. The kernel is the type, the choice is `Args`: the tuple of its type arguments.
#[diagnostic::on_unimplemented(
    message = "kernel `{Self}` is not built for the dtypes `{Args}`",
    note = "add the dtype to the kernel's `dtypes(...)`"
)]
pub trait MapKernel<Args>: 'static {
    /// The operands that are read.
    type In: Pack;
    /// The operands that are written.
    type Out: Pack;
    /// The body, on the lanes of one gang.
    #[doc(hidden)]
    fn gang<I: Isa>(cx: Cx<'_, I>, x: <Self::In as Pack>::Lanes<I>) -> <Self::Out as Pack>::Lanes<I>;
}

/// A tuple of dtypes: the operands of a kernel, in order.
pub trait Pack: 'static {
    /// How many.
    const COUNT: usize;
    /// Their dtypes.
    const DTYPES: &'static [DtypeId];
    /// The lanes of each.
    type Lanes<I: Isa>;

    /// Loads a gang of each operand `k` from `at[k]`.
    ///
    /// # Safety
    /// Each pointer holds a gang of readable elements.
    #[doc(hidden)]
    unsafe fn load<I: Isa>(isa: I, at: &[*mut u8]) -> Self::Lanes<I>;
    /// Stores a gang of each operand `k` to `at[k]`.
    ///
    /// # Safety
    /// Each pointer holds a gang of writable elements, at a multiple of [`stream::ALIGN`] for [`Stores::Stream`].
    #[doc(hidden)]
    unsafe fn store<I: Isa>(isa: I, at: &[*mut u8], lanes: Self::Lanes<I>, stores: Stores);
}

/// An operand of a kernel variant: a dtype, one value per lane; or [`Uniform`], one value for all.
pub trait Element: 'static {
    /// Its dtype.
    const ID: DtypeId;
    /// What the body gets.
    type Lanes<I: Isa>;

    /// # Safety
    /// `at` holds a gang of readable elements.
    #[doc(hidden)]
    unsafe fn load_gang<I: Isa>(isa: I, at: *const u8) -> Self::Lanes<I>;
    /// # Safety
    /// `at` holds a gang of writable elements, at a multiple of [`stream::ALIGN`] for [`Stores::Stream`].
    #[doc(hidden)]
    unsafe fn store_gang<I: Isa>(isa: I, at: *mut u8, lanes: Self::Lanes<I>, stores: Stores);
}

impl<T: Dtype> Element for T {
    const ID: DtypeId = <T as Dtype>::ID;
    type Lanes<I: Isa> = Varying<T, I>;
    #[inline(always)]
    unsafe fn load_gang<I: Isa>(isa: I, at: *const u8) -> Varying<T, I> {
        // SAFETY: the caller's promise.
        Varying(unsafe { T::load(isa, at.cast()) })
    }
    #[inline(always)]
    unsafe fn store_gang<I: Isa>(isa: I, at: *mut u8, lanes: Varying<T, I>, stores: Stores) {
        match stores {
            // SAFETY: the caller's promise.
            Stores::Cache => unsafe { T::store(isa, at.cast(), lanes.0) },
            Stores::Stream => {
                let mut gang = stream::Gang::new();
                // SAFETY: `Gang` holds a gang of any dtype; the rest is the caller's promise.
                unsafe {
                    T::store(isa, gang.start().cast(), lanes.0);
                    gang.stream(at, <I as Registers>::LANES * size_of::<T>());
                }
            }
        }
    }
}

/// The run-time value of a parameter: an operand that is the same for all elements of a call.
#[derive(Debug)]
pub struct Uniform<T>(PhantomData<T>);

impl<T: Dtype> Element for Uniform<T> {
    const ID: DtypeId = <T as Dtype>::ID;
    type Lanes<I: Isa> = Varying<T, Scalar>;
    #[inline(always)]
    unsafe fn load_gang<I: Isa>(_: I, at: *const u8) -> Varying<T, Scalar> {
        // SAFETY: the caller's promise.
        Varying(unsafe { T::load(Scalar, at.cast()) })
    }
    /// Nothing is stored: a kernel has no output of this kind.
    #[inline(always)]
    unsafe fn store_gang<I: Isa>(_: I, _: *mut u8, _: Varying<T, Scalar>, _: Stores) {}
}

/// In the arguments of a kernel variant: which choice of parameter values it is built for.
#[derive(Debug)]
pub struct Choice<const K: usize>;

macro_rules! pack {
    ($n:literal: $($t:ident $k:tt),*) => {
        impl<$($t: Element),*> Pack for ($($t,)*) {
            const COUNT: usize = $n;
            const DTYPES: &'static [DtypeId] = &[$($t::ID),*];
            type Lanes<I: Isa> = ($($t::Lanes<I>,)*);
            #[inline(always)]
            unsafe fn load<I: Isa>(isa: I, at: &[*mut u8]) -> Self::Lanes<I> {
                // SAFETY: the caller's promise.
                unsafe { ($($t::load_gang(isa, at[$k]),)*) }
            }
            #[inline(always)]
            unsafe fn store<I: Isa>(isa: I, at: &[*mut u8], lanes: Self::Lanes<I>, stores: Stores) {
                // SAFETY: the caller's promise.
                unsafe { $($t::store_gang(isa, at[$k], lanes.$k, stores);)* }
            }
        }
    };
}
pack!(1: A 0);
pack!(2: A 0, B 1);
pack!(3: A 0, B 1, C 2);
pack!(4: A 0, B 1, C 2, D 3);
pack!(5: A 0, B 1, C 2, D 3, E 4);
pack!(6: A 0, B 1, C 2, D 3, E 4, F 5);
pack!(7: A 0, B 1, C 2, D 3, E 4, F 5, G 6);
pack!(8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);

/// Runs whole gangs: operand `k` starts at `at[k]` and moves by `step[k]` bytes from gang to gang. A step of 0 reads the
/// same gang again: that is how a broadcast operand comes, as a gang of equal elements.
///
/// # Safety
/// Each operand holds `gangs` gangs at its step, inputs readable, outputs writable. An output may be the same memory as an
/// input with the same step; otherwise they do not overlap. For [`Stores::Stream`] every gang of an output lies at a multiple
/// of [`stream::ALIGN`], and other threads see the outputs only after [`stream::fence`].
#[inline(always)]
pub unsafe fn run_gangs<K: MapKernel<A>, A, I: Isa>(
    isa: I,
    at: &[*mut u8; MAX_OPERANDS],
    step: &[isize; MAX_OPERANDS],
    gangs: usize,
    stores: Stores,
) -> Result<(), Fault> {
    let fault = FaultCell::default();
    let cx = Cx::new(isa, &fault);
    let mut at = *at;
    let mut gang = 0;
    while gang < gangs {
        // SAFETY: the caller's promise, for this gang.
        unsafe {
            let x = <K::In as Pack>::load(isa, &at[..]);
            let y = K::gang(cx, x);
            <K::Out as Pack>::store(isa, &at[K::In::COUNT..], y, stores);
        }
        if let Some(fault) = fault.get() {
            return Err(Fault { index: gang * <I as Registers>::LANES + fault.index, ..fault });
        }
        let mut k = 0;
        while k < K::In::COUNT + K::Out::COUNT {
            at[k] = at[k].wrapping_offset(step[k]);
            k += 1;
        }
        gang += 1;
    }
    Ok(())
}
