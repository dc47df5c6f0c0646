//! The context of a lane computation: the level, which lanes are active, and where faults are noted.

use crate::block::crew::Member;
use crate::debug::{Finding, find};
use crate::dtype::{Int, Num};
use crate::isa::scalar::Scalar;
use crate::isa::{DtypeLanes, Isa, LogicLanes, MAX_LANES, Registers, V, Varying};
use core::cell::Cell;

/// What went wrong in a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An integer was divided by zero, with `/` or `%`.
    DivisionByZero,
    /// An array was indexed beyond its end.
    IndexOutOfRange {
        /// The index.
        index: i128,
        /// How many elements the array has.
        len: usize,
    },
}

impl core::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::DivisionByZero => f.write_str("integer division by zero"),
            Self::IndexOutOfRange { index, len } => write!(f, "index {index} is out of range for an array of length {len}"),
        }
    }
}

/// A fault and the element where it happened first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// Index of the element within the strip that was run.
    pub index: usize,
}

/// The most axes that an operand of a block kernel has.
pub const MAX_RANK: usize = 4;

/// An index beyond an operand's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange {
    /// The operand's number.
    pub operand: usize,
    /// How many axes it has.
    pub rank: usize,
    /// The index, as a signed number: `i - 1` at 0 is -1.
    pub index: [i64; MAX_RANK],
    /// Its shape.
    pub shape: [u64; MAX_RANK],
}

impl core::fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let rank = self.rank.min(MAX_RANK);
        write!(f, "index {:?} is out of range for shape {:?}", &self.index[..rank], &self.shape[..rank])
    }
}

/// Iterations between two questions whether to stop: at first, at least (a gang), and at most. How long one takes is the kernel's.
const FIRST: u64 = 1 << 10;
const LEAST: u64 = 1 << 4;
const MOST: u64 = 1 << 15;

/// What whoever is asked whether to stop says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Stop.
    Stop,
    /// Go on, and ask after fewer iterations.
    Sooner,
    /// Go on, and ask after more.
    Later,
    /// Go on.
    Same,
}

/// Where the lanes of one gang note a fault. Of each lane the first one counts.
#[derive(Debug, Default)]
pub struct FaultCell {
    /// The lanes with a fault, as bits.
    lanes: Cell<u64>,
    /// The lowest lane whose fault is an index, with that fault.
    index: Cell<Option<Fault>>,
    /// The first index beyond an operand, of a block kernel.
    out_of_range: Cell<Option<OutOfRange>>,
    /// Whether another thread that works on the same item has a fault.
    stopped: Cell<bool>,
    /// Whether a fault is a panic at once.
    panics: bool,
    /// Who tells, every so often, whether to stop.
    poll: Option<fn() -> Answer>,
    /// Iterations since that was asked last.
    work: Cell<u64>,
    /// After how many it is asked.
    patience: Cell<u64>,
}

impl FaultCell {
    /// For the plain function, where a fault is a panic, as in Rust.
    #[inline(always)]
    pub(crate) fn panicking() -> Self {
        Self { panics: true, ..Self::default() }
    }

    /// For a block kernel, which asks every so often whether to stop.
    #[inline(always)]
    pub(crate) fn polled(poll: Option<fn() -> Answer>) -> Self {
        Self { poll, patience: Cell::new(FIRST), ..Self::default() }
    }

    /// The first index out of range, if there is one.
    #[inline(always)]
    pub fn out_of_range(&self) -> Option<OutOfRange> {
        self.out_of_range.get()
    }

    /// The lanes with a fault, as bits.
    #[inline(always)]
    fn faulty(&self) -> u64 {
        if self.out_of_range.get().is_some() || self.stopped.get() { u64::MAX } else { self.lanes.get() }
    }

    /// Whether there was a fault.
    #[inline(always)]
    pub(crate) fn failed(&self) -> bool {
        self.faulty() != 0
    }

    /// Asks whether to stop, if there was enough work since.
    #[inline]
    fn worked(&self, iterations: u64, member: Option<Member<'_>>) {
        // A short loop is work too.
        let work = self.work.get().wrapping_add(iterations).wrapping_add(64);
        self.work.set(work);
        if work >= self.patience.get() {
            self.work.set(0);
            ask(self, member);
        }
    }

    /// Notes that another thread has a fault.
    #[inline(always)]
    pub(crate) fn stop(&self) {
        self.stopped.set(true);
    }

    /// Notes an index out of range.
    #[cold]
    #[inline(never)]
    pub(crate) fn note(&self, what: OutOfRange) {
        if self.panics {
            panic!("{what}");
        }
        if self.out_of_range.get().is_none() {
            self.out_of_range.set(Some(what));
        }
    }

    /// Notes an index beyond an array of the kernel's own, of some lane.
    #[cold]
    #[inline(never)]
    pub(crate) fn note_own(&self, index: u64, len: u64) {
        // `i - 1` at 0 is -1.
        self.note_indexes(1, &[i128::from(index as i64); MAX_LANES], len as usize);
    }

    /// Notes an index beyond an array that is the same in these lanes, if there are any.
    #[cold]
    #[inline(never)]
    fn note_uniform(&self, lanes: u64, at: u64, signed: bool, len: usize) {
        if lanes != 0 {
            let index = if signed { i128::from(at as i64) } else { i128::from(at) };
            self.note_indexes(lanes, &[index; MAX_LANES], len);
        }
    }

    /// The fault of the lowest lane, its lane as index, if there is one.
    #[inline(always)]
    pub fn get(&self) -> Option<Fault> {
        let lanes = self.lanes.get();
        (lanes != 0).then(|| Self::first(lanes.trailing_zeros() as usize, self.index.get()))
    }

    /// The fault of the lowest lane that has one. It takes values: a reference to the cell would keep all that lies beside it in memory, the
    /// operands' addresses in the inner loop among them.
    #[cold]
    #[inline(never)]
    fn first(lane: usize, index: Option<Fault>) -> Fault {
        index.filter(|fault| fault.index == lane).unwrap_or(Fault { kind: FaultKind::DivisionByZero, index: lane })
    }

    /// Notes that `lanes` used these indexes of an array of `len` elements.
    #[cold]
    #[inline(never)]
    fn note_indexes(&self, lanes: u64, indexes: &[i128; MAX_LANES], len: usize) {
        let new = lanes & !self.lanes.get();
        self.lanes.set(self.lanes.get() | lanes);
        let lane = new.trailing_zeros() as usize;
        if let Some(index) = indexes.get(lane) {
            let kind = FaultKind::IndexOutOfRange { index: *index, len };
            if self.panics {
                fault_panic(kind);
            }
            if self.index.get().is_none_or(|known| lane < known.index) {
                self.index.set(Some(Fault { kind, index: lane }));
            }
        }
    }
}

/// The context that every lane function of generated code takes first.
#[derive(Clone, Copy)]
pub struct Cx<'a, I: Isa> {
    /// Proof of the level.
    pub isa: I,
    /// Lanes whose control flow is here. The others compute too, but their values are discarded and they cause no fault.
    active: V<bool, I>,
    pub(crate) fault: &'a FaultCell,
    /// Where several threads work on one item of a block kernel: which of them this is.
    pub(crate) member: Option<Member<'a>>,
    /// Whether later gangs lie in front of earlier ones.
    turned: bool,
    /// 0 where what is written once can go past the caches, else 1.
    pub(crate) cached: usize,
}

impl<'a, I: Isa> Cx<'a, I> {
    /// A context with all lanes active.
    #[inline(always)]
    pub fn new(isa: I, fault: &'a FaultCell) -> Self {
        Self { isa, active: <bool as DtypeLanes>::splat(isa, true), fault, member: None, turned: false, cached: 1 }
    }

    /// The context of one of several threads on an item.
    #[inline(always)]
    pub(crate) fn of_member(self, member: Option<Member<'a>>) -> Self {
        Self { member, ..self }
    }

    /// The context of a loop that writes past the caches, or not.
    #[inline(always)]
    pub(crate) fn storing(self, cached: usize) -> Self {
        Self { cached, ..self }
    }

    /// The context of a loop whose later gangs lie in front of earlier ones, or not.
    #[inline(always)]
    pub(crate) fn turned(self, turned: bool) -> Self {
        Self { turned, ..self }
    }

    /// Bytes to what later gangs come to, if it is that many where they lie behind earlier ones.
    #[inline(always)]
    pub(crate) fn later(self, ahead: isize) -> isize {
        if self.turned { ahead.wrapping_neg() } else { ahead }
    }

    /// The lanes active here where `c` holds: the left side of an `if`.
    #[inline(always)]
    pub fn and(self, c: Varying<bool, I>) -> Self {
        Self { active: <bool as LogicLanes>::and(self.isa, self.active, c.0), ..self }
    }

    /// The lanes active here where `c` does not hold: the `else` side.
    #[inline(always)]
    pub fn and_not(self, c: Varying<bool, I>) -> Self {
        self.and(Varying(<bool as LogicLanes>::not(self.isa, c.0)))
    }

    /// The context of what is computed once for all lanes. Nothing there is a fault.
    #[inline(always)]
    pub fn scalar(self) -> Cx<'a, Scalar> {
        Cx::new(Scalar, self.fault)
    }

    /// In debug mode: in a function of this file.
    #[inline(always)]
    pub fn in_file(self, file: &'static str) -> Self {
        Self { isa: self.isa.in_file(file), ..self }
    }

    /// In debug mode: for the operation in this line of the file.
    #[inline(always)]
    pub fn at(self, line: u32) -> Self {
        Self { isa: self.isa.at(line), ..self }
    }

    /// In debug mode: for what an operation is made of.
    #[inline(always)]
    pub(crate) fn within(self) -> Self {
        self.at(0)
    }

    /// Notes an index beyond an array of the kernel's own, of some lane.
    #[inline(always)]
    pub(crate) fn note_own(self, index: u64, len: u64) {
        if <I as Registers>::CHECKED {
            self.find(FaultKind::IndexOutOfRange { index: i128::from(index as i64), len: len as usize });
        }
        self.fault.note_own(index, len);
    }

    /// Ends a run in debug mode with a fault.
    fn find(self, kind: FaultKind) -> ! {
        find(Finding::Fault(kind), self.isa.place())
    }

    /// The lanes with a fault, as bits.
    #[inline(always)]
    pub(crate) fn faulty(self) -> u64 {
        self.fault.faulty()
    }

    /// How many iterations to run before the next question whether to stop: whole gangs.
    #[inline(always)]
    pub(crate) fn patience(self) -> u64 {
        if self.fault.poll.is_none() && self.member.is_none() { u64::MAX } else { self.fault.patience.get() }
    }

    /// Asks whether to stop, after so many more iterations.
    #[inline(always)]
    pub(crate) fn poll(self, iterations: u64) {
        if self.fault.poll.is_some() || self.member.is_some() {
            self.fault.worked(iterations, self.member);
        }
    }

    /// Whether there was a fault.
    #[inline(always)]
    pub fn failed(self) -> bool {
        self.fault.failed()
    }

    /// The active lanes.
    #[inline(always)]
    pub fn active(self) -> Varying<bool, I> {
        Varying(self.active)
    }

    /// The active lanes as bits.
    #[inline(always)]
    pub(crate) fn active_bits(self) -> u64 {
        let (isa, active) = (self.isa, self.active);
        isa.apart(
            #[inline(always)]
            move || isa.bitmask(active),
        )
    }

    /// How many lanes there are up to the last active one.
    #[inline(always)]
    pub(crate) fn active_count(self) -> u64 {
        u64::from(u64::BITS - self.active_bits().leading_zeros())
    }

    /// Of these lanes, the first `count`.
    #[inline(always)]
    pub(crate) fn first(self, count: u64) -> Self {
        let (isa, active) = (self.isa, self.active);
        let active = isa.apart(
            #[inline(always)]
            move || {
                let lane = crate::block::lane_numbers(isa);
                let count = if count > 64 { 64 } else { count as u32 };
                let first = <u32 as DtypeLanes>::less(isa, lane, <u32 as DtypeLanes>::splat(isa, count));
                <bool as LogicLanes>::and(isa, active, first)
            },
        );
        Self { active, ..self }
    }

    /// No lane.
    #[inline(always)]
    pub fn none(self) -> Varying<bool, I> {
        Varying(<bool as DtypeLanes>::splat(self.isa, false))
    }

    /// These lanes, which were active somewhere around.
    #[inline(always)]
    pub fn with(self, lanes: Varying<bool, I>) -> Self {
        Self { active: lanes.0, ..self }
    }

    /// `lanes` without the active ones.
    #[inline(always)]
    pub fn leave(self, lanes: Varying<bool, I>) -> Varying<bool, I> {
        Varying(<bool as LogicLanes>::and(self.isa, lanes.0, <bool as LogicLanes>::not(self.isa, self.active)))
    }

    /// `lanes` and the active ones.
    #[inline(always)]
    pub fn join(self, lanes: Varying<bool, I>) -> Varying<bool, I> {
        Varying(<bool as LogicLanes>::or(self.isa, lanes.0, self.active))
    }

    /// `b` with 1 in the place of each 0, after noting a fault for active lanes that hold 0.
    #[inline(always)]
    pub(crate) fn check_divisor<T: Int>(self, b: V<T, I>) -> V<T, I> {
        let zero = T::equal(self.isa, b, T::splat(self.isa, <T as Num>::ZERO.widen()));
        let lanes = self.isa.bitmask(<bool as LogicLanes>::and(self.isa, zero, self.active));
        if <I as Registers>::CHECKED && lanes != 0 {
            self.find(FaultKind::DivisionByZero);
        }
        if <I as Registers>::LANES == 1 && lanes != 0 && self.fault.panics {
            fault_panic(FaultKind::DivisionByZero);
        }
        self.fault.lanes.set(self.fault.lanes.get() | lanes);
        T::select(self.isa, zero, T::splat(self.isa, <T as Num>::ONE.widen()), b)
    }
}

/// Asks the host, or the crew, whether to stop.
#[cold]
#[inline(never)]
fn ask(fault: &FaultCell, member: Option<Member<'_>>) {
    let answer = fault.poll.map_or(Answer::Same, |poll| poll());
    let patience = fault.patience.get();
    match answer {
        Answer::Sooner => fault.patience.set((patience / 2).max(LEAST)),
        Answer::Later => fault.patience.set((patience * 2).min(MOST)),
        Answer::Same | Answer::Stop => {}
    }
    let stop = answer == Answer::Stop;
    match member {
        Some(member) if stop => member.crew.stop(),
        Some(member) if member.crew.is_stopped() => {}
        _ if stop => {}
        _ => return,
    }
    fault.stop();
}

impl<I: Isa> Cx<'_, I> {
    /// `i` with 0 in the place of each index that is not below `len`, after noting a fault for active lanes that hold one.
    #[inline(always)]
    pub(crate) fn check_index<U: Int>(self, i: V<U, I>, len: usize) -> V<U, I> {
        let zero = U::splat(self.isa, <U as Num>::ZERO.widen());
        let below = U::less(self.isa, i, zero);
        // A type that cannot hold the length has no index beyond it.
        let beyond = match i128::try_from(len) {
            Ok(len) if len < 1 << (U::BITS - u32::from(U::SIGNED)) => {
                U::less_equal(self.isa, U::splat(self.isa, U::from_int_literal(len)), i)
            }
            _ => <bool as DtypeLanes>::splat(self.isa, false),
        };
        let outside = <bool as LogicLanes>::or(self.isa, below, beyond);
        let lanes = self.isa.bitmask(<bool as LogicLanes>::and(self.isa, outside, self.active));
        if lanes != 0 {
            let indexes = index_values::<U, I>(self.isa, i);
            if <I as Registers>::CHECKED {
                self.find(FaultKind::IndexOutOfRange { index: indexes[0], len });
            }
            self.fault.note_indexes(lanes, &indexes, len);
        }
        U::select(self.isa, outside, zero, i)
    }

    /// The checked index of each lane, 0 in the place of one beyond the end.
    #[inline(always)]
    pub(crate) fn lane_indexes<U: Int>(self, i: V<U, I>, len: usize) -> [usize; MAX_LANES] {
        let lanes = values::<U, I>(self.isa, self.check_index::<U>(i, len));
        let mut at = [0; MAX_LANES];
        let mut k = 0;
        while k < <I as Registers>::LANES {
            at[k] = U::to_u64(Scalar, lanes[k].widen()) as usize;
            k += 1;
        }
        at
    }

    /// An index that is the same for all lanes; `None`, with a fault for the active lanes, if it is not below `len`.
    #[inline(always)]
    pub(crate) fn check_uniform_index<U: Int>(self, i: V<U, Scalar>, len: usize) -> Option<usize> {
        // A negative index becomes a huge one.
        let at = U::to_u64(Scalar, i);
        if at < len as u64 {
            return Some(at as usize);
        }
        self.fault.note_uniform(self.active_bits(), at, U::SIGNED, len);
        None
    }
}

/// The value in each lane.
#[inline(always)]
fn index_values<U: Int, I: Isa>(isa: I, i: V<U, I>) -> [i128; MAX_LANES] {
    let lanes = values::<U, I>(isa, i);
    let mut values = [0; MAX_LANES];
    let mut k = 0;
    while k < <I as Registers>::LANES {
        let bits = U::to_u64(Scalar, lanes[k].widen());
        values[k] = if U::SIGNED { i128::from(bits as i64) } else { i128::from(bits) };
        k += 1;
    }
    values
}

/// The value in each lane.
#[inline(always)]
fn values<U: Int, I: Isa>(isa: I, i: V<U, I>) -> [U; MAX_LANES] {
    const { assert!(<I as Registers>::LANES <= MAX_LANES) };
    let mut lanes = [U::default(); MAX_LANES];
    // SAFETY: the array holds the lanes of any level.
    unsafe { U::store(isa, lanes.as_mut_ptr(), i) };
    lanes
}

#[cold]
fn fault_panic(kind: FaultKind) -> ! {
    panic!("{kind}")
}

/// Memory that a call needs besides its operands, and that there is not. It unwinds, past code that knows nothing of it, to whoever runs kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMemory {
    /// The operand that it was for.
    pub operand: usize,
    /// How many bytes, or `usize::MAX` where they cannot be counted.
    pub bytes: usize,
    /// What for.
    pub why: &'static str,
}

impl NoMemory {
    /// Ends the call.
    #[cold]
    pub fn raise(self) -> ! {
        // Not a panic: no hook prints a message.
        std::panic::resume_unwind(Box::new(self))
    }
}
