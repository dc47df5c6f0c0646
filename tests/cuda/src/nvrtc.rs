//! NVIDIA's own compilers on the texts: NVRTC to PTX, ptxas to machine code. Neither needs a GPU.

use anyhow::{Context, Result, ensure};
use lanecraft::cuda::Source;
use lanecraft::cuda::run::nvrtc::Nvrtc;
use std::path::{Path, PathBuf};
use std::process::Command;

/// NVRTC, and where ptxas is.
pub struct Tools {
    nvrtc: Nvrtc,
    ptxas: PathBuf,
}

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

impl Tools {
    /// Those in a folder of Python packages (`site-packages`), as NVIDIA's wheels lay them out.
    pub fn open(packages: &Path) -> Result<Self> {
        let nvrtc = Nvrtc::open(&packages.join("nvidia/cuda_nvrtc/lib/libnvrtc.so.12"))?;
        let ptxas = packages.join("nvidia/cuda_nvcc/bin/ptxas");
        ensure!(ptxas.exists(), "{} is not there", ptxas.display());
        Ok(Self { nvrtc, ptxas })
    }

    /// The PTX of a text for an architecture (`80`).
    pub fn ptx(&self, name: &str, source: &Source, arch: u32) -> Result<String> {
        Ok(self.nvrtc.compile(name, &source.text, arch)?)
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
