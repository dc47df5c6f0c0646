//! Random block kernels, written by the build script, against their plain functions: on every level, for sizes around those of
//! gangs and chunks, bit for bit.

#[allow(
    missing_docs,
    unused,
    clippy::all,
    reason = "random kernels, written by the build script; they read what they do not use and use what they do not change"
)]
mod kernels {
    use super::Plain;
    use lanecraft::block::{BlockFunction, BlockInfo};
    use lanecraft::prelude::*;
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

use kernels::KERNELS;
use lanecraft::block::{Call, Level, run_on};
use lanecraft::{View, ViewMut};

/// A kernel as a plain function.
type Plain = fn(&[f32], &[u32], View<f32, 2>, f32, &mut [f32], ViewMut<f32, 2>) -> (f32, f32, u32);

/// What a run gives.
#[derive(Clone, PartialEq)]
struct Given {
    y: Vec<f32>,
    z: Vec<f32>,
    returned: (f32, f32, u32),
}

impl Given {
    /// Bits, all NaN being one: their payloads are not part of the promise. So is a combination of their bits not.
    fn bits(&self) -> Vec<u32> {
        let bits = |x: &f32| if x.is_nan() { u32::MAX } else { x.to_bits() };
        self.y.iter().chain(&self.z).chain([&self.returned.0, &self.returned.1]).map(bits).collect()
    }
}

/// Numbers that begin so many bytes behind others, modulo 4096: on that hangs in which order a loop runs.
struct Behind {
    memory: Vec<f32>,
    from: usize,
    len: usize,
}

impl Behind {
    fn new(numbers: &[f32], others: &[f32], distance: isize) -> Self {
        let mut memory = vec![0.0; numbers.len() + 1024];
        let behind = (others.as_ptr() as usize).wrapping_add_signed(distance).wrapping_sub(memory.as_ptr() as usize);
        let from = behind % 4096 / size_of::<f32>();
        memory[from..][..numbers.len()].copy_from_slice(numbers);
        Self { memory, from, len: numbers.len() }
    }

    fn start(&mut self) -> *mut f32 {
        self.memory[self.from..].as_mut_ptr()
    }

    fn numbers(&self) -> &[f32] {
        &self.memory[self.from..][..self.len]
    }
}

/// Runs every kernel. Gives how many comparisons there were.
///
/// # Errors
/// The first kernel that differs, and where.
pub fn run() -> Result<usize, String> {
    let mut comparisons = 0;
    for (number, (plain, info)) in KERNELS.iter().enumerate() {
        for (n, h, w) in
            [(1, 1, 1), (2, 3, 5), (15, 2, 16), (16, 5, 17), (17, 4, 40), (100, 1, 100), (4099, 3, 67), (300, 2, 600), (9000, 16, 1)]
        {
            let x: Vec<f32> = (0..n).map(|i| ((i * 37 + number) as f32 * 0.11).sin() * 2.0).collect();
            let g: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect();
            let v: Vec<f32> = (0..h * w).map(|i| ((i * 13 + number) as f32 * 0.23).cos()).collect();
            let (u, start) = (0.375_f32, Given { y: vec![0.5; n], z: vec![0.25; h * w], returned: (0.0, 0.0, 0) });
            let mut expected = start.clone();
            let view = View::new(&v, [h, w]).map_err(|e| e.to_string())?;
            let out = ViewMut::new(&mut expected.z, [h, w]).map_err(|e| e.to_string())?;
            expected.returned = plain(&x, &g, view, u, &mut expected.y, out);
            let levels = Level::available().into_iter().filter(|level| *level != Level::Sse2);
            for (level, distance) in levels.flat_map(|level| [(level, 16), (level, -16)]) {
                let mut given = start.clone();
                let (mut y, mut z) = (Behind::new(&given.y, &x, distance), Behind::new(&given.z, &v, distance));
                let (a, b, c) = (&mut given.returned.0, &mut given.returned.1, &mut given.returned.2);
                let args: [*mut u8; 9] = [
                    x.as_ptr().cast_mut().cast(),
                    g.as_ptr().cast_mut().cast(),
                    v.as_ptr().cast_mut().cast(),
                    std::ptr::from_ref(&u).cast_mut().cast(),
                    y.start().cast(),
                    z.start().cast(),
                    std::ptr::from_mut(a).cast(),
                    std::ptr::from_mut(b).cast(),
                    std::ptr::from_mut(c).cast(),
                ];
                let row = 4 * w as isize;
                let core_steps = [4, 4, row, 4, 4, row, 4];
                let call = Call { args: &args, count: 1, steps: &[0; 9], dims: &[n, h, w], core_steps: &core_steps, fresh: 0 };
                // SAFETY: pointers to as many elements as the dims say, of the kernel's dtypes.
                unsafe { run_on(info, &info.variants[0], level, &call) }.map_err(|e| format!("kernel k{number} on {level}: {e}"))?;
                (given.y, given.z) = (y.numbers().to_vec(), z.numbers().to_vec());
                let has_nan = expected.bits().contains(&u32::MAX);
                if given.bits() != expected.bits() || (!has_nan && given.returned.2 != expected.returned.2) {
                    let at = given.bits().iter().zip(expected.bits()).position(|(a, b)| *a != b);
                    return Err(format!("kernel k{number} on {level} with n = {n}, h = {h}, w = {w} differs, first at {at:?}"));
                }
                comparisons += 1;
            }
        }
    }
    Ok(comparisons)
}
