//! Kernels as values: [`Variant`], one choice of dtypes with its types erased, and [`KernelInfo`], all of them.

use crate::debug::{self, Settings};
use crate::entry::{CheckedEntry, Entries, checked, entries};
use crate::error::RunError;
use crate::interrupt::CHUNK;
use crate::level::Level;
use crate::nest::Nest;
use crate::strip::{GANG, Strip, advanced};
use crate::threads::{self, Team};
use lanecraft_core::map::{Gang, MAX_OPERANDS, MapKernel, Pack};
use lanecraft_core::{DtypeId, Fault};

/// A map kernel on one choice of dtypes, types erased.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The dtypes of the operands that are read.
    pub inputs: &'static [DtypeId],
    /// The dtypes of the operands that are written.
    pub outputs: &'static [DtypeId],
    /// The choice of parameter values it is built for: for each parameter of its kernel, the index of a value; or `None` for
    /// the run-time variant, which takes the value as one more input, after the others.
    pub choice: &'static [Option<usize>],
    /// Bytes of an element of each operand, inputs first.
    sizes: [u8; MAX_OPERANDS],
    gang: usize,
    entries: Entries,
    checked: Option<CheckedEntry>,
}

impl Variant {
    /// Kernel `K` on the dtypes `A`.
    pub const fn of<K: MapKernel<A>, A: 'static>() -> Self {
        Self::new(<K::In as Pack>::DTYPES, <K::Out as Pack>::DTYPES, <K::Gang as Gang>::SIZE, (entries::<K, A>(), checked::<K, A>()))
    }

    /// The variant, noted as built for a choice of parameter values.
    pub const fn choosing(self, choice: &'static [Option<usize>]) -> Self {
        Self { choice, ..self }
    }

    const fn new(
        inputs: &'static [DtypeId],
        outputs: &'static [DtypeId],
        gang: usize,
        (entries, checked): (Entries, Option<CheckedEntry>),
    ) -> Self {
        assert!(inputs.len() + outputs.len() <= MAX_OPERANDS, "a kernel has at most 16 operands");
        let mut sizes = [0; MAX_OPERANDS];
        let mut k = 0;
        while k < inputs.len() + outputs.len() {
            let dtype = if k < inputs.len() { inputs[k] } else { outputs[k - inputs.len()] };
            sizes[k] = dtype.size() as u8;
            k += 1;
        }
        Self { inputs, outputs, choice: &[], sizes, gang, entries, checked }
    }

    /// The levels that this variant has code for and that this CPU has, worst to best.
    pub fn levels(&self) -> Vec<Level> {
        Level::available().into_iter().filter(|level| self.entries[*level as usize].is_some()).collect()
    }

    /// Elements that are computed together, at most.
    pub fn gang(&self) -> usize {
        self.gang
    }

    /// Where the code of a level begins, if there is any.
    pub fn address(&self, level: Level) -> Option<usize> {
        self.entries[level as usize].map(|entry| entry as usize)
    }

    /// Runs the kernel on `n` elements, on the [active](Level::active) level, in the shape of a NumPy ufunc's inner loop:
    /// element `i` of operand `k`, inputs first, lies `i * steps[k]` bytes after `args[k]`.
    ///
    /// Any stride will do: 0 (broadcast), negative, not a multiple of the element's size; so will any alignment. An output
    /// may be the memory of an input. Whatever else overlaps is read and written as a loop over the elements would, one by
    /// one. Above 2^20 elements the work is split over threads: `LANECRAFT_THREADS` of them, else `OMP_NUM_THREADS`, else as
    /// many as the process may use CPUs.
    ///
    /// # Errors
    /// No usable level, a malformed `LANECRAFT_THREADS`, a panic in the kernel, a fault, with the lowest index at which
    /// there is one, or what [debug mode](mod@crate::debug) finds; the outputs' values are unspecified then.
    ///
    /// # Safety
    /// `args` and `steps` hold one entry per operand. Every element of the inputs is readable, of the outputs writable, and
    /// no other thread writes the former or uses the latter.
    pub unsafe fn run(&self, args: &[*mut u8], n: usize, steps: &[isize]) -> Result<(), RunError> {
        let level = Level::active()?;
        if let Some(settings) = debug::active()? {
            // SAFETY: the caller's promise.
            return unsafe { self.run_checked(settings, args, n, steps) };
        }
        let strip = self.strip(level);
        if strip.is_ordered(args, n, steps) {
            let args = Shared(args);
            // One thread takes the parts in their order, and asks in between whether to stop.
            return threads::split(None, n, CHUNK, &|start, count| {
                let at = advanced(args.get(), start, steps);
                // SAFETY: the caller's promise; the active level is available.
                unsafe { strip.run_ordered(&at[..steps.len()], count, steps) }
                    .map_err(|fault| Fault { index: fault.index + start, ..fault })
            });
        }
        // SAFETY: the caller's promise, and elements may be computed in any order.
        unsafe { self.run_unordered(level, args, n, steps) }
    }

    /// [`run`](Self::run) on a given level and on the calling thread alone.
    ///
    /// # Errors
    /// A fault, with the lowest index at which there is one.
    ///
    /// # Panics
    /// If the level is not compiled in.
    ///
    /// # Safety
    /// As for [`run`](Self::run), and `level` is among [`Level::available`].
    pub unsafe fn run_at(&self, level: Level, args: &[*mut u8], n: usize, steps: &[isize]) -> Result<(), Fault> {
        let strip = self.strip(level);
        // SAFETY: the caller's promise.
        unsafe { if strip.is_ordered(args, n, steps) { strip.run_ordered(args, n, steps) } else { strip.run(args, n, steps) } }
    }

    /// Runs the kernel on the elements of several axes, none of length 0: on axis `k` element `i` of operand `o`, inputs first, lies `i * steps(k)[o]` bytes
    /// after the one before. The axes are gone through in the order that suits the memory, on several threads where they are long enough.
    ///
    /// # Errors
    /// As for [`run`](Self::run). The index of a fault counts elements in C order; where there are several faults, it is that of the first one in the order of memory,
    /// or, where outputs are the memory of inputs, of any.
    ///
    /// # Safety
    /// As for [`run`](Self::run), of elements that share memory with no other one of any operand, but an output's with an input's at the same address and steps.
    pub unsafe fn run_axes(
        &self,
        shape: &[usize],
        at: &[*mut u8; MAX_OPERANDS],
        steps: impl Fn(usize) -> [isize; MAX_OPERANDS],
    ) -> Result<(), RunError> {
        let level = Level::active()?;
        let operands = self.inputs.len() + self.outputs.len();
        if let &[len] = shape {
            // SAFETY: the caller's promise.
            return unsafe { self.run_unordered(level, &at[..operands], len, &steps(0)[..operands]) };
        }
        let nest = Nest::new(shape, *at, operands, self.inputs.len(), steps);
        // SAFETY: the caller's promise.
        let done = unsafe { nest.run(self, level) };
        let in_c_order = |element| nest.index(shape.len(), element).iter().zip(shape).fold(0, |flat, (index, len)| flat * len + index);
        done.map_err(|error| error.moved(in_c_order))
    }

    /// [`run`](Self::run) for elements that may be computed in any order.
    ///
    /// # Safety
    /// As for [`run`](Self::run), `level` is available, and no output shares memory with another element of any operand.
    pub(crate) unsafe fn run_unordered(&self, level: Level, args: &[*mut u8], n: usize, steps: &[isize]) -> Result<(), RunError> {
        if let Some(settings) = debug::active()? {
            // SAFETY: the caller's promise.
            return unsafe { self.run_checked(settings, args, n, steps) };
        }
        let team = if n > threads::MIN_ELEMENTS { threads::team()? } else { None };
        // SAFETY: the caller's promise.
        unsafe { self.run_split(team, level, args, n, steps) }
    }

    /// [`run_unordered`](Self::run_unordered), in parts, on the calling thread and on those of a team.
    ///
    /// # Safety
    /// As for [`run_unordered`](Self::run_unordered).
    pub(crate) unsafe fn run_split(
        &self,
        team: Option<Team>,
        level: Level,
        args: &[*mut u8],
        n: usize,
        steps: &[isize],
    ) -> Result<(), RunError> {
        let strip = Strip { call: n, ..self.strip(level) };
        // (One part begins where it begins, and finds its gangs by itself.)
        let head = if n > CHUNK { strip.head(args, n, steps) } else { 0 };
        let args = Shared(args);
        // Where the first gangs leave some elements to begin within lines of the cache, parts end so that those of the next one do.
        let early = if head > 0 { GANG - head } else { 0 };
        threads::split(team, n, CHUNK, &|start, count| {
            let end = if start + count == n { n } else { start + count - early };
            let start = if start == 0 { 0 } else { start - early };
            let at = advanced(args.get(), start, steps);
            // SAFETY: the caller's promise, for these elements, which no other part touches.
            unsafe { strip.run(&at[..steps.len()], end - start, steps) }.map_err(|fault| Fault { index: fault.index + start, ..fault })
        })
    }

    /// [`run`](Self::run) in debug mode: element by element, on the calling thread.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    #[cold]
    unsafe fn run_checked(&self, settings: Settings, args: &[*mut u8], n: usize, steps: &[isize]) -> Result<(), RunError> {
        let entry = self.checked.unwrap_or_else(|| unreachable!("`debug::active` refuses a build without checked code"));
        let mut step = [0; MAX_OPERANDS];
        step[..steps.len()].copy_from_slice(steps);
        let args = Shared(args);
        threads::split(None, n, debug::CHUNK, &|start, count| {
            let at = advanced(args.get(), start, steps);
            // SAFETY: the caller's promise, for these elements.
            unsafe { entry(settings, &at, &step, start, count) };
            Ok::<(), Fault>(())
        })
    }

    /// The strip runner of a level.
    pub(crate) fn strip(&self, level: Level) -> Strip<'_> {
        let Some(entry) = self.entries[level as usize] else { not_compiled_in(level) };
        Strip { entry, sizes: &self.sizes[..self.inputs.len() + self.outputs.len()], inputs: self.inputs.len(), gang: self.gang, call: 0 }
    }
}

#[cold]
#[track_caller]
pub(crate) fn not_compiled_in(level: Level) -> ! {
    panic!("CPU level {level} is not compiled in")
}

/// The operands' addresses, on their way to other threads.
struct Shared<'a>(&'a [*mut u8]);

// SAFETY: threads derive from them the addresses of elements that no two of them share.
unsafe impl Sync for Shared<'_> {}

impl Shared<'_> {
    fn get(&self) -> &[*mut u8] {
        self.0
    }
}

/// What is known of a kernel at run time.
#[derive(Clone, Copy, Debug)]
pub struct KernelInfo {
    /// The function's name.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// The function as it was written.
    pub source: &'static str,
    /// The names of its arguments, one per input.
    pub arguments: &'static [&'static str],
    /// How many outputs it has.
    pub outputs: usize,
    /// How NumPy may reduce by it.
    pub reduction: Reduction,
    /// Its compile-time parameters.
    pub parameters: &'static [Parameter],
    /// Its variants: for each choice of parameter values, the choices of dtypes in the order in which they were listed.
    pub variants: &'static [Variant],
}

/// How NumPy may reduce an axis by a kernel of two operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reduction {
    /// From the first element to the last one, so that it is one axis at a time, and not an empty one.
    InOrder,
    /// In any order.
    AnyOrder,
    /// In any order, beginning with this value.
    FromInt(i64),
    /// The same.
    FromFloat(f64),
    /// The same.
    FromBool(bool),
}

/// A compile-time parameter of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The values that variants are built for.
    pub values: &'static [ParameterValue],
    /// Where there is a variant for all other values: their dtype.
    pub run_time: Option<DtypeId>,
}

/// A value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterValue {
    /// An integer.
    Int(i128),
    /// A bool.
    Bool(bool),
    /// A variant of an enum, by its name.
    Name(&'static str),
}

impl std::fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Bool(value) => value.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

impl Parameter {
    /// What is accepted, for messages: `1, 2, 4 or any i32`.
    pub fn accepted(&self) -> String {
        let values = self.values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        self.run_time.map_or(values.clone(), |dtype| format!("{values} or any {dtype}"))
    }
}

/// A kernel. `#[kernel]` implements it on the type beside the function of the same name.
pub trait Kernel: 'static {
    /// What is known of it at run time.
    const INFO: KernelInfo;
}
