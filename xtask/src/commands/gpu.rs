//! `cargo xtask gpu-kit` and `cargo xtask gpu`: the kernels of fastops on a GPU. The kit is a folder that needs only Python and torch, and is made on
//! any machine; what is in it is in `benches/gpu`.

use super::output_folder;
use crate::process::{Count, run as run_program, run_tests};
use crate::python::{self, FASTOPS, Packages, Venv};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use lexopt::prelude::*;
use std::path::{Path, PathBuf};
use xshell::cmd;

/// Prints why the driver's library cannot be loaded; nothing if it can.
const DRIVER: &str = "
import ctypes
try:
    ctypes.CDLL('libcuda.so.1')
except OSError as error:
    print(error)
";

/// The place of the table in `docs/gpu.md`.
const MARKS: [&str; 2] = ["<!-- the table -->\n", "<!-- its end -->\n"];

/// Makes the kit.
pub fn run_kit(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    let mut with_ptx = true;
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("no-ptx") => with_ptx = false,
            _ => return Err(argument.unexpected().into()),
        }
    }
    let venv = Venv::open(workspace)?;
    venv.install(Packages::Tools)?;
    let wheel = venv.install_wheel(FASTOPS)?;
    let kit = kit(workspace, &venv, &wheel, with_ptx)?;
    println!("\n{}: copy it to a machine with a GPU, and run `python run.py` there", kit.display());
    Ok(true)
}

/// Runs the kit on this machine, and puts what comes out into `docs/gpu.md`.
pub fn run(workspace: &Workspace, arguments: &mut lexopt::Parser) -> Result<bool> {
    let options: Vec<std::ffi::OsString> = arguments.raw_args()?.collect();
    let venv = Venv::open(workspace)?;
    let missing = venv.eval(DRIVER)?;
    if !missing.is_empty() {
        bail!("there is no GPU here: {missing}. `cargo xtask gpu-kit` makes a folder to run where there is one");
    }
    venv.install(Packages::Tools)?;
    let wheel = venv.install_wheel(FASTOPS)?;
    let kit = kit(workspace, &venv, &wheel, true)?;
    let python = Venv::peers(workspace)?.python();
    let ran = run_program(cmd!(workspace.shell, "{python} {kit}/run.py {options...}"));
    let page = workspace.root.join("docs/gpu.md");
    if let Ok(table) = std::fs::read_to_string(kit.join("results/results.md")) {
        std::fs::write(&page, with_table(&std::fs::read_to_string(&page)?, &table)?)?;
        println!("the table is in {}", page.display());
    }
    ran.map(|_| true)
}

/// The kit is made, and its program tried out on the CPU.
pub fn check(workspace: &Workspace, venv: &Venv<'_>) -> Result<Count> {
    let kit = kit(workspace, venv, &venv.built(FASTOPS)?, false)?;
    let peers = Venv::peers(workspace)?;
    let (python, site) = (peers.python(), peers.site(&[venv.built(FASTOPS)?])?);
    let tests = cmd!(workspace.shell, "{python} -m pytest -q -p no:cacheprovider tests/gpu_kit");
    run_tests(tests.env("PYTHONPATH", site).env("LANECRAFT_GPU_KIT", kit))
}

/// A folder with the wheel, with PTX in it if that can be made here, the program, and the hashes of what the CPU gives.
fn kit(workspace: &Workspace, venv: &Venv<'_>, wheel: &Path, with_ptx: bool) -> Result<PathBuf> {
    let (sh, kit) = (&workspace.shell, output_folder(workspace, "gpu-kit")?);
    std::fs::remove_dir_all(&kit)?;
    let wheels = kit.join("wheels");
    std::fs::create_dir_all(&wheels)?;
    std::fs::create_dir_all(kit.join("kit"))?;
    for folder in ["", "kit"] {
        for entry in std::fs::read_dir(workspace.root.join("benches/gpu").join(folder))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "py") {
                sh.copy_file(&path, kit.join(folder))?;
            }
        }
    }
    sh.copy_file(wheel, &wheels)?;
    if with_ptx {
        let packed = wheels.join(wheel.file_name().context("a wheel has a name")?);
        if let Err(error) = pack(workspace, venv, &packed) {
            println!("no PTX is in the kit, whose kernels NVRTC compiles where it runs: {error:#}");
        }
    }
    let peers = Venv::peers(workspace)?;
    let (python, site) = (peers.python(), peers.site(&[wheel.to_owned()])?);
    let expect = cmd!(sh, "{python} {kit}/run.py --expect {kit}/expected.json");
    run_program(expect.env("PYTHONPATH", site).env("LANECRAFT_EXACT", "1").env("PYTHONDONTWRITEBYTECODE", "1"))?;
    Ok(kit)
}

/// Puts PTX into a wheel, by the NVRTC from PyPI.
fn pack(workspace: &Workspace, venv: &Venv<'_>, wheel: &Path) -> Result<Count> {
    let nvrtc = python::cuda_tools(workspace)?.join("nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    let python = venv.python();
    let pack = cmd!(workspace.shell, "{python} -m lanecraft ptx {wheel}");
    run_program(pack.env("PYTHONPATH", workspace.root.join("python")).env("LANECRAFT_NVRTC", nvrtc))
}

/// The page with another table.
fn with_table(page: &str, table: &str) -> Result<String> {
    let [begin, end] = MARKS;
    let parts = page.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let (before, behind) = parts.context("docs/gpu.md has no place for the table")?;
    Ok(format!("{before}{begin}\n{table}\n{end}{behind}"))
}

#[cfg(test)]
mod tests {
    use super::with_table;

    #[test]
    fn a_table_takes_the_place_of_another() {
        let page = include_str!("../../../docs/gpu.md");
        let once = with_table(page, "first").unwrap();
        assert!(once.contains("\nfirst\n") && !once.contains("Not yet run"));
        let twice = with_table(&once, "second").unwrap();
        assert_eq!(twice, once.replace("first", "second"));
        assert!(with_table("nothing", "").is_err());
    }
}
