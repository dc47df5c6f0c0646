//! The plain function, the reference: the kernel's body over single values, in Rust's own control flow.

use crate::cx::{Cx, FaultCell};
use crate::dtype::Dtype;
use crate::isa::Varying;
use crate::isa::scalar::Scalar;

/// What a body over single values gives: a value, or a tuple.
pub trait Leave {
    /// The same as memory has it.
    type Value;
    /// Rounds what is computed in a wider type.
    fn leave(self) -> Self::Value;
}

impl<T: Dtype> Leave for Varying<T, Scalar> {
    type Value = T;
    #[inline(always)]
    fn leave(self) -> T {
        T::narrow(self.0)
    }
}

macro_rules! leave_tuple {
    ($($x:ident $k:tt),*) => {
        impl<$($x: Leave),*> Leave for ($($x,)*) {
            type Value = ($($x::Value,)*);
            #[inline(always)]
            fn leave(self) -> Self::Value {
                ($(self.$k.leave(),)*)
            }
        }
    };
}
impl Leave for () {
    type Value = ();
    #[inline(always)]
    fn leave(self) {}
}
leave_tuple!(A 0);
leave_tuple!(A 0, B 1);
leave_tuple!(A 0, B 1, C 2);
leave_tuple!(A 0, B 1, C 2, D 3);
leave_tuple!(A 0, B 1, C 2, D 3, E 4);
leave_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
leave_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
leave_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
leave_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, J 8);
leave_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, J 8, K 9);
leave_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, J 8, K 9, L 10);
leave_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, J 8, K 9, L 10, M 11);

/// Runs a body on single values.
///
/// # Panics
/// On a fault, as Rust does.
#[inline(always)]
pub fn call<R: Leave>(body: impl FnOnce(Cx<'_, Scalar>) -> R) -> R::Value {
    let fault = FaultCell::panicking();
    body(Cx::new(Scalar, &fault)).leave()
}
