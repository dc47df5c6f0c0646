//! What the driver knows, and how each call begins.

use std::alloc::Layout;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub const SUCCESS: c_int = 0;
pub const INVALID_VALUE: c_int = 1;
pub const NOT_INITIALIZED: c_int = 3;
pub const INVALID_DEVICE: c_int = 101;
pub const INVALID_CONTEXT: c_int = 201;
pub const INVALID_PTX: c_int = 218;
pub const UNSUPPORTED_PTX_VERSION: c_int = 222;
pub const INVALID_HANDLE: c_int = 400;
pub const NOT_FOUND: c_int = 500;
pub const UNKNOWN: c_int = 999;

/// How many devices there are.
pub const DEVICES: c_int = 2;

/// A function of a loaded library: its arguments' sizes, and what runs it.
#[derive(Clone, Debug)]
pub struct Function {
    pub module: u64,
    pub name: String,
    pub run: unsafe extern "C" fn(*const *const c_void, u32, u32),
    pub sizes: Vec<usize>,
}

/// A launch that a graph keeps.
#[derive(Clone, Debug)]
pub struct Node {
    pub function: u64,
    pub grid: u32,
    pub block: u32,
    pub arguments: Vec<Vec<u8>>,
}

/// An allocation, aligned as the driver's are, and with whatever lies there.
pub struct Memory {
    at: *mut u8,
    layout: Layout,
}

// SAFETY: memory of its own.
unsafe impl Send for Memory {}

impl Memory {
    pub fn new(bytes: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes, 256).ok()?;
        // SAFETY: the driver refuses 0 bytes before.
        let at = unsafe { std::alloc::alloc(layout) };
        // SAFETY: as many bytes, if there are any.
        (!at.is_null()).then(|| unsafe { at.write_bytes(0xa5, bytes) });
        (!at.is_null()).then_some(Self { at, layout })
    }

    pub fn at(&self) -> u64 {
        self.at as u64
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: allocated in `new`, and written there.
        unsafe { std::slice::from_raw_parts_mut(self.at, self.layout.size()) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated in `new`.
        unsafe { std::alloc::dealloc(self.at, self.layout) };
    }
}

#[derive(Default)]
pub struct State {
    pub log: Vec<String>,
    /// The call that is to fail: its name, and how often it is let through before.
    pub fail: Option<(String, u32)>,
    /// The CUDA version that it says it has.
    pub version: c_int,
    next: u64,
    pub initialized: bool,
    pub retained: BTreeMap<c_int, u32>,
    pub memory: BTreeMap<u64, Memory>,
    /// The host's memory that tests use as the device's, by address: how many bytes.
    pub adopted: BTreeMap<u64, usize>,
    pub streams: BTreeSet<u64>,
    pub events: BTreeSet<u64>,
    pub modules: BTreeMap<u64, u64>,
    pub functions: BTreeMap<u64, Function>,
    pub graphs: BTreeMap<u64, Vec<u64>>,
    pub execs: BTreeMap<u64, Vec<u64>>,
    pub nodes: BTreeMap<u64, Node>,
    pub programs: BTreeMap<u64, (String, Result<String, String>)>,
}

thread_local! {
    /// The contexts that the thread has pushed; the last one is current.
    pub static CONTEXTS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

/// The state, made when it is first asked for.
pub struct Locked(MutexGuard<'static, Option<State>>);

impl std::ops::Deref for Locked {
    type Target = State;
    fn deref(&self) -> &State {
        self.0.as_ref().unwrap_or_else(|| unreachable!("`lock` has made it"))
    }
}

impl std::ops::DerefMut for Locked {
    fn deref_mut(&mut self) -> &mut State {
        self.0.as_mut().unwrap_or_else(|| unreachable!("`lock` has made it"))
    }
}

pub fn lock() -> Locked {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    state.get_or_insert_with(State::new);
    Locked(state)
}

impl State {
    /// Nothing has been called yet.
    pub fn new() -> Self {
        Self { version: 12_040, next: 0x1000, ..Self::default() }
    }

    /// A new handle.
    pub fn handle(&mut self) -> u64 {
        self.next += 0x10;
        self.next
    }
}

/// The context that is current on this thread.
pub fn context() -> Option<u64> {
    CONTEXTS.with_borrow(|contexts| contexts.last().copied())
}

/// How much of the driver a call needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    Init,
    Context,
}

/// Notes a call, and gives the code that it is to fail with, if any.
pub fn begin(name: &str, what: &str, needs: Needs) -> Result<Locked, c_int> {
    let mut state = lock();
    let context = context();
    let current = context.map_or("-".to_owned(), |context| format!("{}", context - 1));
    state.log.push(format!("{name}({what}) on {current}"));
    if let Some((failing, before)) = &mut state.fail
        && failing == name
    {
        if *before == 0 {
            state.fail = None;
            return Err(UNKNOWN);
        }
        *before -= 1;
    }
    match needs {
        Needs::Init | Needs::Context if !state.initialized => Err(NOT_INITIALIZED),
        Needs::Context if context.is_none_or(|context| !state.retained.contains_key(&(context as c_int - 1))) => Err(INVALID_CONTEXT),
        _ => Ok(state),
    }
}

/// The code of a result.
pub fn code(result: Result<(), c_int>) -> c_int {
    result.err().unwrap_or(SUCCESS)
}
