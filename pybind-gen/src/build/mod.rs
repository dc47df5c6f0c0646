//! The build-script helper: typed stubs from the crate's sources.
//!
//! A build script runs before macros expand, so it cannot ask them. It walks the crate's modules (`sources`), reads
//! what is exported with the parser that the macros use, and prints the stub ([`stub`]) into `OUT_DIR`. From there maturin takes it
//! into the wheel:
//!
//! ```toml
//! [tool.maturin]
//! include = [
//!     { path = "*.pyi", from = "out-dir", to = "fastops/" },
//!     { path = "py.typed", from = "out-dir", to = "fastops/" },
//! ]
//! ```
//!
//! What the compiler will report at the user's line (a syntax error, a missing module, a kernel that the language rejects) is left to
//! the compiler: failing here would hide it. Such an item is missing in the stub and named in a warning.

mod cfg;
mod overrides;
mod sources;
pub mod stub;

pub use overrides::Overrides;
pub use sources::Exported;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fmt, fs};

/// Stubs by file name: `__init__.pyi`, then those of the submodules.
pub type Stubs = Vec<(String, String)>;

/// The submodule of each class; `None`: the module itself.
pub type Classes = BTreeMap<String, Option<String>>;

/// Why there is no stub. `Debug` prints the message, since that is what cargo shows when a build script's `main` returns it.
pub struct Error {
    message: String,
}

impl Error {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Writes `__init__.pyi`, one `name.pyi` per submodule, and `py.typed` for what this crate exports, whose root is
/// `src/lib.rs`, into `OUT_DIR`.
///
/// Call it from `build.rs`:
///
/// ```no_run
/// fn main() -> Result<(), lanecraft_pybind_gen::build::Error> {
///     lanecraft_pybind_gen::build::stubs()
/// }
/// ```
///
/// # Errors
/// Not run by cargo; a file that cannot be read or written; two exports of one name; a name that Python cannot take.
pub fn stubs() -> Result<(), Error> {
    stubs_of("src/lib.rs")
}

/// [`stubs`] for a crate whose root is another file, relative to `Cargo.toml`.
///
/// # Errors
/// As for [`stubs`].
pub fn stubs_of(root: impl AsRef<Path>) -> Result<(), Error> {
    let package = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let overrides = Overrides::of_crate(&package)?;
    let root = package.join(root);
    let out = PathBuf::from(variable("OUT_DIR")?);
    let crate_ = sources::read(&root, &cfg::Cfg::of_build_script())?;
    for file in crate_.files.iter().chain([&overrides.file]) {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    for (name, value) in overrides.variables() {
        println!("cargo::rustc-env={name}={value}");
    }
    for warning in &crate_.warnings {
        println!("cargo::warning=stub: {warning}");
    }
    remove_stubs(&out)?;
    for (file, text) in stubs_in(crate_.exports, &overrides)? {
        write(&out.join(file), &text)?;
    }
    write(&out.join("py.typed"), "")
}

/// The stub of one source text, for tests and tools: what [`stubs`] writes for a crate of this one file.
///
/// # Errors
/// A syntax error, a kernel that the language rejects, and what [`stubs`] refuses.
pub fn stub_of(source: &str) -> Result<String, Error> {
    let stubs = text_of(sources::parse(source)?, &Overrides::default())?;
    Ok(stubs.into_iter().next().map(|(_, text)| text).unwrap_or_default())
}

/// The stubs of the crate whose root is this file, by file name, with no feature of it on: what [`stubs`] writes.
///
/// # Errors
/// As for [`stub_of`]; a file that cannot be read.
pub fn stubs_of_crate(root: impl AsRef<Path>) -> Result<Stubs, Error> {
    text_of(sources::read(root.as_ref(), &cfg::Cfg::empty())?, &Overrides::default())
}

/// [`stubs_of_crate`] for the crate in this folder, whose root is `src/lib.rs`, with its overrides.
///
/// # Errors
/// As for [`stubs_of_crate`]; overrides that are not understood.
pub fn stubs_of_package(folder: &Path) -> Result<Stubs, Error> {
    let overrides = Overrides::of_crate(folder)?;
    text_of(sources::read(&folder.join("src/lib.rs"), &cfg::Cfg::empty())?, &overrides)
}

fn text_of(crate_: sources::Crate, overrides: &Overrides) -> Result<Stubs, Error> {
    match crate_.warnings.first() {
        Some(warning) => Err(Error::new(warning)),
        None => stubs_in(crate_.exports, overrides),
    }
}

/// The stubs of a module and its submodules, by file, the module's first.
fn stubs_in(exports: Vec<sources::Found>, overrides: &Overrides) -> Result<Stubs, Error> {
    let exports = overrides.publish(exports)?;
    let classes = classes(&exports);
    let mut parts: BTreeMap<String, Vec<sources::Found>> = BTreeMap::new();
    let mut own = Vec::new();
    for found in exports {
        match found.export.submodule().map(str::to_owned) {
            None => own.push(found),
            Some(module) => parts.entry(module).or_default().push(found),
        }
    }
    for (name, exports) in &parts {
        let taken = own.iter().any(|found| found.export.name() == name.as_str());
        if let (Some(message), Some(first)) = (crate::names::submodule_refusal(name, taken), exports.first()) {
            return Err(Error::new(format!("{}: {message}", first.at)));
        }
    }
    let names: Vec<String> = parts.keys().cloned().collect();
    let mut stubs = vec![("__init__.pyi".to_owned(), stub::module(&exported(own)?, &names, &classes))];
    for (name, exports) in parts {
        let stub = stub::submodule(&exported(exports)?, &name, overrides.docs(&name), &classes);
        stubs.push((format!("{name}.pyi"), stub));
    }
    Ok(stubs)
}

/// Where the classes of exported structs are.
fn classes(exports: &[sources::Found]) -> Classes {
    let structs = exports.iter().filter(|found| matches!(found.export, Exported::Struct(_)));
    structs.map(|found| (found.export.name().to_string(), found.export.submodule().map(str::to_owned))).collect()
}

/// The exports of one module by name.
fn exported(exports: Vec<sources::Found>) -> Result<Vec<Exported>, Error> {
    let mut by_name: BTreeMap<String, sources::Found> = BTreeMap::new();
    for found in exports {
        let name = found.export.name().to_string();
        if let Some(message) = found.export.refusal() {
            return Err(Error::new(format!("{}: {message}", found.at)));
        }
        if let Some(other) = by_name.get(&name) {
            let what = found.export.what();
            return Err(Error::new(format!("{}: {what} `{name}` is exported at {} too; rename one", found.at, other.at)));
        }
        by_name.insert(name, found);
    }
    Ok(by_name.into_values().map(|found| found.export).collect())
}

fn variable(name: &str) -> Result<String, Error> {
    env::var(name)
        .map_err(|_| Error::new(format!("environment variable {name} is missing; call this from a build script, which cargo runs")))
}

/// Removes the stubs of an earlier run: a submodule may be gone.
fn remove_stubs(folder: &Path) -> Result<(), Error> {
    let failed = |e: std::io::Error| Error::new(format!("cannot clear {}: {e}", folder.display()));
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "pyi") {
            fs::remove_file(&path).map_err(failed)?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|e| Error::new(format!("cannot write {}: {e}", path.display())))
}
