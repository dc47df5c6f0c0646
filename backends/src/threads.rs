//! Long work split over threads.
//!
//! The calling thread works too, beside the threads of a pool. The pool is made at the first long call, made larger when a call asks for
//! more threads, and made anew in a process that was forked, since threads do not survive `fork`. It is found through one atomic
//! pointer: a lock might be held, forever, by a thread that `fork` left behind.

use crate::debug::Report;
use crate::error::RunError;
use crate::interrupt;
use lanecraft_core::{Answer, NoMemory};
use rayon::ThreadPool;
use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Strips up to this length stay on the calling thread.
pub(crate) const MIN_ELEMENTS: usize = 1 << 20;

/// The environment variable that sets the number of threads.
const THREADS: &str = "LANECRAFT_THREADS";

thread_local! {
    /// How many threads calls of this thread may use; 0 where that is left to the environment.
    static ASKED_FOR: Cell<usize> = const { Cell::new(0) };
}

/// Runs `f`; kernels that it calls use up to so many threads, the calling one included, whatever the environment says.
///
/// Short calls stay on one thread all the same. The values do not depend on it.
///
/// ```
/// # use lanecraft_backends::with_threads;
/// let sum: i32 = with_threads(2, || [1, 2, 3].iter().sum()); // `with_threads(2, || softmax::run(&x, &mut y))`
/// # assert_eq!(sum, 6);
/// ```
///
/// # Panics
/// If `threads` is 0.
pub fn with_threads<R>(threads: usize, f: impl FnOnce() -> R) -> R {
    /// Puts back what was there, whether `f` returns or panics.
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            ASKED_FOR.set(self.0);
        }
    }
    assert!(threads > 0, "a call needs a thread at least");
    let _restore = Restore(ASKED_FOR.replace(threads.min(MOST)));
    f()
}

/// Of more threads than this, a call gets so many: systems give some ten thousand at most, and take long for that.
const MOST: usize = 1024;

/// The threads of a process.
struct Pool {
    process: u32,
    /// Threads that can work together, the calling one included.
    threads: usize,
    /// The others; none where the system gave no more.
    pool: Option<ThreadPool>,
}

impl Pool {
    fn new(threads: usize) -> Self {
        let build = || rayon::ThreadPoolBuilder::new().num_threads(threads - 1).thread_name(|k| format!("lanecraft-{k}")).build();
        Self { process: std::process::id(), threads, pool: build().ok() }
    }
}

/// Threads that share the work of a call.
#[derive(Clone, Copy)]
pub(crate) struct Team {
    /// Threads that work, the calling one included.
    threads: usize,
    /// Where the others are.
    pool: &'static ThreadPool,
}

impl Team {
    /// A team of a given size, more than one, for tests.
    #[cfg(test)]
    pub(crate) fn of(threads: usize) -> Option<Self> {
        let pool = Box::leak(Box::new(Pool::new(threads.max(2))));
        pool.pool.as_ref().filter(|_| threads > 1).map(|pool| Self { threads, pool })
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

/// The team of a call, if it has more than one thread.
pub(crate) fn team() -> Result<Option<Team>, ThreadsError> {
    let threads = match ASKED_FOR.get() {
        0 => default_count()?,
        threads => threads,
    };
    if threads == 1 {
        return Ok(None);
    }
    let pool = pool(threads);
    Ok(pool.pool.as_ref().map(|pool| Team { threads, pool }))
}

/// How many threads a call has that does not say.
fn default_count() -> Result<usize, ThreadsError> {
    /// 0 before the environment was asked.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let known = COUNT.load(Ordering::Relaxed);
    if known > 0 {
        return Ok(known);
    }
    let variable = |name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let count = thread_count(variable(THREADS).as_deref(), variable("OMP_NUM_THREADS").as_deref())?;
    COUNT.store(count, Ordering::Relaxed);
    Ok(count)
}

/// The pool of this process, for so many threads at least.
fn pool(threads: usize) -> &'static Pool {
    static POOL: AtomicPtr<Pool> = AtomicPtr::new(std::ptr::null_mut());
    loop {
        let found = POOL.load(Ordering::Acquire);
        // SAFETY: null, or a pool that is never freed.
        match unsafe { found.as_ref() } {
            Some(pool) if pool.process == std::process::id() && pool.threads >= threads => return pool,
            _ => {}
        }
        // Who asks for one thread more each time shall not get a pool each time.
        let size = if found.is_null() { threads } else { threads.next_power_of_two() };
        let made = Box::into_raw(Box::new(Pool::new(size)));
        // A smaller pool may be at work, and one of the process that this one was forked from has no threads here to be ended: both are left
        // as they are.
        match POOL.compare_exchange(found, made, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: just made, and never freed from here on.
            Ok(_) => return unsafe { &*made },
            // Another thread of this process was faster.
            // SAFETY: `made` was never shared.
            Err(_) => drop(unsafe { Box::from_raw(made) }),
        }
    }
}

/// How many threads work on a strip, given the two environment variables.
pub(crate) fn thread_count(own: Option<&str>, openmp: Option<&str>) -> Result<usize, ThreadsError> {
    let positive = |text: &str| text.trim().parse::<usize>().ok().filter(|count| *count > 0);
    if let Some(value) = own.filter(|value| !value.is_empty()) {
        return positive(value).map(|count| count.min(MOST)).ok_or_else(|| ThreadsError { value: value.to_owned() });
    }
    // A list of numbers is for nested parallel regions; the first one counts here. What is malformed is not ours to report.
    let openmp = openmp.and_then(|value| positive(value.split(',').next().unwrap_or_default()));
    Ok(openmp.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).min(MOST))
}

impl Team {
    /// Threads that work, the calling one included.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Calls `run` with each number below the number of threads, all at the same time, 0 on the calling thread.
    pub(crate) fn together(&self, run: &(dyn Fn(usize) + Sync)) {
        self.pool.in_place_scope(|scope| {
            for k in 1..self.threads {
                scope.spawn(move |_| run(k));
            }
            run(0);
        });
    }
}

/// How many chunks a part has at most on a single thread.
const CHUNKS: usize = 8;

/// Runs `part(start, count)` over `0..n`, in parts of `chunk`, on the calling thread and on those of a team. Of several errors, the one of the
/// lowest part comes back, whatever the threads' timing. Between its parts the calling thread asks whether to stop. Alone it takes larger parts where
/// they are quick: that much less often it leaves the kernel's loop, which costs quick kernels some percent.
pub(crate) fn split<E>(
    team: Option<Team>,
    n: usize,
    chunk: usize,
    part: &(dyn Fn(usize, usize) -> Result<(), E> + Sync),
) -> Result<(), RunError>
where
    RunError: From<E>,
{
    // A part counts as a chunk of work, whatever its elements are.
    let stopped = interrupt::is_due(n.min(interrupt::CHUNK));
    if stopped || n <= chunk {
        let done = if stopped { Ok(()) } else { caught(|| part(0, n)) };
        return if interrupt::was_stopped() { Err(RunError::Interrupted) } else { done };
    }
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let lowest: Mutex<Option<(usize, RunError)>> = Mutex::new(None);
    let work = |is_caller: bool| {
        let mut size = chunk;
        // Parts are taken in order: when one fails, those before it have been taken, and will be done.
        while !stop.load(Ordering::Relaxed) {
            let start = next.fetch_add(size, Ordering::Relaxed);
            if start >= n {
                break;
            }
            let mut done = caught(|| part(start, size.min(n - start)));
            if done.is_ok() && is_caller {
                match interrupt::poll().map_or(Answer::Later, |look| look()) {
                    Answer::Stop => done = Err(RunError::Interrupted),
                    Answer::Later if team.is_none() => size = (2 * size).min(CHUNKS * chunk),
                    Answer::Sooner => size = (size / 2).max(chunk),
                    Answer::Later | Answer::Same => {}
                }
            }
            if let Err(error) = done {
                stop.store(true, Ordering::Relaxed);
                let mut lowest = lowest.lock().unwrap_or_else(PoisonError::into_inner);
                if lowest.as_ref().is_none_or(|(other, _)| start < *other) {
                    *lowest = Some((start, error));
                }
            }
        }
    };
    match team {
        Some(team) => team.together(&|k| work(k == 0)),
        None => work(true),
    }
    if interrupt::was_stopped() {
        return Err(RunError::Interrupted);
    }
    lowest.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), |(_, error)| Err(error))
}

/// `f()`, a panic as an error value, and so what debug mode found, and that there is no memory.
#[inline]
pub(crate) fn caught<E>(f: impl FnOnce() -> Result<(), E>) -> Result<(), RunError>
where
    RunError: From<E>,
{
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(result) => result.map_err(RunError::from),
        Err(payload) => Err(match payload.downcast::<Report>() {
            Ok(report) => RunError::Found(report),
            Err(payload) => match payload.downcast_ref::<NoMemory>() {
                Some(lacking) => RunError::Memory(*lacking),
                None => RunError::Panic(message(&*payload)),
            },
        }),
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
