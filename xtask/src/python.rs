//! Python: the virtual environment of the checkout, and the wheels in it.

use crate::process::{Count, read, run};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use xshell::cmd;

/// The oldest Python that Lanecraft's wheels support.
const OLDEST: (u32, u32) = (3, 11);

/// A list of packages: a pip requirements file.
#[derive(Clone, Copy, Debug)]
pub enum Packages {
    /// What builds and checks wheels.
    Tools,
    /// What the demonstration needs besides.
    Demo,
    /// NVIDIA's compilers.
    Cuda,
    /// What kernels are compared with, and used with.
    Peers,
    /// What measurements beside those need.
    Bench,
}

impl Packages {
    fn file(self) -> &'static str {
        match self {
            Self::Tools => "tools.txt",
            Self::Demo => "demo.txt",
            Self::Cuda => "cuda.txt",
            Self::Peers => "peers.txt",
            Self::Bench => "bench.txt",
        }
    }

    fn list(self, workspace: &Workspace) -> PathBuf {
        workspace.root.join("xtask/python").join(self.file())
    }
}

/// A Python package of this workspace.
#[derive(Clone, Copy, Debug)]
pub struct Wheel {
    /// Its name, and its crate's.
    pub name: &'static str,
    /// Its folder.
    pub folder: &'static str,
}

/// The reference wheel.
pub const FASTOPS: Wheel = Wheel { name: "fastops", folder: "examples/fastops" };
/// The recipes.
pub const COOKBOOK: Wheel = Wheel { name: "cookbook", folder: "examples/cookbook" };
/// Kernels with CUDA texts, for the tests with a stand-in for the driver.
pub const CUDA_KERNELS: Wheel = Wheel { name: "cuda_kernels", folder: "tests/cuda_launch/python/cuda_kernels" };
/// What the Python tests need besides: kernels of every shape.
pub const KERNEL_SHAPES: Wheel = Wheel { name: "kernel_shapes", folder: "tests/python/kernel_shapes" };

/// And ordinary functions and structs.
pub const FUNCTIONS: Wheel = Wheel { name: "functions", folder: "tests/python/functions" };

/// A virtual environment.
pub struct Venv<'a> {
    workspace: &'a Workspace,
    folder: PathBuf,
}

impl<'a> Venv<'a> {
    /// That of the checkout, `.venv/`.
    pub fn open(workspace: &'a Workspace) -> Result<Self> {
        Self::open_at(workspace, workspace.root.join(".venv"))
    }

    /// That of torch and its like, in the user's cache folder: one per content of the list, for all checkouts. Nothing else than
    /// [`Packages::Bench`] is installed there; [`site`](Self::site) is where a checkout's wheels go.
    pub fn peers(workspace: &'a Workspace) -> Result<Self> {
        let list = std::fs::read_to_string(Packages::Peers.list(workspace))?;
        // Another Rust may hash differently, and then they are installed once more.
        let mut hasher = std::hash::DefaultHasher::new();
        list.hash(&mut hasher);
        let venv = Self::open_at(workspace, cache_folder()?.join(format!("peers-{:016x}", hasher.finish())))?;
        venv.install(Packages::Peers)?;
        Ok(venv)
    }

    /// Opens one, and makes it first if it is not there or does not work.
    fn open_at(workspace: &'a Workspace, folder: PathBuf) -> Result<Self> {
        let venv = Self { workspace, folder };
        let python = venv.python();
        if python.exists() && version_of(workspace, &python).is_ok_and(|version| version >= OLDEST) && venv.has_pip() {
            return Ok(venv);
        }
        let base = find_python(workspace)?;
        let folder = &venv.folder;
        run(cmd!(workspace.shell, "{base} -m venv --clear {folder}")).with_context(|| {
            format!(
                "{} cannot make a virtual environment. If it lacks the module `venv` or `ensurepip`, install it (Debian, Ubuntu: `apt install \
                 python3-venv`), or name another Python with the environment variable PYTHON",
                base.display()
            )
        })?;
        Ok(venv)
    }

    /// Its interpreter.
    pub fn python(&self) -> PathBuf {
        self.program("python")
    }

    /// A program that a package brought.
    pub fn program(&self, name: &str) -> PathBuf {
        if cfg!(windows) { self.folder.join("Scripts").join(name).with_extension("exe") } else { self.folder.join("bin").join(name) }
    }

    fn has_pip(&self) -> bool {
        let python = self.python();
        cmd!(self.workspace.shell, "{python} -m pip --version").quiet().ignore_stderr().read().is_ok()
    }

    /// Installs packages, unless the list is the one that was installed last.
    pub fn install(&self, packages: Packages) -> Result<()> {
        let list = packages.list(self.workspace);
        let wanted = std::fs::read_to_string(&list).with_context(|| format!("{}", list.display()))?;
        let stamp = self.folder.join(format!("installed-{}", packages.file()));
        if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(());
        }
        let python = self.python();
        run(cmd!(self.workspace.shell, "{python} -m pip install --quiet --disable-pip-version-check -r {list}"))
            .context("pip could not install the packages: is PyPI reachable from here?")?;
        std::fs::write(&stamp, wanted)?;
        Ok(())
    }

    /// Builds a wheel and installs it. Its path.
    pub fn install_wheel(&self, wheel: Wheel) -> Result<PathBuf> {
        let file = self.build(wheel)?;
        let python = self.python();
        run(cmd!(self.workspace.shell, "{python} -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps {file}"))?;
        Ok(file)
    }

    /// Unpacks built wheels where this environment's interpreter finds them with `PYTHONPATH`. The folder.
    pub fn site(&self, wheels: &[PathBuf]) -> Result<PathBuf> {
        self.site_at(&self.workspace.target.join("peers"), wheels)
    }

    /// The same, in a folder of one's own.
    pub fn site_at(&self, site: &Path, wheels: &[PathBuf]) -> Result<PathBuf> {
        let python = self.python();
        let options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--upgrade"];
        run(cmd!(self.workspace.shell, "{python} -m pip install {options...} --target {site} {wheels...}"))?;
        Ok(site.to_owned())
    }

    /// The wheel that was built last.
    pub fn built(&self, wheel: Wheel) -> Result<PathBuf> {
        only_wheel_in(&self.workspace.target.join("wheels").join(wheel.name))
    }

    /// Builds a wheel: as a user's would be, but its assembly is kept beside the object files for `asm-gate`, with symbols
    /// that name their type arguments. That changes no instruction: 16 codegen units are the release profile's default.
    fn build(&self, wheel: Wheel) -> Result<PathBuf> {
        self.install(Packages::Tools)?;
        let (maturin, python, sh) = (self.program("maturin"), self.python(), &self.workspace.shell);
        let out = self.workspace.target.join("wheels").join(wheel.name);
        if out.exists() {
            std::fs::remove_dir_all(&out).with_context(|| format!("{}", out.display()))?;
        }
        let manifest = self.workspace.root.join(wheel.folder).join("Cargo.toml");
        let rustc = ["--emit", "asm", "-C", "symbol-mangling-version=v0", "-C", "codegen-units=16"];
        let options = ["--release", "--quiet"];
        run(cmd!(sh, "{maturin} build {options...} --manifest-path {manifest} --interpreter {python} --out {out} -- {rustc...}"))?;
        only_wheel_in(&out)
    }

    /// Builds the wheel of any crate, for development, with what it takes in `folder`.
    pub fn build_at(&self, crate_: &Path, folder: &Path) -> Result<PathBuf> {
        self.install(Packages::Tools)?;
        let (maturin, python, sh, out) = (self.program("maturin"), self.python(), &self.workspace.shell, folder.join("wheels"));
        let manifest = crate_.join("Cargo.toml");
        let command = cmd!(sh, "{maturin} build --quiet --manifest-path {manifest} --interpreter {python} --out {out}");
        run(command.env("CARGO_TARGET_DIR", folder.join("target")))?;
        only_wheel_in(&out)
    }

    /// Builds a wheel whose code AddressSanitizer sees, in `folder`. The target is named, so that build scripts and macros stay as they are.
    pub fn build_for_asan(&self, wheel: Wheel, target: &str, folder: &Path) -> Result<PathBuf> {
        self.install(Packages::Tools)?;
        let (maturin, python, sh) = (self.program("maturin"), self.python(), &self.workspace.shell);
        let out = folder.join("wheels").join(wheel.name);
        if out.exists() {
            std::fs::remove_dir_all(&out).with_context(|| format!("{}", out.display()))?;
        }
        let manifest = self.workspace.root.join(wheel.folder).join("Cargo.toml");
        // A development build: it has debug assertions, and optimises a little.
        let options = ["--quiet", "--auditwheel", "skip", "--target", target];
        let command = cmd!(sh, "{maturin} build {options...} --manifest-path {manifest} --interpreter {python} --out {out}");
        let command = command.env("CARGO_TARGET_DIR", folder.join("target")).env("CARGO_INCREMENTAL", "0");
        run(command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address"))?;
        only_wheel_in(&out)
    }

    /// What Python's `-c` prints.
    pub fn eval(&self, code: &str) -> Result<String> {
        let python = self.python();
        read(cmd!(self.workspace.shell, "{python} -c {code}"))
    }
}

/// NVIDIA's compilers, from PyPI, in a virtual environment of their own in Cargo's target folder. The folder of the packages.
pub fn cuda_tools(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.target.join("cuda-tools");
    let venv = Venv { workspace, folder: folder.clone() };
    if !venv.python().exists() {
        let base = find_python(workspace)?;
        run(cmd!(workspace.shell, "{base} -m venv --clear {folder}")).context("the virtual environment for NVIDIA's compilers")?;
    }
    venv.install(Packages::Cuda)?;
    venv.eval("import sysconfig; print(sysconfig.get_path('platlib'))").map(PathBuf::from)
}

/// Checks what the wheel of fastops holds: the typed stub with its marker, and nothing large.
pub fn check_wheel(venv: &Venv<'_>, file: &Path) -> Result<Count> {
    const MAX_BYTES: u64 = 4 << 20;
    let bytes = std::fs::metadata(file)?.len();
    let wheel = file.display();
    let names = venv.eval(&format!("import zipfile; print(*zipfile.ZipFile({:?}).namelist(), sep='\\n')", wheel.to_string()))?;
    println!("{wheel}: {:.2} MiB\n  {}", bytes as f64 / f64::from(1 << 20), names.replace('\n', "\n  "));
    if bytes > MAX_BYTES {
        bail!("the wheel has {bytes} bytes; at most {MAX_BYTES} are allowed");
    }
    for (what, is_it) in [
        ("a type stub `fastops/*.pyi`", (|name: &str| name.starts_with("fastops/") && name.ends_with(".pyi")) as fn(&str) -> bool),
        ("the marker `fastops/py.typed`", |name| name == "fastops/py.typed"),
        ("a bill of materials `*.dist-info/sboms/*.cyclonedx.json`", |name| {
            name.contains(".dist-info/sboms/") && name.ends_with(".cyclonedx.json")
        }),
        ("a stable-ABI module `fastops/*.abi3.so`", |name| {
            name.starts_with("fastops/") && (name.contains(".abi3.") || name.ends_with(".pyd"))
        }),
    ] {
        if !names.lines().any(is_it) {
            bail!("the wheel lacks {what}");
        }
    }
    // Of each crate in the module the bill says which version it is, and under which licence.
    let unlicensed = "import json, sys, zipfile; wheel = zipfile.ZipFile(sys.argv[1]); \
                      [bill] = [name for name in wheel.namelist() if name.endswith('.cyclonedx.json')]; \
                      crates = json.loads(wheel.read(bill))['components']; assert 'lanecraft-core' in [crate['name'] for crate in crates]; \
                      print(*[crate['name'] for crate in crates if not crate.get('licenses') or not crate.get('version')])";
    let python = venv.python();
    let unlicensed = read(cmd!(venv.workspace.shell, "{python} -c {unlicensed} {file}"))?;
    ensure!(unlicensed.is_empty(), "the bill of materials lacks versions or licences of {unlicensed}");
    let mut count = Count { passed: 6, failed: 0 };
    count += audit_wheel(venv, file)?;
    Ok(count)
}

/// What others say of the wheel: PyPI's own checker, one for the usual mistakes in what it holds, and those of the ABIs that its name promises.
fn audit_wheel(venv: &Venv<'_>, wheel: &Path) -> Result<Count> {
    let sh = &venv.workspace.shell;
    let [twine, contents, abi3audit, auditwheel] =
        ["twine", "check-wheel-contents", "abi3audit", "auditwheel"].map(|name| venv.program(name));
    let mut count = run(cmd!(sh, "{twine} check {wheel}"))?;
    count += run(cmd!(sh, "{contents} {wheel}"))?;
    count += run(cmd!(sh, "{abi3audit} --strict {wheel}"))?;
    if cfg!(target_os = "linux") {
        let said = read(cmd!(sh, "{auditwheel} show {wheel}"))?.split_whitespace().collect::<Vec<_>>().join(" ");
        println!("{said}");
        // A wheel that needs more of the system than any policy allows is `linux_x86_64` to it.
        if !said.contains("is consistent with the following platform tag: \"manylinux_") {
            bail!("auditwheel finds no manylinux policy that the wheel keeps");
        }
        count += Count::ONE;
        // Made fit for that policy: no library is missing, and nothing has to be changed.
        let (out, path) = (venv.workspace.target.join("repaired"), std::env::var("PATH").unwrap_or_default());
        let bin = venv.folder.join("bin");
        count += run(cmd!(sh, "{auditwheel} repair --wheel-dir {out} {wheel}").env("PATH", format!("{}:{path}", bin.display())))?;
    }
    Ok(count)
}

/// The user's cache folder for Lanecraft.
fn cache_folder() -> Result<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_CACHE_HOME").or_else(|| set("LOCALAPPDATA")).or_else(|| set("HOME").map(|home| home.join(".cache")));
    Ok(folder.context("no folder for caches: set XDG_CACHE_HOME or HOME")?.join("lanecraft"))
}

fn only_wheel_in(folder: &Path) -> Result<PathBuf> {
    let mut wheels = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("{}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "whl") {
            wheels.push(path);
        }
    }
    match <[PathBuf; 1]>::try_from(wheels) {
        Ok([wheel]) => Ok(wheel),
        Err(wheels) => bail!("maturin left {} wheels in {}, and should leave one", wheels.len(), folder.display()),
    }
}

/// A Python to make the virtual environment with: `PYTHON`, else the first in PATH that is new enough.
fn find_python(workspace: &Workspace) -> Result<PathBuf> {
    if let Some(python) = std::env::var_os("PYTHON").filter(|python| !python.is_empty()) {
        let python = PathBuf::from(python);
        let version = version_of(workspace, &python).with_context(|| format!("environment variable PYTHON is `{}`", python.display()))?;
        if version < OLDEST {
            bail!("environment variable PYTHON names a Python {}.{}; 3.11 or newer is needed", version.0, version.1);
        }
        return Ok(python);
    }
    let mut found = Vec::new();
    for name in ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"] {
        let python = PathBuf::from(name);
        match version_of(workspace, &python) {
            Ok(version) if version >= OLDEST => return Ok(python),
            Ok(version) => found.push(format!("{name} is {}.{}", version.0, version.1)),
            Err(_) => {}
        }
    }
    let found = if found.is_empty() { "there is none in PATH".to_owned() } else { found.join(", ") };
    bail!("Python 3.11 or newer is needed, and {found}. Install one, or name it with the environment variable PYTHON")
}

/// Those in PATH that are new enough and of another version than an environment's, the oldest first.
pub fn other_pythons(workspace: &Workspace, venv: &Venv<'_>) -> Result<Vec<(PathBuf, (u32, u32))>> {
    let own = version_of(workspace, &venv.python())?;
    let mut found = Vec::new();
    for version in (OLDEST.1..=14).map(|minor| (OLDEST.0, minor)).filter(|version| *version != own) {
        let name = format!("{}.{}", version.0, version.1);
        // pyenv has them all in PATH, and one of them work.
        let asked = cmd!(workspace.shell, "python{name} -c 'import sys; print(sys.executable)'").env("PYENV_VERSION", &name);
        if let Ok(python) = asked.quiet().ignore_stderr().read() {
            found.push((PathBuf::from(python), version));
        }
    }
    Ok(found)
}

fn version_of(workspace: &Workspace, python: &Path) -> Result<(u32, u32)> {
    let code = "import sys; print(*sys.version_info[:2])";
    let printed = cmd!(workspace.shell, "{python} -c {code}").quiet().ignore_stderr().read()?;
    parse_version(&printed).with_context(|| format!("`{printed}` is no Python version"))
}

fn parse_version(printed: &str) -> Option<(u32, u32)> {
    let (major, minor) = printed.trim().split_once(' ')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{OLDEST, parse_version};

    #[test]
    fn versions_compare_as_numbers() {
        assert_eq!(parse_version("3 9\n"), Some((3, 9)));
        assert!(parse_version("3 9") < Some(OLDEST));
        assert!(parse_version("3 11") >= Some(OLDEST));
        assert!(parse_version("3 100") >= Some(OLDEST));
        assert_eq!(parse_version("Python 2.7"), None);
    }
}
