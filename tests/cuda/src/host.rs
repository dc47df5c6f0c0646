//! The host's C++ compiler on a text: the text as it is, behind host.h, and in front of functions that run its entries.

use anyhow::{Context, Result, bail};
use lanecraft::cuda::{BlockEntry, Entry, HOST, Source};
use std::ffi::{CString, c_void};
use std::path::Path;
use std::process::Command;

/// A launch: arguments' addresses, blocks, threads of a block.
pub type Run = unsafe extern "C" fn(arguments: *const *const c_void, blocks: u32, threads: u32);

/// A compiled text, which stays loaded.
#[derive(Debug)]
pub struct Library(*mut c_void);

// SAFETY: a handle of the loader, which any thread may use; what is loaded has no state but each thread's own.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

impl Library {
    /// Compiles a text; its files begin with `path`.
    ///
    /// # Errors
    /// No compiler, or what it says.
    pub fn build(source: &Source, path: &Path) -> Result<Self> {
        let (code, library) = (path.with_extension("cpp"), path.with_extension("so"));
        let mut text = format!("{HOST}\n{}\n", source.text);
        source.entries.iter().for_each(|entry| text.push_str(&runner(entry)));
        source.blocks.iter().for_each(|entry| text.push_str(&block_runner(entry)));
        std::fs::write(&code, text)?;
        let compiler = std::env::var("CXX").unwrap_or_else(|_| "g++".to_owned());
        let mut command = Command::new(&compiler);
        command.args(["-std=c++17", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-Werror=return-type"]);
        if cfg!(target_arch = "x86_64") && std::is_x86_feature_detected!("fma") {
            command.arg("-mfma");
        }
        let output = command.arg("-o").arg(&library).arg(&code).output();
        let output = output
            .with_context(|| format!("a C++ compiler is needed for this check: `{compiler}` cannot be run (Debian: apt install g++)"))?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            let first: Vec<&str> = errors.lines().take(30).collect();
            bail!("{} does not compile:\n{}", code.display(), first.join("\n"));
        }
        let name = CString::new(library.as_os_str().as_encoded_bytes())?;
        // SAFETY: a path that ends with a zero byte; the library has no initializers of its own.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if handle.is_null() {
            bail!("{} cannot be loaded", library.display());
        }
        Ok(Self(handle))
    }

    /// What runs an entry.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn run(&self, name: &str) -> Result<Run> {
        let name = CString::new(format!("run_{name}"))?;
        // SAFETY: an open library and a name that ends with a zero byte.
        let found = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        if found.is_null() {
            bail!("no entry {}", name.to_string_lossy());
        }
        // SAFETY: `runner` gave it this signature.
        Ok(unsafe { std::mem::transmute::<*mut c_void, Run>(found) })
    }
}

/// Runs an entry: the operands, what stands behind them (`single` or the plan), `n`, blocks and threads of a block. Gives the lowest element
/// with a fault, and whether that is a division by zero.
///
/// # Safety
/// The operands are those of the entry, and hold an element wherever it reads or writes one.
pub unsafe fn launch(
    run: Run,
    operands: &[*mut u8],
    behind: *const c_void,
    n: u64,
    (blocks, threads): (u32, u32),
) -> Option<(usize, bool)> {
    let mut fault = u64::MAX;
    let fault_at: *mut u64 = &mut fault;
    let mut arguments: Vec<*const c_void> = operands.iter().map(|p| std::ptr::from_ref(p).cast()).collect();
    arguments.extend([behind, (&raw const n).cast(), (&raw const fault_at).cast()]);
    // SAFETY: the caller's promise; the arguments are in the order in which entries take them.
    unsafe { run(arguments.as_ptr(), blocks, threads) };
    (fault != u64::MAX).then_some(((fault / 2) as usize, fault.is_multiple_of(2)))
}

/// Functions that take an entry's arguments as a driver does, and run its threads one after the other.
fn runner(entry: &Entry) -> String {
    let operands: Vec<_> = entry.inputs.iter().map(|d| (true, d)).chain(entry.outputs.iter().map(|d| (false, d))).collect();
    let count = operands.len();
    let typed = |k: usize| format!("a[{k}]");
    let flat: Vec<String> = operands
        .iter()
        .enumerate()
        .map(|(k, (input, d))| format!("*({}lc::memory_t<{d}> *const *){}", if *input { "const " } else { "" }, typed(k)))
        .collect();
    let bytes: Vec<String> = operands
        .iter()
        .enumerate()
        .map(|(k, (input, _))| format!("*({}u8 *const *){}", if *input { "const " } else { "" }, typed(k)))
        .collect();
    let launch = |name: &str, pointers: &[String], special: &str| {
        format!(
            "extern \"C\" void run_{name}(const void *const *a, u32 blocks, u32 threads) {{\n\
             \x20   gridDim.x = blocks;\n    blockDim.x = threads;\n\
             \x20   for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)\n\
             \x20       for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x)\n\
             \x20           {name}({}, *(const {special} *)a[{count}], *(const u64 *)a[{}], *(u64 *const *)a[{}]);\n}}\n",
            pointers.join(", "),
            count + 1,
            count + 2
        )
    };
    launch(&entry.name, &flat, "u32") + &launch(&entry.strided, &bytes, &format!("lc::Plan<{count}>"))
}

/// The same of a block kernel, the threads of each block in turns.
fn block_runner(entry: &BlockEntry) -> String {
    let (name, count) = (&entry.name, entry.operands.len());
    let operands: Vec<String> = (0..count).map(|k| format!("*(u8 *const *)a[{k}]")).collect();
    format!(
        "static void one_{name}(const void *const *a) {{\n    {name}({}, *(const lc::Items<{count}, {}> *)a[{count}], *(u64 *const *)a[{}]);\n}}\n\
         extern \"C\" void run_{name}(const void *const *a, u32 blocks, u32 threads) {{\n\
         \x20   gridDim.x = blocks;\n    blockDim.x = threads;\n\
         \x20   for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) run_block(threads, one_{name}, a);\n}}\n",
        operands.join(", "),
        entry.dims,
        count + 1
    )
}

/// Runs a block kernel's entry: the operands, where the items lie, blocks and threads of a block. Gives the lowest item with a fault, and whether that
/// is a division by zero.
///
/// # Safety
/// As for [`launch`].
pub unsafe fn launch_blocks(run: Run, operands: &[*mut u8], items: *const c_void, (blocks, threads): (u32, u32)) -> Option<(usize, bool)> {
    let mut fault = u64::MAX;
    let fault_at: *mut u64 = &mut fault;
    let mut arguments: Vec<*const c_void> = operands.iter().map(|p| std::ptr::from_ref(p).cast()).collect();
    arguments.extend([items, (&raw const fault_at).cast()]);
    // SAFETY: the caller's promise; the arguments are in the order in which entries take them.
    unsafe { run(arguments.as_ptr(), blocks, threads) };
    (fault != u64::MAX).then_some(((fault / 2) as usize, fault.is_multiple_of(2)))
}
