//! A crate of several files on disk.

use super::*;
use std::process;

/// A directory that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Self(std::env::temp_dir().join(format!("lanecraft-sources-{name}-{}", process::id())));
        for (path, text) in files {
            let path = folder.0.join(path);
            fs::create_dir_all(directory(&path)).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    /// The names of the kernels, and the warnings with this folder's path taken out.
    fn read(&self) -> (Vec<String>, Vec<String>) {
        let found = read(&self.0.join("src/lib.rs"), &Cfg::empty()).unwrap();
        let names = found.exports.iter().map(|found| found.export.name().to_string()).collect();
        let at = format!("{}/", self.0.display());
        (names, found.warnings.iter().map(|w| w.replace(&at, "")).collect())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn kernel(name: &str) -> String {
    format!("#[kernel]\n#[python_export]\npub fn {name}(x: f32) -> f32 {{ x }}\n")
}

/// The paths are those of the Rust reference, "Module source filenames" and "The path attribute".
#[test]
fn modules_in_files() {
    let with = |name: &str, rest: &str| format!("{}{rest}", kernel(name));
    let folder = Folder::new(
        "modules",
        &[
            (
                "src/lib.rs",
                &with(
                    "root",
                    "mod plain; mod folder; #[path = \"elsewhere/file.rs\"] mod moved; mod inline { mod inner; #[path = \"other.rs\"] mod renamed; } mod r#type;",
                ),
            ),
            ("src/plain.rs", &with("plain", "mod child;")),
            ("src/plain/child.rs", &kernel("plain_child")),
            ("src/folder/mod.rs", &with("folder", "mod child; mod inline { mod deep; }")),
            ("src/folder/child.rs", &kernel("folder_child")),
            ("src/folder/inline/deep.rs", &kernel("folder_inline_deep")),
            ("src/elsewhere/file.rs", &with("moved", "mod child;")),
            ("src/elsewhere/child.rs", &kernel("moved_child")),
            ("src/inline/inner.rs", &kernel("inline_inner")),
            ("src/inline/other.rs", &kernel("inline_renamed")),
            ("src/type.rs", &kernel("raw")),
        ],
    );
    let (names, warnings) = folder.read();
    assert!(warnings.is_empty(), "{warnings:?}");
    let wanted = [
        "root",
        "plain",
        "plain_child",
        "folder",
        "folder_child",
        "folder_inline_deep",
        "moved",
        "moved_child",
        "inline_inner",
        "inline_renamed",
        "raw",
    ];
    let mut sorted = names.clone();
    sorted.sort();
    let mut wanted = wanted.map(str::to_owned).to_vec();
    wanted.sort();
    assert_eq!(sorted, wanted);
}

/// The compiler reports these at the user's line; the rest of the crate still has its stub.
#[test]
fn what_the_compiler_reports_is_a_warning() {
    let folder = Folder::new(
        "warnings",
        &[
            (
                "src/lib.rs",
                &format!("mod missing;\nmod broken;\n#[kernel]\n#[python_export]\nfn bad(x: u128) -> u128 {{ x }}\n{}", kernel("good")),
            ),
            ("src/broken.rs", "\nfn f( {}\n"),
        ],
    );
    let (names, warnings) = folder.read();
    assert_eq!(names, ["good"]);
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert_eq!(warnings[0], "src/lib.rs: no file for module `missing` in src");
    assert!(warnings[1].starts_with("src/broken.rs:"), "{}", warnings[1]);
    assert!(warnings[2].starts_with("src/lib.rs:5: "), "{}", warnings[2]);
}

#[test]
fn modules_that_are_not_in_the_build() {
    let lib = format!("#[cfg(test)] mod tests;\n#[cfg(feature = \"off\")] mod off;\nmod gated;\n{}", kernel("on"));
    let folder = Folder::new("cfg", &[("src/lib.rs", &lib), ("src/gated.rs", &format!("#![cfg(test)]\n{}", kernel("gated")))]);
    assert_eq!(folder.read(), (vec!["on".to_owned()], Vec::new()));
}

#[test]
fn a_module_that_contains_itself() {
    let folder = Folder::new("circle", &[("src/lib.rs", &format!("#[path = \"lib.rs\"] mod again;\n{}", kernel("once")))]);
    let (names, warnings) = folder.read();
    assert_eq!(names, ["once"]);
    assert_eq!(warnings, ["src/lib.rs: the module contains itself"]);
}

#[test]
fn no_root() {
    let error = read(Path::new("/nowhere/src/lib.rs"), &Cfg::empty()).err().unwrap().to_string();
    assert!(error.starts_with("cannot read /nowhere/src/lib.rs: "), "{error}");
}
