//! Several threads on one item: where they meet.

use super::variant::BlockFault;
use crate::error::RunError;
use crate::threads::{Team, caught};
use lanecraft_core::block::{Crew, ItemFault, Member};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};

/// Turns of a loop that waits before it lets others run.
const SPINS: u32 = 200;

/// The threads on one item.
struct Meeting {
    threads: usize,
    /// How many wait.
    waiting: AtomicUsize,
    /// How many meetings there were.
    round: AtomicUsize,
    /// Whether any has failed, once and for all.
    failed: AtomicBool,
    /// What was known of that at the last meeting and at the one before: the same for all, however late they look. Nobody is two meetings ahead.
    agreed: [AtomicBool; 2],
    /// Whether all are to stop.
    stopped: AtomicBool,
    /// Whether one has panicked, and will not come.
    panicked: AtomicBool,
    published: Vec<AtomicPtr<()>>,
}

impl Meeting {
    fn new(threads: usize) -> Self {
        Self {
            threads,
            waiting: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
            agreed: [const { AtomicBool::new(false) }; 2],
            stopped: AtomicBool::new(false),
            panicked: AtomicBool::new(false),
            published: (0..threads).map(|_| AtomicPtr::new(ptr::null_mut())).collect(),
        }
    }
}

impl Crew for Meeting {
    fn count(&self) -> u64 {
        self.threads as u64
    }

    fn meet(&self, failed: bool) -> bool {
        if failed {
            self.failed.store(true, Ordering::Relaxed);
        }
        let round = self.round.load(Ordering::Acquire);
        let agreed = &self.agreed[round % 2];
        if self.waiting.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            agreed.store(self.failed.load(Ordering::Relaxed), Ordering::Relaxed);
            self.waiting.store(0, Ordering::Relaxed);
            self.round.store(round.wrapping_add(1), Ordering::Release);
        } else {
            let mut spins = 0;
            while self.round.load(Ordering::Acquire) == round && !self.panicked.load(Ordering::Acquire) {
                spins += 1;
                if spins < SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
            }
        }
        agreed.load(Ordering::Relaxed) || self.panicked.load(Ordering::Acquire)
    }

    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn publish(&self, member: u64, at: *const ()) {
        self.published[member as usize].store(at.cast_mut(), Ordering::Release);
    }

    fn published(&self, member: u64) -> *const () {
        if self.panicked.load(Ordering::Acquire) {
            return ptr::null();
        }
        self.published[member as usize].load(Ordering::Acquire)
    }
}

/// Calls `each` as every member of a crew of the team's threads. `None`, without a call, where another crew is at work: its members need the
/// threads all at once.
pub(super) fn run(team: Team, each: &(dyn Fn(Member<'_>) -> Result<(), BlockFault> + Sync)) -> Option<Result<(), RunError>> {
    static AT_WORK: Mutex<()> = Mutex::new(());
    let _at_work = match AT_WORK.try_lock() {
        Ok(guard) => guard,
        Err(TryLockError::Poisoned(guard)) => guard.into_inner(),
        Err(TryLockError::WouldBlock) => return None,
    };
    let meeting = Meeting::new(team.threads());
    let errors: Mutex<Vec<(usize, RunError)>> = Mutex::new(Vec::new());
    team.together(&|k| {
        let done = caught(|| each(Member { crew: &meeting, index: k as u64 }));
        if let Err(error) = done {
            if matches!(error, RunError::Panic(_)) {
                meeting.panicked.store(true, Ordering::Release);
            }
            errors.lock().unwrap_or_else(PoisonError::into_inner).push((k, error));
        }
    });
    let errors = errors.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The item's first fault is that of the lowest member; an index out of range counts before a division, as on one thread.
    let rank = |error: &RunError| match error {
        RunError::Panic(_) => 0,
        RunError::Item(BlockFault { fault: ItemFault::OutOfRange(_), .. }) => 1,
        RunError::Item(BlockFault { fault: ItemFault::Elsewhere, .. }) => 3,
        _ => 2,
    };
    let first = errors.into_iter().min_by_key(|(k, error)| (rank(error), *k));
    Some(first.map_or(Ok(()), |(_, error)| Err(error)))
}
