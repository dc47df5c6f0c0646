//! The host's C++ compiler on a text: the text as it is, behind host.h, and in front of functions that run its entries.

use anyhow::{Context, Result, bail};
use lanecraft::cuda::{Entry, HOST, Source};
use std::ffi::{CString, c_void};
use std::path::Path;
use std::process::Command;

/// A launch: arguments' addresses, blocks, threads of a block.
pub type Run = unsafe extern "C" fn(arguments: *const *const c_void, blocks: u32, threads: u32);

/// A compiled text.
pub struct Library(*mut c_void);

impl Library {
    /// Compiles a text; its files begin with `path`.
    pub fn build(source: &Source, path: &Path) -> Result<Self> {
        let (code, library) = (path.with_extension("cpp"), path.with_extension("so"));
        let mut text = format!("{HOST}\n{}\n", source.text);
        source.entries.iter().for_each(|entry| text.push_str(&runner(entry)));
        std::fs::write(&code, text)?;
        let compiler = std::env::var("CXX").unwrap_or_else(|_| "g++".to_owned());
        let mut command = Command::new(&compiler);
        command.args(["-std=c++17", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-w"]);
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
