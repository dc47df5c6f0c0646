//! What tests see of the stand-in, and tell it.

use crate::state::{CONTEXTS, State, lock};
use std::ffi::{CStr, c_char, c_int};

/// Forgets everything, what is alive too.
#[unsafe(no_mangle)]
pub extern "C" fn fake_restart() {
    *lock() = State::new();
    CONTEXTS.with_borrow_mut(Vec::clear);
}

/// Forgets what was noted, and lets all calls through. What is alive stays so.
#[unsafe(no_mangle)]
pub extern "C" fn fake_reset() {
    let mut state = lock();
    state.log.clear();
    state.fail = None;
    state.version = 12_040;
}

/// Takes memory of the host for memory of the device.
#[unsafe(no_mangle)]
pub extern "C" fn fake_adopt(at: u64, bytes: usize) {
    lock().adopted.insert(at, bytes);
}

/// Makes the call of a name fail once, after it was let through `before` times.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fake_fail(name: *const c_char, before: u32) {
    // SAFETY: the test's promise: a text that ends with a zero byte.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    lock().fail = Some((name, before));
}

/// Whether the call that was to fail has come.
#[unsafe(no_mangle)]
pub extern "C" fn fake_has_failed() -> bool {
    lock().fail.is_none()
}

/// The CUDA version that the driver says it has, 12040 before: with an older one it refuses the PTX of its NVRTC.
#[unsafe(no_mangle)]
pub extern "C" fn fake_version(version: c_int) {
    lock().version = version;
}

/// Writes the calls so far, one a line; how many bytes that takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fake_log(to: *mut u8, room: usize) -> usize {
    // SAFETY: the test's promise: as much room.
    unsafe { give(&lock().log.join("\n"), to, room) }
}

/// Writes what is alive, `kind count` a line; nothing if all is given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fake_live(to: *mut u8, room: usize) -> usize {
    let state = lock();
    let State { retained, memory, streams, events, modules, graphs, execs, programs, .. } = &*state;
    let contexts: u32 = retained.values().sum();
    let pushed = CONTEXTS.with_borrow(Vec::len);
    let counts = [
        ("contexts", contexts as usize),
        ("pushed", pushed),
        ("memory", memory.len()),
        ("streams", streams.len()),
        ("events", events.len()),
        ("modules", modules.len()),
        ("graphs", graphs.len()),
        ("execs", execs.len()),
        ("programs", programs.len()),
    ];
    let alive: Vec<String> = counts.iter().filter(|(_, n)| *n > 0).map(|(kind, n)| format!("{kind} {n}")).collect();
    // SAFETY: the test's promise: as much room.
    unsafe { give(&alive.join("\n"), to, room) }
}

unsafe fn give(text: &str, to: *mut u8, room: usize) -> usize {
    if text.len() <= room {
        // SAFETY: the caller's promise.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), to, text.len()) };
    }
    text.len()
}
