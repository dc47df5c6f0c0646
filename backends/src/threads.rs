//! A long strip split over threads.
//!
//! The calling thread works on the first part, the threads of a pool on the others. The pool is made at the first long
//! strip, and made anew in a process that was forked, since threads do not survive `fork`. It is found through one atomic
//! pointer: a lock might be held, forever, by a thread that `fork` left behind.

use crate::error::RunError;
use rayon::ThreadPool;
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

/// Strips up to this length stay on the calling thread.
pub(crate) const MIN_ELEMENTS: usize = 1 << 20;

/// The environment variable that sets the number of threads.
const THREADS: &str = "LANECRAFT_THREADS";

/// Threads that share the work of a strip.
pub(crate) struct Team {
    process: u32,
    /// Threads that work, the calling one included.
    threads: usize,
    /// The others; none where there is one thread, or where the system gave no more.
    pool: Option<ThreadPool>,
}

impl Team {
    fn new(threads: usize) -> Self {
        let pool = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads - 1).thread_name(|k| format!("lanecraft-{k}")).build().ok())
            .flatten();
        Self { process: std::process::id(), threads, pool }
    }

    /// A team of a given size, for tests.
    #[cfg(test)]
    pub(crate) fn of(threads: usize) -> Self {
        Self::new(threads)
    }
}

/// `LANECRAFT_THREADS` holds no number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadsError {
    value: String,
}

impl fmt::Display for ThreadsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "environment variable {THREADS} is `{}`; the valid values are whole numbers from 1 on", self.value)
    }
}

impl std::error::Error for ThreadsError {}

/// The team of this process, if it has more than one thread.
pub(crate) fn team() -> Result<Option<&'static Team>, ThreadsError> {
    static TEAM: AtomicPtr<Team> = AtomicPtr::new(std::ptr::null_mut());
    let found = TEAM.load(Ordering::Acquire);
    // SAFETY: null, or a team that is never freed.
    let team = match unsafe { found.as_ref() } {
        Some(team) if team.process == std::process::id() => team,
        _ => {
            let variable = |name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
            let threads = thread_count(variable(THREADS).as_deref(), variable("OMP_NUM_THREADS").as_deref())?;
            let made = Box::into_raw(Box::new(Team::new(threads)));
            // A team of the process that this one was forked from is left as it is: its threads are not here to be ended.
            match TEAM.compare_exchange(found, made, Ordering::AcqRel, Ordering::Acquire) {
                // SAFETY: just made, and never freed from here on.
                Ok(_) => unsafe { &*made },
                Err(other) => {
                    // Another thread of this process was faster.
                    // SAFETY: `made` was never shared; `other` is never freed.
                    unsafe {
                        drop(Box::from_raw(made));
                        &*other
                    }
                }
            }
        }
    };
    Ok(team.pool.is_some().then_some(team))
}

/// How many threads work on a strip, given the two environment variables.
pub(crate) fn thread_count(own: Option<&str>, openmp: Option<&str>) -> Result<usize, ThreadsError> {
    let positive = |text: &str| text.trim().parse().ok().filter(|count| *count > 0_usize);
    if let Some(value) = own.filter(|value| !value.is_empty()) {
        return positive(value).ok_or_else(|| ThreadsError { value: value.to_owned() });
    }
    // A list of numbers is for nested parallel regions; the first one counts here. What is malformed is not ours to report.
    let openmp = openmp.and_then(|value| positive(value.split(',').next().unwrap_or_default()));
    Ok(openmp.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)))
}

impl Team {
    /// Threads that work, the calling one included.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Calls `run` with each number below the number of threads, all at the same time, 0 on the calling thread.
    pub(crate) fn together(&self, run: &(dyn Fn(usize) + Sync)) {
        match &self.pool {
            Some(pool) => pool.in_place_scope(|scope| {
                for k in 1..self.threads {
                    scope.spawn(move |_| run(k));
                }
                run(0);
            }),
            None => (0..self.threads).for_each(run),
        }
    }
}

/// Runs `part(start, count)` over `0..n`, cut into one part per thread, each but the last a multiple of `grain`. Of several
/// errors, the one of the lowest part comes back, whatever the threads' timing.
pub(crate) fn split<E>(team: &Team, n: usize, grain: usize, part: &(dyn Fn(usize, usize) -> Result<(), E> + Sync)) -> Result<(), RunError>
where
    RunError: From<E>,
{
    let length = n.div_ceil(team.threads).next_multiple_of(grain);
    let lowest: Mutex<Option<(usize, RunError)>> = Mutex::new(None);
    let run = |start: usize| {
        if let Err(error) = caught(|| part(start, length.min(n - start))) {
            let mut lowest = lowest.lock().unwrap_or_else(PoisonError::into_inner);
            if lowest.as_ref().is_none_or(|(other, _)| start < *other) {
                *lowest = Some((start, error));
            }
        }
    };
    match &team.pool {
        Some(pool) => pool.in_place_scope(|scope| {
            let run = &run;
            for start in (length..n).step_by(length) {
                scope.spawn(move |_| run(start));
            }
            run(0);
        }),
        None => (0..n).step_by(length).for_each(run),
    }
    lowest.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), |(_, error)| Err(error))
}

/// `f()`, a panic as an error value.
#[inline]
pub(crate) fn caught<E>(f: impl FnOnce() -> Result<(), E>) -> Result<(), RunError>
where
    RunError: From<E>,
{
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(result) => result.map_err(RunError::from),
        Err(payload) => Err(RunError::Panic(message(&*payload))),
    }
}

#[cold]
fn message(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}
