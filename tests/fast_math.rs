//! `fast_math`: sums and products contracted and reordered over lanes, and never without the option.

use lanecraft::prelude::*;
use lanecraft::{Kernel, KernelInfo, Level};

#[kernel(dtypes(f32, f64), fast_math)]
fn forms<T: Float>(a: T, b: T, c: T) -> (T, T, T, T, T, T) {
    let mut up = c;
    up += a * b;
    let mut down = c;
    down -= a * b;
    (a * b + c, c + a * b, a * b - c, c - a * b, up, down)
}

#[kernel(dtypes(f32, f64))]
fn exact<T: Float>(a: T, b: T, c: T) -> (T, T, T, T, T, T) {
    let mut up = c;
    up += a * b;
    let mut down = c;
    down -= a * b;
    (a * b + c, c + a * b, a * b - c, c - a * b, up, down)
}

/// Four terms are two sums of two.
#[kernel(dtypes(f32), fast_math)]
fn long<T: Float>(a: T, b: T, c: T, d: T) -> T {
    a + b + c + d
}

/// The products join the sums that they stand beside: here that of the other two.
#[kernel(dtypes(f64), fast_math)]
fn horner<T: Float>(x: T) -> T {
    ((0.1 * x + 0.3) * x + 0.7) * x + 1.1
}

#[kernel(dtypes(u32), fast_math)]
fn integers<T: Int>(a: T, b: T, c: T) -> T {
    a * b + c + a * c - b * c
}

/// Parts with effects stay in their order.
#[kernel(dtypes(f32), fast_math)]
fn ordered<T: Float>(x: T) -> T {
    let mut n = x;
    n + {
        n += 1.0;
        n
    } * 3.0
}

fn run<T: Copy + Default>(info: &KernelInfo, variant: usize, level: Level, inputs: &[&[T]]) -> Vec<Vec<T>> {
    let variant = &info.variants[variant];
    let (n, size) = (inputs[0].len(), size_of::<T>() as isize);
    let mut outputs = vec![vec![T::default(); n]; info.outputs];
    let at = inputs.iter().map(|x| x.as_ptr().cast_mut().cast()).chain(outputs.iter_mut().map(|y| y.as_mut_ptr().cast()));
    let at: Vec<*mut u8> = at.collect();
    // SAFETY: an array of `n` elements of the variant's dtype for each operand; the level is one of this machine's.
    unsafe { variant.run_at(level, &at, n, &vec![size; at.len()]) }.expect("no fault");
    outputs
}

/// Whether `fast_math` fuses on a level: where the CPU does.
fn fuses(level: Level) -> bool {
    matches!(level, Level::Avx2 | Level::Avx512 | Level::Neon)
}

#[test]
fn products_and_sums_are_one_operation() {
    // a b is 1 - 2^-46, which f32 rounds to 1.
    let (a, b, c) = (1.0 + 0.5_f32.powi(23), 1.0 - 0.5_f32.powi(23), -1.0_f32);
    let (product, lost) = (1.0_f32, -0.5_f32.powi(46));
    assert_eq!(a * b, product);
    for level in Level::available() {
        let inputs: [&[f32]; 3] = [&[a; 19], &[b; 19], &[c; 19]];
        let rest = if fuses(level) { lost } else { 0.0 };
        // a b + c twice, a b - c, c - a b, then those of the two assignments.
        let wanted = [rest, rest, 2.0, -2.0, rest, -2.0];
        for (got, wanted) in run(&forms::INFO, 0, level, &inputs).iter().zip(wanted) {
            assert_eq!(got, &[wanted; 19], "{level}");
        }
        let inputs: [&[f32]; 3] = [&[a; 19], &[b; 19], &[-c; 19]];
        let wanted = [2.0, 2.0, rest, -rest, 2.0, -rest];
        for (got, wanted) in run(&forms::INFO, 0, level, &inputs).iter().zip(wanted) {
            assert_eq!(got, &[wanted; 19], "{level}");
        }
        // Never without the option.
        let inputs: [&[f32]; 3] = [&[a; 19], &[b; 19], &[c; 19]];
        for (got, wanted) in run(&exact::INFO, 0, level, &inputs).iter().zip([0.0, 0.0, 2.0, -2.0, 0.0, -2.0]) {
            assert_eq!(got, &[wanted; 19], "{level}");
        }
    }
    // The plain function is what is written.
    assert_eq!(forms(a, b, c), (0.0, 0.0, 2.0, -2.0, 0.0, -2.0));
}

#[test]
fn long_sums_are_taken_in_pairs() {
    let terms = [1e8_f32, -1e8, 1.0, 1e8];
    let (pairs, in_order) = ((1e8_f32 - 1e8) + (1.0 + 1e8), ((1e8_f32 - 1e8) + 1.0) + 1e8);
    assert_eq!(pairs, in_order);
    let swapped = [1.0_f32, 1e8, -1e8, 1.0];
    let (pairs, in_order) = ((1.0_f32 + 1e8) + (-1e8 + 1.0), ((1.0_f32 + 1e8) - 1e8) + 1.0);
    assert_ne!(pairs, in_order);
    for level in Level::available() {
        let inputs: Vec<[f32; 17]> = terms.iter().map(|x| [*x; 17]).collect();
        let inputs: Vec<&[f32]> = inputs.iter().map(|x| &x[..]).collect();
        assert_eq!(run(&long::INFO, 0, level, &inputs)[0], [1e8; 17], "{level}");
        let inputs: Vec<[f32; 17]> = swapped.iter().map(|x| [*x; 17]).collect();
        let inputs: Vec<&[f32]> = inputs.iter().map(|x| &x[..]).collect();
        assert_eq!(run(&long::INFO, 0, level, &inputs)[0], [pairs; 17], "{level}");
    }
    assert_eq!(long(swapped[0], swapped[1], swapped[2], swapped[3]), in_order);
}

#[test]
fn polynomials_and_integers() {
    let x: Vec<f64> = (0..1000).map(|k| f64::from(k) * 0.01 - 5.0).collect();
    let u: Vec<u32> = (0..1000_u32).map(|k| k.wrapping_mul(0x9e37_79b9)).collect();
    let v: Vec<u32> = u.iter().map(|k| k.rotate_left(7) ^ 0x55).collect();
    for level in Level::available() {
        for (x, y) in x.iter().zip(&run(&horner::INFO, 0, level, &[&x])[0]) {
            let fused = 0.1_f64.mul_add(*x, 0.3).mul_add(*x, 0.7).mul_add(*x, 1.1);
            let wanted = if fuses(level) { fused } else { horner(*x) };
            assert_eq!(*y, wanted, "{level} {x}");
        }
        for (k, y) in run(&integers::INFO, 0, level, &[&u, &v, &u])[0].iter().enumerate() {
            let (a, b, c) = (u[k], v[k], u[k]);
            let wanted = a.wrapping_mul(b).wrapping_add(c).wrapping_add(a.wrapping_mul(c)).wrapping_sub(b.wrapping_mul(c));
            assert_eq!(*y, wanted, "{level} {k}");
        }
        assert_eq!(run(&ordered::INFO, 0, level, &[&[1.0_f32, 2.0]])[0], [1.0 + 2.0 * 3.0, 2.0 + 3.0 * 3.0], "{level}");
    }
}

#[kernel(dtypes(f32, f64), fast_math)]
fn quick<T: Float>(x: T) -> (T, T, T, T) {
    (x.asinh(), x.acosh(), x.erfc(), x.sigmoid())
}

/// The distance in units in the last place of the wanted value, subnormal ones too.
fn ulps(got: f64, wanted: f64, digits: i32, least: i32) -> f64 {
    if got == wanted || (got.is_nan() && wanted.is_nan()) {
        return 0.0;
    }
    let exponent = ((wanted.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let unit = (exponent - digits).max(least);
    let unit = if unit < -1022 { f64::from_bits(1 << (unit + 1074)) } else { f64::from_bits(((unit + 1023) as u64) << 52) };
    (got - wanted).abs() / unit
}

/// asinh, acosh, erfc and sigmoid have variants that are within 4 ULP. f32 is held to that against functions of f64. f64 is held against the
/// exact functions, whose own errors come on top: 1.5 ULP (tests/ulp).
#[test]
fn quick_functions_are_within_4_ulp() {
    let edges = [0.0, -0.0, 0.5, 1.0, 1.5, 0.8, 26.6, 27.4, 1e9, 3e8, 1e300, 1e-300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -1.0];
    let wide = (0..200_000).map(|k| 2_f64.powf(f64::from(k) * 0.0005 - 40.0));
    let xs: Vec<f64> =
        edges.into_iter().chain(wide.flat_map(|x| [x, -x])).chain((0..200_000).map(|k| f64::from(k) * 1.5e-4 - 2.0)).collect();
    let singles: Vec<f32> = xs.iter().map(|x| *x as f32).collect();
    for level in Level::available() {
        // On plain SSE2 what is left out is not all that is lost.
        let most = if level == Level::Sse2 { 4.5 } else { 4.0 };
        let got = run(&quick::INFO, 0, level, &[&singles]);
        for (k, x) in singles.iter().enumerate() {
            let x = f64::from(*x);
            let wanted = [x.asinh(), x.acosh(), erfc(x), 1.0 / (1.0 + (-x).exp())];
            for (function, wanted) in wanted.into_iter().enumerate() {
                // Results below a third of the smallest f32 are 0 or that.
                let error = ulps(f64::from(got[function][k]), wanted, 23, -149);
                assert!(error <= most, "{level} f32 {function} {x:e}: {error}");
            }
            assert!(x != 0.0 || got[0][k].is_sign_negative() == x.is_sign_negative());
        }
        let got = run(&quick::INFO, 1, level, &[&xs]);
        for (k, x) in xs.iter().enumerate() {
            for (function, wanted) in [asinh(*x), acosh(*x), erfc(*x), sigmoid(*x)].into_iter().enumerate() {
                let error = ulps(got[function][k], wanted, 52, -1074);
                assert!(error <= most + 1.5, "{level} f64 {function} {x:e}: {error}");
            }
        }
    }
    // The plain function takes the exact ones.
    assert_eq!(quick(3.0_f64), (asinh(3.0), acosh(3.0), erfc(3.0), sigmoid(3.0)));
}
