//! The CUDA text of all programs of a batch, under the host's C++ compiler.

use crate::programs::CUDA;
use lanecraft::cuda::{CudaInfo, Program};
use lanecraft_cuda_check::host::{Library, Run};
use std::path::PathBuf;
use std::sync::OnceLock;

/// The names of the entries of a program's variants, and what they are compiled to.
type Entries = (Vec<String>, std::sync::Arc<Library>);
/// The programs that have a text, by number; or why one does not compile.
type Compiled = Vec<(u64, Result<Entries, String>)>;

/// The programs that have no CUDA text, and why.
pub fn without_text() -> impl Iterator<Item = (u64, String)> {
    CUDA.iter().filter_map(|(number, kernel)| Some((*number, Program::new().kernel(kernel).err()?.to_string())))
}

/// The entry of a program's variant. `None` where the program has no CUDA text.
///
/// # Errors
/// The text does not compile.
pub fn entry(program: u64, variant: usize) -> Result<Option<Run>, String> {
    static COMPILED: OnceLock<Compiled> = OnceLock::new();
    let compiled = COMPILED.get_or_init(|| {
        build(CUDA).unwrap_or_else(|_| {
            // One of them does not compile: each on its own, to see which.
            CUDA.iter().flat_map(|one| build(std::slice::from_ref(one)).unwrap_or_else(|e| vec![(one.0, Err(e))])).collect()
        })
    });
    let Some((_, found)) = compiled.iter().find(|(number, _)| *number == program) else { return Ok(None) };
    let (names, library) = found.as_ref().map_err(|e| format!("cuda: {e}"))?;
    let name = names.get(variant).ok_or("cuda: the variant has no entry")?;
    library.run(name).map(Some).map_err(|e| format!("cuda: {e:#}"))
}

/// Compiles programs together.
fn build(programs: &[(u64, CudaInfo)]) -> Result<Compiled, String> {
    let mut text = Program::new();
    let with_text: Vec<_> = programs.iter().filter(|(_, kernel)| text.kernel(kernel).is_ok()).collect();
    let source = text.finish();
    let first = programs.first().map_or(0, |(number, _)| *number);
    let library =
        Library::build(&source, &folder().join(format!("programs{first}_{}", std::process::id()))).map_err(|e| format!("{e:#}"))?;
    let library = std::sync::Arc::new(library);
    // The entries stand in the order of the programs and their variants.
    let mut names = source.entries.iter().map(|e| e.name.clone());
    let compiled = with_text.into_iter().map(|(number, kernel)| {
        let entries = (names.by_ref().take(kernel.info.variants.len()).collect(), library.clone());
        (*number, Ok(entries))
    });
    Ok(compiled.collect())
}

fn folder() -> PathBuf {
    let folder = std::env::current_exe().ok().and_then(|exe| exe.parent().map(|p| p.join("cuda-host"))).unwrap_or_else(std::env::temp_dir);
    let _ = std::fs::create_dir_all(&folder);
    folder
}
