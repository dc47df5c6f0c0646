//! Loops over lanes whose gangs run from the last one to the first, or not, as their operands lie: the bits and the faults are the same.

use lanecraft::block::{BlockFunction, BlockInfo, Call, Level, run_on};
use lanecraft::debug::{self, Settings};
use lanecraft::prelude::*;

/// The elements around, those beyond the edge of the nearest one.
#[kernel(dtypes(f32, f64, u8), signature = "(h,w)->(h,w)")]
fn around<T: Num>(x: View<T, 2>, y: ViewMut<T, 2>) {
    for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) {
        let sides = x.at_clamp([i, j - 1]) + x.at_clamp([i, j + 1]);
        y[[i, j]] = (x.at_clamp([i - 1, j]) + x.at_clamp([i + 1, j])) + sides;
    }
}

/// Two outputs, one of them read again, in part.
#[kernel(dtypes(i32, f32), signature = "(n),(n)->(n),(n)")]
fn again<T: Num>(a: &[T], b: &[T], y: &mut [T], z: &mut [T]) {
    for i in lanes(0..a.len()) {
        y[i] = a[i] * b[i];
        if a[i] > b[i] {
            z[i] = y[i] - b[i];
            continue;
        }
        z[i] = a[i];
    }
    for i in lanes(0..a.len()) {
        y[i] += z[i];
    }
}

/// The second operand may be the shorter one.
#[kernel(signature = "(n),(m)->(n)")]
fn shorter(x: &[f32], b: &[f32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        y[i] = x[i] - b[i];
    }
}

/// Edges of an operand that may be empty, at indices that are known in the loop alone.
#[kernel(signature = "(n),(m),(n)->(n)")]
fn found(x: &[f32], b: View<f32, 1>, at: &[i32], y: &mut [f32]) {
    for i in lanes(0..x.len()) {
        y[i] = x[i] + b.at_clamp([at[i] as usize]);
    }
}

#[kernel(signature = "(n),(n)->(n)")]
fn divided(x: &[i32], by: &[i32], y: &mut [i32]) {
    for i in lanes(0..x.len()) {
        y[i] = x[i] / by[i];
    }
}

/// Bytes from an operand to the one after it, modulo 4096: to each side, as far as makes a difference, and where it makes none.
const DISTANCES: [isize; 16] = [0, 8, 16, 32, 48, 64, 80, 1040, 2040, 2048, -8, -16, -48, -64, -80, -1040];
const LENGTHS: [usize; 11] = [0, 1, 15, 16, 17, 255, 256, 257, 272, 1000, 4100];

/// Memory for some operands, each of which begins a distance behind the one before, modulo 4096.
struct Memory {
    bytes: Vec<u64>,
    at: Vec<usize>,
    sizes: Vec<usize>,
}

const PAGE: usize = 4096;

impl Memory {
    fn new(sizes: &[usize], distance: isize) -> Self {
        let (mut at, mut end) = (vec![], 0);
        for (k, size) in sizes.iter().enumerate() {
            let low = (k as isize * distance).rem_euclid(PAGE as isize) as usize;
            at.push(end + low);
            end = (end + low + size + 64).next_multiple_of(PAGE);
        }
        Self { bytes: vec![0x5555_5555_5555_5555; end / 8 + 1], at, sizes: sizes.to_vec() }
    }

    fn pointers(&mut self) -> Vec<*mut u8> {
        let base = self.bytes.as_mut_ptr().cast::<u8>();
        self.at.iter().map(|at| base.wrapping_add(*at)).collect()
    }

    fn operand(&self, k: usize) -> &[u8] {
        &bytes_of(&self.bytes)[self.at[k]..][..self.sizes[k]]
    }

    fn fill(&mut self, k: usize, bytes: &[u8]) {
        let at = self.at[k];
        // SAFETY: any bytes are numbers.
        let all = unsafe { std::slice::from_raw_parts_mut(self.bytes.as_mut_ptr().cast::<u8>(), self.bytes.len() * 8) };
        all[at..][..bytes.len()].copy_from_slice(bytes);
    }

    /// Whether what is not the operands' is as it was.
    fn is_clean(&self) -> bool {
        let own = |k: usize| self.at.iter().zip(&self.sizes).any(|(at, size)| (*at..at + size).contains(&k));
        bytes_of(&self.bytes).iter().enumerate().all(|(k, byte)| *byte == 0x55 || own(k))
    }
}

fn bytes_of<T: Copy>(x: &[T]) -> &[u8] {
    // SAFETY: numbers without padding.
    unsafe { std::slice::from_raw_parts(x.as_ptr().cast(), size_of_val(x)) }
}

/// Who runs a kernel: a level, or debug mode.
#[derive(Clone, Copy, Debug)]
enum By {
    Level(Level),
    Debug,
}

fn everyone() -> Vec<By> {
    Level::available().into_iter().map(By::Level).chain([By::Debug]).collect()
}

/// Runs a variant on operands of these shapes, the inputs filled with `inputs`; gives the outputs.
fn run(
    info: &'static BlockInfo,
    variant: usize,
    by: By,
    (shapes, dims): (&[&[usize]], &[usize]),
    inputs: &[&[u8]],
    distance: isize,
) -> Result<Vec<Vec<u8>>, String> {
    let variant = &info.variants[variant];
    let sizes: Vec<usize> = variant.operands().iter().map(|dtype| dtype.size()).collect();
    let lengths: Vec<usize> = shapes.iter().zip(&sizes).map(|(shape, size)| shape.iter().product::<usize>() * size).collect();
    let mut memory = Memory::new(&lengths, distance);
    inputs.iter().enumerate().for_each(|(k, bytes)| memory.fill(k, bytes));
    let mut core_steps = Vec::new();
    for (shape, size) in shapes.iter().zip(&sizes) {
        core_steps.extend((0..shape.len()).map(|axis| (shape[axis + 1..].iter().product::<usize>() * size) as isize));
    }
    let (args, steps) = (memory.pointers(), vec![0; shapes.len()]);
    let call = Call { args: &args, count: 1, steps: &steps, dims, core_steps: &core_steps, fresh: 0 };
    match by {
        // SAFETY: the operands have these shapes, and lie apart.
        By::Level(level) => unsafe { run_on(info, variant, level, &call) }.map_err(|e| e.to_string())?,
        By::Debug => {
            // SAFETY: the same.
            let checked = || unsafe { variant.run(&info.signature, &call) };
            debug::with(Settings::default(), checked).map_err(|e| e.to_string())?;
        }
    }
    assert!(memory.is_clean(), "{by:?} {dims:?} {distance}: something beside the outputs is written");
    Ok((inputs.len()..shapes.len()).map(|k| memory.operand(k).to_vec()).collect())
}

/// Numbers that fit a byte; sums of four of them too.
fn numbers(n: usize, from: usize) -> Vec<u8> {
    (0..n).map(|k| ((k * 7 + from) % 61) as u8).collect()
}

fn stencil<T: Copy + std::ops::Add<Output = T>>(variant: usize, of: fn(u8) -> T, lengths: &[usize], distances: &[isize]) {
    let info = const { &<around as BlockFunction>::INFO };
    for (w, h) in lengths.iter().flat_map(|w| [(*w, 1), (*w, 3)]) {
        let x: Vec<T> = numbers(h * w, 0).into_iter().map(of).collect();
        let at = |i: usize, j: usize| x[i * w + j];
        let mut wanted = Vec::new();
        for (i, j) in (0..h).flat_map(|i| (0..w).map(move |j| (i, j))) {
            let rows = at(i.saturating_sub(1), j) + at((i + 1).min(h - 1), j);
            wanted.push(rows + (at(i, j.saturating_sub(1)) + at(i, (j + 1).min(w - 1))));
        }
        // Not debug mode, to which the index of what is beyond the edge overflows.
        for by in Level::available().into_iter().map(By::Level) {
            for distance in distances {
                let y = run(info, variant, by, (&[&[h, w], &[h, w]], &[h, w]), &[bytes_of(&x)], *distance).unwrap();
                assert!(y[0] == bytes_of(&wanted), "{by:?} variant {variant}, {h} by {w}, {distance} bytes");
            }
        }
    }
}

#[test]
fn stencils() {
    stencil::<f32>(0, |b| f32::from(b) * 0.7 - 20.1, &LENGTHS, &DISTANCES);
    stencil::<f64>(1, |b| f64::from(b) * 0.7 - 20.1, &LENGTHS, &DISTANCES);
    stencil::<u8>(2, |b| b, &LENGTHS, &DISTANCES);
}

/// Rows so long that what is prefetched lies in them.
#[test]
fn long_rows() {
    stencil::<f32>(0, |b| f32::from(b) * 0.7 - 20.1, &[70_001], &[0, 16, -16]);
}

#[test]
fn outputs_that_are_read() {
    let info = const { &<again as BlockFunction>::INFO };
    for n in LENGTHS {
        let (a, b): (Vec<i32>, Vec<i32>) =
            (numbers(n, 3).into_iter().map(i32::from).collect(), numbers(n, 40).into_iter().map(i32::from).collect());
        let z: Vec<i32> = a.iter().zip(&b).map(|(a, b)| if a > b { a * b - b } else { *a }).collect();
        let y: Vec<i32> = a.iter().zip(&b).zip(&z).map(|((a, b), z)| a * b + z).collect();
        for (by, distance) in everyone().into_iter().flat_map(|by| DISTANCES.map(|distance| (by, distance))) {
            let dims: &[usize] = &[n];
            let out = run(info, 0, by, (&[dims; 4], dims), &[bytes_of(&a), bytes_of(&b)], distance).unwrap();
            assert!(out[0] == bytes_of(&y) && out[1] == bytes_of(&z), "{by:?} {n} {distance}");
        }
    }
}

/// The first index out of range, in the order of the loop.
#[test]
fn first_faults() {
    let info = const { &<shorter as BlockFunction>::INFO };
    for (n, m) in [(1, 0), (17, 15), (256, 16), (1000, 0), (1000, 7), (1000, 640), (4100, 4099)] {
        let (x, b) = (vec![1_f32; n], vec![2_f32; m]);
        for (by, distance) in everyone().into_iter().flat_map(|by| DISTANCES.map(|distance| (by, distance))) {
            let shapes: [&[usize]; 3] = [&[n], &[m], &[n]];
            let error = run(info, 0, by, (&shapes, &[n, m]), &[bytes_of(&x), bytes_of(&b)], distance).unwrap_err();
            assert!(error.contains(&format!("index [{m}] of argument ")), "{by:?} {n} {m} {distance}: {error}");
        }
    }
    let info = const { &<found as BlockFunction>::INFO };
    for n in [16, 256, 1000, 1024] {
        let (x, at): (Vec<f32>, Vec<i32>) = (vec![1.0; n], (100..100 + n as i32).collect());
        for (by, distance) in everyone().into_iter().flat_map(|by| DISTANCES.map(|distance| (by, distance))) {
            let shapes: [&[usize]; 4] = [&[n], &[0], &[n], &[n]];
            let error = run(info, 0, by, (&shapes, &[n, 0]), &[bytes_of(&x), &[], bytes_of(&at)], distance).unwrap_err();
            assert!(error.contains("index [100] of argument "), "{by:?} {n} {distance}: {error}");
        }
    }
}

#[test]
fn divisions() {
    let info = const { &<divided as BlockFunction>::INFO };
    for (n, zeros) in [(16, &[3][..]), (1000, &[0, 999]), (1000, &[500]), (1000, &[])] {
        let (x, mut by_): (Vec<i32>, Vec<i32>) = ((0..n).collect(), (1..=n).collect());
        zeros.iter().for_each(|k| by_[*k] = 0);
        let wanted: Option<Vec<i32>> = x.iter().zip(&by_).map(|(x, by)| x.checked_div(*by)).collect();
        for (by, distance) in everyone().into_iter().flat_map(|by| DISTANCES.map(|distance| (by, distance))) {
            let dims: &[usize] = &[n as usize];
            match (run(info, 0, by, (&[dims; 3], dims), &[bytes_of(&x), bytes_of(&by_)], distance), &wanted) {
                (Ok(y), Some(wanted)) => assert!(y[0] == bytes_of(wanted), "{by:?} {n} {distance}"),
                (Err(error), None) => assert!(error.contains("division by zero"), "{by:?} {n} {distance}: {error}"),
                (y, _) => panic!("{by:?} {n} {distance}: {}", y.is_ok()),
            }
        }
    }
}
