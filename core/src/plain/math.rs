//! The elementary functions of one value.

use super::with_cx;
use crate::dtype::Float;
use crate::isa::Varying;
use crate::math::for_each_function;

macro_rules! values {
    ($($(#[$doc:meta])* $name:ident($($a:ident),*) => $f32:ident, $f64:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<T: Float>($($a: T),*) -> T {
            with_cx(|cx| T::$name(cx, $(Varying($a)),*).0)
        }
    )*};
}
for_each_function!(values);
