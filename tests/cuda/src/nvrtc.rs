//! NVIDIA's own compilers on the texts: NVRTC to PTX, ptxas to machine code. Neither needs a GPU.

use anyhow::{Context, Result, bail, ensure};
use lanecraft::cuda::Source;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;

type Program = *mut c_void;

/// NVRTC, and where ptxas is.
pub struct Tools {
    create: Create,
    compile: Compile,
    destroy: Destroy,
    ptx_size: Size,
    ptx: Get,
    log_size: Size,
    log: Get,
    ptxas: PathBuf,
}

type Create = unsafe extern "C" fn(*mut Program, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char) -> c_int;
type Compile = unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int;
type Destroy = unsafe extern "C" fn(*mut Program) -> c_int;
type Size = unsafe extern "C" fn(Program, *mut usize) -> c_int;
type Get = unsafe extern "C" fn(Program, *mut c_char) -> c_int;

/// What ptxas says of an entry.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    /// The entry.
    pub name: String,
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of a thread's stack.
    pub stack: u32,
    /// Bytes that are stored because registers do not suffice.
    pub spills: u32,
}

/// What NVRTC is told: that `a * b + c` is two roundings, above all.
const OPTIONS: &[&str] = &["--std=c++17", "--fmad=false", "--disable-warnings"];

impl Tools {
    /// Those in a folder of Python packages (`site-packages`), as NVIDIA's wheels lay them out.
    pub fn open(packages: &Path) -> Result<Self> {
        let library = packages.join("nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
        let ptxas = packages.join("nvidia/cuda_nvcc/bin/ptxas");
        ensure!(ptxas.exists(), "{} is not there", ptxas.display());
        let name = CString::new(library.as_os_str().as_encoded_bytes())?;
        // SAFETY: a path that ends with a zero byte.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if handle.is_null() {
            bail!("{} cannot be loaded", library.display());
        }
        let symbol = |name: &CStr| -> Result<*mut c_void> {
            // SAFETY: an open library and a name that ends with a zero byte.
            let found = unsafe { libc::dlsym(handle, name.as_ptr()) };
            ensure!(!found.is_null(), "NVRTC has no {}", name.to_string_lossy());
            Ok(found)
        };
        // SAFETY: the signatures are those of nvrtc.h.
        #[allow(clippy::missing_transmute_annotations, reason = "the fields have the types")]
        unsafe {
            Ok(Self {
                create: std::mem::transmute::<*mut c_void, Create>(symbol(c"nvrtcCreateProgram")?),
                compile: std::mem::transmute::<*mut c_void, Compile>(symbol(c"nvrtcCompileProgram")?),
                destroy: std::mem::transmute::<*mut c_void, Destroy>(symbol(c"nvrtcDestroyProgram")?),
                ptx_size: std::mem::transmute::<*mut c_void, Size>(symbol(c"nvrtcGetPTXSize")?),
                ptx: std::mem::transmute::<*mut c_void, Get>(symbol(c"nvrtcGetPTX")?),
                log_size: std::mem::transmute::<*mut c_void, Size>(symbol(c"nvrtcGetProgramLogSize")?),
                log: std::mem::transmute::<*mut c_void, Get>(symbol(c"nvrtcGetProgramLog")?),
                ptxas,
            })
        }
    }

    /// The PTX of a text for an architecture (`80`).
    pub fn ptx(&self, source: &Source, arch: u32) -> Result<String> {
        let (text, name) = (CString::new(source.text.as_str())?, c"kernel.cu");
        let options: Vec<CString> = OPTIONS
            .iter()
            .map(|o| (*o).to_owned())
            .chain([format!("--gpu-architecture=compute_{arch}")])
            .map(CString::new)
            .collect::<Result<_, _>>()?;
        let options: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
        let mut program = std::ptr::null_mut();
        // SAFETY: the arguments are those of nvrtc.h; the texts live through the calls.
        unsafe {
            ensure!(
                (self.create)(&mut program, text.as_ptr(), name.as_ptr(), 0, std::ptr::null(), std::ptr::null()) == 0,
                "nvrtcCreateProgram"
            );
            let status = (self.compile)(program, options.len() as c_int, options.as_ptr());
            let log = text_of(program, self.log_size, self.log)?;
            let ptx = if status == 0 { text_of(program, self.ptx_size, self.ptx) } else { Ok(String::new()) };
            (self.destroy)(&mut program);
            if status != 0 {
                let first: Vec<&str> = log.lines().take(30).collect();
                bail!("NVRTC, for compute_{arch}:\n{}", first.join("\n"));
            }
            ptx
        }
    }

    /// What ptxas makes of a PTX, entry by entry.
    pub fn assemble(&self, ptx: &Path, arch: u32) -> Result<Vec<Usage>> {
        let out = ptx.with_extension("cubin");
        let output = Command::new(&self.ptxas).arg(format!("-arch=sm_{arch}")).args(["-v", "-o"]).arg(out).arg(ptx).output();
        let output = output.with_context(|| format!("{} cannot be run", self.ptxas.display()))?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "ptxas for sm_{arch}:\n{said}");
        let mut usages: Vec<Usage> = Vec::new();
        for line in said.lines() {
            if let Some((_, rest)) = line.split_once("Compiling entry function '") {
                usages.push(Usage { name: rest.split('\'').next().unwrap_or_default().to_owned(), ..Usage::default() });
            }
            let Some(usage) = usages.last_mut() else { continue };
            if let Some((stack, rest)) = line.split_once(" bytes stack frame, ") {
                usage.stack = number(stack.trim());
                usage.spills = rest.split(',').map(|part| number(part.trim().split(' ').next().unwrap_or_default())).sum();
            }
            if let Some((_, rest)) = line.split_once("Used ") {
                usage.registers = number(rest.split(' ').next().unwrap_or_default());
            }
        }
        Ok(usages)
    }
}

fn number(text: &str) -> u32 {
    text.parse().unwrap_or(u32::MAX)
}

/// A text that NVRTC hands out.
///
/// # Safety
/// A live program, and the pair of functions for one of its texts.
unsafe fn text_of(program: Program, size: Size, get: Get) -> Result<String> {
    let mut bytes = 0;
    // SAFETY: the caller's promise.
    ensure!(unsafe { size(program, &mut bytes) } == 0, "NVRTC tells no size");
    let mut text = vec![0_u8; bytes + 1];
    // SAFETY: the caller's promise; the buffer has the size that was told.
    ensure!(unsafe { get(program, text.as_mut_ptr().cast()) } == 0, "NVRTC gives no text");
    Ok(CStr::from_bytes_until_nul(&text)?.to_string_lossy().into_owned())
}
