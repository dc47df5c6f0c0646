//! A block kernel on one choice of dtypes, types erased.

use super::crew;
use super::entry::{CheckedEntry, Entries, checked, entries};
use super::info::Signature;
use super::memory::{CACHED, memory};
use super::pack::Packed;
use crate::debug::{self, Settings};
use crate::error::RunError;
use crate::interrupt::{self, CHUNK};
use crate::level::Level;
use crate::threads::{self, Team};
use lanecraft_core::DtypeId;
use lanecraft_core::block::{Axes, BlockKernel, ItemFault, Items, MAX_RANK, Member, Memory, Operands, Returned, Wide};
use lanecraft_core::map::MAX_OPERANDS;
use lanecraft_core::stream::{self, Stores};

/// Code that runs items: of a level, or the checked one.
type Run<'a> = &'a dyn Fn(&Items<'_>) -> Result<(), (usize, ItemFault)>;

/// Elements of a call, of its largest operand, above which the items are split over threads.
const MIN_ELEMENTS: usize = 1 << 17;

/// A block kernel on one choice of dtypes, types erased.
#[derive(Clone, Copy, Debug)]
pub struct BlockVariant {
    /// The dtypes of the operands: inputs, then outputs.
    dtypes: [DtypeId; MAX_OPERANDS],
    inputs: usize,
    count: usize,
    /// How several threads can work on one item.
    wide: Wide,
    /// The choice of parameter values it is built for: for each parameter of its kernel, the index of a value.
    pub choice: &'static [Option<usize>],
    entries: Entries,
    checked: Option<CheckedEntry>,
}

/// The first item with a fault, by its number among those of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockFault {
    /// Its number.
    pub item: usize,
    /// What happened there.
    pub fault: ItemFault,
}

/// Where items lie: the shape of a gufunc's loop.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The first item of each operand.
    pub args: &'a [*mut u8],
    /// How many items.
    pub count: usize,
    /// Bytes from item to item, for each operand.
    pub steps: &'a [isize],
    /// The size of each core dimension.
    pub dims: &'a [usize],
    /// Bytes from element to element on each core axis, operand by operand.
    pub core_steps: &'a [isize],
    /// Outputs that hold nothing yet, as bits, as in [`Settings::fresh`].
    pub fresh: u64,
}

impl BlockVariant {
    /// Kernel `K` on the dtypes `A`.
    pub const fn of<K: BlockKernel<A>, A: 'static>() -> Self {
        let (operands, returned) = (<K::Operands as Operands>::DTYPES, <K::Returned as Returned>::DTYPES);
        let count = operands.len() + returned.len();
        assert!(count <= MAX_OPERANDS, "a kernel has at most 16 operands");
        let mut dtypes = [DtypeId::Bool; MAX_OPERANDS];
        let mut k = 0;
        while k < count {
            dtypes[k] = if k < operands.len() { operands[k] } else { returned[k - operands.len()] };
            k += 1;
        }
        Self { dtypes, inputs: K::INPUTS, count, wide: K::WIDE, choice: &[], entries: entries::<K, A>(), checked: checked::<K, A>() }
    }

    /// The variant, noted as built for a choice of parameter values.
    pub const fn choosing(self, choice: &'static [Option<usize>]) -> Self {
        Self { choice, ..self }
    }

    /// The dtypes of the operands that are read.
    pub fn inputs(&self) -> &[DtypeId] {
        &self.dtypes[..self.inputs]
    }

    /// The dtypes of the operands that are written.
    pub fn outputs(&self) -> &[DtypeId] {
        &self.dtypes[self.inputs..self.count]
    }

    /// The dtypes of all operands, inputs first.
    pub fn operands(&self) -> &[DtypeId] {
        &self.dtypes[..self.count]
    }

    /// The levels that this variant has code for and that this CPU has, worst to best.
    pub fn levels(&self) -> Vec<Level> {
        Level::available().into_iter().filter(|level| self.entries[*level as usize].is_some()).collect()
    }

    /// Where the code of a level begins, if there is any.
    pub fn address(&self, level: Level) -> Option<usize> {
        self.entries[level as usize].map(|entry| entry as usize)
    }

    /// Runs the kernel on items, on the [active](Level::active) level, split over threads where there is enough to do.
    ///
    /// # Errors
    /// No usable level, a malformed `LANECRAFT_THREADS`, a panic in the kernel, or a fault, of the lowest item that has one; the
    /// outputs' values are unspecified then.
    ///
    /// # Safety
    /// The call fits the signature and the variant. Every element of the inputs is readable, of the outputs writable; no two items
    /// share elements of an output, nor an output elements with an input, and nobody else uses them meanwhile.
    pub unsafe fn run(&self, signature: &Signature, call: &Call<'_>) -> Result<(), RunError> {
        let level = Level::active()?;
        let empty = signature.dims.iter().zip(call.dims).position(|(dim, len)| dim.nonempty && *len == 0);
        if let Some(dim) = empty.filter(|_| call.count > 0) {
            return Err(RunError::Empty(dim));
        }
        if let Some(settings) = debug::active()? {
            // SAFETY: the caller's promise.
            return unsafe { self.run_checked(settings, signature, call) };
        }
        let memory = self.memory(signature, call);
        let largest_of =
            |operands: &[&[usize]]| operands.iter().map(|dims| dims.iter().map(|d| call.dims[*d]).product()).max().unwrap_or(1);
        let largest: usize = largest_of(signature.operands);
        let wide = match self.wide {
            Wide::Not => false,
            Wide::Once => largest > MIN_ELEMENTS,
            Wide::InTurns => largest_of(&signature.operands[self.inputs..self.count]) > MIN_ELEMENTS,
        };
        // Few and large items are better shared out themselves.
        if call.count > 1
            && call.count.saturating_mul(largest) > MIN_ELEMENTS
            && !(wide && call.count < 8)
            && let Some(team) = threads::team()?
        {
            // SAFETY: the caller's promise.
            return unsafe { self.split(Some(team), level, signature, call, &memory, largest) };
        }
        if wide
            && call.count > 0
            && let Some(team) = threads::team()?
        {
            let shared = Shared(*call);
            // SAFETY: the caller's promise; the members share out what they write.
            let each = |member: Member<'_>| unsafe { self.run_with(level, signature, shared.get(), &memory, Some(member)) };
            if let Some(done) = crew::run(team, &each) {
                return if interrupt::was_stopped() { Err(RunError::Interrupted) } else { done };
            }
        }
        // SAFETY: the caller's promise.
        unsafe { self.split(None, level, signature, call, &memory, largest) }
    }

    /// How the memory of a call's operands is used.
    fn memory(&self, signature: &Signature, call: &Call<'_>) -> [Memory; MAX_OPERANDS] {
        memory(self.operands(), self.inputs, signature, call)
    }

    /// [`run`](Self::run) in debug mode: item by item, on the calling thread.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    #[cold]
    unsafe fn run_checked(&self, settings: Settings, signature: &Signature, call: &Call<'_>) -> Result<(), RunError> {
        let entry = self.checked.unwrap_or_else(|| unreachable!("`debug::active` refuses a build without checked code"));
        let shared = Shared(*call);
        let outputs = &signature.operands[self.inputs..self.count];
        let empty = |(k, dims): (usize, &&[usize])| u64::from(dims.iter().any(|dim| call.dims[*dim] == 0)) << k;
        let empty: u64 = outputs.iter().enumerate().map(empty).sum();
        let settings = Settings { fresh: (settings.fresh | call.fresh) & !empty, ..settings };
        threads::split(None, call.count, 1, &|start, count| {
            let call = shared.get().part(start);
            // SAFETY: the caller's promise, for these items.
            let run = |items: &Items<'_>| unsafe {
                entry(settings, items, start);
                Ok(())
            };
            // SAFETY: the caller's promise, for these items.
            unsafe { self.run_by(&run, signature, &Call { args: &call, count, ..*shared.get() }, &CACHED, None) }
        })
    }

    /// Runs items in parts, on the calling thread and on those of a team.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    unsafe fn split(
        &self,
        team: Option<Team>,
        level: Level,
        signature: &Signature,
        call: &Call<'_>,
        memory: &[Memory; MAX_OPERANDS],
        largest: usize,
    ) -> Result<(), RunError> {
        let shared = Shared(*call);
        let mut chunk = (CHUNK / largest.max(1)).max(1);
        if let Some(team) = team {
            chunk = chunk.min(call.count.div_ceil(team.threads()));
        }
        threads::split(team, call.count, chunk, &|start, count| {
            let args = shared.get().part(start);
            // SAFETY: the caller's promise, for these items, which no other part touches.
            unsafe { self.run_with(level, signature, &Call { args: &args, count, ..*shared.get() }, memory, None) }
                .map_err(|fault| BlockFault { item: fault.item + start, ..fault })
        })
    }

    /// [`run`](Self::run) on a given level and on the calling thread alone.
    ///
    /// # Errors
    /// A fault, of the lowest item that has one.
    ///
    /// # Panics
    /// If the level is not compiled in.
    ///
    /// # Safety
    /// As for [`run`](Self::run), and `level` is among [`Level::available`].
    pub unsafe fn run_at(&self, level: Level, signature: &Signature, call: &Call<'_>) -> Result<(), BlockFault> {
        // SAFETY: the caller's promise.
        unsafe { self.run_with(level, signature, call, &self.memory(signature, call), None) }
    }

    /// [`run_at`](Self::run_at), as one of several threads where that is said.
    ///
    /// # Safety
    /// As for [`run_at`](Self::run_at); the members of a crew run the same call.
    unsafe fn run_with(
        &self,
        level: Level,
        signature: &Signature,
        call: &Call<'_>,
        memory: &[Memory; MAX_OPERANDS],
        member: Option<Member<'_>>,
    ) -> Result<(), BlockFault> {
        let Some(entry) = self.entries[level as usize] else { crate::variant::not_compiled_in(level) };
        // SAFETY: the caller's promise: items of this call, and the level is available.
        unsafe { self.run_by(&|items| entry(items), signature, call, memory, member) }
    }

    /// [`run_with`](Self::run_with) of any code for items.
    ///
    /// # Safety
    /// As for [`run_at`](Self::run_at), and `entry` runs items of this variant.
    unsafe fn run_by(
        &self,
        entry: Run<'_>,
        signature: &Signature,
        call: &Call<'_>,
        memory: &[Memory; MAX_OPERANDS],
        member: Option<Member<'_>>,
    ) -> Result<(), BlockFault> {
        let mut axes = [Axes::default(); MAX_OPERANDS];
        let mut core_steps = call.core_steps;
        for (axes, dims) in axes.iter_mut().zip(signature.operands) {
            assert!(dims.len() <= MAX_RANK, "an operand has at most 4 axes");
            let (own, rest) = core_steps.split_at(dims.len());
            core_steps = rest;
            for (d, dim) in dims.iter().enumerate() {
                (axes.shape[d], axes.steps[d]) = (call.dims[*dim] as u64, own[d]);
            }
        }
        // On other threads there is nobody to ask.
        let poll = interrupt::poll();
        let mut at = [std::ptr::null_mut(); MAX_OPERANDS];
        let mut step = [0; MAX_OPERANDS];
        at[..self.count].copy_from_slice(&call.args[..self.count]);
        step[..self.count].copy_from_slice(&call.steps[..self.count]);
        let of = |k: usize| (&axes[k], signature.operands[k].len(), self.dtypes[k].size());
        let is_packed = |k: usize| {
            let (axes, rank, size) = of(k);
            Packed::is_needed(axes, rank, size)
        };
        if !(0..self.count).any(is_packed) {
            let items = Items { count: call.count, at, step, axes: &axes, memory, member, poll };
            // No operand needs a copy.
            let done = entry(&items);
            if memory.iter().any(|m| m.stores == Stores::Stream) {
                stream::fence();
            }
            return done.map_err(|(item, fault)| BlockFault { item, fault });
        }
        // A copy is one thread's.
        if member.is_some_and(|member| member.index > 0) {
            return Ok(());
        }
        let copy = |k: usize| {
            let (axes, rank, size) = of(k);
            is_packed(k).then(|| Packed::new(k, axes, rank, size))
        };
        let mut packed: Vec<Option<Packed>> = (0..self.count).map(copy).collect();
        for (axes, packed) in axes.iter_mut().zip(&packed) {
            if let Some(packed) = packed {
                *axes = packed.own;
            }
        }
        for item in 0..call.count {
            let theirs = at.map(|at| at);
            let mut own = at;
            for (k, packed) in packed.iter_mut().enumerate() {
                if let Some(packed) = packed {
                    own[k] = packed.at();
                    // What a kernel leaves of an output stays as it is, so outputs are read too. What all items share is read once.
                    if item == 0 || step[k] != 0 {
                        // SAFETY: the caller's promise.
                        if !unsafe { packed.read(theirs[k]) } {
                            return Err(BlockFault { item, fault: ItemFault::Elsewhere });
                        }
                    }
                }
            }
            // A copy is read soon.
            let items = Items { count: 1, at: own, step, axes: &axes, memory: &CACHED, member: None, poll };
            // The operands of this item lie side by side now.
            entry(&items).map_err(|(_, fault)| BlockFault { item, fault })?;
            for (k, packed) in packed.iter_mut().enumerate().skip(self.inputs) {
                if let Some(packed) = packed {
                    // SAFETY: the caller's promise.
                    if !unsafe { packed.write(theirs[k]) } {
                        return Err(BlockFault { item, fault: ItemFault::Elsewhere });
                    }
                }
            }
            for (at, step) in at.iter_mut().zip(&step) {
                *at = at.wrapping_offset(*step);
            }
        }
        Ok(())
    }
}

impl Call<'_> {
    /// Where item `start` of each operand is.
    fn part(&self, start: usize) -> Vec<*mut u8> {
        self.args.iter().zip(self.steps).map(|(at, step)| at.wrapping_offset(start as isize * step)).collect()
    }
}

/// A call, on its way to other threads.
struct Shared<'a>(Call<'a>);

// SAFETY: threads derive from it the addresses of items that no two of them share.
unsafe impl Sync for Shared<'_> {}

impl<'a> Shared<'a> {
    fn get(&self) -> &Call<'a> {
        &self.0
    }
}
