//! The stand-in for the driver, from a test's side.

use std::ffi::{CString, c_char, c_int};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

type Give = unsafe extern "C" fn(*mut u8, usize) -> usize;

/// The stand-in, for one test at a time.
pub struct Fake {
    library: &'static libloading::Library,
    cache: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

impl Fake {
    /// Loads it before anything asks for a driver, as its NVRTC too. PTX is cached in a folder of the test's own.
    pub fn start(test: &str) -> Self {
        static ALONE: Mutex<()> = Mutex::new(());
        static LIBRARY: OnceLock<libloading::Library> = OnceLock::new();
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let path = path();
        let library = LIBRARY.get_or_init(|| {
            // SAFETY: the stand-in has no initializers. Once it is there, the loader finds it by the driver's name.
            unsafe { libloading::Library::new(&path) }.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        });
        let folder = path.with_file_name("fake-cuda");
        let cache = folder.join(format!("{test}-{}", std::process::id()));
        std::fs::create_dir_all(&cache).unwrap_or_else(|error| panic!("{}: {error}", cache.display()));
        // SAFETY: tests that use the stand-in are alone, and no other ones are in these programs.
        unsafe {
            std::env::set_var("LANECRAFT_NVRTC", &path);
            std::env::set_var("LANECRAFT_CACHE", &cache);
            std::env::set_var("FAKE_CUDA_FOLDER", &folder);
        }
        let fake = Self { library, cache, _alone: alone };
        fake.restart();
        fake
    }

    /// Where PTX is cached.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// Forgets everything, what is alive too.
    pub fn restart(&self) {
        // SAFETY: the stand-in's own signature, here and below.
        self.function::<unsafe extern "C" fn(), _>("fake_restart", |f| unsafe { f() });
    }

    /// Forgets what was noted, and lets all calls through.
    pub fn reset(&self) {
        // SAFETY: as above.
        self.function::<unsafe extern "C" fn(), _>("fake_reset", |f| unsafe { f() });
    }

    /// Makes a call fail once, after it was let through `before` times.
    pub fn fail(&self, name: &str, before: u32) {
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: as above.
        self.function::<unsafe extern "C" fn(*const c_char, u32), _>("fake_fail", |f| unsafe { f(name.as_ptr(), before) });
    }

    /// Whether the call that was to fail has come.
    pub fn has_failed(&self) -> bool {
        // SAFETY: as above.
        self.function::<unsafe extern "C" fn() -> bool, _>("fake_has_failed", |f| unsafe { f() })
    }

    /// The CUDA version that the driver says it has.
    pub fn version(&self, version: c_int) {
        // SAFETY: as above.
        self.function::<unsafe extern "C" fn(c_int), _>("fake_version", |f| unsafe { f(version) });
    }

    /// The calls since the last reset.
    pub fn log(&self) -> Vec<String> {
        self.text("fake_log").lines().map(str::to_owned).collect()
    }

    /// The calls of one name: what they were given.
    pub fn calls(&self, name: &str) -> Vec<String> {
        let of = |line: String| Some(line.strip_prefix(name)?.strip_prefix('(')?.to_owned());
        self.log().into_iter().filter_map(of).collect()
    }

    /// What has been created and not given back.
    pub fn live(&self) -> String {
        self.text("fake_live")
    }

    fn text(&self, name: &str) -> String {
        self.function::<Give, _>(name, |give| {
            // SAFETY: as above; without room nothing is written.
            let mut text = vec![0; unsafe { give(std::ptr::null_mut(), 0) }];
            // SAFETY: as above.
            unsafe { give(text.as_mut_ptr(), text.len()) };
            String::from_utf8(text).unwrap_or_default()
        })
    }

    fn function<F: Copy, R>(&self, name: &str, call: impl FnOnce(F) -> R) -> R {
        // SAFETY: the callers name the function's own type.
        call(unsafe { *self.library.get::<F>(name.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}")) })
    }
}

impl Drop for Fake {
    /// A test ends with nothing left alive: what were given back later would meet the next test's devices.
    fn drop(&mut self) {
        let live = self.live();
        assert!(live.is_empty() || std::thread::panicking(), "still alive at the end of a test: {live}");
        self.reset();
        // What is left there is of no further use.
        let _ = std::fs::remove_dir_all(&self.cache);
    }
}

/// Cargo puts the library beside the tests.
pub fn path() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_else(|error| panic!("the test's own path: {error}"));
    own.with_file_name("liblanecraft_fake_cuda.so")
}
