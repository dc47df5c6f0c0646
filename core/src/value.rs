//! What a kernel can hold: dtypes, tuples, arrays, `Option`s and structs of them; as memory has it and as lanes.
//!
//! ```text
//! T, (T, U), [T; N], Option<T>, P<T>        as memory has it: Enter
//!   -- enter -->  Varying<T, I>, (..), [..; N], Maybe<.., I>, the lanes of P<T>        over lanes: Blend<I>
//!   <-- leave --  the same over one lane: Leave
//! ```
//!
//! `#[kernel]` on a struct implements these for it, field by field.

use crate::cx::Cx;
use crate::dtype::Dtype;
use crate::isa::scalar::Scalar;
use crate::isa::{Isa, MAX_LANES, Registers, Varying};
use crate::lane::splat;

/// A type whose values a kernel can hold.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a kernel",
    label = "not a type of the kernel language",
    note = "its types are the dtypes, tuples, arrays and `Option`s of them, and structs with `#[kernel]` on them"
)]
pub trait Enter: Sized {
    /// Its lanes.
    type Lanes<I: Isa>: Blend<I>;
    /// The same value in every lane.
    fn enter<I: Isa>(self, cx: Cx<'_, I>) -> Self::Lanes<I>;
    /// A single value, as memory has it: rounded, where it is computed in a wider type.
    fn leave(x: Self::Lanes<Scalar>) -> Self;
    /// A single value in every lane.
    fn spread<I: Isa>(cx: Cx<'_, I>, x: Self::Lanes<Scalar>) -> Self::Lanes<I>;
    /// In each lane `k` the value `get(k)`.
    fn collect<'a, I: Isa>(cx: Cx<'_, I>, get: impl Fn(usize) -> &'a Self) -> Self::Lanes<I>
    where
        Self: 'a;
    /// In each lane, the element that the low four bits of `at` name; `None` for a type whose tables are only in memory.
    #[inline(always)]
    fn look_up<I: Isa>(_cx: Cx<'_, I>, _table: &[Self; 16], _at: Varying<u32, I>) -> Option<Self::Lanes<I>> {
        None
    }
}

/// Lanes of a value: what `if` and `else` can give, and what can be assigned in some lanes only.
pub trait Blend<I: Isa>: Copy {
    /// The same as memory has it.
    type Memory;
    /// `a` in the lanes where `c` holds, `b` in the others.
    fn blend(cx: Cx<'_, I>, c: Varying<bool, I>, a: Self, b: Self) -> Self;
    /// Zeros, or false.
    fn zero(cx: Cx<'_, I>) -> Self;
}

/// A single value: [`Enter::leave`] and [`Enter::spread`], found from the lanes' type.
pub trait Leave: Copy {
    /// The same as memory has it.
    type Value;
    /// The same over the lanes of another level.
    type At<I: Isa>;
    /// Rounds what is computed in a wider type.
    fn leave(self) -> Self::Value;
    /// The same value in every lane.
    fn spread<I: Isa>(self, cx: Cx<'_, I>) -> Self::At<I>;
}

#[diagnostic::do_not_recommend]
impl<T: Dtype> Enter for T {
    type Lanes<I: Isa> = Varying<T, I>;
    #[inline(always)]
    fn enter<I: Isa>(self, cx: Cx<'_, I>) -> Varying<T, I> {
        splat(cx, self)
    }
    #[inline(always)]
    fn leave(x: Varying<T, Scalar>) -> T {
        T::narrow(x.0)
    }
    #[inline(always)]
    fn spread<I: Isa>(cx: Cx<'_, I>, x: Varying<T, Scalar>) -> Varying<T, I> {
        Varying(T::splat(cx.isa, x.0))
    }
    #[inline(always)]
    fn collect<'a, I: Isa>(cx: Cx<'_, I>, get: impl Fn(usize) -> &'a Self) -> Varying<T, I> {
        const { assert!(<I as Registers>::LANES <= MAX_LANES) };
        let mut lanes = [T::default(); MAX_LANES];
        let mut k = 0;
        while k < <I as Registers>::LANES {
            lanes[k] = *get(k);
            k += 1;
        }
        // SAFETY: the array holds the lanes of any level.
        Varying(unsafe { T::load(cx.isa, lanes.as_ptr()) })
    }
    #[inline(always)]
    fn look_up<I: Isa>(cx: Cx<'_, I>, table: &[T; 16], at: Varying<u32, I>) -> Option<Varying<T, I>> {
        T::look_up(cx.isa, table, at.0).map(Varying)
    }
}

impl<T: Dtype, I: Isa> Blend<I> for Varying<T, I> {
    type Memory = T;
    #[inline(always)]
    fn blend(cx: Cx<'_, I>, c: Varying<bool, I>, a: Self, b: Self) -> Self {
        Self(T::select(cx.isa, c.0, a.0, b.0))
    }
    #[inline(always)]
    fn zero(cx: Cx<'_, I>) -> Self {
        splat(cx, T::default())
    }
}

impl<T: Dtype> Leave for Varying<T, Scalar> {
    type Value = T;
    type At<I: Isa> = Varying<T, I>;
    #[inline(always)]
    fn leave(self) -> T {
        T::narrow(self.0)
    }
    #[inline(always)]
    fn spread<I: Isa>(self, cx: Cx<'_, I>) -> Varying<T, I> {
        Varying(T::splat(cx.isa, self.0))
    }
}

/// Constants of type `usize` are `u64` in a kernel.
impl Enter for usize {
    type Lanes<I: Isa> = Varying<u64, I>;
    #[inline(always)]
    fn enter<I: Isa>(self, cx: Cx<'_, I>) -> Varying<u64, I> {
        splat(cx, self as u64)
    }
    #[inline(always)]
    fn leave(x: Varying<u64, Scalar>) -> Self {
        x.0 as Self
    }
    #[inline(always)]
    fn spread<I: Isa>(cx: Cx<'_, I>, x: Varying<u64, Scalar>) -> Varying<u64, I> {
        splat(cx, x.0)
    }
    #[inline(always)]
    fn collect<'a, I: Isa>(cx: Cx<'_, I>, get: impl Fn(usize) -> &'a Self) -> Varying<u64, I> {
        let mut lanes = [0; MAX_LANES];
        let mut k = 0;
        while k < <I as Registers>::LANES {
            lanes[k] = *get(k) as u64;
            k += 1;
        }
        u64::collect(cx, |k| &lanes[k])
    }
}

macro_rules! tuple {
    ($($x:ident $k:tt),*) => {
        impl<$($x: Enter),*> Enter for ($($x,)*) {
            type Lanes<I: Isa> = ($($x::Lanes<I>,)*);
            #[inline(always)]
            fn enter<I: Isa>(self, _cx: Cx<'_, I>) -> Self::Lanes<I> {
                ($(self.$k.enter(_cx),)*)
            }
            #[inline(always)]
            fn leave(_x: Self::Lanes<Scalar>) -> Self {
                ($($x::leave(_x.$k),)*)
            }
            #[inline(always)]
            fn spread<I: Isa>(_cx: Cx<'_, I>, _x: Self::Lanes<Scalar>) -> Self::Lanes<I> {
                ($($x::spread(_cx, _x.$k),)*)
            }
            #[inline(always)]
            fn collect<'a, I: Isa>(_cx: Cx<'_, I>, _get: impl Fn(usize) -> &'a Self) -> Self::Lanes<I>
            where
                Self: 'a,
            {
                ($($x::collect(_cx, #[inline(always)] |k| &_get(k).$k),)*)
            }
        }
        impl<J: Isa, $($x: Blend<J>),*> Blend<J> for ($($x,)*) {
            type Memory = ($($x::Memory,)*);
            #[inline(always)]
            fn blend(_cx: Cx<'_, J>, _c: Varying<bool, J>, _a: Self, _b: Self) -> Self {
                ($($x::blend(_cx, _c, _a.$k, _b.$k),)*)
            }
            #[inline(always)]
            fn zero(_cx: Cx<'_, J>) -> Self {
                ($($x::zero(_cx),)*)
            }
        }
        impl<$($x: Leave),*> Leave for ($($x,)*) {
            type Value = ($($x::Value,)*);
            type At<I: Isa> = ($($x::At<I>,)*);
            #[inline(always)]
            fn leave(self) -> Self::Value {
                ($(self.$k.leave(),)*)
            }
            #[inline(always)]
            fn spread<I: Isa>(self, _cx: Cx<'_, I>) -> Self::At<I> {
                ($(self.$k.spread(_cx),)*)
            }
        }
    };
}
#[allow(clippy::unused_unit, reason = "the tuple of nothing is in the same table")]
mod tuples {
    use super::{Blend, Cx, Enter, Isa, Leave, Scalar, Varying};
    tuple!();
    tuple!(A 0);
    tuple!(A 0, B 1);
    tuple!(A 0, B 1, C 2);
    tuple!(A 0, B 1, C 2, D 3);
    tuple!(A 0, B 1, C 2, D 3, E 4);
    tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
    tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
    tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
    tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, K 8);
    tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, K 8, L 9);
    tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, K 8, L 9, M 10);
    tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, K 8, L 9, M 10, N 11);
}

impl<A: Enter, const N: usize> Enter for [A; N] {
    type Lanes<I: Isa> = [A::Lanes<I>; N];
    #[inline(always)]
    fn enter<I: Isa>(self, cx: Cx<'_, I>) -> Self::Lanes<I> {
        self.map(
            #[inline(always)]
            |x| x.enter(cx),
        )
    }
    #[inline(always)]
    fn leave(x: Self::Lanes<Scalar>) -> Self {
        x.map(A::leave)
    }
    #[inline(always)]
    fn spread<I: Isa>(cx: Cx<'_, I>, x: Self::Lanes<Scalar>) -> Self::Lanes<I> {
        x.map(
            #[inline(always)]
            |x| A::spread(cx, x),
        )
    }
    #[inline(always)]
    fn collect<'a, I: Isa>(cx: Cx<'_, I>, get: impl Fn(usize) -> &'a Self) -> Self::Lanes<I>
    where
        Self: 'a,
    {
        let mut out = <[A::Lanes<I>; N]>::zero(cx);
        let mut k = 0;
        while k < N {
            out[k] = A::collect(
                cx,
                #[inline(always)]
                |lane| &get(lane)[k],
            );
            k += 1;
        }
        out
    }
}

impl<I: Isa, B: Blend<I>, const N: usize> Blend<I> for [B; N] {
    type Memory = [B::Memory; N];
    #[inline(always)]
    fn blend(cx: Cx<'_, I>, c: Varying<bool, I>, a: Self, b: Self) -> Self {
        let mut out = b;
        let mut k = 0;
        while k < N {
            out[k] = B::blend(cx, c, a[k], b[k]);
            k += 1;
        }
        out
    }
    #[inline(always)]
    fn zero(cx: Cx<'_, I>) -> Self {
        [B::zero(cx); N]
    }
}

impl<B: Leave, const N: usize> Leave for [B; N] {
    type Value = [B::Value; N];
    type At<I: Isa> = [B::At<I>; N];
    #[inline(always)]
    fn leave(self) -> Self::Value {
        self.map(B::leave)
    }
    #[inline(always)]
    fn spread<I: Isa>(self, cx: Cx<'_, I>) -> Self::At<I> {
        self.map(
            #[inline(always)]
            |x| x.spread(cx),
        )
    }
}

/// The lanes of an `Option`.
#[derive(Clone, Copy)]
pub struct Maybe<B, M> {
    /// Where there is a value.
    pub is_some: M,
    /// The values there; elsewhere anything.
    pub value: B,
}

impl<A: Enter> Enter for Option<A> {
    type Lanes<I: Isa> = Maybe<A::Lanes<I>, Varying<bool, I>>;
    #[inline(always)]
    fn enter<I: Isa>(self, cx: Cx<'_, I>) -> Self::Lanes<I> {
        match self {
            Some(x) => Maybe { is_some: splat(cx, true), value: x.enter(cx) },
            None => Blend::zero(cx),
        }
    }
    #[inline(always)]
    fn leave(x: Self::Lanes<Scalar>) -> Self {
        if x.is_some.0 { Some(A::leave(x.value)) } else { None }
    }
    #[inline(always)]
    fn spread<I: Isa>(cx: Cx<'_, I>, x: Self::Lanes<Scalar>) -> Self::Lanes<I> {
        Maybe { is_some: splat(cx, x.is_some.0), value: A::spread(cx, x.value) }
    }
    #[inline(always)]
    fn collect<'a, I: Isa>(cx: Cx<'_, I>, get: impl Fn(usize) -> &'a Self) -> Self::Lanes<I>
    where
        Self: 'a,
    {
        // Where there is none, the value of a lane that has one stands in.
        let first = (0..<I as Registers>::LANES).find_map(|k| get(k).as_ref());
        let is_some = bool::collect(cx, |k| if get(k).is_some() { &true } else { &false });
        match first {
            Some(any) => Maybe { is_some, value: A::collect(cx, |k| get(k).as_ref().unwrap_or(any)) },
            None => Blend::zero(cx),
        }
    }
}

impl<I: Isa, B: Blend<I>> Blend<I> for Maybe<B, Varying<bool, I>> {
    type Memory = Option<B::Memory>;
    #[inline(always)]
    fn blend(cx: Cx<'_, I>, c: Varying<bool, I>, a: Self, b: Self) -> Self {
        Self { is_some: Blend::blend(cx, c, a.is_some, b.is_some), value: B::blend(cx, c, a.value, b.value) }
    }
    #[inline(always)]
    fn zero(cx: Cx<'_, I>) -> Self {
        Self { is_some: splat(cx, false), value: B::zero(cx) }
    }
}

impl<B: Leave> Leave for Maybe<B, Varying<bool, Scalar>> {
    type Value = Option<B::Value>;
    type At<I: Isa> = Maybe<B::At<I>, Varying<bool, I>>;
    #[inline(always)]
    fn leave(self) -> Self::Value {
        if self.is_some.0 { Some(self.value.leave()) } else { None }
    }
    #[inline(always)]
    fn spread<I: Isa>(self, cx: Cx<'_, I>) -> Self::At<I> {
        Maybe { is_some: self.is_some.spread(cx), value: self.value.spread(cx) }
    }
}
