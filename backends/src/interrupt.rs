//! Stopping a long call: whoever hosts the kernels (Python) is asked now and then, on the thread that called.

use lanecraft_core::Answer;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Elements of work between two looks at the clock.
pub(crate) const CHUNK: usize = 1 << 15;

/// How often the host is asked, at most: asking Python takes its lock.
const PERIOD: Duration = Duration::from_millis(30);
const MILLISECOND: Duration = Duration::from_millis(1);

thread_local! {
    /// Whom to ask whether to stop.
    static ASK: Cell<Option<fn() -> bool>> = const { Cell::new(None) };
    /// Elements since the last look at the clock.
    static WORK: Cell<usize> = const { Cell::new(0) };
    /// When the host was asked last.
    static ASKED: Cell<Option<Instant>> = const { Cell::new(None) };
    /// When that was asked last by parts of a call or a kernel's own loops.
    static LOOKED: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Whether the host has said to stop.
    static STOPPED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f`; kernels that it calls ask now and then, on this thread, whether to stop, and then end with
/// [`RunError::Interrupted`](crate::RunError::Interrupted).
pub fn interruptible<R>(ask: fn() -> bool, f: impl FnOnce() -> R) -> R {
    /// Puts back what was there, whether `f` returns or panics.
    struct Restore(Option<fn() -> bool>);
    impl Drop for Restore {
        fn drop(&mut self) {
            ASK.set(self.0);
        }
    }
    let _restore = Restore(ASK.replace(Some(ask)));
    f()
}

/// Whether to stop, after some more elements of work.
pub(crate) fn is_due(work: usize) -> bool {
    if ASK.get().is_none() {
        return false;
    }
    let done = WORK.get().saturating_add(work);
    if done < CHUNK {
        WORK.set(done);
        return false;
    }
    WORK.set(0);
    is_due_at(Instant::now())
}

fn is_due_at(now: Instant) -> bool {
    let Some(ask) = ASK.get() else { return false };
    match ASKED.get() {
        Some(last) if now.duration_since(last) < PERIOD => return false,
        // Before the first call there was nothing to stop.
        None => {
            ASKED.set(Some(now));
            return false;
        }
        Some(_) => ASKED.set(Some(now)),
    }
    let stop = ask();
    STOPPED.set(STOPPED.get() || stop);
    stop
}

/// What is asked between parts of a call, and by a kernel's own loops every millisecond or so; `None` where there is nobody to ask.
pub(crate) fn poll() -> Option<fn() -> Answer> {
    ASK.get().map(|_| look as fn() -> Answer)
}

fn look() -> Answer {
    let now = Instant::now();
    let since = LOOKED.replace(Some(now)).map(|last| now.duration_since(last));
    if is_due_at(now) {
        return Answer::Stop;
    }
    match since {
        Some(time) if time > 8 * MILLISECOND => Answer::Sooner,
        Some(time) if time < MILLISECOND => Answer::Later,
        _ => Answer::Same,
    }
}

/// Whether the host has said to stop since this was asked last.
pub(crate) fn was_stopped() -> bool {
    STOPPED.replace(false)
}
