//! The inner loop of a map kernel: a strip of elements, operands at any strides.

use crate::cx::{Cx, Fault, FaultCell};
use crate::debug::{self, Settings};
use crate::dtype::{Dtype, DtypeId};
use crate::isa::checked::Checked;
use crate::isa::pair::Pair;
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
    /// How many elements are computed together.
    type Gang: Gang;
    /// The body, on the lanes of one gang.
    #[doc(hidden)]
    fn gang<I: Isa>(cx: Cx<'_, I>, x: <Self::In as Pack>::Lanes<I>) -> <Self::Out as Pack>::Lanes<I>;
    /// The body on one element, for debug mode: generated code has that of the plain function.
    #[doc(hidden)]
    fn checked(cx: Cx<'_, Checked>, x: <Self::In as Pack>::Lanes<Checked>) -> <Self::Out as Pack>::Lanes<Checked> {
        Self::gang(cx, x)
    }
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
    /// Each pointer holds a gang of writable elements; for [`Stores::Stream`] it is aligned to the gang, or to a [`stream::LINE`] if
    /// that is less.
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
    /// `at` holds a gang of writable elements; for [`Stores::Stream`] it is aligned to the gang, or to a [`stream::LINE`] if that is
    /// less.
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
                    gang.stream(isa, at, <I as Registers>::LANES * size_of::<T>());
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

/// Runs whole gangs of the level: operand `k` starts at `at[k]` and moves by `step[k]` bytes from gang to gang. A step of 0
/// reads the same memory again: that is how a broadcast operand comes, as [`Gang::SIZE`] equal elements.
///
/// # Safety
/// Each operand holds `gangs` gangs at its step, inputs readable, outputs writable. An output may be the same memory as an
/// input with the same step; otherwise they do not overlap. For [`Stores::Stream`] the outputs are contiguous and begin at
/// a [`stream::LINE`], and other threads see them only after [`stream::fence`].
#[inline(always)]
pub unsafe fn run_gangs<K: MapKernel<A>, A, G: Gang, I: Isa>(
    isa: I,
    at: &[*mut u8; MAX_OPERANDS],
    step: &[isize; MAX_OPERANDS],
    gangs: usize,
    stores: Stores,
) -> Result<(), Fault> {
    let mut run = Run { at: *at, step, gangs, done: 0, stores, fault: FaultCell::default() };
    // SAFETY: the caller's promise; the level's own gangs are those that the wide ones leave.
    unsafe {
        G::run_wide::<K, A, I>(isa, &mut run)?;
        run.by::<K, A, I, 1>(isa)
    }
}

/// Runs elements one after the other in debug mode: operand `k` starts at `at[k]` and moves by `step[k]` bytes. They are number `first` and so
/// on of the run. Unwinds with a [`Report`](debug::Report) at the first finding.
///
/// # Safety
/// Each operand holds `count` elements at its step, inputs readable, outputs writable.
pub unsafe fn run_checked<K: MapKernel<A>, A>(
    settings: Settings,
    at: &[*mut u8; MAX_OPERANDS],
    step: &[isize; MAX_OPERANDS],
    first: usize,
    count: usize,
) {
    debug::begin(settings);
    let (isa, fault, mut at) = (Checked::OUTSIDE, FaultCell::default(), *at);
    for element in first..first + count {
        debug::element(element);
        // SAFETY: the caller's promise, for this element.
        unsafe {
            let y = K::checked(Cx::new(isa, &fault), <K::In as Pack>::load(isa, &at[..]));
            <K::Out as Pack>::store(isa, &at[K::In::COUNT..], y, Stores::Cache);
        }
        for (at, step) in at.iter_mut().zip(step) {
            *at = at.wrapping_offset(*step);
        }
    }
}

/// How many elements a kernel computes together: [`Gang16`], [`Gang32`] or [`Gang64`]. The wide ones are two and four
/// register sets, whose operations take turns. (Types, because a constant would not keep rustc from compiling all three.)
pub trait Gang: 'static {
    /// The number.
    const SIZE: usize;
    /// This one, or [`Gang32`] where it is wider: for levels whose registers do not hold more.
    type AtMost32: Gang;

    /// Runs as many wide gangs as there are.
    ///
    /// # Safety
    /// As for [`run_gangs`].
    #[doc(hidden)]
    unsafe fn run_wide<K: MapKernel<A>, A, I: Isa>(isa: I, run: &mut Run<'_>) -> Result<(), Fault>;
}

/// The registers of a level.
#[derive(Debug)]
pub enum Gang16 {}
/// Twice as many.
#[derive(Debug)]
pub enum Gang32 {}
/// Four times as many.
#[derive(Debug)]
pub enum Gang64 {}

impl Gang for Gang16 {
    const SIZE: usize = 16;
    type AtMost32 = Gang16;
    #[inline(always)]
    unsafe fn run_wide<K: MapKernel<A>, A, I: Isa>(_: I, _: &mut Run<'_>) -> Result<(), Fault> {
        Ok(())
    }
}
impl Gang for Gang32 {
    const SIZE: usize = 32;
    type AtMost32 = Gang32;
    #[inline(always)]
    unsafe fn run_wide<K: MapKernel<A>, A, I: Isa>(isa: I, run: &mut Run<'_>) -> Result<(), Fault> {
        // SAFETY: the caller's promise.
        unsafe { run.by::<K, A, _, 2>(Pair(isa)) }
    }
}
impl Gang for Gang64 {
    const SIZE: usize = 64;
    type AtMost32 = Gang32;
    #[inline(always)]
    unsafe fn run_wide<K: MapKernel<A>, A, I: Isa>(isa: I, run: &mut Run<'_>) -> Result<(), Fault> {
        // SAFETY: the caller's promise.
        unsafe { run.by::<K, A, _, 4>(Pair(Pair(isa))) }
    }
}

/// The state of [`run_gangs`].
#[derive(Debug)]
pub struct Run<'a> {
    at: [*mut u8; MAX_OPERANDS],
    step: &'a [isize; MAX_OPERANDS],
    gangs: usize,
    done: usize,
    stores: Stores,
    fault: FaultCell,
}

impl Run<'_> {
    /// Runs by `WIDTH` gangs at once, as long as there are so many.
    ///
    /// # Safety
    /// As for [`run_gangs`]; `I` has `WIDTH` times the level's lanes.
    #[inline(always)]
    unsafe fn by<K: MapKernel<A>, A, I: Isa, const WIDTH: usize>(&mut self, isa: I) -> Result<(), Fault> {
        let cx = Cx::new(isa, &self.fault);
        // Of its own, or each gang's stores would have it read anew.
        let step = *self.step;
        while self.done + WIDTH <= self.gangs {
            // SAFETY: the caller's promise, for these gangs.
            unsafe {
                let x = <K::In as Pack>::load(isa, &self.at[..]);
                let y = K::gang(cx, x);
                <K::Out as Pack>::store(isa, &self.at[K::In::COUNT..], y, self.stores);
            }
            if let Some(fault) = self.fault.get() {
                return Err(Fault { index: self.done * (<I as Registers>::LANES / WIDTH) + fault.index, ..fault });
            }
            let mut k = 0;
            while k < K::In::COUNT + K::Out::COUNT {
                self.at[k] = self.at[k].wrapping_offset(step[k].wrapping_mul(WIDTH as isize));
                k += 1;
            }
            self.done += WIDTH;
        }
        Ok(())
    }
}
