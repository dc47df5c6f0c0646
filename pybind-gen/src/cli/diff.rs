//! `pybind-gen diff`: stubs in a folder against the sources.

use super::Result;
use lanecraft_pybind_gen::build::Stubs;
use similar::TextDiff;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Prints the differences. Whether there are none.
pub(super) fn run(stubs: &Stubs, folder: &Path) -> Result<bool> {
    let mut same = true;
    for (file, new) in stubs {
        let path = folder.join(file);
        let old = if path.exists() { fs::read_to_string(&path)? } else { String::new() };
        if old != *new {
            same = false;
            let diff = TextDiff::from_lines(&old, new);
            print!("{}", diff.unified_diff().header(&path.display().to_string(), &format!("{file}, from the sources")));
        }
    }
    for file in left_over(stubs, folder)? {
        same = false;
        println!("{}: the sources have no such module", folder.join(file).display());
    }
    Ok(same)
}

/// Stubs in the folder that the sources do not have.
fn left_over(stubs: &Stubs, folder: &Path) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".pyi") && !stubs.iter().any(|(file, _)| *file == name) {
            found.insert(name);
        }
    }
    Ok(found)
}
