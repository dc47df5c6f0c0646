//! `pybind-gen`: the stubs of a crate from the command line, and the gates that hold them.

mod check;
mod diff;

use lanecraft_pybind_gen::build::{Stubs, stubs_of_package};
use lexopt::prelude::*;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

const HELP: &str = "\
usage: pybind-gen COMMAND

  stubs [--crate FOLDER] [--out FOLDER]
                    print the stubs of the crate in this folder (or FOLDER), or write them into a folder, with py.typed
  diff FOLDER [--crate FOLDER]
                    compare the stubs in a folder with the sources; exit code 1 if they differ
  check MODULE [--python PYTHON] [--wheel WHEEL]
                    the gates, on an installed module: stubs against the module (stubtest), mypy and basedpyright where they are
                    installed, and what a wheel holds

Features are off and no `cfg` is set, as for a build script without any; a file pybind-gen.toml beside Cargo.toml is read.
";

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// What stands on the command line.
#[derive(Default)]
struct Options {
    words: Vec<String>,
    package: Option<PathBuf>,
    out: Option<PathBuf>,
    python: Option<PathBuf>,
    wheel: Option<PathBuf>,
}

fn run() -> Result<bool> {
    let mut arguments = lexopt::Parser::from_env();
    let mut options = Options::default();
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(true);
            }
            Long("crate") => options.package = Some(arguments.value()?.into()),
            Long("out") => options.out = Some(arguments.value()?.into()),
            Long("python") => options.python = Some(arguments.value()?.into()),
            Long("wheel") => options.wheel = Some(arguments.value()?.into()),
            Value(word) => options.words.push(word.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let package = options.package.as_deref().unwrap_or(Path::new("."));
    match options.words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["stubs"] => stubs(&stubs_of_package(package)?, options.out.as_deref()).map(|()| true),
        ["diff", folder] => diff::run(&stubs_of_package(package)?, Path::new(folder)),
        ["check", module] => check::run(module, options.python.as_deref(), options.wheel.as_deref()),
        _ => Err(format!("no such command\n\n{HELP}").into()),
    }
}

/// Prints stubs, or writes them.
fn stubs(stubs: &Stubs, out: Option<&Path>) -> Result<()> {
    let Some(folder) = out else {
        for (file, text) in stubs {
            println!("# {file}\n{text}");
        }
        return Ok(());
    };
    fs::create_dir_all(folder)?;
    for (file, text) in stubs.iter().chain([&("py.typed".to_owned(), String::new())]) {
        let path = folder.join(file);
        fs::write(&path, text).map_err(|e| io::Error::other(format!("cannot write {}: {e}", path.display())))?;
        println!("{}", path.display());
    }
    Ok(())
}
