//! The border's tests under AddressSanitizer: what reads or writes beyond a block of memory, or one that was freed, in our code, on every level.
//!
//! Rust's compiler instruments code on request, `-Zsanitizer=address`. It takes that from nightly compilers alone, but `RUSTC_BOOTSTRAP=1` has a stable one take
//! it too: good enough for a test, which changes nothing for users. The sanitizer's run time comes with the toolchain as an archive for programs. Ours is
//! loaded into Python, so a shared library is made of it and loaded first.

use crate::commands::output_folder;
use crate::levels::Forced;
use crate::process::{Count, read, run, run_tests};
use crate::python::{FUNCTIONS, KERNEL_SHAPES, Venv, Wheel};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use xshell::{Cmd, cmd};

/// What crosses the border: arrays of every kind, outputs, functions, structs, other libraries' arrays, errors, memory, pickles, parameters, debug mode.
const FILES: [&str; 21] = [
    "test_any_array.py",
    "test_arrays.py",
    "test_block_layouts.py",
    "test_block_parameters.py",
    "test_blocks.py",
    "test_debug.py",
    "test_direct.py",
    "test_errors.py",
    "test_foreign.py",
    "test_foreign_lies.py",
    "test_function_arrays.py",
    "test_functions.py",
    "test_half.py",
    "test_memory.py",
    "test_objects.py",
    "test_package.py",
    "test_parameters.py",
    "test_reductions.py",
    "test_reports.py",
    "test_structs.py",
    "test_threads.py",
];
/// Not: what looks at the process's memory, which the sanitizer keeps for a while after it was freed, and what looks at the clock.
const WHICH: &str = "not flat and not leave_nothing and not touches_no_new_pages and not ctrl_c";

/// The wheels that are built for it. `fastops`, which some of the tests call besides, has nothing at the border that these have not, and would take half an hour.
const INSTRUMENTED: [Wheel; 2] = [FUNCTIONS, KERNEL_SHAPES];

/// Functions that do what must be seen.
const CANARY: &str = r#"
#[unsafe(no_mangle)]
pub unsafe extern "C" fn reads(at: *const f32, k: usize) -> f32 {
    unsafe { *at.add(k) }
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn writes(at: *mut f32, k: usize) -> f32 {
    unsafe { *at.add(k) = 1.0 };
    1.0
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn copies(at: *const f32, k: usize) -> f32 {
    let mut to = [0.0; 4];
    unsafe { std::ptr::copy_nonoverlapping(at.add(2), to.as_mut_ptr(), std::hint::black_box(k - 1)) };
    std::hint::black_box(to)[0]
}
"#;
/// Calls one of them on element `k` of five.
const CALL: &str = "import ctypes, sys, numpy as np; f = getattr(ctypes.CDLL(sys.argv[1]), sys.argv[2]); f.restype = ctypes.c_float; \
                    f.argtypes = [ctypes.c_void_p, ctypes.c_size_t]; x = np.ones(5, np.float32); f(x.ctypes.data, int(sys.argv[3]))";

/// The levels that this machine has.
const LEVELS: &str = "import kernel_shapes; print(*dict.fromkeys(row['level'] for row in kernel_shapes.variants()))";

/// Builds the modules, shows that the sanitizer sees what it should, and runs the tests on each level.
pub fn check(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    let asan = Asan::new(workspace)?;
    let mut count = asan.canaries(venv)?;
    let mut wheels = Vec::new();
    for wheel in INSTRUMENTED {
        wheels.push(venv.build_for_asan(wheel, &asan.host, &asan.folder)?);
    }
    let site = &venv.site_at(&asan.folder.join("site"), &wheels)?;
    for wheel in INSTRUMENTED {
        let file = site.join(wheel.name).join(format!("{}.abi3.so", wheel.name));
        let code = std::fs::read(&file).with_context(|| format!("{}", file.display()))?;
        let name = b"__asan_report_load";
        ensure!(code.windows(name.len()).any(|part| part == name), "{} is not instrumented", file.display());
        count += Count::ONE;
    }
    let python = venv.python();
    let levels = read(asan.within(cmd!(workspace.shell, "{python} -c {LEVELS}")).env("PYTHONPATH", site))?;
    for level in levels.split_whitespace().map(Forced::new) {
        println!("-- {}", level.name);
        let files = FILES.iter().map(|file| format!("tests/python/{file}"));
        let command = cmd!(workspace.shell, "{python} -m pytest -q -p no:cacheprovider {files...} -k {WHICH}");
        let done = run_tests(asan.within(command).env("PYTHONPATH", site).envs(level.environment));
        // What it has to say ends the process that it says it of, be it pytest's or one that a test has started.
        let found = asan.reports()?;
        found.iter().for_each(|report| println!("{report}\n"));
        count += Count { passed: usize::from(found.is_empty()), failed: found.len() };
        count += done?;
    }
    Ok(count)
}

/// The sanitizer's run time.
struct Asan<'a> {
    workspace: &'a Workspace,
    host: String,
    folder: PathBuf,
    library: PathBuf,
}

impl<'a> Asan<'a> {
    /// Makes the shared library.
    fn new(workspace: &'a Workspace) -> Result<Self> {
        let sh = &workspace.shell;
        let folder = output_folder(workspace, "asan")?;
        let about = read(cmd!(sh, "rustc -vV"))?;
        let host = about.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc does not tell its host")?.to_owned();
        let libraries = PathBuf::from(read(cmd!(sh, "rustc --print target-libdir"))?);
        let is_runtime = |path: &PathBuf| {
            path.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.starts_with("librustc") && n.ends_with("_rt.asan.a"))
        };
        let mut archives = Vec::new();
        for entry in std::fs::read_dir(&libraries).with_context(|| format!("{}", libraries.display()))? {
            archives.extend(Some(entry?.path()).filter(is_runtime));
        }
        let Some(archive) = archives.first() else {
            bail!(
                "the Rust toolchain for {host} has no run time of AddressSanitizer, librustc*_rt.asan.a in {}; \
                 the step needs one that has, such as that for x86_64-unknown-linux-gnu",
                libraries.display()
            );
        };
        // The part for programs, which is not allowed in a library; without it the sanitizer begins with the first call. `libasan.so` would be a name
        // that it takes for another run time's.
        let (own, library) = (folder.join("runtime.a"), folder.join("runtime.so"));
        std::fs::copy(archive, &own)?;
        run(cmd!(sh, "ar d {own} asan_preinit.cpp.o"))?;
        run(cmd!(sh, "cc -shared -o {library} -Wl,--whole-archive {own} -Wl,--no-whole-archive -lpthread -ldl -lm -lrt"))?;
        Ok(Self { workspace, host, folder, library })
    }

    /// A command whose processes have it.
    fn within<'c>(&self, command: Cmd<'c>) -> Cmd<'c> {
        let log = self.log().display().to_string();
        // What Python leaves behind at its end is not ours. NumPy asks for more than there is, and says so itself.
        let options = format!("detect_leaks=0:allocator_may_return_null=1:log_path={log}");
        // Python's own allocator would put objects side by side into blocks of its own.
        command.env("LD_PRELOAD", &self.library).env("ASAN_OPTIONS", options).env("PYTHONMALLOC", "malloc")
    }

    fn log(&self) -> PathBuf {
        self.folder.join("logs").join("report")
    }

    /// What has been reported since this was asked last: a file per process.
    fn reports(&self) -> Result<Vec<String>> {
        let folder = self.folder.join("logs");
        let mut found = Vec::new();
        for entry in std::fs::read_dir(&folder).with_context(|| format!("{}", folder.display()))? {
            let path = entry?.path();
            let text = std::fs::read_to_string(&path)?;
            std::fs::remove_file(&path)?;
            // A refused allocation is a warning.
            if text.contains("ERROR: AddressSanitizer") {
                found.push(text);
            }
        }
        Ok(found)
    }

    /// That what is wrong is seen, and nothing else: in a NumPy array of five elements, on its last one and on the one behind that.
    fn canaries(&self, venv: &Venv<'_>) -> Result<Count> {
        let sh = &self.workspace.shell;
        let (source, library, host) = (self.folder.join("canary.rs"), self.folder.join("libcanary.so"), &self.host);
        std::fs::write(&source, CANARY)?;
        let options = ["--edition", "2024", "-O", "--crate-type", "cdylib", "-Zsanitizer=address"];
        run(cmd!(sh, "rustc {options...} --target {host} -o {library} {source}").env("RUSTC_BOOTSTRAP", "1"))?;
        std::fs::create_dir_all(self.folder.join("logs"))?;
        self.reports()?;
        let mut count = Count::default();
        for function in ["reads", "writes", "copies"] {
            for (k, is_wrong) in [("4", false), ("5", true)] {
                let found = self.canary(venv, &library, function, k)?;
                let is_seen = found.iter().any(|report| report.contains("heap-buffer-overflow"));
                ensure!(is_seen == is_wrong, "AddressSanitizer on `{function}` of element {k} of 5 has said: {found:?}");
                count += Count::ONE;
            }
        }
        Ok(count)
    }

    fn canary(&self, venv: &Venv<'_>, library: &Path, function: &str, k: &str) -> Result<Vec<String>> {
        let python = venv.python();
        let command = cmd!(self.workspace.shell, "{python} -c {CALL} {library} {function} {k}");
        self.within(command).quiet().ignore_status().run()?;
        self.reports()
    }
}
