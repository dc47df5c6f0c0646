//! The elementary functions as methods: for each, the items of its f32 and its f64 form, and overloads that pick one.

use super::Item;
use crate::math::for_each_function;

macro_rules! items {
    ($($(#[$doc:meta])* $name:ident($($a:ident),*) => $f32:ident, $f64:ident;)*) => {
        $(
            $(#[$doc])*
            #[allow(non_camel_case_types, reason = "named as the method")]
            #[derive(Debug)]
            pub enum $name {}
            impl $name {
                #[doc(hidden)]
                pub const __LANECRAFT_CUDA: &'static Item = &Item::written(
                    stringify!($name),
                    "",
                    text!($name $($a)*),
                    &[crate::math::$f32::__LANECRAFT_CUDA, crate::math::$f64::__LANECRAFT_CUDA],
                );
            }
        )*

        /// What a function of this name needs: an elementary function, or nothing.
        pub const fn elementary_of(name: &str) -> &'static [&'static Item] {
            $(
                if same(name, stringify!($name)) {
                    return &[$name::__LANECRAFT_CUDA];
                }
            )*
            &[]
        }
    };
}

/// The overloads of a function of one or two arguments. f16 and bf16 compute in f32.
macro_rules! text {
    ($name:ident $x:ident) => {
        concat!(
            "namespace lc {\n",
            "LC_FN f32 ",
            stringify!($name),
            "(Cx &cx, f32 x) { return $f0$(cx, x); }\n",
            "LC_FN f64 ",
            stringify!($name),
            "(Cx &cx, f64 x) { return $f1$(cx, x); }\n",
            "LC_FN f16 ",
            stringify!($name),
            "(Cx &cx, f16 x) { return f16{$f0$(cx, x.v)}; }\n",
            "LC_FN bf16 ",
            stringify!($name),
            "(Cx &cx, bf16 x) { return bf16{$f0$(cx, x.v)}; }\n",
            "}\n",
        )
    };
    ($name:ident $x:ident $y:ident) => {
        concat!(
            "namespace lc {\n",
            "LC_FN f32 ",
            stringify!($name),
            "_of(Cx &cx, f32 x, f32 y) { return $f0$(cx, x, y); }\n",
            "LC_FN f64 ",
            stringify!($name),
            "_of(Cx &cx, f64 x, f64 y) { return $f1$(cx, x, y); }\n",
            "LC_FN f16 ",
            stringify!($name),
            "_of(Cx &cx, f16 x, f16 y) { return f16{$f0$(cx, x.v, y.v)}; }\n",
            "LC_FN bf16 ",
            stringify!($name),
            "_of(Cx &cx, bf16 x, bf16 y) { return bf16{$f0$(cx, x.v, y.v)}; }\n",
            "template <class A, class B>\n",
            "LC_FN real<A, B> ",
            stringify!($name),
            "(Cx &cx, A x, B y) { using T = real<A, B>; return ",
            stringify!($name),
            "_of(cx, T(x), T(y)); }\n",
            "}\n",
        )
    };
}

for_each_function!(items);

/// Both at once.
#[allow(non_camel_case_types, reason = "named as the method")]
#[derive(Debug)]
pub enum sin_cos {}
impl sin_cos {
    #[doc(hidden)]
    pub const __LANECRAFT_CUDA: &'static Item = &Item::written(
        "sin_cos",
        "",
        "namespace lc {\ntemplate <class T> LC_FN auto sin_cos(Cx &cx, T x) { return tuple<T, T>{sin(cx, x), cos(cx, x)}; }\n}\n",
        &[sin::__LANECRAFT_CUDA, cos::__LANECRAFT_CUDA],
    );
}

/// Whether two texts are the same, at compile time.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut k = 0;
    while k < a.len() {
        if a[k] != b[k] {
            return false;
        }
        k += 1;
    }
    true
}
