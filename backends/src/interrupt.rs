//! Stopping a long call: whoever hosts the kernels (Python) is asked now and then, on the thread that called.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Elements of work between two looks at the clock.
pub(crate) const CHUNK: usize = 1 << 15;

/// How often the host is asked, at most: asking Python takes its lock.
const PERIOD: Duration = Duration::from_millis(30);

thread_local! {
    /// Whom to ask whether to stop.
    static ASK: Cell<Option<fn() -> bool>> = const { Cell::new(None) };
    /// Elements since the last look at the clock.
    static WORK: Cell<usize> = const { Cell::new(0) };
    /// When the host was asked last.
    static ASKED: Cell<Option<Instant>> = const { Cell::new(None) };
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
    let Some(ask) = ASK.get() else { return false };
    let done = WORK.get().saturating_add(work);
    if done < CHUNK {
        WORK.set(done);
        return false;
    }
    WORK.set(0);
    let now = Instant::now();
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

/// What a kernel's own loops ask, after a [`CHUNK`] of work; `None` where there is nobody to ask.
pub(crate) fn poll() -> Option<fn() -> bool> {
    ASK.get().map(|_| (|| is_due(CHUNK)) as fn() -> bool)
}

/// Whether the host has said to stop since this was asked last.
pub(crate) fn was_stopped() -> bool {
    STOPPED.replace(false)
}
