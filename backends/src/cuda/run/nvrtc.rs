//! NVRTC, NVIDIA's compiler as a library, which needs no GPU: from text to PTX.

use super::Error;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What NVRTC is told: that `a * b + c` is two roundings, above all.
pub(super) const OPTIONS: &[&str] = &["--std=c++17", "--fmad=false", "--disable-warnings"];

/// The version that has been seen to write PTX that drivers from R550 on load (PTX ISA 8.4).
const RECOMMENDED: &str = "nvidia-cuda-nvrtc-cu12==12.4.127";

type Program = *mut c_void;
type Create = unsafe extern "C" fn(*mut Program, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char) -> c_int;
type Compile = unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int;
type Destroy = unsafe extern "C" fn(*mut Program) -> c_int;
type Size = unsafe extern "C" fn(Program, *mut usize) -> c_int;
type Get = unsafe extern "C" fn(Program, *mut c_char) -> c_int;
type Version = unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int;
type CountArchs = unsafe extern "C" fn(*mut c_int) -> c_int;
type Archs = unsafe extern "C" fn(*mut c_int) -> c_int;

/// A loaded NVRTC.
#[derive(Debug)]
pub struct Nvrtc {
    create: Create,
    compile: Compile,
    destroy: Destroy,
    ptx_size: Size,
    ptx: Get,
    log_size: Size,
    log: Get,
    version: (u32, u32),
    architectures: Vec<u32>,
    /// Keeps the functions loaded.
    _library: libloading::Library,
}

/// Folders where NVRTC is looked for, besides the loader's own: those of Python packages.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Looks for NVRTC in a folder of Python packages (`site-packages`) too.
pub fn look_in(packages: &Path) {
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if !folders.iter().any(|known| known == packages) {
        folders.push(packages.to_owned());
    }
}

impl Nvrtc {
    /// The library of a path, or of a name that the loader finds.
    ///
    /// # Errors
    /// It cannot be loaded, or is none.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let missing =
            |error: &dyn std::fmt::Display| Error::Unavailable(format!("NVRTC cannot be loaded from {}: {error}", path.display()));
        // SAFETY: NVIDIA's library, whose initializers do no harm.
        let library = unsafe { libloading::Library::new(path) }.map_err(|error| missing(&error))?;
        // SAFETY: the signatures are those of nvrtc.h, and the functions are kept no longer than the library.
        unsafe {
            let version_of = *library.get::<Version>(b"nvrtcVersion").map_err(|error| missing(&error))?;
            let count_archs = *library.get::<CountArchs>(b"nvrtcGetNumSupportedArchs").map_err(|error| missing(&error))?;
            let archs = *library.get::<Archs>(b"nvrtcGetSupportedArchs").map_err(|error| missing(&error))?;
            let (mut major, mut minor, mut count) = (0, 0, 0);
            if version_of(&mut major, &mut minor) != 0 || count_archs(&mut count) != 0 {
                return Err(missing(&"it does not tell its version"));
            }
            let mut architectures = vec![0; count.unsigned_abs() as usize];
            if archs(architectures.as_mut_ptr()) != 0 {
                return Err(missing(&"it does not tell its architectures"));
            }
            Ok(Self {
                create: *library.get(b"nvrtcCreateProgram").map_err(|error| missing(&error))?,
                compile: *library.get(b"nvrtcCompileProgram").map_err(|error| missing(&error))?,
                destroy: *library.get(b"nvrtcDestroyProgram").map_err(|error| missing(&error))?,
                ptx_size: *library.get(b"nvrtcGetPTXSize").map_err(|error| missing(&error))?,
                ptx: *library.get(b"nvrtcGetPTX").map_err(|error| missing(&error))?,
                log_size: *library.get(b"nvrtcGetProgramLogSize").map_err(|error| missing(&error))?,
                log: *library.get(b"nvrtcGetProgramLog").map_err(|error| missing(&error))?,
                version: (major.unsigned_abs(), minor.unsigned_abs()),
                architectures: architectures.into_iter().map(i32::unsigned_abs).collect(),
                _library: library,
            })
        }
    }

    /// The first that is found: `LANECRAFT_NVRTC`, a path; NVIDIA's Python packages in the folders of [`look_in`]; a toolkit at `CUDA_PATH` or
    /// `CUDA_HOME`; what the loader finds. Of several, one that is no newer than the driver (`driver`, its CUDA version), since newer ones write PTX
    /// that it refuses.
    ///
    /// # Errors
    /// There is none.
    pub fn find(driver: Option<(u32, u32)>) -> Result<Self, Error> {
        if let Some(path) = std::env::var_os("LANECRAFT_NVRTC").filter(|path| !path.is_empty()) {
            return Self::open(Path::new(&path));
        }
        let mut newer = None;
        for path in candidates() {
            let Ok(found) = Self::open(&path) else { continue };
            if driver.is_none_or(|driver| found.version <= driver) {
                return Ok(found);
            }
            newer.get_or_insert(found);
        }
        newer.ok_or_else(|| {
            Error::Unavailable(format!(
                "NVRTC was not found, which compiles kernels that come without PTX. `pip install {RECOMMENDED}` brings it; or name its library with \
                 the environment variable LANECRAFT_NVRTC"
            ))
        })
    }

    /// Its version: major and minor, which decide the version of its PTX.
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    /// The architecture to compile for, for a device: the newest that both know. 90 is `compute_90`.
    pub fn architecture_for(&self, capability: u32) -> Option<u32> {
        self.architectures.iter().copied().filter(|arch| *arch <= capability).max()
    }

    /// The PTX of a text for an architecture. `name` is the kernel in messages.
    ///
    /// # Errors
    /// What NVRTC says of the text.
    pub fn compile(&self, name: &str, text: &str, architecture: u32) -> Result<String, Error> {
        let failed = |log: String| Error::Compile { kernel: name.to_owned(), log };
        let Ok(text) = CString::new(text) else { return Err(failed("the text has a zero byte in it".to_owned())) };
        let arch = format!("--gpu-architecture=compute_{architecture}");
        let options: Vec<CString> = OPTIONS.iter().copied().chain([arch.as_str()]).filter_map(|o| CString::new(o).ok()).collect();
        let options: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
        let mut program = std::ptr::null_mut();
        // SAFETY: the arguments are those of nvrtc.h; the texts live through the calls.
        unsafe {
            let status = (self.create)(&mut program, text.as_ptr(), c"kernel.cu".as_ptr(), 0, std::ptr::null(), std::ptr::null());
            if status != 0 {
                return Err(failed(format!("nvrtcCreateProgram gives {status}")));
            }
            let status = (self.compile)(program, options.len() as c_int, options.as_ptr());
            let told = if status == 0 { told(program, self.ptx_size, self.ptx) } else { told(program, self.log_size, self.log) };
            (self.destroy)(&mut program);
            match told {
                Some(ptx) if status == 0 => Ok(ptx),
                Some(log) => Err(failed(log.lines().take(30).collect::<Vec<_>>().join("\n"))),
                None => Err(failed(format!("nvrtcCompileProgram gives {status}, and no text"))),
            }
        }
    }
}

/// Where NVRTC may be, in the order of preference.
fn candidates() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for packages in &folders {
        // NVIDIA's packages: one folder per library up to CUDA 12, one for all from 13 on.
        for folder in ["nvidia/cuda_nvrtc/lib", "nvidia/cu13/lib", "nvidia/cuda_nvrtc/bin", "nvidia/cu13/bin/x86_64"] {
            libraries_in(&packages.join(folder), &mut found);
        }
    }
    for toolkit in ["CUDA_PATH", "CUDA_HOME"].iter().filter_map(std::env::var_os).filter(|path| !path.is_empty()) {
        for folder in ["lib64", "lib", "bin"] {
            libraries_in(&Path::new(&toolkit).join(folder), &mut found);
        }
    }
    let names: &[&str] =
        if cfg!(windows) { &["nvrtc64_120_0.dll", "nvrtc64_130_0.dll"] } else { &["libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so"] };
    found.extend(names.iter().map(PathBuf::from));
    found
}

fn libraries_in(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let is_nvrtc = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // Beside it lie the functions that it brings to kernels.
        !name.contains("builtins")
            && !name.contains(".alt.")
            && if cfg!(windows) { name.starts_with("nvrtc64_") && name.ends_with(".dll") } else { name.starts_with("libnvrtc.so") }
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_nvrtc).collect();
    paths.sort();
    found.extend(paths);
}

/// A text that NVRTC hands out.
///
/// # Safety
/// A live program, and the pair of functions for one of its texts.
unsafe fn told(program: Program, size: Size, get: Get) -> Option<String> {
    let mut bytes = 0;
    // SAFETY: the caller's promise.
    if unsafe { size(program, &mut bytes) } != 0 {
        return None;
    }
    let mut text = vec![0_u8; bytes + 1];
    // SAFETY: the caller's promise; the buffer has the size that was told.
    if unsafe { get(program, text.as_mut_ptr().cast()) } != 0 {
        return None;
    }
    Some(CStr::from_bytes_until_nul(&text).ok()?.to_string_lossy().into_owned())
}
