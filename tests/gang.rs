//! Gangs of 32 and 64: the same bits as the plain function, at any length, broadcast, with control flow and faults.

use lanecraft::prelude::*;
use lanecraft::{FaultKind, Kernel, Level, Variant};

#[kernel(dtypes(i8, u16, i32, u64, f16), gang = 32)]
fn order<T: Dtype>(a: T, b: T) -> (T, bool) {
    (if a < b { a } else { b }, a == b)
}

#[kernel(dtypes(bf16, f32), gang = 64)]
fn float<T: Float>(a: T, b: T) -> (T, i32) {
    let y = if a > 0.5 { a.exp() } else { a.mul_add(b, 1.0) / b };
    (y.max(b).copysign(a), (y * 100.0) as i32)
}

#[kernel(dtypes(u8, i32, i64), gang = 64)]
fn int<T: Int>(a: T, b: T) -> T {
    let mut rest = a;
    let mut sum = b;
    while rest > 3 {
        sum += rest / b;
        rest = rest >> 1;
    }
    sum ^ (a << 1)
}

const TABLE: [i64; 5] = [3, -1, 4, 1, -5];

#[kernel(dtypes(u8, i32), gang = 64)]
fn indexed<T: Int>(a: T, b: T) -> i64 {
    let mut counts = [0_i32; 3];
    counts[b % 3] += 2;
    counts[1] -= 1;
    TABLE[a % 5] * 10 + counts[a % 3] as i64
}

/// Runs a variant on every level, at lengths around its gang, with operand `b` side by side and broadcast; gives `check`
/// the index of `a` and `b` of each element, and the outputs' bytes.
fn run<T: Copy>(variant: &Variant, values: &[T], check: impl Fn(T, T, &[&[u8]], &str)) {
    let sizes: Vec<usize> = variant.outputs.iter().map(|dtype| dtype.size()).collect();
    // Plain SSE2 rounds `mul_add` twice; its exact mode runs the same code otherwise.
    for level in Level::available().into_iter().filter(|level| *level != Level::Sse2) {
        for n in (0..=67).chain([95, 96, 97, 127, 128, 129, 191, 200, 1000]) {
            for broadcast in [false, true] {
                let a: Vec<T> = (0..n).map(|i| values[i % values.len()]).collect();
                let b: Vec<T> = (0..n.max(1)).map(|i| values[(i * 7 + 3) % values.len()]).collect();
                let mut out: Vec<Vec<u8>> = sizes.iter().map(|size| vec![0; size * n]).collect();
                let size = size_of::<T>() as isize;
                let mut args = vec![a.as_ptr() as *mut u8, b.as_ptr() as *mut u8];
                args.extend(out.iter_mut().map(|out| out.as_mut_ptr()));
                let mut steps = vec![size, if broadcast { 0 } else { size }];
                steps.extend(sizes.iter().map(|size| *size as isize));
                // SAFETY: `n` elements per operand, the outputs exclusive; the level is available.
                unsafe { variant.run_at(level, &args, n, &steps) }.unwrap();
                for i in 0..n {
                    let parts: Vec<&[u8]> = out.iter().zip(&sizes).map(|(out, size)| &out[i * size..][..*size]).collect();
                    let b = b[if broadcast { 0 } else { i }];
                    check(a[i], b, &parts, &format!("{level}, {n} elements, broadcast {broadcast}, at {i}"));
                }
            }
        }
    }
}

macro_rules! check {
    ($($k:literal $t:ident),*; $kernel:ident, $values:ident, |$a:ident, $b:ident| $outputs:expr) => {$(
        let values: Vec<$t> = $values!($t);
        run(&$kernel::INFO.variants[$k], &values, |$a, $b, got, place| {
            let wanted: Vec<Vec<u8>> = $outputs;
            assert!(got == wanted, concat!(stringify!($kernel), " ", stringify!($t), ": {}"), place);
        });
    )*};
}
macro_rules! ints {
    ($t:ident) => {
        [0 as $t, 1, 2, 3, 100, $t::MAX, $t::MIN, 77].to_vec()
    };
}
macro_rules! positive {
    ($t:ident) => {
        [1 as $t, 2, 3, 100, $t::MAX, 77].to_vec()
    };
}
macro_rules! floats {
    ($t:ident) => {
        [0.0, -0.0, 1.0, -2.5, 0.625, 3.0, 1e4, -1e-4, f32::INFINITY, f32::NAN, 60.5].iter().map(|x| *x as $t).collect::<Vec<$t>>()
    };
}
macro_rules! bytes {
    ($y:expr) => {{ $y.to_ne_bytes().to_vec() }};
}

#[test]
fn comparisons_of_integers() {
    check!(0 i8, 1 u16, 2 i32, 3 u64; order, ints, |a, b| vec![bytes!(if a < b { a } else { b }), vec![(a == b) as u8]]);
}

#[test]
fn loops_and_divisions() {
    check!(0 u8, 1 i32, 2 i64; int, positive, |a, b| vec![bytes!(int(a, b))]);
}

#[test]
fn arrays_and_tables() {
    check!(0 u8, 1 i32; indexed, positive, |a, b| {
        let mut counts = [0_i64; 3];
        counts[(b % 3) as usize] += 2;
        counts[1] -= 1;
        vec![bytes!(TABLE[(a % 5) as usize] * 10 + counts[(a % 3) as usize])]
    });
}

#[test]
fn floats_are_as_in_the_plain_function() {
    check!(1 f32; float, floats, |a, b| {
        let (y, n) = float(a, b);
        vec![bytes!(y), bytes!(n)]
    });
}

#[test]
fn sixteen_bits() {
    use lanecraft::{bf16, f16};
    let values: Vec<f16> = (0..200).map(|i| f16::from_bits(i * 311)).filter(|x| !x.is_nan()).collect();
    run(&order::INFO.variants[4], &values, |a, b, got, place| {
        let smaller = if a < b { a } else { b };
        assert!(got == [&smaller.to_ne_bytes()[..], &[(a == b) as u8]], "f16: {place}");
    });
    let values: Vec<bf16> = (0..200).map(|i| bf16::from_bits(i * 311)).filter(|x| !x.is_nan()).collect();
    run(&float::INFO.variants[0], &values, |a, b, got, place| {
        let (y, n) = float(a, b);
        assert!(y.is_nan() || got == [&y.to_ne_bytes()[..], &n.to_ne_bytes()], "bf16: {place}");
    });
}

#[test]
fn the_first_fault_is_found_in_any_lane() {
    for zero in [0, 15, 16, 47, 48, 63, 64, 100, 127, 130] {
        let mut b = vec![1_i32; 131];
        b[zero] = 0;
        b[130] = 0;
        let mut out = vec![0; 131];
        let error = int::map(9, &b, &mut out).unwrap_err();
        let wanted = lanecraft::Error::Fault { kernel: "int", kind: FaultKind::DivisionByZero, index: vec![zero], shape: vec![131] };
        assert_eq!(error, wanted);
        let mut a = vec![1_i32; 131];
        a[zero] = -1;
        let error = indexed::map(&a, 1, &mut vec![0; 131]).unwrap_err();
        let kind = FaultKind::IndexOutOfRange { index: -1, len: 5 };
        let wanted = lanecraft::Error::Fault { kernel: "indexed", kind, index: vec![zero], shape: vec![131] };
        assert_eq!(error, wanted);
    }
}
