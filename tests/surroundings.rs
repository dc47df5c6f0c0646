//! What a kernel's file says is used for messages alone: none of these functions is taken for a plain one.

use lanecraft::prelude::*;

/// `name::map` on a few values.
macro_rules! check {
    ($kernel:ident, $expected:expr) => {{
        let mut out = [0.0; 2];
        $kernel::map(&[1.0, 4.0], &mut out).unwrap();
        assert_eq!(out, $expected, stringify!($kernel));
        assert_eq!([$kernel(1.0), $kernel(4.0)], $expected, stringify!($kernel));
    }};
}

mod helpers {
    use lanecraft::prelude::*;

    #[always_inline]
    pub fn doubled(x: f32) -> f32 {
        2.0 * x
    }

    #[always_inline]
    pub fn tripled(x: f32) -> f32 {
        3.0 * x
    }
}

mod imported {
    use super::helpers::doubled;
    use lanecraft::prelude::*;

    #[kernel]
    pub fn by_use(x: f32) -> f32 {
        doubled(x)
    }
}

mod globbed {
    use super::helpers::*;
    use lanecraft::prelude::*;

    #[kernel]
    pub fn by_glob(x: f32) -> f32 {
        tripled(x) + doubled(x)
    }
}

// Plain functions of the names that the modules above and below use.
fn doubled(x: f32) -> f32 {
    -x
}

fn tripled(x: f32) -> f32 {
    -x
}

mod renamed {
    use lanecraft::{always_inline as inlined, kernel};

    #[inlined]
    fn doubled(x: f32) -> f32 {
        2.0 * x
    }

    #[cfg_attr(all(), lanecraft::always_inline)]
    fn tripled(x: f32) -> f32 {
        3.0 * x
    }

    #[kernel]
    pub fn by_another_name(x: f32) -> f32 {
        doubled(x) + tripled(x)
    }
}

mod conditional {
    use lanecraft::prelude::*;

    #[cfg(any())]
    fn doubled(x: f32) -> f32 {
        -x
    }

    #[cfg(not(any()))]
    #[always_inline]
    fn doubled(x: f32) -> f32 {
        2.0 * x
    }

    // No use of it: the kernel's own is another.
    fn tripled(x: f32) -> f32 {
        -x
    }

    #[kernel]
    pub fn with_cfg(x: f32) -> f32 {
        let tripled = |v| 3.0 * v;
        doubled(x) + tripled(x)
    }

    #[test]
    fn plain() {
        assert_eq!(tripled(1.0), -1.0);
    }
}

mod made {
    use lanecraft::prelude::*;

    macro_rules! helper {
        ($name:ident, $factor:literal) => {
            #[always_inline]
            fn $name(x: f32) -> f32 {
                $factor * x
            }
        };
    }

    macro_rules! as_it_stands {
        ($($items:tt)*) => { $($items)* };
    }

    helper!(doubled, 2.0);

    as_it_stands! {
        #[always_inline]
        fn tripled(x: f32) -> f32 {
            3.0 * x
        }

        #[kernel]
        pub fn in_a_macro(x: f32) -> f32 {
            tripled(x) + doubled(x)
        }
    }

    #[kernel]
    pub fn by_macros(x: f32) -> f32 {
        tripled(x) + doubled(x)
    }

    macro_rules! kernel_of {
        ($name:ident, $helper:ident) => {
            #[kernel]
            pub fn $name(x: f32) -> f32 {
                $helper(x)
            }
        };
    }

    kernel_of!(made_whole, doubled);
}

#[test]
fn functions_of_other_modules() {
    use globbed::by_glob;
    use imported::by_use;
    check!(by_use, [2.0, 8.0]);
    check!(by_glob, [5.0, 20.0]);
    assert_eq!(doubled(1.0) + tripled(1.0), -2.0);
}

#[test]
fn attributes_that_may_be_anything() {
    use conditional::with_cfg;
    use renamed::by_another_name;
    check!(by_another_name, [5.0, 20.0]);
    check!(with_cfg, [5.0, 20.0]);
}

#[test]
fn what_macros_make() {
    use made::{by_macros, in_a_macro, made_whole};
    check!(in_a_macro, [5.0, 20.0]);
    check!(by_macros, [5.0, 20.0]);
    check!(made_whole, [2.0, 8.0]);
}

#[test]
fn functions_in_functions() {
    #[always_inline]
    fn doubled(x: f32) -> f32 {
        2.0 * x
    }

    #[kernel]
    fn in_a_function(x: f32) -> f32 {
        doubled(x)
    }

    check!(in_a_function, [2.0, 8.0]);
}

/// A kernel in a method's body is none of the `impl`'s.
struct Filter;

impl Filter {
    fn applied() -> [f32; 2] {
        #[kernel]
        fn halved(x: f32) -> f32 {
            0.5 * x
        }

        check!(halved, [0.5, 2.0]);
        [halved(1.0), halved(4.0)]
    }
}

#[test]
fn kernels_in_methods() {
    assert_eq!(Filter::applied(), [0.5, 2.0]);
}
