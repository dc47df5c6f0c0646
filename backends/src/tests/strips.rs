//! Strips on every level, at any length, alignment and stride, against plain loops over bytes.

use super::kernels::{Axpy, DivRem, Scale, Sub};
use crate::strip::Strip;
use crate::{Level, Variant};
use lanecraft_core::{Fault, FaultKind};

/// One operand: its memory, with a margin, and where its elements lie in it.
#[derive(Clone)]
struct Bytes {
    memory: Vec<u8>,
    start: usize,
    step: isize,
}

impl Bytes {
    /// `n` elements of `size` bytes at `step`, `offset` bytes off alignment, filled by `fill`.
    fn new(n: usize, size: usize, step: isize, offset: usize, fill: impl Fn(usize) -> Vec<u8>) -> Self {
        let span = step.unsigned_abs() * n.saturating_sub(1) + size;
        let margin = 64 + offset;
        let mut bytes = Self { memory: vec![0xa5; span + 2 * margin], start: if step < 0 { margin + span - size } else { margin }, step };
        for i in 0..n {
            let at = bytes.at(i);
            bytes.memory[at..at + size].copy_from_slice(&fill(i));
        }
        bytes
    }
    fn at(&self, i: usize) -> usize {
        self.start.wrapping_add_signed(self.step * i as isize)
    }
    fn read<const SIZE: usize>(&self, i: usize) -> [u8; SIZE] {
        self.memory[self.at(i)..][..SIZE].try_into().unwrap()
    }
    fn write(&mut self, i: usize, bytes: &[u8]) {
        let at = self.at(i);
        self.memory[at..at + bytes.len()].copy_from_slice(bytes);
    }
    fn arg(&mut self) -> *mut u8 {
        // SAFETY: within the memory.
        unsafe { self.memory.as_mut_ptr().add(self.start) }
    }
}

/// Runs twice: as a call of its own, and as a part of one so long that its outputs are streamed. Both write the same.
fn run(variant: &Variant, level: Level, operands: &mut [Bytes], n: usize) -> Result<(), Fault> {
    let mut streamed = operands.to_vec();
    let args = |operands: &mut [Bytes]| -> Vec<*mut u8> { operands.iter_mut().map(Bytes::arg).collect() };
    let steps: Vec<isize> = operands.iter().map(|operand| operand.step).collect();
    // SAFETY: the operands hold `n` elements at their steps, each in memory of its own; the level is available.
    let done = unsafe { variant.run_at(level, &args(operands), n, &steps) };
    // SAFETY: as before.
    let done_streamed = unsafe { Strip { call: usize::MAX, ..variant.strip(level) }.run(&args(&mut streamed), n, &steps) };
    assert_eq!(done, done_streamed);
    if done.is_ok() {
        assert!(operands.iter().zip(&streamed).all(|(a, b)| a.memory == b.memory), "{level}, {n} elements, steps {steps:?}");
    }
    done
}

/// Strides in units of an element's size, and one that is no multiple of it.
fn steps(size: usize) -> Vec<isize> {
    let size = size as isize;
    vec![size, 0, -size, 3 * size, -3 * size, size + 1]
}

/// Every length that differs in gangs, blocks, rest or alignment.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=67).chain([126, 127, 128, 129, 143, 144, 145, 255, 256, 300, 2047, 2048, 2061])
}

macro_rules! axpy {
    ($($name:ident $t:ty;)*) => {$(
        #[test]
        fn $name() {
            const SIZE: usize = size_of::<$t>();
            let variant = Variant::of::<Axpy, ($t,)>();
            let value = |k: usize, i: usize| ((i * 7 + k * 3) % 23) as $t + (k + 1) as $t / 4 as $t;
            for level in Level::available() {
                for n in lengths() {
                    for (case, step) in axpy!(@cases SIZE, n).into_iter().enumerate() {
                        let mut operands: Vec<Bytes> =
                            (0..4).map(|k| Bytes::new(n, SIZE, step[k], (case + k) % 9, |i| value(k, i).to_ne_bytes().to_vec())).collect();
                        let mut wanted = operands[3].clone();
                        for i in 0..n {
                            let x: Vec<$t> = (0..3).map(|k| <$t>::from_ne_bytes(operands[k].read(i))).collect();
                            wanted.write(i, &axpy!(@formula x, $t).to_ne_bytes());
                        }
                        run(&variant, level, &mut operands, n).unwrap();
                        assert!(operands[3].memory == wanted.memory, "{level}, {n} elements, steps {step:?}");
                    }
                }
            }
        }
    )*};
    (@formula $x:ident, f32) => { $x[0] * $x[1] + $x[2] };
    (@formula $x:ident, $t:ty) => { axpy!(@wrapping $x, $t) };
    (@wrapping $x:ident, $t:ty) => { Formula::axpy($x[0], $x[1], $x[2]) };
    (@cases $size:ident, $n:ident) => {{
        let steps = steps($size);
        // Every combination at a few lengths, each stride beside contiguous operands at the others.
        let mut cases = Vec::new();
        for &a in &steps {
            for &x in &steps {
                for &y in &steps {
                    for &out in steps.iter().filter(|out| **out != 0) {
                        let odd = [a, x, y, out].into_iter().filter(|step| *step != $size as isize).count();
                        if odd <= 1 || matches!($n, 3 | 16 | 35 | 145) {
                            cases.push([a, x, y, out]);
                        }
                    }
                }
            }
        }
        cases
    }};
}

/// The reference of `Axpy`.
trait Formula {
    fn axpy(a: Self, x: Self, y: Self) -> Self;
}
macro_rules! formula {
    (float $($t:ty)*) => {$( impl Formula for $t { fn axpy(a: Self, x: Self, y: Self) -> Self { a * x + y } } )*};
    (int $($t:ty)*) => {$( impl Formula for $t { fn axpy(a: Self, x: Self, y: Self) -> Self { a.wrapping_mul(x).wrapping_add(y) } } )*};
}
formula!(float f32 f64);
formula!(int i32 u8 i64 u16);

axpy! {
    axpy_f32 f32;
    axpy_f64 f64;
    axpy_i32 i32;
    axpy_i64 i64;
    axpy_u8 u8;
    axpy_u16 u16;
}

#[test]
fn operands_of_different_sizes() {
    let variant = Variant::of::<Scale, (u8, f32)>();
    for level in Level::available() {
        for n in lengths() {
            for x_step in steps(1) {
                for scale_step in steps(4) {
                    let mut operands = [
                        Bytes::new(n, 1, x_step, 1, |i| vec![(i * 37) as u8]),
                        Bytes::new(n, 4, scale_step, 2, |i| (i as f32 / 3.0).to_ne_bytes().to_vec()),
                        Bytes::new(n, 4, 4, 3, |_| vec![0; 4]),
                    ];
                    let mut wanted = operands[2].clone();
                    for i in 0..n {
                        let y = f32::from(operands[0].read::<1>(i)[0]) * f32::from_ne_bytes(operands[1].read(i));
                        wanted.write(i, &y.to_ne_bytes());
                    }
                    run(&variant, level, &mut operands, n).unwrap();
                    assert!(operands[2].memory == wanted.memory, "{level}, {n} elements, steps {x_step} {scale_step}");
                }
            }
        }
    }
}

#[test]
fn two_outputs() {
    let variant = Variant::of::<DivRem, (i32,)>();
    for level in Level::available() {
        for n in lengths() {
            for step in [[4, 4, 4, 4], [4, 0, 4, 12], [-4, 4, -8, 4], [0, 5, 5, -7]] {
                let mut operands: Vec<Bytes> = (0..4)
                    .map(|k| {
                        Bytes::new(n, 4, step[k], k, |i| {
                            (if k == 1 { i as i32 % 9 + 1 } else { 1000 - i as i32 * 77 }).to_ne_bytes().to_vec()
                        })
                    })
                    .collect();
                let mut wanted = operands.clone();
                for i in 0..n {
                    let (a, b) = (i32::from_ne_bytes(operands[0].read(i)), i32::from_ne_bytes(operands[1].read(i)));
                    wanted[2].write(i, &(a / b).to_ne_bytes());
                    wanted[3].write(i, &(a % b).to_ne_bytes());
                }
                run(&variant, level, &mut operands, n).unwrap();
                for k in 2..4 {
                    assert!(operands[k].memory == wanted[k].memory, "{level}, {n} elements, steps {step:?}, operand {k}");
                }
            }
        }
    }
}

/// Runs `Sub` on f32 with its operands at the given places in one memory, against the loop over single elements.
fn overlapping(level: Level, n: usize, starts: [usize; 3], steps: [isize; 3]) {
    let variant = Variant::of::<Sub, (f32,)>();
    let mut memory: Vec<u8> = (0..32768).flat_map(|i| ((i * i % 251) as f32 + 0.25).to_ne_bytes()).collect();
    let mut wanted = memory.clone();
    for i in 0..n {
        let at = |k: usize| starts[k].wrapping_add_signed(steps[k] * i as isize);
        let read = |k: usize| f32::from_ne_bytes(wanted[at(k)..][..4].try_into().unwrap());
        let y = read(0) - read(1);
        wanted[at(2)..][..4].copy_from_slice(&y.to_ne_bytes());
    }
    let base = memory.as_mut_ptr();
    let args = starts.map(|start| base.wrapping_add(start));
    // SAFETY: all elements lie in the memory; the level is available.
    unsafe { variant.run_at(level, &args, n, &steps) }.unwrap();
    assert!(memory == wanted, "{level}, {n} elements, at {starts:?}, steps {steps:?}");
}

#[test]
fn in_place_and_overlapping() {
    for level in Level::available() {
        for n in lengths() {
            for step in [4, -4, 8, -12, 5] {
                // The output is the first input, the second, or both.
                overlapping(level, n, [32000, 64001, 32000], [step, 4, step]);
                overlapping(level, n, [32000, 64001, 64001], [0, step, step]);
                overlapping(level, n, [32000, 32000, 32000], [step, step, step]);
            }
            // Interleaved.
            overlapping(level, n, [32000, 32004, 32000], [8, 8, 8]);
            overlapping(level, n, [32000, 32008, 32004], [12, 12, 12]);
            // As in `ufunc.accumulate` and `ufunc.reduce`.
            overlapping(level, n, [32000, 64000, 32004], [4, 4, 4]);
            overlapping(level, n, [32000, 64000, 32000], [0, 4, 0]);
            // Anything else.
            overlapping(level, n, [32008, 64000, 32000], [4, 4, 4]);
            overlapping(level, n, [32000, 32400, 32000], [4, -4, 4]);
            overlapping(level, n, [32000, 32002, 32001], [4, 4, 4]);
            overlapping(level, n, [32000, 32000, 32000], [8, 4, 4]);
            overlapping(level, n, [32016, 64000, 32000], [0, 4, 4]);
        }
    }
}

#[test]
fn independent_elements_keep_the_fast_path() {
    let variant = Variant::of::<Sub, (f32,)>();
    let memory = [0_u8; 4096];
    let base = memory.as_ptr().cast_mut();
    let ordered = |starts: [usize; 3], steps: [isize; 3]| {
        let level = Level::available()[0];
        variant.strip(level).is_ordered(&starts.map(|start| base.wrapping_add(start)), 100, &steps)
    };
    assert!(!ordered([0, 400, 800], [4, 4, 4]), "apart");
    assert!(!ordered([0, 400, 0], [4, 4, 4]), "in place");
    assert!(!ordered([0, 8, 4], [12, 12, 12]), "interleaved");
    assert!(!ordered([0, 1600, 804], [-8, 0, -8]), "interleaved, backwards");
    assert!(ordered([0, 400, 4], [4, 4, 4]), "accumulate");
    assert!(ordered([0, 400, 0], [0, 4, 0]), "reduce");
}

#[test]
fn gangs_begin_where_most_bytes_begin_a_line() {
    let variant = Variant::of::<Sub, (f32,)>();
    let base = 4096 as *mut u8;
    let head = |starts: [usize; 3], steps: [isize; 3], n: usize| {
        variant.strip(Level::available()[0]).head(&starts.map(|start| base.wrapping_add(start)), n, &steps)
    };
    assert_eq!(head([16, 16, 16], [4; 3], 2048), 12, "all alike");
    assert_eq!(head([16, 16, 0], [4; 3], 2048), 12, "two of three");
    assert_eq!(head([16, 0, 0], [4; 3], 2048), 0, "two of three");
    assert_eq!(head([16, 32, 48], [4; 3], 2048), 4, "each alone: the output");
    assert_eq!(head([16, 32, 48], [4, 0, 4], 2048), 4, "one broadcast");
    assert_eq!(head([16, 17, 0], [4; 3], 2048), 0, "no elements that begin a line");
    assert_eq!(head([16, 16, 16], [8, 4, 4], 2048), 0, "not side by side");
    assert_eq!(head([16, 16, 16], [4; 3], 2047), 0, "few gangs");
}

#[test]
fn a_fault_has_the_index_of_the_first_element() {
    let variant = Variant::of::<DivRem, (i32,)>();
    for level in Level::available() {
        for n in lengths().filter(|n| *n > 0) {
            for step in [4, -12, 5] {
                for zeros in [vec![0], vec![n - 1], vec![n / 2, n - 1], (0..n).collect()] {
                    let mut operands: Vec<Bytes> = (0..4)
                        .map(|k| {
                            let fill = |i: usize| i32::from(k != 1 || !zeros.contains(&i)).to_ne_bytes().to_vec();
                            Bytes::new(n, 4, if k == 1 { step } else { 4 }, 0, fill)
                        })
                        .collect();
                    let fault = run(&variant, level, &mut operands, n);
                    assert_eq!(
                        fault,
                        Err(Fault { kind: FaultKind::DivisionByZero, index: zeros[0] }),
                        "{level}, {n} elements, step {step}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_variant_knows_its_dtypes_and_levels() {
    use lanecraft_core::DtypeId::{F32, U8};
    const VARIANT: Variant = Variant::of::<Scale, (u8, f32)>();
    assert_eq!((VARIANT.inputs, VARIANT.outputs), (&[U8, F32][..], &[F32][..]));
    assert_eq!(VARIANT.levels(), Level::available());
}
