//! The elementary functions over lanes.

use crate::cx::Cx;
use crate::dtype::Float;
use crate::isa::{Isa, Registers, Varying};
use crate::math::{for_each_fast_function, for_each_function};

macro_rules! lanes {
    ($($(#[$doc:meta])* $name:ident($($a:ident),*) => $f32:ident, $f64:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<T: Float, I: Isa>(cx: Cx<'_, I>, $($a: Varying<T, I>),*) -> Varying<T, I> {
            let y = T::$name(cx.within(), $($a),*);
            if <I as Registers>::CHECKED {
                cx.check_method(stringify!($name), [$($a),*], y);
            }
            y
        }
    )*};
}
for_each_function!(lanes);
for_each_fast_function!(lanes);
