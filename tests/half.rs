//! f16 and bf16: kernels store in 16 bits and compute in f32, the plain function and every level alike.

use lanecraft::prelude::*;
use lanecraft::{Kernel, Level};

/// Products and sums that 16 bits do not hold go on as they are.
#[kernel(dtypes(float))]
fn residue<T: Float>(a: T, b: T) -> T {
    (a * b + 0.1) * 1000.0 - a * b * 1000.0
}

/// A helper is inside: what goes in and comes out of it is not rounded either.
#[always_inline]
fn scaled<T: Float>(x: T) -> T {
    x * 0.001
}
#[kernel(dtypes(float))]
fn through<T: Float>(x: T) -> T {
    let s = scaled(x);
    scaled(s) * 1e6
}

/// A cast rounds where it stands.
#[kernel]
fn rounds(x: f32) -> (f32, f32, f16) {
    let h = x as f16;
    let b = x as bf16;
    (h as f32, b as f32 * 2.0, h * h)
}

/// Concrete operands, branches, a loop, bits.
#[kernel]
fn steps(x: f16, n: u8) -> (bf16, u16, f16) {
    let mut y = x;
    for _ in 0..n % 5 {
        if y < 1.0 {
            y = y * 3.0 + 0.1;
        } else {
            y /= 7.0;
        }
    }
    (y as bf16, y.to_bits(), f16::from_bits(y.to_bits()) + 0.0001)
}

/// pi is as long as f32 has it.
#[kernel(dtypes(f16, bf16))]
fn constants<T: Float>(x: T) -> T {
    if x.is_nan() { T::MAX } else { (x * T::PI - x * 3.0) * 8.0 + T::EPSILON }
}

#[kernel(dtypes(A: [i32, u64, f64], B: [f16, bf16]))]
fn cast<A: Num, B: Float>(a: A, b: B) -> B {
    a as B + b
}

#[kernel(dtypes(f16, bf16))]
fn functions<T: Float>(x: T) -> T {
    let (s, c) = x.sin_cos();
    (s * s + c * c).sqrt() + x.abs().min(4.0).exp() - x.tanh()
}

trait Half: Dtype {
    fn of_bits(bits: u16) -> Self;
    fn bits(self) -> u16;
    fn of(x: f32) -> Self;
    fn f32(self) -> f32;
}
macro_rules! half {
    ($($t:ty)*) => {$(
        impl Half for $t {
            fn of_bits(bits: u16) -> Self {
                Self::from_bits(bits)
            }
            fn bits(self) -> u16 {
                self.to_bits()
            }
            fn of(x: f32) -> Self {
                Self::from_f32(x)
            }
            fn f32(self) -> f32 {
                self.to_f32()
            }
        }
    )*};
}
half!(f16 bf16);

fn same<T: Half>(a: T, b: T) -> bool {
    a.bits() == b.bits() || a.f32().is_nan() && b.f32().is_nan()
}

/// Calls what it is given with the operands' addresses.
type WithArgs<'a> = &'a mut dyn FnMut(&mut dyn FnMut(&[*mut u8]));

/// Runs variant `k` at every level.
fn at_every_level<K: Kernel>(k: usize, n: usize, args: WithArgs<'_>, check: &mut dyn FnMut(Level)) {
    let variant = &K::INFO.variants[k];
    let steps: Vec<isize> = variant.inputs.iter().chain(variant.outputs).map(|d| d.size() as isize).collect();
    for level in Level::available() {
        // SAFETY: `args` gives a column of `n` elements per operand; the level is available.
        args(&mut |at| unsafe { variant.run_at(level, at, n, &steps).unwrap() });
        check(level);
    }
}

fn every<T: Half>() -> Vec<T> {
    (0..=u16::MAX).map(T::of_bits).collect()
}

/// A kernel of one operand, on every value, against plain Rust in f32 and against the plain function.
fn unary<K: Kernel, T: Half>(k: usize, plain: fn(T) -> T, right: impl Fn(f32) -> f32, fused: bool) {
    let (x, mut y) = (every::<T>(), every::<T>());
    let at = y.as_mut_ptr().cast::<u8>();
    let expected: Vec<T> = x.iter().map(|x| T::of(right(x.f32()))).collect();
    for (x, right) in x.iter().zip(&expected) {
        assert!(same(plain(*x), *right), "{}({x:?}) gives {:?}, not {right:?}", K::INFO.name, plain(*x));
    }
    at_every_level::<K>(k, x.len(), &mut |run| run(&[x.as_ptr().cast_mut().cast(), at]), &mut |level| {
        if fused && level == Level::Sse2 {
            return;
        }
        for k in 0..x.len() {
            assert!(same(y[k], expected[k]), "{} on {level}: {:?} gives {:?}, not {:?}", K::INFO.name, x[k], y[k], expected[k]);
        }
    });
}

#[test]
fn nothing_is_rounded_on_the_way() {
    fn right(x: f32) -> f32 {
        x * 0.001 * 0.001 * 1e6
    }
    unary::<through, f16>(0, through, right, false);
    unary::<through, bf16>(1, through, right, false);
    assert_eq!(through(f16::from_f32(0.5)), f16::from_f32(0.5));

    let right = |a: f16, b: f16| {
        let (a, b) = (a.to_f32(), b.to_f32());
        f16::from_f32((a * b + 0.1) * 1000.0 - a * b * 1000.0)
    };
    let (a, b) = (f16::from_f32(3.001), f16::from_f32(7.0));
    // By steps of f16 it is 0 or a multiple of 16.
    assert_eq!(residue(a, b), right(a, b));
    assert!((residue(a, b).to_f32() - 100.0).abs() < 0.1);
    let mut out = [f16::ZERO; 40];
    residue::map(a, &[b; 40], &mut out).unwrap();
    assert_eq!(out, [right(a, b); 40]);
    let x: Vec<bf16> = every();
    let mut y = x.clone();
    residue::map(&x, bf16::from_f32(0.3), &mut y).unwrap();
    assert!(x.iter().zip(&y).all(|(x, y)| same(*y, residue(*x, bf16::from_f32(0.3)))));
}

#[test]
fn constants_are_those_of_f32() {
    fn of(pi: f32, max: f32, epsilon: f32) -> impl Fn(f32) -> f32 {
        move |x| if x.is_nan() { max } else { (x * pi - x * 3.0) * 8.0 + epsilon }
    }
    let pi = core::f32::consts::PI;
    unary::<constants, f16>(0, constants, of(pi, 65504.0, 2f32.powi(-10)), false);
    unary::<constants, bf16>(1, constants, of(pi, bf16::MAX.to_f32(), 2f32.powi(-7)), false);
}

#[test]
fn functions_are_those_of_f32() {
    fn right(x: f32) -> f32 {
        use lanecraft::prelude::*;
        let (s, c) = (sin(x), cos(x));
        sqrt(s * s + c * c) + exp(min(abs(x), 4.0)) - tanh(x)
    }
    unary::<functions, f16>(0, functions, right, true);
    unary::<functions, bf16>(1, functions, right, true);
}

#[test]
fn casts_round_where_they_stand() {
    let x: Vec<f32> = (0..5000).map(|k| f32::from_bits(0x3000_0000 + k * 0x7a_3b1)).chain([f32::NAN, 1e9, -65520.0, 1e-8]).collect();
    let (mut h, mut b, mut hh) = (vec![0.0f32; x.len()], vec![0.0f32; x.len()], vec![f16::ZERO; x.len()]);
    rounds::map(&x, &mut h, &mut b, &mut hh).unwrap();
    for (k, &x) in x.iter().enumerate() {
        let r = f16::from_f32(x).to_f32();
        let right = (r, bf16::from_f32(x).to_f32() * 2.0, f16::from_f32(r * r));
        for came in [(h[k], b[k], hh[k]), rounds(x)] {
            let same = came.0.to_bits() == right.0.to_bits() && came.1.to_bits() == right.1.to_bits() && same(came.2, right.2);
            assert!(same || x.is_nan() && came.0.is_nan(), "{x}: {came:?}, not {right:?}");
        }
    }
    // Once: by way of f32 these would round up.
    assert_eq!(cast(1.0 + 2f64.powi(-11) + 2f64.powi(-40), f16::ZERO), f16::from_bits(0x3c01));
    assert_eq!(cast((1 << 30) + (1 << 22) + 1, bf16::ZERO), bf16::from_bits(0x4e81));
    assert_eq!(cast((1u64 << 63) + (1 << 55), bf16::ZERO), bf16::from_bits(0x5f00));
    assert_eq!(cast((1u64 << 63) + (1 << 55) + 1, bf16::ZERO), bf16::from_bits(0x5f01));
    let (x, mut y) = ([(1u64 << 63) + (1 << 55) + 1; 20], [bf16::ZERO; 20]);
    cast::map(&x, bf16::ZERO, &mut y).unwrap();
    assert_eq!(y, [bf16::from_bits(0x5f01); 20]);
}

#[test]
fn concrete_operands() {
    let x: Vec<f16> = every();
    let n: Vec<u8> = (0..x.len()).map(|k| k as u8).collect();
    let (mut y, mut bits, mut z) = (vec![bf16::ZERO; x.len()], vec![0u16; x.len()], vec![f16::ZERO; x.len()]);
    let at: [*mut u8; 5] =
        [x.as_ptr().cast_mut().cast(), n.as_ptr().cast_mut(), y.as_mut_ptr().cast(), bits.as_mut_ptr().cast(), z.as_mut_ptr().cast()];
    at_every_level::<steps>(0, x.len(), &mut |run| run(&at), &mut |level| {
        for k in 0..x.len() {
            let mut v = x[k].to_f32();
            for _ in 0..n[k] % 5 {
                if v < 1.0 { v = v * 3.0 + 0.1 } else { v /= 7.0 }
            }
            let h = f16::from_f32(v);
            let right = (bf16::from_f32(v), h.to_bits(), f16::from_f32(h.to_f32() + 0.0001));
            for came in [(y[k], bits[k], z[k]), steps(x[k], n[k])] {
                let nan = f16::from_bits(came.1).is_nan() && v.is_nan();
                let right = same(came.0, right.0) && (came.1 == right.1 || nan) && same(came.2, right.2);
                assert!(right, "{level} {:?} {}: {came:?}", x[k], n[k]);
            }
        }
    });
}
