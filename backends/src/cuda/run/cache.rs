//! PTX in files: what a wheel brings, and what was compiled before.
//!
//! A file is named by a hash of what its PTX was made of, and begins with a line that has a hash of the rest: one that was cut short or changed
//! is taken for none. Files come whole, by renaming, so that any number of processes may write the same one.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The first word of a file.
const MAGIC: &str = "// lanecraft-ptx";

/// Folders of PTX that wheels brought.
static PACKED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Takes PTX from a folder that [`pack`] has filled.
pub fn use_packed(folder: &Path) {
    let mut folders = PACKED.lock().unwrap_or_else(PoisonError::into_inner);
    if !folders.iter().any(|known| known == folder) {
        folders.push(folder.to_owned());
    }
}

/// Puts a text's PTX for an architecture into a folder, for [`use_packed`].
///
/// # Errors
/// The folder cannot be written to.
pub fn pack(folder: &Path, text: &str, architecture: u32, ptx: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    write(&folder.join(packed_name(text, architecture)), ptx)
}

fn packed_name(text: &str, architecture: u32) -> String {
    format!("{}.compute_{architecture}.ptx", key(&[text, &super::nvrtc::OPTIONS.join(" ")]))
}

/// The packed PTX of a text that suits a device best.
pub(super) fn packed(text: &str, capability: u32) -> Option<String> {
    let folders = PACKED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if folders.is_empty() {
        return None;
    }
    // No device is older than 5.0.
    (50..=capability).rev().find_map(|arch| {
        let name = packed_name(text, arch);
        folders.iter().find_map(|folder| read(&folder.join(&name)))
    })
}

/// The PTX that `compile` makes of a text, or has made before, with these options and this compiler.
///
/// The folder is `LANECRAFT_CACHE`, else `lanecraft` in the user's cache folder. Where there is none, or it cannot be written to, each process compiles.
///
/// # Errors
/// Those of `compile`.
pub(super) fn compiled<E>(
    text: &str,
    architecture: u32,
    version: (u32, u32),
    compile: impl FnOnce() -> Result<String, E>,
) -> Result<String, E> {
    let made_of = [text, &super::nvrtc::OPTIONS.join(" "), &architecture.to_string(), &format!("nvrtc {}.{}", version.0, version.1)];
    let file = folder().map(|folder| folder.join(format!("{}.ptx", key(&made_of))));
    if let Some(ptx) = file.as_deref().and_then(read) {
        return Ok(ptx);
    }
    let ptx = compile()?;
    if let Some(file) = &file {
        // Without a cache the next process compiles again, and that is all.
        let _ = file.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| write(file, &ptx));
    }
    Ok(ptx)
}

fn folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(own) = set("LANECRAFT_CACHE") {
        return Some(own.join("ptx"));
    }
    let user = set("XDG_CACHE_HOME").or_else(|| set("LOCALAPPDATA")).or_else(|| set("HOME").map(|home| home.join(".cache")));
    Some(user?.join("lanecraft").join("ptx"))
}

/// A hash of several texts.
fn key(texts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for text in texts {
        // Their lengths tell where one ends.
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hex(&hasher.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        // A string takes everything.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

fn write(file: &Path, ptx: &str) -> std::io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let own = file.with_extension(format!("{}-{}.tmp", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    let written = std::fs::write(&own, format!("{MAGIC} {}\n{ptx}", key(&[ptx]))).and_then(|()| std::fs::rename(&own, file));
    if written.is_err() {
        let _ = std::fs::remove_file(&own);
    }
    written
}

/// What is in a file, if it is whole.
fn read(file: &Path) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let (first, ptx) = text.split_once('\n')?;
    (first.strip_prefix(MAGIC)?.trim() == key(&[ptx])).then(|| ptx.to_owned())
}
