//! The commands, one file each.

pub mod asm_gate;
pub mod bench;
pub mod counts;
pub mod cuda;
pub mod demo;
pub mod fuzz;
pub mod gpu;
pub mod neon;
pub mod test;
pub mod ulp;

use crate::workspace::Workspace;
use anyhow::Result;

/// For a command without options: anything that is left is an error.
fn no_options(arguments: &mut lexopt::Parser) -> Result<()> {
    match arguments.next()? {
        Some(argument) => Err(argument.unexpected().into()),
        None => Ok(()),
    }
}

/// A folder under the target folder, made if it is not there.
fn output_folder(workspace: &Workspace, name: &str) -> Result<std::path::PathBuf> {
    let folder = workspace.target.join(name);
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
