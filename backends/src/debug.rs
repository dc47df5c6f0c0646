//! Debug mode: kernels run as checked code, element by element on the calling thread, and end with the first thing that is wrong.
//!
//! ```
//! use lanecraft_backends::debug::{self, Settings};
//!
//! let checked = debug::with(Settings::default(), || debug::active().map(|active| active.is_some())); // `|| gelu::map(&x, &mut y)`
//! assert_eq!(checked, Ok(true));
//! ```

pub use lanecraft_core::debug::arithmetic::Operation;
pub use lanecraft_core::debug::{ElementOf, Finding, Iteration, Place, Report, Settings, print_by};

use std::cell::Cell;
use std::fmt;
use std::sync::OnceLock;

/// The environment variable that turns debug mode on for the whole process.
const DEBUG: &str = "LANECRAFT_DEBUG";

/// Elements of a part of a call, between two questions whether to stop.
pub(crate) const CHUNK: usize = 1 << 10;

thread_local! {
    static MODE: Cell<Option<Settings>> = const { Cell::new(None) };
}

/// Runs `f`; kernels that it calls on this thread run in debug mode.
pub fn with<R>(settings: Settings, f: impl FnOnce() -> R) -> R {
    /// Puts back what was there, whether `f` returns or panics.
    struct Restore(Option<Settings>);
    impl Drop for Restore {
        fn drop(&mut self) {
            MODE.set(self.0);
        }
    }
    let _restore = Restore(MODE.replace(Some(settings)));
    f()
}

/// Whether kernels of this thread run in debug mode: inside of [`with`], or because the environment says so (`LANECRAFT_DEBUG=1`, or `nan`
/// for [`Settings::nan`] too).
///
/// # Errors
/// Another value of `LANECRAFT_DEBUG`; or a build that cannot do it: without Cargo feature `debug`, or with `panic = "abort"`.
pub fn active() -> Result<Option<Settings>, DebugError> {
    match MODE.get() {
        Some(settings) => possible(settings),
        None => of_environment(),
    }
}

fn of_environment() -> Result<Option<Settings>, DebugError> {
    static MODE: OnceLock<Result<Option<Settings>, DebugError>> = OnceLock::new();
    match MODE.get_or_init(|| parse(std::env::var_os(DEBUG).map(|value| value.to_string_lossy().into_owned()).as_deref())) {
        Ok(settings) => Ok(*settings),
        Err(error) => Err(error.clone()),
    }
}

/// What a value of the environment variable means; empty is unset.
pub(crate) fn parse(value: Option<&str>) -> Result<Option<Settings>, DebugError> {
    match value {
        None | Some("" | "0") => Ok(None),
        Some("1") => possible(Settings::default()),
        Some("nan") => possible(Settings { nan: true, ..Settings::default() }),
        Some(other) => Err(DebugError(format!("environment variable {DEBUG} is `{other}`; the valid values are 0, 1 and nan"))),
    }
}

fn possible(settings: Settings) -> Result<Option<Settings>, DebugError> {
    if !cfg!(feature = "debug") {
        return Err(DebugError("debug mode is not in this build; turn on Cargo feature `debug` of `lanecraft`".to_owned()));
    }
    if cfg!(panic = "abort") {
        return Err(DebugError("debug mode is not in a build with `panic = \"abort\"`; set it to \"unwind\"".to_owned()));
    }
    Ok(Some(settings))
}

/// Debug mode is asked for in a way that there is not, or in a build that lacks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugError(String);

impl fmt::Display for DebugError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DebugError {}
