//! Runs a function over its inputs on every level, and gathers errors and a hash of the results.

use crate::error;
use crate::functions::{Function, Plain, Reference};
use crate::inputs::{self, CHUNK};
use crate::oracle::Exact;
use lanecraft::prelude::{bf16, f16};
use lanecraft::{DtypeId, Level, Variant};
use std::sync::atomic::{AtomicU64, Ordering};

/// Of so many chunks, one is computed by the plain function too, which has no vectors.
const PLAIN: u64 = 8;

/// What was measured of one function and dtype.
#[derive(Debug)]
pub struct Measured {
    /// By level.
    pub levels: Vec<(Level, Stats)>,
    /// How many inputs there were.
    pub inputs: u64,
    /// Inputs at which the reference contradicts itself.
    pub unsound: u64,
    /// Inputs at which the plain function differs from the best level that fuses.
    pub unlike_plain: u64,
}

/// Errors and results on one level.
#[derive(Clone, Copy, Debug)]
pub struct Stats {
    /// The largest error, in ULP.
    pub worst: f64,
    /// An input that has it; the second number is of functions of two variables.
    pub at: [f64; 2],
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
    const NONE: Self = Self { worst: 0.0, at: [f64::NAN; 2], sum: 0.0, hash: FNV_START };

    fn add(&mut self, x: [f64; 2], error: f64) {
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
    fn target(reference: &Reference, x: [Self; 2]) -> Self::Target;
    fn is_sound(target: &Self::Target) -> bool;
    fn error(self, target: &Self::Target) -> f64;
    fn plain(plain: &Plain, x: [Self; 2]) -> Self;
    fn bits(self) -> u64;
    fn value(self) -> f64;
}

/// The dtypes that f64 holds with digits to spare; results of those narrower than f32 are rounded from it.
macro_rules! narrow {
    ($($t:ident $id:ident $narrow:ident nan $nan:literal, $x:ident: $from_f32:expr;)*) => {
        $(impl Element for $t {
            const ID: DtypeId = DtypeId::$id;
            type Target = f64;
            fn target(reference: &Reference, x: [Self; 2]) -> f64 {
                match reference {
                    Reference::Bounded { f64, .. } => f64(x[0].into(), x[1].into()),
                    Reference::Equal { f32, .. } => {
                        let $x: f32 = f32(x[0].into());
                        $from_f32.into()
                    }
                }
            }
            fn is_sound(_: &f64) -> bool {
                true
            }
            fn error(self, target: &f64) -> f64 {
                error::of_narrow(error::$narrow, self.into(), *target)
            }
            fn plain(plain: &Plain, x: [Self; 2]) -> Self {
                (plain.$t)(x[0], x[1])
            }
            fn bits(self) -> u64 {
                if self.is_nan() { $nan } else { u64::from(self.to_bits()) }
            }
            fn value(self) -> f64 {
                self.into()
            }
        })*
    };
}
narrow! {
    f16 F16 F16 nan 0x7e00, x: f16::from_f32(x);
    bf16 Bf16 BF16 nan 0x7fc0, x: bf16::from_f32(x);
    f32 F32 F32 nan 0x7fc0_0000, x: x;
}

impl Element for f64 {
    const ID: DtypeId = DtypeId::F64;
    type Target = Exact;
    fn target(reference: &Reference, x: [Self; 2]) -> Exact {
        match reference {
            Reference::Bounded { exact, .. } => exact(x[0], x[1]),
            Reference::Equal { f64, .. } => Exact::is(f64(x[0])),
        }
    }
    fn is_sound(target: &Exact) -> bool {
        error::is_sound(target)
    }
    fn error(self, target: &Exact) -> f64 {
        error::of_f64(self, target)
    }
    fn plain(plain: &Plain, x: [Self; 2]) -> Self {
        (plain.f64)(x[0], x[1])
    }
    fn bits(self) -> u64 {
        if self.is_nan() { 0x7ff8_0000_0000_0000 } else { self.to_bits() }
    }
    fn value(self) -> f64 {
        self
    }
}

/// Every f16; of a function of two variables, `samples` pairs.
pub fn f16(function: &Function, levels: &[Level], samples: u64) -> Measured {
    let from_bits = |bits| f16::from_bits(bits).into();
    let input = |i| inputs::half_at(function, i, from_bits).map(f16::from_f64);
    measure(function, levels, inputs::half_count(function, samples), &input)
}

/// Every bf16; of a function of two variables, `samples` pairs.
pub fn bf16(function: &Function, levels: &[Level], samples: u64) -> Measured {
    let from_bits = |bits| bf16::from_bits(bits).into();
    let input = |i| inputs::half_at(function, i, from_bits).map(bf16::from_f64);
    measure(function, levels, inputs::half_count(function, samples), &input)
}

/// Each `stride`-th f32.
pub fn f32(function: &Function, levels: &[Level], stride: u32) -> Measured {
    measure(function, levels, inputs::f32_count(stride), &|i| inputs::f32_at(function, stride, i))
}

/// `samples` f64 numbers.
pub fn f64(function: &Function, levels: &[Level], samples: u64) -> Measured {
    measure(function, levels, samples, &|i| inputs::f64_at(function, i))
}

fn measure<T: Element>(function: &Function, levels: &[Level], count: u64, input: &(dyn Fn(u64) -> [T; 2] + Sync)) -> Measured {
    let variant = function.info.variants.iter().find(|variant| variant.outputs == [T::ID]);
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
            let xs: Vec<[T; 2]> = (start..count.min(start + CHUNK)).map(input).collect();
            done.push((chunk, measure_chunk(function, variant, levels, &xs, chunk.is_multiple_of(PLAIN))));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut chunks: Vec<(u64, Chunk)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    chunks.sort_by_key(|(chunk, _)| *chunk);

    let levels = levels.iter().map(|level| (*level, Stats::NONE)).collect();
    let mut measured = Measured { levels, inputs: count, unsound: 0, unlike_plain: 0 };
    for (_, chunk) in chunks {
        measured.unsound += chunk.unsound;
        measured.unlike_plain += chunk.unlike_plain;
        for ((_, all), stats) in measured.levels.iter_mut().zip(chunk.stats) {
            *all = all.then(stats);
        }
    }
    measured
}

/// What was measured on a chunk of the inputs: by level, and the counts of [`Measured`].
struct Chunk {
    stats: Vec<Stats>,
    unsound: u64,
    unlike_plain: u64,
}

fn measure_chunk<T: Element>(function: &Function, variant: &Variant, levels: &[Level], xs: &[[T; 2]], with_plain: bool) -> Chunk {
    let targets: Vec<T::Target> = xs.iter().map(|x| T::target(&function.reference, *x)).collect();
    let unsound = targets.iter().filter(|target| !T::is_sound(target)).count() as u64;
    let mut results: Vec<Vec<T>> = Vec::new();
    let mut stats: Vec<Stats> = Vec::new();
    for level in levels {
        let ys = run(function, variant, *level, xs);
        // Levels mostly agree, and comparing bits is cheaper than measuring errors.
        let same = results.iter().position(|other| ys.iter().zip(other).all(|(y, other)| y.bits() == other.bits()));
        stats.push(same.map_or_else(|| stats_of(xs, &ys, &targets), |same| stats[same]));
        results.push(ys);
    }
    let mut fused = levels.iter().zip(&results).rev().filter(|(level, _)| **level != Level::Sse2);
    let unlike_plain = match (fused.next(), &function.plain) {
        (Some((_, ys)), Some(plain)) if with_plain => {
            xs.iter().zip(ys).filter(|(x, y)| T::plain(plain, **x).bits() != y.bits()).count() as u64
        }
        _ => 0,
    };
    Chunk { stats, unsound, unlike_plain }
}

fn run<T: Element>(function: &Function, variant: &Variant, level: Level, xs: &[[T; 2]]) -> Vec<T> {
    let mut ys = vec![T::default(); xs.len()];
    // The operands stand in turn.
    let (size, step) = (size_of::<T>() as isize, size_of::<[T; 2]>() as isize);
    let first = xs.as_ptr().cast::<T>().cast_mut();
    let (out, second) = (ys.as_mut_ptr().cast::<u8>(), first.wrapping_add(1).cast::<u8>());
    let (args, steps) = ([first.cast(), second, out], [step, step, size]);
    // SAFETY: the first operand starts at `first` and the second an element behind it, both two elements apart, and all lie within
    // `xs`; `ys` has as many; the dtype is the variant's; the level is an available one.
    let ran = unsafe {
        if function.is_binary() {
            variant.run_at(level, &args, xs.len(), &steps)
        } else {
            variant.run_at(level, &[args[0], args[2]], xs.len(), &[steps[0], steps[2]])
        }
    };
    if let Err(fault) = ran {
        panic!("{}: {fault:?}", function.info.name);
    }
    ys
}

fn stats_of<T: Element>(xs: &[[T; 2]], ys: &[T], targets: &[T::Target]) -> Stats {
    let mut stats = Stats::NONE;
    for ((x, y), target) in xs.iter().zip(ys).zip(targets) {
        stats.add(x.map(T::value), y.error(target));
        stats.hash = fnv(stats.hash, y.bits());
    }
    stats
}
