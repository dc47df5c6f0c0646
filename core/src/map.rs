//! The inner loop of a map kernel: a strip of elements, operands at any strides.

use crate::cx::{Cx, Fault, FaultCell};
use crate::dtype::{Dtype, DtypeId};
use crate::isa::{Isa, Registers, Varying};

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
    /// Each pointer holds a gang of writable elements.
    #[doc(hidden)]
    unsafe fn store<I: Isa>(isa: I, at: &[*mut u8], lanes: Self::Lanes<I>);
}

macro_rules! pack {
    ($n:literal: $($t:ident $k:tt),*) => {
        impl<$($t: Dtype),*> Pack for ($($t,)*) {
            const COUNT: usize = $n;
            const DTYPES: &'static [DtypeId] = &[$($t::ID),*];
            type Lanes<I: Isa> = ($(Varying<$t, I>,)*);
            #[inline(always)]
            unsafe fn load<I: Isa>(isa: I, at: &[*mut u8]) -> Self::Lanes<I> {
                // SAFETY: the caller's promise.
                unsafe { ($(Varying($t::load(isa, at[$k].cast())),)*) }
            }
            #[inline(always)]
            unsafe fn store<I: Isa>(isa: I, at: &[*mut u8], lanes: Self::Lanes<I>) {
                // SAFETY: the caller's promise.
                unsafe { $($t::store(isa, at[$k].cast(), lanes.$k.0);)* }
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
/// input with the same step; otherwise they do not overlap.
#[inline(always)]
pub unsafe fn run_gangs<K: MapKernel<A>, A, I: Isa>(
    isa: I,
    at: &[*mut u8; MAX_OPERANDS],
    step: &[isize; MAX_OPERANDS],
    gangs: usize,
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
            <K::Out as Pack>::store(isa, &at[K::In::COUNT..], y);
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
