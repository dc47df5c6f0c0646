//! Golden stubs. `UPDATE=1 cargo test -p lanecraft-pybind-gen --features build --test stub` writes them anew; their diff is the review.
//! The Python tests check them with mypy, basedpyright and ruff.

use lanecraft_pybind_gen::build::{stub_of, stubs_of_crate, stubs_of_package};
use std::path::Path;
use std::{env, fs};

/// The stub of a crate against `tests/python/NAME.pyi.ref`, of a submodule `math` against `NAME.math.pyi.ref`.
fn check(package: &str, name: &str) {
    let at = |path: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    for (file, stub) in stubs_of_package(&at(package)).unwrap() {
        let golden = match file.as_str() {
            "__init__.pyi" => format!("tests/python/{name}.pyi.ref"),
            submodule => format!("tests/python/{name}.{submodule}.ref"),
        };
        if env::var_os("UPDATE").is_some() {
            fs::write(at(&golden), &stub).unwrap();
        }
        let wanted = fs::read_to_string(at(&golden)).unwrap_or_default();
        assert!(stub == wanted, "{golden} differs; UPDATE=1 writes it anew. The stub is now:\n{stub}");
    }
}

/// The reference wheel.
#[test]
fn fastops() {
    check("examples/fastops", "fastops");
}

/// Every shape: several type parameters, dtypes of several kinds, several results, concrete types, awkward names.
#[test]
fn shapes() {
    check("tests/python/kernel_shapes", "kernel_shapes");
}

#[test]
fn two_kernels_of_one_name() {
    let source = "
        mod a { #[kernel] #[python_export] pub fn half(x: f32) -> f32 { 0.5 * x } }
        mod b { #[kernel] #[python_export] pub fn half(x: f64) -> f64 { 0.5 * x } }
    ";
    let error = stub_of(source).unwrap_err().to_string();
    assert_eq!(error, "source:3: kernel `half` is exported at source:2 too; rename one");
}

#[test]
fn python_keyword() {
    let error = stub_of("#[kernel] #[python_export] fn lambda(x: f32) -> f32 { x }").unwrap_err().to_string();
    assert_eq!(error, "source:1: kernel `lambda` cannot be exported: the name is a Python keyword; rename it, for example `lambda_`");
}

/// A list that does not fit a line is broken as ruff does it.
#[test]
fn many_values() {
    let values: String = (0..20).map(|k| format!("{}, ", 1000 + k)).collect();
    let source = format!("#[kernel] #[python_export] fn power(x: f32, #[parameter({values})] n: i32) -> f32 {{ x * (n as f32) }}");
    let stub = stub_of(&source).unwrap();
    assert!(stub.contains("        n: Literal[\n            1000,\n            1001,\n"), "{stub}");
    assert!(stub.contains("            1019,\n        ],\n"), "{stub}");
}

/// A submodule has a stub of its own, which the module's imports.
#[test]
fn submodules() {
    let source = "
        #[kernel] #[python_export] pub fn half(x: f32) -> f32 { 0.5 * x }
        #[kernel] #[python_export(module = \"parts\")] pub fn third(x: f32) -> f32 { x / 3.0 }
        mod other { #[kernel] #[python_export(module = \"parts\")] pub fn half(x: f64) -> f64 { 0.5 * x } }
    ";
    let stub = stub_of(source).unwrap();
    assert!(stub.contains("from . import parts as parts\n") && stub.contains("    \"parts\",\n"), "{stub}");
    assert!(stub.contains("half: Final[_Half]") && !stub.contains("third"), "{stub}");
    let folder = env::temp_dir().join(format!("lanecraft-submodules-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("lib.rs"), source).unwrap();
    let stubs = stubs_of_crate(folder.join("lib.rs"));
    fs::remove_dir_all(&folder).unwrap();
    let [(_, own), (file, part)] = <[_; 2]>::try_from(stubs.unwrap()).unwrap();
    assert_eq!((own, file.as_str()), (stub, "parts.pyi"));
    assert!(part.contains("__all__ = [\n    \"half\",\n    \"third\",\n]\n") && !part.contains("def isa"), "{part}");
}

#[test]
fn submodule_of_a_taken_name() {
    let source = "
        #[kernel] #[python_export] pub fn math(x: f32) -> f32 { x }
        #[kernel] #[python_export(module = \"math\")] pub fn third(x: f32) -> f32 { x / 3.0 }
    ";
    let error = stub_of(source).unwrap_err().to_string();
    assert_eq!(error, "source:3: submodule `math` cannot be made: something is exported under that name too; rename one");
}

/// What is not in the build, not exported, or not a kernel, is not in the stub.
#[test]
fn left_out() {
    let source = "
        #[kernel] fn private(x: f32) -> f32 { x }
        #[cfg(test)] #[kernel] #[python_export] fn tested(x: f32) -> f32 { x }
        #[cfg(test)] mod tests { #[kernel] #[python_export] fn deep(x: f32) -> f32 { x } }
    ";
    let stub = stub_of(source).unwrap();
    assert!(stub.contains("__all__ = [\n    \"__version__\",\n    \"isa\",\n    \"variants\",\n]\n"), "{stub}");
}

/// Ordinary functions and structs.
#[test]
fn functions() {
    check("tests/python/functions", "functions");
}

/// Overrides of what is not there are a mistake, or older than the sources.
#[test]
fn unknown_overrides() {
    let folder = env::temp_dir().join(format!("lanecraft-overrides-{}", std::process::id()));
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("src/lib.rs"), "#[python_export] pub fn half(x: f64) -> f64 { 0.5 * x }").unwrap();
    let error_of = |text: &str| {
        fs::write(folder.join("pybind-gen.toml"), text).unwrap();
        stubs_of_package(&folder).unwrap_err().to_string().replace(&folder.display().to_string(), "")
    };
    assert_eq!(error_of("exclude = [\"halve\"]"), "/pybind-gen.toml: `exclude` names `halve`, and nothing of that name is exported");
    assert_eq!(error_of("[docs]\nmath = \"\""), "/pybind-gen.toml: `docs` names `math`, and there is no such submodule");
    assert_eq!(error_of("[names]\nhalve = \"h\""), "/pybind-gen.toml: `names` names `halve`, and nothing of that name is exported");
    assert_eq!(
        error_of("[names]\nhalf = \"pass\""),
        "/src/lib.rs:1: function `pass` cannot be exported: the name is a Python keyword; rename it, for example `pass_`"
    );
    assert_eq!(error_of("name = 1"), "/pybind-gen.toml: there is no key `name`; there are `exclude`, `names`, `docs`");
    fs::write(folder.join("src/lib.rs"), "#[python_export] #[repr(C)] pub struct A { pub x: f64 }").unwrap();
    fs::write(
        folder.join("src/lib.rs"),
        "#[python_export] #[repr(C)] pub struct A { pub x: f64 }\n#[python_export] pub fn of(a: Vec<A>) -> Option<A> { a.pop() }",
    )
    .unwrap();
    let text = "/pybind-gen.toml: `exclude` names `A`, which function `of` needs; exclude that too, or publish both";
    assert_eq!(error_of("exclude = [\"A\"]"), text);
    fs::write(folder.join("pybind-gen.toml"), "exclude = [\"A\", \"of\"]").unwrap();
    let stubs = stubs_of_package(&folder).unwrap();
    assert!(!stubs[0].1.contains("class A") && !stubs[0].1.contains("def of"), "{stubs:?}");
    fs::write(folder.join("pybind-gen.toml"), "[names]\nA = \"b.B\"").unwrap();
    let stubs = stubs_of_package(&folder).unwrap();
    assert!(stubs[0].1.contains("from .b import B\n") && stubs[0].1.contains("def of(a: Sequence[B]) -> B | None: ...\n"), "{stubs:?}");
    assert!(stubs[1].1.contains("class B:\n    x: float\n\n    def __new__(cls, x: SupportsFloat) -> B: ...\n"), "{stubs:?}");
    fs::remove_dir_all(&folder).unwrap();
}
