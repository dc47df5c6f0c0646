//! NVRTC: the host's C++ compiler behind host.h. The "PTX" names the library that comes out.

use crate::driver::answer;
use crate::state::{INVALID_VALUE, Needs, begin, code};
use std::ffi::{CStr, c_char, c_int};
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::process::Command;

/// CUDA's own declarations, for a host compiler.
const HOST: &str = include_str!("../../../../backends/src/cuda/host.h");
const PRELUDE: &str = include_str!("../../../../backends/src/cuda/prelude.h");

/// What calls an entry with arguments by their addresses, and tells their sizes.
const RUNNER: &str = "
#include <cstddef>
#include <type_traits>
#include <utility>
namespace fake {
template <class... A, std::size_t... I> void call(void (*f)(A...), const void *const *a, std::index_sequence<I...>) {
    f(*static_cast<const std::remove_cv_t<A> *>(a[I])...);
}
template <class... A> void call(void (*f)(A...), const void *const *a) { call(f, a, std::index_sequence_for<A...>{}); }
template <class... A> std::size_t sizes(void (*)(A...), std::size_t *to) {
    ((*to++ = sizeof(A)), ...);
    return sizeof...(A);
}
}
";

/// NVRTC's code for a text that does not compile.
const COMPILATION: c_int = 6;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcVersion(major: *mut c_int, minor: *mut c_int) -> c_int {
    // SAFETY: the caller has places for the answers, here and below.
    unsafe { code(answer(major, 12).and_then(|()| answer(minor, 4))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcGetNumSupportedArchs(count: *mut c_int) -> c_int {
    // SAFETY: as above.
    unsafe { code(answer(count, 3)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcGetSupportedArchs(to: *mut c_int) -> c_int {
    // SAFETY: as above: as many as were told.
    code([70, 80, 90].iter().enumerate().try_for_each(|(k, arch)| unsafe { answer(to.add(k), *arch) }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcCreateProgram(
    program: *mut u64,
    text: *const c_char,
    _name: *const c_char,
    _headers: c_int,
    _texts: *const *const c_char,
    _names: *const *const c_char,
) -> c_int {
    // SAFETY: a text that ends with a zero byte.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    code(begin("nvrtcCreateProgram", "", Needs::Nothing).and_then(|mut state| {
        let handle = state.handle();
        state.programs.insert(handle, (text, Err(String::new())));
        // SAFETY: as above.
        unsafe { answer(program, handle) }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcCompileProgram(program: u64, count: c_int, options: *const *const c_char) -> c_int {
    let option = |k: c_int| {
        // SAFETY: as many texts that end with a zero byte.
        unsafe { CStr::from_ptr(*options.add(k as usize)) }.to_string_lossy().into_owned()
    };
    let options: Vec<String> = (0..count).map(option).collect();
    code(begin("nvrtcCompileProgram", &options.join(" "), Needs::Nothing).and_then(|mut state| {
        let text = state.programs.get(&program).ok_or(INVALID_VALUE)?.0.clone();
        let made = ptx(&text);
        let failed = made.is_err();
        state.programs.insert(program, (text, made));
        if failed { Err(COMPILATION) } else { Ok(()) }
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcDestroyProgram(program: *mut u64) -> c_int {
    // SAFETY: a program's handle.
    let program = unsafe { *program };
    code(
        begin("nvrtcDestroyProgram", "", Needs::Nothing)
            .and_then(|mut state| state.programs.remove(&program).map(|_| ()).ok_or(INVALID_VALUE)),
    )
}

/// Hands out a text of a program.
unsafe fn give(name: &str, program: u64, log: bool, size: Option<*mut usize>, to: Option<*mut u8>) -> c_int {
    code(begin(name, "", Needs::Nothing).and_then(|state| {
        let text = match (&state.programs.get(&program).ok_or(INVALID_VALUE)?.1, log) {
            (Ok(ptx), false) => ptx.as_str(),
            (Err(errors), true) => errors.as_str(),
            _ => "",
        };
        if let Some(size) = size {
            // SAFETY: the caller has a place for the answer.
            unsafe { answer(size, text.len() + 1) }?;
        }
        if let Some(to) = to {
            // SAFETY: the caller has the room that was told.
            unsafe {
                std::ptr::copy_nonoverlapping(text.as_ptr(), to, text.len());
                *to.add(text.len()) = 0;
            }
        }
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcGetPTXSize(program: u64, size: *mut usize) -> c_int {
    // SAFETY: the caller's promise, here and below.
    unsafe { give("nvrtcGetPTXSize", program, false, Some(size), None) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcGetPTX(program: u64, to: *mut u8) -> c_int {
    // SAFETY: as above.
    unsafe { give("nvrtcGetPTX", program, false, None, Some(to)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcGetProgramLogSize(program: u64, size: *mut usize) -> c_int {
    // SAFETY: as above.
    unsafe { give("nvrtcGetProgramLogSize", program, true, Some(size), None) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvrtcGetProgramLog(program: u64, to: *mut u8) -> c_int {
    // SAFETY: as above.
    unsafe { give("nvrtcGetProgramLog", program, true, None, Some(to)) }
}

/// Compiles a text, unless the same one was compiled before. What stands for its PTX, or the compiler's errors.
fn ptx(text: &str) -> Result<String, String> {
    let mut code = format!("{HOST}\n{RUNNER}\n{text}\n");
    let mut ptx = String::new();
    // An instruction on the fault's word, where the text has something that can go wrong.
    let own = text.replace(PRELUDE, "");
    let faults = ["lc::div(", "lc::rem(", "lc::at(", "lc::Team"].iter().any(|what| own.contains(what));
    for line in text.lines() {
        let Some((name, arguments)) = line.strip_prefix("extern \"C\" __global__ void ").and_then(|rest| rest.split_once('(')) else {
            continue;
        };
        // The threads of a block that meet take turns; others run one after the other.
        let threads = match arguments.contains("lc::Items<") {
            true => format!("run_block(threads, one_{name}, a);"),
            false => format!("for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) one_{name}(a);"),
        };
        let written = write!(
            code,
            "static void one_{name}(const void *const *a) {{ fake::call(&{name}, a); }}\n\
             extern \"C\" std::size_t sizes_{name}(std::size_t *to) {{ return fake::sizes(&{name}, to); }}\n\
             extern \"C\" void run_{name}(const void *const *a, u32 blocks, u32 threads) {{\n\
             gridDim.x = blocks;\nblockDim.x = threads;\nfor (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {threads}\n}}\n"
        );
        let noted = if faults { "atom.global.min.u64 %rd1, [%rd2], %rd3;\n" } else { "" };
        written.and_then(|()| writeln!(ptx, ".visible .entry {name}(\n)\n{{\n{noted}ret;\n}}")).map_err(|e| e.to_string())?;
    }
    let library = library(&code)?;
    Ok(format!("// library: {}\n.version 8.4\n{ptx}", library.display()))
}

/// The library of a C++ text, named by its hash.
fn library(code: &str) -> Result<PathBuf, String> {
    let folder = std::env::var_os("FAKE_CUDA_FOLDER").map_or_else(std::env::temp_dir, PathBuf::from);
    let mut hasher = std::hash::DefaultHasher::new();
    code.hash(&mut hasher);
    let name = format!("lanecraft-fake-cuda-{:016x}", hasher.finish());
    let (library, own) = (folder.join(format!("{name}.so")), folder.join(format!("{name}-{}", std::process::id())));
    if library.exists() {
        return Ok(library);
    }
    let (source, built) = (own.with_extension("cpp"), own.with_extension("new"));
    std::fs::write(&source, code).map_err(|error| error.to_string())?;
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "g++".to_owned());
    let mut command = Command::new(&compiler);
    command.args(["-std=c++17", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-o"]).arg(&built).arg(&source);
    if cfg!(target_arch = "x86_64") && std::is_x86_feature_detected!("fma") {
        command.arg("-mfma");
    }
    let output = command.output().map_err(|error| format!("`{compiler}` cannot be run: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    std::fs::remove_file(&source).and_then(|()| std::fs::rename(&built, &library)).map_err(|error| error.to_string())?;
    Ok(library)
}
