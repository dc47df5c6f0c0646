//! Running a block kernel on one item after the other.

use super::crew::Member;
use super::view::Raw;
pub use crate::cx::MAX_RANK;
use crate::cx::{Answer, Cx, FaultCell, FaultKind, OutOfRange};
use crate::debug::{self, Settings, shadow};
use crate::dtype::{Dtype, DtypeId};
use crate::isa::checked::Checked;
use crate::isa::scalar::Scalar;
use crate::isa::{Isa, Varying};
use crate::map::MAX_OPERANDS;
use crate::stream::Stores;
use core::marker::PhantomData;

/// How several threads can work on one item: they meet at the end of each loop over lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {
    /// They cannot.
    Not,
    /// Loops over lanes stand outside of other loops.
    Once,
    /// They stand inside of others: what is written there says how much there is to share out.
    InTurns,
}

/// A block kernel on one choice of dtypes. `#[kernel]` implements it.
#[diagnostic::on_unimplemented(
    message = "kernel `{Self}` is not built for the dtypes `{Args}`",
    note = "add the dtype to the kernel's `dtypes(...)`"
)]
pub trait BlockKernel<Args>: 'static {
    /// What it reads, then what it writes through arrays: a tuple of [`Array`] and [`Value`].
    type Operands: Operands;
    /// The dtypes of the values that it returns, as a tuple.
    type Returned: Returned;
    /// How many of the operands are read.
    const INPUTS: usize;
    /// How several threads can work on one item.
    const WIDE: Wide;
    /// The body, on one item.
    #[doc(hidden)]
    fn item<I: Isa>(cx: Cx<'_, I>, x: <Self::Operands as Operands>::Args) -> <Self::Returned as Returned>::Values;
    /// The plain function's body, on one item, for debug mode.
    #[doc(hidden)]
    fn checked(cx: Cx<'_, Checked>, x: <Self::Operands as Operands>::Args) -> <Self::Returned as Returned>::Values;
}

/// An array operand of `N` axes.
#[derive(Debug)]
pub struct Array<T, const N: usize>(PhantomData<T>);
/// A single element as an operand.
#[derive(Debug)]
pub struct Value<T>(PhantomData<T>);

/// An operand's type.
pub trait Operand: 'static {
    /// The dtype.
    const ID: DtypeId;
    /// What the body gets.
    type Arg;
    /// What is the same in all items.
    #[doc(hidden)]
    type Form: Copy;
    /// Of operand `k`.
    #[doc(hidden)]
    fn form(items: &Items<'_>, k: usize) -> Self::Form;
    /// # Safety
    /// At `at` is an item of an operand of this type and form.
    #[doc(hidden)]
    unsafe fn arg(form: Self::Form, at: *mut u8) -> Self::Arg;
}

impl<T: Dtype, const N: usize> Operand for Array<T, N> {
    const ID: DtypeId = T::ID;
    type Arg = Raw<T, N>;
    type Form = Raw<T, N>;
    #[inline(always)]
    fn form(items: &Items<'_>, k: usize) -> Raw<T, N> {
        let axes = &items.axes[k];
        let (mut shape, mut steps) = ([0; N], [0; N]);
        let mut d = 0;
        while d < N {
            (shape[d], steps[d]) = (axes.shape[d], axes.steps[d]);
            d += 1;
        }
        // SAFETY: the promise of `run_items` on the elements of the first item.
        unsafe { Raw::new(items.at[k], shape, steps, k) }.of(items.memory[k])
    }
    #[inline(always)]
    unsafe fn arg(form: Raw<T, N>, at: *mut u8) -> Raw<T, N> {
        form.moved_to(at)
    }
}

impl<T: Dtype> Operand for Value<T> {
    const ID: DtypeId = T::ID;
    type Arg = Varying<T, Scalar>;
    type Form = ();
    #[inline(always)]
    fn form(_: &Items<'_>, _: usize) {}
    #[inline(always)]
    unsafe fn arg((): (), at: *mut u8) -> Varying<T, Scalar> {
        // SAFETY: the caller's promise; the element is readable.
        Varying(unsafe { T::read(at.cast()) }.widen())
    }
}

/// A tuple of operands.
pub trait Operands: 'static {
    /// Their dtypes.
    const DTYPES: &'static [DtypeId];
    /// What the body gets.
    type Args;
    /// What is the same in all items.
    #[doc(hidden)]
    type Forms: Copy;
    #[doc(hidden)]
    fn forms(items: &Items<'_>) -> Self::Forms;
    /// # Safety
    /// Where `at` says are operands of these types and forms.
    #[doc(hidden)]
    unsafe fn args(forms: Self::Forms, at: &[*mut u8; MAX_OPERANDS]) -> Self::Args;
}

/// A tuple of the dtypes of values that are returned.
pub trait Returned: 'static {
    /// The dtypes.
    const DTYPES: &'static [DtypeId];
    /// What the body returns.
    type Values;
    /// # Safety
    /// The operands from `k` on are single elements of these dtypes, writable.
    #[doc(hidden)]
    unsafe fn give(at: &[*mut u8; MAX_OPERANDS], k: usize, values: Self::Values);
}

macro_rules! operands {
    ($($t:ident $k:tt),*) => {
        impl<$($t: Operand),*> Operands for ($($t,)*) {
            const DTYPES: &'static [DtypeId] = &[$($t::ID),*];
            type Args = ($($t::Arg,)*);
            type Forms = ($($t::Form,)*);
            #[inline(always)]
            fn forms(items: &Items<'_>) -> Self::Forms {
                ($($t::form(items, $k),)*)
            }
            #[inline(always)]
            unsafe fn args(forms: Self::Forms, at: &[*mut u8; MAX_OPERANDS]) -> Self::Args {
                // SAFETY: the caller's promise.
                unsafe { ($($t::arg(forms.$k, at[$k]),)*) }
            }
        }
    };
}
operands!(A 0);
operands!(A 0, B 1);
operands!(A 0, B 1, C 2);
operands!(A 0, B 1, C 2, D 3);
operands!(A 0, B 1, C 2, D 3, E 4);
operands!(A 0, B 1, C 2, D 3, E 4, F 5);
operands!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
operands!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
operands!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, J 8);
operands!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, J 8, K 9);
operands!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, J 8, K 9, L 10);
operands!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, J 8, K 9, L 10, M 11);

macro_rules! returned {
    ($($t:ident $k:tt),*) => {
        impl<$($t: Dtype),*> Returned for ($($t,)*) {
            const DTYPES: &'static [DtypeId] = &[$($t::ID),*];
            type Values = ($(Varying<$t, Scalar>,)*);
            #[inline(always)]
            unsafe fn give(_at: &[*mut u8; MAX_OPERANDS], _k: usize, _values: Self::Values) {
                // SAFETY: the caller's promise.
                $(unsafe { _at[_k + $k].cast::<$t>().write_unaligned($t::narrow(_values.$k.0)) };)*
            }
        }
    };
}
impl Returned for () {
    const DTYPES: &'static [DtypeId] = &[];
    type Values = ();
    #[inline(always)]
    unsafe fn give(_: &[*mut u8; MAX_OPERANDS], _: usize, (): ()) {}
}
returned!(A 0);
returned!(A 0, B 1);
returned!(A 0, B 1, C 2);
returned!(A 0, B 1, C 2, D 3);

/// The axes of one operand of an item.
#[derive(Clone, Copy, Debug, Default)]
pub struct Axes {
    /// Their lengths.
    pub shape: [u64; MAX_RANK],
    /// Bytes from element to element.
    pub steps: [isize; MAX_RANK],
}

/// Bytes of a row from which on what is prefetched lies in the row itself, and not in one that comes later.
pub const LONG_ROW: usize = 32 << 10;

/// How the memory of an operand is used.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// How it is written where its elements are written once and not read. After [`Stores::Stream`] a [`fence`](crate::stream::fence) is due.
    pub stores: Stores,
    /// Bytes from an element to one that is worth prefetching meanwhile; 0 in small arrays. Any number is right.
    pub ahead: isize,
}

/// Items of one shape: operand `k` of the first one is at `at[k]`, of the next `step[k]` bytes after it.
#[derive(Clone)]
pub struct Items<'a> {
    /// How many.
    pub count: usize,
    /// Where the first one is.
    pub at: [*mut u8; MAX_OPERANDS],
    /// Bytes from item to item.
    pub step: [isize; MAX_OPERANDS],
    /// The axes of each operand, the same in all items.
    pub axes: &'a [Axes; MAX_OPERANDS],
    /// How the memory of each operand is used.
    pub memory: &'a [Memory; MAX_OPERANDS],
    /// Where several threads work on each item: which of them this is.
    pub member: Option<Member<'a>>,
    /// Who tells, every so often, whether to stop.
    pub poll: Option<fn() -> Answer>,
}

/// Why an item has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemFault {
    /// A division by zero, or an index beyond an array of the kernel's own.
    Fault(FaultKind),
    /// An index was beyond an operand's shape.
    OutOfRange(OutOfRange),
    /// Another of the threads that work on the item has a fault.
    Elsewhere,
}

/// Runs items one after the other, up to the first with a fault, whose number comes with it.
///
/// # Safety
/// The operands are of the kernel's types. Every element of the operands is readable, of outputs writable, and nobody else uses the outputs' elements meanwhile; on its last
/// axis each operand's elements lie side by side.
#[inline(always)]
pub unsafe fn run_items<K: BlockKernel<A>, A, I: Isa>(isa: I, items: &Items<'_>) -> Result<(), (usize, ItemFault)> {
    let fault = FaultCell::polled(items.poll);
    let member = if matches!(K::WIDE, Wide::Not) { None } else { items.member };
    let cx = Cx::new(isa, &fault).of_member(member);
    let operands = <K::Operands as Operands>::DTYPES.len();
    let all = operands + <K::Returned as Returned>::DTYPES.len();
    // Not anew for each item, as stores to the outputs would have it otherwise.
    let forms = <K::Operands as Operands>::forms(items);
    let mut at = items.at;
    let mut n = 0;
    while n < items.count {
        // SAFETY: the operands are of the kernel's types, its returned values last.
        unsafe {
            let values = K::item(cx, <K::Operands as Operands>::args(forms, &at));
            if member.is_none_or(|member| member.index == 0) {
                <K::Returned as Returned>::give(&at, operands, values);
            }
        }
        if let Some(what) = fault.out_of_range() {
            return Err((n, ItemFault::OutOfRange(what)));
        }
        if let Some(fault) = fault.get() {
            return Err((n, ItemFault::Fault(fault.kind)));
        }
        if cx.failed() {
            return Err((n, ItemFault::Elsewhere));
        }
        let mut k = 0;
        while k < all {
            at[k] = at[k].wrapping_offset(items.step[k]);
            k += 1;
        }
        n += 1;
    }
    Ok(())
}

/// Runs items one after the other in debug mode; they are number `first` and so on of the run. Unwinds with a [`Report`](debug::Report) at the
/// first finding.
///
/// # Safety
/// As for [`run_items`].
pub unsafe fn run_checked<K: BlockKernel<A>, A>(settings: Settings, items: &Items<'_>, first: usize) {
    debug::begin(settings);
    let fault = FaultCell::polled(items.poll);
    let cx = Cx::new(Checked::OUTSIDE, &fault);
    let operands = <K::Operands as Operands>::DTYPES.len();
    let forms = <K::Operands as Operands>::forms(items);
    let mut at = items.at;
    for n in 0..items.count {
        shadow::item(first + n, (0..operands).map(|k| (k >= K::INPUTS).then_some(items.axes[k].shape)));
        // SAFETY: the operands are of the kernel's types, its returned values last.
        unsafe {
            let values = K::checked(cx, <K::Operands as Operands>::args(forms, &at));
            <K::Returned as Returned>::give(&at, operands, values);
        }
        shadow::finish(K::INPUTS, settings.fresh);
        for (at, step) in at.iter_mut().zip(&items.step) {
            *at = at.wrapping_offset(*step);
        }
    }
}
