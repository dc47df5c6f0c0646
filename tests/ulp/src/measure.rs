//! Runs a function over its inputs on every level, and gathers errors and a hash of the results.

use crate::error;
use crate::functions::{Function, Reference};
use crate::inputs::{self, CHUNK};
use crate::oracle::Exact;
use lanecraft::{DtypeId, Level, Variant};
use std::sync::atomic::{AtomicU64, Ordering};

/// What was measured of one function and dtype.
#[derive(Debug)]
pub struct Measured {
    /// By level.
    pub levels: Vec<(Level, Stats)>,
    /// How many inputs there were.
    pub inputs: u64,
    /// Inputs at which the reference contradicts itself.
    pub unsound: u64,
}

/// Errors and results on one level.
#[derive(Clone, Copy, Debug)]
pub struct Stats {
    /// The largest error, in ULP.
    pub worst: f64,
    /// An input that has it.
    pub at: f64,
    /// The sum of the errors.
    pub sum: f64,
    /// FNV-1a over the bits of the results, element by element, any NaN as one.
    pub hash: u64,
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3)
}

impl Stats {
    const NONE: Self = Self { worst: 0.0, at: f64::NAN, sum: 0.0, hash: FNV_START };

    fn add(&mut self, x: f64, error: f64) {
        if error > self.worst {
            (self.worst, self.at) = (error, x);
        }
        self.sum += error;
    }

    /// Of `self`, and then `next`.
    fn then(self, next: Self) -> Self {
        let (worst, at) = if next.worst > self.worst { (next.worst, next.at) } else { (self.worst, self.at) };
        Self { worst, at, sum: self.sum + next.sum, hash: fnv(self.hash, next.hash) }
    }
}

/// A dtype that can be measured.
trait Element: Copy + Default + 'static {
    const ID: DtypeId;
    /// What a result is held against.
    type Target;
    fn target(reference: &Reference, x: Self) -> Self::Target;
    fn is_sound(target: &Self::Target) -> bool;
    fn error(self, target: &Self::Target) -> f64;
    fn bits(self) -> u64;
    fn value(self) -> f64;
}

impl Element for f32 {
    const ID: DtypeId = DtypeId::F32;
    type Target = f64;
    fn target(reference: &Reference, x: Self) -> f64 {
        match reference {
            Reference::Bounded { f64, .. } => f64(f64::from(x)),
            Reference::Equal { f32, .. } => f64::from(f32(x)),
        }
    }
    fn is_sound(_: &f64) -> bool {
        true
    }
    fn error(self, target: &f64) -> f64 {
        error::of_f32(self, *target)
    }
    fn bits(self) -> u64 {
        if self.is_nan() { 0x7fc0_0000 } else { u64::from(self.to_bits()) }
    }
    fn value(self) -> f64 {
        self.into()
    }
}

impl Element for f64 {
    const ID: DtypeId = DtypeId::F64;
    type Target = Exact;
    fn target(reference: &Reference, x: Self) -> Exact {
        match reference {
            Reference::Bounded { exact, .. } => exact(x),
            Reference::Equal { f64, .. } => Exact::is(f64(x)),
        }
    }
    fn is_sound(target: &Exact) -> bool {
        error::is_sound(target)
    }
    fn error(self, target: &Exact) -> f64 {
        error::of_f64(self, target)
    }
    fn bits(self) -> u64 {
        if self.is_nan() { 0x7ff8_0000_0000_0000 } else { self.to_bits() }
    }
    fn value(self) -> f64 {
        self
    }
}

/// Each `stride`-th f32.
pub fn f32(function: &Function, levels: &[Level], stride: u32) -> Measured {
    measure(function, levels, inputs::f32_count(stride), &|i| inputs::f32_at(stride, i))
}

/// `samples` f64 numbers.
pub fn f64(function: &Function, levels: &[Level], samples: u64) -> Measured {
    measure(function, levels, samples, &|i| inputs::f64_at(function, i))
}

fn measure<T: Element>(function: &Function, levels: &[Level], count: u64, input: &(dyn Fn(u64) -> T + Sync)) -> Measured {
    let variant = function.info.variants.iter().find(|variant| variant.inputs == [T::ID]);
    let variant = variant.unwrap_or_else(|| panic!("{} is not built for {:?}", function.info.name, T::ID));
    let next = AtomicU64::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            let start = chunk * CHUNK;
            if start >= count {
                return done;
            }
            let xs: Vec<T> = (start..count.min(start + CHUNK)).map(input).collect();
            done.push((chunk, measure_chunk(function, variant, levels, &xs)));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut chunks: Vec<(u64, Chunk)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    chunks.sort_by_key(|(chunk, _)| *chunk);

    let mut measured = Measured { levels: levels.iter().map(|level| (*level, Stats::NONE)).collect(), inputs: count, unsound: 0 };
    for (_, chunk) in chunks {
        measured.unsound += chunk.unsound;
        for ((_, all), stats) in measured.levels.iter_mut().zip(chunk.stats) {
            *all = all.then(stats);
        }
    }
    measured
}

/// What was measured on a chunk of the inputs: by level, and the inputs with an unsound reference.
struct Chunk {
    stats: Vec<Stats>,
    unsound: u64,
}

fn measure_chunk<T: Element>(function: &Function, variant: &Variant, levels: &[Level], xs: &[T]) -> Chunk {
    let targets: Vec<T::Target> = xs.iter().map(|x| T::target(&function.reference, *x)).collect();
    let unsound = targets.iter().filter(|target| !T::is_sound(target)).count() as u64;
    let mut results: Vec<Vec<T>> = Vec::new();
    let mut stats: Vec<Stats> = Vec::new();
    for level in levels {
        let mut ys = vec![T::default(); xs.len()];
        let size = size_of::<T>() as isize;
        // SAFETY: both hold `xs.len()` elements of the variant's dtype; the level is an available one.
        let ran = unsafe { variant.run_at(*level, &[xs.as_ptr().cast_mut().cast(), ys.as_mut_ptr().cast()], xs.len(), &[size, size]) };
        if let Err(fault) = ran {
            panic!("{}: {fault:?}", function.info.name);
        }
        // Levels mostly agree, and comparing bits is cheaper than measuring errors.
        let same = results.iter().position(|other| ys.iter().zip(other).all(|(y, other)| y.bits() == other.bits()));
        stats.push(same.map_or_else(|| stats_of(xs, &ys, &targets), |same| stats[same]));
        results.push(ys);
    }
    Chunk { stats, unsound }
}

fn stats_of<T: Element>(xs: &[T], ys: &[T], targets: &[T::Target]) -> Stats {
    let mut stats = Stats::NONE;
    for ((x, y), target) in xs.iter().zip(ys).zip(targets) {
        stats.add(x.value(), y.error(target));
        stats.hash = fnv(stats.hash, y.bits());
    }
    stats
}
