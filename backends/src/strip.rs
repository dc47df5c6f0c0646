//! Strips: n elements of every operand, at any strides, brought into the whole gangs that an entry takes.
//!
//! - An operand whose elements lie side by side is used where it lies.
//! - A broadcast operand (stride 0) is copied into one gang of equal elements.
//! - Any other stride goes through a block on the stack, gathered before the entry runs and scattered after.
//! - The last `n % 16` elements of operands side by side are computed in the last 16, again for those in a gang before.
//! - Otherwise they go through one gang per operand, filled up with copies of the last element. Either way nothing causes a
//!   fault or a floating-point flag that the elements themselves do not cause.
//! - The first elements of a long strip are computed as the last ones are, so that the gangs behind them lie within lines of the cache.
//!
//! Nothing here knows the kernel, only element sizes.

mod in_place;

pub(crate) use in_place::InPlace;

use crate::copies::{gather, scatter, splat};
use crate::entry::Entry;
use lanecraft_core::Fault;
use lanecraft_core::map::{Gang, Gang64, MAX_OPERANDS};
use lanecraft_core::stream::{self, LINE, Stores};
use std::mem::MaybeUninit;
use std::ptr;

/// Elements of a gang.
pub(crate) const GANG: usize = 16;

/// How the elements behind the last whole gang are computed (`InPlace::run`, and for few elements `Strip::run_as`), for people.
pub const REMAINDER: &str = "the last gang once more, which overlaps the one before it; of fewer elements than a gang, copies in a buffer";
/// Elements of a block: enough to make the calls cheap, few enough that all operands' blocks stay in the first cache.
const BLOCK: usize = 128;
/// Elements of the widest gang that a kernel may ask for.
const WIDE_GANG: usize = <Gang64 as Gang>::SIZE;
/// Bytes of the widest element.
const WIDEST: usize = 8;
/// Bytes for a gang of any operand.
const GANG_BYTES: usize = WIDE_GANG * WIDEST;

/// Strips of so many elements have their gangs within lines of the cache. What is beside whole gangs costs shorter ones more than that saves.
const ALIGNED: usize = 128 * GANG;

/// Outputs of so many bytes go past the caches: most of them would have left any cache when the next reader comes.
pub(crate) const STREAMED: usize = 32 << 20;

/// Stack memory for `ELEMENTS` elements of each operand, uninitialised.
#[repr(align(64))]
pub(crate) struct Buffers<const BYTES: usize>([MaybeUninit<[u8; BYTES]>; MAX_OPERANDS]);

impl<const BYTES: usize> Buffers<BYTES> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; MAX_OPERANDS])
    }
    /// The memory of operand `k`. All pointers come from one borrow of the buffers, so that none ends another's.
    #[inline(always)]
    fn start(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// How the operands of a strip lie, by their strides.
#[derive(Clone, Copy)]
struct Layout {
    /// What an entry takes, of operands in place or broadcast.
    step: [isize; MAX_OPERANDS],
    /// The inputs whose elements are all the same one, as a set.
    broadcast: u32,
    /// The operands with any other stride but that of elements side by side.
    strided: u32,
}

/// A gang of each operand.
pub(crate) type Gangs = Buffers<GANG_BYTES>;

/// What a strip needs to know of its kernel.
#[derive(Clone, Copy)]
pub(crate) struct Strip<'a> {
    /// The kernel's code on one level.
    pub(crate) entry: Entry,
    /// Bytes of an element of each operand, inputs first.
    pub(crate) sizes: &'a [u8],
    /// How many of the operands are inputs.
    pub(crate) inputs: usize,
    /// Elements that the entry takes together: one, two or four [`GANG`]s.
    pub(crate) gang: usize,
    /// Elements of the call that this is a part of; 0 where it is all of it.
    pub(crate) call: usize,
}

/// An operand of [`Strip::run`]: where its elements lie.
#[derive(Clone, Copy)]
struct Lie {
    at: usize,
    step: isize,
    size: usize,
}

impl Lie {
    /// The first byte, and the one after the last.
    fn extent(self, n: usize) -> (usize, usize) {
        let last = self.at.wrapping_add_signed(self.step.wrapping_mul(n as isize - 1));
        (self.at.min(last), self.at.max(last).wrapping_add(self.size))
    }

    /// Whether an element of `self` shares memory with a *different* element of `other`. May say yes where the strides
    /// differ and the elements interleave.
    fn meets(self, other: Self, n: usize) -> bool {
        let ((start, end), (other_start, other_end)) = (self.extent(n), other.extent(n));
        if end <= other_start || other_end <= start {
            return false;
        }
        if self.step != other.step {
            return true;
        }
        let step = self.step.unsigned_abs();
        let distance = other.at.wrapping_sub(self.at) as isize;
        if distance == 0 || step == 0 {
            return step < self.size.max(other.size);
        }
        // Elements at a common stride: they are apart when they are within one period.
        let within = distance.rem_euclid(step as isize) as usize;
        within < self.size || within + other.size > step
    }
}

impl Strip<'_> {
    #[inline(always)]
    pub(crate) fn size(&self, k: usize) -> usize {
        self.sizes[k] as usize
    }

    /// Whether the elements must be computed one after the other, because one that is written lies where another one is
    /// read or written. NumPy asks for that in `ufunc.reduce` and `ufunc.accumulate`, with an output that is also the input
    /// of the next element.
    pub(crate) fn is_ordered(&self, args: &[*mut u8], n: usize, steps: &[isize]) -> bool {
        let lie = |k: usize| Lie { at: args[k].addr(), step: steps[k], size: self.size(k) };
        n > 1 && (self.inputs..self.sizes.len()).any(|out| (0..=out).any(|k| lie(k).meets(lie(out), n)))
    }

    /// Runs elements in order, each seeing what the ones before it wrote.
    ///
    /// # Safety
    /// As for [`Strip::run`], but operands may overlap in any way.
    #[cold]
    pub(crate) unsafe fn run_ordered(&self, args: &[*mut u8], n: usize, steps: &[isize]) -> Result<(), Fault> {
        for element in 0..n {
            let at = advanced(args, element, steps);
            // SAFETY: the caller's promise, for one element.
            unsafe { self.run(&at[..args.len()], 1, steps) }.map_err(|fault| Fault { index: fault.index + element, ..fault })?;
        }
        Ok(())
    }

    /// Runs `n` elements. Operand `k` starts at `args[k]` and has `steps[k]` bytes from element to element.
    ///
    /// # Safety
    /// Every element of the inputs is readable and of the outputs writable; the elements are not [ordered](Self::is_ordered).
    /// The entry's level is on this CPU.
    pub(crate) unsafe fn run(&self, args: &[*mut u8], n: usize, steps: &[isize]) -> Result<(), Fault> {
        // SAFETY: the caller's promise.
        let done = unsafe { self.run_unfenced(args, n, steps) };
        if self.may_stream(n) {
            stream::fence();
        }
        done
    }

    /// [`run`](Self::run), as one of several strips, after which a [fence](stream::fence) is due if they [may stream](Self::may_stream).
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    pub(crate) unsafe fn run_unfenced(&self, args: &[*mut u8], n: usize, steps: &[isize]) -> Result<(), Fault> {
        if let Some(head) = self.streams_after(args, n, steps) {
            // SAFETY: the caller's promise, for the first elements and for the others; those are aligned.
            unsafe {
                self.run_as(args, head, steps, Stores::Cache)?;
                let at = advanced(args, head, steps);
                let done = self.run_as(&at[..args.len()], n - head, steps, Stores::Stream);
                return done.map_err(|fault| Fault { index: fault.index + head, ..fault });
            }
        }
        // SAFETY: the caller's promise.
        unsafe { self.run_as(args, n, steps, Stores::Cache) }
    }

    /// Whether outputs of a call are so long that they may be [streamed](Stores::Stream).
    pub(crate) fn may_stream(&self, n: usize) -> bool {
        (self.inputs..self.sizes.len()).any(|out| n.max(self.call) >= STREAMED / self.size(out))
    }

    /// Whether the outputs are worth [streaming](Stores::Stream), and after how many elements they all are at the start of a
    /// cache line. No, if they are not very long, have elements between theirs, or replace an input: its lines are in the cache.
    fn streams_after(&self, args: &[*mut u8], n: usize, steps: &[isize]) -> Option<usize> {
        if !self.may_stream(n) {
            return None;
        }
        let mut outputs = self.inputs..self.sizes.len();
        let first = self.inputs;
        let head = args[first].align_offset(LINE) / self.size(first);
        let fits = |out: usize| {
            let start = args[out].addr().wrapping_add(head * self.size(out));
            steps[out] == self.size(out) as isize && start.is_multiple_of(LINE) && args[..first].iter().all(|input| *input != args[out])
        };
        (head < n && outputs.all(fits)).then_some(head)
    }

    /// [`run`](Self::run), with the outputs written in a given way where they are written by whole gangs in place.
    ///
    /// # Safety
    /// As for [`run`](Self::run); for [`Stores::Stream`] outputs are contiguous and begin at a [`LINE`].
    unsafe fn run_as(&self, args: &[*mut u8], n: usize, steps: &[isize], stores: Stores) -> Result<(), Fault> {
        debug_assert!(args.len() == self.sizes.len() && steps.len() == self.sizes.len());
        if n == 0 {
            return Ok(());
        }
        let mut gangs = Gangs::new();
        let layout @ Layout { step, broadcast, strided } = self.layout(steps);
        let whole = n - n % GANG;
        if whole > 0 && strided == 0 {
            // SAFETY: the caller's promise.
            return unsafe { InPlace::new(*self, layout, n, &mut gangs).run(args, stores) };
        }
        let gangs = gangs.start();
        let gang = |k: usize| gangs.wrapping_add(k * GANG_BYTES);
        let mut at = [ptr::null_mut(); MAX_OPERANDS];
        for k in 0..self.sizes.len() {
            at[k] = args[k];
            if broadcast & (1 << k) != 0 {
                at[k] = gang(k);
                // SAFETY: `n > 0`: the one element is readable; the buffer holds the widest gang.
                unsafe { self.splat(k, at[k], args[k]) };
            }
        }
        if whole > 0 {
            // SAFETY: the caller's promise.
            unsafe { self.run_blocks(at, step, strided, whole, steps) }?;
        }

        let rest = n - whole;
        if rest > 0 {
            let from = |k: usize| args[k].wrapping_offset(steps[k].wrapping_mul(whole as isize));
            for k in 0..self.sizes.len() {
                if broadcast & (1 << k) != 0 {
                    continue;
                }
                at[k] = gang(k);
                if k < self.inputs {
                    let last = from(k).wrapping_offset(steps[k].wrapping_mul(rest as isize - 1));
                    // SAFETY: elements `whole..n` are readable; the buffer holds a gang.
                    unsafe {
                        splat(at[k], last, self.size(k));
                        gather(at[k], from(k), steps[k], self.size(k), rest);
                    }
                }
            }
            // SAFETY: one gang of each operand in the buffers.
            unsafe { (self.entry)(&at, &step, 1, Stores::Cache) }.map_err(|fault| Fault { index: fault.index + whole, ..fault })?;
            for k in self.inputs..self.sizes.len() {
                // SAFETY: elements `whole..n` are writable; the entry has filled the buffer.
                unsafe { scatter(from(k), at[k], steps[k], self.size(k), rest) };
            }
        }
        Ok(())
    }

    /// For many strips of `n` elements and of the same strides: what runs them, if they are to be run in place and into the caches.
    pub(crate) fn in_place<'a>(&'a self, n: usize, steps: &[isize], gangs: &'a mut Gangs) -> Option<InPlace<'a>> {
        let layout = self.layout(steps);
        (n >= GANG && layout.strided == 0 && !self.may_stream(n)).then(|| InPlace::new(*self, layout, n, gangs))
    }

    #[inline]
    fn layout(&self, steps: &[isize]) -> Layout {
        let mut layout = Layout { step: [0; MAX_OPERANDS], broadcast: 0, strided: 0 };
        for (k, step) in steps.iter().enumerate() {
            if *step == self.size(k) as isize {
                layout.step[k] = (self.size(k) * GANG) as isize;
            } else if *step == 0 && k < self.inputs {
                layout.broadcast |= 1 << k;
            } else {
                layout.strided |= 1 << k;
            }
        }
        layout
    }

    /// Fills the kernel's gang of operand `k` at `to` with the element at `from`.
    ///
    /// # Safety
    /// `from` is readable, `to` holds the gang.
    #[inline(always)]
    unsafe fn splat(&self, k: usize, to: *mut u8, from: *const u8) {
        for part in 0..self.gang / GANG {
            // SAFETY: the caller's promise.
            unsafe { splat(to.add(part * GANG * self.size(k)), from, self.size(k)) };
        }
    }

    /// [`before_line`](Self::before_line) of a strip as it comes; 0 where it does not run in place.
    pub(crate) fn head(&self, args: &[*mut u8], n: usize, steps: &[isize]) -> usize {
        let layout = self.layout(steps);
        if layout.strided == 0 { self.before_line(args, layout.broadcast, n) } else { 0 }
    }

    /// How many elements there are before the gangs lie within lines of the cache: NumPy's arrays begin 16 bytes after one, and what straddles two costs up to
    /// a quarter of the time. Where the operands' lines begin at different elements, those of the most bytes count. None, where there are few gangs.
    #[inline(always)]
    fn before_line(&self, at: &[*mut u8], broadcast: u32, n: usize) -> usize {
        if n < ALIGNED {
            return 0;
        }
        /// Of an operand that is broadcast.
        const NONE: u8 = u8::MAX;
        let mut heads = [NONE; MAX_OPERANDS];
        let heads = &mut heads[..self.sizes.len()];
        for (k, head) in heads.iter_mut().enumerate().filter(|(k, _)| broadcast & (1 << k) == 0) {
            let size = self.size(k);
            let before = at[k].addr().wrapping_neg() & (LINE.min(GANG * size) - 1);
            *head = if before & (size - 1) == 0 { (before >> size.trailing_zeros()) as u8 } else { 0 };
        }
        let (mut best, mut most) = (0, 0);
        for head in heads.iter().copied().filter(|head| *head != NONE) {
            let mut bytes = 0;
            for (other, size) in heads.iter().zip(self.sizes) {
                bytes += if *other == head { usize::from(*size) } else { 0 };
            }
            if bytes >= most {
                (best, most) = (head, bytes);
            }
        }
        usize::from(best)
    }

    /// Runs `whole` elements, whole gangs, of which the operands in the set `strided` go through blocks. Of the others `at`
    /// and `step` are what an entry takes.
    ///
    /// # Safety
    /// As for [`Strip::run`].
    #[inline(never)]
    unsafe fn run_blocks(
        &self,
        mut at: [*mut u8; MAX_OPERANDS],
        mut step: [isize; MAX_OPERANDS],
        strided: u32,
        whole: usize,
        steps: &[isize],
    ) -> Result<(), Fault> {
        let mut blocks = Buffers::<{ BLOCK * WIDEST }>::new();
        let blocks = blocks.start();
        let is_strided = |k: usize| strided & (1 << k) != 0;
        let mut user = at;
        for k in (0..self.sizes.len()).filter(|k| is_strided(*k)) {
            at[k] = blocks.wrapping_add(k * BLOCK * WIDEST);
            step[k] = (self.size(k) * GANG) as isize;
        }

        let mut done = 0;
        while done < whole {
            let count = BLOCK.min(whole - done);
            for k in (0..self.inputs).filter(|k| is_strided(*k)) {
                // SAFETY: elements `done..done + count` are readable; the buffer holds a block.
                unsafe { gather(at[k], user[k], steps[k], self.size(k), count) };
            }
            // SAFETY: whole gangs, in blocks, in place or of equal elements.
            unsafe { (self.entry)(&at, &step, count / GANG, Stores::Cache) }
                .map_err(|fault| Fault { index: fault.index + done, ..fault })?;
            for k in 0..self.sizes.len() {
                if !is_strided(k) {
                    at[k] = at[k].wrapping_offset(step[k].wrapping_mul((count / GANG) as isize));
                } else {
                    if k >= self.inputs {
                        // SAFETY: elements `done..done + count` are writable; the entry has filled the buffer.
                        unsafe { scatter(user[k], at[k], steps[k], self.size(k), count) };
                    }
                    user[k] = user[k].wrapping_offset(steps[k].wrapping_mul(count as isize));
                }
            }
            done += count;
        }
        Ok(())
    }
}

/// `args` moved on by `count` elements.
pub(crate) fn advanced(args: &[*mut u8], count: usize, steps: &[isize]) -> [*mut u8; MAX_OPERANDS] {
    let mut at = [ptr::null_mut(); MAX_OPERANDS];
    for ((at, arg), step) in at.iter_mut().zip(args).zip(steps) {
        *at = arg.wrapping_offset(step.wrapping_mul(count as isize));
    }
    at
}
