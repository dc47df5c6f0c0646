//! `cargo xtask neon`: the Rust tests for 64-bit ARM, compiled on x86-64 and run under qemu.
//!
//! rustup may have no other target at hand, but Debian has a current rustc with a standard library for arm64, a cross linker, and
//! qemu. They are unpacked below the target folder; nothing is installed, and no right beyond that is needed.

use super::output_folder;
use super::ulp;
use crate::process::{Count, read, run as run_program, run_tests};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use xshell::{Cmd, Shell, cmd};

const TARGET: &str = "aarch64-unknown-linux-gnu";

/// Debian's packages, but for the two whose names hold a version.
const PACKAGES: [&str; 13] = [
    "rustc-web",
    "libstd-rust-web-dev",
    "libstd-rust-web-dev:arm64",
    "qemu-user",
    "libcapstone4",
    "gcc-12-aarch64-linux-gnu",
    "cpp-12-aarch64-linux-gnu",
    "binutils-aarch64-linux-gnu",
    "libc6-arm64-cross",
    "libc6-dev-arm64-cross",
    "libgcc-12-dev-arm64-cross",
    "libgcc-s1-arm64-cross",
    "linux-libc-dev-arm64-cross",
];

/// Tests that start a program: a compiler, which is not there for ARM, or themselves, which the kernel cannot run without qemu.
const SKIPPED: [&str; 2] = ["rejected", "a_forked_child_makes_its_own_threads"];

/// Runs the tests.
pub fn run(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    super::no_options(arguments)?;
    let count = tests(workspace)?;
    println!("\n{} passed, {} failed", count.passed, count.failed);
    Ok(count.failed == 0)
}

/// The tests of the crates that run kernels, and the math functions' errors and bits, which must be those of x86.
pub fn tests(workspace: &Workspace) -> Result<Count> {
    ensure!(
        cfg!(all(target_os = "linux", target_arch = "x86_64")),
        "the tests under qemu need Linux on x86-64; on ARM, `cargo xtask test` runs them"
    );
    let tools = Tools::get(workspace)?;
    let packages =
        ["--package", "lanecraft-core", "--package", "lanecraft-backends", "--package", "lanecraft", "--features", "lanecraft/ndarray"];
    let sh = &workspace.shell;
    let skip = SKIPPED.iter().flat_map(|test| ["--skip", test]);
    let mut count =
        run_tests(tools.cross(cmd!(sh, "cargo test --target {TARGET} {packages...} --lib --tests --no-fail-fast -- --quiet {skip...}")))?;

    run_program(tools.cross(cmd!(sh, "cargo build --release --target {TARGET} --package lanecraft-ulp")))?;
    let (emulator, program) = (&tools.emulator, tools.target.join(TARGET).join("release/ulp"));
    let options = ["--stride", "60013", "--samples", "50000"];
    println!("$ {} {} {}", emulator.display(), program.display(), options.join(" "));
    let neon = read(cmd!(sh, "{emulator} {program} {options...}"))?;
    println!("{neon}");
    let x86 = ulp::table(workspace, &options)?;
    let (neon, x86) = (hashes(&neon, "neon"), hashes(&x86, "portable"));
    ensure!(!neon.is_empty(), "the table has no row of level neon");
    for (row, hash) in &neon {
        let same = x86.iter().any(|(other, other_hash)| other == row && other_hash == hash);
        if !same {
            println!("FAILED: {row}: neon gives other bits than x86");
        }
        count += Count { passed: usize::from(same), failed: usize::from(!same) };
    }
    println!("{} functions compared with x86, bit by bit", neon.len());
    Ok(count)
}

/// Function and dtype, and the hash of the results, of a level's rows in the table of `ulp`.
fn hashes(table: &str, level: &str) -> Vec<(String, String)> {
    let rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let rows = rows.filter(|words| words.len() == 9 && words[2] == level);
    rows.map(|words| (format!("{} {}", words[0], words[1]), words[7].to_owned())).collect()
}

/// The cross compiler and the emulator.
struct Tools {
    rustc: PathBuf,
    linker: PathBuf,
    archiver: PathBuf,
    emulator: PathBuf,
    target: PathBuf,
}

impl Tools {
    /// Downloads and unpacks them, if that has not been done.
    fn get(workspace: &Workspace) -> Result<Self> {
        let folder = output_folder(workspace, "neon")?;
        let root = folder.join("root");
        let done = folder.join("unpacked");
        if !done.exists() {
            download(&workspace.shell, &folder, &root)?;
            std::fs::write(&done, "")?;
        }
        let path = root.display();
        let libraries = format!("LD_LIBRARY_PATH={path}/usr/lib/x86_64-linux-gnu");
        let cross = format!("{path}/usr/aarch64-linux-gnu");
        let tools = Self {
            rustc: folder.join("rustc"),
            linker: folder.join("cc"),
            archiver: folder.join("ar"),
            emulator: folder.join("emulator"),
            target: folder.join("target"),
        };
        script(&tools.rustc, &format!("{libraries} exec {path}/usr/bin/rustc --sysroot {path}/usr \"$@\""))?;
        let flags = format!("--sysroot={path} -B{cross}/lib -L{cross}/lib -B{path}/usr/bin -isystem {cross}/include");
        script(&tools.linker, &format!("{libraries} exec {path}/usr/bin/aarch64-linux-gnu-gcc-12 {flags} \"$@\""))?;
        script(&tools.archiver, &format!("{libraries} exec {path}/usr/bin/aarch64-linux-gnu-ar \"$@\""))?;
        script(&tools.emulator, &format!("{libraries} exec {path}/usr/bin/qemu-aarch64 -U LD_LIBRARY_PATH -L {cross} \"$@\""))?;
        Ok(tools)
    }

    /// The command with this compiler, linker and emulator, and a target folder of its own: another compiler's leave no room for it.
    fn cross<'a>(&self, command: Cmd<'a>) -> Cmd<'a> {
        command
            .env("RUSTC", &self.rustc)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", &self.linker)
            .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", &self.emulator)
            .env("CC_aarch64_unknown_linux_gnu", &self.linker)
            .env("AR_aarch64_unknown_linux_gnu", &self.archiver)
            .env_remove("RUSTUP_TOOLCHAIN")
    }
}

#[cfg(unix)]
fn script(at: &Path, line: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(at, format!("#!/bin/sh\n{line}\n")).with_context(|| format!("{}", at.display()))?;
    std::fs::set_permissions(at, std::fs::Permissions::from_mode(0o755))?;
    Ok(())
}

#[cfg(not(unix))]
fn script(_: &Path, _: &str) -> Result<()> {
    bail!("scripts need a Unix shell")
}

/// Downloads the packages with lists and caches of our own, and unpacks them.
fn download(sh: &Shell, folder: &Path, root: &Path) -> Result<()> {
    for program in ["apt-get", "dpkg"] {
        if cmd!(sh, "{program} --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
            bail!(
                "`{program}` is missing: the compiler and emulator for 64-bit ARM come from Debian's packages; run this on Debian 12 or its kin"
            );
        }
    }
    let (lists, cache, packages) = (folder.join("apt/lists"), folder.join("apt/cache"), folder.join("packages"));
    for path in [&lists.join("partial"), &cache.join("archives/partial"), &packages, &root.to_owned()] {
        std::fs::create_dir_all(path)?;
    }
    let mut settings = String::new();
    writeln!(settings, "Dir::State::Lists \"{}\";\nDir::Cache \"{}\";", lists.display(), cache.display())?;
    writeln!(settings, "APT::Architectures {{ \"amd64\"; \"arm64\"; }};\nAPT::Sandbox::User \"\";")?;
    let config = folder.join("apt/apt.conf");
    std::fs::write(&config, settings)?;
    let apt = |command: Cmd<'_>| run_program(command.env("APT_CONFIG", &config));

    apt(cmd!(sh, "apt-get update -qq")).context("apt-get cannot reach Debian's packages")?;
    let dependency = |package: &str, prefix: &str| -> Result<String> {
        let shown = read(cmd!(sh, "apt-cache show --no-all-versions {package}").env("APT_CONFIG", &config))?;
        dependency(&shown, prefix).with_context(|| format!("Debian's {package} needs no {prefix}*: its packages have changed"))
    };
    let libraries = dependency("libstd-rust-web-dev", "libstd-rust-web-")?;
    let llvm = dependency(&libraries, "libllvm")?;
    {
        let _in_packages = sh.push_dir(&packages);
        apt(cmd!(sh, "apt-get download -qq {PACKAGES...} {libraries} {llvm}")).context("a package is missing: Debian 12 has them all")?;
    }
    for package in sh.read_dir(&packages)? {
        run_program(cmd!(sh, "dpkg -x {package} {root}"))?;
    }
    Ok(())
}

/// The package that a package needs whose name starts so.
fn dependency(shown: &str, prefix: &str) -> Option<String> {
    let depends = shown.lines().find_map(|line| line.strip_prefix("Depends: "))?;
    let mut names = depends.split(", ").filter_map(|dependency| dependency.split_whitespace().next());
    names.find(|name| name.starts_with(prefix)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{dependency, hashes};

    #[test]
    fn a_dependency_is_found() {
        let shown = "Package: libstd-rust-web-dev\nDepends: libc6 (>= 2.34), libstd-rust-web-1.96 (= 1.96.0+dfsg1-1)\n";
        assert_eq!(dependency(shown, "libstd-rust-web-").as_deref(), Some("libstd-rust-web-1.96"));
        assert_eq!(dependency(shown, "libllvm"), None);
    }

    #[test]
    fn hashes_are_read() {
        let table = "function dtype  level\nexp      f32    neon             71571    0.8221    1.0  0.03348  8bafcc034d655552  -16.9\nexp f32 portable 1 1.0 1.0 0.0 00 1.0\n";
        assert_eq!(hashes(table, "neon"), [("exp f32".to_owned(), "8bafcc034d655552".to_owned())]);
    }
}
