//! The driver: devices, contexts, streams, memory, modules, launches.

use crate::state::{
    CONTEXTS, DEVICES, Function, INVALID_CONTEXT, INVALID_DEVICE, INVALID_HANDLE, INVALID_PTX, INVALID_VALUE, Locked, Memory, NOT_FOUND,
    Needs, State, UNSUPPORTED_PTX_VERSION, begin, code, lock,
};
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};

/// An entry point: `driver!(needs; fn name(arguments) "what is noted" => |state| body)`.
macro_rules! driver {
    ($($needs:ident; fn $name:ident($($argument:ident: $t:ty),*) ($($what:tt)*) => |$state:ident| $body:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $t),*) -> c_int {
            #[allow(unused_mut, reason = "some only look")]
            code(begin(stringify!($name), &format!($($what)*), Needs::$needs).and_then(|mut $state: Locked| $body))
        }
    )*};
}

/// Writes an answer.
///
/// # Safety
/// A place for it.
pub unsafe fn answer<T>(to: *mut T, value: T) -> Result<(), c_int> {
    if to.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: the caller's promise.
    unsafe { to.write(value) };
    Ok(())
}

/// Whether a stream may be used: one of ours, or a default one.
pub fn stream_ok(state: &State, stream: u64) -> Result<(), c_int> {
    if stream <= 2 || state.streams.contains(&stream) { Ok(()) } else { Err(INVALID_HANDLE) }
}

/// The bytes of a device's memory, all within one allocation.
fn bytes(state: &mut State, at: u64, count: usize) -> Result<&mut [u8], c_int> {
    if let Some((start, len)) = state.adopted.range(..=at).next_back()
        && (at - start) as usize + count <= *len
    {
        // SAFETY: the test's own memory, which it keeps.
        return Ok(unsafe { std::slice::from_raw_parts_mut(at as *mut u8, count) });
    }
    let (start, memory) = state.memory.range_mut(..=at).next_back().ok_or(INVALID_VALUE)?;
    memory.bytes().get_mut((at - start) as usize..).and_then(|rest| rest.get_mut(..count)).ok_or(INVALID_VALUE)
}

fn set(state: &mut State, at: u64, value: &[u8], count: usize, stream: u64) -> Result<(), c_int> {
    stream_ok(state, stream)?;
    let whole = bytes(state, at, value.len() * count)?;
    whole.chunks_exact_mut(value.len()).for_each(|chunk| chunk.copy_from_slice(value));
    Ok(())
}

driver! {
    Nothing; fn cuInit(flags: c_uint) ("{flags}") => |state| { state.initialized = true; Ok(()) };
    // SAFETY: the caller has a place for the answer, here and below.
    Nothing; fn cuDriverGetVersion(version: *mut c_int) ("") => |state| unsafe { answer(version, state.version) };
    // SAFETY: as above.
    Init; fn cuDeviceGetCount(count: *mut c_int) ("") => |_state| unsafe { answer(count, DEVICES) };
    Init; fn cuDeviceGet(device: *mut c_int, ordinal: c_int) ("{ordinal}") => |_state| match ordinal {
        // SAFETY: as above.
        0..DEVICES => unsafe { answer(device, ordinal) },
        _ => Err(INVALID_DEVICE),
    };
    Init; fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) ("{attribute}, {device}") => |_state| {
        let known = match attribute {
            1 => 1024,            // threads of a block
            5 => i32::MAX,        // blocks of a grid
            75 => 9,              // compute capability
            76 => 0,
            _ => return Err(INVALID_VALUE),
        };
        // SAFETY: as above.
        unsafe { answer(value, known) }
    };
    Init; fn cuDevicePrimaryCtxRetain(context: *mut u64, device: c_int) ("{device}") => |state| {
        *state.retained.entry(device).or_default() += 1;
        // SAFETY: as above.
        unsafe { answer(context, device as u64 + 1) }
    };
    Init; fn cuDevicePrimaryCtxRelease_v2(device: c_int) ("{device}") => |state| {
        let count = state.retained.get_mut(&device).ok_or(INVALID_CONTEXT)?;
        *count -= 1;
        if *count == 0 {
            state.retained.remove(&device);
        }
        Ok(())
    };
    Init; fn cuCtxPushCurrent_v2(context: u64) ("{}", context - 1) => |_state| {
        CONTEXTS.with_borrow_mut(|contexts| contexts.push(context));
        Ok(())
    };
    Init; fn cuCtxPopCurrent_v2(context: *mut u64) ("") => |_state| {
        let popped = CONTEXTS.with_borrow_mut(Vec::pop).ok_or(INVALID_CONTEXT)?;
        // SAFETY: as above.
        unsafe { answer(context, popped) }
    };

    Context; fn cuStreamCreate(stream: *mut u64, flags: c_uint) ("{flags}") => |state| {
        let handle = state.handle();
        state.streams.insert(handle);
        // SAFETY: as above.
        unsafe { answer(stream, handle) }
    };
    Context; fn cuStreamDestroy_v2(stream: u64) ("{stream:#x}") => |state| state.streams.remove(&stream).then_some(()).ok_or(INVALID_HANDLE);
    Context; fn cuStreamSynchronize(stream: u64) ("{stream:#x}") => |state| stream_ok(&state, stream);
    Context; fn cuStreamWaitEvent(stream: u64, event: u64, flags: c_uint) ("{stream:#x}, {flags}") => |state| {
        stream_ok(&state, stream)?;
        state.events.contains(&event).then_some(()).ok_or(INVALID_HANDLE)
    };
    Context; fn cuEventCreate(event: *mut u64, flags: c_uint) ("{flags}") => |state| {
        let handle = state.handle();
        state.events.insert(handle);
        // SAFETY: as above.
        unsafe { answer(event, handle) }
    };
    Context; fn cuEventRecord(event: u64, stream: u64) ("{stream:#x}") => |state| {
        stream_ok(&state, stream)?;
        state.events.contains(&event).then_some(()).ok_or(INVALID_HANDLE)
    };
    Context; fn cuEventDestroy_v2(event: u64) ("") => |state| state.events.remove(&event).then_some(()).ok_or(INVALID_HANDLE);

    Context; fn cuMemAlloc_v2(at: *mut u64, bytes: usize) ("{bytes}") => |state| {
        if bytes == 0 {
            return Err(INVALID_VALUE);
        }
        let memory = Memory::new(bytes).ok_or(INVALID_VALUE)?;
        let start = memory.at();
        state.memory.insert(start, memory);
        // SAFETY: as above.
        unsafe { answer(at, start) }
    };
    Context; fn cuMemFree_v2(at: u64) ("") => |state| state.memory.remove(&at).map(|_| ()).ok_or(INVALID_VALUE);
    Context; fn cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, count: usize, stream: u64) ("{count}, {stream:#x}") => |state| {
        stream_ok(&state, stream)?;
        // SAFETY: the caller's promise.
        let from = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), count) };
        bytes(&mut state, to, count)?.copy_from_slice(from);
        Ok(())
    };
    Context; fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, count: usize, stream: u64) ("{count}, {stream:#x}") => |state| {
        stream_ok(&state, stream)?;
        let from = bytes(&mut state, from, count)?;
        // SAFETY: the caller's promise.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to.cast::<u8>(), count) };
        Ok(())
    };
    Context; fn cuMemsetD8Async(at: u64, value: u8, count: usize, stream: u64) ("{value:#x}, {count}, {stream:#x}") =>
        |state| set(&mut state, at, &[value], count, stream);
    Context; fn cuMemsetD16Async(at: u64, value: u16, count: usize, stream: u64) ("{value:#x}, {count}, {stream:#x}") =>
        |state| set(&mut state, at, &value.to_le_bytes(), count, stream);
    Context; fn cuMemsetD32Async(at: u64, value: u32, count: usize, stream: u64) ("{value:#x}, {count}, {stream:#x}") =>
        |state| set(&mut state, at, &value.to_le_bytes(), count, stream);

    Context; fn cuModuleUnload(module: u64) ("") => |state| {
        // The library stays loaded: functions of its text may come again.
        state.functions.retain(|_, function| function.module != module);
        state.modules.remove(&module).map(|_| ()).ok_or(INVALID_HANDLE)
    };
    Context; fn cuFuncGetAttribute(value: *mut c_int, attribute: c_int, function: u64) ("{attribute}") => |state| {
        if attribute != 0 || !state.functions.contains_key(&function) {
            return Err(INVALID_VALUE);
        }
        // SAFETY: as above. Threads of a block: fewer than the device has, as with many registers.
        unsafe { answer(value, 640) }
    };
    Context; fn cuOccupancyMaxPotentialBlockSize(
        grid: *mut c_int, block: *mut c_int, function: u64, size: *const c_void, shared: usize, limit: c_int
    ) ("{}, {shared}, {limit}", size.is_null()) => |state| {
        if !state.functions.contains_key(&function) {
            return Err(INVALID_HANDLE);
        }
        // SAFETY: as above.
        unsafe { answer(grid, 3) }?;
        // SAFETY: as above.
        unsafe { answer(block, 64) }
    };
}

/// Loads PTX of the stand-in's NVRTC, which names a library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut u64,
    image: *const c_char,
    _count: c_uint,
    _options: *const c_int,
    values: *const *mut c_void,
) -> c_int {
    code(begin("cuModuleLoadDataEx", "", Needs::Context).and_then(|mut state| {
        if state.version < 12_040 {
            return Err(UNSUPPORTED_PTX_VERSION);
        }
        // SAFETY: the caller's promise: a text that ends with a zero byte.
        let image = unsafe { CStr::from_ptr(image) }.to_string_lossy().into_owned();
        let Some(path) = image.lines().find_map(|line| line.strip_prefix("// library: ")) else {
            let log = b"the stand-in loads its own PTX alone\0";
            // SAFETY: the first option is the log's buffer, which is larger.
            unsafe { std::ptr::copy_nonoverlapping(log.as_ptr(), (*values).cast::<u8>(), log.len()) };
            return Err(INVALID_PTX);
        };
        let path = CString::new(path).map_err(|_| INVALID_PTX)?;
        // SAFETY: a library of a kernel's text, without initializers.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if library.is_null() {
            return Err(INVALID_PTX);
        }
        let handle = state.handle();
        state.modules.insert(handle, library as u64);
        // SAFETY: the caller's promise.
        unsafe { answer(module, handle) }
    }))
}

/// Finds a function, by what runs it on the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(function: *mut u64, module: u64, name: *const c_char) -> c_int {
    // SAFETY: the caller's promise: a text that ends with a zero byte.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    code(begin("cuModuleGetFunction", &name, Needs::Context).and_then(|mut state| {
        let library = *state.modules.get(&module).ok_or(INVALID_HANDLE)?;
        let symbol = |prefix: &str| {
            let symbol = CString::new(format!("{prefix}_{name}")).map_err(|_| NOT_FOUND)?;
            // SAFETY: an open library, a name that ends with a zero byte.
            let found = unsafe { libc::dlsym(library as *mut c_void, symbol.as_ptr()) };
            if found.is_null() { Err(NOT_FOUND) } else { Ok(found) }
        };
        let mut sizes = vec![0; 64];
        // SAFETY: the stand-in's NVRTC has given them these signatures.
        let (run, sizes_of) = unsafe {
            (
                std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*const *const c_void, u32, u32)>(symbol("run")?),
                std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut usize) -> usize>(symbol("sizes")?),
            )
        };
        // SAFETY: no entry has as many arguments.
        let count = unsafe { sizes_of(sizes.as_mut_ptr()) };
        sizes.truncate(count);
        let handle = state.handle();
        state.functions.insert(handle, Function { module, name, run, sizes });
        // SAFETY: the caller's promise.
        unsafe { answer(function, handle) }
    }))
}

/// The arguments of a launch, copied.
///
/// # Safety
/// As many as the function has, each of its size.
pub unsafe fn arguments(function: &Function, parameters: *const *const c_void) -> Vec<Vec<u8>> {
    let of = |(k, size): (usize, &usize)| {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts((*parameters.add(k)).cast::<u8>(), *size) }.to_vec()
    };
    function.sizes.iter().enumerate().map(of).collect()
}

/// Shows a launch: function, grid, block, arguments as 8-byte words in hexadecimal.
pub fn shown(function: &Function, grid: u32, block: u32, arguments: &[Vec<u8>]) -> String {
    let words = |bytes: &Vec<u8>| {
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0_u64, |word, byte| word << 8 | u64::from(*byte));
        bytes.chunks(8).map(|chunk| format!("{:x}", word(chunk))).collect::<Vec<_>>().join(" ")
    };
    let arguments: Vec<String> = arguments.iter().map(words).collect();
    format!("{}, {grid}, {block}, [{}]", function.name, arguments.join(", "))
}

/// Runs a function on the host.
pub fn execute(function: &Function, grid: u32, block: u32, arguments: &[Vec<u8>]) {
    // As 8-byte words, so that each is aligned.
    let aligned: Vec<Vec<u64>> = arguments
        .iter()
        .map(|bytes| {
            let mut words = vec![0_u64; bytes.len().div_ceil(8)];
            // SAFETY: as many bytes.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), words.as_mut_ptr().cast(), bytes.len()) };
            words
        })
        .collect();
    let pointers: Vec<*const c_void> = aligned.iter().map(|words| words.as_ptr().cast()).collect();
    // SAFETY: the arguments are those of the entry; what they point to is the test's.
    unsafe { (function.run)(pointers.as_ptr(), grid, block) };
}

/// Whether a geometry is one that the device can have.
pub fn geometry_ok(grid: [c_uint; 3], block: [c_uint; 3]) -> Result<(), c_int> {
    let fits = grid[0] > 0 && grid[0] <= i32::MAX as u32 && block[0] > 0 && block[0] <= 640 && grid[1..] == [1, 1] && block[1..] == [1, 1];
    if fits { Ok(()) } else { Err(INVALID_VALUE) }
}

/// Launches a function: it runs at once.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "the driver's own")]
pub unsafe extern "C" fn cuLaunchKernel(
    function: u64,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    stream: u64,
    parameters: *const *const c_void,
    _extra: *const *const c_void,
) -> c_int {
    let known = lock().functions.get(&function).cloned();
    // SAFETY: the caller's promise.
    let arguments = known.as_ref().map(|known| unsafe { arguments(known, parameters) }).unwrap_or_default();
    let what = known.as_ref().map_or_else(String::new, |known| shown(known, grid_x, block_x, &arguments));
    code(begin("cuLaunchKernel", &format!("{what}, {shared}, {stream:#x}"), Needs::Context).and_then(|state| {
        stream_ok(&state, stream)?;
        geometry_ok([grid_x, grid_y, grid_z], [block_x, block_y, block_z])?;
        drop(state);
        execute(&known.ok_or(INVALID_HANDLE)?, grid_x, block_x, &arguments);
        Ok(())
    }))
}
