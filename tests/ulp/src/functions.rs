//! The functions, as kernels, with the bounds that the documentation promises.

use crate::oracle::{self, Exact};
use lanecraft::prelude::*;
use lanecraft::{Kernel, KernelInfo, Level};
use std::sync::LazyLock;

/// A function as plain Rust, on each dtype.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    pub f16: fn(f16, f16) -> f16,
    pub bf16: fn(bf16, bf16) -> bf16,
    pub f32: fn(f32, f32) -> f32,
    pub f64: fn(f64, f64) -> f64,
}

/// A function of one variable or two, and what is promised of it.
#[derive(Debug)]
pub struct Function {
    /// The kernel.
    pub info: KernelInfo,
    /// The plain functions, where they give the same bits.
    pub plain: Option<Plain>,
    /// What it is held against.
    pub reference: Reference,
    /// Where its arguments matter most: samples lie there more densely.
    pub interval: (f64, f64),
    /// Arguments at which something changes: limits of the result, and of the method's cases.
    pub edges: &'static [f64],
}

impl Function {
    /// Whether it has two variables.
    pub fn is_binary(&self) -> bool {
        self.info.arguments.len() == 2
    }
}

/// What a function's results are held against. A function of one variable ignores its second argument here.
#[derive(Clone, Copy, Debug)]
pub enum Reference {
    /// Results may be off by so much.
    Bounded {
        /// For f32, and for f16 and bf16, the function in f64.
        f64: fn(f64, f64) -> f64,
        /// For f64 the value with twice the digits.
        exact: fn(f64, f64) -> Exact,
        /// The bounds.
        bounds: Bounds,
    },
    /// Results are these, bit for bit (any NaN for NaN).
    Equal {
        /// For f32; rounded once more, for f16 and bf16.
        f32: fn(f32) -> f32,
        /// For f64.
        f64: fn(f64) -> f64,
    },
}

/// Bounds in ULP, of f32 and f64. Those of f16 and bf16 follow from f32's ([`Bounds::of`]).
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// With a fused multiply-add: every level but the next.
    pub fused: [f64; 2],
    /// On level `sse2`, where a fused multiply-add is rounded twice.
    pub sse2: [f64; 2],
}

impl Bounds {
    /// The bound of a dtype on a level. f16 and bf16 are computed in f32 and rounded once: half a unit, and f32's error in their unit.
    pub fn of(&self, dtype: &str, level: Level) -> f64 {
        let [f32, f64] = if level == Level::Sse2 { self.sse2 } else { self.fused };
        match dtype {
            "f16" => 0.5 + f32 / f64::from(1 << 13),
            "bf16" => 0.5 + f32 / f64::from(1 << 16),
            "f32" => f32,
            _ => f64,
        }
    }
}

/// One row per function: its name and operands, what it is held against, where it is measured.
macro_rules! functions {
    ($($name:ident($x:ident $(, $y:ident)?) $kind:ident $what:tt, in $interval:expr, edges $edges:expr;)*) => {
        $(
            #[kernel(dtypes(f16, bf16, f32, f64))]
            fn $name<T: Float>($x: T $(, $y: T)?) -> T {
                $x.$name($($y)?)
            }
        )*
        /// All of them.
        pub static FUNCTIONS: &[Function] = &[$(
            Function {
                info: $name::INFO,
                plain: Some(functions!(@plain ($x $(, $y)?) $name)),
                reference: functions!(@$kind ($x $(, $y)?) $name $what),
                interval: $interval,
                edges: &$edges,
            },
        )*];
    };
    (@plain ($x:ident) $name:ident) => {
        Plain { f16: |x, _| $name(x), bf16: |x, _| $name(x), f32: |x, _| $name(x), f64: |x, _| $name(x) }
    };
    (@plain ($x:ident, $y:ident) $name:ident) => { Plain { f16: $name, bf16: $name, f32: $name, f64: $name } };
    (@within ($x:ident) $name:ident [$core:ident, $fused:expr, $sse2:expr]) => {
        Reference::Bounded {
            f64: |x, _| core_math::$core(x),
            exact: |x, _| oracle::$name(x),
            bounds: Bounds { fused: $fused, sse2: $sse2 },
        }
    };
    (@within ($x:ident, $y:ident) $name:ident [$core:ident, $fused:expr, $sse2:expr]) => {
        Reference::Bounded { f64: core_math::$core, exact: oracle::$name, bounds: Bounds { fused: $fused, sse2: $sse2 } }
    };
    (@by_oracle ($x:ident) $name:ident [$f64:expr, $fused:expr, $sse2:expr]) => {
        Reference::Bounded { f64: $f64, exact: |x, _| oracle::$name(x), bounds: Bounds { fused: $fused, sse2: $sse2 } }
    };
    (@equal ($x:ident) $name:ident [$std:ident]) => {
        Reference::Equal { f32: f32::$std, f64: f64::$std }
    };
}

/// The edges of the functions that round to integers.
const ROUNDING: [f64; 9] = [0.5, 1.0, 1.5, 2.5, 8_388_608.0, 4_503_599_627_370_496.0, 9_007_199_254_740_992.0, 2_147_483_648.0, 9.3e18];
/// Where logarithms change: 1, and the ends of the reduced interval.
const LOGARITHMS: [f64; 5] = [1.0, std::f64::consts::SQRT_2, std::f64::consts::FRAC_1_SQRT_2, f64::MIN_POSITIVE, 1e22];
/// Overflow, the smallest normal and subnormal results, and where 2^n changes.
const EXPONENTIALS: [f64; 6] = [709.782712893384, -708.3964185322641, -745.1332191019411, 0.34657359027997264, 88.72284, -103.97208];

/// Multiples of pi/2, the f64 nearest to one of them (6381956970095103 2^797), and where the reduction changes.
const ANGLES: [f64; 8] = [
    std::f64::consts::FRAC_PI_4,
    std::f64::consts::FRAC_PI_2,
    std::f64::consts::PI,
    710.0 / 2.0 * std::f64::consts::FRAC_PI_2,
    65536.0,
    1073741824.0,
    5.319372648326541e255,
    36_028_797_018_963_968.0,
];

functions! {
    acos(x) within [acos, [1.25, 1.25], [2.0, 2.5]], in (-1.0, 1.0), edges [0.5, 1.0];
    acosh(x) within [acosh, [1.25, 1.25], [2.0, 2.0]], in (1.0, 4.0), edges [1.0, 1.5, 268435456.0, 1073741824.0];
    asin(x) within [asin, [1.25, 1.25], [2.0, 2.5]], in (-1.0, 1.0), edges [0.5, 1.0];
    asinh(x) within [asinh, [1.5, 1.5], [2.5, 2.5]], in (-4.0, 4.0), edges [0.5, 268435456.0, 1073741824.0];
    atan(x) within [atan, [1.5, 2.0], [2.0, 2.5]], in (-4.0, 4.0), edges [1.0, 1e16];
    atan2(y, x) within [atan2, [2.0, 2.0], [2.5, 2.5]], in (-4.0, 4.0), edges [1.0, 1e16];
    atanh(x) within [atanh, [1.0, 1.0], [1.5, 1.5]], in (-1.0, 1.0), edges [0.5, 1.0];
    cbrt(x) within [cbrt, [1.1, 0.55], [2.0, 2.0]], in (-8.0, 8.0), edges [1.0, 2.0, 8.0, f64::MIN_POSITIVE];
    ceil(x) equal [ceil], in (-9.0, 9.0), edges ROUNDING;
    cos(x) within [cos, [1.5, 1.5], [2.0, 2.0]], in (-1000.0, 1000.0), edges ANGLES;
    cosh(x) within [cosh, [1.5, 1.5], [2.5, 2.5]], in (-711.0, 711.0), edges [710.4758600739439, 0.34657359027997264, 1.0397];
    erf(x) within [erf, [1.5, 1.5], [2.5, 2.5]], in (-6.0, 6.0), edges [0.46, 1.0, 3.92, 4.0, 5.93];
    erfc(x) within [erfc, [2.0, 2.0], [4.5, 4.5]], in (-6.0, 28.0), edges [0.46, 1.0, 10.05, 26.54, 27.23];
    exp(x) within [exp, [1.0, 1.5], [2.0, 2.0]], in (-746.0, 710.0), edges EXPONENTIALS;
    exp2(x) within [exp2, [1.0, 1.5], [2.0, 2.0]], in (-1076.0, 1025.0), edges [1024.0, -1022.0, -1075.0, 0.5, 1.5, 128.0, -126.0, -150.0];
    exp_m1(x) within [expm1, [1.5, 2.0], [3.0, 3.0]], in (-40.0, 710.0), edges EXPONENTIALS;
    floor(x) equal [floor], in (-9.0, 9.0), edges ROUNDING;
    hypot(x, y) within [hypot, [1.5, 1.5], [2.0, 2.0]], in (-4.0, 4.0), edges [1.0, 1e154, 1e-154, 1.8e19, 1e-19];
    ln(x) within [log, [1.0, 1.0], [2.0, 2.0]], in (0.5, 2.0), edges LOGARITHMS;
    ln_1p(x) within [log1p, [1.5, 1.5], [3.0, 3.0]], in (-1.0, 2.0), edges [1.0, -1.0, 0.41421356237309503, -0.29289321881345254, 9007199254740992.0];
    log10(x) within [log10, [1.0, 1.5], [2.0, 2.0]], in (0.5, 2.0), edges LOGARITHMS;
    log2(x) within [log2, [1.0, 1.0], [2.0, 2.0]], in (0.5, 2.0), edges LOGARITHMS;
    powf(x, y) within [pow, [1.5, 1.5], [1.5, 2.0]], in (0.0, 8.0), edges [1.0, 2.0, 0.5, 3.0, 1024.0, 1e16];
    round(x) equal [round], in (-9.0, 9.0), edges ROUNDING;
    rsqrt(x) within [rsqrt, [1.5, 1.5], [1.5, 1.5]], in (0.0, 4.0), edges [1.0, 2.0, f64::MIN_POSITIVE];
    sigmoid(x) by_oracle [|x, _| 1.0 / (1.0 + core_math::exp(-x)), [1.0, 1.5], [2.0, 2.0]], in (-746.0, 40.0), edges EXPONENTIALS;
    sin(x) within [sin, [1.5, 1.5], [2.0, 2.0]], in (-1000.0, 1000.0), edges ANGLES;
    sinh(x) within [sinh, [1.5, 1.5], [3.0, 3.0]], in (-711.0, 711.0), edges [710.4758600739439, 0.34657359027997264, 1.0397];
    sqrt(x) equal [sqrt], in (0.0, 4.0), edges [1.0, 2.0, f64::MIN_POSITIVE];
    tan(x) within [tan, [2.0, 2.0], [2.5, 2.5]], in (-1000.0, 1000.0), edges ANGLES;
    tanh(x) within [tanh, [1.5, 1.5], [3.0, 3.0]], in (-20.0, 20.0), edges [19.061547465398498, 0.17328679513998632, 0.5198603854199589];
}

/// The variants that kernels with `fast_math` take, by the function's name.
macro_rules! quick {
    ($($name:ident($function:ident);)*) => {
        $(
            #[kernel(dtypes(f16, bf16, f32, f64), fast_math)]
            fn $name<T: Float>(x: T) -> T {
                x.$function()
            }
        )*
        const QUICK: &[(KernelInfo, &str)] = &[$(($name::INFO, stringify!($function))),*];
    };
}
quick! {
    acosh_fast(acosh);
    asinh_fast(asinh);
    erfc_fast(erfc);
    sigmoid_fast(sigmoid);
}

/// What is promised of `fast_math`.
const QUICK_BOUNDS: Bounds = Bounds { fused: [4.0, 4.0], sse2: [4.0, 4.0] };

/// The quick variants, measured as what they stand for is. The plain function is the exact one.
pub static QUICK_FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let of = |(info, name): &(KernelInfo, &str)| {
        let function = FUNCTIONS.iter().find(|function| function.info.name == *name)?;
        let Reference::Bounded { f64, exact, .. } = function.reference else { return None };
        let reference = Reference::Bounded { f64, exact, bounds: QUICK_BOUNDS };
        Some(Function { info: *info, plain: None, reference, interval: function.interval, edges: function.edges })
    };
    QUICK.iter().filter_map(of).collect()
});

/// All of both kinds.
pub fn all() -> impl Iterator<Item = &'static Function> {
    FUNCTIONS.iter().chain(QUICK_FUNCTIONS.iter())
}

#[cfg(test)]
mod tests {
    use super::{QUICK, QUICK_FUNCTIONS};

    #[test]
    fn each_quick_variant_is_measured() {
        assert_eq!(QUICK_FUNCTIONS.len(), QUICK.len());
        for function in QUICK_FUNCTIONS.iter() {
            assert!(!function.is_binary() && function.info.variants.len() == 4, "{}", function.info.name);
        }
    }
}
